"""The transposition table: bounds of positions met before, in a fixed number of bytes.

A bucket is one cache line of 64 bytes. Where values are whole numbers an entry takes two 64-bit words,

    check    = key XOR contents
    contents = value 24 | move 16 | depth 8 | work 6 | age 7 | kind 2 | mirrored 1     (bits, from the top)

four to a bucket; other values take a word of their own, two entries to a bucket. All 64 bits of the key are
compared: a search that probes 10^10 times meets a false match with probability below 10^-8 (four entries a
probe, 2^-64 each), and never where the key is exact and no symmetry is mixed into it. The xor makes an entry that
two threads wrote at once fail the comparison instead of lying (Hyatt and Mann 2002, "A lock-less transposition
table").

An entry that rests on an estimate serves searches up to its depth; one that does not holds for ever and has the depth
FULL. Where searches of different depths are kept apart, an entry has the depth that it was found with, and a bit above
the move says whether it rests on an estimate. A new entry replaces the same position, else one of an earlier search,
else the one that cost the least work, counted as the logarithm of the nodes below it (Breuker 1998, "Memory versus
search in games").

A position's key is computed when it is made, so that its bucket is fetched from memory while the rules look at it.
That was measured to gain a third on tables larger than the processor's caches, and to cost nothing on smaller ones.

A table answers only for positions whose value does not depend on the path: games in which play can return
to a position get none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.rules import Game, Unsuitable
from zermelo.search.node import TWO_WORD_LIMIT, Nodes

FULL = 255
LOWER, UPPER, EXACT = 1, 2, 3
NO_MOVE = 0xFFFF
AGES = 128
BUCKET_WORDS = 8


class Table(NamedTuple):
    """How a search remembers."""

    recall: Kernel  # (ws, ply, depth, lower, upper) -> (lower, upper, hint): narrower bounds; a move or -1
    remember: Kernel  # (ws, ply, depth, value, alpha, beta, move): what recall's position turned out to be
    descend: Kernel  # (ws, ply, move, depth): make the position at ply + 1, and have its entry on the way


def table(
    game: Game, mode: Mode, nodes: Nodes, *, enabled: bool, symmetric: bool, same_depth: bool = False
) -> Table:
    """The table's kernels for one game; a table that is not enabled knows nothing and costs nothing.
    Either way, what was remembered last, and so the root's when a search ends, leaves its move in `ws.move`.
    `same_depth`: answer only with what a search of just this depth would find, so that values do not depend on what
    was searched before; for values that are not whole numbers."""
    return _table(game, mode, nodes, symmetric, same_depth) if enabled else _nothing(mode, nodes)


def _nothing(mode: Mode, nodes: Nodes) -> Table:
    advance = nodes.advance

    @mode.inline
    def recall(ws, ply, depth, lower, upper):
        return lower, upper, -1

    @mode.inline
    def remember(ws, ply, depth, value, alpha, beta, move):
        ws.move = move

    @mode.inline
    def descend(ws, ply, move, depth):
        advance(ws, ply, move)

    return Table(recall, remember, descend)


def _table(game: Game, mode: Mode, nodes: Nodes, symmetric: bool, same_depth: bool) -> Table:
    if game.cyclic or nodes.rules.key is None:
        raise Unsuitable(why_no_table(game))
    word, signed = mode.word, mode.signed
    read, write, prefetch = mode.read_word, mode.write_word, mode.prefetch
    bits_of, number_of_bits = mode.float_to_word, mode.word_to_float
    floating = nodes.number is float
    entries, entry = (2, word(4)) if floating else (4, word(2))
    zero, one, two, line = word(0), word(1), word(2), word(BUCKET_WORDS)
    kind_at, age_at, work_at, depth_at, move_at, value_at = (word(b) for b in (1, 3, 10, 16, 24, 40))
    two_bits, six_bits, seven_bits, eight_bits = word(3), word(63), word(127), word(255)
    sixteen_bits, half, all_bits = word(0xFFFF), word(32), word(2**64 - 1)
    advance = nodes.advance
    spread = word(0x9E3779B97F4A7C15)
    key: Any = nodes.rules.key
    canonical: Any = nodes.rules.symmetry if symmetric else key
    mirrors = symmetric and game.symmetry is not None

    @mode.inline
    def bucket(ws, this):
        """The first word of a key's bucket: the high half of a product spreads even poor keys."""
        return (((((this * spread) & all_bits) >> half) * ws.buckets) >> half) * line

    @mode.inline
    def matches(ws, at, contents, this):
        check = read(ws.table, at) ^ contents
        if floating:
            check ^= read(ws.table, at + two)
        return check == this and contents != zero

    @mode.inline
    def value_in(ws, at, contents):
        if floating:
            return number_of_bits(read(ws.table, at + two))
        return signed(contents >> value_at) - TWO_WORD_LIMIT

    @mode.inline
    def mirrored(s, this):
        """One bit telling equivalent positions apart: the move stored for one is not the other's."""
        return one if mirrors and key(s) != this else zero

    @mode.inline
    def recall(ws, ply, depth, lower, upper):
        ws.begun[ply] = ws.nodes
        ws.estimated[ply] = ws.horizon
        this = ws.keys[ply]
        at = bucket(ws, this)
        for _ in range(entries):
            contents = read(ws.table, at + one)
            if matches(ws, at, contents, this):
                kept = signed((contents >> depth_at) & eight_bits)
                if same_depth:
                    certain = contents >> value_at == zero
                    serves = kept == depth or (certain and kept < depth)
                else:
                    certain = kept == FULL
                    serves = kept >= depth or certain
                if serves:
                    value = value_in(ws, at, contents)
                    kind = signed((contents >> kind_at) & two_bits)
                    if not certain:
                        ws.horizon += 1
                    if kind & LOWER and value > lower:
                        lower = value
                    if kind & UPPER and value < upper:
                        upper = value
                hint = signed((contents >> move_at) & sixteen_bits)
                if hint == NO_MOVE or (contents & one) != mirrored(ws.stack[ply], this):
                    hint = -1
                return lower, upper, hint
            at += entry
        return lower, upper, -1

    @mode.inline
    def remember(ws, ply, depth, value, alpha, beta, move):
        ws.move = move
        if ws.stop != 0:
            return
        this = ws.keys[ply]
        certain = ws.horizon == ws.estimated[ply]
        kept = FULL if certain and not same_depth else min(depth, FULL - 1)
        kind = UPPER if value <= alpha else LOWER if value >= beta else EXACT
        spent, work = ws.nodes - ws.begun[ply], 0
        while spent > 0:
            spent >>= 1
            work += 1
        at = bucket(ws, this)
        victim, least = at, 1 << 30
        for _ in range(entries):
            contents = read(ws.table, at + one)
            if contents == zero or matches(ws, at, contents, this):
                victim = at
                break
            worth: Any = signed((contents >> work_at) & six_bits)
            if signed((contents >> age_at) & seven_bits) == ws.age:
                worth += 64
            if worth < least:
                victim, least = at, worth
            at += entry
        contents = (
            (word(move & NO_MOVE) << move_at)
            | (word(kept) << depth_at)
            | (word(work) << work_at)
            | (word(ws.age) << age_at)
            | (word(kind) << kind_at)
            | mirrored(ws.stack[ply], this)
        )
        if same_depth and not certain:
            contents |= one << value_at
        check = this
        if floating:
            check ^= bits_of(value)
            write(ws.table, victim + two, bits_of(value))
        else:
            contents |= word(value + TWO_WORD_LIMIT) << value_at
        write(ws.table, victim, check ^ contents)
        write(ws.table, victim + one, contents)

    @mode.inline
    def descend(ws, ply, move, depth):
        advance(ws, ply, move)
        if depth > 1:  # otherwise the position below is at the horizon and will not be looked up
            this = canonical(ws.stack[ply + 1])
            ws.keys[ply + 1] = this
            prefetch(ws.table, bucket(ws, this))

    return Table(recall, remember, descend)


def why_no_table(game: Game) -> str:
    """Why a table would not be right for this game."""
    if game.cyclic:
        return f"{game.name}: play can return to a position, whose value then depends on the path: no table is used"
    return f"{game.name}: its positions have no key, so no table can tell them apart"
