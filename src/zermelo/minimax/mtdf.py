"""MTD(f): nothing but tests. A first guess, and empty windows that close in on the value from both sides.

Each test is an alpha-beta search with memory; the table makes the repetition cheap. Plaat, Schaeffer, Pijls and
de Bruin 1996, "Best-first fixed-depth minimax algorithms". The guess is `ws.guess`.
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Method, Parts
from zermelo.minimax.alphabeta import alphabeta
from zermelo.rules import f64


def mtdf(mode: Mode, parts: Parts) -> Kernel:
    mode.needs(guess=f64)  # where it begins
    search = alphabeta(mode, parts)
    above, below, number = parts.nodes.above, parts.nodes.below, parts.nodes.number

    @mode.kernel
    def mtdf(ws, ply, depth, alpha, beta):
        lower, upper = alpha, beta
        g = min(max(number(ws.guess), lower), upper)
        move = -1
        while lower < upper:
            bound = above(g) if g == lower else g
            g = search(ws, ply, depth, below(bound), bound)
            if ws.stop != 0:
                break
            if g < bound:
                upper = g
                ws.upper = upper
            else:
                lower = g
                ws.lower = lower
                move = ws.move
        if move >= 0:
            ws.move = move  # a test that fails has no best move; the last that held does
        return g

    return mtdf


METHOD = Method(
    name="mtdf",
    summary="alpha-beta with empty windows around a guess",
    source="Plaat, Schaeffer, Pijls and de Bruin 1996",
    kernel=mtdf,
    specialised=True,
    selective=True,
)
