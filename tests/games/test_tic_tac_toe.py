"""Tic-tac-toe against OpenSpiel (3×3 and its m,n,k game), and against a slow board on every shape."""

from __future__ import annotations

import random
from functools import cache
from xml.etree import ElementTree

import pytest

import zermelo.games as games
from zermelo.rules import Game, MoveError, Position, PositionError, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

SHAPES = [
    (3, 3, 3), (1, 1, 1), (1, 2, 2), (2, 2, 2), (3, 4, 3), (4, 3, 3), (4, 4, 4), (5, 5, 4), (3, 9, 3),
    (6, 7, 4), (7, 6, 5), (8, 8, 5), (8, 8, 8), (1, 64, 3), (64, 1, 4), (2, 32, 3), (8, 9, 4), (5, 13, 3),
]  # fmt: skip


class Slow:
    """The rules as a person would follow them: a dictionary from cells to marks, and every line looked at."""

    def __init__(self, rows: int, cols: int, run: int) -> None:
        self.run = run
        self.cells = [(r, c) for r in range(rows) for c in range(cols)]
        self.marks: dict[tuple[int, int], str] = {}

    @property
    def side(self) -> str:
        return "XO"[len(self.marks) % 2]

    def free(self) -> list[tuple[int, int]]:
        return [] if self.result() is not None else [cell for cell in self.cells if cell not in self.marks]

    def result(self) -> int | None:
        for r, c in self.cells:
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = {self.marks.get((r + i * dr, c + i * dc), "-") for i in range(self.run)}
                if line in ({"X"}, {"O"}):
                    return 1 if line == {"X"} else -1
        return 0 if len(self.marks) == len(self.cells) else None

    def text(self) -> str:
        return "".join(self.marks.get(cell, "-") for cell in self.cells)


def make(rows: int, cols: int, run: int) -> Game:
    return games.tic_tac_toe(rows=rows, cols=cols, run=run)


def name(cell: tuple[int, int]) -> str:
    r, c = cell
    return "abcdefghijklmnopqrstuvwxyz"[c] + str(r + 1)


def random_game(game: Game, seed: int) -> list[Position]:
    chance = random.Random(seed)
    path = [game.position()]
    while path[-1].codes:
        path.append(path[-1].play(chance.choice(path[-1].codes)))
    return path


@cache
def reachable() -> list[Position]:
    start = make(3, 3, 3).position()
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        new = {here.play(move) for move in here.codes} - seen
        seen |= new
        waiting.extend(new)
    return list(seen)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_random_games_like_the_slow_board(shape: tuple[int, int, int]) -> None:
    game = make(*shape)
    for seed in range(3):
        slow = Slow(*shape)
        for position in random_game(game, seed):
            if position.last_move is not None:
                slow.marks[divmod(position.last_move, shape[1])] = slow.side
            assert position.turn == "XO".index(slow.side)
            assert position.result == slow.result()
            assert [divmod(move, shape[1]) for move in position.codes] == slow.free()
            if shape[1] <= 26:
                assert position.moves() == [name(cell) for cell in slow.free()]
            assert position.text() == slow.text()
            assert game.position(position.text()) == position


