"""How many games there are: complete ones, from a position to an end. Two games differ if one move does.

Where all positions are known, they are counted exactly: as many ways lead to a position as to those before it together.
Elsewhere walks along paths estimate them (Knuth 1975, "Estimating the efficiency of backtrack programs"), many abreast
and thinned out at random ply by ply, so that none counts far more than another (Chen 1992, "Heuristic sampling"). Such
an estimate is right on average, and several walks tell how far it is off.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from zermelo.compile.watch import Watch
from zermelo.positions.all_positions import AllPositions
from zermelo.positions.estimating import jackknife
from zermelo.positions.exploring import OVER
from zermelo.positions.layers import DONE, Walker
from zermelo.rules import Position, wrapping
from zermelo.sampling.dice import first_state

WALKS, STUDENT = 16, 2.947
"""How many walks there are, and Student's t for one degree of freedom less: that of 99 %, for large counts are rare."""
FIRST_WIDTH = 64
POLL = 1 << 12
"""After how many positions the clock is looked at."""
MOST_EXACT = 2_000_000
"""With more moves than this they are not counted exactly, which is done in plain Python."""


@dataclass(frozen=True)
class GameCount:
    """The decimal logarithm of the number of games, within an interval that holds in 19 of 20 cases, and the number
    itself where it is exact; `nodes`: likewise of all positions of all games, the nodes of the game tree. longest: the
    plies of the longest game, where all were seen."""

    log10: float
    low: float
    high: float
    nodes: float
    count: int | None = None
    longest: int | None = None


def count_games(found: AllPositions, stopped: Callable[[], bool]) -> GameCount | None:
    """From all positions with their moves; None if play can go round, so that there is no end of games, if there are
    too many moves, or if it was stopped."""
    offsets, children, turns = (np.asarray(given).tolist() for given in (found.offsets, found.children, found.turns))
    if len(children) > MOST_EXACT:
        return None
    before = np.bincount(np.asarray(children, np.int64), minlength=len(turns)).tolist()
    ways, plies = [0] * len(turns), [0] * len(turns)
    ways[found.root] = 1
    open_, done = [found.root] if before[found.root] == 0 else [], 0
    while open_:  # positions all of whose predecessors are done (Kahn 1962)
        here = open_.pop()
        done += 1
        if done % POLL == 0 and stopped():
            return None
        for child in children[offsets[here] : offsets[here + 1]]:
            ways[child] += ways[here]
            plies[child] = max(plies[child], plies[here] + 1)
            before[child] -= 1
            if before[child] == 0:
                open_.append(child)
    if done < len(turns):
        return None
    games = sum(way for way, turn in zip(ways, turns) if turn == OVER)
    log10 = math.log10(games)
    return GameCount(log10, log10, log10, math.log10(sum(ways)), games, max(plies))


@wrapping
def estimate_games(
    position: Position, mode: str, watch: Watch, seconds: float, seed: int | None = None, widest: int = 1 << 16
) -> GameCount | None:
    """From as wide walks as can be made in so many seconds; None if there was no time, or if play can go round."""
    if position.game.cyclic or position.game.endless:
        return None
    width, until = FIRST_WIDTH, watch.seconds + seconds
    found: GameCount | None = None
    while width <= widest and not (found and found.count):
        began = watch.seconds
        counted = _walk(Walker(position, mode, watch, width, first_state(seed, width)))
        if counted is None:
            return found
        found, width = counted, 2 * width
        if watch.seconds + 3 * (watch.seconds - began) > until:
            break
    return found


def _walk(walker: Walker) -> GameCount | None:
    games, nodes, exact, longest = [], [], True, 0
    for _ in range(WALKS):
        each = total = 0.0  # natural logarithms: how many paths a kept one stands for, and what there is so far
        ended = -math.inf
        for layer in walker.layers():
            total = float(np.logaddexp(total, each + math.log(layer.met)))
            if layer.over:
                ended = float(np.logaddexp(ended, each + math.log(layer.over)))
            if layer.kept:
                each += math.log((layer.met - layer.over) / layer.kept)
            exact, longest = exact and not layer.thinned, max(longest, layer.ply)
        if walker.outcome != DONE:
            return None
        games.append(ended)
        nodes.append(total)
    log10 = _mean(games) / math.log(10)
    if exact:
        return GameCount(log10, log10, log10, nodes[0] / math.log(10), round(math.exp(games[0])), longest)
    spread = STUDENT * jackknife(_mean(games[:w] + games[w + 1 :]) for w in range(WALKS)) / math.log(10)
    return GameCount(log10, log10 - spread, log10 + spread, _mean(nodes) / math.log(10))


def _mean(logarithms: list[float]) -> float:
    """The logarithm of the mean of numbers that are given by theirs."""
    return float(np.logaddexp.reduce(logarithms)) - math.log(len(logarithms))
