"""The transposition table: bounds of positions met before, in a fixed number of bytes.

A bucket is one cache line of 64 bytes. Where values are whole numbers an entry takes two 64-bit words,

    check    = key XOR contents
    contents = value 24 | move 16 | depth 8 | work 6 | age 7 | kind 2 | mirrored 1     (bits, from the top)

four to a bucket; other values take a word of their own, two entries to a bucket. All 64 bits of the key are
compared: a search that probes 10^10 times meets a false match with probability below 10^-8 (four entries a
probe, 2^-64 each), and never where the key is exact and no symmetry is mixed into it. The xor makes an entry that
two threads wrote at once fail the comparison instead of lying (Hyatt and Mann 2002, "A lock-less transposition
table").

An entry that rests on an estimate serves searches up to its depth; one that does not holds for ever and has
the depth FULL. A new entry replaces the same position, else one of an earlier search, else the one that cost
the least work, counted as the logarithm of the nodes below it (Breuker 1998, "Memory versus search in games").

A position's key is computed when it is made, so that its bucket is fetched from memory while the rules look at it.
That was measured to gain a third on tables larger than the processor's caches, and to cost nothing on smaller ones.

Where play can return to a position, values may depend on the path: `path_table` keeps the two kinds apart. Its entries
have a word of their own for the value and use the 24 bits for how far back on its path a value reaches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.rules import Game
from zermelo.search.node import TWO_WORD_LIMIT, Nodes

FULL = 255
LOWER, UPPER, EXACT = 1, 2, 3
NO_MOVE = 0xFFFF
AGES = 128
BUCKET_WORDS = 8
REST_AT = 40
NOWHERE = 2**64 - 1


class Table(NamedTuple):
    """How a search remembers."""

    recall: Kernel  # (ws, ply, depth, lower, upper, alpha, beta) -> (lower, upper, hint): narrower bounds; a move or -1
    remember: Kernel  # (ws, ply, depth, value, alpha, beta, move): what recall's position turned out to be
    descend: Kernel  # (ws, ply, move, depth): make the position at ply + 1, and have its entry on the way


class Layout(NamedTuple):
    """How entries lie in memory; `key` is what they are found by."""

    find: Kernel  # (ws, key) -> the place of the entry's first word, or NOWHERE
    contents_at: Kernel  # (ws, place) -> its contents
    value_at: Kernel  # (ws, place, contents) -> its value
    depth_of: Kernel  # (contents) -> the depth that the value was searched to
    kind_of: Kernel  # (contents) -> LOWER, UPPER or EXACT
    move_of: Kernel  # (contents) -> a move or -1
    put: Kernel  # (ws, ply, key, depth, kind, value, move, rest): store, `rest` being bits for what else there is
    prefetch: Kernel  # (ws, key): have an entry on the way


def layout(mode: Mode, number: type, floating: bool) -> Layout:
    """Entries for values of this type; `floating`: the value takes a word of its own."""
    word, signed = mode.word, mode.signed
    read, write, fetch = mode.read_word, mode.write_word, mode.prefetch
    bits_of, number_of_bits = mode.float_to_word, mode.word_to_float
    entries, entry = (2, word(4)) if floating else (4, word(2))
    zero, one, two, line, nowhere = word(0), word(1), word(2), word(BUCKET_WORDS), word(NOWHERE)
    kind_at, age_at, work_at, depth_at, move_at, value_at = (word(b) for b in (1, 3, 10, 16, 24, REST_AT))
    two_bits, six_bits, seven_bits, eight_bits = word(3), word(63), word(127), word(255)
    sixteen_bits, half, all_bits = word(0xFFFF), word(32), word(2**64 - 1)
    spread = word(0x9E3779B97F4A7C15)

    @mode.inline
    def bucket(ws, key):
        """The first word of a key's bucket: the high half of a product spreads even poor keys."""
        return (((((key * spread) & all_bits) >> half) * ws.buckets) >> half) * line

    @mode.inline
    def matches(ws, at, contents, key):
        check = read(ws.table, at) ^ contents
        if floating:
            check ^= read(ws.table, at + two)
        return check == key and contents != zero

    @mode.inline
    def find(ws, key):
        at = bucket(ws, key)
        for _ in range(entries):
            if matches(ws, at, read(ws.table, at + one), key):
                return at
            at += entry
        return nowhere

    @mode.inline
    def contents_at(ws, at):
        return read(ws.table, at + one)

    @mode.inline
    def value_in(ws, at, contents):
        if floating:
            return number(number_of_bits(read(ws.table, at + two)))
        return signed(contents >> value_at) - TWO_WORD_LIMIT

    @mode.inline
    def depth_of(contents):
        return signed((contents >> depth_at) & eight_bits)

    @mode.inline
    def kind_of(contents):
        return signed((contents >> kind_at) & two_bits)

    @mode.inline
    def move_of(contents):
        move = signed((contents >> move_at) & sixteen_bits)
        return -1 if move == NO_MOVE else move

    @mode.inline
    def put(ws, ply, key, depth, kind, value, move, rest):
        kept = FULL if ws.horizon == ws.estimated[ply] else min(depth, FULL - 1)
        spent, work = ws.nodes - ws.begun[ply], 0
        while spent > 0:
            spent >>= 1
            work += 1
        at = bucket(ws, key)
        victim, least = at, 1 << 30
        for _ in range(entries):
            contents = read(ws.table, at + one)
            if contents == zero or matches(ws, at, contents, key):
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
            | rest
        )
        check = key
        if floating:
            check ^= bits_of(value)
            write(ws.table, victim + two, bits_of(value))
        else:
            contents |= word(value + TWO_WORD_LIMIT) << value_at
        write(ws.table, victim, check ^ contents)
        write(ws.table, victim + one, contents)

    @mode.inline
    def prefetch(ws, key):
        fetch(ws.table, bucket(ws, key))

    return Layout(find, contents_at, value_in, depth_of, kind_of, move_of, put, prefetch)


