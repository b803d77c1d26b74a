"""The table for games in which play can return to a position: it never answers with what holds only on another path.

After Kishimoto and Müller 2004, "A general solution to the graph history interaction problem". A position has a
*base* entry, found by its key alone, and *twin* entries, found by its key together with a hash of the path to it.

Where a loop scores the same whoever closes it (draw, first, second), a bound is good on every path, and goes into the
base entry, if it rests on no loop that leads back beyond its own position, or if loops could not have helped it: a
lower bound above a loop's score, an upper bound below it. Such bounds are facts about the graph of positions: a
strategy that moves ever closer to its goal never meets a position twice. Facts found after one history of play do
not serve another, so the key is salted with the history before the root. All other bounds go into a twin, where
only the same path finds them, with the ply that they reach back to.

Where a loop's score depends on who closed it, or on the cycle, every bound belongs to its path.

A bound of another path is still a good guess. It lies in the base entry, marked as foreign, and when it would cut off
it is *confirmed* on the present one (see `confirming`), until every line ends in a fact, a twin or the rules.
"""

from __future__ import annotations

from typing import Any

from zermelo.compile.modes import Mode
from zermelo.compile.workspace import PLIES
from zermelo.core.buckets import FULL, NOWHERE, REST_AT, buckets
from zermelo.core.confirming import FOREIGN, NEVER, PATIENCE, SHOWN, UNKNOWN, confirming
from zermelo.core.loops import path_hash
from zermelo.core.node import Nodes
from zermelo.core.table import EXACT, LOWER, UPPER, Table, banking
from zermelo.rules import Game, i64, u64


