"""Othello against OpenSpiel on 8×8, and against a slow board of lists on every size."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

import zermelo.games as games
from zermelo.rules import ONGOING, Game, MoveError, Position, PositionError, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

SIZES = [(4, 4), (4, 5), (5, 4), (5, 5), (4, 8), (8, 4), (6, 6), (7, 5), (7, 8), (8, 8)]
AROUND = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]


class Slow:
    """The rules as a person would follow them: a dictionary from squares to marks."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols, self.side = rows, cols, "X"
        r, c = rows // 2 - 1, cols // 2 - 1
        self.discs = {(r, c): "O", (r + 1, c + 1): "O", (r, c + 1): "X", (r + 1, c): "X"}

    def turned(self, square: tuple[int, int], side: str) -> set[tuple[int, int]]:
        found: set[tuple[int, int]] = set()
        for dr, dc in AROUND:
            line = []
            r, c = square[0] + dr, square[1] + dc
            while self.discs.get((r, c), side) != side:
                line.append((r, c))
                r, c = r + dr, c + dc
            if (r, c) in self.discs:
                found.update(line)
        return found

    def squares(self, side: str) -> list[tuple[int, int]]:
        every = [(r, c) for r in range(self.rows) for c in range(self.cols)]
        return [square for square in every if square not in self.discs and self.turned(square, side)]

    @property
    def other(self) -> str:
        return "O" if self.side == "X" else "X"

    def moves(self) -> list[str]:
        mine = [f"{chr(97 + c)}{r + 1}" for r, c in self.squares(self.side)]
        return mine or (["pass"] if self.squares(self.other) else [])

    def play(self, text: str) -> None:
        if text != "pass":
            square = int(text[1:]) - 1, ord(text[0]) - 97
            turned = self.turned(square, self.side)
            self.discs.update(dict.fromkeys([square, *turned], self.side))
        self.side = self.other

    def text(self) -> str:
        marks = [self.discs.get((r, c), "-") for r in range(self.rows) for c in range(self.cols)]
        return f"{''.join(marks)} {self.side}"

    def lead(self) -> int:
        marks = list(self.discs.values())
        return marks.count("X") - marks.count("O")


def wander(game: Game, seed: int) -> list[Position]:
    """The positions of a random game."""
    chance, path = random.Random(seed), [game.position()]
    while codes := path[-1].codes:
        path.append(path[-1].play(chance.choice(codes)))
    return path


def perft(position: Position, depth: int) -> int:
    return 1 if depth == 0 else sum(perft(position.play(code), depth - 1) for code in position.codes)


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_random_games_agree_with_the_slow_board(rows: int, cols: int) -> None:
    game = games.othello(rows=rows, cols=cols)
    for seed in range(8):
        chance, position, slow = random.Random(seed), game.position(), Slow(rows, cols)
        while moves := slow.moves():
            assert position.result is None
            assert position.moves() == moves
            assert position.turn == "XO".index(slow.side)
            assert position.text() == slow.text()
            move = chance.choice(moves)
            position = position.play(move)
            slow.play(move)
        assert position.result == slow.lead()
        assert position.moves() == []
        assert len(position.path()) - 1 <= game.max_plies


def test_random_games_agree_with_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, other = games.othello(), pyspiel.load_game("othello")
    for seed in range(15):
        chance, position, state = random.Random(seed), game.position(), other.new_initial_state()
        while not state.is_terminal():
            assert position.codes == sorted(state.legal_actions())  # 64 is the pass there, too
            assert position.turn == state.current_player()
            code = chance.choice(position.codes)
            assert position.text_of(code) == state.action_to_string(code)
            position = position.play(code)
            state.apply_action(code)
        assert position.result is not None
        lead = position.result
        assert [(lead > 0) - (lead < 0), (lead < 0) - (lead > 0)] == state.returns()


def test_perft() -> None:
    assert [perft(games.othello().position(), depth) for depth in range(1, 5)] == [4, 12, 56, 244]


def minimax(game: Game, state, known: dict[str, int]) -> int:
    """The first player's score under best play, by going through everything."""
    text = game.position_text(state)
    if text not in known:
        score = game.result(state)
        if score == ONGOING:
            here = Position(game, state)
            children = [minimax(game, here.play(code).state, known) for code in here.codes]
            score = min(children) if state.turn else max(children)
        known[text] = int(score)
    return known[text]


@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (4, 5), (5, 5), (6, 6)])
def test_bounds_hold_the_value(rows: int, cols: int) -> None:
    game, decided = games.othello(rows=rows, cols=cols), 0
    for seed in range(40):
        known: dict[str, int] = {}
        for position in wander(game, seed):
            if position.text().count("-") <= 5:
                low, high = game.bounds(position.state)
                assert low <= minimax(game, position.state, known) <= high
                decided += low == high and position.result is None
    assert decided > 0


