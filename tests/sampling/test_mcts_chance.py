"""Chance nodes and progressive widening: how often what is taken, and what comes out of it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from grown import grown, worth
from random_chance import random_chance, seeded
from zermelo import games, solve
from zermelo.rules import CHANCE, ONGOING, Game, Position, equal_weight, i32, rule, struct
from zermelo.sampling import tree_engine

SIDES, MOVES = 5, 12


def wheel(sides: int = SIDES, equal: bool = True) -> Game:
    """The wheel is spun once, and what it shows is what a long walk begins with."""
    State = struct(at=i32, steps=i32, turn=i32)

    @rule
    def moves(s, out):
        n = sides if s.turn == CHANCE else 2
        for i in range(n):
            out[i] = i
        return n

    @rule
    def play(s, move):
        s.at += move
        s.steps += 1
        s.turn = 0

    @rule
    def result(s):
        return s.at % 7 / 7 if s.steps == 30 else ONGOING / 1

    @rule
    def weight(s, outcome):
        return 1 + outcome

    return Game(
        name="wheel", State=State, start=State(turn=CHANCE), moves=moves, play=play, result=result, values=(0, 1),
        weight=equal_weight if equal else weight, max_moves=max(2, sides), max_plies=31,
    )  # fmt: skip


def told(position: Position, options: str = "plain", **settings: Any) -> list[dict[str, Any]]:
    moves: list[dict[str, Any]] = grown(position, options, **settings).details["moves"]
    return moves


@pytest.mark.parametrize("chance", ["even", "all"])
def test_even_rounds(chance: str) -> None:
    for playouts in (3, 10, 52):
        visits = [move["visits"] for move in told(wheel().position(), chance=chance, playouts=playouts)]
        assert sum(visits) == playouts
        assert max(visits) - min(visits) <= 1


def test_outcomes_come_by_their_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_engine, "STEADY", 1 << 30)  # every simulation throws anew
    visits = {int(move["move"]): move["visits"] for move in told(wheel(equal=False).position(), playouts=600)}
    shares = {outcome: 600 * (1 + outcome) / 15 for outcome in range(SIDES)}
    chi_square = sum((visits[outcome] - share) ** 2 / share for outcome, share in shares.items())
    assert chi_square < 13.28  # four degrees of freedom: passed by 99 of 100 seeds, and this one is fixed


@pytest.mark.parametrize("chance", ["sample", "even"])
def test_the_value_is_the_weighted_mean(chance: str) -> None:
    answer = grown(wheel(equal=False).position(), chance=chance, playouts=60)
    mean = sum((1 + int(move["move"])) / 15 * move["value"] for move in answer.details["moves"])
    assert answer.value == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("chance", ["sample", "even", "all"])
def test_estimates_come_close_to_the_truth(chance: str) -> None:
    """Without proofs. The error of a mean over 400 games is at most 1/40 of the range for each deviation of one
    standard error; the tree is still learning, so that ten of them are allowed."""
    game = random_chance(size=8)
    low, high = game.values
    for seed in (1, 2, 3):
        answer = grown(seeded(game, seed), chance=chance, solver=False, playouts=400)
        assert answer.value == pytest.approx(float(worth(seeded(game, seed))), abs=(high - low) / 4)
    if chance == "sample":
        answer = grown(seeded(game, 3), chance=chance, solver=False, playouts=2000)
        assert answer.value == pytest.approx(float(worth(seeded(game, 3))), abs=(high - low) / 20)


def test_pig() -> None:
    position = games.pig(goal=4).position()
    truth = solve(position, mode="interpreted", memory="1MB").value
    answer = grown(position, playouts=800, length=40)
    assert truth is not None
    assert answer.bounds[0] - 1e-9 <= truth <= answer.bounds[1] + 1e-9
    assert answer.value == pytest.approx(truth, abs=0.1)


@pytest.mark.parametrize(("c", "alpha"), [(1.0, 0.5), (2.0, 0.25), (0.3, 1.0), (1.5, 0.0)])
def test_widening(c: float, alpha: float) -> None:
    """What the last simulation saw is what visits before it allowed."""
    fan, spun = WALK, WHEEL
    for playouts in (1, 2, 9, 30):
        most = min(MOVES, playouts, math.ceil(c * max(playouts - 1, 1) ** alpha))
        moves = told(fan.position(), widen="moves", widen_c=c, widen_alpha=alpha, playouts=playouts)
        assert sum(move["visits"] > 0 for move in moves) == most
        outcomes = told(spun.position(), "widened", widen_c=c, widen_alpha=alpha, playouts=playouts, chance="even")
        assert sum(move["visits"] > 0 for move in outcomes) == most


def walk() -> Game:
    """Many first moves, and then a long walk."""
    State = struct(at=i32, plies=i32)

    @rule
    def moves(s, out):
        n = MOVES if s.plies == 0 else 2
        for i in range(n):
            out[i] = i
        return n

    @rule
    def play(s, move):
        s.at += move
        s.plies += 1

    @rule
    def result(s):
        return s.at % 7 / 7 if s.plies == 30 else ONGOING / 1

    return Game(
        name="walk", State=State, start=State(), moves=moves, play=play, result=result, values=(0, 1), max_moves=MOVES,
        max_plies=30,
    )  # fmt: skip


WALK, WHEEL = walk(), wheel(sides=MOVES)
