"""Every search of the Star family against expectiminimax by definition, on random games, in both modes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from marks import slow, some_slow
from random_chance import random_chance, seeded
from zermelo.chance.engine import ChanceEngine
from zermelo.chance.options import OUTCOME_SOURCES, ChanceOptions
from zermelo.compile.watch import Limits
from zermelo.core.ordering import SOURCES
from zermelo.methods.asking import solve
from zermelo.methods.registry import method_named
from zermelo.rules import Game, RuleError, UnknownName, Unsuitable, rule

GAME = random_chance()
DYADIC = random_chance(dyadic=True)
LOPSIDED = random_chance(lopsided=True)
SEEDS = st.integers(0, 2**40)
SMALL, TINY = "64KB", 64

PLAIN = ChanceOptions(table=False, order=(), merge=False, knowledge=False)
EVERYTHING = ChanceOptions(order=SOURCES[:4], outcome_order=OUTCOME_SOURCES, probes=(2, 0, 3, 1))
VARIANTS = {
    "star0": PLAIN,
    "star0 table": ChanceOptions(),
    "star0 general": replace(PLAIN, form="general"),
    "star1": PLAIN,
    "star1 table": ChanceOptions(),
    "star1 hard": replace(PLAIN, hard=True),
    "star1 general": replace(PLAIN, form="general"),
    "star2": replace(PLAIN, probes=(1,)),
    "star2 table": ChanceOptions(probes=(2,)),
    "star2 everything": EVERYTHING,
    "star2.5": replace(PLAIN, probes=(3,)),
    "star2.5 table": ChanceOptions(probes=(3,)),
    "star2.5 hard": replace(PLAIN, probes=(2,), hard=True),
    "star2.5 everything": EVERYTHING,
    "star-negascout": PLAIN,
    "star-negascout everything": EVERYTHING,
}
COMPILED = [
    "star2.5 everything",
    *slow("star-negascout everything", "star0", "star1", "star2", "star2 everything", "star1 table", "star2.5"),
]
MET_BELOW = ("star0 general", "star1 general", "star2.5", "star2.5 hard", "star-negascout")
"""Variants that other tests try, or that differ from others here in one option."""


@cache
def engine(variant: str, game: Game = GAME, mode: str = "interpreted", memory: str | int = SMALL) -> ChanceEngine:
    return ChanceEngine(game, method_named(variant.split()[0]), VARIANTS[variant], mode=mode, memory=memory)


@cache
def truth(game: Game, seed: int, depth: int | None) -> Fraction:
    return oracles.expected(seeded(game, seed), depth)


def found(one: ChanceEngine, seed: int, depth: int) -> float:
    """The first player's value by an engine with an open window."""
    position = seeded(one.game, seed)
    one.watched(Limits(), None)
    value = one.search(position, depth, *one.open_window(position))
    return float(-value if position.turn == 1 else value)


def agrees(variant: str, seed: int, depth: int, **how: Any) -> None:
    one = engine(variant, **how)
    assert found(one, seed, depth) == pytest.approx(float(truth(one.game, seed, depth)), abs=one.rounding)


@pytest.mark.parametrize("variant", some_slow(VARIANTS, MET_BELOW))
@settings(max_examples=30)
@given(seed=SEEDS, depth=st.integers(1, 13))
def test_interpreted(variant: str, seed: int, depth: int) -> None:
    for memory in (SMALL, TINY):
        agrees(variant, seed, depth, memory=memory)


@pytest.mark.parametrize("variant", COMPILED)
@settings(max_examples=60)
@given(seed=SEEDS, depth=st.integers(1, 13))
def test_compiled(variant: str, seed: int, depth: int) -> None:
    for memory in (SMALL, TINY):
        agrees(variant, seed, depth, mode="compiled", memory=memory)


@pytest.mark.parametrize("variant", ["star1", "star2 everything", "star2.5 everything", "star-negascout everything"])
@settings(max_examples=30)
@given(seed=SEEDS)
def test_bounds_that_do_not_hold_zero(variant: str, seed: int) -> None:
    agrees(variant, seed, 20, game=LOPSIDED)


@pytest.mark.parametrize("variant", ["star0", "star1", "star2", "star2.5", "star1 table"])
@settings(max_examples=40)
@given(seed=SEEDS)
def test_values_are_exact_where_binary_numbers_are(variant: str, seed: int) -> None:
    one = engine(variant, game=DYADIC)
    assert Fraction(found(one, seed, 20)) == truth(DYADIC, seed, None)


@pytest.mark.parametrize("variant", ["star1", "star1 hard", "star2.5", "star2.5 everything", "star-negascout"])
@settings(max_examples=40)
@given(seed=SEEDS, alpha=st.floats(-4, 3), width=st.floats(0.01, 4))
def test_a_window_gives_the_value_or_a_bound(variant: str, seed: int, alpha: float, width: float) -> None:
    one = engine(variant)
    position = seeded(GAME, seed)
    value = float(truth(GAME, seed, 20)) * (-1 if position.turn == 1 else 1)
    one.watched(Limits(), None)
    beta = alpha + width
    got = one.search(position, 20, alpha, beta)
    if got <= alpha:
        assert value <= got + one.rounding or (one.options.hard and value <= alpha + one.rounding)
    elif got >= beta:
        assert value >= got - one.rounding
    else:
        assert value == pytest.approx(got, abs=one.rounding)


