"""Linear equations of a Markov chain, solved by leaving out one state after another.

Each state has a row: weights of the states that it leads to, the weight of what lies outside, and what that adds up to.
A state is left out by passing its row on to those that lead to it, as in Gaussian elimination; nothing is ever
subtracted but what leads from a state to itself, which is dropped. So floats lose no digits, and whole numbers stay
whole and positive. A state that leads nowhere but to itself is never left again: it is worth what endless play is.

Grassmann, Taksar and Heyman 1985 for the elimination without subtractions; Markowitz 1957 for the order: the state
with the fewest neighbours first, which keeps a chain of thousands of states as cheap as it is long.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.positions.effort import Effort, TooMuch, price

LONGEST = 12_000
"""The most bits of a numerator or denominator: Python writes numbers of up to 4300 digits."""
DENSEST = 10_000
"""The most pairs of neighbours of a state to be left out: with more, fractions grow out of hand."""

Number = Any
"""A whole number in a row and a `Fraction` as a value; or a float in both."""


@dataclass
class Row:
    """x = (sum of inside[j] · x[j] + gain) / (sum of inside + out)."""

    inside: dict[int, Number]
    out: Number
    gain: Number

    def total(self) -> Number:
        return sum(self.inside.values()) + self.out

    def copy(self) -> Row:
        return Row(dict(self.inside), self.out, self.gain)

    def worth(self, values: Any) -> Number:
        """The value of this row by the values of the states that it leads to."""
        above = sum(weight * values[j] for j, weight in self.inside.items()) + self.gain
        total = self.total()
        return Fraction(above, total) if isinstance(above, int) else above / total


class Elimination:
    """Rows from which states are left out in turn. `exact`: whole numbers, else floats; `endless`: what it is worth to
    stay for ever, in the unit of the gains."""

    def __init__(self, rows: dict[int, Row], endless: Number, exact: bool, effort: Effort) -> None:
        self.rows, self.endless, self.exact, self.effort = rows, endless, exact, effort
        self.order: list[int] = []
        self.before: dict[int, set[int]] = {}
        for i, row in rows.items():
            for j in row.inside:
                self.before.setdefault(j, set()).add(i)

    def leave_out(self, states: Iterable[int]) -> None:
        """Leave out these states, in an order that keeps the rows short. A state's own row must not lead to itself."""
        queue = [(self._neighbours(k), k) for k in states]
        heapq.heapify(queue)
        while queue:
            was, k = heapq.heappop(queue)
            now = self._neighbours(k)
            if now > was:
                heapq.heappush(queue, (now, k))
                continue
            if self.exact and now > DENSEST:
                raise TooMuch
            self._leave_out(k)
            self.order.append(k)

    def solve(self, values: Any) -> None:
        """Fill in the values of the states left out, from those of the others."""
        for k in reversed(self.order):
            row = self.rows[k]
            values[k] = value = row.worth(values)
            bits = value.denominator.bit_length() if self.exact else 0
            if bits > LONGEST:
                raise TooMuch
            self.effort.spend((1 + len(row.inside)) * 4 * price(bits))

    def _neighbours(self, k: int) -> int:
        return len(self.rows[k].inside) * len(self.before.get(k, ()))

    def _leave_out(self, k: int) -> None:
        row = self.rows[k]
        total = row.total()
        if total == 0:
            row.out, row.gain, total = 1, self.endless, 1
        for i in self.before.pop(k, ()):
            self._pass_on(i, k, row, total)
        for j in row.inside:
            self.before[j].discard(k)

    def _pass_on(self, i: int, k: int, row: Row, total: Number) -> None:
        """Put the row of k in the place of k in the row of i."""
        into = self.rows[i]
        weight = into.inside.pop(k)
        if self.exact:
            common = math.gcd(weight, total)
            weight, total = weight // common, total // common
        inside = {j: other * total for j, other in into.inside.items()}
        for j, other in row.inside.items():
            if j != i:
                inside[j] = inside.get(j, 0) + weight * other
                self.before[j].add(i)
        out, gain = into.out * total + weight * row.out, into.gain * total + weight * row.gain
        whole = sum(inside.values()) + out
        if self.exact:
            if whole.bit_length() > LONGEST:
                raise TooMuch
            self.effort.spend((2 + len(inside)) * price(whole.bit_length()))
            common = math.gcd(out, gain, *inside.values())
            if common > 1:
                inside = {j: other // common for j, other in inside.items()}
                out, gain = out // common, gain // common
        else:
            self.effort.spend(2 + len(inside))
            if whole > 0:
                inside = {j: other / whole for j, other in inside.items()}
                out, gain = out / whole, gain / whole
        self.rows[i] = Row(inside, out, gain)