@pytest.mark.parametrize(("rows", "cols", "run"), [(3, 3, 3), (3, 5, 3), (5, 4, 4), (7, 7, 5), (8, 8, 5)])
def test_random_games_like_openspiel(rows: int, cols: int, run: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    ours = make(rows, cols, run)
    described = "tic_tac_toe" if cols == 3 else f"mnk(m={cols},n={rows},k={run})"
    theirs = pyspiel.load_game(described)
    for seed in range(8):
        state = theirs.new_initial_state()
        for position in random_game(ours, seed):
            if position.last_move is not None:
                state.apply_action(position.last_move)
            assert position.codes == state.legal_actions()
            assert (position.result is not None) == state.is_terminal()
            if state.is_terminal():
                assert position.result == state.returns()[0]
            else:
                assert position.turn == state.current_player()


def test_positions_games_and_value() -> None:
    assert len(reachable()) == 5478
    lengths: dict[int, int] = {}
    values: set[float] = set()

    @cache
    def complete(position: Position) -> int:
        return sum(complete(position.play(move)) for move in position.codes) or 1

    @cache
    def value(position: Position) -> float:
        below = [value(position.play(move)) for move in position.codes]
        if not below:
            assert position.result is not None
            return position.result
        return max(below) if position.turn == 0 else min(below)

    for position in reachable():
        plies = len(position.text().replace("-", ""))
        lengths[plies] = lengths.get(plies, 0) + 1
        if position.result is not None:
            values.add(position.result)
    assert [lengths[plies] for plies in range(10)] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert values == {-1, 0, 1}
    start = make(3, 3, 3).position()
    assert complete(start) == 255_168
    assert value(start) == 0


def images(text: str, rows: int, cols: int) -> set[str]:
    """A board's texts after all turns and reflections that keep its shape."""
    board = [list(text[r * cols : (r + 1) * cols]) for r in range(rows)]
    found = set()
    for _ in range(4):
        board = [list(row) for row in zip(*board[::-1])]  # a quarter turn
        if len(board) == rows:
            found.add("".join(mark for row in board for mark in row))
            found.add("".join(mark for row in board for mark in row[::-1]))
    return found


def test_keys_and_symmetry_of_all_positions() -> None:
    game = make(3, 3, 3)
    assert game.key is not None
    assert game.symmetry is not None
    assert game.exact_key
    assert len({int(game.key(position.state)) for position in reachable()}) == 5478
    classes: dict[str, set[int]] = {}
    for position in reachable():
        classes.setdefault(min(images(position.text(), 3, 3)), set()).add(int(game.symmetry(position.state)))
    assert len(classes) == 765
    assert all(len(keys) == 1 for keys in classes.values())
    assert len(set.union(*classes.values())) == 765


@pytest.mark.parametrize("shape", [(4, 4, 3), (4, 8, 4), (2, 5, 2), (6, 6, 4), (5, 7, 4), (8, 8, 5)], ids=str)
def test_symmetry_of_other_shapes(shape: tuple[int, int, int]) -> None:
    game = make(*shape)
    assert game.symmetry is not None
    assert game.exact_key == (shape[0] * shape[1] <= 32)
    classes: dict[str, int] = {}
    for position in random_game(game, 5) + random_game(game, 6):
        alike = images(position.text(), *shape[:2])
        assert len(alike) <= (8 if shape[0] == shape[1] else 4)
        keys = {int(game.symmetry(game.position(text).state)) for text in alike}
        assert len(keys) == 1
        classes[min(alike)] = keys.pop()
    assert len(set(classes.values())) == len(classes)


def test_plain_searches_see_nothing_but_the_rules() -> None:
    game = make(3, 3, 3)
    assert game.order is game.bounds is game.candidates is game.evaluate is None


def test_positions_as_texts() -> None:
    game = make(3, 3, 3)
    assert game.position("a1 b2 c3").text() == "X---O---X"
    assert game.position("a1b2c3") == game.position("x-- / .o. / --X") == game.position("X---O---X")
    assert game.position("X---O---X").turn == 1
    assert game.position("XXX-OO---").result == 1
    assert game.position("XXXXOOXOO").result == 1  # two runs at once, through the corner played last
    assert game.position("OOO-XX-X-").result == -1
    assert make(1, 30, 3).position("aa1 ad1").moves()[-2:] == ["ab1", "ac1"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("XO-", "9 cells"),
        ("XO-Z-----", "9 cells"),
        ("OO-X-----", "X begins.*1 against 2"),
        ("XXX------", "X begins.*3 against 0"),
        ("XXXOOO---", "cannot come about"),
        ("OOOXXX-X-", "cannot come about"),
        ("a1 a1", "not a legal move"),
        ("a4", "not a legal move"),
        ("a1 a2 b1 b2 c1 c2", "the game is over"),
    ],
)
def test_wrong_positions(text: str, complaint: str) -> None:
    with pytest.raises(PositionError, match=complaint):
        make(3, 3, 3).position(text)


def test_two_runs_that_no_single_move_completes_are_refused() -> None:
    with pytest.raises(PositionError, match="cannot come about"):
        make(4, 4, 3).position("XXXX/OO-O/OO-O/XXX-")


def test_wrong_moves() -> None:
    with pytest.raises(MoveError, match="'d1' is not a legal move"):
        make(3, 3, 3).position().play("d1")


@pytest.mark.parametrize("shape", [(0, 3, 1), (3, -1, 1), (20, 21, 3), (3, 3, 4), (3, 3, 0)], ids=str)
def test_impossible_shapes(shape: tuple[int, int, int]) -> None:
    with pytest.raises(Unsuitable, match="tic-tac-toe"):
        make(*shape)


def test_drawing() -> None:
    position = make(3, 4, 3).position("a1 b2 d3")
    assert str(position) == "1 X . . .\n2 . O . .\n3 . . . X\n  a b c d"
    spots = ElementTree.fromstring(position._repr_svg_()).iter()
    shown = [(spot.get("data-spot"), spot.get("data-piece")) for spot in spots if spot.get("data-piece")]
    assert shown == [("a1", "X"), ("b2", "O"), ("d3", "X")]
