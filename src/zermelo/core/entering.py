"""How a node of the alpha-beta family begins: what rules and table know of it, before any move is looked at.

Bounds for the value that lie outside the window end the node; otherwise they narrow the window. Knuth and Moore 1975;
the table as in Plaat, Schaeffer, Pijls and de Bruin 1996.
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts


def entering(mode: Mode, parts: Parts) -> Kernel:
    """`(ws, ply, depth, alpha, beta)` -> (done, value, alpha, beta, hint): the value if nothing is left to do, else the
    window that is left and the table's move or -1."""
    visit, recall = parts.nodes.visit, parts.table.recall

    @mode.inline
    def enter(ws, ply, depth, alpha, beta):
        done, lower, upper = visit(ws, ply, depth)
        if done:
            return True, lower, alpha, beta, -1
        lower, upper, hint = recall(ws, ply, depth, lower, upper, alpha, beta)
        if lower >= beta:
            return True, lower, alpha, beta, hint
        alpha = max(alpha, lower)
        if upper <= alpha:
            return True, upper, alpha, beta, hint
        return False, lower, alpha, min(beta, upper), hint

    return enter
