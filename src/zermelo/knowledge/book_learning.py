"""Learning from games: how often a position came about, how games ended from there, and whether it is any good.

    learn_games(book, games, min_games=2)

A position is taken into the book if enough games went through it, by moves that were common enough. Every position of
the book that was never searched is then searched, so that blunders are found, however many people make them: what a
move gives up is seen against the value of the position before it. A blunder stays in the book with its value; `Book`
rejects it.

A game is counted once, however often it is learned. If the searches are interrupted, learning again goes on with them.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple

from zermelo.core.request import Request
from zermelo.knowledge.book_file import BookFile, Entry, check_share
from zermelo.knowledge.book_graph import Graph
from zermelo.knowledge.book_keys import Family
from zermelo.knowledge.book_search import Assessor, Budget, Stopped, engine_for, reach
from zermelo.rules import Position, Unsuitable

PLIES = 20
"""How far games are followed, if nobody says."""


class Played(NamedTuple):
    """A game: its last position, which knows the moves that led there, and the first player's score, None if that is
    not known. text: what tells it from other games."""

    position: Position
    score: float | None
    text: str


@dataclass(frozen=True)
class Lesson:
    """What was learned: so many games, others having been counted before; so many positions that are new in the book,
    searched now, and still to be searched. stopped: what ended it early, if anything did."""

    games: int
    known_games: int
    positions: int
    searched: int = 0
    unsearched: int = 0
    stopped: str | None = None


def learn_games(
    book: BookFile,
    games: Iterable[Played],
    *,
    min_games: int = 1,
    min_share: float = 0.0,
    plies: int = PLIES,
    check: str | Request | None = None,
    positions: int | None = None,
    seconds: float | None = None,
    listener: Callable[[str], None] | None = None,
) -> Lesson:
    """Learn from games. min_games: so many must have come to a position, min_share: such a share of those that came to
    the position before it. plies: how far games are followed. check: what the positions are searched with, by its text;
    None is what suits the game, with ten thousand nodes each, and "none" leaves values to the results. positions and
    seconds limit the searches."""
    if min_games < 1:
        raise Unsuitable(f"at least 1 game must come to a position, not {min_games}")
    if plies < 1:
        raise Unsuitable(f"games are followed for at least 1 ply, not {plies}")
    check_share("what a move must be made in", min_share, "games")
    made = None if check == "none" else engine_for(book.game, check, "search")
    budget, tell = Budget(positions, seconds), listener or (lambda words: None)
    crowd, numbers = _Crowd(book), Counter[str]()
    digests: list[bytes] = []
    known = 0
    for game in games:
        numbers[game.text] += 1
        digest = hashlib.blake2b(f"{numbers[game.text]} {game.text}".encode(), digest_size=16).digest()
        if book.learned(digest):
            known += 1
            continue
        digests.append(digest)
        crowd.count(game, plies)
        if len(digests) % 100 == 0:
            tell(f"{len(digests)} games")
    fresh = crowd.write(min_games, min_share)
    book.note_learned(digests)
    book.commit()
    graph = Graph(book)
    lesson = Lesson(len(digests), known, fresh)
    if made is not None:
        lesson = _search(graph, [book.game.start, *crowd.starts], made, budget, tell, lesson)
    graph.back_up()
    book.commit()
    return lesson


def _search(
    graph: Graph,
    starts: list[Any],
    check: Request,
    budget: Budget,
    tell: Callable[[str], None],
    so: Lesson,
) -> Lesson:
    """Search what was never searched, what most games went through first."""
    book, began, done, stopped = graph.book, time.monotonic(), 0, None
    waiting = [
        (number, state)
        for number, state in reach(graph, starts)
        if graph.entries[number].searched is None and not graph.entries[number].proven
    ]
    waiting.sort(key=lambda one: -graph.entries[one[0]].games)
    try:
        with Assessor(book, check) as assessor:
            for number, state in waiting:
                stopped = budget.spent(done, time.monotonic() - began)
                if stopped is not None:
                    break
                entry = assessor.assess(graph.entries[number], state)
                graph.add(entry)
                book.put(entry)
                book.rest()
                done += 1
                tell(f"{done} of {len(waiting)} positions searched")
    except (Stopped, KeyboardInterrupt):
        stopped = "interrupt"
    return replace(so, searched=done, unsearched=len(waiting) - done, stopped=stopped)


@dataclass
class _Seen:
    """A position that games came through. ways: how many went on to each of the positions after it."""

    state: Any
    told: bytes
    games: int = 0
    first: int = 0
    drawn: int = 0
    second: int = 0
    total: float = 0.0
    ways: Counter[int] = field(default_factory=Counter)
    family: Family | None = None


class _Crowd:
    """All positions that some games came through, mirror images together."""

    def __init__(self, book: BookFile) -> None:
        self.book, self.keys = book, book.keys
        self.seen: list[_Seen] = []
        self._by_word: dict[int, list[int]] = {}
        self._starts: set[int] = set()

    @property
    def starts(self) -> list[Any]:
        return [self.seen[number].state for number in self._starts]

    def count(self, game: Played, plies: int) -> None:
        path = [position for position in game.position.line()[: plies + 1] if position.result is None]
        numbers = [self._number(position.state) for position in path]
        self._starts.update(numbers[:1])
        low, high = self.book.game.values
        middle = (low + high) / 2
        for number in set(numbers):
            seen = self.seen[number]
            seen.games += 1
            if game.score is not None:
                seen.first += game.score > middle
                seen.drawn += game.score == middle
                seen.second += game.score < middle
                seen.total += game.score
        for before, after in set(pairwise(numbers)):
            self.seen[before].ways[after] += 1

    def _number(self, state: Any) -> int:
        told, alike = self.keys.state(state), self._by_word.setdefault(self.keys.word(state), [])
        for number in alike:
            if self.seen[number].told == told:
                return number
        new = _Seen(state, told)
        for number in alike:
            if self._family(self.seen[number]) == self._family(new):
                return number
        alike.append(len(self.seen))
        self.seen.append(new)
        return alike[-1]

    def _family(self, seen: _Seen) -> Family:
        if seen.family is None:
            seen.family = Family.of(self.keys.steps(seen.state))
        return seen.family

    def write(self, min_games: int, min_share: float) -> int:
        """Add the counts to the book. Positions that are new in it must be common enough; returns how many are."""
        fresh, done = 0, set(self._starts)
        waiting = list(self._starts)
        while waiting:
            seen = self.seen[waiting.pop()]
            before = self.book.entry(Position(self.book.game, seen.state))
            fresh += before is None
            self.book.put(_with_counts(before or self.book.new_entry(seen.state), seen))
            for after, games in seen.ways.items():
                if after not in done and self._is_common(after, min_games, games >= min_share * seen.games):
                    done.add(after)
                    waiting.append(after)
        return fresh

    def _is_common(self, number: int, min_games: int, usual: bool) -> bool:
        """Whether a position is to be in the book: it is there already, or games and share suffice."""
        seen = self.seen[number]
        if usual and seen.games >= min_games:
            return True
        known = self.book.entry(Position(self.book.game, seen.state))
        return known is not None


def _with_counts(entry: Entry, seen: _Seen) -> Entry:
    return replace(
        entry, games=entry.games + seen.games, first=entry.first + seen.first, drawn=entry.drawn + seen.drawn,
        second=entry.second + seen.second, total=entry.total + seen.total, source=entry.source or "games",
    )  # fmt: skip
