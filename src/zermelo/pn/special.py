"""A specialised search inside another one: does the player to move win a sub-game, within a few nodes?

It is df-pn over the sub-game (`forcing`), in a workspace and with a small table of its own, which remember what was
tried from one call to the next. Whoever calls it loses nothing but nodes: the answer is a win, exact, or nothing. Loops
are those of the game: the path so far is handed over, and what a win rests on is handed back.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.confirming import NEVER
from zermelo.core.method import Parts, bind
from zermelo.core.node import number_of
from zermelo.core.truth import UNKNOWN
from zermelo.pn.forcing import OPTIONS, forced_search, forcing, short_search, target_of
from zermelo.rules import i64


class Special(NamedTuple):
    """How a search calls one for a sub-game."""

    wins: Kernel  # (ws, ply, limit, plies) -> whether the player to move at ply is seen to win within so many nodes and
    # plies; 0 plies are as many as it takes
    worth: Kernel  # (ws, ply) -> what a win is worth to the player to move
    move: Kernel  # (ws) -> the move by which the last win begins
    reach: Kernel  # (ws, ply) -> the earliest ply of the path that it rests on, where play can go round


def special_search(mode: Mode, parts: Parts) -> Special:
    """The kernels for the sub-game that the options name. Its nodes are counted with those of the caller."""
    game, name = parts.game, parts.options.special
    assert name is not None
    mover, number = parts.nodes.mover, parts.nodes.number
    inner_mode = type(mode)()
    bound = bind(game, inner_mode, OPTIONS, number_of(game, estimates=False))
    forced = forcing(inner_mode, bound, name)
    foreseen = game.subgames[name].at_once is not None
    decide, wins_within = forced_search(inner_mode, forced), short_search(inner_mode, forced, foreseen)
    note, pathless = bound.table.note, NEVER if game.repetition == "draw" else -1  # what a win without df-pn rests on
    mode.holds("special", inner_mode)
    exact, low, high = bound.nodes.number, number(game.values[0]), number(game.values[1])
    second_wins = target_of(1, bound.nodes.above(exact(game.values[0])), exact(game.values[1]))
    first_wins = target_of(0, bound.nodes.above(exact(game.values[0])), exact(game.values[1]))
    cyclic, whole_path, last_ply = game.cyclic, not isinstance(game.repetition, str), game.max_plies
    promising: Any = game.subgames[name].promising
    choosy, attack = promising is not None, game.subgames[name].attack
    mode.counts(
        special_calls=i64,
        special_wins=i64,
        special_nodes=i64,
        special_done=i64,  # whether the root of this question was tried
    )
    mode.needs(
        special_root=i64,  # how many nodes a call may take at the root,
        special_inner=i64,  # at a position that the table does not know,
        special_pv=i64,  # on the line,
        special_leaf=i64,  # at a leaf;
        special_plies=i64,  # and there and at new positions, how many plies ahead it looks, if not as many as it takes
        root_at=i64,  # the ply of the root
    )

    @mode.kernel
    def call(ws, ply, limit, plies):
        inner = ws.special[0]
        if cyclic:
            for earlier in range(ws.root_at, ply):  # those before the root are there already
                inner.marks[earlier], inner.paths[earlier] = ws.marks[earlier], ws.paths[earlier]
                if whole_path:
                    inner.stack[earlier] = ws.stack[earlier]
        inner.stack[ply] = ws.stack[ply]
        note(inner, ply)
        begun = inner.nodes
        inner.attacker = mover(ws, ply)
        inner.stop = 0
        inner.node_limit = begun + min(limit, ws.node_limit - ws.nodes)
        if ws.stop != 0:  # who stops this search stops the inner one after it, or we see it here
            return False
        if plies > 0:
            won = wins_within(inner, ply, min(plies, last_ply - ply))
            if cyclic:
                inner.reach[ply] = pathless
        else:
            target = first_wins if mover(ws, ply) == 0 else second_wins
            won = decide(inner, ply, last_ply - ply, target) != UNKNOWN
        spent = inner.nodes - begun
        ws.nodes += spent
        ws.special_nodes += spent
        ws.special_calls += 1
        if inner.fault != 0:
            ws.fault, ws.stop, ws.node_limit = inner.fault, 1, 0
        if won:
            ws.special_wins += 1
        return won

    @mode.inline
    def wins(ws, ply, limit, plies):
        if limit <= 0 or ws.stop != 0 or (choosy and not promising(ws.stack[ply])):
            return False
        if attack(ws.stack[ply], ws.special[0].moves[ply]) == 0:  # most often; and it costs least
            return False
        return call(ws, ply, limit, plies)

    @mode.inline
    def worth(ws, ply):
        return high if mover(ws, ply) == 0 else -low

    @mode.inline
    def move(ws):
        return ws.special[0].move

    @mode.inline
    def reach(ws, ply):
        return ws.special[0].reach[ply]

    return Special(wins, worth, move, reach)
