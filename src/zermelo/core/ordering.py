"""The order in which moves are tried: a good first move is what makes alpha-beta fast.

Sources, each of which can be switched on by name, strongest first:

    hash      the move that the table remembers for this position
    killers   two moves that cut off at this ply elsewhere (Akl and Newborn 1977)
    order     the game's own hook
    history   moves that cut off anywhere, weighted by depth squared (Schaeffer 1983)
    cut       what is likely to cut off and cheap to search: see `fastest_cut`, which uses the order hook itself

Moves that no source tells apart stay in the order that the rules give them.

Threads that share a table keep out of each other's way here too (see `sharing`).
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import MOVES, PLIES
from zermelo.core.fastest_cut import CutFirst, fastest_cut
from zermelo.core.node import Nodes
from zermelo.core.sharing import SHARED_PLIES, sharing
from zermelo.core.table import Table
from zermelo.rules import Game, i32, i64

HISTORY = 1 << 12
"""How many moves the history can tell apart; a larger move shares the place of a smaller one."""
SOURCES = ("hash", "killers", "order", "history", "cut")
_HASH, _KILLER, _ORDER, _HISTORY_MAX = 1 << 60, 1 << 56, 1 << 24, (1 << 24) - 1


class Ordering(NamedTuple):
    """How a search goes through the moves of a position."""

    arrange: Kernel  # (ws, ply, hint) -> count: list the moves at ply; hint is the table's move or -1
    pick: Kernel  # (ws, ply, i, count) -> the i-th best move
    praise: Kernel  # (ws, ply, move, depth): this move cut off
    weigh: Kernel  # (ws, ply, depth, beta, hint, i, count): before the i-th is picked, look behind those still to come


def ordering(
    game: Game, mode: Mode, nodes: Nodes, table: Table, sources: tuple[str, ...], cut: CutFirst, knowledge: bool
) -> Ordering:
    """The kernels that order moves by these sources. `knowledge`: only the game's candidates are tried."""
    rules = nodes.rules
    order, turn = rules.order, rules.turn
    generate = rules.candidates if knowledge else rules.generate
    use_hash, use_killers, use_history = "hash" in sources, "killers" in sources, "history" in sources
    use_order = "order" in sources and game.order is not None
    use_cut = "cut" in sources
    as_given = not sources
    scored = use_killers or use_order or use_history or use_cut
    mask = HISTORY - 1
    mode.needs(scores=(i64, PLIES, MOVES))
    if use_killers:
        mode.needs(killers=(i32, PLIES, 2))  # moves plus one; 0 is none
    if use_history:
        mode.needs(history=(i32, 3, HISTORY))  # a row for each player and one for the dice
    elsewhere, claim = sharing(mode)

    @mode.inline
    def score(ws, ply, move, hint):
        value = 0
        if use_hash and hint >= 0 and move & 0xFFFF == hint:
            value += _HASH
        if use_killers and (ws.killers[ply][0] == move + 1 or ws.killers[ply][1] == move + 1):
            value += _KILLER
        if use_order:
            value += int(order(ws.stack[ply], move) * _ORDER)
        if use_history:
            value += ws.history[turn(ws.stack[ply])][move & mask]
        return value

    @mode.inline
    def bring_forward(ws, ply, place, to):
        """Move one entry of the list to an earlier place; those in between keep their order."""
        moves, scores = ws.moves[ply], ws.scores[ply]
        move, points = moves[place], scores[place]
        while place > to:
            moves[place], scores[place] = moves[place - 1], scores[place - 1]
            place -= 1
        moves[to], scores[to] = move, points

    @mode.inline
    def arrange(ws, ply, hint):
        n = generate(ws, ply)
        if as_given:
            return n
        if scored:
            for i in range(n):
                ws.scores[ply][i] = score(ws, ply, ws.moves[ply][i], hint)
        elif use_hash and hint >= 0:
            for i in range(n):
                if ws.moves[ply][i] & 0xFFFF == hint:
                    bring_forward(ws, ply, i, 0)
                    break
        return n

    @mode.inline
    def pick(ws, ply, i, n):
        if scored:
            best = i
            for j in range(i + 1, n):
                if ws.scores[ply][j] > ws.scores[ply][best]:
                    best = j
            if best != i:
                bring_forward(ws, ply, best, i)
        if ws.threads > 1 and ply < SHARED_PLIES:
            if i > 0 and elsewhere(ws, ply, ws.moves[ply][i]):
                for j in range(i + 1, n):
                    if not elsewhere(ws, ply, ws.moves[ply][j]):
                        bring_forward(ws, ply, j, i)
                        break
            claim(ws, ply, ws.moves[ply][i])
        return ws.moves[ply][i]

    @mode.inline
    def praise(ws, ply, move, depth):
        if use_killers and ws.killers[ply][0] != move + 1:
            ws.killers[ply][1] = ws.killers[ply][0]
            ws.killers[ply][0] = move + 1
        if use_history:
            side = turn(ws.stack[ply])
            ws.history[side][move & mask] = min(ws.history[side][move & mask] + depth * depth, _HISTORY_MAX)

    look_behind = fastest_cut(game, mode, nodes, table, cut, knowledge) if use_cut else None

    @mode.inline
    def weigh(ws, ply, depth, beta, hint, i, n):
        if use_cut:
            first = 1 if use_hash and hint >= 0 else 0  # the table's move often spares us looking behind the others
            if i == first:
                look_behind(ws, ply, depth, beta, first, n)  # type: ignore[misc]

    return Ordering(arrange, pick, praise, weigh)
