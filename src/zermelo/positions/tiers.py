"""A graph of positions cut into tiers: its strongly connected components, the last ones first.

Whoever leaves a tier never comes back to it. In dark chess a flip or a capture does that, in pig a score that grows.
Tarjan 1972, "Depth-first search and linear graph algorithms", without recursion, and so that it can be interrupted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.compile.arrays import on_arrays
from zermelo.positions.effort import Stopped
from zermelo.positions.move_graph import MoveGraph
from zermelo.rules import CHANCE

QUANTUM = 4_000_000
"""How many moves a kernel looks at before it returns, so that the clock can be looked at: some 0.05 seconds."""


@dataclass(frozen=True)
class Tiers:
    """`order`, all positions, a tier at a time and every tier after those that it leads to, and `ends`, where in the
    order each tier ends. `tosses`: the most chance positions on a path, None if some lie on a cycle; `loops`: whether
    there are cycles at all."""

    order: Any
    ends: Any
    tosses: int | None
    loops: bool

    @property
    def largest(self) -> int:
        return int(np.diff(self.ends, prepend=0).max())

    def __len__(self) -> int:
        return len(self.ends)


def cut(graph: MoveGraph, stopped: Callable[[], bool]) -> Tiers:
    """The tiers of a graph."""
    n = len(graph)
    order, ends, tosses = (np.zeros(n, np.int32) for _ in range(3))
    met, low, nearest, path = (np.zeros(n, np.int32) for _ in range(4))
    placed, at = np.zeros(n, np.bool_), graph.offsets[:-1].copy()
    place = np.zeros(6, np.int64)
    while place[_ROOT] < n or place[_DEPTH] > 0:
        if stopped():
            raise Stopped
        _tarjan(graph.offsets, graph.children, order, ends, met, low, nearest, path, placed, at, place, QUANTUM)
    ends = ends[: place[_COUNT]]
    place[:] = 0
    tier = np.full(n, -1, np.int32)
    while place[0] < len(ends):
        if stopped():
            raise Stopped
        _count_tosses(graph.turns, graph.offsets, graph.children, order, ends, tosses, tier, place, QUANTUM)
    return Tiers(order, ends, None if place[1] else int(tosses.max(initial=0)), bool(place[2]))


_ROOT, _CLOCK, _HEIGHT, _DEPTH, _FILLED, _COUNT = range(6)


@on_arrays
def _tarjan(offsets, children, order, ends, met, low, nearest, path, placed, at, place, work):
    """`met`: when each was met first, from 1; `nearest`: Tarjan's stack; `at`: the next move to follow."""
    root, clock, height, depth, filled, count = place[0], place[1], place[2], place[3], place[4], place[5]
    while work > 0 and (depth > 0 or root < len(order)):
        work -= 1
        if depth == 0:
            if met[root] == 0:
                path[0], depth = root, 1
            root += 1
            continue
        here = path[depth - 1]
        if met[here] == 0:
            clock += 1
            met[here] = low[here] = clock
            nearest[height] = here
            height += 1
        if at[here] < offsets[here + 1]:
            child = children[at[here]]
            if met[child] == 0:
                path[depth] = child
                depth += 1
                continue
            if not placed[child] and met[child] < low[here]:
                low[here] = met[child]
            at[here] += 1
            continue
        depth -= 1
        if depth > 0:
            above = path[depth - 1]
            low[above] = min(low[above], low[here])
            at[above] += 1
        if low[here] == met[here]:
            while True:
                height -= 1
                member = nearest[height]
                placed[member] = True
                order[filled] = member
                filled += 1
                if member == here:
                    break
            ends[count] = filled
            count += 1
    place[0], place[1], place[2], place[3], place[4], place[5] = root, clock, height, depth, filled, count


@on_arrays
def _count_tosses(turns, offsets, children, order, ends, tosses, tier, place, work):
    """The most chance positions that may lie ahead of each. `place`: the next tier, whether chance positions lie on a
    cycle, whether there are cycles."""
    t = place[0]
    while work > 0 and t < len(ends):
        begin = ends[t - 1] if t > 0 else 0
        for at in range(begin, ends[t]):
            tier[order[at]] = t
        most, chance, loops = 0, False, ends[t] - begin > 1
        for at in range(begin, ends[t]):
            here = order[at]
            chance = chance or turns[here] == CHANCE
            work -= 1 + offsets[here + 1] - offsets[here]
            for edge in range(offsets[here], offsets[here + 1]):
                if tier[children[edge]] != t:
                    most = max(most, tosses[children[edge]])
                loops = loops or children[edge] == here
        if loops:
            place[2] = 1
            if chance:
                place[1] = 1
        for at in range(begin, ends[t]):
            tosses[order[at]] = most + (1 if chance else 0)
        t += 1
    place[0] = t