@settings(max_examples=40)
@given(seed=SEEDS, depth=st.integers(1, 13))
def test_star2_without_probes_is_star1_node_for_node(seed: int, depth: int) -> None:
    counts = []
    for name in ("star1", "star2", "star2.5"):
        one = engine(name)
        one.set_probes((0,))
        value = found(one, seed, depth)
        counts.append((value, one.watch.nodes, one.workspaces[0]["leaves"]))
        one.set_probes(VARIANTS[name].probes)
    assert counts[0] == counts[1] == counts[2]


@settings(max_examples=60)
@given(seed=SEEDS, depth=st.integers(1, 13))
def test_one_probe_is_the_same_in_both_orders(seed: int, depth: int) -> None:
    counts = []
    for name in ("star2", "star2.5"):
        one = engine(name)
        one.set_probes((1,))
        value = found(one, seed, depth)
        counts.append((value, one.watch.nodes, one.workspaces[0]["leaves"]))
        one.set_probes(VARIANTS[name].probes)
    assert counts[0] == counts[1]


@pytest.mark.parametrize("variant", ["star1", *slow("star0", "star2", "star2.5")])
@settings(max_examples=30)
@given(seed=SEEDS, depth=st.integers(1, 13))
def test_the_modes_visit_the_same_nodes(variant: str, seed: int, depth: int) -> None:
    counts = []
    for mode in ("interpreted", "compiled"):
        one = engine(variant, mode=mode)
        value = found(one, seed, depth)
        counts.append((value, one.watch.nodes, one.workspaces[0]["leaves"]))
    assert counts[0] == counts[1]


@settings(max_examples=40)
@given(seed=SEEDS)
def test_the_three_number_forms_agree(seed: int) -> None:
    values = [found(one, seed, 20) for one in of_each_form()]
    assert values == pytest.approx([float(truth(of_each_form()[0].game, seed, None))] * 3, abs=1e-9)


@cache
def of_each_form() -> list[ChanceEngine]:
    game, star1 = random_chance(equal=True), method_named("star1")
    options = [replace(PLAIN, form=form) for form in ("equal", "integer", "general")]
    return [ChanceEngine(game, star1, each, mode="interpreted") for each in options]


@settings(max_examples=40)
@given(seed=SEEDS)
def test_solving_by_a_star_search_gives_all_best_moves(seed: int) -> None:
    position = seeded(GAME, seed)
    for method in ("star1", "star2.5"):
        answer = solve(position, method=method, mode="interpreted", memory=SMALL)
        assert answer.status == "proven"
        assert answer.value == pytest.approx(float(truth(GAME, seed, None)), abs=1e-8)
        assert answer.best == oracles.best_expected(position)


def test_bad_options() -> None:
    with pytest.raises(Unsuitable, match="probing factor must be 0"):
        ChanceOptions(probes=(2, -1))
    with pytest.raises(Unsuitable, match="at most"):
        ChanceOptions(probes=(1000,))
    with pytest.raises(UnknownName, match="did you mean general"):
        ChanceOptions(form="genral")
    with pytest.raises(UnknownName, match="did you mean informative"):
        ChanceOptions(outcome_order=("informativ",))
    with pytest.raises(UnknownName, match="did you mean safe"):
        ChanceOptions(attitude="saef")
    with pytest.raises(Unsuitable, match="tolerance"):
        ChanceOptions(tolerance=-0.1)
    with pytest.raises(Unsuitable, match="max_chance must be 0 or more"):
        ChanceOptions(max_chance=-1)


@pytest.mark.parametrize("mode", ["interpreted", *slow("compiled")])
def test_weights_that_are_not_positive_are_refused(mode: str) -> None:
    @rule
    def weight(s, outcome):
        return outcome

    game = replace(GAME, weight=weight)
    position = next(p for p in (seeded(game, seed) for seed in range(100)) if p.turn == 2)
    with pytest.raises(RuleError, match="weight gives 0 or less"):
        found(ChanceEngine(game, method_named("star1"), PLAIN, mode=mode), int(position.state.seed), 20)


def test_the_equal_form_is_refused_where_weights_differ() -> None:
    one = ChanceEngine(GAME, method_named("star1"), replace(PLAIN, form="equal"), mode="interpreted")
    uneven = next(seed for seed in range(100) if seeded(GAME, seed).turn == 2 and len(seeded(GAME, seed).codes) > 2)
    with pytest.raises(RuleError, match="use integer"):
        found(one, uneven, 20)


def test_methods_without_chance_say_so() -> None:
    with pytest.raises(Unsuitable, match="alphabeta cannot search.*star2.5"):
        solve(GAME, method="alphabeta")
