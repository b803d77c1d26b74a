"""The smallest automaton that accepts exactly the names of a set, and counts: the rank of a name is its number.

A name is read two bits at a time. Each node has four ways on, and knows how many names go by the ways before each of
them; the sum of these counts along the way of a name is how many names are less than it. Parts that names have in
common on their way to the end are there once, so that sets that are made of placements take far less than a byte a
name.

Nodes are made from sorted names as Daciuk, Mihov, Watson and Watson 2000 do it, "Incremental construction of minimal
acyclic finite-state automata"; counts as in Lucchesi and Kowaltowski 1993, "Applications of finite automata
representing large vocabularies". In a file only the ways stand, as planes of bytes; the counts follow from them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.arrays import on_arrays
from zermelo.compile.shelf import shelve, word_at
from zermelo.knowledge.naming import WORD
from zermelo.rules import rule, u64

WAYS = 4
DEAD, ACCEPTED = 0, 1
"""Two nodes that every automaton has: no name goes on, and a name ends."""
NAME, NODES, AT_WORDS = range(3)
"""Where the kernel is: the next name, and how many nodes there are."""
MOST = 1 << 32
FIRST_ROOM = 1 << 10
AT_ONCE = 1 << 18
"""How many names are added between two looks at the clock."""


@rule
def digit(names, number, words, digits, at):
    """The digit of a name at a place, the first being 0."""
    low = 2 * (digits - 1 - at)
    word = names[number, words - 1 - (low >> 6)]
    return np.int64((word >> np.uint64(low & 63)) & np.uint64(3))


@rule
def slot_of(nodes, node, slots):
    """Where a node with the ways of this one is looked for first."""
    h = np.uint64(0)
    for way in range(WAYS):
        h = (h + np.uint64(nodes[node, way])) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    return np.int64(h & np.uint64(len(slots) - 1))


@rule
def intern(path, level, nodes, slots, at):
    """The node with the ways that stand at a level of the path, which is made if there is none. They are cleared."""
    fresh = at[NODES]
    for way in range(WAYS):
        nodes[fresh, way] = path[level, way]
        path[level, way] = DEAD
    slot = slot_of(nodes, fresh, slots)
    while slots[slot] != 0:
        node = np.int64(slots[slot])
        same = True
        for way in range(WAYS):
            same &= nodes[node, way] == nodes[fresh, way]
        if same:
            return node
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = fresh
    at[NODES] += 1
    return fresh


def add_names(names, digits, path, nodes, slots, at, end):
    """Add sorted names up to `end`, as long as there is room for their nodes. `path`: the ways of the nodes along the
    last name, which may still change."""
    words = names.shape[1]
    while at[NAME] < end:
        if at[NODES] + digits >= len(nodes):
            return
        number = at[NAME]
        if number > 0:
            fork = digits - 1
            for word in range(words):
                differ = names[number, word] ^ names[number - 1, word]
                if differ != 0:
                    fork = digits - 1 - (words - 1 - word) * (WORD // 2)
                    while differ > np.uint64(3):
                        differ >>= np.uint64(2)
                        fork -= 1
                    break
            close(names, number - 1, digits, fork, path, nodes, slots, at)
        path[digits - 1, digit(names, number, words, digits, digits - 1)] = ACCEPTED
        at[NAME] += 1


@rule
def close(names, number, digits, fork, path, nodes, slots, at):
    """No further name goes by the nodes of this one below a fork: they are final."""
    words = names.shape[1]
    for level in range(digits - 1, fork, -1):
        node = intern(path, level, nodes, slots, at)
        path[level - 1, digit(names, number, words, digits, level - 1)] = node


def refill(nodes, slots, count):
    """Enter all nodes into empty slots."""
    for node in range(ACCEPTED + 1, count):
        slot = slot_of(nodes, node, slots)
        while slots[slot] != 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = node


def count_names(nodes, entries):
    """Fill in where each way leads and how many names go by the ways before it; how many there are in all. Ways lead to
    earlier nodes; -1 if one does not."""
    below = np.zeros(len(nodes), np.int64)
    below[ACCEPTED] = 1
    for node in range(ACCEPTED + 1, len(nodes)):
        before = np.int64(0)
        for way in range(WAYS):
            to = np.int64(nodes[node, way])
            if to >= node:
                return np.int64(-1)
            entries[WAYS * node + way] = np.uint64(before) << np.uint64(32) | np.uint64(to)
            before = min(before + below[to], np.int64(MOST - 1))
        below[node] = before
    return below[len(nodes) - 1]


class Automaton:
    """nodes: of each, the nodes that its ways lead to; the last one is the first of every name."""

    def __init__(self, nodes: Any, digits: int) -> None:
        self.nodes, self.digits = nodes, digits
        self.entries = np.zeros(WAYS * len(nodes), np.uint64)
        self.count = int(_count_names(nodes, self.entries))

    @property
    def bytes(self) -> int:
        """What it takes in memory, once it is in use."""
        return int(self.entries.nbytes)

    def planes(self) -> Any:
        """What stands in a file: of each way, its bytes."""
        ways = np.ascontiguousarray(self.nodes[ACCEPTED + 1 :].T, "<u4")
        return ways.view(np.uint8).reshape(-1, 4).T.reshape(-1)

    @classmethod
    def from_planes(cls, planes: Any, digits: int) -> Automaton:
        """Raises ValueError for what is none."""
        if len(planes) == 0 or len(planes) % 16:
            raise ValueError("it is too short")
        ways = np.ascontiguousarray(planes.reshape(4, -1).T).view("<u4").reshape(WAYS, -1)
        nodes = np.zeros((ACCEPTED + 1 + ways.shape[1], WAYS), np.uint32)
        nodes[ACCEPTED + 1 :] = ways.T
        return cls(nodes, digits)

    def ranker(self, owner: Any) -> Any:
        """`rank(words)`: the number of a name, -1 if it has none. owner: for as long as it lives."""
        place, first, digits = shelve(self.entries, owner), u64(len(self.nodes) - 1), self.digits
        top = 2 * ((digits - 1) % (WORD // 2))  # of the first word, which need not be full
        four, three, low, half, none, accepted = (u64(n) for n in (WAYS, 3, MOST - 1, 32, DEAD, ACCEPTED))

        @rule
        def rank(words):
            node, before, begin = first, none, top
            for word in words:
                for shift in range(begin, -1, -2):
                    entry = word_at(place, four * node + ((word >> u64(shift)) & three))
                    node = entry & low
                    before += entry >> half
                    if node == none:
                        return np.int64(-1)
                begin = WORD - 2
            return np.int64(before) if node == accepted else np.int64(-1)

        return rank


_add_names, _close, _intern = on_arrays(add_names), on_arrays(close), on_arrays(intern)
_refill, _count_names = on_arrays(refill), on_arrays(count_names)


def build_automaton(names: Any, bits: int, most: int) -> Automaton | None:
    """The automaton of sorted names of so many bits; None if it takes more than `most` nodes."""
    digits = -(-bits // 2)
    at = np.zeros(AT_WORDS, np.int64)
    at[NODES] = ACCEPTED + 1
    path = np.zeros((digits, WAYS), np.uint32)
    nodes, slots = np.zeros((FIRST_ROOM + 2 * digits, WAYS), np.uint32), np.zeros(2 * FIRST_ROOM, np.uint32)
    while at[NAME] < len(names):
        if at[NODES] + digits >= len(nodes) or 2 * len(nodes) > len(slots):
            if at[NODES] > most:
                return None
            wider = np.zeros((2 * len(nodes), WAYS), np.uint32)
            wider[: len(nodes)] = nodes
            nodes = wider
            slots = np.zeros(1 << (4 * len(nodes) - 1).bit_length(), np.uint32)
            _refill(nodes, slots, int(at[NODES]))
        _add_names(names, digits, path, nodes, slots, at, min(int(at[NAME]) + AT_ONCE, len(names)))
    if at[NODES] + digits >= len(nodes):
        nodes = np.concatenate([nodes, np.zeros((digits + 1, WAYS), np.uint32)])
    _close(names, len(names) - 1, digits, 0, path, nodes, slots, at)
    _intern(path, 0, nodes, slots, at)
    return Automaton(nodes[: int(at[NODES])], digits) if at[NODES] <= most else None
