"""Star0: every outcome of every chance node, with an open window. The definition, and the measure of the others.

    Star0(x) = (w1 G(p1, −∞, +∞) + … + wc G(pc, −∞, +∞)) / D

Hsu, "Theory of Computer Games: Selected advanced topics", algorithms Star0_EQU, Star0_GCD and Star0 for MAX and MIN;
Ballard 1983. Decision nodes are alpha-beta's, but every chance node opens the window again.
"""

from __future__ import annotations

from zermelo.chance.driver import star
from zermelo.chance.family import Family, family
from zermelo.chance.options import ChanceOptions
from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts


def star0_node(mode: Mode, parts: Parts, shared: Family) -> Kernel:
    toss, share, charged = shared.outcomes
    child, make, worst = shared.child, shared.make, parts.nodes.worst
    remember = parts.table.remember

    @mode.kernel
    def expect(ws, ply, depth, alpha, beta, hint):
        c, whole = toss(ws, ply, depth, alpha, beta, hint)
        below = charged(depth, c)
        total = 0.0
        for i in range(c):
            make(ws, ply, ws.moves[ply][i], below)
            total += share(ws, ply, i) * child(ws, ply, below, worst, -worst)
            if ws.stop != 0:
                return 0.0
        remember(ws, ply, depth, total / whole, worst, -worst, -1)
        return total / whole

    return expect


def star0(mode: Mode, parts: Parts) -> Kernel:
    return family(mode, parts, star0_node)


METHOD = star(
    name="star0",
    summary="expectiminimax: every outcome of every chance node, as defined",
    source="Ballard 1983; Hsu 2022",
    kernel=star0,
    options=ChanceOptions(table=False, order=(), merge=False),
)
