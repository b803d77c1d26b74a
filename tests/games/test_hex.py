"""Hex against OpenSpiel, and against a slow search for chains."""

from __future__ import annotations

import random
from functools import cache
from xml.etree import ElementTree

import pytest

import zermelo.games as games
from zermelo.rules import Game, MoveError, Position, PositionError, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

Cell = tuple[int, int]


def edge(size: int, which: int) -> set[Cell]:
    """The cells along the top, the bottom, the left, the right edge."""
    far = size - 1
    return {((0, i), (far, i), (i, 0), (i, far))[which] for i in range(size)}


def chained(stones: set[Cell], start: set[Cell]) -> set[Cell]:
    """The stones that chains of stones connect with the start, those on it included."""
    found = stones & start
    waiting = list(found)
    while waiting:
        r, c = waiting.pop()
        beside = {(r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c), (r - 1, c + 1), (r + 1, c - 1)}
        new = beside & stones - found
        found |= new
        waiting.extend(new)
    return found


class Slow:
    """The rules as a person would follow them: a set of cells for each player."""

    def __init__(self, size: int) -> None:
        self.size, self.plies = size, 0
        self.stones: tuple[set[Cell], set[Cell]] = (set(), set())

    def play(self, move: int) -> None:
        self.stones[self.plies % 2].add(divmod(move, self.size))
        self.plies += 1

    def result(self) -> int | None:
        for player, score in ((0, 1), (1, -1)):
            near, far = edge(self.size, 2 * player), edge(self.size, 2 * player + 1)
            if chained(self.stones[player], near) & far:
                return score
        return None

    def moves(self) -> list[str]:
        taken = self.stones[0] | self.stones[1]
        every = [(r, c) for r in range(self.size) for c in range(self.size)]
        return [f"{chr(97 + c)}{r + 1}" for r, c in every if (r, c) not in taken and self.result() is None]


def random_game(game: Game, seed: int) -> list[Position]:
    chance = random.Random(seed)
    path = [game.position()]
    while path[-1].codes:
        path.append(path[-1].play(chance.choice(path[-1].codes)))
    return path


@pytest.mark.parametrize(("size", "repeats"), [(2, 20), (3, 20), (5, 5), (8, 1), (9, 1), (11, 1)])
def test_random_games_like_the_slow_board(size: int, repeats: int) -> None:
    for seed in range(repeats):
        slow = Slow(size)
        for position in random_game(games.hex(size=size), seed):
            if position.last_move is not None:
                slow.play(position.last_move)
            assert position.turn == slow.plies % 2
            assert position.result == slow.result()
            assert position.moves() == slow.moves()
            assert_linked(position, slow)


