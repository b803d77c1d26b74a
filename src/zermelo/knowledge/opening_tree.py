"""The first plies of a game as a tree whose leaves are jobs, and which leaf to do next.

**Merging.** Positions after the same number of plies that are equal are one node; so are mirror images, where the game
gives `symmetry` and its keys are exact. Where play can come back to a position its value depends on the path, and
every path is a node of its own. So is it with games of Python objects, whose keys need not mean the same in every
process.

**Values.** Every node has bounds of the first player's value: those of its moves put together, the dice averaged.

**Claims.** To decide whether the first player reaches a score, the tree carries proof numbers, and the next job is a
most-proving leaf: job-level proof-number search (Wu, Lin et al., "Job-level proof-number search for Connect6",
Computers and Games 2010, published 2011). A leaf at work counts as lost while the next one is chosen, so that this one
lies elsewhere (its *virtual loss*). A leaf whose job met a limit can be neither proven nor disproven any more: both its
numbers are infinite. An average is no matter of yes or no, so where dice are thrown within the tree leaves are taken as
they come, until the bounds decide.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from itertools import count

from zermelo.core.answer import plain
from zermelo.positions.identity import name_of
from zermelo.rules import CHANCE, Position, RuleError, Unsuitable, wrapping

MOST_NODES = 1_000_000
INFINITE = math.inf


class Node:
    """A position: how to get there, whose turn it is, bounds of its value, and where it leads. A leaf has no children.

    place: what tells it apart; weights: of the outcomes of the dice; done: no job can tell more of it; at_work: a job
    does; elsewhere: another run's job does; open: a job may be given to a leaf here, and would be of use.
    numbers: proof and disproof number; virtual: the same, with leaves at work lost.
    """

    __slots__ = (
        "at_work", "children", "done", "elsewhere", "high", "low", "moves", "numbers", "open", "parents", "place",
        "texts", "turn", "virtual", "weights",
    )  # fmt: skip

    def __init__(self, place: str, moves: tuple[str, ...], turn: int, bounds: tuple[float, float]) -> None:
        self.place, self.moves, self.turn = place, moves, turn
        self.low, self.high = bounds
        self.children: list[Node] = []
        self.texts: list[str] = []
        self.weights: list[int] = []
        self.parents: list[Node] = []
        self.done = self.at_work = self.elsewhere = False
        self.open = True
        self.numbers = self.virtual = (1.0, 1.0)


class OpeningTree:
    """All positions up to so many plies after a position. target: the score that the first player may or may not reach,
    if only that is asked."""

    def __init__(self, position: Position, plies: int, target: float | None = None) -> None:
        if plies < 1:
            raise Unsuitable(f"openings have at least 1 ply, not {plies}")
        self.game, self.target = position.game, target
        self.dice = False
        self.leaves: list[Node] = []
        self._place = _places(position)
        self._layers = self._grow(position, plies)
        self.root = self._layers[0][0]
        self._by_place = {leaf.place: leaf for leaf in self.leaves}
        for layer in reversed(self._layers):
            for node in layer:
                self._update(node)

    def leaf(self, place: str) -> Node | None:
        """The leaf that a job is about, if it is one of this tree."""
        return self._by_place.get(place)

    def settle(self, leaf: Node, low: float, high: float, *, done: bool) -> None:
        """Take in what is certain of a leaf; `done`: no more will be asked."""
        leaf.low, leaf.high = max(leaf.low, low), min(leaf.high, high)
        if leaf.low > leaf.high:
            if not self.game.has_chance:  # where averages are rounded, bounds may miss each other by as much
                raise RuleError(
                    f"{self.game.name} after {' '.join(leaf.moves)}: its value is at least {leaf.low:g} and at most "
                    f"{leaf.high:g}, says one search and another; a hook says something else than the rules"
                )
            leaf.low = leaf.high = plain((leaf.low + leaf.high) / 2)
        leaf.done = leaf.done or done or leaf.low == leaf.high or self.decides(leaf)
        self.changed(leaf)

    def decides(self, node: Node) -> bool:
        """Whether a node's bounds tell if the claim holds there, where there is one and no dice average over it."""
        if self.target is None or (self.dice and node is not self.root):
            return False
        return node.low >= self.target or node.high < self.target

    @property
    def holds(self) -> bool | None:
        """Whether the first player reaches the target; None while that is not known."""
        return self.root.low >= self.target if self.target is not None and self.decides(self.root) else None

    def next_leaf(self) -> Node | None:
        """The leaf that the next job should be about; None if none would be of use now."""
        if not self.root.open:
            return None
        if self.target is None or self.dice:
            alone = next((leaf for leaf in self.leaves if leaf.open and not leaf.elsewhere), None)
            return alone or next(leaf for leaf in self.leaves if leaf.open)
        return self._most_proving()

    def _most_proving(self) -> Node | None:
        if self.root.numbers == (INFINITE, INFINITE):
            return None
        virtual = 0 not in self.root.virtual  # else all that matters is at work: whatever else may help is next
        node = self.root
        while node.children:
            way = 1 if node.turn == 0 else -1

            def hardness(child: Node, way: int = way) -> tuple[float, ...]:
                return (child.virtual if virtual else child.numbers)[::way]

            node = min((child for child in node.children if child.open), key=hardness)
        return node

    def changed(self, leaf: Node) -> None:
        """Tell the nodes above of a change, ply by ply, as far as it matters."""
        level = {leaf}
        while level:
            level = {parent for node in level if self._update(node) for parent in node.parents}

    def _update(self, node: Node) -> bool:
        """Compute a node from its children; whether anything is other than it was. A leaf's bounds are given."""
        before = (node.low, node.high, node.open, node.numbers, node.virtual)
        if node.children:
            node.low, node.high = _bounds(node)
            node.open = not self.decides(node) and any(child.open for child in node.children)
        else:
            node.open = not (node.done or node.at_work)
        if self.target is not None and not self.dice:
            node.numbers, node.virtual = self._numbers(node, virtual=False), self._numbers(node, virtual=True)
        return not node.children or before != (node.low, node.high, node.open, node.numbers, node.virtual)

    def _numbers(self, node: Node, virtual: bool) -> tuple[float, float]:
        """The proof and the disproof number of a node."""
        assert self.target is not None
        if node.low >= self.target:
            return 0, INFINITE
        if node.high < self.target:
            return INFINITE, 0
        if not node.children:
            if virtual and (node.at_work or node.elsewhere):
                return INFINITE, 0
            return (INFINITE, INFINITE) if node.done else (1, 1)
        pairs = [child.virtual if virtual else child.numbers for child in dict.fromkeys(node.children)]
        proofs, disproofs = zip(*pairs)
        return (min(proofs), sum(disproofs)) if node.turn == 0 else (sum(proofs), min(disproofs))

    @wrapping
    def _grow(self, position: Position, plies: int) -> list[list[Node]]:
        """The nodes, ply by ply."""
        nodes = count(1)
        here = {self._place(position): (self._node(position, ()), position)}
        layers = [[node for node, _ in here.values()]]
        for ply in range(plies + 1):
            after: dict[str, tuple[Node, Position]] = {}
            for node, where in here.values():
                codes = [] if node.done or self._beyond(where) else where.codes
                if ply == plies or not codes:
                    self.leaves += [] if node.done else [node]
                    continue
                self.dice = self.dice or node.turn == CHANCE
                for code in codes:
                    text, following = where.text_of(code), where.play(code)
                    place = self._place(following)
                    if place not in after:
                        after[place] = (self._node(following, (*node.moves, text)), following)
                        if next(nodes) > MOST_NODES:
                            raise Unsuitable(
                                f"{self.game.summary} has more than {MOST_NODES:,} openings of {plies} plies: take "
                                "fewer plies"
                            )
                    child = after[place][0]
                    node.children.append(child)
                    node.texts.append(text)
                    if node.turn == CHANCE:
                        assert self.game.weight is not None
                        node.weights.append(int(self.game.weight(where.state, code)))
                for child in dict.fromkeys(node.children):
                    child.parents.append(node)
            if after:
                layers.append([node for node, _ in after.values()])
            here = after
        return layers

    def _node(self, position: Position, moves: tuple[str, ...]) -> Node:
        result = position.result
        node = Node(
            self._place(position), moves, position.turn, self.game.values if result is None else (result, result)
        )
        node.done = result is not None
        return node

    def _beyond(self, position: Position) -> bool:
        """Whether a search would not look behind this position."""
        return self.game.horizon is not None and bool(self.game.horizon(position.state))

    def best(self, node: Node) -> tuple[list[str], bool]:
        """The best moves of a node as far as is known, and whether it is for certain these and no others."""
        if not node.children or node.turn == CHANCE:
            return [], True
        slack = 1e-9 * (self.game.values[1] - self.game.values[0]) if self.game.has_chance else 0
        first = node.turn == 0
        floor = node.low if first else -node.high
        ceiling = node.high if first else -node.low
        best, certain = [], ceiling - floor <= slack
        for text, child in zip(node.texts, node.children):
            least, most = (child.low, child.high) if first else (-child.high, -child.low)
            if least >= floor - slack:
                best.append(text)
            elif most >= floor - slack:
                certain = False
        return best, certain

    def line(self) -> list[str]:
        """Best play from the root, as far as values are certain."""
        moves, node = [], self.root
        while node.children and node.turn != CHANCE:
            best, _ = self.best(node)
            if node.low != node.high or not best:
                break
            moves.append(best[0])
            node = node.children[node.texts.index(best[0])]
        return moves


def _bounds(node: Node) -> tuple[float, float]:
    """What the children's bounds make of a node."""
    lows: Iterable[float] = (child.low for child in node.children)
    highs: Iterable[float] = (child.high for child in node.children)
    if node.turn == CHANCE:
        return _average(lows, node.weights), _average(highs, node.weights)
    choice = max if node.turn == 0 else min
    return choice(lows), choice(highs)


def _average(values: Iterable[float], weights: list[int]) -> float:
    return plain(math.fsum(value * weight for value, weight in zip(values, weights)) / sum(weights))


def _places(position: Position) -> Callable[[Position], str]:
    """What tells positions apart in a tree and in a file, in every process alike."""
    game = position.game
    if game.cyclic or not game.compilable:
        start = position.line()[0]
        begin = "" if start.state is game.start else start.text()
        return lambda where: json.dumps([begin, *where.history()])
    if game.symmetry is not None and game.exact_key:
        mirrored = name_of(game, "symmetry")
        return lambda where: f"mirrored {mirrored(where.state):x}"
    state = name_of(game)
    return lambda where: f"state {state(where.state).hex()}"
