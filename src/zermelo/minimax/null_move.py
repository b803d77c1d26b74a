"""Null moves: if a position is good enough even after a pass, some move will be good enough too.

Before moves are searched, the player to move passes (the game's hook `skip`) and the opponent's reply is searched less
deeply, with an empty window. If that still reaches beta, so does the position. Where having to move is a burden
(zugzwang) this would lie: there `skip` is false. Beal 1989, "Experiments with the null move"; Donninger 1993, "Null
move and deep search"; how much less deeply: Heinz 1999, "Adaptive null-move pruning".

A pass is no move of the game. What follows from one is an estimate: it is counted as such, and where the pass even
wins, the position is worth no more than its own estimate, which reaches beta too. To loops a pass is a move like
others: positions before it have stood on the path.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import PLIES
from zermelo.core.method import Parts
from zermelo.rules import i64

LEAST_DEPTH = 2
DEEP = 6


class NullMove(NamedTuple):
    """What happens before and after the search of a pass."""

    tries: Kernel  # (ws, ply, depth, beta) -> whether a pass is worth searching; it then stands at ply + 1
    less: Kernel  # (depth) -> how many plies less deep than a move it is searched
    judge: Kernel  # (ws, ply, value, beta) -> (whether that is enough, what the position is then worth)


def null_move(mode: Mode, parts: Parts) -> NullMove:
    nodes, cyclic = parts.nodes, parts.game.cyclic
    appraise, mover, number, note = nodes.appraise, nodes.mover, nodes.number, parts.table.note
    skip: Any = nodes.rules.skip
    first_wins, second_wins = number(parts.game.values[1]), -number(parts.game.values[0])
    if parts.options.null:
        mode.needs(
            root_at=i64,
            passed=i64,  # the ply that the last pass led to
            before_pass=(i64, PLIES),  # the counter of the horizon
            rested=(i64, PLIES),  # and what the position rested on, where play can go round
        )

    @mode.inline
    def win(ws, ply):
        return first_wins if mover(ws, ply) == 0 else second_wins

    @mode.inline
    def tries(ws, ply, depth, beta):
        if depth < LEAST_DEPTH or ws.checks[ply] != 0 or ply == ws.root_at or ply == ws.passed:
            return False
        if beta >= win(ws, ply) or appraise(ws, ply) < beta or not skip(ws, ply):
            return False
        note(ws, ply + 1)
        ws.passed = ply + 1
        ws.before_pass[ply] = ws.horizon
        if cyclic:
            ws.rested[ply] = ws.reach[ply + 1]
        return True

    @mode.inline
    def less(depth):
        return 3 if depth > DEEP else 2

    @mode.inline
    def judge(ws, ply, value, beta):
        ws.passed = -1
        enough = ws.stop == 0 and value >= beta
        ws.horizon = ws.before_pass[ply] + (1 if enough else 0)
        if cyclic and not enough:
            ws.reach[ply + 1] = ws.rested[ply]
        return enough, value if value < win(ws, ply) else appraise(ws, ply)

    return NullMove(tries, less, judge)
