"""Star2: before the outcomes of a chance node are searched, probe a few moves below each.

    for i = 1 to c do  probe h moves below the i-th outcome; stop when the bounds leave the window
    then Star1, with the bounds that the probes found

Sequential probing with the factor h; with h = 0 it is Star1, node for node. The factor may differ from outcome to
outcome. Which moves are probed is up to the order of moves. With h as large as the number of moves nothing is saved
any more: the probes are then the search.

Ballard 1983; Hsu, "Selected advanced topics", Star2_F3.2' and the comments on probing.
"""

from __future__ import annotations

from zermelo.chance.driver import star
from zermelo.chance.family import Family, family
from zermelo.chance.options import ChanceOptions
from zermelo.chance.probing import probing
from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts


def star2_node(mode: Mode, parts: Parts, shared: Family) -> Kernel:
    toss, charged = shared.outcomes.toss, shared.outcomes.charged
    probe, finish = probing(mode, parts, shared)
    cut_high, cut_low, v_min, v_max = shared.cut_high, shared.cut_low, shared.low, shared.high

    @mode.kernel
    def expect(ws, ply, depth, alpha, beta, hint):
        c, whole = toss(ws, ply, depth, alpha, beta, hint)
        below, estimated = charged(depth, c), ws.horizon
        least, most = whole * v_min, whole * v_max
        for i in range(c):
            ws.least[ply][i], ws.most[ply][i], ws.seen[ply][i] = v_min, v_max, 0
        for i in range(c):
            h = ws.probes[i]
            if h > 0:
                least, most = probe(ws, ply, i, 0, h, below, whole, alpha, beta, least, most)
                if ws.stop != 0:
                    return 0.0
                if least >= whole * beta:
                    return cut_high(ws, ply, depth, alpha, beta, least / whole, ws.moves[ply][i])
                if most <= whole * alpha:
                    return cut_low(ws, ply, depth, alpha, beta, most / whole, ws.moves[ply][i])
        return finish(ws, ply, depth, c, whole, alpha, beta, least, most, estimated)

    return expect


def star2(mode: Mode, parts: Parts) -> Kernel:
    return family(mode, parts, star2_node, probes=True)


METHOD = star(
    name="star2",
    summary="Star1 after probing a few moves below each outcome, one outcome after the other",
    source="Ballard 1983; Hsu 2022",
    kernel=star2,
    options=ChanceOptions(probes=(1,)),
)
