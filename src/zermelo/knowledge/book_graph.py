"""A book as a graph, and the values that follow from one position to another.

A position is worth what its best move leads to, as far as the book knows that. Where it does not know all moves, the
search of the position itself speaks for the others, unless the move that it liked best is known by now. What is proven
follows in the same way. Positions of which only results of games are known do not count: results say how people played.

Positions that follow are found by their words alone: should two ever clash, a value may be wrong, but no move is played
on it, for `Book` compares what it plays.

A book may go round in circles. Every inner position then begins with the score of a loop, and values are followed until
none changes. That is right: for every score above that of a loop, the positions where it can be forced grow from none,
and for every score below from all, as they must (A. R. Washburn, Deterministic graphical games, 1990).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from zermelo.knowledge.book_file import BookFile, Entry
from zermelo.knowledge.book_keys import Family
from zermelo.rules import CHANCE, Game, Unsuitable

NEARLY = 1e-9
"""The share of the range of scores that rounding may cost."""


class Worth(NamedTuple):
    """What a position comes to: a value, whether it is grounded, and what is proven of it."""

    value: float | None
    grounded: bool
    low: float
    high: float


class Graph:
    """All positions of a book, by numbers. `worth` of each is as `back_up` left it."""

    def __init__(self, book: BookFile) -> None:
        self.book, self.game = book, book.game
        self.entries: list[Entry] = []
        self.families: list[Family] = []
        self.worth: list[Worth] = []
        self._numbers: dict[int, int | None] = {}
        self._of_state: dict[tuple[int, bytes], int] = {}
        self.follows = bounds_follow(book.game)
        for entry in book.entries():
            self.add(entry)

    def add(self, entry: Entry) -> int:
        """An entry that was not there, or what is now known of one that was. Returns its number."""
        number = self._of_state.get((entry.word, entry.state))
        if number is None:
            number = self._of_state[entry.word, entry.state] = len(self.entries)
            # two positions that share a word cannot be told apart from here, so that neither is a child of any other
            self._numbers[entry.word] = None if entry.word in self._numbers else number
            self.entries.append(entry)
            self.families.append(Family.unpack(entry.family))
            self.worth.append(_as_kept(entry))
        self.entries[number] = entry
        self.worth[number] = _as_kept(entry)
        return number

    def number(self, word: int) -> int | None:
        """The position with this word, if there is one and no other."""
        return self._numbers.get(word)

    def children(self, number: int) -> list[int | None]:
        """The positions that follow and are not over, None where the book has none."""
        return [self._numbers.get(word) for word in self.families[number].words]

    def missing(self, number: int) -> list[int]:
        """The words of those that follow of which nothing grounded is known."""
        words = self.families[number].words
        return [word for word, child in zip(words, self.children(number)) if not self._is_grounded(child)]

    def _is_grounded(self, number: int | None) -> bool:
        return number is not None and self.worth[number].grounded

    # values

    def back_up(self) -> None:
        """Follow values and proofs through the whole book, and write what has changed."""
        middle = loop_worth(self.game)
        order = list(self._children_first())
        self.worth = [_alone(entry) for entry in self.entries]
        if self.game.cyclic or self.game.endless:
            inner = [number for number in order if any(child is not None for child in self.children(number))]
            for number in inner:
                known = self.worth[number]
                self.worth[number] = known._replace(value=min(max(middle, known.low), known.high))
        tolerance = NEARLY * self.book.range if self.game.has_chance else 0.0
        changed = True
        while changed:
            changed = False
            for number in order:
                before = self.worth[number]
                changed |= _differ(self.judge(number), before, tolerance)
        self._keep()

    def _keep(self) -> None:
        """Write the entries that are worth something else than they were."""
        new = []
        for number, (entry, worth) in enumerate(zip(self.entries, self.worth)):
            if worth != _as_kept(entry):
                value, grounded, low, high = worth
                self.entries[number] = replace(entry, value=value, grounded=int(grounded), low=low, high=high)
                new.append(self.entries[number])
        self.book.put(*new)

    def _children_first(self) -> Iterator[int]:
        """All positions, each after those that follow it, as far as there are no loops."""
        seen = bytearray(len(self.entries))
        for start in range(len(self.entries)):
            if seen[start]:
                continue
            seen[start] = 1
            path = [(start, iter(self.children(start)))]
            while path:
                number, waiting = path[-1]
                child = next((c for c in waiting if c is not None and not seen[c]), None)
                if child is None:
                    path.pop()
                    yield number
                else:
                    seen[child] = 1
                    path.append((child, iter(self.children(child))))

    def judge(self, number: int) -> Worth:
        """Have a position be worth what it comes to, given what the positions after it do."""
        self.worth[number] = self._judge(number)
        return self.worth[number]

    def _judge(self, number: int) -> Worth:
        entry, family = self.entries[number], self.families[number]
        after = [None if child is None else self.worth[child] for child in self.children(number)]
        low, high = self._bounds(entry, family, after)
        value = self._value(entry, family, after)
        grounded = value is not None or low == high
        if value is None:
            value = low if low == high else results_of(entry, self.game)
        return Worth(None if value is None else min(max(value, low), high), grounded, low, high)

    def _bounds(self, entry: Entry, family: Family, after: list[Worth | None]) -> tuple[float, float]:
        low, high = entry.low, entry.high
        if not self.follows:
            return low, high
        lows = [worth.low for worth in after if worth is not None] + list(family.scores)
        highs = [worth.high for worth in after if worth is not None] + list(family.scores)
        complete = None not in after
        if not lows:
            return low, high
        if entry.turn == CHANCE:
            if complete:
                low, high = max(low, _mean(family, lows)), min(high, _mean(family, highs))
        elif entry.turn == 0:
            low, high = max(low, *lows), min(high, max(highs)) if complete else high
        else:
            low, high = max(low, min(lows)) if complete else low, min(high, *highs)
        if low > high + NEARLY * self.book.range:
            raise Unsuitable(
                f"{self.book.path}: its proofs contradict each other, a score of at least {low:g} and of at most "
                f"{high:g} for one position; one of the sources is wrong"
            )
        return (low, high) if low <= high else (high, high)

    def _value(self, entry: Entry, family: Family, after: list[Worth | None]) -> float | None:
        known = [worth for worth in after if worth is not None and worth.grounded]
        values = [worth.value for worth in known if worth.value is not None] + list(family.scores)
        complete = len(known) == len(after)
        own = entry.low if entry.proven else entry.searched
        if entry.turn == CHANCE or not values:
            return _mean(family, values) if complete and values else own
        if not complete:
            if own is None:
                return None
            best = entry.best is not None and self._is_grounded(self.number(entry.best))
            values += [] if best else [own]
        return max(values) if entry.turn == 0 else min(values)


def bounds_follow(game: Game) -> bool:
    """Whether what is proven of positions by themselves proves something of a position before them. It does unless
    what a loop is worth depends on the path."""
    return not game.cyclic or (game.loop_value is not None and game.loop_key is None)


def loop_worth(game: Game) -> float:
    """What play that goes round in circles is taken for: what the rules say, and where that depends on the loop, the
    middle."""
    low, high = game.values
    if game.loop_value is not None:
        return float(game.loop_value)
    return 0.0 if game.endless and low <= 0 <= high else (low + high) / 2


def results_of(entry: Entry, game: Game) -> float | None:
    """What the results of games say of a position, one drawn game on top; None if there was none."""
    finished = entry.first + entry.drawn + entry.second
    low, high = game.values
    return (entry.total + (low + high) / 2) / (finished + 1) if entry.games else None


def _as_kept(entry: Entry) -> Worth:
    return Worth(entry.value, bool(entry.grounded), entry.low, entry.high)


def _alone(entry: Entry) -> Worth:
    """What is known of a position without those after it."""
    own = entry.low if entry.proven else entry.searched
    return Worth(own, own is not None, entry.low, entry.high)


def _mean(family: Family, values: Iterable[float]) -> float:
    return sum(w * v for w, v in zip(family.weights, values, strict=True)) / sum(family.weights)


def _differ(one: Worth, other: Worth, tolerance: float) -> bool:
    if one.grounded != other.grounded or (one.value is None) != (other.value is None):
        return True
    pairs = ((one.value or 0.0, other.value or 0.0), (one.low, other.low), (one.high, other.high))
    return any(abs(a - b) > tolerance for a, b in pairs)
