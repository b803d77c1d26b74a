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
from zermelo.rules import i64, u64

FULL = 255
NO_MOVE = 0xFFFF
AGES = 128
BUCKET_WORDS = 8
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
    spread = word(0x9E3779B97F4A7C15)
    mode.needs(
        table=u64,  # the address of the buckets
        buckets=u64,  # how many there are
        age=i64,
        begun=(i64, PLIES),  # the counter of nodes when a position of the path was entered
    )

    @mode.inline
    def bucket(ws, key):
        """The first word of a key's bucket: the high half of a product spreads even poor keys."""
        return (((((key * spread) & all_bits) >> half) * ws.buckets) >> half) * line

    @mode.inline
    def matches(ws, at, contents, key):
        check = read(ws.table, at) ^ contents
        if wide:
            check ^= read(ws.table, at + two) ^ read(ws.table, at + three)
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
    def work_of(contents):
        return signed((contents >> work_at) & six_bits)

    @mode.inline
    def rest_of(contents):
        return signed(contents >> rest_at)

    @mode.inline
    def put(ws, ply, key, depth, kind, move, rest, second, third):
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
            worth: Any = work_of(contents)
            if signed((contents >> age_at) & seven_bits) == ws.age:
                worth += 64
            if worth < least:
                victim, least = at, worth
            at += entry
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
            write(ws.table, victim + two, second)
            write(ws.table, victim + three, third)
        write(ws.table, victim, check)
        write(ws.table, victim + one, contents)

    @mode.inline
    def prefetch(ws, key):
        fetch(ws.table, bucket(ws, key))

    return Buckets(find, word_of, depth_of, kind_of, move_of, work_of, rest_of, put, prefetch)
