"""A book as a player uses it: what it knows of the moves at a position, and which one to play.

    book = Book("c4.book", game)
    book.page(position).moves       what is known of every move
    book.answer(position, seed=7)   one of the best, at random; None where the book ends

A book holds positions, not moves: all that can be played is played and looked up, so that transpositions and mirror
images are found however they came about.

A move is *rejected* if it gives up more than the book's margin, or any part of what is proven, against the best that is
known of the position, moves outside the book included. Its value, which is that of its refutation, stays in the book.

Where a proof has left bounds and no value, a move is worth what it is proven to be worth at the least to whoever makes
it. If that is all that is proven of the position, the move *keeps* it, and is played unless estimates promise more.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.core.answer import BOUND, HEURISTIC, PROVEN, UNKNOWN, Answer, Verdict, plain
from zermelo.core.wording import signed
from zermelo.knowledge.book_file import BookFile, Entry, check_share
from zermelo.knowledge.book_keys import Step
from zermelo.positions.identity import loop_ends, name_of
from zermelo.rules import CHANCE, Game, Position

VARIETY = 0.02
"""Moves that give up no more than this share of the range of scores are as good as the best one."""


class BookMove(NamedTuple):
    """What a book knows of a move. `entry` is that of the position after it, None where the game is over or nothing is
    known. Value and bounds are the first player's; bounds may be known where no value is."""

    text: str
    step: Step
    entry: Entry | None
    status: str
    value: float | None
    low: float
    high: float
    rejected: bool = False

    @property
    def known(self) -> bool:
        return self.status != UNKNOWN

    @property
    def grounded(self) -> bool:
        """Whether there is more behind it than results of games."""
        return self.step.score is not None or (self.entry is not None and bool(self.entry.grounded))

    def as_dict(self) -> dict[str, Any]:
        entry = self.entry
        results = [0, 0, 0] if entry is None else [entry.first, entry.drawn, entry.second]
        return {
            "move": self.text,
            "value": None if self.value is None else plain(self.value),
            "bounds": [plain(self.low), plain(self.high)],
            "status": self.status,
            "rejected": self.rejected,
            "games": 0 if entry is None else entry.games,
            "results": results,
            "nodes": 0 if entry is None else entry.nodes,
            "source": "rules" if self.step.score is not None else "" if entry is None else entry.source,
        }


@dataclass(frozen=True)
class Page:
    """What a book knows of a position and of every move there."""

    position: Position
    entry: Entry
    moves: list[BookMove]

    @property
    def least(self) -> float | None:
        """What is proven that the player to move can have at the least, in that player's view; None if nothing is."""
        low, high = self.position.game.values
        least, worst = (self.entry.low, low) if self.position.turn == 0 else (-self.entry.high, -high)
        return None if least == worst else least

    def keeps(self, move: BookMove) -> bool:
        """Whether a move is proven to keep all that is proven for the player who makes it."""
        return self.least is not None and (move.low if self.position.turn == 0 else -move.high) >= self.least

    @property
    def playable(self) -> list[BookMove]:
        """The moves for which something speaks, but for those that are rejected. Where searches or proofs speak, mere
        results of games do not."""
        known = [move for move in self.moves if move.known and not move.rejected]
        if self.entry.grounded or any(map(self.keeps, known)):
            return [move for move in known if move.grounded or self.keeps(move)]
        return [move for move in known if move.value is not None]

    def best(self, variety: float) -> list[BookMove]:
        """The moves to choose from: those that are proven to win, or to keep the proven value of the position; or else
        all that give up no more than `variety` of the range of scores against the best of them, and of these only those
        that keep what is proven, if there are any."""
        playable = self.playable
        if not playable:
            return []
        sign = 1 if self.position.turn == 0 else -1
        low, high = self.position.game.values
        for score in (high if sign == 1 else low, self.entry.low if self.entry.proven else None):
            certain = [move for move in playable if move.low == move.high == score]
            if score is not None and score == self.entry.low == self.entry.high:
                certain += [move for move in playable if self.keeps(move) and move not in certain]
            if certain:
                return certain
        worths = [self._worth(sign, move) for move in playable]
        alike = [m for m, worth in zip(playable, worths) if worth >= max(worths) - variety * (high - low)]
        return [move for move in alike if self.keeps(move)] or alike

    def _worth(self, sign: int, move: BookMove) -> float:
        """What a playable move is worth to whoever makes it: its value, or else what it keeps."""
        if move.value is None or (self.least is not None and not move.grounded):
            assert self.least is not None
            return self.least
        return sign * move.value


