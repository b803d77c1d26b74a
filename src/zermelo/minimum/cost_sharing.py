"""A lower bound of what a part of a system must cost, at once.

Whoever calls for an item pays a share of what it costs. If the shares of an item add up to no more than one, what the
roots have to pay is no more than the cost of any closed set: it is a feasible solution of the dual of the
linear relaxation, and no solver is needed for it. A choice pays only as much as its cheapest option asks for; what it
leaves unused of the others' costs is taken over, round by round, by those who can use it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np

from zermelo.compile.arrays import on_arrays
from zermelo.minimum.requirements import Part

ROUNDS = 200
STEP = 0.5
SMALL = 200
"""Up to so many items the integer program is solved sooner than a bound is worth."""
TINY = 1e-9
CARE = 1e-6
"""What rounding may add to a sum of shares."""


def shared_cost(part: Part, seconds: float, stopped: Callable[[], bool] = lambda: False) -> int:
    """A lower bound of the cost of every closed set, bettered for some seconds at the most; none for a small part."""
    if len(part) <= SMALL:
        return 0
    starts, edges, choice_from = _rows(part)
    count = np.bincount(edges, minlength=len(part)).astype(np.float64)
    shares = 1.0 / np.maximum(count[edges], 1.0)
    costs = np.array(part.costs, np.float64)
    deadline = time.perf_counter() + seconds
    best = 0.0
    for _ in range(ROUNDS):
        best = max(best, float(pay(starts, edges, choice_from, costs, shares, part.roots)))
        if stopped() or time.perf_counter() > deadline:
            break
    return math.ceil(best - CARE)


def _rows(part: Part) -> tuple[Any, Any, Any]:
    """The demands one behind the other: of item i those from starts[i] on, the options of its choice from
    choice_from[i] on."""
    lengths = [len(every) + len(options) for every, options in zip(part.every, part.any)]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    choice_from = starts[:-1] + np.array([len(every) for every in part.every], np.int64)
    flat = chain.from_iterable(chain(every, options) for every, options in zip(part.every, part.any))
    return starts, np.fromiter(flat, np.int64, int(starts[-1])), choice_from


@on_arrays
def pay(starts, edges, choice_from, costs, shares, roots):
    """What the roots pay under these shares. Then the shares are moved to where they are of use."""
    size = len(costs)
    prices = np.zeros(size)
    used = np.zeros(len(edges))
    for item in range(size - 1, -1, -1):
        price = costs[item]
        for edge in range(starts[item], choice_from[item]):
            price += shares[edge] * prices[edges[edge]]
            used[edge] = shares[edge]
        least = -1.0
        for edge in range(choice_from[item], starts[item + 1]):
            asked = shares[edge] * prices[edges[edge]]
            if least < 0.0 or asked < least:
                least = asked
        for edge in range(choice_from[item], starts[item + 1]):
            worth = prices[edges[edge]]
            used[edge] = least / worth if worth > 0.0 else 0.0
        prices[item] = price + max(least, 0.0)
    total = 0.0
    needed = np.zeros(size)
    for item in range(roots):
        total += prices[item]
        needed[item] = 1.0
    wanted = np.zeros(size)
    for item in range(size):
        for edge in range(starts[item], starts[item + 1]):
            used[edge] = used[edge] * needed[item] + TINY
            needed[edges[edge]] = min(1.0, needed[edges[edge]] + used[edge])
            wanted[edges[edge]] += used[edge]
    for edge in range(len(edges)):
        shares[edge] += STEP * (used[edge] / wanted[edges[edge]] - shares[edge])
    return total
