"""A graph of positions cut into tiers: its strongly connected components, the last ones first.

Whoever leaves a tier never comes back to it. In dark chess a flip or a capture does that, in pig a score that grows.
Tarjan 1972, "Depth-first search and linear graph algorithms", without recursion.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.chance.states import StateGraph
from zermelo.compile.arrays import on_arrays


def tiers(graph: StateGraph) -> tuple[Any, Any]:
    """`order`, all positions, a tier at a time and every tier after those that it leads to, and `ends`, where in the
    order each tier ends."""
    n = len(graph)
    order, ends = np.zeros(n, np.int32), np.zeros(n, np.int32)
    count = _tarjan(graph.offsets, graph.children, order, ends)
    return order, ends[:count]


@on_arrays
def _tarjan(offsets, children, order, ends):
    n = len(order)
    met = np.zeros(n, np.int32)  # when each was met first, from 1
    low = np.zeros(n, np.int32)
    placed = np.zeros(n, np.bool_)
    nearest = np.zeros(n, np.int32)  # Tarjan's stack
    path = np.zeros(n, np.int32)
    at = offsets[:-1].copy()  # the next move to follow
    clock, height, depth, filled, count = 0, 0, 0, 0, 0
    for root in range(n):
        if met[root] != 0:
            continue
        path[0], depth = root, 1
        while depth > 0:
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
    return count
