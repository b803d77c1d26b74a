"""Graphs kept in memory for best-first search: one node for a position, however many moves lead to it.

A node takes four words: its numbers; its edges and their number; the last of the edges that lead to it and the next
node of its hash chain; its key. An edge out of a node takes a word (child 32 | move 16), and so does an edge into one
(parent 32 | next 32). The memory begins with the next unused word, the number of nodes and the number of hash chains,
followed by the chains. What is found at a node is carried to all its parents (Schijf, Allis and Uiterwijk 1994,
"Proof-number search and transpositions"). For games without cycles.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.growth import BUCKET_WORDS
from zermelo.core.method import Parts
from zermelo.pn.arena import Links, stored_numbers
from zermelo.pn.growing import Growth
from zermelo.rules import i64, u64

_HEADER, _NODE_WORDS, _CHAIN_SHARE = 3, 4, 12


class Graph(NamedTuple):
    """A graph. A node's number is where it lies."""

    links: Links
    clear: Kernel  # (ws): forget everything
    take: Kernel  # (ws, n) -> n words, or 0 if the memory is full
    begin: Kernel  # (ws, node, move): a new root
    enter: Kernel  # (ws, node, key): a new node that can be found
    find: Kernel  # (ws, key) -> its node, or 0
    adopt: Kernel  # (ws, node, edges, count, first): give a leaf its edges; `first`: the first player moves there
    is_first: Kernel  # (ws, node) -> what adopt was told
    lead: Kernel  # (ws, node, edges, i, child, move, room): set an edge; `room` is a word for the way back
    parents_of: Kernel  # (ws, node) -> the edge by which it was reached last, or 0
    parent_at: Kernel  # (ws, edge) -> where that edge comes from
    before: Kernel  # (ws, edge) -> the next edge that leads to the same node, or 0


