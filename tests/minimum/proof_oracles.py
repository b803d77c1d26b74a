"""Proof graphs the slow way: all sets of nodes, all orders of moves, straight from the definitions."""

from __future__ import annotations

import math
import random
from itertools import permutations

from zermelo.minimum.written_game import WrittenGame, from_nodes


def random_dag(seed: int, most: int, tree: bool = False, scores: int = 2, alternating: bool = False) -> WrittenGame:
    """A random graph of at most so many nodes."""
    dice = random.Random(seed)
    size = dice.randint(1, most)
    parents: list[set[int]] = [set() for _ in range(size)]
    for node in range(1, size):
        parents[node].add(dice.randrange(max(0, node - 5), node))
        while not tree and dice.random() < 0.5:
            parents[node].add(dice.randrange(node))
    children = [[child for child in range(size) if node in parents[child]] for node in range(size)]
    for below in children:
        dice.shuffle(below)
    depth = [0] * size
    for node in range(1, size):
        depth[node] = 1 + max(depth[parent] for parent in parents[node])
    turns = [depth[node] % 2 if alternating else dice.randint(0, 1) for node in range(size)]
    return from_nodes(turns, children, [dice.randint(-scores, scores) for _ in range(size)])


def value_of(graph: WrittenGame, node: int = 0) -> float:
    below = graph.children[node]
    if not below:
        return graph.scores[node]
    best = max if graph.turns[node] == 0 else min
    return best(value_of(graph, child) for child in below)


def all_values(graph: WrittenGame) -> list[float]:
    return [value_of(graph, node) for node in range(len(graph))]


def by_orders(graph: WrittenGame, inside: set[int], values: list[float]) -> bool:
    """Section 2.2: some order of the moves at every node lets alpha-beta do with the nodes inside."""

    def done(node: int, alpha: float, beta: float) -> bool:
        if not graph.children[node]:
            return node in inside
        return any(in_order(node, order, alpha, beta) for order in permutations(graph.children[node]))

    def in_order(node: int, order: tuple[int, ...], alpha: float, beta: float) -> bool:
        first = graph.turns[node] == 0
        for child in order:
            if alpha >= beta:
                return True
            if child not in inside or not done(child, alpha, beta):
                return False
            if first:
                alpha = max(alpha, values[child])
            else:
                beta = min(beta, values[child])
        return True

    return 0 in inside and done(0, -math.inf, math.inf)


def shows_target(graph: WrittenGame, inside: set[int], target: float, first: bool) -> bool:
    """Section 2.1 for either player; the second shows that the score stays below the target."""
    if 0 not in inside:
        return False
    claimant = 0 if first else 1
    for node in inside:
        kept = [child in inside for child in graph.children[node]]
        if kept and not (any(kept) if graph.turns[node] == claimant else all(kept)):
            return False

    def proven(node: int) -> float:
        below = [child for child in graph.children[node] if child in inside]
        if not below:
            return graph.scores[node]
        best = max if graph.turns[node] == 0 else min
        return best(proven(child) for child in below)

    return proven(0) >= target if first else proven(0) < target


def smallest(graph: WrittenGame, target: float | None) -> int:
    """The size of the smallest proof graph, by trying all sets of nodes. What a set shows is computed as bounds; that
    these decide the definition is tested by itself."""
    size, value = len(graph), value_of(graph)
    first = target is None or value >= target
    best = size
    for chosen in range(1, 1 << size, 2):
        count = chosen.bit_count()
        if count < best and _shows(graph, chosen, value, target, first):
            best = count
    return best


def _shows(graph: WrittenGame, chosen: int, value: float, target: float | None, first: bool) -> bool:
    least, most = [-math.inf] * len(graph), [math.inf] * len(graph)
    for node in range(len(graph) - 1, -1, -1):
        if chosen >> node & 1:
            below = graph.children[node]
            if not below:
                least[node] = most[node] = graph.scores[node]
            elif graph.turns[node] == 0:
                least[node], most[node] = max(least[c] for c in below), max(most[c] for c in below)
            else:
                least[node], most[node] = min(least[c] for c in below), min(most[c] for c in below)
    if target is None:
        return least[0] == most[0]
    return least[0] >= target if first else most[0] < target


def fewest_visits(graph: WrittenGame, values: list[float]) -> int:
    """How many nodes alpha-beta visits at the least, over all orders of the moves of a tree."""

    def visits(node: int, alpha: float, beta: float) -> int:
        below = graph.children[node]
        return 1 + min((in_order(node, order, alpha, beta) for order in permutations(below)), default=0)

    def in_order(node: int, order: tuple[int, ...], alpha: float, beta: float) -> int:
        total = 0
        for child in order:
            if alpha >= beta:
                break
            total += visits(child, alpha, beta)
            if graph.turns[node] == 0:
                alpha = max(alpha, values[child])
            else:
                beta = min(beta, values[child])
        return total

    return visits(0, -math.inf, math.inf)


def uniform(branching: int, depth: int, seed: int = 0, turn: int = 0) -> WrittenGame:
    """A uniform tree with distinct scores, the first player to move unless `turn` says otherwise."""
    dice = random.Random(seed)
    scores = list(range(branching**depth))
    dice.shuffle(scores)
    turns: list[int] = []
    children: list[list[int]] = []
    begin = 0
    for level in range(depth + 1):
        width = branching**level
        for node in range(width):
            turns.append((level + turn) % 2)
            first = begin + width + node * branching
            children.append(list(range(first, first + branching)) if level < depth else [])
        begin += width
    return from_nodes(turns, children, [0] * (begin - len(scores)) + scores)
