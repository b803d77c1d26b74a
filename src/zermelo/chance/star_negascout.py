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
from zermelo.chance.star1 import star1_node
from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts

TEST_DEPTH = 2
"""Tests pay only where a search costs more than a test."""


def scouting_node(mode: Mode, parts: Parts, shared: Family) -> Kernel:
    child, make, v_min, v_max = shared.child, shared.make, shared.low, shared.high
    above, below = parts.nodes.above, parts.nodes.below

    @mode.kernel
    def look(ws, ply, outcome, depth, A, B, low):
        floor, ceiling = max(A, v_min), min(B, v_max)
        make(ws, ply, outcome, depth)
        decided, v = False, 0.0
        if depth >= TEST_DEPTH and low and v_min < A:
            v = child(ws, ply, depth, floor, above(floor))
            decided = v <= floor or v >= ceiling
            floor = max(floor, below(v))
        elif depth >= TEST_DEPTH and not low and v_max > B:
            v = child(ws, ply, depth, below(ceiling), ceiling)
            decided = v >= ceiling or v <= floor
            ceiling = min(ceiling, above(v))
        if not decided and ws.stop == 0:
            make(ws, ply, outcome, depth)
            v = child(ws, ply, depth, floor, ceiling)
        return v

    return star1_node(mode, parts, shared, look)


def star_negascout(mode: Mode, parts: Parts) -> Kernel:
    return family(mode, parts, scouting_node, scout=True)


METHOD = star(
    name="star-negascout",
    summary="tests with empty windows at decision nodes and at chance nodes",
    source="Reinefeld 1983; Hsu 2022",
    kernel=star_negascout,
    options=ChanceOptions(),
)
