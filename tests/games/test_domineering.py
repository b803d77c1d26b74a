"""Domineering against a slow board of sets, and its provable bounds against full solutions."""

from __future__ import annotations

import random
from functools import cache
from xml.etree import ElementTree

import pytest

import zermelo.games as games
from zermelo.rules import Game, MoveError, Position, PositionError, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

Cell = tuple[int, int]
SHAPES = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (4, 5), (5, 4), (7, 7), (8, 8), (1, 64), (64, 1), (2, 32)]


class Slow:
    """The rules as a person would follow them: the set of free cells."""

    def __init__(self, rows: int, cols: int) -> None:
        self.free = frozenset((r, c) for r in range(rows) for c in range(cols))
        self.turn = 0

    def second_half(self, cell: Cell) -> Cell:
        r, c = cell
        return (r + 1, c) if self.turn == 0 else (r, c + 1)

    def moves(self) -> list[Cell]:
        return sorted(cell for cell in self.free if self.second_half(cell) in self.free)

    def play(self, cell: Cell) -> None:
        self.free -= {cell, self.second_half(cell)}
        self.turn = 1 - self.turn

    def result(self) -> int | None:
        return None if self.moves() else -1 if self.turn == 0 else 1


@cache
def outcome(free: frozenset[Cell], turn: int) -> int:
    """Who wins, by trying everything."""
    for r, c in free:
        half = (r + 1, c) if turn == 0 else (r, c + 1)
        if half in free and outcome(free - {(r, c), half}, 1 - turn) == 1 - 2 * turn:
            return 1 - 2 * turn
    return 2 * turn - 1


def make(rows: int, cols: int) -> Game:
    return games.domineering(rows=rows, cols=cols)


def name(cell: Cell) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[cell[1]] + str(cell[0] + 1)


def random_game(game: Game, seed: int) -> list[Position]:
    chance = random.Random(seed)
    path = [game.position()]
    while path[-1].codes:
        path.append(path[-1].play(chance.choice(path[-1].codes)))
    return path


def reachable(game: Game) -> set[Position]:
    seen = {game.position()}
    waiting = list(seen)
    while waiting:
        here = waiting.pop()
        new = {here.play(move) for move in here.codes} - seen
        seen |= new
        waiting.extend(new)
    return seen


def free_cells(position: Position, rows: int, cols: int) -> frozenset[Cell]:
    filled = int(position.state.filled)
    return frozenset(divmod(i, cols) for i in range(rows * cols) if not filled >> i & 1)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_random_games_like_the_slow_board(shape: tuple[int, int]) -> None:
    rows, cols = shape
    game = make(rows, cols)
    for seed in range(5):
        slow = Slow(rows, cols)
        path = random_game(game, seed)
        assert len(path) - 1 <= game.max_plies
        for position in path:
            if position.last_move is not None:
                slow.play(divmod(position.last_move, cols))
            assert position.turn == slow.turn
            assert position.result == slow.result()
            assert [divmod(move, cols) for move in position.codes] == slow.moves()
            assert len(position.codes) <= game.max_moves
            if cols <= 26:
                assert position.moves() == [name(cell) for cell in slow.moves()]
            assert free_cells(position, rows, cols) == slow.free


def test_small_counts() -> None:
    def paths(slow: Slow, depth: int) -> int:
        total = 0
        for cell in slow.moves():
            after = Slow(0, 0)
            after.free, after.turn = slow.free, slow.turn
            after.play(cell)
            total += paths(after, depth - 1) if depth > 1 else 1
        return total

    def ours(position: Position, depth: int) -> int:
        return sum(ours(position.play(move), depth - 1) if depth > 1 else 1 for move in position.codes)

    for shape in ((3, 3), (4, 3), (4, 4)):
        for depth in (1, 2, 3):
            assert ours(make(*shape).position(), depth) == paths(Slow(*shape), depth)
    assert len(make(8, 8).position().codes) == 56


def solved(position: Position, known: dict[int, int]) -> int:
    """The winner by the game's own hooks: bounds, order and symmetry."""
    game = position.game
    if position.result is not None:
        return int(position.result)
    low, high = game.bounds(position.state)  # type: ignore[misc]
    if low == high:
        return int(low)
    key = int(game.symmetry(position.state))  # type: ignore[misc]
    if key not in known:
        own = 1 - 2 * position.turn
        best = sorted(position.codes, key=lambda move: -game.order(position.state, move))  # type: ignore[misc]
        known[key] = own if any(solved(position.play(move), known) == own for move in best) else -own
    return known[key]


