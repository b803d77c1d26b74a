"""Trees kept in memory for best-first search: a few words a node, in a block of fixed size.

A node is one word of links and, for each claim that is searched at once, one word with its proof and disproof number
(16 bytes for one claim). The children of a node lie side by side. Links are

    first child 32 | number of children 16 | the move that leads here 16     (bits, from the top)

No state is kept: a search walks down from the root and plays the moves. Groups of children that are no longer needed
are chained by their size and used again. The memory begins with the next unused node, how many nodes are in use, and
the heads of these chains.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.proof.numbers import DECIDED
from zermelo.rules import Game
from zermelo.search.buckets import BUCKET_WORDS

LARGEST = 2**32 - 1
"""A stored number that stands for DECIDED; open numbers stay below it."""


class Arena(NamedTuple):
    """Nodes are numbered from 1; 0 is none."""

    clear: Kernel  # (ws): forget everything
    take: Kernel  # (ws, n) -> the first of n new nodes side by side, or 0 if the memory is full
    release: Kernel  # (ws, node): give back everything below a node
    in_use: Kernel  # (ws) -> how many nodes there are
    first_of: Kernel  # (ws, node) -> its first child
    count_of: Kernel  # (ws, node) -> how many children it has, 0 for a leaf
    move_of: Kernel  # (ws, node)
    link: Kernel  # (ws, node, first, count, move)
    proof_of: Kernel  # (ws, node, claim)
    disproof_of: Kernel  # (ws, node, claim)
    number: Kernel  # (ws, node, claim, proof, disproof)


def least_words(game: Game, claims: int) -> int:
    """The memory that a root and its children need."""
    return 2 + game.max_moves + 1 + (claims + 1) * (game.max_moves + 2)


def arena(game: Game, mode: Mode, claims: int) -> Arena:
    """Nodes with numbers for this many claims."""
    word, signed = mode.word, mode.signed
    read, write = mode.read_word, mode.write_word
    width, header = claims + 1, 3 + game.max_moves
    half, low_half, sixteen, sixteen_bits = word(32), word(2**32 - 1), word(16), word(0xFFFF)
    unused, used, line = word(0), word(1), BUCKET_WORDS

    @mode.inline
    def place(node, part):
        return word(header + node * width + part)

    @mode.inline
    def head(count):
        return word(2 + count)

    @mode.inline
    def clear(ws):
        for i in range(header):
            write(ws.table, word(i), word(0))
        write(ws.table, unused, word(1))

    @mode.inline
    def take(ws, n):
        node = signed(read(ws.table, head(n)))
        if node != 0:
            write(ws.table, head(n), read(ws.table, place(node, 0)))
        else:
            node = signed(read(ws.table, unused))
            if header + (node + n) * width > signed(ws.buckets) * line:
                return 0
            write(ws.table, unused, word(node + n))
        write(ws.table, used, word(signed(read(ws.table, used)) + n))
        return node

    @mode.inline
    def in_use(ws):
        return signed(read(ws.table, used))

    @mode.inline
    def first_of(ws, node):
        return signed(read(ws.table, place(node, 0)) >> half)

    @mode.inline
    def count_of(ws, node):
        return signed((read(ws.table, place(node, 0)) >> sixteen) & sixteen_bits)

    @mode.inline
    def move_of(ws, node):
        return signed(read(ws.table, place(node, 0)) & sixteen_bits)

    @mode.inline
    def link(ws, node, first, count, move):
        write(ws.table, place(node, 0), (word(first) << half) | (word(count) << sixteen) | word(move & 0xFFFF))

    @mode.kernel
    def release(ws, node):
        count, first = count_of(ws, node), first_of(ws, node)
        if count == 0:
            return
        link(ws, node, 0, 0, move_of(ws, node))
        for i in range(count):
            release(ws, first + i)
        write(ws.table, place(first, 0), read(ws.table, head(count)))
        write(ws.table, head(count), word(first))
        write(ws.table, used, word(signed(read(ws.table, used)) - count))

    @mode.inline
    def proof_of(ws, node, claim):
        stored = signed(read(ws.table, place(node, 1 + claim)) >> half)
        return DECIDED if stored == LARGEST else stored

    @mode.inline
    def disproof_of(ws, node, claim):
        stored = signed(read(ws.table, place(node, 1 + claim)) & low_half)
        return DECIDED if stored == LARGEST else stored

    @mode.inline
    def stored(number):
        return word(LARGEST if number >= DECIDED else min(number, LARGEST - 1))

    @mode.inline
    def number(ws, node, claim, proof, disproof):
        write(ws.table, place(node, 1 + claim), (stored(proof) << half) | stored(disproof))

    return Arena(clear, take, release, in_use, first_of, count_of, move_of, link, proof_of, disproof_of, number)
