"""Making room: when the memory is full, the nodes with the fewest visits go, and the others move together.

What an edge knows stays with it when the node behind it goes, and a node that is made again begins with that. So only
the detail below rarely visited moves is lost. Nodes that cannot be reached from a root any more go too. From then on a
node is made only after so many visits that it would have stayed: else those that went would all come back at once.

The way is mark and compact. Edges are followed from the roots to see which nodes are reached; all else are passes over
the memory from its beginning to its end: how much room nodes of which visits take; where each will be; edges told of
it; all moved down; and the index filled anew.

The index begins small and grows with the tree: who looks up a few nodes in a large one waits for memory each time.
"""

from __future__ import annotations

import math

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts
from zermelo.rules import i64, u64
from zermelo.sampling.tree import (
    DESK,
    FIRST,
    FORWARD,
    FREE,
    HEADER,
    INDEX_GROWS,
    KEY,
    ROOT,
    SIZE,
    THREADS,
    VISITS,
    Tree,
)  # fmt: skip

CLASSES, EACH = 256, 4
"""Of visits, and how many for each doubling."""
MOST = 2.0**60
"""More visits than there ever are."""


def recycling(mode: Mode, parts: Parts, tree: Tree) -> Kernel:
    """`make_room(ws)`: where `ws.crowded` says that the index grows, all nodes are in the new one afterwards; elsewhere
    about half of what each thread has is free, and all addresses but those on desks change."""
    count, put_count, edge_at, child_of, link = tree.count, tree.put_count, tree.edge, tree.child, tree.link
    find, enter, stride = tree.find, tree.enter, tree.layout.stride
    read, write, word = mode.read_word, mode.write_word, mode.word
    nothing, one, reached = word(0), word(1), word(1)
    size_at, visits_at, key_at, forward_at = word(SIZE), word(VISITS), word(KEY), word(FORWARD)
    header, first = HEADER, word(FIRST)
    mode.needs(
        part=u64,  # how many words each thread has for its nodes
        threads=i64,
        crowded=i64,
        taken=(i64, CLASSES),
        fewest=(i64, THREADS),  # the visits without which a thread's nodes go
    )

    @mode.inline
    def words_of(ws, node):
        return word(header + count(ws, node + size_at) * stride)

    @mode.inline
    def class_of(visits):
        return min(CLASSES - 1, int(EACH * math.log2(visits + 1.0)))

    @mode.inline
    def begin_of(ws, thread):
        return first + ws.part * word(thread)

    @mode.inline
    def free_of(ws, thread):
        return read(ws.table, word(thread * DESK + FREE))

    @mode.inline
    def bar(ws, thread):
        """How many visits nodes need to stay so that at most half of a thread's memory stays in use."""
        for i in range(CLASSES):
            ws.taken[i] = 0
        node = begin_of(ws, thread)
        while node < free_of(ws, thread):
            ws.taken[class_of(count(ws, node + visits_at))] += header + count(ws, node + size_at) * stride
            node += words_of(ws, node)
        allowed, at = int(ws.part) // 2, CLASSES - 1
        while at > 0 and ws.taken[at] <= allowed:
            allowed -= ws.taken[at]
            at -= 1
        return math.ceil(min(2.0 ** ((at + 1) / EACH) - 1.0, MOST))

    @mode.inline
    def may_stay(ws, node):
        thread = int((node - first) // ws.part)
        return count(ws, node + visits_at) >= ws.fewest[thread]

    @mode.inline
    def mark(ws):
        """Note in `forward` which nodes are reached by way of nodes that may stay. Those whose children were not looked
        at yet are a list: `forward` is the next of them there."""
        waiting = reached
        for thread in range(ws.threads):
            root = read(ws.table, word(thread * DESK + ROOT))
            if root != nothing and read(ws.table, root + forward_at) == nothing:
                write(ws.table, root + forward_at, waiting)
                waiting = root
        while waiting != reached:
            node = waiting
            waiting = read(ws.table, node + forward_at)
            write(ws.table, node + forward_at, reached)
            for i in range(count(ws, node + size_at)):
                child = child_of(ws, edge_at(node, i))
                if child != nothing and read(ws.table, child + forward_at) == nothing and may_stay(ws, child):
                    write(ws.table, child + forward_at, waiting)
                    waiting = child

    @mode.inline
    def assign(ws):
        """Where each node that stays will be."""
        for thread in range(ws.threads):
            node = begin_of(ws, thread)
            free = node
            while node < free_of(ws, thread):
                if read(ws.table, node + forward_at) != nothing:
                    write(ws.table, node + forward_at, free)
                    free += words_of(ws, node)
                node += words_of(ws, node)

    @mode.inline
    def relink(ws):
        """Edges and roots lead to where the nodes will be."""
        for thread in range(ws.threads):
            desk = word(thread * DESK + ROOT)
            root = read(ws.table, desk)
            if root != nothing:
                write(ws.table, desk, read(ws.table, root + forward_at))
            node = begin_of(ws, thread)
            while node < free_of(ws, thread):
                if read(ws.table, node + forward_at) != nothing:
                    for i in range(count(ws, node + size_at)):
                        child = child_of(ws, edge_at(node, i))
                        if child != nothing:
                            link(ws, edge_at(node, i), read(ws.table, child + forward_at))
                node += words_of(ws, node)

    @mode.inline
    def slide(ws):
        """Move the nodes together."""
        for thread in range(ws.threads):
            node, end = begin_of(ws, thread), free_of(ws, thread)
            free = node
            while node < end:
                length = words_of(ws, node)
                if read(ws.table, node + forward_at) != nothing:
                    for i in range(int(length)):
                        write(ws.table, free + word(i), read(ws.table, node + word(i)))
                    put_count(ws, free + forward_at, 0)
                    free += length
                node += length
            write(ws.table, word(thread * DESK + FREE), free)

    @mode.inline
    def fill_index(ws):
        """Have all nodes found where they are now, and nothing else."""
        at = ws.slots
        while at <= ws.slots + ws.slot_mask:
            write(ws.table, at, nothing)
            at += one
        for thread in range(ws.threads):
            node = begin_of(ws, thread)
            while node < free_of(ws, thread):
                key = read(ws.table, node + key_at)
                if key != nothing and find(ws, key) == nothing:
                    enter(ws, node, key)
                node += words_of(ws, node)

    @mode.inline
    def make_room(ws):
        if ws.crowded != INDEX_GROWS:
            for thread in range(ws.threads):
                ws.fewest[thread] = bar(ws, thread)
            mark(ws)
            assign(ws)
            relink(ws)
            slide(ws)
        fill_index(ws)
        ws.crowded = 0

    return make_room
