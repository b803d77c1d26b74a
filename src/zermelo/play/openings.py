"""Openings: where the games of a match begin. From a file, or by moves at random.

A file holds one opening a line: the moves so far, or a position in the game's own notation. Empty lines, and lines that
begin with #, are read over.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from zermelo.play.ending import decided
from zermelo.rules import CHANCE, Game, Position, Unsuitable, ZermeloError, wrapping
from zermelo.rules.files import read_text

ATTEMPTS = 200
"""So often a new opening is looked for before an old one may come again."""


class Opening(NamedTuple):
    """Where a game begins: a text in the game's notation, empty for the start, and the moves from there as the rules
    number them."""

    began: str = ""
    codes: tuple[int, ...] = ()

    @classmethod
    def of(cls, position: Position, typed: str) -> Opening:
        """A position that a person typed."""
        line = position.line()
        began = "" if line[0].state is position.game.start else typed
        return cls(began, tuple(after.last_move for after in line[1:] if after.last_move is not None))

    def position(self, game: Game) -> Position:
        position = game.position(self.began)
        for code in self.codes:
            position = position.play(code)
        return position


def read_openings(file: str | Path, game: Game) -> list[Opening]:
    """The openings that a file holds. What is wrong is told with its line, and with the move where it is one."""
    return list_openings(read_text(file).split("\n"), game, str(file))


def list_openings(lines: Iterable[str], game: Game, source: str = "the openings") -> list[Opening]:
    """The openings that lines of text describe; `source` is what errors call them."""
    found = []
    for number, line in enumerate(lines, 1):
        text = " ".join(line.split())
        if not text or text.startswith("#"):
            continue
        try:
            position = game.position(text)
        except ZermeloError as wrong:
            raise Unsuitable(f"{source}, line {number}: {wrong}") from None
        if is_over(position):
            raise Unsuitable(f"{source}, line {number}: after {text} the game is over, so nothing is left to be played")
        found.append(Opening.of(position, text))
    if not found:
        raise Unsuitable(f"{source} hold no opening: write the moves of one on each line")
    return found


def random_openings(game: Game, plies: int, seed: int) -> Iterator[Opening]:
    """Openings of so many plies, throws of the dice included, without end: each one another position, until no new one
    is found. In none of them is the game over, nor do the rules show how it ends."""
    if plies < 0:
        raise Unsuitable(f"an opening has 0 or more random plies, not {plies}")
    seen: set[Position] = set()
    dice, exhausted = random.Random(f"openings {seed}"), plies == 0
    while True:
        found: Position | None = None
        for _ in range(ATTEMPTS):
            position = _wander(game, plies, dice)
            if position is not None:
                found = position
                if exhausted or position not in seen:
                    break
        else:
            exhausted = True
        if found is None:
            raise Unsuitable(f"{game.summary} is over, or decided, after {plies} random plies: take fewer of them")
        seen.add(found)
        yield Opening.of(found, "")


@wrapping
def _wander(game: Game, plies: int, dice: random.Random) -> Position | None:
    """A position so many random plies from the start; None if there is nothing left to play."""
    position = game.position()
    for _ in range(plies):
        if is_over(position):
            return None
        codes, weights = position.codes, None
        if position.turn == CHANCE:
            assert game.weight is not None
            weights = [int(game.weight(position.state, code)) for code in codes]
        position = position.play(dice.choices(codes, weights)[0])
    return None if is_over(position) or decided(position) is not None else position


def is_over(position: Position) -> bool:
    """Whether no player can move any more."""
    return position.result is not None or not position.codes
