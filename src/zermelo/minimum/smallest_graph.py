"""The smallest proof graph, exact where time allows, else between bounds.

A game, a position or a game graph goes in, with a target or without; a `MinimumProof` comes out: a proof graph, its
size, and a size below which there is none. Finding the smallest is NP-hard, since positions that are met on several
ways are paid for once (Furtak and Buro 2009, theorem 4.1; `zermelo.lab.set_cover` shows how). The steps:

1. On a tree the smallest proof tree is the answer.
2. Otherwise the goal becomes a system of requirements, which is reduced and falls into parts (`requirements`).
3. For each part a cheap closed set is looked for (`small_proofs`) and a lower bound (`cost_sharing`).
4. Where they differ, integer programs close the gap, for two seconds, eight, thirty-two and so on, in turns with more
   of the same search for cheap sets, until all is proven or time is up.

Whatever comes out is checked to be a proof graph, by its definition, before it is returned.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.compile.watch import TICK, Limits
from zermelo.minimum.cost_sharing import shared_cost
from zermelo.minimum.greedy import small_proof
from zermelo.minimum.integer_programs import Found, check_solver, cpsat, highs, relaxed
from zermelo.minimum.membership import Goal, is_proof, true_goal
from zermelo.minimum.requirements import Part, Reduced, reduce, system_of
from zermelo.minimum.smallest_tree import minimum_tree
from zermelo.minimum.written_game import MOST_POSITIONS, WrittenGame, write_out
from zermelo.rules import Game, Position, Unsuitable

FIRST_SLICE = 2.0
LONG = 1e7
"""Seconds that are as good as no limit."""
PATIENCE = 0.5
"""How long to wait, once stopped, for what is being done to be finished."""
GRACE = 2.0
"""How many seconds a solver may take longer than it was told."""


@dataclass(frozen=True)
class Progress:
    """How far it has come: the smallest proof has from `lower` to `upper` nodes."""

    doing: str
    seconds: float
    lower: int
    upper: int


Listener = Callable[[Progress], None]


@dataclass(frozen=True)
class MinimumProof:
    """The smallest proof graph that was found. lower: no proof graph has fewer nodes. tree: the size of the smallest
    proof tree of the game unfolded, what a search without a table needs. stopped: what ended the work before the
    smallest was known, if something did."""

    graph: WrittenGame = field(repr=False)
    goal: Goal
    nodes: frozenset[int] = field(repr=False)
    lower: int
    tree: int
    seconds: float
    solver: str
    stopped: str | None = None

    @property
    def size(self) -> int:
        return len(self.nodes)

    @property
    def proven(self) -> bool:
        """Whether no proof graph is smaller."""
        return self.lower == self.size

    @property
    def value(self) -> float:
        return self.graph.values[0]

    @property
    def names(self) -> list[str]:
        """The nodes of the proof as texts, the root first."""
        return [self.graph.name(node) for node in sorted(self.nodes)]


def minimum_proof_graph(
    what: Game | Position | WrittenGame,
    target: float | None = None,
    *,
    seconds: float | None = None,
    symmetric: bool = True,
    solver: str = "highs",
    most: int = MOST_POSITIONS,
    mode: str | None = None,
    listener: Listener | None = None,
) -> MinimumProof:
    """The smallest proof that the first player reaches `target`, or else that it does not; without a target, of the
    value. Without a limit of seconds the search ends when it is proven; Ctrl-C ends it with what there is.

    `symmetric`: equivalent positions count once, where the game knows which are. `most`: how many positions a game may
    have.
    """
    check_solver(solver)
    limits = Limits(seconds=seconds)
    if isinstance(what, WrittenGame):
        graph = what
    else:
        position = what if isinstance(what, Position) else Position(what)
        check_target(position.game, target)
        graph = write_out(position, symmetric=symmetric, most=most, mode=mode)
    return minimum_of(graph, true_goal(graph, target), limits.seconds, solver, listener)


def minimum_of(
    graph: WrittenGame, goal: Goal, seconds: float | None, solver: str, listener: Listener | None = None
) -> MinimumProof:
    """The smallest proof graph of a goal that is true."""
    begun = time.perf_counter()
    tree = minimum_tree(graph, goal)
    work = _Work(graph, goal, tree.nodes, LONG if seconds is None else seconds, solver)
    stopped = None if graph.is_tree else work.run(listener)
    nodes, lower = (tree.nodes, tree.size) if graph.is_tree else work.result()
    if not is_proof(graph, nodes, goal):
        raise AssertionError("the set that was found is no proof graph")
    if lower == len(nodes):
        stopped = None
    return MinimumProof(graph, goal, nodes, lower, tree.size, time.perf_counter() - begun, solver, stopped)


def check_target(game: Game, target: float | None) -> None:
    low, high = game.values
    if target is not None and not low <= target <= high:
        raise Unsuitable(f"{game.name}: scores lie between {low:g} and {high:g}, so {target:g} can be no target")


class _Work:
    """One search for a smallest proof graph, in a thread of its own: solvers do not hear Ctrl-C."""

    def __init__(self, graph: WrittenGame, goal: Goal, known: frozenset[int], seconds: float, solver: str) -> None:
        self.graph, self.goal, self.known, self.solver = graph, goal, known, solver
        self.begun, self.seconds = time.perf_counter(), seconds
        self.reason: str | None = None
        self.doing = "reducing"
        self.reduced: Reduced | None = None
        self.best: list[set[int]] = []  # for each part the cheapest closed set, and what it must cost
        self.lower: list[int] = []
        self.failure: BaseException | None = None
        self.halt: Callable[[], None] = lambda: None  # ends a solver that runs in this process
        self.solving = False

    # what the calling thread does

    def run(self, listener: Listener | None) -> str | None:
        """Work until it is done or stopped; returns what stopped it."""
        done = threading.Event()

        def work() -> None:
            try:
                self._search()
            except BaseException as error:
                self.failure = error
            finally:
                done.set()

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        told, asked = 0.0, 0.0
        while True:
            try:
                if done.wait(TICK):
                    break
                if self.left() <= 0:
                    self.reason = self.reason or "seconds"
                if self.reason is not None:
                    asked = asked or time.perf_counter()
                    self.halt()
                    if time.perf_counter() - asked > PATIENCE and not self.solving:
                        break
                if listener is not None and time.perf_counter() - told > 0.1:
                    told = time.perf_counter()
                    listener(self.progress())
            except KeyboardInterrupt:
                self.reason = "interrupt"
        if self.failure is not None:
            raise self.failure
        return self.reason or ("seconds" if self.left() <= 0 else None)  # the work itself may be first to see the time

    def progress(self) -> Progress:
        nodes, lower = self.result()
        return Progress(self.doing, time.perf_counter() - self.begun, lower, len(nodes))

    def result(self) -> tuple[frozenset[int], int]:
        """The smallest proof so far, and the lower bound."""
        reduced, best = self.reduced, list(self.best)
        if reduced is None:
            return self.known, 1
        lower = reduced.system.cost(reduced.forced) + sum(self.lower)
        if len(best) < len(reduced.parts):
            return self.known, lower
        items = set(reduced.forced).union(*(part.whole(taken) for part, taken in zip(reduced.parts, best)))
        nodes = reduced.system.proof(items)
        return frozenset(nodes) if len(nodes) <= len(self.known) else self.known, lower

    def left(self) -> float:
        return self.seconds - (time.perf_counter() - self.begun)

    def stopped(self) -> bool:
        return self.reason is not None or self.left() <= 0

    # what the working thread does

    def _search(self) -> None:
        reduced = reduce(system_of(self.graph, self.goal))
        self.lower = [0] * len(reduced.parts)
        self.reduced = reduced
        system = reduced.system
        items = {item for item, node in enumerate(system.nodes) if node in self.known}
        share = min(20.0, self.left() / 5) / max(1, len(reduced.parts))
        self.doing = "looking for small proofs"
        self.best = [small_proof(part, share, part.own(items), 0, self.stopped) for part in reduced.parts]
        self.doing = "bounding"
        for number, part in enumerate(reduced.parts):
            self._note(number, Found(shared_cost(part, share / 2, self.stopped), None, False))
        self._close(reduced.parts)

    def _open(self) -> list[int]:
        """The parts of which the cheapest set is not known, the smallest first."""
        assert self.reduced is not None
        parts = self.reduced.parts
        left = [n for n, part in enumerate(parts) if self.lower[n] < part.cost(self.best[n])]
        return sorted(left, key=lambda n: len(parts[n]))

    def _close(self, parts: list[Part]) -> None:
        """Integer programs, in slices of time."""
        if self.solver == "cpsat":
            for number in self._open():
                self._by_cpsat(number, parts[number])
            return
        length, seed = FIRST_SLICE, 0
        while self._open() and not self.stopped():
            for number in self._open():
                if self.stopped():
                    return
                part = parts[number]
                if seed == 1:
                    self.doing = "solving the linear relaxation"
                    self._solve(number, relaxed, part, self._slice(30 * length), self._hurried)
                if seed:
                    self.doing = "looking for small proofs"
                    cheap = small_proof(part, length / 4, self.best[number], seed, self.stopped)
                    self._note(number, Found(0, cheap, False))
                self.doing = "solving the integer program"
                known = part.cost(self.best[number])
                self._solve(number, highs, part, known, self._slice(length), self._hurried)
            length, seed = 4 * length, seed + 1

    def _by_cpsat(self, number: int, part: Part) -> None:
        if self.stopped():
            return
        self.doing = "solving the integer program"

        def tell(found: Found) -> None:
            self._note(number, found)

        def begin(halt: Callable[[], None]) -> None:
            self.halt = halt

        self._solve(number, cpsat, part, self.best[number], self.left(), tell, begin)
        self.halt = lambda: None

    def _solve(self, number: int, solver: Callable[..., Found], *arguments: Any) -> None:
        """Call a solver. While one runs in this process, it must not end: native code would be cut off."""
        self.solving = True
        try:
            self._note(number, solver(*arguments))
        finally:
            self.solving = False

    def _slice(self, seconds: float) -> float:
        return min(self.left(), seconds)

    def _hurried(self) -> bool:
        """Whether not to wait for a solver, which heeds its limit by itself, more or less."""
        return self.reason == "interrupt" or self.left() < -GRACE

    def _note(self, number: int, found: Found) -> None:
        """Keep what is better than what was known."""
        assert self.reduced is not None
        part = self.reduced.parts[number]
        if found.items is not None and part.cost(found.items) < part.cost(self.best[number]):
            self.best[number] = found.items
        known = part.cost(self.best[number])
        lower = known if found.finished else min(found.lower, known)
        self.lower[number] = max(self.lower[number], lower)
