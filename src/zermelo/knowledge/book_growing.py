"""Growing a book: search where an opponent is most likely to leave it.

*Drop-out expansion* is from T. R. Lincke, "Strategies for the automatic construction of opening books" (Computers and
Games 2000). The player who has the book makes only best moves; the opponent makes any, but is the less likely to make
one the more it gives up. So the way to a position costs 1 for every move, and omega times what the opponent's moves
give up, as a share of the range of scores. The position with missing moves that is cheapest for either player as the
owner of the book is taken next, and all that can follow there is searched. A small omega makes a wide book, a large one
a deep book.

*Best-first expansion* lets both players make only best moves: it follows the best line wherever that leads.

In a book with loops and transpositions the cheapest way is a shortest path (E. W. Dijkstra 1959). One run of that, and
of backing up values, serves a hundredth as many positions as the book has, one at a time while it is small.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.core.request import Request
from zermelo.knowledge.book_file import BookFile
from zermelo.knowledge.book_graph import NEARLY, Graph
from zermelo.knowledge.book_search import Assessor, Budget, Places, Stopped
from zermelo.rules import CHANCE, MoveError, Position, UnknownName, Unsuitable, nearest

DROP_OUT, BEST_FIRST = "drop-out", "best-first"
OMEGA = 20.0
"""What an opponent's move costs that gives up the whole range of scores: a twentieth of it is as unlikely as a ply."""
AT_ONCE = 100


@dataclass(frozen=True)
class Growth:
    """How far a book has grown: positions searched now, positions whose moves are all known since, positions in the
    book, nodes and seconds that it took; value and status of the root. stopped: what ended it (positions, seconds or
    interrupt), None if nothing is left to be searched."""

    searched: int
    expanded: int
    positions: int
    nodes: int
    seconds: float
    value: float | None
    status: str
    stopped: str | None = None


class Leaf(NamedTuple):
    """A position whose moves are not all known, and what the way to it costs."""

    cost: float
    number: int


def grow_book(
    book: BookFile,
    engine: str | Request | None = None,
    *,
    position: Position | None = None,
    policy: str = DROP_OUT,
    omega: float = OMEGA,
    positions: int | None = None,
    seconds: float | None = None,
    listener: Callable[[Growth], None] | None = None,
) -> Growth:
    """Grow a book from a position, the start if none is given, until so many positions are searched or so many seconds
    have passed; without either, until nothing is left. engine: what searches a position, by its text; what suits the
    game with ten thousand nodes, if nothing is said. Whatever stops it, growing again goes on."""
    if policy not in (DROP_OUT, BEST_FIRST):
        raise UnknownName(f"no policy is called {policy}: {nearest(policy, (DROP_OUT, BEST_FIRST))}")
    if not (omega >= 0 and math.isfinite(omega)):
        raise Unsuitable(f"omega is a number from 0 on, not {omega:g}")
    root = position or Position(book.game)
    if root.result is not None:
        raise MoveError(f"no book grows from {root.text()!r}: the game is over")
    with Assessor(book, engine) as assessor:
        work = _Work(book, assessor, root.state, Budget(positions, seconds), listener)
        work.grow(math.inf if policy == BEST_FIRST else omega)
        return work.report(work.stopped)


class _Work:
    """One run of growing."""

    def __init__(
        self,
        book: BookFile,
        assessor: Assessor,
        state: Any,
        budget: Budget,
        listener: Callable[[Growth], None] | None,
    ) -> None:
        self.book, self.assessor, self.budget, self.listener = book, assessor, budget, listener
        self.graph = Graph(book)
        self.began = time.monotonic()
        self.searched = 0
        self.done: set[int] = set()
        self.stopped: str | None = None
        entry = book.entry(Position(book.game, state)) or book.new_entry(state)
        self.root = self.graph.add(entry)
        self.places = Places(self.graph, self.root, state)

    def grow(self, omega: float) -> None:
        try:
            self.graph.back_up()
            if not self.graph.worth[self.root].grounded:
                self._search(self.root)
                self.graph.back_up()
            while self.stopped is None:
                number = max(1, len(self.graph.entries) // AT_ONCE)
                before: dict[int, int] = {}
                leaves = leaves_by_cost(self.graph, self.root, omega, self.done, before)
                taken = [leaf for leaf, _ in zip(leaves, range(number))]
                if not taken:
                    break
                for leaf in taken:
                    self.places.find(leaf.number, before)
                    self._expand(leaf.number)
                self.graph.back_up()
                self.book.rest()
        except (Stopped, KeyboardInterrupt):
            self.stopped = "interrupt"
        if self.stopped is not None:
            self.graph.back_up()
        self.book.commit()

    def _expand(self, number: int) -> None:
        """Search all that can follow a position and is not known."""
        missing = set(self.graph.missing(number))
        for step in self.places.steps(number):
            if self.stopped is not None:
                return
            if step.word in missing:
                missing.remove(step.word)
                self._search(None, step.state)
        self.done.add(number)

    def _search(self, number: int | None, state: Any = None) -> None:
        """Search a position that is there, or one that is new."""
        self.stopped = self.budget.spent(self.searched, time.monotonic() - self.began)
        if self.stopped is not None:
            return
        state = self.places[number] if number is not None else state
        known = self.book.entry(Position(self.book.game, state)) if number is None else self.graph.entries[number]
        entry = self.assessor.assess(known or self.book.new_entry(state), state)
        self.graph.add(entry)
        self.book.put(entry)
        self.book.rest()
        self.searched += 1
        if self.listener is not None:
            self.listener(self.report())

    def report(self, stopped: str | None = None) -> Growth:
        root = self.graph.entries[self.root]
        return Growth(
            self.searched, len(self.done), len(self.graph.entries), self.assessor.nodes,
            time.monotonic() - self.began, root.value, self.book.status(root), stopped,
        )  # fmt: skip


def leaves_by_cost(
    graph: Graph, root: int, omega: float, done: set[int], before: dict[int, int] | None = None
) -> Iterator[Leaf]:
    """The positions that are worth expanding, the cheapest first. done: positions that cannot be expanded further.
    before: is told from which position the way comes to each."""
    before = {} if before is None else before
    waiting = [(0.0, graph.entries[root].word, root, owner) for owner in (0, 1)]
    seen: set[tuple[int, int]] = set()
    given: set[int] = set()
    while waiting:
        cost, _, number, owner = heapq.heappop(waiting)
        if (number, owner) in seen:
            continue
        seen.add((number, owner))
        if graph.missing(number) and number not in done:
            if not graph.entries[number].proven and number not in given:
                given.add(number)
                yield Leaf(cost, number)
            continue
        for child, loss in _successors(graph, number):
            best_only = graph.entries[number].turn == owner or omega == math.inf
            if loss > NEARLY and best_only:
                continue
            if child != root:
                before.setdefault(child, number)
            extra = omega * loss if loss > NEARLY else 0.0
            heapq.heappush(waiting, (cost + 1 + extra, graph.entries[child].word, child, owner))


def _successors(graph: Graph, number: int) -> list[tuple[int, float]]:
    """The positions that follow, each with what the move gives up, as a share of the range of scores."""
    children = [child for child in graph.children(number) if child is not None]
    turn, values = graph.entries[number].turn, [graph.worth[child].value for child in children]
    if turn == CHANCE:
        return [(child, 0.0) for child in children]
    sign = 1 if turn == 0 else -1
    known = [sign * value for value in (*values, *graph.families[number].scores) if value is not None]
    best = max(known, default=0.0)
    return [
        (child, (best - sign * value) / graph.book.range) for child, value in zip(children, values) if value is not None
    ]
