"""A game written out: every position that play can reach is a node, and it is known who moves there and where to.

What goes in is a position of a game (a graph file is one too); what comes out is a `WrittenGame`, on which proofs can
be counted node by node. Nodes are numbered so that moves lead to higher numbers: node 0 is the root, and a loop from
the last node to the first meets children before parents. Play that can come back, and dice, are refused: what a node is
worth would then depend on more than its children.

Positions count as one node if their whole state is the same or, with `symmetric`, if the game's hook `symmetry` gives
them one key (and, where the game is over, one score). The hook is believed, as searches believe it; where its keys are
hashes, two of a million positions share one with a chance of 3 in 100 million.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from zermelo.compile.modes import Compiled, Interpreted, Mode, mode_for
from zermelo.compile.watch import Watch
from zermelo.positions.all_positions import AllPositions, Wanted, all_positions, budget_of, make_ready
from zermelo.rules import Position, RuleError, TooLarge, UnknownName, Unsuitable, nearest

MOST_POSITIONS = 500_000
"""How many positions a game may have to be written out."""
FEW = 3000
"""So many are soonest found by the interpreter, for to compile takes seconds."""


@dataclass(frozen=True)
class WrittenGame:
    """turns: 0 where the first player moves, 1 where the second does, OVER at a leaf. children: the distinct
    nodes that the moves lead to, none at a leaf. scores: the first player's at leaves, 0 elsewhere. `name` is the text
    of a node. symmetric: equivalent positions are one node. estimated: how many leaves are only the game's horizon."""

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


def from_nodes(
    turns: Sequence[int],
    children: Sequence[Iterable[int]],
    scores: Sequence[float],
    *,
    root: int = 0,
    names: Sequence[str] | Callable[[int], str] | None = None,
    symmetric: bool = False,
    estimated: int = 0,
) -> WrittenGame:
    """The graph of all nodes that can be reached from the root, numbered anew. Names are those of the old numbers."""
    order = _ordered(children, root)
    if order is None:
        raise Unsuitable("play can come back to a position here: proof graphs are told of games without cycles only")
    new = {old: number for number, old in enumerate(order)}
    told: Callable[[int], str] = str if names is None else names if callable(names) else names.__getitem__
    return WrittenGame(
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
) -> WrittenGame:
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
    wanted = Wanted(by="symmetry" if symmetric else "state", forward=True, states=True)
    found = _found(position, wanted, most, mode, say)
    ends, flat = list(found.offsets)[1:], np.asarray(found.children).tolist()
    try:
        return from_nodes(
            [int(turn) for turn in found.turns], [flat[begin:end] for begin, end in zip([0, *ends], ends)],
            [int(score) if float(score).is_integer() else float(score) for score in found.scores],
            names=_namer(position, found), symmetric=symmetric, estimated=found.estimated,
        )  # fmt: skip
    except Unsuitable:
        raise RuleError(
            f"{game.name}: play came back to a position, which its rules do not allow for; set repetition, or give "
            "the state whatever tells the two apart"
        ) from None


def _found(
    position: Position, wanted: Wanted, most: int, mode: str | None, say: Callable[[int], None] | None
) -> AllPositions:
    way = mode_for(position.game, mode)
    if mode is None and isinstance(way, Compiled):
        try:
            return _explored(position, wanted, min(most, FEW), Interpreted(), say)
        except TooLarge:
            pass
    return _explored(position, wanted, most, way, say)


def _explored(
    position: Position, wanted: Wanted, most: int, way: Mode, say: Callable[[int], None] | None
) -> AllPositions:
    game = position.game
    make_ready(game, wanted, way)
    watch = Watch([way.workspace(game)], listener=None if say is None else lambda progress: say(progress.nodes))
    try:
        found = watch.run(lambda: all_positions(position, wanted, way, watch, budget_of(None), most=most))
    except TooLarge as large:
        if large.positions > most:
            raise TooLarge(
                f"{game.name} has more than {most:,} positions from here on, too many to write out; take a smaller "
                "board or a later position"
            ) from None
        raise
    if found is None:  # there is no other limit
        raise KeyboardInterrupt
    return found


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


def _namer(position: Position, found: AllPositions) -> Callable[[int], str]:
    """How a node is called: as the game writes it, or by a way to it."""
    game = position.game
    from_where: dict[int, int] = {}

    def name(node: int) -> str:
        if game.position_text is not None:
            return game.position_text(found.state(node)).removeprefix("@" if game.name == "graph" else "")
        if not from_where:
            from_where.update(_first_parents(found))
        return " ".join([*position.history(), *_way(position, found, node, from_where)])

    return name


def _first_parents(found: AllPositions) -> dict[int, int]:
    """For each node but the root the one from which it was found first."""
    nodes, moves = np.unique(np.asarray(found.children, np.int64), return_index=True)
    parents = np.searchsorted(found.offsets, moves, side="right") - 1
    return dict(zip(nodes.tolist(), parents.tolist()))


def _way(position: Position, found: AllPositions, node: int, from_where: dict[int, int]) -> list[str]:
    """The moves of one way from the root to a node."""
    steps = [node]
    while steps[-1] != 0:
        steps.append(from_where[steps[-1]])
    texts = []
    for above, below in zip(steps[::-1], steps[-2::-1]):
        here = Position(position.game, found.state(above))
        children = list(found.children[found.offsets[above] : found.offsets[above + 1]])
        texts.append(here.text_of(here.codes[children.index(below)]))
    return texts
