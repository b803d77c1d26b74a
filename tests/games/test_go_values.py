"""What small boards of Go are worth, and whether the bounds that see it early hold."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from zermelo.games.go import go
from zermelo.methods.asking import solve
from zermelo.rules import Game, Position, wrapping

VALUES = {  # Black's margin by area, endless play a draw; by retrograde analysis, 3×3 published, 3×4 by van der Werf
    (1, 1): 0, (1, 2): 0, (1, 3): 3, (1, 4): 4, (2, 2): 0, (3, 3): 9,
    (1, 5): 0, (1, 6): 0, (1, 7): 0, (1, 8): 0, (1, 9): 0, (2, 3): 0, (3, 4): 4,
}  # fmt: skip


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (1, 3), (1, 4), (2, 2)])
def test_tiny_boards(size: tuple[int, int]) -> None:
    answer = solve(go(*size), mode="interpreted")
    assert (answer.value, answer.status) == (VALUES[size], "proven")


@pytest.mark.slow
@pytest.mark.parametrize("size", [size for size in VALUES if size[0] * size[1] > 4])
def test_small_boards(size: tuple[int, int]) -> None:
    answer = solve(go(*size))
    assert (answer.value, answer.status) == (VALUES[size], "proven")


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("ko", ["positional", "situational"])
def test_two_by_two_under_superko(ko: str, suicide: bool) -> None:
    answer = solve(go(2, 2, ko=ko, suicide=suicide), method="dfpn", mode="interpreted")
    assert (answer.value, answer.status) == (1, "proven")


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1, 3), (1, 4), (1, 5), (2, 3), (3, 3)])
def test_small_boards_under_superko(size: tuple[int, int]) -> None:
    answer = solve(go(*size, ko="positional"), method="alphabeta")
    assert (answer.value, answer.status) == (VALUES[size], "proven")


@pytest.mark.parametrize("length", [3, 4])
def test_suicide_and_draws_by_repetition_spoil_the_win_on_a_line(length: int) -> None:
    assert solve(go(1, length, suicide=True), mode="interpreted").value == 0


def test_superko_forbids_more_and_more() -> None:
    """Along a game under positional superko, what the rules forbid only ever adds up; sometimes they differ."""
    dice, differing = random.Random(4), {"situational": 0, "positional": 0}
    for _ in range(20):
        positions = {ko: go(2, 2, ko=ko).position() for ko in ("simple", "situational", "positional")}
        while positions["positional"].result is None:
            moves = {ko: set(position.moves()) for ko, position in positions.items()}
            if positions["simple"].result is None:
                assert moves["situational"] <= moves["simple"]
                differing["situational"] += moves["situational"] < moves["simple"]
            assert moves["positional"] <= moves["situational"]
            differing["positional"] += moves["positional"] < moves["situational"]
            move = dice.choice(sorted(moves["positional"]))
            positions = {ko: p.play(move) if p.result is None else p for ko, p in positions.items()}
    assert min(differing.values()) > 0


# Bounds


@cache
def without_bounds(rows: int, cols: int, ko: str) -> Game:
    return replace(go(rows, cols, ko=ko), bounds=None)


def bounds_hold(rows: int, cols: int, ko: str, plies: range, games: int, **how: Any) -> int:
    """Play at random, and compare what bounds say with the value of the position as a new game; how often they said
    something."""
    dice, told = random.Random(games), 0
    game = go(rows, cols, ko=ko)
    assert game.bounds is not None
    for _ in range(games):
        position = game.position()
        for _ in range(dice.choice(plies)):
            if position.result is None:
                position = position.play(dice.choice(position.codes[:-1] or position.codes))
        if position.result is None:
            low, high = wrapping(game.bounds)(position.state)
            if (low, high) != game.values:
                told += 1
                plain = Position(without_bounds(rows, cols, ko), position.state)
                answer = solve(plain, **how)
                assert answer.status == "proven"
                assert low <= answer.value <= high, position.text()
    return told


def test_bounds() -> None:
    assert bounds_hold(1, 6, "simple", range(3, 8), 60, mode="interpreted") > 5


@pytest.mark.slow
@pytest.mark.parametrize(("size", "ko", "plies"), [((3, 3), "simple", range(5, 14)), ((2, 4), "simple", range(4, 12)),
                                                   ((1, 6), "positional", range(3, 9))])  # fmt: skip
def test_bounds_on_more_boards(size: tuple[int, int], ko: str, plies: range) -> None:
    assert bounds_hold(*size, ko, plies, 400, method="dfpn" if ko == "positional" else None) > 20