class Book(BookFile):
    """A book of one game. variety: the share of the range of scores within which moves are as good as the best one to
    whoever plays by it. write: whether it will be changed, which only one process at a time may do."""

    def __init__(self, file: str | Path, game: Game, *, variety: float = VARIETY, write: bool = False) -> None:
        check_share("variety", variety)
        self.variety = variety
        super().__init__(file, game, write=write)

    def page(self, position: Position) -> Page | None:
        """What is known of a position, None if it is not in the book or the game is over."""
        if position.result is not None:
            return None
        found = self.look_up([self.keys.word(position.state)])
        if not found:
            return None
        steps = self.keys.steps(position.state)
        entry = self.matching(position.state, found, steps)
        if entry is None:
            return None
        after = self.look_up(step.word for step in steps if step.word is not None)
        moves = [self._move(position, step, [one for one in after if one.word == step.word]) for step in steps]
        if position.turn != CHANCE:
            moves = [move._replace(rejected=self._is_rejected(position.turn, entry, move)) for move in moves]
        return Page(position, entry, moves)

    def _move(self, position: Position, step: Step, found: Sequence[Entry]) -> BookMove:
        """What is known of a move. Of several entries with one word the one that is meant is looked for now; a single
        one is only taken to be it until the move is chosen."""
        text = position.text_of(step.code)
        if step.score is not None:
            return BookMove(text, step, None, PROVEN, step.score, step.score, step.score)
        entry = found[0] if len(found) == 1 else self.matching(step.state, found)
        if entry is None:
            low, high = self.game.values
            return BookMove(text, step, None, UNKNOWN, None, low, high)
        return BookMove(text, step, entry, self.status(entry), entry.value, entry.low, entry.high)

    def _is_rejected(self, turn: int, entry: Entry, move: BookMove) -> bool:
        """Whether a move is worse than the book allows, given the best that is known of the position."""
        if not move.known:
            return False
        low, high = self.game.values
        sign, worst = (1, low) if turn == 0 else (-1, -high)
        most, least = (move.high, entry.low) if turn == 0 else (-move.low, -entry.high)
        at_most = entry.high if turn == 0 else -entry.low
        if most < least or (most == worst < at_most):
            return True
        if not (entry.grounded and move.grounded) or entry.value is None or move.value is None:
            return False
        return sign * move.value < sign * entry.value - self.margin * self.range

    def answer(self, position: Position, seed: int | None = None) -> Answer | None:
        """One of the best moves, at random, the same one for the same seed and position; None where the book knows
        none."""
        began = time.perf_counter()
        if position.turn == CHANCE:
            return None
        page = self.page(position)
        if page is None:
            return None
        page = self._without_loops(page)
        die = random.SystemRandom() if seed is None else random.Random(f"book {seed} {page.entry.word}")
        choice = page.best(self.variety)
        while choice:
            chosen = die.choice(choice)
            if chosen.entry is None or self.matching(chosen.step.state, [chosen.entry]) is not None:
                return self._told(page, choice, chosen, time.perf_counter() - began)
            choice.remove(chosen)  # another position with the same word
        return None

    def _without_loops(self, page: Page) -> Page:
        """Where play can go round, a move to a position that stood on the path is none of the book's: it would lead
        nowhere, and what it scores if it ends the game is not in the book."""
        position = page.position
        if not self.game.cyclic:
            return page
        name = name_of(self.game, "state" if self.game.loop_key is None else "loop_key")
        before = set(map(name, position.path()))
        return Page(position, page.entry, [move for move in page.moves if name(move.step.state) not in before])

    def _told(self, page: Page, choice: Sequence[BookMove], chosen: BookMove, seconds: float) -> Answer:
        position, entry = page.position, page.entry
        sure = not loop_ends(position)[0]  # what the book proves is proved of positions without a history
        bounds = (entry.low, entry.high) if sure else self.game.values
        value, status = entry.value, HEURISTIC if entry.value is not None else UNKNOWN
        if sure and entry.proven:
            status = PROVEN
        elif sure and self.status(entry) == BOUND:
            status, value = BOUND, entry.low if entry.low > self.game.values[0] else entry.high
        return Answer(
            position=position,
            value=None if value is None else plain(value),
            status=status,
            bounds=(plain(bounds[0]), plain(bounds[1])),
            best=[move.text for move in choice],
            line=[chosen.text],
            nodes=0,
            leaves=0,
            extra_nodes=0,
            seconds=seconds,
            method="book",
            depth=None,
            why=self._why(page, choice, chosen),
            verdicts=tuple(self._verdict(move, sure) for move in page.moves if move.known),
            mode="interpreted",
        )

    def _why(self, page: Page, choice: Sequence[BookMove], chosen: BookMove) -> str:
        among = "the only move" if len(choice) == 1 else f"one of {len(choice)} moves"
        if chosen.grounded or page.least is None:
            return f"{among} within {self.variety:g} of the best in {self}"
        kept = f"at least {signed(page.entry.low)}" if page.position.turn == 0 else f"at most {signed(page.entry.high)}"
        return f"{among} proven to keep {kept} for the first player in {self}"

    def _verdict(self, move: BookMove, sure: bool) -> Verdict:
        if move.low == move.high and (sure or move.step.score is not None):
            return Verdict(move.text, PROVEN, plain(move.low), plain(move.high))
        if move.value is None:
            return Verdict(move.text, BOUND if sure else HEURISTIC, plain(move.low), plain(move.high))
        value = plain(move.value)
        return Verdict(move.text, HEURISTIC, value, value)
