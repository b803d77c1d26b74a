"""Late-move reductions: where moves are well ordered, those that come late are seldom the best.

A move that nothing speaks for (not the table's, not a loud one, no killer) and that comes after a few others is first
searched less deeply; only if it then turns out better than expected, to the full depth. Romstad, "An introduction to
late move reductions" (2006); the idea of searching by rank less deeply is Levy, Broughton and Taylor's 1989, "The SEX
algorithm in computer chess". The reduction grows with the logarithms of depth and place.

A reduced search that meets no estimate is as good as a full one; one that does is counted as what it is.
"""

from __future__ import annotations

import math

import numpy as np

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts

LEAST_DEPTH = 3
FIRST_LATE = 3
_MOST = 64


def late_moves(mode: Mode, parts: Parts) -> Kernel:
    """`(ws, ply, depth, i)` -> how many plies less the move that was picked i-th is searched at first."""
    favoured, last = parts.ordering.favoured, _MOST - 1
    plies = np.zeros((_MOST, _MOST), np.int64)
    for depth in range(LEAST_DEPTH, _MOST):
        for place in range(FIRST_LATE, _MOST):
            plies[depth, place] = min(depth - 2, int(0.5 + math.log(depth) * math.log(place) / 2))

    @mode.inline
    def less(ws, ply, depth, i):
        if depth < LEAST_DEPTH or i < FIRST_LATE or ws.checks[ply] != 0 or favoured(ws, ply, i):
            return 0
        return int(plies[min(depth, last), min(i, last)])

    return less
