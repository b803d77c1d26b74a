"""The transposition table: bounds of positions met before, in a fixed number of bytes.

Where values are whole numbers an entry takes two words (see `buckets`), its value being the 24 spare bits of the
second; other values take a word of their own, in entries of four.

An entry that rests on an estimate serves searches up to its depth; one that does not holds for ever and has the depth
FULL. Where searches of different depths are kept apart, an entry has the depth that it was found with, and a bit of
its own says whether it rests on an estimate.

A position's key is computed when it is made, so that its bucket is fetched from memory while the rules look at it.
That was measured to gain a third on tables larger than the processor's caches, and to cost nothing on smaller ones.

Where scores add up during play, positions are found by what the rest of the game depends on (the hook `rest`), and
values are kept without what was scored before: endings that differ only in the points so far share one entry.

Where play can return to a position, values may depend on the path: see `path_table`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.compile.modes import Kernel, Mode, Rules
from zermelo.compile.workspace import PLIES
from zermelo.core.buckets import FULL, NOWHERE, REST_AT, buckets
from zermelo.core.node import TWO_WORD_LIMIT, Nodes
from zermelo.rules import Game, i64, u64

LOWER, UPPER, EXACT = 1, 2, 3


class Table(NamedTuple):
    """How a search remembers. What was remembered last, and so the root's when a search ends, leaves its move in
    `ws.move`."""

    recall: Kernel  # (ws, ply, depth, lower, upper, alpha, beta) -> (lower, upper, hint): narrower bounds; a move or -1
    remember: Kernel  # (ws, ply, depth, value, alpha, beta, move): what recall's position turned out to be
    descend: Kernel  # (ws, ply, move, depth): make the position at ply + 1, and have its entry on the way
    note: Kernel  # (ws, ply): the position at ply was put there by hand
    glance: Kernel  # (ws, ply) -> (kind, value, nodes): what it holds of a position, of any depth; kind is 0 if nothing


def table(game: Game, mode: Mode, nodes: Nodes, *, symmetric: bool, same_depth: bool = False) -> Table:
    """The table's kernels for a game without cycles. `same_depth`: answer only with what a search of just this depth
    would find, so that values do not depend on what was searched before; for values that are not whole numbers."""
    number, floating = nodes.number, nodes.number is float
    find, word_of, depth_of, kind_of, move_of, work_of, rest_of, put, prefetch = buckets(mode, 4 if floating else 2)
    advance, note, word = nodes.advance, nodes.note, mode.word
    bits_of, number_of_bits = mode.float_to_word, mode.word_to_float
    zero, one, nowhere, value_at = word(0), word(1), word(NOWHERE), word(REST_AT)
    key: Any = nodes.rules.key
    canonical: Any = finder(game, nodes.rules, mode, symmetric)
    relative = symmetric and game.rest is not None
    mirrors = symmetric and game.symmetry is not None and not relative
    banked = banking(game, nodes, mode, symmetric)
    mode.needs(
        move=i64,  # the best move of the position that was finished last
        keys=(u64, PLIES),  # what the positions of the path are found by
        estimated=(i64, PLIES),  # the counter of the horizon when they were entered
    )

    @mode.inline
    def mirrored(s, this):
        """One bit telling equivalent positions apart: the move stored for one is not the other's."""
        return one if mirrors and key(s) != this else zero

    @mode.inline
    def recall(ws, ply, depth, lower, upper, alpha, beta):
        ws.begun[ply] = ws.nodes
        ws.estimated[ply] = ws.horizon
        this = ws.keys[ply]
        at = find(ws, this)
        if at == nowhere:
            return lower, upper, -1
        contents = word_of(ws, at, 1)
        kept = depth_of(contents)
        certain = rest_of(contents) == 0 if same_depth else kept == FULL
        if (kept == depth or (certain and kept < depth)) if same_depth else (kept >= depth or certain):
            value = number_of_bits(word_of(ws, at, 2)) if floating else rest_of(contents) - TWO_WORD_LIMIT
            if relative:
                value += banked(ws, ply)
            kind = kind_of(contents)
            if not certain:
                ws.horizon += 1
            if kind & LOWER and value > lower:
                lower = value
            if kind & UPPER and value < upper:
                upper = value
        hint = move_of(contents)
        if (contents & one) != mirrored(ws.stack[ply], this):
            hint = -1
        return lower, upper, hint

    @mode.inline
    def glance(ws, ply):
        at = find(ws, ws.keys[ply])
        if at == nowhere:
            return 0, number(0), 0
        contents = word_of(ws, at, 1)
        value = number_of_bits(word_of(ws, at, 2)) if floating else rest_of(contents) - TWO_WORD_LIMIT
        return kind_of(contents), value + banked(ws, ply), 1 << work_of(contents)

    @mode.inline
    def remember(ws, ply, depth, value, alpha, beta, move):
        ws.move = move
        if ws.stop != 0:
            return
        this = ws.keys[ply]
        certain = ws.horizon == ws.estimated[ply]
        kept = FULL if certain and not same_depth else min(depth, FULL - 1)
        kind = UPPER if value <= alpha else LOWER if value >= beta else EXACT
        rest = mirrored(ws.stack[ply], this)
        if same_depth and not certain:
            rest |= one << value_at
        if relative:
            value -= banked(ws, ply)
        if floating:
            put(ws, ply, this, kept, kind, move, rest, bits_of(value), zero)
        else:
            put(ws, ply, this, kept, kind, move, rest | (word(value + TWO_WORD_LIMIT) << value_at), zero, zero)

    @mode.inline
    def descend(ws, ply, move, depth):
        advance(ws, ply, move)
        if depth > 1:  # otherwise the position below is at the horizon and will not be looked up
            this = canonical(ws.stack[ply + 1])
            ws.keys[ply + 1] = this
            prefetch(ws, this)

    @mode.inline
    def begin(ws, ply):
        note(ws, ply)
        ws.keys[ply] = canonical(ws.stack[ply])

    return Table(recall, remember, descend, begin, glance)


def finder(game: Game, rules: Rules, mode: Mode, knowledge: bool) -> Kernel | None:
    """`(s)` -> what a table finds positions by; None where they have no key."""
    if not knowledge or game.rest is None:
        found: Kernel | None = rules.symmetry if knowledge else rules.key
        return found
    rest: Any = rules.rest

    @mode.inline
    def rest_key(s):
        return rest(s)[0]

    return rest_key


def banking(game: Game, nodes: Nodes, mode: Mode, knowledge: bool) -> Kernel:
    """`(ws, ply)` -> the score so far of the player to move, without which a table keeps values."""
    rest: Any = nodes.rules.rest
    mover, number = nodes.mover, nodes.number
    signed = mode.signed if number is int else float
    relative = knowledge and game.rest is not None

    @mode.inline
    def banked(ws, ply):
        if not relative:
            return number(0)
        points = signed(rest(ws.stack[ply])[1])  # rules may count in bytes, which have no negative
        return -points if mover(ws, ply) == 1 else points

    return banked


def no_table(mode: Mode, nodes: Nodes) -> Table:
    """A table that knows nothing and costs nothing."""
    advance, number = nodes.advance, nodes.number
    mode.needs(move=i64)

    @mode.inline
    def recall(ws, ply, depth, lower, upper, alpha, beta):
        return lower, upper, -1

    @mode.inline
    def remember(ws, ply, depth, value, alpha, beta, move):
        ws.move = move

    @mode.inline
    def descend(ws, ply, move, depth):
        advance(ws, ply, move)

    @mode.inline
    def glance(ws, ply):
        return 0, number(0), 0

    return Table(recall, remember, descend, nodes.note, glance)
