"""Futility: shortly before the depth ends, a quiet move does not save a position that is far behind.

Within a few plies of the horizon, where the estimate stays below alpha even with a margin for each ply, quiet moves are
not searched, only loud ones; the quiet ones together are taken to be worth the estimate and the margin. Schaeffer 1986,
"Experiments in search and knowledge"; two plies before the horizon: Heinz 1998, "Extended futility pruning". The other
way round, a position that is better than beta by the margin is not searched either.

Both are estimates and counted as such. The margin, the option `futility`, is what one quiet move may gain, in the units
of the game's `evaluate`.
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import PLIES
from zermelo.core.method import Parts
from zermelo.rules import f64, i64

DEPTHS = 3
"""How near to the horizon."""


def futility(mode: Mode, parts: Parts) -> Kernel:
    """`(ws, ply, depth, alpha, beta, hint)` -> how many moves are listed: all that may matter; 0 if none does. What
    the others are taken to be worth is in `ws.hope[ply]`, the worst value if there are none."""
    appraise, number, worst = parts.nodes.appraise, parts.nodes.number, parts.nodes.worst
    arrange, gather = parts.ordering.arrange, parts.ordering.gather
    margin = number(parts.options.futility or 0)
    if parts.options.futility:
        mode.needs(hope=(f64, PLIES), root_at=i64)

    @mode.inline
    def list_promising(ws, ply, depth, alpha, beta, hint):
        ws.hope[ply] = worst
        if depth <= DEPTHS and ws.checks[ply] == 0 and ply != ws.root_at:
            estimate = appraise(ws, ply)
            if estimate - margin * depth >= beta:
                ws.horizon += 1
                ws.hope[ply] = estimate - margin * depth
                return 0
            if estimate + margin * depth <= alpha:
                ws.horizon += 1
                ws.hope[ply] = estimate + margin * depth
                return gather(ws, ply)
        return arrange(ws, ply, hint)

    return list_promising
