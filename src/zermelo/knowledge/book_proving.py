"""Proving what is in a book: by solving its positions, or by the easiest way to a claim.

The latter is proof-number search (L. V. Allis 1994) on the book itself, each leaf of which is a job for a solver, as in
job-level search (I.-C. Wu and others 2010): a position that the solver cannot decide within its limits is opened, and
what follows it becomes part of the book. So the book grows where a conjecture is easiest to decide, and what was
found out stays, for this claim and others.

The proof number of a position is the least that it takes, counted in undecided positions, to prove the claim there. In
a book with loops that is well defined as the cost of the cheapest proof without loops, and D. E. Knuth's generalisation
of Dijkstra's algorithm (1977) finds it: costs are settled in increasing order, at a position of the claimant by the
first move that is, at one of the opponent by the last.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Set
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from zermelo.certificates.certificate import Claim
from zermelo.certificates.checker import check_suits, check_value
from zermelo.core.request import Request
from zermelo.core.session import Session
from zermelo.knowledge.book_file import BookFile, Entry
from zermelo.knowledge.book_graph import Graph, bounds_follow
from zermelo.knowledge.book_search import Budget, Places, Stopped, engine_for, proven_bounds, reach
from zermelo.rules import Game, MoveError, Position, Unsuitable


@dataclass(frozen=True)
class Proving:
    """How far a book is proven: positions that a solver was asked about, those proven since and in all; what is proven
    of the root. holds: whether the claim does, None if it is open or there was none. stopped: what ended it before."""

    tried: int
    newly: int
    proven: int
    positions: int
    low: float
    high: float
    seconds: float
    holds: bool | None = None
    stopped: str | None = None


def prove_book(
    book: BookFile,
    method: str | Request | None = None,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    position: Position | None = None,
    positions: int | None = None,
    seconds: float | None = None,
    listener: Callable[[Proving], None] | None = None,
) -> Proving:
    """Prove that the first player scores at least, or at most, so much from a position, the start if none is given, or
    that it is not so; without a claim, solve the positions of the book. method: what solves one, by its text; what
    suits the game with ten thousand nodes, if nothing is said. positions and seconds limit all of it."""
    root = position or Position(book.game)
    if root.result is not None:
        raise MoveError(f"there is nothing to prove in {root.text()!r}: the game is over")
    if at_least is not None and at_most is not None:
        raise Unsuitable("a claim says at least or at most, not both: prove one after the other")
    value = at_most if at_least is None else at_least
    claim = None if value is None else Claim(at_least is not None, value)
    if claim is not None:
        _check_claim(book.game, claim)
    made = engine_for(book.game, method, "solve")
    with made.open(book.game) as session:
        work = _Work(book, session, root.state, Budget(positions, seconds), listener)
        try:
            if claim is None:
                work.solve_all()
            else:
                work.decide(claim)
        except (Stopped, KeyboardInterrupt):
            work.stopped = "interrupt"
        work.graph.back_up()
        book.commit()
        return work.report(claim)


def _check_claim(game: Game, claim: Claim) -> None:
    check_suits(game)
    check_value(game, claim.value)
    if not bounds_follow(game):
        raise Unsuitable(
            f"{game.name}: what a loop scores depends on the path, so that a claim cannot be put together from "
            "positions; prove it by zermelo prove, or solve the positions of the book without a claim"
        )


class _Work:
    """One run of proving."""

    def __init__(
        self,
        book: BookFile,
        session: Session,
        state: Any,
        budget: Budget,
        listener: Callable[[Proving], None] | None,
    ) -> None:
        self.book, self.session, self.budget, self.listener = book, session, budget, listener
        self.graph = Graph(book)
        self.graph.back_up()
        self.root = self.graph.add(book.entry(Position(book.game, state)) or book.new_entry(state))
        self.state, self.places = state, Places(self.graph, self.root, state)
        self.proven_before = sum(entry.proven for entry in self.graph.entries)
        self.began, self.tried = time.monotonic(), 0
        self.opened: set[int] = set()
        self.stopped: str | None = None

    def report(self, claim: Claim | None = None) -> Proving:
        entries, worth = self.graph.entries, self.graph.worth[self.root]
        proven = sum(entry.proven for entry in entries)
        holds = None if claim is None else verdict(claim, worth.low, worth.high)
        return Proving(
            self.tried, proven - self.proven_before, proven, len(entries), worth.low, worth.high,
            time.monotonic() - self.began, holds, self.stopped,
        )  # fmt: skip

    def _ask(self, number: int, state: Any, target: float | None = None) -> Entry:
        """Have the solver try a position, and keep what it finds."""
        entry = self.graph.entries[number]
        answer = self.session.solve(Position(self.book.game, state), at_least=target, value_only=True)
        if answer.stopped in ("interrupt", "stop"):
            raise Stopped
        low, high = proven_bounds(entry, answer)
        source = entry.source if (low, high) == (entry.low, entry.high) else f"solved by {self.session.request}"
        spent = entry.tried + answer.nodes + answer.extra_nodes
        entry = replace(entry, low=low, high=high, tried=spent, source=source)
        self._keep(entry)
        self.book.rest()
        self.tried += 1
        if self.listener is not None:
            self.listener(self.report())
        return entry

    def _keep(self, entry: Entry) -> int:
        self.book.put(entry)
        return self.graph.add(entry)

    # all positions

    def solve_all(self) -> None:
        """The last positions first, for what they prove may save the work before them."""
        limit = self.session.request.limits.nodes or 0
        if self.root not in dict(places := list(reach(self.graph, [self.state]))):
            places.append((self.root, self.state))
        for number, state in reversed(places):
            self.stopped = self.budget.spent(self.tried, time.monotonic() - self.began)
            if self.stopped is not None:
                return
            worth = self.graph.judge(number)
            if worth.low < worth.high and not 0 < limit <= self.graph.entries[number].tried:
                self._ask(number, state)
                self.graph.judge(number)

    # a claim

    def decide(self, claim: Claim) -> None:
        """Ask about one position after another until the claim is decided."""
        target = _target(self.book.game, claim)
        while True:
            self.graph.back_up()
            worth = self.graph.worth[self.root]
            if verdict(claim, worth.low, worth.high) is not None:
                return
            self.stopped = self.budget.spent(self.tried, time.monotonic() - self.began)
            if self.stopped is not None:
                return
            found = easiest_leaf(self.graph, self.root, claim, self.opened)
            if found is None:
                self.stopped = "loops"
                return
            number, before = found
            entry = self._ask(number, self.places.find(number, before), target)
            if verdict(claim, entry.low, entry.high) is None:
                self._open(number)

    def _open(self, number: int) -> None:
        """Take all that can follow a position into the book."""
        self.opened.add(number)
        for step in self.places.steps(number):
            if step.word is not None and self.graph.number(step.word) is None:
                self._keep(self.book.new_entry(step.state))


def verdict(claim: Claim, low: float, high: float) -> bool | None:
    """Whether a claim holds of a position with these bounds, None if they leave it open."""
    if claim.allows(low) and claim.allows(high):
        return True
    return None if claim.allows(low) or claim.allows(high) else False


def _target(game: Game, claim: Claim) -> float | None:
    """The score to ask a solver about; None if the whole value is needed."""
    if claim.at_least:
        return math.ceil(claim.value) if game.integral else claim.value
    return math.floor(claim.value) + 1 if game.integral and claim.value < game.values[1] else None


class Number(NamedTuple):
    """What it takes to prove a claim, or to refute it, at a position: how many undecided positions; and as how many-th
    that was settled."""

    cost: float
    rank: int


def easiest_leaf(
    graph: Graph, root: int, claim: Claim, opened: Set[int] = frozenset()
) -> tuple[int, dict[int, int]] | None:
    """Where the root is undecided, the leaf that is most worth a try, and from which position the way comes to each:
    where one player can choose, by the move that takes least to prove what is to be proven, and where the other can, by
    the one that takes least to refute it. None if neither proof nor refutation is possible without loops. opened:
    positions that are no leaves any more."""
    for proving in (True, False):
        mine = proof_numbers(graph, claim, proving, opened)
        if root in mine:
            break
    else:
        return None
    theirs = proof_numbers(graph, claim, not proving, opened)
    number, before = root, dict[int, int]()
    while not _is_leaf(graph, number):
        ours = graph.entries[number].turn == _chooser(claim, proving)
        going = {child for child in graph.children(number) if child is not None and child in mine}
        # what was settled before leads to a leaf, and never round
        going = {child for child in going if mine[child].cost > 0 and mine[child].rank < mine[number].rank}
        numbers = mine if ours else theirs
        child = min(going, key=lambda child: (*numbers.get(child, (math.inf, 0)), mine[child].rank))
        before[child] = number
        number = child
    return number, before


def _chooser(claim: Claim, proving: bool) -> int:
    """The player who needs only one move that does it."""
    return claim.claimant if proving else 1 - claim.claimant


def proof_numbers(graph: Graph, claim: Claim, proving: bool, opened: Set[int] = frozenset()) -> dict[int, Number]:
    """The number of every position where the claim can be proven, or refuted, without loops."""
    chooser = _chooser(claim, proving)
    parents: dict[int, set[int]] = {}
    left: dict[int, int] = {}
    waiting: list[tuple[int, int]] = []
    for number, entry in enumerate(graph.entries):
        decided = verdict(claim, graph.worth[number].low, graph.worth[number].high)
        if decided is not None:
            if decided == proving:
                waiting.append((0, number))
            continue
        if _is_leaf(graph, number):
            waiting += [] if number in opened else [(1, number)]
            continue
        children = {child for child in graph.children(number) if child is not None}
        left[number] = 1 if entry.turn == chooser else len(children)
        for child in children:
            parents.setdefault(child, set()).add(number)
    heapq.heapify(waiting)
    settled: dict[int, Number] = {}
    sums: dict[int, int] = {}
    while waiting:
        cost, number = heapq.heappop(waiting)
        if number in settled:
            continue
        settled[number] = Number(cost, len(settled))
        for parent in parents.get(number, ()):
            sums[parent] = sums.get(parent, 0) + cost
            left[parent] -= 1
            if left[parent] == 0:
                heapq.heappush(waiting, (sums[parent], parent))
    return settled


def _is_leaf(graph: Graph, number: int) -> bool:
    return None in graph.children(number) or not graph.families[number].words
