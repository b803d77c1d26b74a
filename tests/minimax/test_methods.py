"""Every method against minimax by definition, on random games, in both modes, with large, tiny and no tables."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from marks import slow
from random_games import random_game, seeded
from zermelo.compile.watch import Limits
from zermelo.core.engine import Engine
from zermelo.core.method import PLAIN, Options
from zermelo.core.ordering import SOURCES
from zermelo.core.solving import solve_with
from zermelo.methods.registry import method_named, methods
from zermelo.rules import Game, Position

WHOLE = random_game()
FRACTIONS = random_game(fractional=True)
SEEDS = st.integers(0, 2**40)
TINY, SMALL = 64, "64KB"

EVERYTHING = Options(order=SOURCES, etc=True, iid=True)
VARIANTS = {
    "minimax": PLAIN,
    "negamax": replace(PLAIN, table=True),
    "alphabeta": Options(),
    "alphabeta plain": PLAIN,
    "alphabeta hard": replace(PLAIN, hard=True),
    "alphabeta everything": EVERYTHING,
    "negascout": Options(),
    "negascout everything": EVERYTHING,
    "mtdf": Options(),
    "boolean": Options(),
    "boolean plain": PLAIN,
}
COMPILED = [
    "negamax", "alphabeta", "negascout everything", "mtdf", "boolean",
    *slow("minimax", "alphabeta plain", "alphabeta everything"),
]  # fmt: skip


@cache
def engine(
    variant: str, game: Game = WHOLE, mode: str = "interpreted", memory: str | int = SMALL, estimates: bool = False
) -> Engine:
    method = method_named(variant.split()[0])
    return Engine(game, method, VARIANTS[variant], mode=mode, memory=memory, estimates=estimates)


def agrees(variant: str, seed: int, **how: Any) -> None:
    """A solved random game has the oracle's value, all of its best moves, and a line that leads to the value."""
    one = engine(variant, **how)
    position = seeded(one.game, seed)
    answer = solve_with(one, position)
    assert answer.status == "proven"
    value, best = truth(one.game, seed)
    assert answer.value == value
    if one.method.answers_claims:
        assert set(answer.best) <= set(best)
        return
    assert answer.best == best
    for move in answer.line:
        position = position.play(move)
    assert position.result == answer.value


@cache
def truth(game: Game, seed: int) -> tuple[float, list[str]]:
    """The oracle's value and best moves."""
    position = seeded(game, seed)
    return oracles.value(position), oracles.best_moves(position)


def test_every_method_is_tried() -> None:
    kernels = {name: method.kernel for name, method in methods().items() if method.kernel is not None}
    family = {name for name, kernel in kernels.items() if kernel.__module__.startswith("zermelo.minimax.")}
    assert {variant.split()[0] for variant in VARIANTS} == family


@pytest.mark.parametrize("memory", [TINY, SMALL])
@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=25)
@given(seed=SEEDS)
def test_interpreted(variant: str, memory: str | int, seed: int) -> None:
    agrees(variant, seed, memory=memory)


@pytest.mark.parametrize("variant", COMPILED)
@settings(max_examples=30)
@given(seed=SEEDS)
def test_compiled(variant: str, seed: int) -> None:
    for memory in (TINY, SMALL):
        agrees(variant, seed, mode="compiled", memory=memory)


@pytest.mark.parametrize(
    ("variant", "mode"),
    [
        ("alphabeta everything", "interpreted"), ("mtdf", "interpreted"),
        *slow(("alphabeta everything", "compiled"), ("mtdf", "compiled")),
    ],
)  # fmt: skip
@settings(max_examples=40)
@given(seed=SEEDS)
def test_scores_that_are_not_whole(variant: str, mode: str, seed: int) -> None:
    for memory in (TINY, SMALL):
        agrees(variant, seed, game=FRACTIONS, mode=mode, memory=memory)


@pytest.mark.parametrize("variant", ["alphabeta", "alphabeta hard", "negascout", "mtdf"])
@settings(max_examples=30)
@given(seed=SEEDS, alpha=st.integers(-3, 2), width=st.integers(1, 4))
def test_a_window_gives_the_value_or_a_bound(variant: str, seed: int, alpha: int, width: int) -> None:
    one = engine(variant)
    position = seeded(WHOLE, seed)
    beta = min(alpha + width, 3)
    truth = oracles.value(position) * (1 if position.turn == 0 else -1)
    one.watched(Limits(), None)
    found = one.search(position, WHOLE.max_plies, alpha, beta)
    if found <= alpha:
        assert truth <= found or (variant == "alphabeta hard" and truth <= alpha)
    elif found >= beta:
        assert truth >= found
    else:
        assert truth == found


