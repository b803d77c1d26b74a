"""Minimax: the first player takes the largest value, the second the smallest. Nothing is left out.

Shannon 1950, "Programming a computer for playing chess"; the value exists by Zermelo 1913. Two functions, one
for each player, both in the first player's view, and no table: the definition, as slow as it is clear.
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import PLAIN, Method, Parts


def minimax(mode: Mode, parts: Parts) -> Kernel:
    advance, visit, mover = parts.nodes.advance, parts.nodes.visit, parts.nodes.mover
    generate, worst = parts.nodes.rules.generate, parts.nodes.worst

    @mode.kernel
    def value_of(ws, ply, depth):
        """The first player's value."""
        done, value, _ = visit(ws, ply, depth)
        first = mover(ws, ply) == 0
        if done:
            return value if first else -value  # visit speaks for the player to move
        return maximum(ws, ply, depth) if first else minimum(ws, ply, depth)

    @mode.kernel
    def maximum(ws, ply, depth):
        best, best_move = worst, -1
        for i in range(generate(ws, ply)):
            move = ws.moves[ply][i]
            advance(ws, ply, move)
            value = value_of(ws, ply + 1, depth - 1)
            if value > best:
                best, best_move = value, move
        ws.move = best_move
        return best

    @mode.kernel
    def minimum(ws, ply, depth):
        best, best_move = -worst, -1
        for i in range(generate(ws, ply)):
            move = ws.moves[ply][i]
            advance(ws, ply, move)
            value = value_of(ws, ply + 1, depth - 1)
            if value < best:
                best, best_move = value, move
        ws.move = best_move
        return best

    @mode.kernel
    def minimax(ws, ply, depth, alpha, beta):
        value = value_of(ws, ply, depth)
        return value if mover(ws, ply) == 0 else -value

    return minimax


METHOD = Method(
    name="minimax",
    summary="every move of every position, as defined",
    source="Shannon 1950; Zermelo 1913",
    kernel=minimax,
    prunes=False,
    options=PLAIN,
)
