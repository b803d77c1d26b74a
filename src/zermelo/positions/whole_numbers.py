"""Exact values as whole numbers over one common denominator, where no chance position lies on a cycle.

- A tier of one position is worth the best, or the average, of what it leads to. All values are whole numbers over T^E,
  where T is a common multiple of the sums of weights and E the most chance positions on a path: sums and comparisons of
  whole numbers, and every division comes out even. In 64 bits where that is enough.
- In a larger tier players move around until somebody leaves it. The first player gets more than endless play is worth
  exactly where leaving can be forced: the moves that leave are gone through from the best down, and each position is
  given the value of the first that its player can force (retrograde analysis, as for endgame tables). The second player
  likewise. Whoever can be forced to nothing goes round for ever.

Ströhlein 1970 for retrograde analysis.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.compile.arrays import on_arrays
from zermelo.positions.effort import Effort, Stopped
from zermelo.positions.exploring import OVER
from zermelo.positions.move_graph import MoveGraph
from zermelo.positions.tiers import Tiers
from zermelo.rules import CHANCE

LARGEST = 2**62
CHUNK = 1 << 20
"""How many positions are looked at before the clock is."""


@dataclass(frozen=True)
class WholeNumbers:
    """The values of all positions over `scale`; patience: the most plies that a forced exit from a tier takes."""

    values: Any
    scale: int
    patience: int


def solve_whole(graph: MoveGraph, tiers: Tiers, endless: float, stopped: Callable[[], bool]) -> WholeNumbers:
    """The values of all positions of a graph without dice on cycles."""
    assert tiers.tosses is not None
    scores = {Fraction(endless)}
    for begin in range(0, len(graph), CHUNK):
        _look(stopped)
        scores |= {Fraction(float(score)) for score in np.unique(graph.scores[begin : begin + CHUNK])}
    unit = math.lcm(*(score.denominator for score in scores))
    totals = _totals(graph)
    common = math.lcm(*totals) if totals else 1
    scale = unit * common**tiers.tosses
    farthest = max(Fraction(1), *map(abs, scores))
    if not tiers.loops and math.ceil(farthest * scale) * max([1, *totals]) < LARGEST:
        values = np.zeros(len(graph), np.int64)
        whole = np.rint(graph.scores * unit).astype(np.int64)
        for begin in range(0, len(graph), CHUNK):
            _look(stopped)
            _substitute(
                graph.turns, whole, graph.offsets, graph.children, graph.weights, tiers.order[begin : begin + CHUNK],
                scale // unit, values,
            )  # fmt: skip
        return WholeNumbers(values, scale, 0)
    solver = _LongNumbers(graph, scale, int(Fraction(endless) * scale), Effort(math.inf, stopped))
    solver.run(tiers)
    return WholeNumbers(solver.values, scale, solver.patience)


def _look(stopped: Callable[[], bool]) -> None:
    if stopped():
        raise Stopped


def _totals(graph: MoveGraph) -> list[int]:
    """The different sums of weights at chance positions."""
    chance = np.flatnonzero(graph.turns == CHANCE)
    if not len(chance):
        return []
    sums = np.concatenate([[0], np.cumsum(graph.weights)])
    return [int(total) for total in np.unique(sums[graph.offsets[chance + 1]] - sums[graph.offsets[chance]])]


@on_arrays
def _substitute(turns, scores, offsets, children, weights, order, scale, values):
    """Back-substitution in 64 bits, for games without cycles."""
    for at in range(len(order)):
        here = order[at]
        if turns[here] == OVER:
            values[here] = scores[here] * scale
        elif turns[here] == CHANCE:
            total, whole = 0, 0
            for edge in range(offsets[here], offsets[here + 1]):
                total += weights[edge] * values[children[edge]]
                whole += weights[edge]
            values[here] = total // whole
        else:
            best = values[children[offsets[here]]]
            for edge in range(offsets[here] + 1, offsets[here + 1]):
                value = values[children[edge]]
                best = max(best, value) if turns[here] == 0 else min(best, value)
            values[here] = best


class _LongNumbers:
    """Whole numbers of any length, tier by tier."""

    def __init__(self, graph: MoveGraph, scale: int, endless: int, effort: Effort) -> None:
        self.turns = graph.turns.tolist()
        self.offsets = graph.offsets.tolist()
        self.children = graph.children.tolist()
        self.weights = graph.weights.tolist()
        self.scores = [int(Fraction(score) * scale) for score in graph.scores.tolist()]
        self.values: list[Any] = [None] * len(self.turns)
        self.endless, self.effort = endless, effort
        self.patience = 0

    def run(self, tiers: Tiers) -> None:
        positions, begin = tiers.order.tolist(), 0
        for end in tiers.ends.tolist():
            self.effort.spend(4)
            if end - begin == 1:
                self.values[positions[begin]] = self._single(positions[begin])
            else:
                self._leave(positions[begin:end])
            begin = end

    def _single(self, here: int) -> int:
        if self.turns[here] == OVER:
            return self.scores[here]
        below = range(self.offsets[here], self.offsets[here + 1])
        if self.turns[here] == CHANCE:
            total = sum(self.weights[edge] * self.values[self.children[edge]] for edge in below)
            return total // sum(self.weights[edge] for edge in below)  # type: ignore[no-any-return]
        values = [self.endless if self.children[e] == here else self.values[self.children[e]] for e in below]
        return max(values) if self.turns[here] == 0 else min(values)

    def _leave(self, tier: list[int]) -> None:
        """A tier of decisions: what each player can force by leaving it, and endless play for the rest."""
        within = set(tier)
        before: dict[int, list[int]] = {here: [] for here in tier}
        for here in tier:
            self.effort.spend(4)
            for edge in range(self.offsets[here], self.offsets[here + 1]):
                if self.children[edge] in within:
                    before[self.children[edge]].append(here)
        for player, sign in ((0, 1), (1, -1)):
            self._force(tier, within, before, player, sign)
        for here in tier:
            if self.values[here] is None:
                self.values[here] = self.endless

    def _force(self, tier: list[int], within: set[int], before: dict[int, list[int]], player: int, sign: int) -> None:
        """Give a value to every position where `player` can force better than endless play, the best first."""
        closed: dict[int, int] = {}  # moves of the opponent that stay inside and are not yet known to be this good
        worst: dict[int, Any] = {}  # the best that the opponent can do by the others, and how long they can hold out
        longest = dict.fromkeys(tier, 0)
        queue: list[tuple[int, int, int]] = []  # what is forced, negated for the heap; in how many plies; where
        for here in tier:
            self.effort.spend(4)
            below = [self.children[edge] for edge in range(self.offsets[here], self.offsets[here + 1])]
            outside = [sign * self.values[child] for child in below if child not in within]
            if self.turns[here] == player:
                if outside and max(outside) > sign * self.endless:
                    heapq.heappush(queue, (-max(outside), 1, here))
            else:
                closed[here] = len(below) - len(outside)
                worst[here] = min(outside, default=None)
        while queue:
            self.effort.spend(4)
            negated, plies, here = heapq.heappop(queue)
            if self.values[here] is not None:
                continue
            self.values[here] = sign * -negated
            self.patience = max(self.patience, plies)
            for above in before[here]:
                if self.values[above] is not None:
                    continue
                if self.turns[above] == player:
                    heapq.heappush(queue, (negated, plies + 1, above))
                    continue
                closed[above] -= 1
                longest[above] = max(longest[above], plies)
                value = -negated if worst[above] is None else min(-negated, worst[above])
                worst[above] = value
                if closed[above] == 0 and value > sign * self.endless:
                    heapq.heappush(queue, (-value, longest[above] + 1, above))