def alphabeta(game: Game, state, alpha: int, beta: int) -> int:
    """The same with the fastest moves first and without those that cannot matter, for the player to move."""
    score = game.result(state)
    if score != ONGOING:
        return -score if state.turn else score
    here, best = Position(game, state), -99
    for code in sorted(here.codes, key=lambda move: -game.order(state, move)):
        best = max(best, -alphabeta(game, here.play(code).state, -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def test_second_player_wins_4x4_by_8() -> None:
    game = games.othello(rows=4, cols=4)
    assert alphabeta(game, game.start, -9, -7) == -8


def images(position: Position, rows: int, cols: int) -> list[str]:
    """The position seen from all sides."""
    squares, side = position.text().split()
    board = [squares[r * cols : (r + 1) * cols] for r in range(rows)]
    boards = [board, board[::-1], [row[::-1] for row in board], [row[::-1] for row in board[::-1]]]
    if rows == cols:
        boards += [["".join(column) for column in zip(*b)] for b in boards]
    return [f"{''.join(b)} {side}" for b in boards]


@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (5, 6), (7, 4), (7, 7), (8, 8)])
def test_symmetry_is_shared_by_all_images_and_by_nothing_else(rows: int, cols: int) -> None:
    game, seen = games.othello(rows=rows, cols=cols), {}
    for position in wander(game, 5)[::3]:
        views = images(position, rows, cols)
        assert len({int(game.symmetry(game.position(view).state)) for view in views}) == 1
        seen.setdefault(int(game.symmetry(position.state)), set()).add(min(views))
    assert all(len(classes) == 1 for classes in seen.values())
    assert game.exact_key == (rows * cols < 32)


def test_keys_tell_positions_apart() -> None:
    game = games.othello(rows=4, cols=4)
    states = {p.text(): int(game.key(p.state)) for seed in range(30) for p in wander(game, seed)}
    assert len(set(states.values())) == len(states) > 200
    board = "XXXXXOX--XO-----"
    assert game.key(game.position(f"{board} X").state) != game.key(game.position(f"{board} O").state)


@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (6, 5), (8, 8)])
def test_estimates_stay_inside_the_values(rows: int, cols: int) -> None:
    game = games.othello(rows=rows, cols=cols)
    low, high = game.values
    assert all(low < game.evaluate(p.state) < high for seed in range(3) for p in wander(game, seed))


def test_corners_are_tried_first_then_the_fewest_replies() -> None:
    game = games.othello(rows=4, cols=4)
    corner = game.position("-OX-/-OX-/XXX-/----".replace("/", "\n") + " X")
    assert max(corner.codes, key=lambda move: game.order(corner.state, move)) == corner.code_of("a1")
    for position in wander(games.othello(), 2)[:40:5]:
        plain = [m for m in position.codes if position.text_of(m) not in ("a1", "h1", "a8", "h8", "pass")]
        replies = {m: [t for t in position.play(m).moves() if t != "pass"] for m in plain}
        calm = [m for m in plain if not {"a1", "h1", "a8", "h8"} & set(replies[m])]
        ranked = sorted(calm, key=lambda m: -position.game.order(position.state, m))
        assert [len(replies[m]) for m in ranked] == sorted(len(replies[m]) for m in calm)


def test_passing_is_a_move() -> None:
    game = games.othello(rows=4, cols=4)
    position = game.position("XXXX XXXO XXO- XO-- X").play("d3").play("pass").play("c4")
    assert position.history() == ["d3", "pass", "c4"]


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_texts_are_read_back(rows: int, cols: int) -> None:
    game = games.othello(rows=rows, cols=cols)
    for position in wander(game, 9)[::4]:
        assert game.position(position.text()) == position
        squares, side = position.text().split()
        lines = [squares[r * cols : (r + 1) * cols] for r in range(rows)]
        assert game.position("\n".join([*lines, side.lower()])) == position
        assert game.position(" ".join(position.history())) == position


def test_the_start_as_text() -> None:
    assert games.othello(rows=4, cols=4).position().text() == "-----OX--XO----- X"
    assert games.othello(rows=5, cols=4).position().text() == "-----OX--XO--------- X"


@pytest.mark.parametrize("text", ["-----OX--XO----X", "-----OX--XO------", "OX--XO X", "?----OX--XO-----O"])
def test_wrong_boards_are_refused(text: str) -> None:
    with pytest.raises(PositionError, match="16 squares"):
        games.othello(rows=4, cols=4).position(text)


def test_illegal_moves_are_refused() -> None:
    position = games.othello().position()
    with pytest.raises(MoveError, match="legal: d3 c4 f5 e6"):
        position.play("a1")
    with pytest.raises(MoveError, match="'pass' is not a legal move"):
        position.play("pass")
    with pytest.raises(PositionError, match="move 2"):
        games.othello().position("d3 d3")


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (4, 3), (9, 8), (8, 9), (0, 0), (-4, 4)])
def test_impossible_sizes_are_refused(rows: int, cols: int) -> None:
    with pytest.raises(Unsuitable, match="from 4 to 8"):
        games.othello(rows=rows, cols=cols)


def test_drawing() -> None:
    position = games.othello(rows=4, cols=5).position()
    assert str(position) == "1 . . . . .\n2 . O X . .\n3 . X O . .\n4 . . . . .\n  a b c d e\nX to move"
    picture = ElementTree.fromstring(position._repr_svg_())
    assert [node.get("data-piece") for node in picture.iter() if node.get("data-piece")] == ["O", "X", "X", "O"]
    over = wander(position.game, 0)[-1]
    assert str(over).splitlines()[-1].startswith("X ")
