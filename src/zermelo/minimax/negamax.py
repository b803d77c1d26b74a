"""Negamax: minimax in one function, since what is good for one player is as bad for the other.

Knuth and Moore 1975. Nothing is pruned, so the window plays no part; with a table, each position is searched
once for each depth.
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import PLAIN, Method, Parts


def negamax(mode: Mode, parts: Parts) -> Kernel:
    visit, opposes = parts.nodes.visit, parts.nodes.opposes
    recall, remember, descend = parts.table[:3]
    arrange, pick = parts.ordering[:2]
    worst = parts.nodes.worst

    @mode.kernel
    def search(ws, ply, depth, alpha, beta):
        done, lower, upper = visit(ws, ply, depth)
        if done:
            return lower
        lower, upper, hint = recall(ws, ply, depth, lower, upper, worst, -worst)
        if lower == upper:
            return lower
        best, best_move = worst, -1
        n = arrange(ws, ply, hint)
        for i in range(n):
            move = pick(ws, ply, i, n)
            descend(ws, ply, move, depth)
            value = search(ws, ply + 1, depth - 1, alpha, beta)
            if opposes(ws, ply):
                value = -value
            if value > best:
                best, best_move = value, move
        remember(ws, ply, depth, best, worst, -worst, best_move)
        return best

    return search


METHOD = Method(
    name="negamax",
    summary="every move of every position, in one function",
    source="Knuth and Moore 1975",
    kernel=negamax,
    prunes=False,
    options=PLAIN,
)
