"""Star1: a chance node ends as soon as the outcomes that are left cannot bring its value back into the window.

With c outcomes of weight w_i, D in all, and values from v_min to v_max, the value lies after i of them between

    m_i = (Σ_{j≤i} w_j v_j + v_min Σ_{j>i} w_j) / D   and   M_i = (Σ_{j≤i} w_j v_j + v_max Σ_{j>i} w_j) / D.

m_i ≥ beta is cut-off I, M_i ≤ alpha cut-off II. Both can be asked of the outcome itself: it is searched in the window
(A, B) outside of which one of them follows,

    A_{i-1} = (D alpha − Σ_{j<i} w_j v_j − v_max Σ_{j>i} w_j) / w_i,  B_{i-1} likewise with beta and v_min,

here from the running sums `least` = D m and `most` = D M:  A = (D alpha − most) / w_i + v_max.

A fail-soft child that fails high returns more than B, and m_i more than beta; a fail-hard child returns just B, and
m_i is then beta itself. Either is a lower bound of the node, so fail-hard children do no harm; they only say less.

Ballard 1983; Hsu, "Selected advanced topics", Star1_EQU and Star1 (whose closed forms of A and B carry a sign error).
"""

from __future__ import annotations

from zermelo.chance.driver import star
from zermelo.chance.family import Family, family
from zermelo.chance.options import ChanceOptions
from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts


def star1_node(mode: Mode, parts: Parts, shared: Family, look: Kernel | None = None) -> Kernel:
    """`look(ws, ply, outcome, depth, A, B, low)` -> the value of an outcome in its window, `low` telling whether the
    node looks closer to alpha than to beta; a plain search if none is given."""
    toss, share, charged = shared.outcomes
    v_min, v_max, cut_high, cut_low = shared.low, shared.high, shared.cut_high, shared.cut_low
    remember, value_of = parts.table.remember, look or plain_look(mode, parts, shared)

    @mode.kernel
    def expect(ws, ply, depth, alpha, beta, hint):
        c, whole = toss(ws, ply, depth, alpha, beta, hint)
        below = charged(depth, c)
        least, most, total = whole * v_min, whole * v_max, 0.0
        for i in range(c):
            outcome, w = ws.moves[ply][i], share(ws, ply, i)
            A = (whole * alpha - most) / w + v_max
            B = (whole * beta - least) / w + v_min
            v = value_of(ws, ply, outcome, below, A, B, whole * (alpha + beta) >= least + most)
            if ws.stop != 0:
                return 0.0
            least += w * (v - v_min)
            most += w * (v - v_max)
            total += w * v
            if v >= B:  # cut-off I
                return cut_high(ws, ply, depth, alpha, beta, least / whole, outcome)
            if v <= A:  # cut-off II
                return cut_low(ws, ply, depth, alpha, beta, most / whole, outcome)
        remember(ws, ply, depth, total / whole, alpha, beta, -1)
        return total / whole

    return expect


def plain_look(mode: Mode, parts: Parts, shared: Family) -> Kernel:
    """An outcome searched in its window, as far as that lies within the bounds of all values."""
    child, make, v_min, v_max = shared.child, shared.make, shared.low, shared.high
    clip = parts.options.knowledge

    @mode.kernel
    def look(ws, ply, outcome, depth, A, B, low):
        make(ws, ply, outcome, depth)
        return child(ws, ply, depth, max(A, v_min) if clip else A, min(B, v_max) if clip else B)

    return look


def star1(mode: Mode, parts: Parts) -> Kernel:
    return family(mode, parts, star1_node)


METHOD = star(
    name="star1",
    summary="outcomes are left out when the rest cannot bring the value back into the window",
    source="Ballard 1983; Hsu 2022",
    kernel=star1,
    options=ChanceOptions(),
)
