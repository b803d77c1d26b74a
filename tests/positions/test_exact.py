"""Exact values: known games, random ones against the definition, cycles with and without dice."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from random_chance import random_chance, seeded
from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.games.graph import graph_game
from zermelo.methods.asking import solve
from zermelo.rules import Unsuitable

GAME = random_chance()


@settings(max_examples=40)
@given(seed=st.integers(0, 2**40))
def test_random_games_have_their_exact_value(seed: int) -> None:
    position = seeded(GAME, seed)
    answer = solve(position, mode="interpreted")
    assert (answer.method, answer.status) == ("expectation", "proven")
    assert F(answer.details["fraction"]) == oracles.expected(position)
    assert answer.best == oracles.best_expected(position)


def test_both_modes_explore_the_same() -> None:
    for seed in range(20):
        one, two = (solve(seeded(GAME, seed), mode=mode) for mode in ("interpreted", "compiled"))
        assert one.details == two.details


@pytest.mark.parametrize(("setup", "wins"), [("123", F(170, 243)), ("213", F(143, 243))])
def test_einstein(setup: str, wins: F) -> None:
    answer = solve(games.einstein(size=3, stones=3, setup=setup, setup2=setup))
    assert F(answer.details["winning_chance"]) == wins
    assert F(answer.details["fraction"]) == 2 * wins - 1


@pytest.mark.parametrize(
    ("rows", "cols", "pieces", "flips"),
    [
        (1, 4, "KPkp", {"a1": F(-1, 2), "b1": F(-1, 2)}),
        (2, 2, "KPkp", {"a1": F(-1)}),
        (2, 2, "KCkc", {"a1": F(-1, 3)}),
    ],
)
def test_dark_chess_with_and_without_its_clock(rows: int, cols: int, pieces: str, flips: dict[str, F]) -> None:
    for more in ({}, {"quiet_plies": 0, "repetitions": 0}, {"quiet_plies": 0, "repetitions": 3}):
        answer = solve(games.dark_chess(rows=rows, cols=cols, pieces=pieces, **more), mode="interpreted")
        assert answer.status == "proven"
        for flip, value in flips.items():
            assert F(answer.details["moves"][flip]) == value


def test_a_clock_that_is_too_short_makes_the_answer_heuristic() -> None:
    answer = solve(games.dark_chess(rows=1, cols=4, pieces="KPkp", quiet_plies=1), mode="interpreted")
    assert answer.status == "heuristic"


def test_pig_is_solved_between_bounds() -> None:
    answer = solve(games.pig(goal=20))
    assert answer.status == "proven"
    assert 0 < answer.bounds[1] - answer.bounds[0] < 2e-9
    assert answer.details["winning_chance"] == pytest.approx(0.6155585498, abs=1e-9)
    assert answer.details["fraction"] is None


def test_players_leave_a_loop_when_it_pays() -> None:
    """MAX may leave for a gamble or go round; MIN may leave for -1 or go round: nobody is forced to anything."""
    nodes = {
        "A": {"turn": "max", "moves": ["B", "G"]},
        "B": {"turn": "min", "moves": ["A", "L"]},
        "G": {"turn": "chance", "moves": {"W": 1, "L": 2}},
        "L": {"value": -1},
        "W": {"value": 1},
    }
    answer = solve(graph_game({"root": "A", "repetition": "draw", "nodes": nodes}))
    assert F(answer.details["fraction"]) == F(-1, 3)
    nodes["B"]["moves"] = ["A", "W"]
    answer = solve(graph_game({"root": "A", "repetition": "draw", "nodes": nodes}))
    assert F(answer.details["fraction"]) == 0


def test_a_loop_rule_with_dice_on_the_loop_is_refused() -> None:
    toss = {"turn": "chance", "moves": {"A": 1, "W": 1}}
    nodes = {"A": {"turn": "max", "moves": ["R"]}, "R": toss, "W": {"value": 1}}
    with pytest.raises(Unsuitable, match="dice can bring one back"):
        solve(graph_game({"root": "A", "repetition": "draw", "nodes": nodes}))


def test_limits_and_claims() -> None:
    assert solve(GAME, limits=Limits(nodes=2), mode="interpreted").status == "unknown"
    assert solve(GAME, method="expectation", at_least=0, mode="interpreted").status == "proven"  # a value decides it
    with pytest.raises(Unsuitable, match="limited depth"):
        solve(GAME, limits=Limits(depth=3))