@pytest.mark.parametrize("rows", [1, 2, 3, 4])
@pytest.mark.parametrize("cols", [1, 2, 3, 4, 5])
def test_winners_like_the_slow_solver(rows: int, cols: int) -> None:
    for shape in {(rows, cols), (cols, rows)}:
        assert solved(make(*shape).position(), {}) == outcome(Slow(*shape).free, 0)


@pytest.mark.parametrize(("rows", "cols", "winner"), [(2, 2, 1), (3, 3, 1), (4, 4, 1), (5, 5, -1)])
def test_published_winners(rows: int, cols: int, winner: int) -> None:
    assert solved(make(rows, cols).position(), {}) == winner == outcome(Slow(rows, cols).free, 0)


@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3), (2, 7)], ids=str)
def test_bounds_hold_everywhere(shape: tuple[int, int]) -> None:
    game = make(*shape)
    assert game.bounds is not None
    decided = open_ended = 0
    for position in reachable(game):
        low, high = game.bounds(position.state)
        true = outcome(free_cells(position, *shape), position.turn)
        assert low <= true <= high
        if position.result is None:
            open_ended += low < high
            decided += low == high
    assert decided > open_ended // 2  # worth its while


def test_keys_and_symmetry() -> None:
    rows, cols = 3, 4
    game = make(rows, cols)
    assert game.key is not None
    assert game.symmetry is not None
    assert game.exact_key
    everything = reachable(game)
    assert len({int(game.key(position.state)) for position in everything}) == len(everything)
    classes: dict[frozenset[frozenset[Cell]], set[int]] = {}
    for position in everything:
        free = free_cells(position, rows, cols)
        across = frozenset((r, cols - 1 - c) for r, c in free)
        images = [free, across] + [frozenset((rows - 1 - r, c) for r, c in image) for image in (free, across)]
        classes.setdefault(frozenset(images), set()).add(int(game.symmetry(position.state)))
    assert all(len(keys) == 1 for keys in classes.values())
    assert len(set.union(*classes.values())) == len(classes)


@pytest.mark.parametrize("shape", [(8, 8), (7, 9), (64, 1), (3, 21)], ids=str)
def test_symmetry_of_large_boards(shape: tuple[int, int]) -> None:
    rows, cols = shape
    game = make(rows, cols)
    assert game.symmetry is not None
    for position in random_game(game, 2):
        filled = {divmod(i, cols) for i in range(rows * cols)} - free_cells(position, rows, cols)
        for flip_rows in (False, True):
            for flip_cols in (False, True):
                image = {(rows - 1 - r if flip_rows else r, cols - 1 - c if flip_cols else c) for r, c in filled}
                state = game.State(filled=sum(1 << (r * cols + c) for r, c in image), plies=len(filled) // 2)  # type: ignore[misc]
                assert game.symmetry(state) == game.symmetry(position.state)


def test_order_and_estimate_count_the_moves_left() -> None:
    game = make(5, 6)
    assert game.order is not None
    assert game.evaluate is not None
    for position in random_game(game, 9):
        slow = Slow(5, 6)
        slow.free = free_cells(position, 5, 6)
        counts = []
        for slow.turn in (0, 1):
            counts.append(len(slow.moves()))
        estimate = game.evaluate(position.state)
        assert -1 < estimate < 1
        assert (estimate > 0) == (counts[0] > counts[1])
        assert (estimate < 0) == (counts[0] < counts[1])
        for move in position.codes:
            slow.free, slow.turn = free_cells(position.play(move), 5, 6), position.turn
            own = len(slow.moves())
            slow.turn = 1 - slow.turn
            assert game.order(position.state, move) == own - len(slow.moves())


def test_texts() -> None:
    game = make(3, 4)
    position = game.position("a1 b1")
    assert position.history() == ["a1", "b1"]
    assert position.moves() == ["d1", "b2", "c2", "d2"]
    assert game.position("a1b1") == position
    assert game.position("b1 c1") != position
    with pytest.raises(MoveError, match="'a3' is not a legal move"):
        game.position().play("a3")
    with pytest.raises(PositionError, match="'d1' is not a legal move"):
        game.position("a1 d1")
    with pytest.raises(PositionError, match="the game is over"):
        make(1, 3).position("a1")


@pytest.mark.parametrize("shape", [(0, 4), (4, -2), (8, 9), (1, 65)], ids=str)
def test_impossible_shapes(shape: tuple[int, int]) -> None:
    with pytest.raises(Unsuitable, match="from 1 to 64 cells"):
        make(*shape)


def test_drawing() -> None:
    position = make(3, 4).position("a1 b2")
    assert str(position) == "1 # . . .\n2 # # # .\n3 . . . .\n  a b c d"
    assert ElementTree.fromstring(position._repr_svg_()).tag.endswith("svg")
