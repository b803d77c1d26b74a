"""NegaScout (principal variation search): believe the first move, only test the others.

Every move after the first is searched with an empty window, which can only say "not better" or "better"; in
the second case it is searched again. Reinefeld 1983, "An improvement to the Scout tree search algorithm".
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Method, Parts
from zermelo.minimax.checks import extending
from zermelo.minimax.enhancements import IID_DEPTH, transposition_cutoff
from zermelo.minimax.futility import futility
from zermelo.minimax.late_moves import late_moves
from zermelo.minimax.null_move import null_move
from zermelo.minimax.specialised import specialised


def negascout(mode: Mode, parts: Parts) -> Kernel:
    enter, ahead, behind = specialised(mode, parts)
    opposes, special = parts.nodes.opposes, parts.options.special is not None
    recall, remember, descend = parts.table[:3]
    arrange, pick, praise, weigh = parts.ordering[:4]
    known_cutoff = transposition_cutoff(mode, parts)
    extend, longer = extending(mode, parts), 1 if parts.options.extensions else 0
    tries_pass, less_for_pass, judge_pass = null_move(mode, parts)
    list_promising, less_for_late = futility(mode, parts), late_moves(mode, parts)
    nulls, prunes = bool(parts.options.null), bool(parts.options.futility)
    reduces = bool(parts.options.reductions)
    above, below, number = parts.nodes.above, parts.nodes.below, parts.nodes.number
    iid = parts.options.iid

    @mode.kernel
    def child(ws, ply, depth, alpha, beta):
        """The value of the position at ply + 1 for the player to move at ply."""
        if opposes(ws, ply):
            return -search(ws, ply + 1, depth - 1, -beta, -alpha)
        return search(ws, ply + 1, depth - 1, alpha, beta)

    @mode.kernel
    def search(ws, ply, depth, alpha, beta):
        depth = extend(ws, ply, depth)
        done, value, alpha, beta, hint = enter(ws, ply, depth, alpha, beta)
        if done:
            return value
        begun, sure = (ws.nodes, ws.horizon) if special else (0, 0)
        if special:
            won, value, winner = ahead(ws, ply, alpha, hint)  # type: ignore[misc]
            if won:
                remember(ws, ply, depth, value, alpha, beta, winner)
                return value
        if nulls and tries_pass(ws, ply, depth, beta):
            value = -search(ws, ply + 1, depth - 1 - less_for_pass(depth), -beta, -below(beta))
            enough, value = judge_pass(ws, ply, value, beta)
            if enough:
                remember(ws, ply, depth, value, alpha, beta, hint)
                return value
        if iid and hint < 0 and depth >= IID_DEPTH:
            exact_so_far = ws.horizon
            search(ws, ply, depth // 2, alpha, beta)
            ws.horizon = exact_so_far  # its estimates choose a move to try first, nothing more
            hint = recall(ws, ply, depth, alpha, beta, alpha, beta)[2]

        if prunes:
            n = list_promising(ws, ply, depth, alpha, beta, hint)
        else:
            n = arrange(ws, ply, hint)
        best, best_move, bar = known_cutoff(ws, ply, depth, n, beta), -1, alpha
        if prunes:
            best = max(best, number(ws.hope[ply]))
        if best < beta:
            for i in range(n):
                weigh(ws, ply, depth, beta, hint, i, n)
                move = pick(ws, ply, i, n)
                descend(ws, ply, move, depth + longer)
                scout = beta if i == 0 else above(bar)
                less = 0
                if reduces:
                    less = less_for_late(ws, ply, depth, i)
                value = child(ws, ply, depth - less, bar, scout)
                if reduces and less > 0 and value > bar and ws.stop == 0:
                    value = child(ws, ply, depth, bar, scout)
                if scout <= value < beta and ws.stop == 0:
                    value = child(ws, ply, depth, value, beta)
                if ws.stop != 0:
                    return best
                if value > best:
                    best, best_move = value, move
                    if value >= beta:
                        praise(ws, ply, move, depth)
                        break
                    bar = max(bar, value)
        if special and best > alpha:
            best, best_move = behind(ws, ply, beta, best, best_move, begun, sure)  # type: ignore[misc]
        remember(ws, ply, depth, best, alpha, beta, best_move)
        return best

    return search


METHOD = Method(
    name="negascout",
    summary="alpha-beta that searches the first move and only tests the others",
    source="Reinefeld 1983",
    kernel=negascout,
    specialised=True,
    selective=True,
)
