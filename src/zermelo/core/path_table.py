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
it is *confirmed*: the stored moves of the side that it favours are played against all replies, on the present path,
until every line ends in a fact, a twin or the rules, for at most PATIENCE positions.
"""

from __future__ import annotations

from typing import Any

from zermelo.compile.modes import Mode
from zermelo.compile.workspace import PLIES
from zermelo.core.buckets import FULL, NOWHERE, REST_AT, buckets
from zermelo.core.loops import path_hash
from zermelo.core.node import Nodes
from zermelo.core.table import EXACT, LOWER, UPPER, Table
from zermelo.rules import Game, i64, u64

PATIENCE = 200
_HOLDS, _OPEN, _FAILS = 1, 0, -1


def path_table(game: Game, mode: Mode, nodes: Nodes) -> Table:
    """The table's kernels for a game with cycles."""
    find, word_of, depth_of, kind_of, move_of, work_of, rest_of, put, prefetch = buckets(mode, 4)
    bits_of, number_of_bits = mode.float_to_word, mode.word_to_float
    visit, advance, note, opposes, mover = nodes.visit, nodes.advance, nodes.note, nodes.opposes, nodes.mover
    number = nodes.number
    generate = nodes.rules.generate
    key: Any = nodes.rules.key
    word = mode.word
    rest_at, zero, foreign, nowhere = word(REST_AT), word(0), word(1) << word(REST_AT), word(NOWHERE)
    hash_of_path = path_hash(mode)
    fixed = game.loop_value is not None
    loop_value = number(game.loop_value or 0)
    separate_keys = game.loop_key is not None
    mode.counts(salt=u64)  # what sets the table's answers after one history apart from those after another
    mode.needs(
        move=i64,
        keys=(u64, PLIES),
        estimated=(i64, PLIES),
        patience=i64,  # how many positions may still be looked at to confirm an answer from another path
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
        worth = loop_value if mover(ws, ply) == 0 else -loop_value
        return LOWER if value > worth else UPPER if value < worth else 0

    @mode.inline
    def known(ws, ply, depth, bound, kind):
        """Whether a fact or a twin shows this kind of bound for the mover at ply; foreign bounds leave it open."""
        at = find(ws, twin(ws, ply))
        mine = at != nowhere
        if not mine:
            at = find(ws, base(ws, ply))
            if at == nowhere:
                return _FAILS, -1
        contents = word_of(ws, at, 1)
        kept, value = depth_of(contents), number(number_of_bits(word_of(ws, at, 2)))
        enough = value >= bound if kind == LOWER else value <= bound
        if not enough or not kind_of(contents) & kind or (kept < depth and kept != FULL):
            return _FAILS, -1
        if kept != FULL:
            ws.horizon += 1
        rest = rest_of(contents)
        if mine:
            owe(ws, ply, rest - 2)
        elif rest != 0:
            return _OPEN, move_of(contents)
        return _HOLDS, -1

    @mode.kernel
    def confirm(ws, ply, depth, bound, kind, move):
        """Whether a bound of another path holds for the mover at ply on this one. `move` is the stored move."""
        if ws.patience <= 0 or (kind == LOWER and move < 0):
            return False
        n = 1 if kind == LOWER else generate(ws, ply)
        for i in range(n):
            reply = move if kind == LOWER else ws.moves[ply][i]
            advance(ws, ply, reply)
            ws.keys[ply + 1] = key(ws.stack[ply + 1])
            ws.patience -= 1
            done, lower, upper = visit(ws, ply + 1, depth - 1)
            if ws.stop != 0:
                return False
            turned = opposes(ws, ply)
            child_bound = -bound if turned else bound
            child_kind = EXACT - kind if turned else kind  # LOWER and UPPER change places
            if lower >= child_bound if child_kind == LOWER else upper <= child_bound:
                continue
            if done:
                return False
            verdict, next_move = known(ws, ply + 1, depth - 1, child_bound, child_kind)
            if verdict == _OPEN and confirm(ws, ply + 1, depth - 1, child_bound, child_kind, next_move):
                verdict = _HOLDS
            if verdict != _HOLDS:
                return False
        ws.reach[ply] = min(ws.reach[ply], ws.reach[ply + 1])
        return True

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
            ws.patience = PATIENCE
            before = ws.reach[ply]
            if not confirm(ws, ply, depth, value, wanted, hint):
                ws.reach[ply], ws.reach[ply + 1] = before, ply
                ws.horizon = ws.estimated[ply]
                return lower, upper, hint
            kind = wanted
        elif mine:
            owe(ws, ply, rest - 2)
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
            put(ws, ply, twin(ws, ply), kept, kind, move, word(reach + 2) << rest_at, bits, zero)
            ws.reach[ply] = min(ws.reach[ply], reach)

    @mode.inline
    def descend(ws, ply, move, depth):
        advance(ws, ply, move)
        if depth > 1:
            this = key(ws.stack[ply + 1]) if separate_keys else ws.marks[ply + 1]
            ws.keys[ply + 1] = this
            prefetch(ws, this ^ ws.salt)

    @mode.inline
    def begin(ws, ply):
        note(ws, ply)
        ws.keys[ply] = key(ws.stack[ply])

    return Table(recall, remember, descend, begin, glance)
