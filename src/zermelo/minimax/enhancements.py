"""Two ways to get more out of the table, which the searches of the alpha-beta family share."""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts

IID_DEPTH = 3
"""Internal iterative deepening starts where at least this many plies are left."""


def transposition_cutoff(mode: Mode, parts: Parts) -> Kernel:
    """Enhanced transposition cut-off: before any move is searched, ask the table whether one of them is known
    to be good enough (Schaeffer and Plaat 1996, "New advances in alpha-beta searching").

    `(ws, ply, depth, n, beta)` -> a lower bound of at least beta, or the worst value if the table knows none.
    """
    opposes, repeats, worst = parts.nodes.opposes, parts.nodes.repeats, parts.nodes.worst
    recall, descend, enabled = parts.table.recall, parts.table.descend, parts.options.etc

    @mode.inline
    def cutoff(ws, ply, depth, n, beta):
        if not enabled or depth < 2:
            return worst
        before = ws.horizon
        for i in range(n):
            descend(ws, ply, ws.moves[ply][i], depth)
            if repeats(ws, ply + 1):
                continue
            turned = opposes(ws, ply)
            enough = (-beta, -worst) if turned else (worst, beta)
            lower, upper, _ = recall(ws, ply + 1, depth - 1, worst, -worst, enough[0], enough[1])
            value = -upper if turned else lower
            if value >= beta:
                return value
            ws.horizon = before
        return worst

    return cutoff
