"""Exact solution of small games with chance, also where play can go round in circles.

The positions that can be reached are cut into tiers (see `tiers`) and valued a tier at a time, the last ones first.

- A tier of one position is worth the best, or the average, of what it leads to. All values are kept as whole numbers
  over one common denominator T^E, where T is a common multiple of the sums of weights and E the most chance positions
  on a path: sums and comparisons of whole numbers, and every division comes out even. In 64 bits where that is enough.
- In a larger tier without chance positions players move around until somebody leaves it. The first player gets more
  than endless play is worth exactly where leaving can be forced: the moves that leave are gone through from the best
  down, and each position is given the value of the first that its player can force (retrograde analysis, as for
  endgame tables). The second player likewise. Whoever can be forced to nothing goes round for ever.
- In a larger tier with chance positions, as in pig, values solve equations with a maximum in them. They are found by
  going through the tier again and again (Gauss–Seidel) until nothing changes any more: floats, not fractions.

Endless play is worth 0, or what the game's repetition rule gives to a loop. Shapley 1953 and Everett 1957 for games
with chance that may never end; Ströhlein 1970 for retrograde analysis.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.chance.states import OVER, StateGraph
from zermelo.chance.tiers import tiers
from zermelo.compile.arrays import on_arrays
from zermelo.rules import CHANCE

LARGEST = 2**62
PRECISION = 1e-15
"""Iteration ends when no value changes by more than this share of the range."""
MOST_ROUNDS = 1_000_000


@dataclass(frozen=True)
class Solution:
    """The values of all positions: whole numbers over `scale`, or floats if there is no scale.

    tiers: how many there are; largest: how many positions the largest has; patience: the most plies that a forced exit
    from a tier takes."""

    values: Any
    scale: int | None
    tiers: int
    largest: int
    patience: int

    def of(self, number: int) -> Fraction | float:
        if self.scale is None:
            return float(self.values[number])
        return Fraction(int(self.values[number]), self.scale)


def solve_graph(graph: StateGraph, endless: float) -> Solution:
    """The values of all positions of a graph; `endless` is what a play that never ends is worth."""
    order, ends = tiers(graph)
    largest = int(np.diff(ends, prepend=0).max())
    tosses = np.zeros(len(graph), np.int32)
    exact = bool(_count_tosses(graph.turns, graph.offsets, graph.children, order, ends, tosses))
    scores = {Fraction(float(score)) for score in np.unique(graph.scores)} | {Fraction(endless)}
    unit = math.lcm(*(score.denominator for score in scores))
    if not exact:
        values = np.zeros(len(graph))
        _iterate(
            graph.turns, graph.scores, graph.offsets, graph.children, graph.weights, order, ends, values,
            float(endless), PRECISION * float(max(map(abs, scores)) or 1), MOST_ROUNDS,
        )  # fmt: skip
        return Solution(values, None, len(ends), largest, 0)
    totals = _totals(graph)
    common = math.lcm(*totals) if totals else 1
    scale = unit * common ** int(tosses.max(initial=0))
    farthest = max(Fraction(1), *map(abs, scores))
    if largest == 1 and math.ceil(farthest * scale) * max([1, *totals]) < LARGEST:
        values = np.zeros(len(graph), np.int64)
        _substitute(
            graph.turns, np.rint(graph.scores * unit).astype(np.int64), graph.offsets, graph.children, graph.weights,
            order, scale // unit, values,
        )  # fmt: skip
        return Solution(values, scale, len(ends), 1, 0)
    solver = _Tiers(graph, scale, int(Fraction(endless) * scale))
    solver.run(order, ends)
    return Solution(solver.values, scale, len(ends), largest, solver.patience)


def _totals(graph: StateGraph) -> list[int]:
    """The different sums of weights at chance positions."""
    chance = np.flatnonzero(graph.turns == CHANCE)
    if not len(chance):
        return []
    sums = np.concatenate([[0], np.cumsum(graph.weights)])
    return [int(total) for total in np.unique(sums[graph.offsets[chance + 1]] - sums[graph.offsets[chance]])]


@on_arrays
def _count_tosses(turns, offsets, children, order, ends, tosses):
    """The most chance positions that may lie ahead of each; False if some lie on a cycle."""
    tier = np.zeros(len(order), np.int32)
    begin = 0
    for t in range(len(ends)):
        for at in range(begin, ends[t]):
            tier[order[at]] = t
        most, chance = 0, False
        for at in range(begin, ends[t]):
            here = order[at]
            chance = chance or turns[here] == CHANCE
            for edge in range(offsets[here], offsets[here + 1]):
                if tier[children[edge]] != t or children[edge] == here:
                    most = max(most, tosses[children[edge]])
                if children[edge] == here and turns[here] == CHANCE:
                    return False
        if chance and ends[t] - begin > 1:
            return False
        for at in range(begin, ends[t]):
            tosses[order[at]] = most + (1 if chance else 0)
        begin = ends[t]
    return True


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


@on_arrays
def _iterate(turns, scores, offsets, children, weights, order, ends, values, endless, enough, rounds):
    """Values as floats: each tier gone through until nothing in it changes."""
    begin = 0
    for t in range(len(ends)):
        for at in range(begin, ends[t]):
            values[order[at]] = endless
        for _ in range(rounds):
            change = 0.0
            for at in range(begin, ends[t]):
                here = order[at]
                if turns[here] == OVER:
                    value = scores[here]
                elif turns[here] == CHANCE:
                    total, whole = 0.0, 0
                    for edge in range(offsets[here], offsets[here + 1]):
                        total += weights[edge] * values[children[edge]]
                        whole += weights[edge]
                    value = total / whole
                else:
                    value = values[children[offsets[here]]]
                    for edge in range(offsets[here] + 1, offsets[here + 1]):
                        other = values[children[edge]]
                        value = max(value, other) if turns[here] == 0 else min(value, other)
                change = max(change, abs(value - values[here]))
                values[here] = value
            if ends[t] - begin == 1 or change <= enough:
                break
        begin = ends[t]


class _Tiers:
    """Whole numbers of any length, tier by tier."""

    def __init__(self, graph: StateGraph, scale: int, endless: int) -> None:
        self.turns = graph.turns.tolist()
        self.offsets = graph.offsets.tolist()
        self.children = graph.children.tolist()
        self.weights = graph.weights.tolist()
        self.scores = [int(Fraction(score) * scale) for score in graph.scores.tolist()]
        self.values: list[Any] = [None] * len(self.turns)
        self.endless = endless
        self.patience = 0

    def run(self, order: Any, ends: Any) -> None:
        positions, begin = order.tolist(), 0
        for end in ends.tolist():
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
            below = [self.children[edge] for edge in range(self.offsets[here], self.offsets[here + 1])]
            outside = [sign * self.values[child] for child in below if child not in within]
            if self.turns[here] == player:
                if outside and max(outside) > sign * self.endless:
                    heapq.heappush(queue, (-max(outside), 1, here))
            else:
                closed[here] = len(below) - len(outside)
                worst[here] = min(outside, default=None)
        while queue:
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
