"""How long solving will take: positions late in the game are solved, then earlier and earlier ones, and what the first
one takes is told from how the others grow.

The nodes of a search grow about exponentially with the plies that are left, so that a straight line through their
logarithms is drawn on to the root (Knuth and Moore 1975 for the growth; that real games follow it, within a factor, is
what the trial itself shows: the scatter about the line gives the range). Positions come from random play, those of one
ply are averaged, and each is solved with an empty table.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.certificates.proving import Unproved, prove
from zermelo.compile.watch import Limits, Listener
from zermelo.core.answer import PROVEN, Answer
from zermelo.core.request import Request
from zermelo.rules import Position, ZermeloError

EACH = 6
"""How many positions of a ply are solved."""
RUNGS = 24
"""At about how many plies that is tried."""
FEWEST = 4
"""Through so many plies a line can be drawn,"""
LAST = 10
"""and no more than these, the earliest ones in the game, are looked at."""
SMALL = 50
"""Searches of fewer nodes than this do not grow yet."""
LEAST_SCATTER = 0.5
"""How far, in natural logarithms, a position may be off the line at the least."""


class Rung(NamedTuple):
    """What positions at one ply took, on average; `hardest` is the one that took most."""

    ply: int
    nodes: float
    seconds: float
    hardest: Position


@dataclass(frozen=True)
class Climb:
    """The nodes that it takes to solve a position: those of the search itself where it came to its end (`solved`), else
    likely ones and a range, None where too few positions were solved. rate: nodes a second. interrupted: by Ctrl-C."""

    nodes: float | None
    low: float | None
    high: float | None
    rate: float
    solved: bool
    rungs: tuple[Rung, ...]
    interrupted: bool = False


def climb(
    position: Position,
    request: Request,
    paths: Sequence[Sequence[Any]],
    seconds: float,
    seed: int | None = None,
    listener: Listener | None = None,
) -> Climb:
    """Solve the position itself, for half of so many seconds; then positions on the paths of random games, from the end
    towards the beginning, for the other half."""
    dice, rungs = random.Random(seed), list[Rung]()

    def solve(one: Position, seconds: float) -> Answer:
        with request.open(position.game) as session:
            return session.solve(one, value_only=True, limits=Limits(seconds=seconds), listener=listener)

    first = solve(position, seconds / 2)
    if first.status == PROVEN:
        rung = Rung(0, first.nodes, first.seconds, position)
        return Climb(rung.nodes, rung.nodes, rung.nodes, rung.nodes / max(rung.seconds, 1e-6), True, (rung,))
    interrupted, left = first.stopped == "interrupt", seconds / 2
    lengths = sorted(len(path) - 1 for path in paths)
    latest = lengths[int(0.9 * (len(lengths) - 1))] - 1
    for ply in range(latest, 0, -max(1, round(latest / RUNGS))):
        there = [path[ply] for path in paths if len(path) > ply + 1]
        answers: list[Answer] = []
        for state in dice.sample(there, min(EACH, len(there))):
            if left > 0 and not interrupted:
                answers.append(solve(Position(position.game, state), left))
                left -= answers[-1].seconds
                interrupted = answers[-1].stopped == "interrupt"
        if left <= 0 or interrupted:
            break
        hardest = max(answers, key=lambda answer: answer.nodes)
        nodes, took = hardest.nodes, hardest.seconds
        rungs.append(Rung(ply, nodes, took, hardest.position))
    return _told(rungs, first, interrupted)


def _told(rungs: list[Rung], first: Answer, interrupted: bool) -> Climb:
    """What the first position will take, as far as a straight line tells; more than it took without an end."""
    grown = [rung for rung in rungs if rung.nodes >= SMALL][-LAST:]
    rate = first.nodes / max(first.seconds, 1e-6)
    if len(grown) < FEWEST:
        return Climb(None, None, None, rate, False, tuple(rungs), interrupted)
    plies, logs = np.array([rung.ply for rung in grown], float), np.log([rung.nodes for rung in grown])
    slope, start = np.polyfit(plies, logs, 1)
    count, about = len(grown), plies - plies.mean()
    scatter = max(math.sqrt(float(((logs - start - slope * plies) ** 2).sum()) / (count - 2)), LEAST_SCATTER)
    error = 2 * scatter * math.sqrt(1 + 1 / count + plies.mean() ** 2 / float((about**2).sum()))
    low, likely, high = (max(math.exp(min(start + error * e, 700.0)), float(first.nodes)) for e in (-1, 0, 1))
    return Climb(likely, low, high, rate, False, tuple(rungs), interrupted)


def proof_costs(
    climbed: Climb, seconds: float, mode: str | None = None, listener: Listener | None = None
) -> float | None:
    """How many times as long a proof takes as solving: at the hardest position that was solved, if it can be had."""
    if not climbed.rungs:
        return None
    rung = max(climbed.rungs, key=lambda rung: rung.nodes)
    try:
        certificate = prove(rung.hardest, limits=Limits(seconds=seconds), mode=mode, listener=listener)
    except Unproved as cut:
        if cut.stopped == "interrupt":
            raise KeyboardInterrupt from None
        return None
    except ZermeloError:  # a game of which no proof can be made
        return None
    return float(certificate.about["made"]["nodes"]) / rung.nodes
