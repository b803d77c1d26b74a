"""Searches that call the search of a sub-game: the same values as without, and what they call proven is true."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from random_games import random_game, seeded
from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.core.engine import Engine
from zermelo.core.method import Options
from zermelo.core.question import Question
from zermelo.core.searching import search_with
from zermelo.core.solving import solve_with
from zermelo.methods.asking import search, solve
from zermelo.methods.registry import method_named
from zermelo.methods.requests import request
from zermelo.rules import Game, UnknownName, Unsuitable

SEEDS = st.integers(0, 2**40)
METHODS = ("alphabeta", "negascout", "mtdf")
RULES = ("none", "draw", "first", "second", "wins", "loses")
TINY, SMALL = 320, "64KB"
LIMITS = st.sampled_from([
    (1000, 1000, 1000, 1000, 0), (5, 3, 3, 2, 0), (0, 0, 0, 40, 0), (0, 0, 50, 0, 0), (100, 0, 0, 0, 0),
    (0, 1000, 0, 0, 0), (0, 0, 0, 1000, 4), (0, 100, 0, 0, 3), (5, 9, 5, 9, 2), (0, 40, 0, 40, 1),
])  # fmt: skip
"""Nodes at the root, at new positions, on the line and at leaves, and plies at leaves and new positions."""
Limited = tuple[int, int, int, int, int]
SUBGAMES = st.sampled_from(["force", "quick"])


@cache
def small(repetition: str) -> Game:
    return random_game(size=11 if repetition == "none" else 7, moves=3, spread=1, repetition=repetition)


@cache
def engine(
    method: str, special: str, repetition: str, estimates: bool, memory: str | int = SMALL, mode: str = "interpreted"
) -> Engine:
    options = Options(special=special)
    return Engine(small(repetition), method_named(method), options, estimates=estimates, mode=mode, memory=memory)


def with_limits(one: Engine, limits: Limited) -> Engine:
    root, inner, pv, leaf, plies = limits
    one.allow_special(Options(root=root, inner=inner, pv=pv, leaf=leaf, plies=plies))
    return one


@pytest.mark.parametrize("repetition", RULES)
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=8)
@given(seed=SEEDS, limits=LIMITS, memory=st.sampled_from([TINY, SMALL]), special=SUBGAMES)
def test_solving(method: str, repetition: str, seed: int, limits: Limited, memory: Any, special: str) -> None:
    position = seeded(small(repetition), seed)
    one = with_limits(engine(method, special, repetition, repetition != "none", memory), limits)
    answer = solve_with(one, position)
    assert (answer.status, answer.value) == ("proven", oracles.value(position))
    if repetition == "none":
        assert answer.best == oracles.best_moves(position)


@pytest.mark.parametrize("repetition", RULES)
@pytest.mark.parametrize("method", METHODS[:2])
@settings(max_examples=12)
@given(seed=SEEDS, limits=LIMITS, depth=st.integers(1, 4), special=SUBGAMES)
def test_what_is_called_proven_is_true(
    method: str, repetition: str, seed: int, limits: Limited, depth: int, special: str
) -> None:
    position = seeded(small(repetition), seed)
    if position.result is None:
        one = with_limits(engine(method, special, repetition, True), limits)
        answer = search_with(one, Question(position, limits=Limits(depth=depth)), "")
        if answer.status == "proven":
            assert answer.value == oracles.value(position)
            assert set(answer.best) <= set(oracles.best_moves(position))


@pytest.mark.slow
@settings(max_examples=40)
@given(seed=SEEDS, limits=LIMITS, depth=st.integers(1, 4), special=SUBGAMES)
def test_both_modes_visit_the_same_nodes(seed: int, limits: Limited, depth: int, special: str) -> None:
    position = seeded(small("draw"), seed)
    if position.result is None:
        counts = set()
        for mode in ("interpreted", "compiled"):
            one = with_limits(engine("alphabeta", special, "draw", True, SMALL, mode), limits)
            one.memory.clear()
            one.small[0].clear()
            answer = search_with(one, Question(position, limits=Limits(depth=depth)), "")
            counts.add((answer.nodes, answer.value, str(answer.details["special"])))
        assert len(counts) == 1


@settings(max_examples=8)
@given(seed=SEEDS, limits=LIMITS, repetition=st.sampled_from(RULES), special=SUBGAMES)
def test_trees_are_solved_by_it(seed: int, limits: Limited, repetition: str, special: str) -> None:
    position = seeded(small(repetition), seed)
    if position.result is None:
        root, _, _, leaf, plies = limits
        how: dict[str, Any] = {"special": special, "root": root, "leaf": leaf, "plies": plies}
        answer = search(position, "mcts(playouts=200, seed=1)", mode="interpreted", memory="1MB", **how)
        if answer.status == "proven":
            assert answer.value == oracles.value(position)
            assert set(answer.best) <= set(oracles.best_moves(position))


MATE = "1l1/eg1/1C1/L1+C[EG] w"
"""Won in 25 plies by checks."""


@pytest.mark.parametrize("text", ["alphabeta(special=mate)", "mcts(special=mate, seed=1)"])
def test_a_long_mate_at_the_root(text: str) -> None:
    answer = search(games.dobutsu().position(MATE), text, limits=Limits(nodes=4000), mode="interpreted")
    assert (answer.value, answer.status, answer.best) == (1, "proven", ["b2b3"])
    told = answer.details["special"]
    assert (told["wins"] >= 1, told["nodes"] >= 2469, told["root"]) == (True, True, 10_000)
    assert dict(answer.notes)["special"].startswith("mate: ")


def test_never_more_nodes_than_allowed() -> None:
    position = games.dobutsu().position(MATE)
    for limit in (1, 7, 100, 2000):
        text = f"alphabeta(special=mate, leaf=0, pv=0, inner=0, root={limit})"
        answer = search(position, text, limits=Limits(depth=1), value_only=True, mode="interpreted")
        assert answer.status == "heuristic"
        assert answer.details["special"]["nodes"] <= limit + 1


def test_a_limit_of_nodes_holds_for_both_searches() -> None:
    answer = search(games.dobutsu(), "alphabeta(special=mate)", limits=Limits(nodes=500), mode="interpreted")
    assert answer.stopped == "nodes"
    assert answer.nodes + answer.extra_nodes <= 502


def test_refusals() -> None:
    game = games.dobutsu()
    with pytest.raises(UnknownName, match=r"dobutsu has no sub-game called mat: did you mean mate\?"):
        search(game, "alphabeta(special=mat)")
    with pytest.raises(Unsuitable, match="hex declares no sub-games"):
        search(games.hex(size=3), "mcts(special=mate)")
    with pytest.raises(Unsuitable, match="negamax calls no search of a sub-game: leave out special=mate"):
        solve(game, method="negamax(special=mate)")
    with pytest.raises(Unsuitable, match="leaf is a number of nodes from 0 on, not -1"):
        search(game, "alphabeta(special=mate, leaf=-1)")


def test_the_text_of_a_request() -> None:
    text = "alphabeta(special=mate, leaf=10)"
    assert str(request(text, games.dobutsu(), "search")) == text
