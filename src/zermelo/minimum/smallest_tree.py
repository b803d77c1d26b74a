"""The smallest proof trees, in linear time (Furtak and Buro 2009, section 5 and figure 2).

A game graph goes in; out come the size of the smallest proof tree and, on trees, the tree itself. On a graph in which
nodes have several parents, the size is that of the game unfolded into a tree, where every path is a node of its own:
what a search without a table needs at the least. The nodes of that tree, each taken once, are a proof graph too, but
not always the smallest.

For a minimax proof a node is met with one of three windows only (theorem 3.3): it must be shown to be worth at
least the root's value, or at most that, or exactly that. Each has a size of its own:

    least(v)   one more than the smallest least(w) where the first player moves, than their sum where the second does;
               only for nodes whose value is high enough
    most(v)    the mirror image
    exact(v)   of nodes with the root's value: one child w with that value is met first and with the open window, and
               the others must only be shown to be no better: one more than the smallest exact(w) + the sum of
               most(x) over all other children x, where the first player moves

A target proof needs only `least`. Sizes are Python's whole numbers: an unfolded game can have more nodes than fit
into a machine word. Nothing is recursive, so that trees may be deep.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from zermelo.minimum.membership import Goal
from zermelo.minimum.written_game import WrittenGame
from zermelo.rules import Unsuitable

LEAST, MOST, EXACT = 0, 1, 2
NEVER = math.inf
"""The size of a proof that there is not."""
Size = float
Sizes = tuple[Size, Size, Size]
Node = TypeVar("Node")


@dataclass(frozen=True)
class MinimumTree:
    """A smallest proof tree. size: how many nodes it has, unfolded. nodes: those of the graph that it goes through."""

    size: int
    nodes: frozenset[int]


def minimum_tree(graph: WrittenGame, goal: Goal) -> MinimumTree:
    """The smallest proof tree of a goal that is true."""
    sizes, wanted = _all_sizes(graph, goal), _wanted(goal)
    size = sizes[0][wanted]
    if size == NEVER:
        raise Unsuitable("there is no proof of what is not true")
    nodes: set[int] = set()
    met: set[tuple[int, int]] = set()
    waiting = [(0, wanted)]
    while waiting:
        here = waiting.pop()
        if here in met:
            continue
        met.add(here)
        node, window = here
        nodes.add(node)
        below = graph.children[node]
        if below:
            chosen = _choice(graph.turns[node], window, [sizes[child] for child in below])
            waiting.extend((below[place], towards) for place, towards in chosen)
    return MinimumTree(int(size), frozenset(nodes))


def minimum_tree_size(graph: WrittenGame, goal: Goal) -> int:
    """The size alone."""
    return minimum_tree(graph, goal).size


def _wanted(goal: Goal) -> int:
    return EXACT if goal.target is None else LEAST if goal.at_least else MOST


def _all_sizes(graph: WrittenGame, goal: Goal) -> list[Sizes]:
    value = graph.values[0]
    sizes: list[Sizes] = [(0, 0, 0)] * len(graph)
    for node in reversed(range(len(graph))):
        below = graph.children[node]
        if below:
            sizes[node] = _combined(graph.turns[node], [sizes[child] for child in below])
        else:
            sizes[node] = _leaf(graph.scores[node], goal, value)
    return sizes


def _leaf(score: float, goal: Goal, value: float | None) -> Sizes:
    """What a leaf shows, and what it does not."""
    if goal.target is not None:
        shown = goal.allows(score)
        return (1 if shown and goal.at_least else NEVER, 1 if shown and not goal.at_least else NEVER, NEVER)
    assert value is not None
    low, high = score >= value, score <= value
    return (1 if low else NEVER, 1 if high else NEVER, 1 if low and high else NEVER)


def _combined(turn: int, below: Sequence[Sizes]) -> Sizes:
    """The sizes of a node from those of its children."""
    free, bound = (LEAST, MOST) if turn == 0 else (MOST, LEAST)  # one move is enough, and all must be looked at
    sums = sum(sizes[bound] for sizes in below)
    found = [NEVER, NEVER, NEVER]
    found[free] = 1 + min(sizes[free] for sizes in below)
    found[bound] = 1 + sums
    if sums < NEVER:
        found[EXACT] = 1 + min(sizes[EXACT] + sums - sizes[bound] for sizes in below)
    return found[0], found[1], found[2]


def _choice(turn: int, window: int, below: Sequence[Sizes]) -> Iterable[tuple[int, int]]:
    """The children of a smallest tree, each with the window that it is met with."""
    free, bound = (LEAST, MOST) if turn == 0 else (MOST, LEAST)
    places = range(len(below))
    if window == bound:
        return [(place, bound) for place in places]
    if window == free:
        return [(min(places, key=lambda place: below[place][free]), free)]
    first = min(places, key=lambda place: below[place][EXACT] - below[place][bound])
    return [(place, EXACT if place == first else bound) for place in places]
