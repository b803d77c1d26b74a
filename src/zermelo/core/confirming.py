"""Confirming: whether a bound that was found on another path holds on this one too.

The stored moves of the side that the bound favours are played against all replies, on the present path, until every
line ends in something that holds here, for at most PATIENCE positions. After Kawano 1996, "Using similar positions to
search game trees", and Kishimoto and Müller 2004, "A general solution to the graph history interaction problem".
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import PLIES
from zermelo.core.node import Nodes
from zermelo.rules import Game, i64

PATIENCE = 200
SHOWN, FOREIGN, UNKNOWN = 1, 0, -1
"""What is known of a bound: that it holds on this path, that it did on another, or neither."""
NEVER = 1 << 40
"""A ply that no path reaches: what rests on no loop."""


def confirming(game: Game, mode: Mode, nodes: Nodes, descend: Kernel, ask: Kernel) -> Kernel:
    """`(ws, ply, depth, bound, first, move)` -> whether a bound holds. It speaks for the first player (`first`) or for
    the second, and `move` is the stored one. `ask(ws, ply, depth, bound, first)` -> what is known of it, and a move or
    -1, at a position just made, which it counts as a node. What a bound rests on is handed to `ws.reach[ply]`."""
    mover, generate, repeats = nodes.mover, nodes.rules.generate, nodes.repeats
    forbids = game.forbids
    mode.needs(
        reach=(i64, PLIES),
        patience=i64,  # how many positions may still be looked at to confirm a bound
    )

    @mode.kernel
    def confirm(ws, ply, depth, bound, first, move):
        favoured = (mover(ws, ply) == 0) == first
        if ws.patience <= 0 or (favoured and move < 0):
            return False
        reach = NEVER
        for i in range(1 if favoured else generate(ws, ply)):
            descend(ws, ply, move if favoured else ws.moves[ply][i], depth)
            if forbids and favoured and repeats(ws, ply + 1):  # it was legal on the path that it comes from
                return False
            ws.patience -= 1
            ws.reach[ply + 1] = NEVER
            known, stored = ask(ws, ply + 1, depth - 1, bound, first)
            if known == FOREIGN and confirm(ws, ply + 1, depth - 1, bound, first, stored):
                known = SHOWN
            if known != SHOWN:
                return False
            reach = min(reach, ws.reach[ply + 1])
        ws.reach[ply] = min(ws.reach[ply], reach)
        return True

    return confirm
