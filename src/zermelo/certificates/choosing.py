"""Choosing the claimant's moves where several hold: so that every line comes closer to its end, and proofs stay small.

What goes in is a finished walk that kept its edges and took all moves of the claimant that hold; what comes out are the
moves of one strategy, in the order in which a checker will ask for them.

Positions get ranks such that some move of the claimant, and every move of the opponent, leads to a lower one: without
cycles the longest line, otherwise the number of moves in which the claimant can force the end (computed as for
endgames, by sweeping until nothing changes). Only moves to lower ranks are taken, so that no line comes back.

The smallest proof graph is hard to find; the smallest proof tree is not (Allis 1994). So positions are weighed as
trees, the children of a position counting in full or less, for what is shared is counted too often. Then the best proof
is bettered: its own positions are made light, the more the more moves lead to them, all weights are shaken a little,
and the result counts if it is smaller. A move to a position that is part of the proof already costs nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from zermelo.certificates import walk_kernel as w
from zermelo.certificates.walk import Walk
from zermelo.compile.modes import Compiled, Interpreted, Kernel, Mode

ROUNDS = 16
DAMPING = (0.8, 0.6, 0.4)
LIGHT, SHAKING = 0.3, 0.3
NEVER = 1 << 40


class Strategy(NamedTuple):
    """The claimant's moves in the order of the walk, and how large the proof is."""

    moves: Any
    ours: int
    positions: int
    longest: int


def choose_moves(walk: Walk, cyclic: bool, rounds: int, usual: Any = ()) -> Strategy | None:
    """The smallest strategy found in some rounds; None if the claimant cannot force an end. `usual`: the moves of a
    strategy to begin with."""
    graph = _Graph.of(walk, cyclic)
    if not graph.arrives:
        return None
    best, visits = graph.follow(np.ones(graph.size))
    if not rounds:
        return best
    starts = [graph.follow(np.full(graph.size, damping)) for damping in DAMPING]
    if len(usual):
        starts.append(graph.follow(np.ones(graph.size), usual))
    for found, met in starts:
        if found.positions < best.positions:
            best, visits = found, met
    dice = np.random.default_rng(0)
    for _ in range(rounds):
        light = np.where(visits > 0, LIGHT / np.maximum(visits, 1), 1.0)
        found, met = graph.follow(light * np.exp(dice.normal(0, SHAKING, graph.size)))
        if found.positions < best.positions:
            best, visits = found, met
    return best


def stranded(walk: Walk) -> Any:
    """The claimant's positions from which the moves taken so far force no end; none if the root is not among them."""
    graph = _Graph.of(walk, cyclic=True)
    if graph.arrives:
        return ()
    return np.flatnonzero((graph.ranks == NEVER) & (graph.starts[2 :: w.START] == 1))


class _Graph(NamedTuple):
    """The positions of a walk and the moves between them."""

    size: int
    root: int
    starts: Any
    edges: Any
    ranks: Any
    order: Any
    kernels: tuple[Kernel, Kernel, Kernel]

    @classmethod
    def of(cls, walk: Walk, cyclic: bool) -> _Graph:
        kernels = _kernels("compiled" if walk.compiled else "interpreted")
        count = int(walk.at[w.COUNT])
        starts = np.array(walk.starts[: w.START * count], np.int64)
        edges = np.array(walk.edges[: int(walk.at[w.TOP])], np.int64)
        ranks = np.array(walk.notes[:count], np.int64) >> 2
        if cyclic:
            ranks = np.full(count, NEVER, np.int64)
            kernels[0](starts, edges, ranks)
        return cls(count, walk.root, starts, edges, ranks, np.argsort(ranks, kind="stable"), kernels)

    @property
    def arrives(self) -> bool:
        """Whether the claimant can force an end."""
        return bool(self.ranks[self.root] < NEVER)

    def follow(self, shares: Any, given: Any = ()) -> tuple[Strategy, Any]:
        """The strategy of the lightest moves, or of those given, and how many of its moves lead to each position."""
        _, weigh, follow = self.kernels
        weights = np.zeros(self.size, np.float64)
        weigh(self.starts, self.edges, self.ranks, self.order, shares, weights)
        visits, lines, moves = (np.zeros(self.size, np.int64) for _ in range(3))
        path = np.zeros(2 * self.size + 2, np.int64)
        ours, positions = follow(
            self.starts, self.edges, self.ranks, weights, self.root, visits, lines, moves, path,
            np.array(given, np.int64),
        )  # fmt: skip
        return Strategy(moves[:ours], ours, positions, int(lines[self.root])), visits


