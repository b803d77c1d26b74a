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
from zermelo.core.growth import BUCKET_WORDS
from zermelo.pn.numbers import DECIDED
from zermelo.rules import Game, u64

LARGEST = 2**32 - 1
"""A stored number that stands for DECIDED; open numbers stay below it."""


class Links(NamedTuple):
    """What best-first search reads and writes of nodes, however these are kept. They are numbered from 1; 0 is none."""

    count_of: Kernel  # (ws, node) -> how many children it has, 0 for a leaf
    child_of: Kernel  # (ws, node, i) -> the node that its move number i leads to
    move_of: Kernel  # (ws, node, i) -> that move
    proof_of: Kernel  # (ws, node, claim)
    disproof_of: Kernel  # (ws, node, claim)
    number: Kernel  # (ws, node, claim, proof, disproof)


class Arena(NamedTuple):
    """A tree."""

    links: Links
    clear: Kernel  # (ws): forget everything
    take: Kernel  # (ws, n) -> the first of n new nodes side by side, or 0 if the memory is full
    release: Kernel  # (ws, node): give back everything below a node
    in_use: Kernel  # (ws) -> how many nodes there are
    begin: Kernel  # (ws, node, move): a new leaf
    adopt: Kernel  # (ws, node, first, count): give a leaf its children


def least_words(game: Game, claims: int) -> int:
    """The memory that a root and its children need."""
    return 2 + game.max_moves + 1 + (claims + 1) * (game.max_moves + 2)


def arena(game: Game, mode: Mode, claims: int) -> Arena:
    """Nodes with numbers for this many claims."""
    word, signed = mode.word, mode.signed
    read, write = mode.read_word, mode.write_word
    width, header = claims + 1, 3 + game.max_moves
    half, sixteen, sixteen_bits = word(32), word(16), word(0xFFFF)
    unused, used, line = word(0), word(1), BUCKET_WORDS
    mode.needs(table=u64, buckets=u64)  # the address of the memory, and its size in cache lines

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
    def count_of(ws, node):
        return signed((read(ws.table, place(node, 0)) >> sixteen) & sixteen_bits)

    @mode.inline
    def child_of(ws, node, i):
        return signed(read(ws.table, place(node, 0)) >> half) + i

    @mode.inline
    def move_of(ws, node, i):
        return signed(read(ws.table, place(child_of(ws, node, i), 0)) & sixteen_bits)

    @mode.inline
    def begin(ws, node, move):
        write(ws.table, place(node, 0), word(move & 0xFFFF))

    @mode.inline
    def adopt(ws, node, first, count):
        move = read(ws.table, place(node, 0)) & sixteen_bits
        write(ws.table, place(node, 0), (word(first) << half) | (word(count) << sixteen) | move)

    @mode.kernel
    def release(ws, node):
        count, first = count_of(ws, node), child_of(ws, node, 0)
        if count == 0:
            return
        adopt(ws, node, 0, 0)
        for i in range(count):
            release(ws, first + i)
        write(ws.table, place(first, 0), read(ws.table, head(count)))
        write(ws.table, head(count), word(first))
        write(ws.table, used, word(signed(read(ws.table, used)) - count))

    @mode.inline
    def at(node, claim):
        return place(node, 1 + claim)

    numbers = stored_numbers(mode, at)
    return Arena(Links(count_of, child_of, move_of, *numbers), clear, take, release, in_use, begin, adopt)


def stored_numbers(mode: Mode, at: Kernel) -> tuple[Kernel, Kernel, Kernel]:
    """How the word at `at(node, claim)` holds a proof and a disproof number: reading either, and writing both."""
    word, signed, read, write = mode.word, mode.signed, mode.read_word, mode.write_word
    half, low_half = word(32), word(2**32 - 1)

    @mode.inline
    def proof_of(ws, node, claim):
        number = signed(read(ws.table, at(node, claim)) >> half)
        return DECIDED if number == LARGEST else number

    @mode.inline
    def disproof_of(ws, node, claim):
        number = signed(read(ws.table, at(node, claim)) & low_half)
        return DECIDED if number == LARGEST else number

    @mode.inline
    def fitting(number):
        return word(LARGEST if number >= DECIDED else min(number, LARGEST - 1))

    @mode.inline
    def number(ws, node, claim, proof, disproof):
        write(ws.table, at(node, claim), (fitting(proof) << half) | fitting(disproof))

    return proof_of, disproof_of, number
