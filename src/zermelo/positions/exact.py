"""Exact solution of games with chance, also where play can go round in circles.

The positions that can be reached are cut into tiers (see `tiers`) and valued a tier at a time, the last ones first.
Where no chance position lies on a cycle, values are whole numbers over a common denominator (`whole_numbers`). Else
they are fractions as long as these stay short (`strategies`), and numbers between two bounds where they do not
(`interval_bounds`).

Endless play is worth 0, or what the game's repetition rule gives to a loop. Shapley 1953 and Everett 1957 for games
with chance that may never end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np

from zermelo.positions.effort import Effort, Stopped, TooMuch, price
from zermelo.positions.elimination import LONGEST
from zermelo.positions.exploring import OVER
from zermelo.positions.interval_bounds import Bounds
from zermelo.positions.move_graph import MoveGraph
from zermelo.positions.tiers import Tiers, cut
from zermelo.positions.whole_numbers import WholeNumbers, solve_whole
from zermelo.rules import CHANCE

SMALL = 5_000
"""Up to this many positions fractions are tried first, and floats only where they grow too long."""
UNITS, LEAST_UNITS = 10, 200_000
"""How much work that may be: for each position, and in any case."""


class Interval(NamedTuple):
    """A value that is certain to lie between two numbers."""

    low: float
    high: float


Value = Fraction | Interval


@dataclass(frozen=True)
class Solution:
    """The values of all positions. `complete`: whether nobody stopped it before it was done; `ends`: whether both
    players can get the value of the root in such a way that the game ends with probability 1."""

    found: WholeNumbers | Bounds
    tiers: Tiers
    complete: bool
    ends: bool

    def of(self, number: int) -> Value:
        if isinstance(self.found, WholeNumbers):
            return Fraction(int(self.found.values[number]), self.found.scale)
        if self.found.is_exact(number):
            return self.found.of(number)
        return Interval(*self.found.bounds(number))

    @property
    def patience(self) -> int:
        return self.found.patience if isinstance(self.found, WholeNumbers) else 0


def solve_graph(graph: MoveGraph, tiers: Tiers, endless: float, stopped: Callable[[], bool]) -> Solution | None:
    """The values of all positions of a graph; `endless` is what a play that never ends is worth. When told to stop,
    the bounds that are certain so far, or None."""
    if tiers.tosses is not None:
        try:
            return Solution(solve_whole(graph, tiers, endless, stopped), tiers, True, not tiers.loops)
        except Stopped:
            return None
    bounds = Bounds(graph, tiers, endless, stopped)
    if len(graph) <= SMALL:
        _try_fractions(bounds)
    complete = bounds.run()
    return Solution(bounds, tiers, complete, bool(bounds.over[:, 0].all()))


@cache
def prepare() -> None:
    """Compile what bounds are found with, before any clock runs: a walk of two cells is valued."""
    graph = MoveGraph(
        np.array([CHANCE, CHANCE, OVER], np.int8), np.zeros(3), np.array([0, 1, 3, 3]), np.array([1, 0, 2], np.int32),
        np.ones(3, np.int64),
    )  # fmt: skip
    Bounds(graph, cut(graph, bool), 0.0, bool).run()


def _try_fractions(bounds: Bounds) -> None:
    """Value as many tiers in fractions as can be had for little work."""
    effort = Effort(LEAST_UNITS + UNITS * len(bounds.graph), bounds.stopped)
    try:
        for _ in range(len(bounds.ends)):
            tier = bounds.next_tier()
            if len(tier) == 1:
                values = {tier[0]: _single(bounds, tier[0], effort)}
            else:
                values = bounds.solved(tier, bounds.of, effort)
            bounds.note(tier, values)
    except (TooMuch, Stopped):
        return


def _single(bounds: Bounds, here: int, effort: Effort) -> Fraction:
    """The value of a position to which play does not return, but by staying there."""
    graph, endless = bounds.graph, Fraction(bounds.endless)
    if graph.turns[here] == OVER:
        return Fraction(float(graph.scores[here]))
    moves = range(int(graph.offsets[here]), int(graph.offsets[here + 1]))
    below = {edge: int(graph.children[edge]) for edge in moves}
    effort.spend(4 * len(moves))
    if graph.turns[here] != CHANCE:
        values = [endless if child == here else bounds.of(child) for child in below.values()]
        return max(values) if graph.turns[here] == 0 else min(values)
    others = {edge: int(graph.weights[edge]) for edge, child in below.items() if child != here}
    if not others:
        return endless
    total = sum((weight * bounds.of(below[edge]) for edge, weight in others.items()), Fraction(0))
    value = total / sum(others.values())
    bits = value.denominator.bit_length()
    effort.spend(4 * len(moves) * price(bits))
    if bits > LONGEST:
        raise TooMuch
    return value
