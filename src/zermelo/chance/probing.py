"""The two halves of Star2 that do not depend on the order of the probes.

A probe searches one move of the position below an outcome. If the second player is to move there, its value bounds the
outcome's from above, if the first player is, from below: either may cut off the chance node before any outcome has been
searched in full. A probe is searched in the window within which it matters, (A, u) or (l, B), where l and u are the
bounds of the outcome so far.

What was probed is not searched again: the moves are kept, and when no probe has cut off, the outcomes are searched as
in Star1, with bounds l and u of their own in the place of v_min and v_max and with the moves that are left.
"""

from __future__ import annotations

from zermelo.chance.family import Family
from zermelo.chance.options import PROBED
from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import OUTCOMES, PLIES
from zermelo.core.method import Parts
from zermelo.rules import CHANCE, ONGOING, f64, i32, i64


def probing(mode: Mode, parts: Parts, shared: Family) -> tuple[Kernel, Kernel]:
    """`probe` and `finish`. In both, `least` and `most` are the sums of the weighted bounds of all outcomes.

    `probe(ws, ply, i, first, last, depth, whole, alpha, beta, least, most)`: probe the next `last - first` moves below
    the i-th outcome, in their order, when `first` have been probed; gives least and most as they are then.
    `finish(ws, ply, depth, c, whole, alpha, beta, least, most, estimated)`: Star1 on what is left.
    """
    visit, over = parts.nodes.visit, parts.nodes.rules.over
    recall, remember = parts.table[:2]
    arrange, pick = parts.ordering[:2]
    child, resume, make, forbids = shared.child, shared.resume, shared.make, shared.forbids
    cut_high, cut_low = shared.cut_high, shared.cut_low
    share, charged = shared.outcomes.share, shared.outcomes.charged
    clip = parts.options.knowledge  # the textbook without knowledge lets windows reach beyond the bounds
    was_probed, worst, hinted = shared.was_probed, parts.nodes.worst, parts.options.table
    mode.needs(
        least=(f64, PLIES, OUTCOMES),  # bounds of an outcome's value
        most=(f64, PLIES, OUTCOMES),
        probes=(i64, OUTCOMES),  # how many moves to probe below each outcome
        seen=(i64, PLIES, OUTCOMES),  # how many were probed, and which
        probed=(i32, PLIES, OUTCOMES, PROBED),
    )

    @mode.kernel
    def probe(ws, ply, i, first, last, depth, whole, alpha, beta, least, most):
        below, w = ply + 1, share(ws, ply, i)
        l, u = ws.least[ply][i], ws.most[ply][i]  # noqa: E741
        if (clip and l == u) or (first > 0 and ws.seen[ply][i] == 0):
            return least, most
        make(ws, ply, ws.moves[ply][i], depth)
        if ws.sides[below] == CHANCE and over(ws, below) == ONGOING:
            return least, most  # there is no move to probe: it is visited once, when it is searched
        second = ws.sides[below] == 1
        hint = -1
        if first == 0:
            done, lower, upper = visit(ws, below, depth)
            if not done:
                lower, upper, hint = recall(ws, below, depth, lower, upper, worst, -worst)
            if second:
                lower, upper = -upper, -lower
            lower, upper = max(lower, l), min(upper, u)
            least += w * (lower - l)
            most += w * (upper - u)
            ws.least[ply][i], ws.most[ply][i] = lower, upper
            l, u = lower, upper  # noqa: E741
            if l >= u or ws.stop != 0 or most <= whole * alpha or least >= whole * beta:
                return least, most
        elif hinted:
            hint = recall(ws, below, depth, worst, -worst, worst, -worst)[2]
        n = arrange(ws, below, hint)
        left = last - first
        for j in range(n):
            if left == 0:
                break
            move = pick(ws, below, j, n)
            if first > 0 and was_probed(ws, ply, i, ws.seen[ply][i], move):
                continue
            make(ws, below, move, depth - 1)
            if forbids(ws, below, depth):
                continue
            left -= 1
            if second:
                A = (whole * alpha - most) / w + u
                A = max(A, l) if clip else A
                v = -child(ws, below, depth - 1, -u, -A)
            else:
                B = (whole * beta - least) / w + l
                B = min(B, u) if clip else B
                v = child(ws, below, depth - 1, l, B)
            if ws.stop != 0:
                return least, most
            ws.probed[ply][i][ws.seen[ply][i]] = move
            ws.seen[ply][i] += 1
            if second and v < u:
                v = max(v, l)
                most += w * (v - u)
                u = v
                ws.most[ply][i] = u
                if most <= whole * alpha or (clip and l == u):
                    break
            elif not second and v > l:
                v = min(v, u)
                least += w * (v - l)
                l = v  # noqa: E741
                ws.least[ply][i] = l
                if least >= whole * beta or (clip and l == u):
                    break
        return least, most

    @mode.kernel
    def finish(ws, ply, depth, c, whole, alpha, beta, least, most, estimated):
        below = charged(depth, c)
        total = 0.0
        for i in range(c):
            outcome, w = ws.moves[ply][i], share(ws, ply, i)
            l, u = ws.least[ply][i], ws.most[ply][i]  # noqa: E741
            if l == u:
                total += w * l
                continue
            A = (whole * alpha - most) / w + u
            B = (whole * beta - least) / w + l
            make(ws, ply, outcome, below)
            floor, ceiling = (max(A, l), min(B, u)) if clip else (A, B)
            if ws.seen[ply][i] > 0:
                known = u if ws.sides[ply + 1] == 1 else l
                v = resume(ws, ply, i, below, floor, ceiling, known, estimated)
            else:
                v = child(ws, ply, below, floor, ceiling)
            if ws.stop != 0:
                return 0.0
            least += w * (v - l)
            most += w * (v - u)
            total += w * v
            if v >= B:  # cut-off I
                return cut_high(ws, ply, depth, alpha, beta, least / whole, outcome)
            if v <= A:  # cut-off II
                return cut_low(ws, ply, depth, alpha, beta, most / whole, outcome)
        remember(ws, ply, depth, total / whole, alpha, beta, -1)
        return total / whole

    return probe, finish