def graph(mode: Mode) -> Graph:
    word, signed = mode.word, mode.signed
    read, write = mode.read_word, mode.write_word
    half, low_half, sixteen, sixteen_bits = word(32), word(2**32 - 1), word(16), word(0xFFFF)
    odd, all_bits = word(0x9E3779B97F4A7C15), word(2**64 - 1)
    mode.needs(table=u64, buckets=u64)  # the address of the memory, and its size in cache lines

    @mode.inline
    def chain(ws, key):
        spread = ((key * odd) & all_bits) >> half
        return _HEADER + signed((spread * read(ws.table, word(2))) >> half)

    @mode.inline
    def clear(ws):
        chains = max(signed(ws.buckets) * BUCKET_WORDS // _CHAIN_SHARE, 1)
        for i in range(_HEADER + chains):
            write(ws.table, word(i), word(0))
        write(ws.table, word(0), word(_HEADER + chains))
        write(ws.table, word(2), word(chains))

    @mode.inline
    def take(ws, n):
        size = max(n, _NODE_WORDS)  # the root is taken before anything is known of it
        at = signed(read(ws.table, word(0)))
        if at + size > signed(ws.buckets) * BUCKET_WORDS:
            return 0
        write(ws.table, word(0), word(at + size))
        return at

    @mode.inline
    def begin(ws, node, move):
        for i in range(_NODE_WORDS):
            write(ws.table, word(node + i), word(0))

    @mode.inline
    def enter(ws, node, key):
        at = chain(ws, key)
        write(ws.table, word(node + 1), word(0))
        write(ws.table, word(node + 2), read(ws.table, word(at)))
        write(ws.table, word(node + 3), word(key))
        write(ws.table, word(at), word(node))

    @mode.inline
    def find(ws, key):
        node = signed(read(ws.table, word(chain(ws, key))))
        while node != 0 and read(ws.table, word(node + 3)) != key:
            node = signed(read(ws.table, word(node + 2)) & low_half)
        return node

    @mode.inline
    def count_of(ws, node):
        return signed((read(ws.table, word(node + 1)) >> sixteen) & sixteen_bits)

    @mode.inline
    def edge(ws, node, i):
        return read(ws.table, word(signed(read(ws.table, word(node + 1)) >> half) + i))

    @mode.inline
    def child_of(ws, node, i):
        return signed(edge(ws, node, i) >> half)

    @mode.inline
    def move_of(ws, node, i):
        return signed(edge(ws, node, i) & sixteen_bits)

    @mode.inline
    def adopt(ws, node, edges, count, first):
        write(ws.table, word(node + 1), (word(edges) << half) | (word(count) << sixteen) | word(1 if first else 0))

    @mode.inline
    def is_first(ws, node):
        return (read(ws.table, word(node + 1)) & word(1)) != word(0)

    @mode.inline
    def lead(ws, node, edges, i, child, move, room):
        write(ws.table, word(edges + i), (word(child) << half) | word(move & 0xFFFF))
        links = read(ws.table, word(child + 2))
        write(ws.table, word(room), (word(node) << half) | (links >> half))
        write(ws.table, word(child + 2), (word(room) << half) | (links & low_half))

    @mode.inline
    def parents_of(ws, node):
        return signed(read(ws.table, word(node + 2)) >> half)

    @mode.inline
    def parent_at(ws, edge):
        return signed(read(ws.table, word(edge)) >> half)

    @mode.inline
    def before(ws, edge):
        return signed(read(ws.table, word(edge)) & low_half)

    @mode.inline
    def at(node, claim):
        return word(node)

    links = Links(count_of, child_of, move_of, *stored_numbers(mode, at))
    return Graph(links, clear, take, begin, enter, find, adopt, is_first, lead, parents_of, parent_at, before)


def grow_graph(mode: Mode, parts: Parts, nodes: Graph, growing: Growth) -> Kernel:
    """As `growing.grow`, on a graph: `room` is not heeded, and there is one claim."""
    look, _, focus, most_proving, update = growing
    mover, advance = parts.nodes.mover, parts.nodes.advance
    arrange, pick = parts.ordering[:2]
    key: Any = parts.nodes.rules.key
    find, take, enter, adopt, lead = nodes.find, nodes.take, nodes.enter, nodes.adopt, nodes.lead
    is_first = nodes.is_first
    parents_of, parent_at, before = nodes.parents_of, nodes.parent_at, nodes.before
    count_of, child_of, move_of, proof_of, disproof_of, _ = nodes.links
    mode.counts(expanded=i64, full=i64)

    @mode.kernel
    def expand(ws, ply, node, depth, goal):
        n = arrange(ws, ply, -1)
        if ws.stop != 0:
            return True
        edges = take(ws, 2 * n)  # each with its way back
        if edges == 0:
            return False
        for i in range(n):
            move = pick(ws, ply, i, n)
            advance(ws, ply, move)
            this = key(ws.stack[ply + 1])
            child = find(ws, this)
            if child == 0:
                child = take(ws, 4)
                if child == 0:
                    return False
                enter(ws, child, this)
                look(ws, ply + 1, child, depth - 1, goal)
            lead(ws, node, edges, i, child, move, edges + n + i)
        adopt(ws, node, edges, n, mover(ws, ply) == 0)
        ws.expanded += 1
        return True

    @mode.kernel
    def carry_up(ws, node):
        """Make the numbers of a node anew, and those of all above that this changes."""
        if not update(ws, node, is_first(ws, node)):
            return
        edge = parents_of(ws, node)
        while edge != 0:
            carry_up(ws, parent_at(ws, edge))
            edge = before(ws, edge)

    @mode.kernel
    def grow(ws, ply, root, depth, goal, room, lowest, highest):
        claim = focus(ws, root, lowest, highest)
        while claim >= 0 and ws.stop == 0:
            proving = proof_of(ws, root, claim) <= disproof_of(ws, root, claim)
            here, node = ply, root
            while count_of(ws, node) > 0:
                i = most_proving(ws, here, node, claim, proving)
                advance(ws, here, move_of(ws, node, i))
                node = child_of(ws, node, i)
                here += 1
            if not expand(ws, here, node, depth - (here - ply), goal):
                ws.full = 1
                break
            carry_up(ws, node)
            claim = focus(ws, root, lowest, highest)

    return grow
