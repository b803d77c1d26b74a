"""When a search of the alpha-beta family calls the search of a sub-game (see `zermelo.pn.special`).

A call costs more than a look into a table, so it has to be thought about where to make one. Four places, each with a
limit of nodes of its own, 0 for none:

    root    once for a question, before any move is looked at
    inner   a position that the table does not know, before its moves: a win there saves all that is below, and is seen
            where other parts of the search look less deeply (shogi programs ask for a mate in one there, after the
            table and before all else)
    pv      a position whose value turned out to lie inside the window: no move has cut off (Kaneko 2010); no more than
            a part of the nodes that its own search took
    leaf    where the depth is used up, before the estimate is believed

Never where the table or the rules have the answer, where the estimate cuts off already, or where the window leaves no
room for a win. A win is exact: it is remembered as such, and nothing else is remembered. Whatever follows from wins
alone is as exact, and is remembered for searches of any depth: a deeper one has other leaves, and might not see it.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts
from zermelo.minimax.quiet import entering_quietly
from zermelo.pn.special import special_search

PART = 4
"""A call on the line may take one node for so many that the position took without it."""


class Specialised(NamedTuple):
    """How a node begins, and what is tried before its moves and after them."""

    enter: Kernel  # as `entering` has it; a leaf may turn out to be won
    ahead: Kernel | None  # (ws, ply, alpha, hint) -> (whether it is won, value, move or -1), before any move
    behind: Kernel | None  # (ws, ply, beta, best, move, begun, sure) -> (best, move), after one was better than alpha;
    # begun and sure: the counters of nodes and of the horizon when the position was entered


def specialised(mode: Mode, parts: Parts) -> Specialised:
    enter = entering_quietly(mode, parts)
    if parts.options.special is None:
        return Specialised(enter, None, None)
    wins, worth, move_of, reach_of = special_search(mode, parts)
    cyclic, table, strict = parts.game.cyclic, parts.options.table, parts.game.strict_estimates

    @mode.inline
    def enter_leaf(ws, ply, depth, alpha, beta):
        before = ws.horizon
        done, value, alpha, beta, hint = enter(ws, ply, depth, alpha, beta)
        estimated = depth <= 0 and ws.horizon != before
        if estimated and value < beta and alpha < worth(ws, ply) and wins(ws, ply, ws.special_leaf, ws.special_plies):
            ws.horizon = before
            value = worth(ws, ply)
            if cyclic:
                ws.reach[ply] = min(ws.reach[ply], reach_of(ws, ply))
        return done, value, alpha, beta, hint

    @mode.inline
    def rests(ws, ply):
        """What the position is worth rests on the win alone, whatever its moves rest on."""
        if cyclic and table:
            ws.reach[ply + 1] = min(ply, reach_of(ws, ply))

    @mode.inline
    def ahead(ws, ply, alpha, hint):
        limit, plies = 0, 0
        if ply != ws.root_at:
            if hint < 0:
                limit, plies = ws.special_inner, ws.special_plies
        elif ws.special_done == 0:
            ws.special_done = 1
            limit = ws.special_root
        won = alpha < worth(ws, ply) and wins(ws, ply, limit, plies)
        if won:
            rests(ws, ply)
        return won, worth(ws, ply), move_of(ws)

    @mode.inline
    def behind(ws, ply, beta, best, best_move, begun, sure):
        won = strict and best >= worth(ws, ply)
        if best < beta and not won and wins(ws, ply, min(ws.special_pv, (ws.nodes - begun) // PART), 0):
            rests(ws, ply)
            best, best_move, won = worth(ws, ply), move_of(ws), True
        if won:
            ws.horizon = sure
        return best, best_move

    return Specialised(enter_leaf, ahead, behind)
