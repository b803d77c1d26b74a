"""Evaluation: what a position may be worth that is not looked into.

All parts of a search take their estimates from one kernel, which is made here and handed to `nodes`. Another one in its
place makes another search of the same game, and a search that is put together from two sees positions with the eyes of
both players.
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode


def evaluator(mode: Mode, estimate: Kernel) -> Kernel:
    """`(ws, ply)` -> an estimate of the first player's score in the position at ply. `estimate(s)` is the game's own
    hook (`rules.evaluate`), or any rule as kernels call it (`mode.rule`)."""

    @mode.inline
    def evaluate(ws, ply):
        return estimate(ws.stack[ply])

    return evaluate