def table(game: Game, mode: Mode, nodes: Nodes, *, symmetric: bool) -> Table:
    """The table's kernels for a game without cycles. What was remembered last, and so the root's when a search ends,
    leaves its move in `ws.move`."""
    find, contents_at, value_at, depth_of, kind_of, move_of, put, prefetch = layout(
        mode, nodes.number, nodes.number is float
    )
    advance = nodes.advance
    zero, one, nowhere = mode.word(0), mode.word(1), mode.word(NOWHERE)
    key: Any = nodes.rules.key
    canonical: Any = nodes.rules.symmetry if symmetric else key
    mirrors = symmetric and game.symmetry is not None

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
        contents = contents_at(ws, at)
        kept = depth_of(contents)
        if kept >= depth or kept == FULL:
            value = value_at(ws, at, contents)
            kind = kind_of(contents)
            if kept != FULL:
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
    def remember(ws, ply, depth, value, alpha, beta, move):
        ws.move = move
        if ws.stop != 0:
            return
        this = ws.keys[ply]
        kind = UPPER if value <= alpha else LOWER if value >= beta else EXACT
        put(ws, ply, this, depth, kind, value, move, mirrored(ws.stack[ply], this))

    @mode.inline
    def descend(ws, ply, move, depth):
        advance(ws, ply, move)
        if depth > 1:  # otherwise the position below is at the horizon and will not be looked up
            this = canonical(ws.stack[ply + 1])
            ws.keys[ply + 1] = this
            prefetch(ws, this)

    return Table(recall, remember, descend)


def no_table(mode: Mode, nodes: Nodes) -> Table:
    """A table that knows nothing and costs nothing; it too leaves the move of what was finished last."""
    advance = nodes.advance

    @mode.inline
    def recall(ws, ply, depth, lower, upper, alpha, beta):
        return lower, upper, -1

    @mode.inline
    def remember(ws, ply, depth, value, alpha, beta, move):
        ws.move = move

    @mode.inline
    def descend(ws, ply, move, depth):
        advance(ws, ply, move)

    return Table(recall, remember, descend)
