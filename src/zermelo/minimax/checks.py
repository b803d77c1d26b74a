"""Check extensions: a player in check has few moves, and what comes of them is not to be hidden behind the horizon.

With the option `extensions` a position in which the player to move is in check (the game's hook `checked`) is searched
one ply deeper, so that a check and the answer to it cost one ply together. Slate and Atkin 1977, "Chess 4.5". Other
selective parts ask here whether a position is in check, and leave it alone if so.
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import PLIES, plies_of
from zermelo.core.method import Parts
from zermelo.rules import i64


def extending(mode: Mode, parts: Parts) -> Kernel:
    """`(ws, ply, depth)` -> how deep the position at ply is searched; notes in `ws.checks[ply]` whether it is check."""
    options = parts.options
    extends = bool(options.extensions)
    asks = extends or bool(options.null or options.reductions or options.futility)
    checked, last_ply = parts.nodes.rules.checked, plies_of(parts.game) - 2
    if asks:
        mode.needs(checks=(i64, PLIES))

    @mode.inline
    def extend(ws, ply, depth):
        if asks:
            ws.checks[ply] = 1 if checked(ws.stack[ply]) else 0
            if extends and ws.checks[ply] != 0:
                depth = min(depth + 1, last_ply - ply)
        return depth

    return extend
