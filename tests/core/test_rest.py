"""Games whose scores add up: tables that forget the points so far find the same values with fewer nodes."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

import oracles
from marks import slow, some_slow
from zermelo import games
from zermelo.core.engine import Engine
from zermelo.core.solving import solve_with
from zermelo.methods.registry import method_named
from zermelo.rules import Game, Position

KALAH = games.load("kalah", {"pits": 3, "stones": 2})
METHODS = ("negamax", "alphabeta", "negascout", "mtdf", "boolean", "dfpn")


@cache
def engine(method: str, mode: str, memory: str | int, game: Game = KALAH) -> Engine:
    return Engine(game, method_named(method), mode=mode, memory=memory)


def positions(count: int) -> list[Position]:
    """From random games, each with a past of its own: equal pits meet with different stores."""
    chance, found = random.Random(7), []
    while len(found) < count:
        position = Position(KALAH)
        for _ in range(chance.randrange(2, 9)):
            if position.result is None:
                position = position.play(chance.choice(position.codes))
        if position.result is None:
            found.append(position)
    return found


@pytest.mark.parametrize("memory", [256, *slow("64KB")])
@pytest.mark.parametrize("method", some_slow(METHODS, ("negamax", "negascout")))
def test_values(method: str, memory: str | int) -> None:
    one = engine(method, "interpreted", memory)
    for position in positions(25):
        answer = solve_with(one, position)
        assert answer.status == "proven"
        assert answer.value == oracles.value(position)
        assert answer.best == oracles.best_moves(position)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["mtdf", "dfpn"])
def test_compiled(method: str) -> None:
    compiled, plain = (
        Engine(KALAH, method_named(method), mode=mode, memory="1MB") for mode in ("compiled", "interpreted")
    )
    for position in positions(25):
        one, other = (solve_with(e, position) for e in (compiled, plain))
        assert (one.value, one.best, one.nodes) == (other.value, other.best, other.nodes)


def test_it_saves_nodes() -> None:
    game = games.load("kalah", {"pits": 3, "stones": 3})
    with_rest, without = (
        solve_with(Engine(g, method_named("alphabeta"), mode="interpreted", memory="1MB"), Position(g))
        for g in (game, replace(game, rest=None))
    )
    assert with_rest.value == without.value
    assert with_rest.nodes < 0.9 * without.nodes
