"""What a search says of the positions of a book, one after another, by one session."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from zermelo.compile.watch import Limits, Listener
from zermelo.core.answer import BOUND, PROVEN, Answer
from zermelo.core.request import Request
from zermelo.knowledge.book_file import BookFile, Entry
from zermelo.knowledge.book_graph import Graph
from zermelo.knowledge.book_keys import Step
from zermelo.methods.requests import request
from zermelo.rules import Game, Position, Unsuitable

NODES = 10_000
"""What a position is searched with, if nobody says more."""


class Stopped(Exception):
    """Somebody wants no more of it."""


@dataclass(frozen=True)
class Budget:
    """How much is to be done in all: so many positions, so many seconds; None is without limit."""

    positions: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.positions is not None and self.positions < 1:
            raise Unsuitable(f"the number of positions must be at least 1, not {self.positions}")
        if self.seconds is not None and not (self.seconds > 0 and math.isfinite(self.seconds)):
            raise Unsuitable(f"the number of seconds must be above 0, not {self.seconds:g}")

    def spent(self, positions: int, seconds: float) -> str | None:
        """Which limit is met, if one is."""
        if self.positions is not None and positions >= self.positions:
            return "positions"
        return "seconds" if self.seconds is not None and seconds >= self.seconds else None


class Assessor:
    """A request at work on the positions of a book, each by itself, without the path that led to it."""

    def __init__(self, book: BookFile, engine: str | Request | None, listener: Listener | None = None) -> None:
        self.book, self.listener = book, listener
        self.request = engine_for(book.game, engine, "search")
        self.source = str(replace(self.request, seed=None))
        self._session = self.request.open(book.game)
        self.nodes = 0

    def assess(self, entry: Entry, state: Any) -> Entry:
        """An entry, with what the search says of its position."""
        position = Position(self.book.game, state)
        answer = self._session.search(position, listener=self.listener, value_only=True)
        if answer.stopped in ("interrupt", "stop"):
            raise Stopped
        if answer.value is None:
            raise Unsuitable(
                f"{self.request} finds no value for the positions of a book: take a search that estimates them, or "
                "more nodes"
            )
        spent = answer.nodes + answer.extra_nodes
        self.nodes += spent
        low, high = proven_bounds(entry, answer)
        return replace(
            entry, low=low, high=high, searched=min(max(float(answer.value), low), high), nodes=spent,
            best=self._best(position, answer), source=self.source, value=float(answer.value), grounded=1,
        )  # fmt: skip

    def _best(self, position: Position, answer: Answer) -> int | None:
        """The word of the position after the best move; None where there is none or the game is over then."""
        if answer.move is None:
            return None
        after = position.play(answer.move)
        return None if after.result is not None else self.book.keys.word(after.state)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()


def engine_for(game: Game, engine: str | Request | None, purpose: str) -> Request:
    """The request that a text names, or what suits the game; with a limit, and a seed, for a book is to be the same
    however often it is made."""
    made = request(engine, game, purpose)
    if not made.limits.any and not made.options.limited:
        made = replace(made, limits=Limits(nodes=NODES))
    return made if made.seed is not None else replace(made, seed=0)


def proven_bounds(entry: Entry, answer: Answer) -> tuple[float, float]:
    """What is proven of a position, given what was and what an answer says."""
    if answer.status not in (PROVEN, BOUND):
        return entry.low, entry.high
    low, high = (float(bound) for bound in answer.bounds)
    if max(low, entry.low) > min(high, entry.high):
        raise Unsuitable(
            f"{answer.method} proves a score from {low:g} to {high:g} where the book holds a proof of {entry.low:g} to "
            f"{entry.high:g}: one of them was made with other rules"
        )
    return max(low, entry.low), min(high, entry.high)


class Places:
    """The states of a book's positions as play comes to them from a root. Those in the file are not needed for that,
    and not trusted."""

    def __init__(self, graph: Graph, root: int, state: Any) -> None:
        self.graph = graph
        self._known: dict[int, Any] = {root: state}

    def __getitem__(self, number: int) -> Any:
        return self._known[number]

    def find(self, number: int, before: Mapping[int, int]) -> Any:
        """The state of a position, given from which position play comes to each."""
        way = [number]
        while way[-1] not in self._known:
            way.append(before[way[-1]])
        while len(way) > 1:
            self.steps(way.pop())
        return self._known[number]

    def steps(self, number: int) -> list[Step]:
        """What can follow a position whose state is known."""
        steps = self.graph.book.keys.steps(self._known[number])
        for step in steps:
            child = None if step.word is None else self.graph.number(step.word)
            if child is not None:
                self._known.setdefault(child, step.state)
        return steps


def reach(graph: Graph, starts: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """The positions of a book that can be reached from some states through others of it, each with a state as play
    comes to it, near ones first."""
    keys, seen = graph.book.keys, set()
    waiting = deque(starts)
    while waiting:
        state = waiting.popleft()
        number = graph.number(keys.word(state))
        if number is None or number in seen:
            continue
        seen.add(number)
        yield number, state
        waiting.extend(step.state for step in keys.steps(state) if step.word is not None)
