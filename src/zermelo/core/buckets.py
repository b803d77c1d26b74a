"""How tables lie in memory: buckets of one cache line, 64 bytes, that hold four or two entries.

An entry's first word is its key XOR all its other words, so that an entry which two threads wrote at once fails the
comparison instead of lying (Hyatt and Mann 2002, "A lock-less transposition table"). The second word is

    rest 24 | move 16 | depth 8 | work 6 | age 7 | kind 2 | flag 1     (bits, from the top)

and is never zero. An entry of four words has two more for what its table needs. All 64 bits of the key are compared: a
search that probes 10^10 times meets a false match with probability below 10^-8 (four entries a probe, 2^-64
each), and never where the key is exact and nothing is mixed into it.

A new entry replaces the same position, else one of an earlier search, else the one that cost the least work, counted
as the logarithm of the nodes below it (Breuker 1998, "Memory versus search in games").
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import PLIES
from zermelo.core.growth import BUCKET_WORDS, FULL_SIZE, GROUP_WORDS, growth
from zermelo.rules import i64

FULL = 255
NO_MOVE = 0xFFFF
AGES = 128
REST_AT = 40
NOWHERE = 2**64 - 1


class Buckets(NamedTuple):
    """Entries that are found by a 64-bit key. `at` is the place of an entry's first word."""

    find: Kernel  # (ws, key) -> at, or NOWHERE
    word_of: Kernel  # (ws, at, i) -> the entry's word number i; 1 is its contents
    depth_of: Kernel  # (contents) -> the depth that was searched, FULL if nothing rests on an estimate
    kind_of: Kernel  # (contents) -> two bits
    move_of: Kernel  # (contents) -> a move or -1
    work_of: Kernel  # (contents) -> how many bits the number of nodes has that it took
    rest_of: Kernel  # (contents) -> 24 bits, of which some are nonzero or kind is
    put: Kernel  # (ws, ply, key, depth, kind, move, rest, second, third): store what was found at ply; rest is in place
    prefetch: Kernel  # (ws, key): have an entry on the way


def buckets(mode: Mode, words: int) -> Buckets:
    """Entries of two words, or of four."""
    word, signed = mode.word, mode.signed
    read, write, fetch = mode.read_word, mode.write_word, mode.prefetch
    entries, wide = BUCKET_WORDS // words, words == 4
    entry, line, nowhere = word(words), word(BUCKET_WORDS), word(NOWHERE)
    zero, one, two, three = word(0), word(1), word(2), word(3)
    kind_at, age_at, work_at, depth_at, move_at, rest_at = (word(b) for b in (1, 3, 10, 16, 24, REST_AT))
    two_bits, six_bits, seven_bits, eight_bits = word(3), word(63), word(127), word(255)
    sixteen_bits, half, all_bits = word(0xFFFF), word(32), word(2**64 - 1)
    full_size, in_bucket, in_group = word(FULL_SIZE), word(BUCKET_WORDS - 1), word(GROUP_WORDS - 1)
    spread = word(0x9E3779B97F4A7C15)
    mode.needs(
        age=i64,
        begun=(i64, PLIES),  # the counter of nodes when a position of the path was entered
    )

    @mode.inline
    def bucket(ws, key, shift):
        """The first word of a key's bucket: the high half of a product spreads even poor keys."""
        return (((((key * spread) & all_bits) >> half) * ws.buckets) >> shift) * line

    @mode.inline
    def key_at(ws, at):
        return (
            read(ws.table, at)
            ^ read(ws.table, at + one)
            ^ (read(ws.table, at + two) ^ read(ws.table, at + three) if wide else zero)
        )

    @mode.inline
    def work_of(contents):
        return signed((contents >> work_at) & six_bits)

    @mode.inline
    def worth_of(ws, contents):
        """What is kept longer: entries of this search, and among those the ones that cost more."""
        return work_of(contents) + (64 if signed((contents >> age_at) & seven_bits) == ws.age else 0)

    @mode.inline
    def after(ws, here):
        """The next place of the ring in which a position can lie: its bucket, or its group while the table is small."""
        ring = in_bucket if ws.shift == full_size else in_group
        return (here & (all_bits ^ ring)) | ((here + entry) & ring)

    @mode.inline
    def find(ws, key):
        at = here = bucket(ws, key, ws.shift)
        while read(ws.table, here + one) != zero:
            if key_at(ws, here) == key:
                return here
            here = after(ws, here)
            if here == at:
                break
        return nowhere

    grow = growth(mode, words, bucket, key_at, after)

    @mode.kernel
    def make_room(ws, key):
        """Where an entry with this key goes: where it lies, else a free place, else that of a rival for its bucket."""
        while True:
            if ws.room <= 0:
                grow(ws)
            at, mine = bucket(ws, key, ws.shift), bucket(ws, key, full_size)
            here, victim, least, rivals = at, at, 1 << 30, 0
            certain = entries if ws.shift == full_size else 0  # so many are rivals whatever another thread made of them
            while True:
                contents, other = read(ws.table, here + one), key_at(ws, here)
                if contents == zero:
                    ws.room -= words
                    return here
                if other == key:
                    return here
                if rivals < certain or bucket(ws, other, full_size) == mine:
                    worth: Any = worth_of(ws, contents)
                    if worth < least:
                        victim, least = here, worth
                    rivals += 1
                    if rivals == entries:
                        return victim
                here = after(ws, here)
                if here == at:
                    break
            ws.room = 0

    @mode.inline
    def word_of(ws, at, i):
        return read(ws.table, at + word(i))

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
    def rest_of(contents):
        return signed(contents >> rest_at)

    @mode.inline
    def put(ws, ply, key, depth, kind, move, rest, second, third):
        spent, work = ws.nodes - ws.begun[ply], 0
        while spent > 0:
            spent >>= 1
            work += 1
        at = make_room(ws, key)
        contents = (
            (word(move & NO_MOVE) << move_at)
            | (word(depth) << depth_at)
            | (word(work) << work_at)
            | (word(ws.age) << age_at)
            | (word(kind) << kind_at)
            | rest
        )
        check = key ^ contents
        if wide:
            check ^= second ^ third
            write(ws.table, at + two, second)
            write(ws.table, at + three, third)
        write(ws.table, at, check)
        write(ws.table, at + one, contents)

    @mode.inline
    def prefetch(ws, key):
        fetch(ws.table, bucket(ws, key, ws.shift))

    return Buckets(find, word_of, depth_of, kind_of, move_of, work_of, rest_of, put, prefetch)
