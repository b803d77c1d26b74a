"""A game written out: every position that play can reach is a node, and it is known who moves there and where to.

What goes in is a position of a game (a graph file is one too); what comes out is a `GameGraph`, on which proofs can be
counted node by node. Nodes are numbered so that moves lead to higher numbers: node 0 is the root, and a loop from the
last node to the first meets children before parents. Play that can come back, and dice, are refused: what a node
is worth would then depend on more than its children.

Positions count as one node if their whole state is the same or, with `symmetric`, if the game's hook `symmetry` gives
them one key (and, where the game is over, one score). The hook is believed, as searches believe it; where its keys are
hashes, two of a million positions share one with a chance of 3 in 100 million.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from zermelo.positions.writing_out import written_out
from zermelo.rules import Position, RuleError, UnknownName, Unsuitable, nearest

MOST_POSITIONS = 500_000
"""How many positions a game may have to be written out."""


@dataclass(frozen=True)
class GameGraph:
    """turns: 0 where the first player moves, 1 where the second does. children: the distinct nodes that the moves lead
    to, none at a leaf. scores: the first player's at leaves, 0 elsewhere. `name` is the text of a node. symmetric:
    equivalent positions are one node. estimated: how many leaves are only the game's horizon."""

    turns: Sequence[int]
    children: Sequence[tuple[int, ...]]
    scores: Sequence[float]
    name: Callable[[int], str] = field(default=str, repr=False)
    symmetric: bool = False
    estimated: int = 0

    def __len__(self) -> int:
        return len(self.turns)

    @cached_property
    def values(self) -> list[float]:
        """The first player's value of every node."""
        values = list(self.scores)
        for node in reversed(range(len(values))):
            below = self.children[node]
            if below:
                best = max if self.turns[node] == 0 else min
                values[node] = best(values[child] for child in below)
        return values

    @cached_property
    def is_tree(self) -> bool:
        """Whether every node but the root has one parent."""
        return sum(map(len, self.children)) == len(self) - 1

    def numbered(self, names: Iterable[str]) -> set[int]:
        """The nodes of these names."""
        known = self._numbers
        for name in names:
            if name not in known:
                raise UnknownName(f"there is no node {name}: {nearest(name, known)}")
        return {known[name] for name in names}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {self.name(node): node for node in range(len(self))}


def game_graph(
    turns: Sequence[int],
    children: Sequence[Iterable[int]],
    scores: Sequence[float],
    *,
    root: int = 0,
    names: Sequence[str] | Callable[[int], str] | None = None,
    symmetric: bool = False,
    estimated: int = 0,
) -> GameGraph:
    """The graph of all nodes that can be reached from the root, numbered anew. Names are those of the old numbers."""
    order = _ordered(children, root)
    if order is None:
        raise Unsuitable("play can come back to a position here: proof graphs are told of games without cycles only")
    new = {old: number for number, old in enumerate(order)}
    told: Callable[[int], str] = str if names is None else names if callable(names) else names.__getitem__
    return GameGraph(
        turns=[turns[old] for old in order],
        children=[tuple(dict.fromkeys(new[child] for child in children[old])) for old in order],
        scores=[scores[old] for old in order],
        name=lambda node: told(order[node]),
        symmetric=symmetric,
        estimated=estimated,
    )


def write_out(
    position: Position,
    *,
    symmetric: bool = True,
    most: int = MOST_POSITIONS,
    mode: str | None = None,
    say: Callable[[int], None] | None = None,
) -> GameGraph:
    """The graph of a position. `symmetric`: up to the game's symmetry, where it has one. `say` is told from time to
    time how many positions were found."""
    game = position.game
    if game.has_chance:
        raise Unsuitable(f"{game.name} has chance positions, and proof graphs are told of games without dice only")
    if game.cyclic or game.endless:
        raise Unsuitable(
            f"{game.name} can come back to a position, so that what a position is worth depends on the path to it; "
            "proof graphs are told of games without cycles only"
        )
    symmetric = symmetric and game.symmetry is not None
    found = written_out(position, symmetric, most, mode, say)
    try:
        return game_graph(
            found.turns, found.children, found.scores, names=_namer(position, found), symmetric=symmetric,
            estimated=found.estimated,
        )  # fmt: skip
    except Unsuitable:
        raise RuleError(
            f"{game.name}: play came back to a position, which its rules do not allow for; set repetition, or give "
            "the state whatever tells the two apart"
        ) from None


def _ordered(children: Sequence[Iterable[int]], root: int) -> list[int] | None:
    """The nodes below the root, each before those that it leads to, the root first; None if there is a cycle."""
    done: dict[int, bool] = {root: False}
    path, rest, finished = [root], [iter(children[root])], []
    while path:
        for child in rest[-1]:
            if child not in done:
                done[child] = False
                path.append(child)
                rest.append(iter(children[child]))
                break
            if not done[child]:
                return None
        else:
            done[path[-1]] = True
            finished.append(path.pop())
            rest.pop()
    return finished[::-1]


def _namer(position: Position, found: Any) -> Callable[[int], str]:
    """How a node is called: as the game writes it, or by a way to it."""
    game = position.game

    def name(node: int) -> str:
        if game.position_text is not None:
            return game.position_text(found.state(node)).removeprefix("@" if game.name == "graph" else "")
        return " ".join([*position.history(), *_way(position, found, node)])

    return name


def _way(position: Position, found: Any, node: int) -> list[str]:
    """The moves of one way from the root to a node."""
    steps = [node]
    while steps[-1] != 0:
        steps.append(found.parents[steps[-1]])
    texts = []
    for above, below in zip(steps[::-1], steps[-2::-1]):
        here = Position(position.game, found.state(above))
        move = here.codes[found.children[above].index(below)]
        texts.append(here.text_of(move))
    return texts
