"""Where estimates come from can be changed: two searches of one game, and one kernel that is made from both."""

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
from zermelo.compile.modes import Kernel, Mode, Workspace, mode_for
from zermelo.core.evaluation import evaluator
from zermelo.core.method import PLAIN, Parts, bind
from zermelo.minimax.alphabeta import alphabeta
from zermelo.rules import Game, Position, rule

GAME = random_game(fractional=True)
DEPTH = 3


@rule
def theirs(s):
    """An opponent who takes late positions for good ones."""
    return s.node / 16 - 0.25


OTHER = replace(GAME, evaluate=theirs)


def parts_with(mode: Mode, estimate: Kernel | None) -> Parts:
    evaluate = None if estimate is None else evaluator(mode, estimate)
    return bind(GAME, mode, PLAIN, float, evaluate)


@cache
def both(name: str) -> tuple[Kernel, Workspace]:
    """One kernel that searches a position twice, with the game's own evaluator and with another."""
    mode = mode_for(GAME, name)
    our_parts = parts_with(mode, None)
    our_value, their_value = alphabeta(mode, our_parts), alphabeta(mode, parts_with(mode, theirs))
    note = our_parts.nodes.note

    @mode.kernel
    def search(ws, ply, depth, alpha, beta):
        note(ws, ply)
        ours = our_value(ws, ply, depth, alpha, beta)
        return ours, their_value(ws, ply, depth, alpha, beta)

    kernel = mode.entry(search, GAME, (int, int, float, float))
    return kernel, mode.workspace(GAME)


def values(name: str, position: Position) -> tuple[float, float]:
    kernel, workspace = both(name)
    workspace.reset()
    workspace.place([position.state])
    ours, other = kernel(workspace.record, 0, DEPTH, -9.0, 9.0)
    sign = 1 if position.turn == 0 else -1
    return sign * ours, sign * other


def truth(game: Game, position: Position) -> Any:
    return pytest.approx(oracles.value(Position(game, position.state), DEPTH))


@pytest.mark.parametrize("mode", ["interpreted", *slow("compiled")])
@settings(max_examples=25)
@given(seed=st.integers(0, 2**40))
def test_two_evaluators_in_one_kernel(mode: str, seed: int) -> None:
    position = seeded(GAME, seed)
    assert values(mode, position) == (truth(GAME, position), truth(OTHER, position))


def test_the_evaluators_differ() -> None:
    pairs = [values("interpreted", seeded(GAME, seed)) for seed in range(20)]
    assert sum(ours != other for ours, other in pairs) > 10