@pytest.mark.parametrize("variant", ["negamax", "mtdf", "boolean", *slow("minimax", "alphabeta plain")])
@settings(max_examples=25)
@given(seed=SEEDS)
def test_the_modes_visit_the_same_nodes(variant: str, seed: int) -> None:
    counts = []
    for mode in ("interpreted", "compiled"):
        one = engine(variant, mode=mode, memory=64)
        assert one.memory.buckets == 1
        one.memory.clear()
        for workspace in one.workspaces:  # as new: what killers and history learned, and the age
            for field in filter(workspace.__contains__, ("killers", "history")):
                rows = workspace.rows(field)
                rows.fill(0) if workspace.compiled else rows.clear()
            workspace.tell(age=0)
        answer = solve_with(one, seeded(WHOLE, seed))
        counts.append((answer.nodes, answer.leaves, answer.extra_nodes))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("variant", ["minimax", "alphabeta plain"])
@settings(max_examples=40)
@given(seed=SEEDS, depth=st.integers(1, 4))
def test_a_depth_limit_takes_estimates(variant: str, seed: int, depth: int) -> None:
    one = engine(variant, estimates=True)
    position = seeded(WHOLE, seed)
    answer = solve_with(one, position, limits=Limits(depth=depth))
    assert answer.value == pytest.approx(oracles.value(position, depth))
    if answer.status == "proven":
        assert answer.value == oracles.value(position)


@pytest.mark.parametrize("memory", [TINY, SMALL])
@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=15)
@given(seed=SEEDS, target=st.integers(-3, 3))
def test_every_search_answers_a_claim(variant: str, memory: str | int, seed: int, target: int) -> None:
    position = seeded(WHOLE, seed)
    decides(engine(variant, memory=memory), position, target)


def decides(one: Engine, position: Position, target: float) -> None:
    """The answer to one claim is as true as the oracle's value, and so are the moves that secure it."""
    answer = solve_with(one, position, at_least=target)
    low, high = answer.bounds
    value = oracles.value(position)
    assert low <= value <= high
    assert (low >= target) == (value >= target)
    assert (high < target) == (value < target)
    holding = [move for move in position.moves() if oracles.value(position.play(move)) >= target]
    if position.turn == 0 and low > WHOLE.values[0]:
        assert answer.best == holding
    if position.turn == 1 and high < WHOLE.values[1]:
        assert answer.best == [move for move in position.moves() if move not in holding]


@settings(max_examples=30)
@given(seed=SEEDS, target=st.floats(-0.75, 0.75))
def test_a_claim_about_scores_that_are_not_whole(seed: int, target: float) -> None:
    answer = solve_with(engine("negascout", game=FRACTIONS), seeded(FRACTIONS, seed), at_least=target)
    low, high = answer.bounds
    value = oracles.value(seeded(FRACTIONS, seed))
    assert low <= value <= high
    assert (low >= target) == (value >= target)


@pytest.mark.parametrize(
    ("variant", "mode"),
    [("boolean", "interpreted"), ("boolean", "compiled"), ("alphabeta", "interpreted"), ("mtdf", "interpreted")],
)
@settings(max_examples=30)
@given(seed=SEEDS, depth=st.integers(1, 6), target=st.integers(-3, 3))
def test_unknown_is_never_taken_for_a_loss(variant: str, mode: str, seed: int, depth: int, target: int) -> None:
    one = engine(variant, mode=mode, estimates=variant != "boolean")
    position = seeded(WHOLE, seed)
    truth = oracles.value(position)
    answer = solve_with(one, position, at_least=target, limits=Limits(depth=depth))
    low, high = answer.bounds
    assert low <= truth <= high
    assert (answer.status == "unknown") == ((low, high) == WHOLE.values)


@settings(max_examples=30)
@given(seed=SEEDS, nodes=st.integers(1, 30))
def test_a_node_limit_leaves_bounds_that_hold(seed: int, nodes: int) -> None:
    position = seeded(WHOLE, seed)
    for variant in ("boolean plain", "mtdf", "alphabeta plain"):
        answer = solve_with(engine(variant), position, limits=Limits(nodes=nodes))
        low, high = answer.bounds
        assert low <= oracles.value(position) <= high


@settings(max_examples=40)
@given(seed=SEEDS)
def test_two_threads_agree(seed: int) -> None:
    one = threaded()
    position = seeded(WHOLE, seed)
    answer = solve_with(one, position)
    assert answer.threads == 2
    assert answer.value == oracles.value(position)
    assert answer.best == oracles.best_moves(position)


@cache
def threaded() -> Engine:
    return Engine(WHOLE, method_named("alphabeta"), Options(), mode="compiled", memory=SMALL, threads=2)
