"""Fitting an opponent to games: the weights of its evaluation and its depth, by maximum likelihood of its moves.

A move is taken with the probability exp(v(m)) / sum of exp(v(m')), v(m) being the minimax value behind it by a weighted
sum of the game's evaluations: the length of the weights is the inverse of a temperature (McFadden 1974, "Conditional
logit analysis of qualitative choice behavior"). For one depth, weights are found by L-BFGS (SciPy) with the leaves that
the last weights lead to, again and again while that helps; the depth is the one under which the moves are likeliest.
What was found is judged by games that were held out, beside a player who moves at random and one who evaluates as we
do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from zermelo.compile.watch import Limits
from zermelo.opponent.fitted import Fitted
from zermelo.opponent.leaves import LeafEngine, Vectors
from zermelo.opponent.models import OWN
from zermelo.rules import Game, Position, Unsuitable

ROUNDS = 6
RIDGE = 1e-3
"""How much large weights cost a move: without it they would grow for ever where moves are always foreseen."""
HELD_OUT = 5
"""Every fifth game is held out."""
END = 10.0
"""What the end of the game weighs at first, beside the evaluations."""


class Decision(NamedTuple):
    """A move that somebody made, and the number of the game in which it was."""

    position: Position
    move: int
    game: int


class Score(NamedTuple):
    """How well moves were foreseen: the mean logarithm of their probability, its standard error, the share that were
    the likeliest move, and how many there were."""

    likelihood: float
    error: float
    guessed: float
    moves: int


class Fit(NamedTuple):
    """Somebody who might have made the moves. weights: None where there are none."""

    name: str
    depth: int | None
    weights: dict[str, float] | None
    temperature: float | None
    trained: Score
    held_out: Score


Say = Callable[[str], None]


def fit_opponent(
    game: Game, decisions: Sequence[Decision], deepest: int, mode: str | None = None, say: Say = lambda words: None
) -> tuple[Fitted, list[Fit]]:
    """The opponent that fits best, and how it compares: fitted, our own engine, and random."""
    if not game.evaluations:
        raise Unsuitable(f"{game.name} names no evaluations that could be weighed: give its Game some, by evaluations=")
    choices = [decision for decision in decisions if len(decision.position.codes) > 1]
    trained = [one for one in choices if one.game % HELD_OUT != HELD_OUT - 1]
    held_out = [one for one in choices if one.game % HELD_OUT == HELD_OUT - 1]
    if not trained or not held_out:
        raise Unsuitable(
            f"the records hold {len({one.game for one in choices})} games with {len(choices)} moves to choose: at "
            f"least {HELD_OUT} games are needed, of which one is held out"
        )
    names = list(game.evaluations)
    fitted = _deepest_fit("fitted", LeafEngine(game, names, mode), trained, held_out, deepest, say)
    found = [fitted]
    if game.evaluate is not None:
        found.append(_deepest_fit("our own engine", LeafEngine(game, [OWN], mode), trained, held_out, deepest, say))
    found.append(Fit("random", None, None, None, _by_chance(trained), _by_chance(held_out)))
    return Fitted(game.summary, fitted.weights or {}, fitted.depth or 1, fitted.temperature or 1.0), found


def _deepest_fit(
    name: str, engine: LeafEngine, trained: Sequence[Decision], held_out: Sequence[Decision], deepest: int, say: Say
) -> Fit:
    """The likeliest of all depths."""
    best: Fit | None = None
    for depth in range(1, deepest + 1):
        say(f"{name}: depth {depth}")
        weights = _weights(engine, trained, depth)
        trained_so = _score(engine, trained, depth, weights)
        if best is None or trained_so.likelihood > best.trained.likelihood:
            low, high = engine.game.values
            size = float(np.abs(weights[:-1]).sum()) or 1e-12
            told = {feature: round(float(w) / size, 4) for feature, w in zip(engine.features, weights)}
            tested = _score(engine, held_out, depth, weights)
            best = Fit(name, depth, told, (high - low) / 2 / size, trained_so, tested)
    assert best is not None
    return best


def _weights(engine: LeafEngine, decisions: Sequence[Decision], depth: int) -> Vectors:
    """The weights of the features, and last that of the score at the end, under which the moves are likeliest."""
    count = len(engine.features) + 1
    weights = np.ones(count)
    weights[-1] = END
    kept, least = weights, math.inf
    for _ in range(ROUNDS if depth > 1 else 1):
        rows, chosen = _behind(engine, decisions, depth, weights)
        if _cost(weights, rows, chosen)[0] < least:
            kept, least = weights, _cost(weights, rows, chosen)[0]
        found = minimize(_cost, weights, args=(rows, chosen), jac=True, method="L-BFGS-B")
        if np.allclose(found.x, weights, rtol=1e-3):
            break
        weights = found.x
    rows, chosen = _behind(engine, decisions, depth, weights)
    return weights if _cost(weights, rows, chosen)[0] < least else kept


def _behind(
    engine: LeafEngine, decisions: Sequence[Decision], depth: int, weights: Vectors
) -> tuple[list[Vectors], list[int]]:
    """For every decision what lies behind each move in the eyes of who moves, in halves of the range of scores; and
    which move was made."""
    low, high = engine.game.values
    half = (high - low) / 2

    def work() -> tuple[list[Vectors], list[int]]:
        rows, chosen = [], []
        for position, move, _ in decisions:
            sign = -1 if position.turn == 1 else 1
            depth_here = min(depth, engine.deepest(position))
            rows.append(sign * engine.behind(position, depth_here, list(weights)) / half)
            chosen.append(position.codes.index(move))
        return rows, chosen

    return engine.watched(Limits()).run(work)


def _cost(weights: Vectors, rows: Sequence[Vectors], chosen: Sequence[int]) -> tuple[float, Vectors]:
    """The mean of minus the logarithm of the moves' probabilities, with its gradient."""
    total, slope = 0.0, np.zeros_like(weights)
    for behind, move in zip(rows, chosen):
        values = behind @ weights
        shares = np.exp(values - values.max())
        shares /= shares.sum()
        total -= math.log(max(float(shares[move]), 1e-300))
        slope += shares @ behind - behind[move]
    n = len(rows)
    return total / n + RIDGE * float(weights @ weights) / 2, slope / n + RIDGE * weights


def _score(engine: LeafEngine, decisions: Sequence[Decision], depth: int, weights: Vectors) -> Score:
    logs, hits = [], 0.0
    for behind, move in zip(*_behind(engine, decisions, depth, weights)):
        values = behind @ weights
        logs.append(float(values[move] - values.max() - math.log(np.exp(values - values.max()).sum())))
        equal = np.flatnonzero(values >= values.max() - 1e-9)
        hits += (move in equal) / len(equal)
    return _summed(logs, hits)


def _by_chance(decisions: Sequence[Decision]) -> Score:
    counts = [len(one.position.codes) for one in decisions]
    return _summed([-math.log(count) for count in counts], sum(1 / count for count in counts))


def _summed(logs: Sequence[float], hits: float) -> Score:
    n = len(logs)
    return Score(float(np.mean(logs)), float(np.std(logs) / math.sqrt(n)), hits / n, n)
