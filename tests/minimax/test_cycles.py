"""Games with cycles: every method against the enumeration of all paths, with tables large enough and far too small."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from marks import slow
from random_games import random_game, seeded
from zermelo.core.engine import Engine
from zermelo.core.method import PLAIN, Options
from zermelo.core.solving import solve_with
from zermelo.methods.registry import method_named
from zermelo.rules import ONGOING, Game, Position, rule

SEEDS = st.integers(0, 2**40)
RULES = ("draw", "first", "second", "wins", "loses")
OPTIONS = {
    "plain": (PLAIN, 64),
    "table": (Options(), "64KB"),
    "etc": (Options(etc=True), "64KB"),
    "iid": (Options(iid=True), 640),
    "colliding": (Options(etc=True), 320),
}


@rule
def by_what_was_passed(path, earliest, latest, end):
    """A loop is worth what the positions on it add up to."""
    total = 0
    for ply in range(latest, end):
        total += path[ply].node
    return total % 3 - 1


@rule
def third_time(path, earliest, latest, end):
    """A loop counts when its position comes for the third time; the closer's opponent is the better for it."""
    times = 0
    for ply in range(end):
        if path[ply].node == path[end].node:
            times += 1
    return ONGOING if times < 2 else end % 3 - 1


@cache
def game_with(repetition: Any, size: int = 8, moves: int = 2, folds: int = 2) -> Game:
    return random_game(size=size, moves=moves, repetition=repetition, folds=folds)


@cache
def engine(method: str, kind: str, game: Game, mode: str = "interpreted") -> Engine:
    options, memory = OPTIONS[kind]
    return Engine(game, method_named(method), options, mode=mode, memory=memory)


def agrees(one: Engine, position: Position) -> None:
    answer = solve_with(one, position)
    assert (answer.status, answer.value) == ("proven", oracles.value(position))
    if not one.method.answers_claims:
        assert answer.best == oracles.best_moves(position)
        for move in answer.line:
            position = position.play(move)
        assert position.result == answer.value


@pytest.mark.parametrize("repetition", RULES)
@pytest.mark.parametrize("kind", ["iid", "colliding", *slow("table", "etc")])
@pytest.mark.parametrize("method", ["alphabeta", "negascout"])
@settings(max_examples=15)
@given(seed=SEEDS)
def test_tables_never_answer_for_another_path(method: str, kind: str, repetition: str, seed: int) -> None:
    game = game_with(repetition)
    agrees(engine(method, kind, game), seeded(game, seed))


@pytest.mark.parametrize("repetition", RULES)
@pytest.mark.parametrize(
    ("method", "kind"),
    [("minimax", "plain"), ("negamax", "table"), ("mtdf", "colliding"), ("boolean", "colliding"),
     *slow(("mtdf", "table"), ("boolean", "table"), ("alphabeta", "plain"))],
)  # fmt: skip
@settings(max_examples=15)
@given(seed=SEEDS)
def test_every_method(method: str, kind: str, repetition: str, seed: int) -> None:
    game = game_with(repetition, size=7, moves=2)
    agrees(engine(method, kind, game), seeded(game, seed))


@pytest.mark.parametrize("repetition", RULES)
@pytest.mark.parametrize("method", ["alphabeta", "mtdf", "boolean"])
@settings(max_examples=15)
@given(seed=SEEDS, target=st.integers(-3, 3))
def test_claims(method: str, repetition: str, seed: int, target: int) -> None:
    game = game_with(repetition)
    position = seeded(game, seed)
    low, high = solve_with(engine(method, "colliding", game), position, at_least=target).bounds
    value = oracles.value(position)
    assert low <= value <= high
    assert (low >= target) == (value >= target)


@settings(max_examples=30)
@given(seed=SEEDS)
def test_compiled(seed: int) -> None:
    game = game_with("loses")
    agrees(engine("alphabeta", "colliding", game, mode="compiled"), seeded(game, seed))


@pytest.mark.parametrize(
    ("repetition", "folds", "size"), [(by_what_was_passed, 2, 7), (third_time, 3, 4), ("draw", 3, 4), ("wins", 3, 4)]
)
@pytest.mark.parametrize("kind", ["table", "colliding"])
@settings(max_examples=25)
@given(seed=SEEDS)
def test_rules_that_see_the_cycle_and_loops_that_count_later(
    kind: str, repetition: Any, folds: int, size: int, seed: int
) -> None:
    game = game_with(repetition, size=size, moves=2, folds=folds)
    agrees(engine("alphabeta", kind, game), seeded(game, seed))


def test_a_rule_that_sees_the_cycle_is_compiled() -> None:
    game = game_with(by_what_was_passed, size=7, moves=2)
    for seed in range(30):
        agrees(engine("alphabeta", "table", game, mode="compiled"), seeded(game, seed))


@pytest.mark.parametrize("repetition", RULES)
@settings(max_examples=30)
@given(seed=SEEDS, choices=st.lists(st.integers(0, 2), max_size=4))
def test_what_was_played_before_counts(repetition: str, seed: int, choices: list[int]) -> None:
    """One engine, and so one table, answers for the same positions after different histories."""
    game = game_with(repetition, size=6)
    position = seeded(game, seed)
    for choice in choices:
        agrees(engine("alphabeta", "table", game), position)
        codes = position.codes
        after = position.play(codes[choice % len(codes)])
        if after.result is not None:
            return
        position = after
    agrees(engine("alphabeta", "table", game), position)
