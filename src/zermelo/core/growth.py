"""Tables that begin small: a short search then runs in the processor's caches and touches little memory, and a long one
comes to the full size by and by.

A table in use takes the front of its memory. An entry lies at its place in the table of full size divided by a power of
four (see `ws.shift`), and if that bucket is full, in the next one of its group. Once a third of the table is taken, it
is made four times as large: every group is moved to where the four begin that it becomes, the last one first, so that
this needs no memory but one spare group behind the table, and loses nothing.

A small table holds just what one of full size would: entries that would share a bucket there are counted here, and
give way to each other by the same rule. So a search visits the same nodes whatever size its table begins with.
"""

from __future__ import annotations

from zermelo.compile.modes import UNLIMITED, Kernel, Mode
from zermelo.rules import i64, u64

BUCKET_WORDS = 8
GROUP = 32
"""How many buckets run over into one another while a table is small."""
GROUP_WORDS = GROUP * BUCKET_WORDS
FIRST = 1 << 12
"""How many buckets a table has in the beginning, or up to four times as many."""
FULL_SIZE = 32
"""What `ws.shift` is for a table of full size."""
STEP = 2
"""How much more it is for one that is four times smaller."""


def first_shift(buckets: int) -> int:
    """How a table begins that may have this many buckets."""
    shift = FULL_SIZE
    while buckets >> (shift + STEP - FULL_SIZE) >= max(FIRST, GROUP):
        shift += STEP
    return shift


def first_room(buckets: int, shift: int) -> int:
    """How many words of it may be taken before it grows."""
    return UNLIMITED if shift == FULL_SIZE else (buckets >> (shift - FULL_SIZE)) * BUCKET_WORDS // 3


def growth(mode: Mode, words: int, bucket: Kernel, key_at: Kernel, after: Kernel) -> Kernel:
    """`(ws)`: make a table larger that has entries of this many words, and that is not at its full size."""
    word, signed, read, write = mode.word, mode.signed, mode.read_word, mode.write_word
    zero, one, step, full_size = word(0), word(1), word(STEP), word(FULL_SIZE)
    entry, line, group_line, within = word(words), word(BUCKET_WORDS), word(GROUP_WORDS), word(GROUP_WORDS - 1)

    mode.needs(
        table=u64,  # the address of the buckets
        buckets=u64,  # how many there are at full size
        shift=u64,  # how much smaller the table is: FULL_SIZE and the logarithm of that
        room=i64,  # how many words of it may still be filled before it grows
    )

    @mode.inline
    def copy(ws, at, to):
        for i in range(words):
            write(ws.table, to + word(i), read(ws.table, at + word(i)))

    @mode.kernel
    def grow(ws):
        spare, in_use = ws.buckets * line, (ws.buckets >> (ws.shift - full_size)) * line
        group = in_use // group_line + one
        ws.shift -= step
        ws.room = UNLIMITED if ws.shift == full_size else ws.room + signed(in_use)  # a third of what is new
        while group != zero:
            group -= one
            free = i = zero
            while True:
                at = group * group_line + i
                if read(ws.table, at + one) == zero:
                    free = i
                copy(ws, at, spare + i)
                write(ws.table, at + one, zero)
                i = (i + entry) & within
                if i == zero:
                    break
            i = free  # a place beyond which nothing ran over: to begin behind it keeps entries in order
            while True:
                i = (i + entry) & within
                if read(ws.table, spare + i + one) != zero:
                    to = bucket(ws, key_at(ws, spare + i), ws.shift)
                    while read(ws.table, to + one) != zero:
                        to = after(ws, to)
                    copy(ws, spare + i, to)
                if i == free:
                    break

    return grow
