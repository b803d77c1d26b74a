"""The tree of a Monte-Carlo search: nodes and edges as words of one block of memory.

A node is a position; behind its header stand its edges, one for each move, all made at once:

    node   KEY  SIZE  VISITS  VALUE  LOWER  UPPER  FORWARD      edge   MOVE  VISITS  VALUE  LOWER  UPPER  [more]

Values and bounds are scores of the first player. An edge knows by itself how often it was followed and what it led to,
so that choosing among moves reads one stretch of memory and no other node; where its position has a node of its own,
which several edges may share, the edge holds what that node said when it was last passed (Childs, Brodeur and Kocsis
2008, "Transpositions and move groups in Monte Carlo tree search": values belong to positions, counts to moves). The
word MOVE holds the move and, above it, the address of that node, 0 if there is none.

Bounds are certain: what the rules say, backed up (Winands, Björnsson and Saito 2008, "Monte-Carlo tree search
solver"; Cazenave and Saffidine 2011, "Score bounded Monte-Carlo tree search"). A chance node's are the expectations of
its outcomes'.

Addresses are words behind `ws.table`. Each thread takes new nodes from a part of the memory of its own, and keeps two
numbers at its beginning: where the next node will be, and where its root is. Nodes are found by their keys in an index
at the end of the memory, unless the search keeps a plain tree. Where play can repeat, the key holds the positions that
were passed (see `core.loops`), so that what a loop is worth is a fact about the node.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.loops import path_hash
from zermelo.core.method import Parts
from zermelo.rules import u64
from zermelo.sampling.options import TreeOptions

KEY, SIZE, VISITS, VALUE, LOWER, UPPER, FORWARD = range(7)
"""Words of a node's header."""
HEADER = 7
MOVE, E_VISITS, E_VALUE, E_LOWER, E_UPPER = range(5)
"""Words of an edge; `Layout` says where the others are."""
CHILD_SHIFT = 16
THREADS = 64
DESK = 8
"""Words at the beginning of the memory that belong to one thread; none shares its cache line with another's."""
FREE, ROOT = range(2)
"""What stands on a desk: where the next node will be, and the root."""
FIRST = DESK * THREADS
"""The first address of a node: 0 is none."""
PROBES = 32
"""How many places of the index are looked at for a key."""
CROWDED, INDEX_GROWS = 1, 2
"""What `ws.crowded` says: there was no room for a node, and, when room is to be made, that a larger index is enough."""


class Layout(NamedTuple):
    """Where an edge keeps what only some searches need, 0 if it does not; `stride`: the words of an edge."""

    prior: int
    later: int
    estimate: int
    stride: int

    @classmethod
    def of(cls, options: TreeOptions, has_chance: bool) -> Layout:
        at = 5
        prior = later = estimate = 0
        if has_chance or options.select == "puct" or options.bias or options.unprune:
            prior, at = at, at + 1  # the probability of an outcome, or how much a move is liked
        if options.rave:
            later, at = at, at + 2  # visits and value of the move played later (AMAF)
        if options.minimax:
            estimate, at = at, at + 1
        return cls(prior, later, estimate, at)


class Tree(NamedTuple):
    """How kernels read and write the tree. Addresses are words, as `mode.word` makes them."""

    count: Kernel  # (ws, at) -> the whole number at an address
    put_count: Kernel  # (ws, at, number)
    number: Kernel  # (ws, at) -> the float at an address
    put: Kernel  # (ws, at, number)
    edge: Kernel  # (node, i) -> the address of its i-th edge
    move: Kernel  # (ws, edge) -> its move
    child: Kernel  # (ws, edge) -> the node it leads to, 0 if none
    link: Kernel  # (ws, edge, node): it leads to this node
    key_at: Kernel  # (ws, ply) -> what the position at ply is known by
    find: Kernel  # (ws, key) -> the node with this key, 0 if there is none
    enter: Kernel  # (ws, node, key): have it found by this key
    layout: Layout


def tree(mode: Mode, parts: Parts) -> Tree:
    """The tree for one game and one set of options."""
    options, game = parts.options, parts.game
    assert isinstance(options, TreeOptions)
    layout = Layout.of(options, game.has_chance)
    stride = layout.stride
    word, signed, all_bits = mode.word, mode.signed, mode.word(2**64 - 1)
    read, write, to_float, to_word = mode.read_word, mode.write_word, mode.word_to_float, mode.float_to_word
    shift, low_bits, nothing = word(CHILD_SHIFT), word((1 << CHILD_SHIFT) - 1), word(0)
    key_of, cyclic = parts.nodes.rules.key, game.cyclic
    hash_of_path: Any = path_hash(mode) if cyclic else None
    odd, half = word(0x9E3779B97F4A7C15), word(32)
    mode.needs(
        table=u64,  # the memory
        slots=u64,  # where its index begins
        slot_mask=u64,  # how many places that has, less one
        tint=u64,  # what sets the keys of a thread's own tree apart from those of others
    )

    @mode.inline
    def count(ws, at):
        return signed(read(ws.table, at))

    @mode.inline
    def put_count(ws, at, number):
        write(ws.table, at, word(number))

    @mode.inline
    def number(ws, at):
        return to_float(read(ws.table, at))

    @mode.inline
    def put(ws, at, value):
        write(ws.table, at, to_word(value))

    @mode.inline
    def edge(node, i):
        return node + word(HEADER + i * stride)

    @mode.inline
    def move(ws, edge):
        return signed(read(ws.table, edge) & low_bits)

    @mode.inline
    def child(ws, edge):
        return read(ws.table, edge) >> shift

    @mode.inline
    def link(ws, edge, node):
        write(ws.table, edge, (read(ws.table, edge) & low_bits) | (node << shift))

    @mode.inline
    def key_at(ws, ply):
        key = key_of(ws.stack[ply])
        return key ^ ws.tint ^ hash_of_path(ws, ply) if cyclic else key ^ ws.tint

    @mode.inline
    def slot(ws, key, probe):
        mixed = (key * odd) & all_bits
        return ws.slots + (((mixed >> half) + word(probe)) & ws.slot_mask)

    @mode.inline
    def find(ws, key):
        for probe in range(PROBES):
            node = read(ws.table, slot(ws, key, probe))
            if node == nothing or read(ws.table, node) == key:
                return node
        return nothing

    @mode.inline
    def enter(ws, node, key):
        write(ws.table, node, key)
        for probe in range(PROBES):
            at = slot(ws, key, probe)
            if read(ws.table, at) == nothing:
                write(ws.table, at, node)
                break

    return Tree(count, put_count, number, put, edge, move, child, link, key_at, find, enter, layout)
