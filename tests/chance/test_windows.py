"""Star1's formulas: worked examples, closed against incremental forms, and the kernels against both."""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.chance.engine import ChanceEngine
from zermelo.chance.options import ChanceOptions
from zermelo.chance.windows import closed_window, next_window, probabilities, walk_through
from zermelo.compile.watch import Limits
from zermelo.methods.registry import method_named
from zermelo.rules import CHANCE, ONGOING, Game, Position, Unsuitable, i8, rule, struct

FRACTIONS = st.fractions(-5, 15, max_denominator=60)


def test_the_worked_example() -> None:
    walk = walk_through([4, 2, 9], alpha=3, beta=7, low=0, high=10)
    assert [(step.A, step.B) for step in walk.steps] == [(-11, 21), (-5, 17), (3, 15)]
    assert (walk.value, walk.cut) == (5, "")


@pytest.mark.parametrize(
    ("window", "values", "value", "cut", "looked_at"),
    [
        ((3, 7), [4, 2, 3], F(3), "II", 3),
        ((5, 7), [2, 1, 10], F(13, 3), "II", 2),
        ((2, 4), [9, 8, 0], F(17, 3), "I", 2),
    ],
)
def test_both_cut_offs(window: tuple[int, int], values: list[int], value: F, cut: str, looked_at: int) -> None:
    walk = walk_through(values, alpha=window[0], beta=window[1], low=0, high=10)
    assert (walk.value, walk.cut, len(walk.steps)) == (value, cut, looked_at)


@settings(max_examples=200)
@given(data=st.data(), n=st.integers(2, 6), alpha=FRACTIONS, width=st.fractions("1/50", 8))
def test_closed_and_incremental_forms_agree(data: Any, n: int, alpha: F, width: F) -> None:
    values = data.draw(st.lists(st.fractions(-3, 12, max_denominator=30), min_size=n, max_size=n))
    pr = probabilities(data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n)))
    low, high, beta = F(-3), F(12), alpha + width
    window = closed_window(0, values, pr, alpha, beta, low, high)
    for i in range(n - 1):
        window = next_window(window, i, values[i], pr, low, high)
        assert window == closed_window(i + 1, values, pr, alpha, beta, low, high)


@settings(max_examples=200)
@given(data=st.data(), n=st.integers(1, 6), alpha=FRACTIONS, width=st.fractions("1/50", 8))
def test_a_cut_off_is_right(data: Any, n: int, alpha: F, width: F) -> None:
    """What Star1 returns is the mean, or a bound of it on its side of the window."""
    values = data.draw(st.lists(st.integers(0, 10), min_size=n, max_size=n))
    weights = data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n))
    beta = alpha + width
    walk = walk_through(values, alpha=alpha, beta=beta, low=0, high=10, weights=weights)
    mean = F(sum(w * v for w, v in zip(weights, values)), sum(weights))
    match walk.cut:
        case "I":
            assert mean >= walk.value >= beta
        case "II":
            assert mean <= walk.value <= alpha
        case _:
            assert mean == walk.value
            assert len(walk.steps) == n
    for step in walk.steps:
        assert step.least <= mean <= step.most


@cache
def one_throw() -> Game:
    """The dice are thrown once. What may come and what it is worth is part of the state: one engine serves all."""
    State = struct(worth=(i8, 5), weights=(i8, 5), outcomes=i8, thrown=i8)

    @rule
    def moves(s, out):
        for i in range(s.outcomes):
            out[i] = i
        return s.outcomes

    @rule
    def play(s, move):
        s.thrown = move + 1

    @rule
    def result(s):
        return ONGOING if s.thrown == 0 else s.worth[s.thrown - 1]

    @rule
    def turn(s):
        return CHANCE if s.thrown == 0 else 0

    @rule
    def weight(s, outcome):
        return s.weights[outcome]

    return Game(
        name="one-throw", State=State, start=State(outcomes=1, weights=[1] * 5), moves=moves, play=play, result=result,
        turn=turn, weight=weight, values=(0, 10), max_moves=5, max_plies=1,
    )  # fmt: skip


def throw(game: Game, values: list[int], weights: list[int]) -> Position:
    assert game.State is not None
    rest = [0] * (5 - len(values))
    return Position(game, game.State(worth=values + rest, weights=weights + rest, outcomes=len(values)))


@cache
def star1(form: str, hard: bool) -> ChanceEngine:
    options = ChanceOptions(table=False, order=(), knowledge=False, form=form, hard=hard)
    return ChanceEngine(one_throw(), method_named("star1"), options, mode="interpreted")


@settings(max_examples=60)
@given(data=st.data(), n=st.integers(1, 5), alpha=st.integers(0, 9), hard=st.booleans())
@pytest.mark.parametrize("form", ["integer", "general"])
def test_the_kernel_does_the_same(form: str, data: Any, n: int, alpha: int, hard: bool) -> None:
    """A chance node with ends below: the same outcomes are looked at, the same bound comes back."""
    values = data.draw(st.lists(st.integers(0, 10), min_size=n, max_size=n))
    weights = data.draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    walk = walk_through(values, alpha=F(alpha), beta=F(alpha + 1), low=0, high=10, weights=weights)
    engine = star1(form, hard)
    watch = engine.watched(Limits(), None)
    found = engine.search(throw(engine.game, values, weights), 1, alpha, alpha + 1)
    expected = min(max(walk.value, alpha), alpha + 1) if hard else walk.value
    assert found == pytest.approx(float(expected), abs=1e-9)
    assert watch.nodes == 1 + len(walk.steps)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"weights": [1, 0, 2]}, "above 0"),
        ({"weights": [0.5, 0.2, 0.2]}, "add up to 1"),
        ({"weights": [1, 1]}, "3 values and 2 weights"),
        ({"alpha": 7}, "alpha must be below beta"),
        ({"high": 8}, "outside the bounds"),
        ({"high": 0}, "below the highest"),
    ],
)
def test_bad_input(change: dict[str, Any], words: str) -> None:
    with pytest.raises(Unsuitable, match=words):
        walk_through(**{"values": [4, 2, 9], "alpha": 3, "beta": 7, "low": 0, "high": 10, **change})