def assert_linked(position: Position, slow: Slow) -> None:
    """The stones kept as linked to an edge are those that a chain connects with it."""
    linked, size = position.state.linked, slow.size
    words = len(linked) // 4
    for which in range(4):
        whole = sum(int(linked[words * which + w]) << (64 * w) for w in range(words))
        cells = {divmod(i, size) for i in range(size * size) if whole >> i & 1}
        assert cells == chained(slow.stones[which // 2], edge(size, which))


@pytest.mark.parametrize(("size", "repeats"), [(2, 9), (3, 9), (4, 9), (7, 3), (8, 3), (9, 2), (11, 2)])
def test_random_games_like_openspiel(size: int, repeats: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    ours, theirs = games.hex(size=size), pyspiel.load_game(f"hex(board_size={size})")
    for seed in range(repeats):
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


def test_a_winding_chain_laid_in_random_order() -> None:
    size, chance = 11, random.Random(4)
    path = [(r, c) for r in (1, 3, 5) for c in range(size)] + [(0, 0), (2, 10), (4, 0)]
    path += [(r, 10) for r in range(6, size)]
    rest = [(r, c) for r in range(size) for c in range(size) if (r, c) not in path]
    chance.shuffle(path)
    chance.shuffle(rest)
    position, slow = games.hex(size=size).position(), Slow(size)
    while position.result is None:
        r, c = (path if position.turn == 0 else rest).pop()
        state = position.state.copy()
        position.game.play(state, r * size + c)
        position = Position(position.game, state)
        slow.play(r * size + c)
        assert position.result == slow.result()
    assert position.result == 1
    assert slow.plies > 60
    assert_linked(position, slow)


@cache
def value(position: Position) -> float:
    if position.result is not None:
        return position.result
    below = [value(position.play(move)) for move in position.codes]
    return max(below) if position.turn == 0 else min(below)


@pytest.mark.parametrize(("size", "openings"), [(2, "lWWl"), (3, "llWWWWWll")])
def test_opening_values(size: int, openings: str) -> None:
    start = games.hex(size=size).position()
    assert "".join("W" if value(start.play(move)) == 1 else "l" for move in start.codes) == openings


def test_bounds_and_candidates_keep_the_value() -> None:
    game = games.hex(size=3)
    assert game.bounds is not None
    assert game.candidates is not None
    start = game.position()
    seen, waiting, decided, forced = {start}, [start], 0, 0
    while waiting:
        here = waiting.pop()
        low, high = game.bounds(here.state)
        assert low <= value(here) <= high
        if low == high:
            decided += 1
        else:
            out = [0] * game.max_moves
            some = out[: game.candidates(here.state, out)]
            assert value(here) in {value(here.play(move)) for move in some}
            forced += len(some) == 1 < len(here.codes)
        new = {after for after in map(here.play, here.codes) if after.result is None} - seen
        seen |= new
        waiting.extend(new)
    assert decided > 1000
    assert forced > 100


@pytest.mark.parametrize("size", [10, 11])
def test_threats_in_either_word_are_seen(size: int) -> None:
    """Random games on two words: whenever a move wins at once, the bounds say so, and only then."""
    game = games.hex(size=size)
    assert game.bounds is not None
    wins = 0
    for position in random_game(game, 3)[60:-1]:
        ends = [move for move in position.codes if position.play(move).result is not None]
        own = 1 - 2 * position.turn
        assert (game.bounds(position.state) == (own, own)) == bool(ends)
        wins += bool(ends)
    assert wins


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
def test_keys_and_symmetry(size: int) -> None:
    game = games.hex(size=size)
    assert game.key is not None
    assert game.symmetry is not None
    assert game.exact_key == (size <= 5)
    last, keys, classes = size * size - 1, set(), set()
    path = random_game(game, 7)
    turned = game.position()
    for position in path:
        if position.last_move is not None:
            turned = turned.play(last - position.last_move)
        assert game.symmetry(position.state) == game.symmetry(turned.state)
        assert (game.key(position.state) == game.key(turned.state)) == (position == turned)
        keys |= {int(game.key(position.state)), int(game.key(turned.state))}
        classes.add(int(game.symmetry(position.state)))
    assert len(classes) == len(path)
    assert len(keys) >= 2 * len(path) - 2


def test_transpositions_are_one_position() -> None:
    game = games.hex(size=9)
    one, other = game.position("a1 e5 b2 f6 i9"), game.position("i9 f6 a1 e5 b2")
    assert one == other
    assert game.key is not None
    assert game.key(one.state) == game.key(other.state)


def test_the_centre_is_tried_first() -> None:
    game = games.hex(size=5)
    assert game.order is not None
    assert max(range(25), key=lambda move: game.order(game.start, move)) == 12  # type: ignore[misc]


def test_texts() -> None:
    game = games.hex(size=11)
    assert game.position("a1 k11, b10").history() == ["a1", "k11", "b10"]
    assert game.position("a11k1").history() == ["a11", "k1"]
    with pytest.raises(MoveError, match="'l1' is not a legal move"):
        game.position().play("l1")
    with pytest.raises(PositionError, match="'a1' is not a legal move"):
        game.position("a1 a1")
    with pytest.raises(PositionError, match="the game is over"):
        games.hex(size=2).position("a1 b1 a2 b2")


@pytest.mark.parametrize("size", [-1, 0, 1, 12])
def test_impossible_sizes(size: int) -> None:
    with pytest.raises(Unsuitable, match="size 2 to 11"):
        games.hex(size=size)


def test_drawing() -> None:
    position = games.hex(size=3).position("a1 b2 c1")
    assert str(position) == "1 X . X\n2  . O .\n3   . . .\n     a b c"
    pieces = [n for n in ElementTree.fromstring(position._repr_svg_()).iter() if n.get("data-piece")]
    assert [(n.get("data-spot"), n.get("data-piece")) for n in pieces] == [("a1", "X"), ("c1", "X"), ("b2", "O")]
