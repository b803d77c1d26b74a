"""Rules with one wrong hook each: the check finds every one, whatever the seed, and says nothing of right ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import oracles
from marks import slow
from zermelo import games
from zermelo.checking.conformance import check
from zermelo.checking.endings import Part
from zermelo.checking.promises import lie_at
from zermelo.games.graph import graph_game
from zermelo.rules import ONGOING, Game, Position, from_object, i8, rule, struct, u64

SEEDS = [0, *slow(1, 2)]


def problems(game: Game, seed: int = 0, **more: Any) -> str:
    return "\n".join(check(game, seed=seed, modes=("interpreted",), **more).problems)


def heaps(start: tuple[int, int] = (5, 7)) -> Game:
    """Two heaps of stones: a move takes one to three stones from one of them; who takes the last stone wins."""
    State = struct(heap=(i8, 2), turn=i8)

    @rule
    def moves(s, out):
        n = 0
        for i in range(2):
            for taken in range(1, min(3, s.heap[i]) + 1):
                out[n] = 4 * i + taken
                n += 1
        return n

    @rule
    def play(s, move):
        s.heap[move // 4] -= move % 4
        s.turn = 1 - s.turn

    @rule
    def result(s):
        return ONGOING if s.heap[0] + s.heap[1] > 0 else 2 * s.turn - 1

    return Game(
        name="heaps", State=State, start=State(heap=start), moves=moves, play=play, result=result, max_moves=6,
        max_plies=sum(start),
    )  # fmt: skip


def lost(s: Any) -> bool:
    """Whether the player to move loses: both heaps leave the same when divided by four."""
    return bool(s.heap[0] % 4 == s.heap[1] % 4)


def for_first(s: Any, value: int) -> int:
    return -value if s.turn == 1 else value


@rule
def right_bounds(s):
    value = for_first(s, -1 if lost(s) else 1)
    return value, value


@rule
def right_candidates(s, out):
    small, large = (0, 1) if s.heap[0] % 4 < s.heap[1] % 4 else (1, 0)
    if lost(s):
        return HEAPS.moves(s, out)
    out[0] = 4 * large + s.heap[large] % 4 - s.heap[small] % 4
    return 1


@rule
def right_symmetry(s):
    return u64(s.turn + 2 * min(s.heap) + 200 * max(s.heap))


@rule
def takes_all(s):
    return min(s.heap) == 0 and max(s.heap) <= 3


HEAPS = heaps()


@pytest.mark.parametrize("seed", SEEDS)
def test_right_hooks_are_believed(seed: int) -> None:
    honest = replace(
        HEAPS, bounds=right_bounds, symmetry=right_symmetry, evaluate=lambda s: for_first(s, 0), effort=lambda s: 1,
        truth=lambda s: for_first(s, -1 if lost(s) else 1), key=lambda s: s.turn + 2 * s.heap[0] + 40 * s.heap[1],
        exact_key=True, loud=all_loud, checked=lambda s: s.heap[0] == 1, skip=pass_turn, exchange=lambda s, move: 0,
        wins=takes_all,
    )  # fmt: skip
    assert problems(honest, seed) == ""
    assert problems(replace(HEAPS, candidates=right_candidates), seed) == ""
    assert lie_at(honest.position()) is None


def few(s: Any, out: Any) -> Any:
    return max(1, HEAPS.moves(s, out) - 1)


def illegal(s: Any, out: Any) -> Any:
    out[0] = 7
    return 1


def twice(s: Any, out: Any) -> Any:
    HEAPS.moves(s, out)
    out[1] = out[0]
    return 2


def all_loud(s: Any, out: Any) -> Any:
    return HEAPS.moves(s, out)


def pass_turn(s: Any) -> bool:
    s.turn = 1 - s.turn
    return True


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "bounds too low": ({"bounds": lambda s: (-1, 0)}, "bounds contradict the rules: they are (-1, 0) in '"),
    "bounds too high": ({"bounds": lambda s: (0, 1)}, "bounds contradict the rules: they are (0, 1) in '"),
    "bounds for the mover": (
        {"bounds": lambda s: (-1, -1) if lost(s) else (1, 1)}, "', which is worth ",
    ),
    "bounds wrong in one place": (
        {"bounds": lambda s: (1, 1) if list(s.heap) == [2, 2] else (-1, 1)},
        "bounds contradict the rules: they are (1, 1)",
    ),
    "candidates without the last": ({"candidates": few}, "candidates leave out all best moves: the best of "),
    "candidates that give up": (
        {"candidates": lambda s, out: right_candidates(s, out) if s.heap[0] else few(s, out)}, "candidates leave out",
    ),
    "symmetry without the turn": (
        {"symmetry": lambda s: u64(s.heap[0] + 40 * s.heap[1])}, "positions of equal symmetry ",
    ),
    "symmetry that adds heaps up": (
        {"symmetry": lambda s: u64(s.turn + 2 * (s.heap[0] + s.heap[1]))}, "positions of equal symmetry ",
    ),
    "symmetry of parities": (
        {"symmetry": lambda s: u64(s.turn + 2 * (s.heap[0] % 8) + 32 * (s.heap[1] % 2))},
        "positions of equal symmetry ",
    ),
    "key without a heap": (
        {"key": lambda s: u64(s.turn + 2 * s.heap[0])}, "positions of equal key are not worth the same: '",
    ),
    "key that is not exact": (
        {"key": lambda s: u64(s.turn + 2 * min(s.heap) + 40 * max(s.heap)), "exact_key": True},
        "two positions share a key that is declared exact: State(",
    ),
    "truth of the mover": ({"truth": lambda s: -1 if lost(s) else 1}, "truth contradicts the rules: it is "),
    "an estimate that is certain": (
        {"evaluate": lambda s: 1 if s.heap[0] == 1 == s.heap[1] else 0}, "evaluate must lie strictly inside values: 1",
    ),
    "an estimate that is too high": (
        {"evaluate": lambda s: 2 if s.heap[0] == 1 == s.heap[1] else 0, "strict_estimates": False},
        "evaluate must lie inside values: 2 for values (-1, 1) in '",
    ),
    "loud moves that are not legal": (
        {"loud": illegal}, "loud must write some of the legal moves, each once: [7] of [",
    ),
    "a loud move twice": ({"loud": twice}, "loud must write some of the legal moves, each once: ["),
    "half in check": ({"checked": lambda s: s.heap[0]}, "checked must be True or False: "),
    "wins that are none": ({"wins": lambda s: max(s.heap) <= 3}, "wins must say whether one move wins: True where it"),
    "wins that are not seen": ({"wins": lambda s: False}, "wins must say whether one move wins: False where it is Tr"),
    "a pass that keeps the turn": ({"skip": lambda s: True}, "skip must leave the other player to move: State("),
    "no effort": ({"effort": lambda s: s.heap[0]}, "effort must be a whole number from 1 on: 0"),
}  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", WRONG)
def test_one_wrong_hook(name: str, seed: int) -> None:
    hooks, complaint = WRONG[name]
    assert complaint in problems(replace(HEAPS, **hooks), seed)


@pytest.mark.parametrize("name", WRONG)
def test_the_hook_that_lied_is_named_below_a_position(name: str) -> None:
    hooks, complaint = WRONG[name]
    sentence = lie_at(Position(replace(HEAPS, **hooks)))
    assert sentence is not None
    assert complaint in sentence
    assert "\n" not in sentence


CONNECT_FOUR, KALAH = games.connect_four(), games.kalah()
DOBUTSU, EINSTEIN, PIG = games.dobutsu(), games.einstein(size=3, stones=3), games.pig(goal=20)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", [EINSTEIN, *slow(DOBUTSU, CONNECT_FOUR, KALAH, PIG)], ids=lambda game: game.name)
def test_false_bounds_of_games_too_large_to_solve(game: Game, seed: int) -> None:
    low, high = game.values
    for claimed in ((low, 0), (0, high)):
        wrong = replace(game, bounds=lambda s, claimed=claimed: claimed, candidates=None)
        assert f"bounds contradict the rules: they are {claimed} in '" in problems(wrong, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_rest_that_forgets_too_much(seed: int) -> None:
    assert KALAH.rest is not None

    forgetful = replace(KALAH, rest=lambda s: (u64(s.board[1] + 50 * s.turn), KALAH.rest(s)[1]))
    assert "positions of equal rest are not worth the same from there on: '" in problems(forgetful, seed)


def test_a_loop_key_that_forgets_the_turn() -> None:
    assert "positions of equal loop_key differ in turn" in problems(replace(DOBUTSU, loop_key=lambda s: u64(0)))


# The slow side itself


def loopy(seed: int, repetition: str, nodes: int = 9) -> Game:
    """A random graph with cycles."""
    import random

    chance = random.Random(seed)
    made: dict[str, Any] = {}
    for n in range(nodes):
        if n > nodes - 4:
            made[f"n{n}"] = {"value": chance.choice([-1, 0, 1])}
        else:
            below = chance.sample([m for m in range(nodes) if m != n], chance.randint(1, 3))
            made[f"n{n}"] = {"turn": chance.choice(["max", "min"]), "moves": [f"n{m}" for m in below]}
    return graph_game({"root": "n0", "repetition": repetition, "values": [-1, 1], "nodes": made})


@pytest.mark.parametrize("repetition", ["draw", "first", "second", "wins", "loses"])
def test_intervals_hold_the_value_whatever_a_loop_is_worth(repetition: str) -> None:
    exact = 0
    for seed in range(60):
        game = loopy(seed, repetition)
        for room in (1000, 8):
            part = Part(game)
            whole, used = part.grow(game.position(), room)
            part.settle()
            assert used <= room
            for spot in part.spots:
                value = oracles.value(Position(game, spot.position.state))
                assert spot.least <= value <= spot.most
                exact += spot.least == spot.most
                if whole and game.loop_value is not None:
                    assert spot.least == spot.most
    assert exact > 300


@pytest.mark.parametrize("deep", [True, False])
def test_values_are_those_of_the_definition(deep: bool) -> None:
    for game in (heaps((3, 2)), games.tic_tac_toe(rows=2, cols=3, run=2), games.einstein(size=3, stones=1)):
        part = Part(game)
        assert part.grow(game.position(), 10000, deep)[0]
        part.settle()
        for spot in part.spots:
            assert spot.least == pytest.approx(spot.most) == pytest.approx(oracles.value(spot.position))


def test_a_key_that_forgets_the_turn() -> None:
    """It is worth the same to whoever moves, but searches for claims look at it from one side."""

    @rule
    def key(s):
        return s.heap[0] * 100 + s.heap[1]

    assert "positions of equal key differ in turn" in problems(replace(heaps(), key=key))


@pytest.mark.parametrize("seed", range(4))
def test_the_longest_game_is_looked_for(seed: int) -> None:
    assert "a game is longer than declared: max_plies = 11" in problems(replace(heaps(), max_plies=11), seed)


def test_objects_are_explored_too() -> None:
    class Heap:
        def __init__(self, left: int, player: int = 0) -> None:
            self.left, self.player = left, player

        def turn(self) -> int:
            return self.player

        def moves(self) -> list[int]:
            return list(range(1, min(3, self.left) + 1))

        def play(self, move: int) -> Heap:
            return Heap(self.left - move, 1 - self.player)

        def result(self) -> int | None:
            return None if self.left else 2 * self.player - 1

        def key(self) -> Any:
            return self.left, self.player

    game = from_object(Heap(9), name="heap", max_plies=9)
    assert problems(game) == ""
    Heap.key = lambda self: self.left // 2  # type: ignore[method-assign]
    assert "positions of equal key are not worth the same" in problems(game)
    assert lie_at(game.position()) is not None
