"""Star2.5: Star2 with cyclic probing, one move below every outcome, then a second below every outcome, and so on.

    for j = 1 to h do
        for i = 1 to c do  probe the j-th move below the i-th outcome; stop when the bounds leave the window
    then Star1, with the bounds that the probes found

The first moves of all outcomes tell more than all moves of the first outcome, so a large factor does no harm here,
while in sequential probing it undoes what was saved. With h = 1 the two are the same.

Ballard 1983; Hsu, "Selected advanced topics", Star2.5_F3.2'.
"""

from __future__ import annotations

from zermelo.chance.driver import star
from zermelo.chance.family import Family, family
from zermelo.chance.options import ChanceOptions
from zermelo.chance.probing import probing
from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts
from zermelo.rules import Game


def star25_node(mode: Mode, parts: Parts, shared: Family) -> Kernel:
    toss, charged = shared.outcomes.toss, shared.outcomes.charged
    probe, finish = probing(mode, parts, shared)
    cut_high, cut_low, v_min, v_max = shared.cut_high, shared.cut_low, shared.low, shared.high

    @mode.kernel
    def expect(ws, ply, depth, alpha, beta, hint):
        c, whole = toss(ws, ply, depth, alpha, beta, hint)
        below, estimated = charged(depth, c), ws.horizon
        least, most = whole * v_min, whole * v_max
        rounds = 0
        for i in range(c):
            ws.least[ply][i], ws.most[ply][i], ws.seen[ply][i] = v_min, v_max, 0
            rounds = max(rounds, ws.probes[i])
        for j in range(rounds):
            for i in range(c):
                if j < ws.probes[i]:
                    least, most = probe(ws, ply, i, j, j + 1, below, whole, alpha, beta, least, most)
                    if ws.stop != 0:
                        return 0.0
                    if least >= whole * beta:
                        return cut_high(ws, ply, depth, alpha, beta, least / whole, ws.moves[ply][i])
                    if most <= whole * alpha:
                        return cut_low(ws, ply, depth, alpha, beta, most / whole, ws.moves[ply][i])
        return finish(ws, ply, depth, c, whole, alpha, beta, least, most, estimated)

    return expect


def star25(mode: Mode, parts: Parts) -> Kernel:
    return family(mode, parts, star25_node, probes=True)


def suits(game: Game, purpose: str) -> str:
    return "chance: iterative deepening with cyclic probes" if purpose == "search" and game.has_chance else ""


METHOD = star(
    name="star2.5",
    summary="Star1 after probing the first moves below all outcomes, round by round",
    source="Ballard 1983; Hsu 2022",
    kernel=star25,
    options=ChanceOptions(probes=(3,)),
    suits=suits,
)