@cache
def _kernels(mode: str) -> tuple[Kernel, Kernel, Kernel]:
    way: Mode = Compiled() if mode == "compiled" else Interpreted()
    kernels = _rank_all(way), _weigh(way), _follow(way)
    if mode != "compiled":
        return kernels
    import numba

    from zermelo.compile.cache import ready

    whole, real, number = numba.int64[::1], numba.float64[::1], numba.int64
    types = (
        (whole, whole, whole),
        (whole, whole, whole, whole, real, real),
        (whole, whole, whole, real, number, whole, whole, whole, whole, whole),
    )
    rank_all, weigh, follow = (ready(k, "smaller", kinds, (k, str(kinds))) for k, kinds in zip(kernels, types))
    return rank_all, weigh, follow


def _rank_all(mode: Mode) -> Kernel:
    @mode.kernel
    def rank_all(starts, edges, ranks):
        """Ranks from the ends backwards: one more than the best child where the claimant moves, than the worst where
        the opponent does."""
        changed = True
        while changed:
            changed = False
            for number in range(len(ranks) - 1, -1, -1):
                begin, end, ours = starts[3 * number], starts[3 * number + 1], starts[3 * number + 2]
                rank = NEVER if ours == 1 else 0
                for edge in range(begin, end):
                    child = edges[edge] & w.END_OF_GAME
                    below = 0 if child == w.END_OF_GAME else ranks[child]
                    rank = min(rank, below) if ours == 1 else max(rank, below)
                if begin < end and rank < NEVER and rank + 1 < ranks[number]:
                    ranks[number] = rank + 1
                    changed = True

    return rank_all


def _weigh(mode: Mode) -> Kernel:
    @mode.kernel
    def weigh(starts, edges, ranks, order, shares, weights):
        """The weight of each position: one, and that of the lightest child or of all of them."""
        for place in range(len(order)):
            number = order[place]
            begin, end, ours = starts[3 * number], starts[3 * number + 1], starts[3 * number + 2]
            lightest, together = -1.0, 0.0
            for edge in range(begin, end):
                child = edges[edge] & w.END_OF_GAME
                weight = 0.0
                if child != w.END_OF_GAME:
                    if ranks[child] >= ranks[number]:
                        continue
                    weight = weights[child] * shares[child]
                together += weight
                if lightest < 0 or weight < lightest:
                    lightest = weight
            weights[number] = 1.0 + (max(lightest, 0.0) if ours == 1 else together)

    return weigh


def _follow(mode: Mode) -> Kernel:
    @mode.inline
    def elected(starts, edges, ranks, weights, visits, number):
        """The edge that the claimant takes: to an end or a position of the proof if there is one, else the lightest."""
        best, least = -1, 0.0
        for edge in range(starts[3 * number], starts[3 * number + 1]):
            child = edges[edge] & w.END_OF_GAME
            weight = -1.0
            if child != w.END_OF_GAME:
                if ranks[child] >= ranks[number]:
                    continue
                weight = -0.5 if visits[child] > 0 else weights[child]
            if best < 0 or weight < least:
                best, least = edge, weight
        return best

    @mode.inline
    def named(starts, edges, number, index, otherwise):
        """The edge of the move at this place of the list, if it was collected."""
        for edge in range(starts[3 * number], starts[3 * number + 1]):
            if edges[edge] >> w.INDEX_BITS == index:
                return edge
        return otherwise

    @mode.kernel
    def follow(starts, edges, ranks, weights, root, visits, lines, moves, path, given):
        """Walk through the strategy as a checker does; `visits` counts how many moves lead to each position. Of
        `path`, two numbers for each position on it: which it is, and its next edge."""
        ours, positions = 0, 0
        depth = 0
        entering = root
        while True:
            if entering >= 0:
                number = entering
                entering = -1
                visits[number] += 1
                if visits[number] == 1:
                    positions += 1
                    edge = starts[3 * number]
                    if starts[3 * number + 2] == 1:
                        edge = elected(starts, edges, ranks, weights, visits, number)
                        if ours < len(given):
                            edge = named(starts, edges, number, given[ours], edge)
                        moves[ours] = edges[edge] >> w.INDEX_BITS
                        ours += 1
                    path[2 * depth], path[2 * depth + 1] = number, edge
                    depth += 1
                    continue
                if depth > 0:
                    above = path[2 * depth - 2]
                    lines[above] = max(lines[above], lines[number] + 1)
            if depth == 0:
                return ours, positions
            number, edge = path[2 * depth - 2], path[2 * depth - 1]
            mine = starts[3 * number + 2] == 1
            if edge < 0 or (not mine and edge == starts[3 * number + 1]):
                depth -= 1
                if depth > 0:
                    above = path[2 * depth - 2]
                    lines[above] = max(lines[above], lines[number] + 1)
                continue
            path[2 * depth - 1] = -1 if mine else edge + 1
            child = edges[edge] & w.END_OF_GAME
            if child == w.END_OF_GAME:
                lines[number] = max(lines[number], 1)
            else:
                entering = child

    return follow
