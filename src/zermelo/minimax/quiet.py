"""Quiescence: where the depth ends, loud moves are searched until the position is quiet.

An estimate taken in the middle of an exchange counts the piece that was just captured and not the one that is taken
back next. So where the depth ends only quiet positions are estimated: the player to move may *stand pat*, that is take
the estimate, or make a loud move (the game's hook `loud`: captures, promotions). Loud moves that lose something by the
game's hook `exchange` are left out. A player in check may not stand pat: there all moves are searched. Beal 1990, "A
generalised quiescence search algorithm"; standing pat after Shannon 1950.

With the option `checks`, the player to move where the depth ends may also make any move that gives check, quiet or
losing. Only there, or play would not come to an end: after the answer to a check, loud moves alone are left.

Positions are visited as everywhere, so that loops and ends are seen and nodes are counted. Standing pat is an estimate
and counted as one. A win that is found here is a win: who stands pat has not lost.
"""

from __future__ import annotations

from typing import Any

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import plies_of
from zermelo.core.entering import entering
from zermelo.core.method import Parts

BEYOND = 30
"""So many plies beyond the depth an estimate is taken even if the position is not quiet."""


def quiescence(mode: Mode, parts: Parts) -> Kernel:
    """`settle(ws, ply, left, alpha, beta)` -> the value of the position at ply for its mover when only loud moves are
    looked at, at most `left` of them in a row."""
    nodes = parts.nodes
    visit, glimpse, opposes, appraise = nodes.visit, nodes.glimpse, nodes.opposes, nodes.appraise
    advance, worst = nodes.advance, nodes.worst
    arrange, pick, gather = parts.ordering.arrange, parts.ordering.pick, parts.ordering.gather
    checked, cyclic, last_ply = nodes.rules.checked, parts.game.cyclic, plies_of(parts.game) - 2
    checks, gather_checks = bool(parts.options.checks), quiet_checks(mode, parts)

    @mode.kernel
    def settle(ws, ply, left, alpha, beta):
        in_check = checked(ws.stack[ply])
        if in_check:
            done, lower, upper = visit(ws, ply, 1)
        else:
            done, lower, upper = glimpse(ws, ply, 1)  # who is not in check is seldom without a move
        if done or lower >= beta:
            return lower
        if upper <= alpha:
            return upper
        ends = left <= 0 or ply >= last_ply
        best = worst
        if ends or not in_check:
            ws.leaves += 1
            ws.horizon += 1
            best = appraise(ws, ply)
            if ends or best >= beta:
                return best
        n = arrange(ws, ply, -1) if in_check else gather(ws, ply)
        then_checks = checks and left == BEYOND and not in_check
        bar = max(alpha, best)
        i = 0
        while True:
            if i == n and then_checks:
                then_checks, n, i = False, gather_checks(ws, ply), 0
            if i == n:
                break
            advance(ws, ply, pick(ws, ply, i, n) if in_check else ws.moves[ply][i])
            i += 1
            if opposes(ws, ply):
                value = -settle(ws, ply + 1, left - 1, -beta, -bar)
            else:
                value = settle(ws, ply + 1, left - 1, bar, beta)
            if ws.stop != 0:
                return best
            if value > best:
                best = value
                if value >= beta:
                    break
                bar = max(bar, value)
        if cyclic:
            ws.reach[ply] = min(ws.reach[ply], ws.reach[ply + 1])  # what it rests on, the node above rests on
        return best

    return settle


def quiet_checks(mode: Mode, parts: Parts) -> Kernel:
    """`(ws, ply)` -> how many moves at ply give check and are not among those that `gather` lists; they are listed."""
    if not parts.options.checks:
        return mode.inline(lambda ws, ply: 0)
    nodes = parts.nodes
    rules, advance, opposes, listing = nodes.rules, nodes.advance, nodes.opposes, nodes.listing
    checked, exchange, dead_end, sticks = rules.checked, rules.exchange, rules.dead_end, parts.game.stuck is not None
    list_loud: Any = rules.loud

    @mode.inline
    def gather_checks(ws, ply):
        if dead_end(ws, ply):
            return 0
        n, kept = listing(ws, ply), 0
        moves, loud = ws.moves[ply], ws.moves[ply + 1]  # the list of the next ply is free
        louds = list_loud(ws, ply, ply + 1)
        for i in range(n):
            move, known = moves[i], False
            for j in range(louds):
                if loud[j] == move:
                    known = exchange(ws.stack[ply], move) >= 0
                    break
            if not known:
                advance(ws, ply, move)
                if opposes(ws, ply) and checked(ws.stack[ply + 1]):
                    moves[kept] = move
                    kept += 1
        if sticks:
            ws.listed[ply] = -1  # what is listed are not all moves
        return kept

    return gather_checks


def entering_quietly(mode: Mode, parts: Parts) -> Kernel:
    """As `entering` has it; where the depth ends, the estimate is that of a quiet position."""
    enter = entering(mode, parts)
    if not parts.options.quiet:
        return enter
    settle = quiescence(mode, parts)

    @mode.inline
    def enter_quietly(ws, ply, depth, alpha, beta):
        if depth <= 0:
            value = settle(ws, ply, BEYOND, alpha, beta)
            return True, value, alpha, beta, -1
        done, value, alpha, beta, hint = enter(ws, ply, depth, alpha, beta)
        return done, value, alpha, beta, hint

    return enter_quietly
