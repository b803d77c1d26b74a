"""NegaScout with chance nodes: believe the first move, only test the others; and test outcomes for a cut-off first.

At a decision node every move after the first is searched with an empty window just above the best so far: it can only
say "not better" or "better", and is searched again in the second case.

At a chance node an outcome has its own window (A, B), outside of which one of the two cut-offs follows (see `star1`).
Where the outcome is more likely to fall out of the window on one side, it is first tested with an empty window there:
at A when the outcomes so far leave the node closer to alpha, at B when closer to beta. If the test holds, the node is
cut off; if not, its answer is a bound of the outcome, and the rest of the window is searched.

What a bound from a fail-hard child means: a test at A that fails low returns A itself, and M computed from it is alpha
itself; one that fails high returns the next number above A, which says that the outcome is better than A and no more.
So the second search begins at A again, not at what the test returned; a fail-soft test may have shown more, and then
that is where it begins. Either way the value found inside the window is the outcome's own: no bound is ever averaged
unless it cuts off.

Reinefeld 1983, "An improvement to the Scout tree search algorithm"; Hsu, "Selected advanced topics", who asks for the
zero-window test at chance nodes.
"""

from __future__ import annotations

from zermelo.chance.driver import star
from zermelo.chance.family import Family, family
from zermelo.chance.options import ChanceOptions
from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts

TEST_DEPTH = 2
"""Tests pay only where a search costs more than a test."""


def scouting_node(mode: Mode, parts: Parts, shared: Family) -> Kernel:
    toss, share, charged = shared.outcomes
    child, make, v_min, v_max = shared.child, shared.make, shared.low, shared.high
    remember, cut_off = parts.table.remember, shared.cut_off
    above, below_ = parts.nodes.above, parts.nodes.below

    @mode.kernel
    def expect(ws, ply, depth, alpha, beta, hint):
        c, whole = toss(ws, ply, depth, alpha, beta, hint)
        below = charged(depth, c)
        least, most, total = whole * v_min, whole * v_max, 0.0
        for i in range(c):
            outcome, w = ws.moves[ply][i], share(ws, ply, i)
            A = (whole * alpha - most) / w + v_max
            B = (whole * beta - least) / w + v_min
            floor, ceiling = max(A, v_min), min(B, v_max)
            make(ws, ply, outcome, below)
            low_first = whole * (alpha + beta) >= least + most  # whether the middle of what is possible is below
            decided, v = False, 0.0
            if below >= TEST_DEPTH and low_first and v_min < A:
                v = child(ws, ply, below, floor, above(floor))
                decided = v <= floor or v >= ceiling
                floor = max(floor, below_(v))
            elif below >= TEST_DEPTH and not low_first and v_max > B:
                v = child(ws, ply, below, below_(ceiling), ceiling)
                decided = v >= ceiling or v <= floor
                ceiling = min(ceiling, above(v))
            if not decided and ws.stop == 0:
                make(ws, ply, outcome, below)
                v = child(ws, ply, below, floor, ceiling)
            if ws.stop != 0:
                return 0.0
            least += w * (v - v_min)
            most += w * (v - v_max)
            total += w * v
            if v >= B:  # cut-off I
                return cut_off(ws, ply, depth, alpha, beta, max(least / whole, beta), outcome)
            if v <= A:  # cut-off II
                return cut_off(ws, ply, depth, alpha, beta, min(most / whole, alpha), outcome)
        remember(ws, ply, depth, total / whole, alpha, beta, -1)
        return total / whole

    return expect


def star_negascout(mode: Mode, parts: Parts) -> Kernel:
    return family(mode, parts, scouting_node, scout=True)


METHOD = star(
    name="star-negascout",
    summary="tests with empty windows at decision nodes and at chance nodes",
    source="Reinefeld 1983; Hsu 2022",
    kernel=star_negascout,
    options=ChanceOptions(),
)
