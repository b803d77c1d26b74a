"""How threads share the work: each searches the whole tree, but puts off moves that another is searching already.

When it comes back to them, the answer is mostly in the table. A small list, common to all threads, says which moves of
which positions are being searched; it only changes the order of moves, so that a wrong or stale word in it costs time
and never truth. The first move of a position is never put off. Weill 1996, "The ABDADA distributed minimax search
algorithm", in the simple form that keeps the list apart from the table (Kerrigan).
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import PLIES
from zermelo.rules import i64, u64

SHARED_PLIES = 12
"""Deeper positions are searched faster than threads could agree about them."""
SLOTS = 1 << 12


def sharing(mode: Mode) -> tuple[Kernel, Kernel]:
    """`elsewhere(ws, ply, move)`: whether another thread searches this move now; `claim(ws, ply, move)`: this thread
    does, and is done with the last move that it claimed at this ply."""
    word, read, write = mode.word, mode.read_word, mode.write_word
    odd, spread, high, zero = word(0xD6E8FEB86659FD93), word(0x9E3779B97F4A7C15), word(52), word(0)
    all_bits = word(2**64 - 1)
    mode.needs(
        threads=i64,  # how many threads search together
        busy=u64,  # the address of their list of moves being searched
        claims=(u64, PLIES),  # what this thread wrote into that list
        keys=(u64, PLIES),
    )

    @mode.inline
    def mark(ws, ply, move):
        return (ws.keys[ply] ^ (word(move + 1) * odd)) & all_bits

    @mode.inline
    def slot(name):
        return ((name * spread) & all_bits) >> high

    @mode.inline
    def elsewhere(ws, ply, move):
        name = mark(ws, ply, move)
        return read(ws.busy, slot(name)) == name

    @mode.inline
    def claim(ws, ply, move):
        if ws.claims[ply] != zero:
            write(ws.busy, slot(ws.claims[ply]), zero)
        name = mark(ws, ply, move)
        ws.claims[ply] = name
        write(ws.busy, slot(name), name)

    return elsewhere, claim
