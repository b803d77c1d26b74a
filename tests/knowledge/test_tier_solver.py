"""Tiers against oracles: random games with loops, with several tiers, with dice, with positions that are not kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oracles
from numbered import going_back, numbered
from random_chance import random_chance
from random_games import random_game
from zermelo.compile.modes import mode_for
from zermelo.knowledge import lookahead, tier_solver
from zermelo.knowledge.coding import FAR, coding_for, decoder
from zermelo.knowledge.tier_solver import TierSolver, Work
from zermelo.rules import Game, Position

SEEDS = range(6)


def solved(game: Game, mode: str, kind: str | None = None, memory: int = 1 << 20, wide: bool = False) -> dict[int, Any]:
    """The value of every position that the table keeps, for the first player, by its node."""
    coding = coding_for(game, kind, wide=wide)
    tiers = game.tiers()
    entries = np.zeros(sum(tier.size for tier in tiers), coding.dtype)
    solver = TierSolver(game, coding, tiers, entries, mode, memory=memory)
    longest = 0
    for tier in tiers:
        work = Work()
        solver.solve(tier, work, longest)
        if coding.by_distance:
            longest = max(longest, work.level if work.level < FAR else game.max_plies)
    decode, values = decoder(mode_for(game, "interpreted"), coding), {}
    for tier in tiers:
        for number in range(tier.size):
            state = game.start.copy()
            if game.unindex(state, tier.tier, number):
                value = decode(entries[solver.offsets[tier.tier] + number])
                values[int(state.node)] = -value if Position(game, state).turn == 1 else value
    return values


def truth(game: Game, node: int) -> float:
    state = game.start.copy()
    state.node = node
    return oracles.value(Position(game, state))


@pytest.mark.parametrize("memory", [0, 1 << 20])
@pytest.mark.parametrize("seed", SEEDS)
def test_scores_with_loops(seed: int, memory: int) -> None:
    game = numbered(random_game(size=9, repetition="draw"), seed, 9)
    values = solved(game, "interpreted", memory=memory)
    for node, value in values.items():
        assert value == truth(game, node)


@pytest.mark.parametrize("memory", [0, 1 << 20])
@pytest.mark.parametrize("seed", SEEDS)
def test_distances_with_loops(seed: int, memory: int) -> None:
    game = numbered(random_game(size=12, spread=1, repetition="draw"), seed, 12)
    values = solved(game, "interpreted", memory=memory)
    assert values == _distances(game, 12)


@pytest.mark.parametrize("few", [1, 4, 64])
@pytest.mark.parametrize("seed", SEEDS)
def test_distances_by_going_back(seed: int, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tier_solver, "FEW", few)
    monkeypatch.setattr(tier_solver, "BACK_FROM_WIN", 0)
    monkeypatch.setattr(tier_solver, "BACK_FROM_LOSS", 0)
    game = going_back(numbered(random_game(size=16, spread=1, repetition="draw"), seed, 16), 16)
    assert solved(game, "interpreted") == _distances(game, 16)


def _distances(game: Game, size: int) -> dict[int, int]:
    """By rounds over all positions, as slow and as plain as can be: the value of a win in d plies is FAR - d."""
    state = {node: game.start.copy() for node in range(size)}
    for node, one in state.items():
        one.node = node
    spots = {node: Position(game, one) for node, one in state.items()}
    known: dict[int, int] = {
        node: int(spot.result * FAR) for node, spot in spots.items() if spot.result is not None
    }
    for ply in range(1, 3 * size):
        fresh = {}
        for node, spot in spots.items():
            if node in known:
                continue
            sign = -1 if spot.turn == 1 else 1
            after = [int(spot.play(move).state.node) for move in spot.moves()]
            if any(sign * known.get(other, 0) > 0 for other in after):
                fresh[node] = sign * (FAR - ply)
            elif all(sign * known.get(other, 0) < 0 for other in after):
                fresh[node] = -sign * (FAR - ply)
        known.update(fresh)
    return {node: known.get(node, 0) for node in spots}


@pytest.mark.parametrize("left_out", [0, 3])
@pytest.mark.parametrize("tiers", [1, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_scores_without_loops(seed: int, tiers: int, left_out: int) -> None:
    game = numbered(random_game(size=16), seed, 16, tiers, left_out)
    for node, value in solved(game, "interpreted").items():
        assert value == truth(game, node)


@pytest.mark.parametrize("left_out", [0, 3])
@pytest.mark.parametrize("tiers", [1, 3])
@pytest.mark.parametrize("rows", [None, 3])
@pytest.mark.parametrize("seed", SEEDS)
def test_expectations(seed: int, tiers: int, left_out: int, rows: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where positions lie further from the end of the game than a kernel can go down."""
    game = numbered(random_chance(size=12), seed, 12, tiers, left_out)
    if rows is not None:
        monkeypatch.setattr(lookahead, "plies_of", lambda game: rows)
    for node, value in solved(game, "interpreted", wide=True).items():
        state = game.start.copy()
        state.node = node
        assert value == pytest.approx(float(oracles.expected(Position(game, state))), abs=1e-12)