def path_table(game: Game, mode: Mode, nodes: Nodes) -> Table:
    """The table's kernels for a game with cycles."""
    find, word_of, depth_of, kind_of, move_of, work_of, rest_of, put, prefetch = buckets(mode, 4)
    bits_of, number_of_bits = mode.float_to_word, mode.word_to_float
    visit, advance, note, mover = nodes.visit, nodes.advance, nodes.note, nodes.mover
    number = nodes.number
    key: Any = nodes.rules.key
    word = mode.word
    rest_at, zero, foreign, nowhere = word(REST_AT), word(0), word(1) << word(REST_AT), word(NOWHERE)
    hash_of_path = path_hash(mode)
    fixed, by_points = game.path_free, game.repetition == "points"
    banked = banking(game, nodes, mode, by_points)
    loop_value = number(game.loop_value or 0)
    separate_keys = game.loop_key not in (None, game.key)
    mode.counts(salt=u64)  # what sets the table's answers after one history apart from those after another
    mode.needs(
        move=i64,
        keys=(u64, PLIES),
        estimated=(i64, PLIES),
    )

    @mode.inline
    def base(ws, ply):
        return ws.keys[ply] ^ ws.salt

    @mode.inline
    def twin(ws, ply):
        return ws.keys[ply] ^ hash_of_path(ws, ply)

    @mode.inline
    def owe(ws, ply, earliest):
        """What was found at ply reaches back to `earliest`, and so does whatever is concluded from it above."""
        ws.reach[ply + 1] = min(ws.reach[ply + 1], earliest)
        ws.reach[ply] = min(ws.reach[ply], earliest)

    @mode.inline
    def loops_cannot_help(ws, ply, value):
        """The kinds of bound that this value, for the mover at ply, can be without resting on any loop."""
        if not fixed:
            return 0
        worth = banked(ws, ply) if by_points else loop_value if mover(ws, ply) == 0 else -loop_value
        return LOWER if value > worth else UPPER if value < worth else 0

    @mode.inline
    def descend(ws, ply, move, depth):
        advance(ws, ply, move)
        if depth > 1:
            this = key(ws.stack[ply + 1]) if separate_keys else ws.marks[ply + 1]
            ws.keys[ply + 1] = this
            prefetch(ws, this ^ ws.salt)

    @mode.inline
    def ask(ws, ply, depth, bound, first):
        """What rules and table know of the claim that the first player scores at least `bound`, or at most."""
        done, lower, upper = visit(ws, ply, depth)
        kind = LOWER if (mover(ws, ply) == 0) == first else UPPER
        asked = bound if mover(ws, ply) == 0 else -bound
        if ws.stop != 0:
            return UNKNOWN, -1
        if lower >= asked if kind == LOWER else upper <= asked:
            return SHOWN, -1
        if done:
            return UNKNOWN, -1
        at = find(ws, twin(ws, ply))
        mine = at != nowhere
        if not mine:
            at = find(ws, base(ws, ply))
            if at == nowhere:
                return UNKNOWN, -1
        contents = word_of(ws, at, 1)
        kept, value = depth_of(contents), number(number_of_bits(word_of(ws, at, 2)))
        enough = value >= asked if kind == LOWER else value <= asked
        if not enough or not kind_of(contents) & kind or (kept < depth and kept != FULL):
            return UNKNOWN, -1
        if kept != FULL:
            ws.horizon += 1
        rest = rest_of(contents)
        if mine:
            ws.reach[ply] = min(ws.reach[ply], ply + 1 - rest)
        elif rest != 0:
            return FOREIGN, move_of(contents)
        return SHOWN, -1

    confirm = confirming(game, mode, nodes, descend, ask)

    @mode.inline
    def recall(ws, ply, depth, lower, upper, alpha, beta):
        ws.begun[ply] = ws.nodes
        ws.estimated[ply] = ws.horizon
        ws.reach[ply + 1] = ply
        at = find(ws, twin(ws, ply))
        mine = at != nowhere
        if not mine:
            at = find(ws, base(ws, ply))
            if at == nowhere:
                return lower, upper, -1
        contents = word_of(ws, at, 1)
        hint, kept = move_of(contents), depth_of(contents)
        if kept < depth and kept != FULL:
            return lower, upper, hint
        value, kind, rest = number(number_of_bits(word_of(ws, at, 2))), kind_of(contents), rest_of(contents)
        if not mine and rest != 0:
            wanted = LOWER if kind & LOWER and value >= beta else UPPER if kind & UPPER and value <= alpha else 0
            if wanted == 0:
                return lower, upper, hint
            first = mover(ws, ply) == 0
            before, ws.reach[ply] = ws.reach[ply], NEVER
            ws.patience = PATIENCE
            held = confirm(ws, ply, depth, value if first else -value, first == (wanted == LOWER), hint)
            earliest = ws.reach[ply]
            ws.reach[ply], ws.reach[ply + 1] = before, ply
            if not held:
                ws.horizon = ws.estimated[ply]
                return lower, upper, hint
            owe(ws, ply, earliest)
            kind = wanted
        elif mine:
            owe(ws, ply, ply + 1 - rest)
        if kept != FULL:
            ws.horizon += 1
        if kind & LOWER and value > lower:
            lower = value
        if kind & UPPER and value < upper:
            upper = value
        return lower, upper, hint

    @mode.inline
    def glance(ws, ply):
        at = find(ws, base(ws, ply))
        if at == nowhere:
            return 0, number(0), 0
        contents = word_of(ws, at, 1)
        return kind_of(contents), number(number_of_bits(word_of(ws, at, 2))), 1 << work_of(contents)

    @mode.inline
    def remember(ws, ply, depth, value, alpha, beta, move):
        ws.move = move
        if ws.stop != 0:
            return
        kind = UPPER if value <= alpha else LOWER if value >= beta else EXACT
        reach = ws.reach[ply + 1] if fixed else -1
        kept = FULL if ws.horizon == ws.estimated[ply] else min(depth, FULL - 1)
        bits = bits_of(value)
        sure = kind if reach >= ply else kind & loops_cannot_help(ws, ply, value)
        if sure != 0:
            put(ws, ply, base(ws, ply), kept, sure, move, zero, bits, zero)
        else:
            at = find(ws, base(ws, ply))
            if at == nowhere or rest_of(word_of(ws, at, 1)) != 0:  # a fact is worth more than a guess
                put(ws, ply, base(ws, ply), kept, kind, move, foreign, bits, zero)
        if sure != kind:
            put(ws, ply, twin(ws, ply), kept, kind, move, word(ply + 1 - reach) << rest_at, bits, zero)
            ws.reach[ply] = min(ws.reach[ply], reach)

    @mode.inline
    def begin(ws, ply):
        note(ws, ply)
        ws.keys[ply] = key(ws.stack[ply])

    return Table(recall, remember, descend, begin, glance)
