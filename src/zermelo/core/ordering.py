"""The order in which moves are tried: a good first move is what makes alpha-beta fast.

Sources, each of which can be switched on by name, strongest first:

    hash      the move that the table remembers for this position
    loud      the game's loud moves, by what they win (its hook `exchange`); those that lose something come last of all
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
SOURCES = ("hash", "loud", "killers", "order", "history", "cut")
_HASH, _LOUD, _KILLER, _ORDER, _HISTORY_MAX = 1 << 60, 1 << 58, 1 << 56, 1 << 24, (1 << 24) - 1
_RANGE = 1 << 46
"""What is won is counted in so many parts of the range of scores."""


class Ordering(NamedTuple):
    """How a search goes through the moves of a position."""

    arrange: Kernel  # (ws, ply, hint) -> count: list the moves at ply; hint is the table's move or -1
    pick: Kernel  # (ws, ply, i, count) -> the i-th best move
    praise: Kernel  # (ws, ply, move, depth): this move cut off
    weigh: Kernel  # (ws, ply, depth, beta, hint, i, count): before the i-th is picked, look behind those still to come
    gather: Kernel  # (ws, ply) -> count: list the loud moves at ply that lose nothing, best first
    favoured: Kernel  # (ws, ply, i) -> whether the move that was picked i-th is the table's, a loud one or a killer


def ordering(
    game: Game, mode: Mode, nodes: Nodes, table: Table, sources: tuple[str, ...], cut: CutFirst, knowledge: bool
) -> Ordering:
    """The kernels that order moves by these sources. `knowledge`: only the game's candidates are tried."""
    rules = nodes.rules
    order, turn = rules.order, rules.turn
    generate = rules.candidates if knowledge and game.candidates is not None else nodes.listing
    use_hash, use_killers, use_history = "hash" in sources, "killers" in sources, "history" in sources
    use_order = "order" in sources and game.order is not None
    use_loud = "loud" in sources and game.loud is not None
    use_cut = "cut" in sources
    as_given = not sources
    scored = use_killers or use_order or use_history or use_cut or use_loud
    list_loud, exchange, lawful = rules.loud, rules.exchange, nodes.lawful
    sticks, has_order, unit = game.stuck is not None, game.order is not None, _RANGE / (game.values[1] - game.values[0])
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
    def raise_loud(ws, ply, n):
        """Add to the scores of the loud moves among the n at ply; the list of the next ply is free to hold them."""
        loud, moves = ws.moves[ply + 1], ws.moves[ply]
        for j in range(list_loud(ws, ply, ply + 1)):  # type: ignore[misc]
            for i in range(n):
                if moves[i] == loud[j]:
                    gain = exchange(ws.stack[ply], moves[i])
                    ws.scores[ply][i] += int(gain * unit) + (_LOUD if gain >= 0 else -_LOUD)
                    break

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
            if use_loud:
                raise_loud(ws, ply, n)
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

    @mode.inline
    def gather(ws, ply):
        kept = 0
        for i in range(lawful(ws, ply, list_loud(ws, ply, ply))):  # type: ignore[misc]
            move = ws.moves[ply][i]
            gain = exchange(ws.stack[ply], move)
            if gain >= 0:
                points = int(gain * unit)
                if has_order:
                    points += int(order(ws.stack[ply], move))
                place = kept
                while place > 0 and ws.scores[ply][place - 1] < points:
                    ws.moves[ply][place], ws.scores[ply][place] = ws.moves[ply][place - 1], ws.scores[ply][place - 1]
                    place -= 1
                ws.moves[ply][place], ws.scores[ply][place] = move, points
                kept += 1
        if sticks:
            ws.listed[ply] = -1  # what `visit` has listed is no longer there
        return kept

    @mode.inline
    def favoured(ws, ply, i):
        return i == 0 if not scored else ws.scores[ply][i] >= _KILLER

    look_behind = fastest_cut(game, mode, nodes, table, cut, knowledge) if use_cut else None

    @mode.inline
    def weigh(ws, ply, depth, beta, hint, i, n):
        if use_cut:
            first = 1 if use_hash and hint >= 0 else 0  # the table's move often spares us looking behind the others
            if i == first:
                look_behind(ws, ply, depth, beta, first, n)  # type: ignore[misc]

    return Ordering(arrange, pick, praise, weigh, gather, favoured)
