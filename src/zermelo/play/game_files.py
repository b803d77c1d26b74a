"""Games in files, as books learn from them: records of ours, or one game a line.

    4 4 5 3 6 2 7
    d1 d2 c1, result: 0

A file of records begins with the name of the game, as `zermelo.play.record` writes it, or has a name that ends as those
of another format do (games.pgn). In any other file a line holds the moves of one game, separated or not, as
`zermelo.play.formats.move_lists` reads them, and may end with the first player's score after `result:`; where the rules
end the game they say the score. Empty lines, and lines that begin with #, are read over.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zermelo.knowledge.book_learning import Played
from zermelo.play.ending import Why
from zermelo.play.formats import format_of, read_in
from zermelo.play.formats.move_lists import read_line
from zermelo.play.record import Record, is_record, read_records
from zermelo.rules import Game, Unsuitable, ZermeloError
from zermelo.rules.files import read_text

TELLING = (Why.RULES, Why.DECIDED, Why.UNTOLD, Why.TOO_LONG, Why.RESIGNED)
"""Endings whose score says something about the game, and not about a clock or a program that failed."""


def read_games(file: str | Path, game: Game) -> Iterator[Played]:
    """The games that a file holds. What is wrong is told with its line, and with the move where it is one."""
    text = read_text(file, read_in(file))
    if format_of(file) is not None or is_record(text, game) or "\nfirst: " in text:
        for record in read_records(file, game):
            yield _played(record, record.text())
        return
    for number, line in enumerate(text.split("\n"), 1):
        try:
            listed = read_line(line, game)
        except ZermeloError as wrong:
            raise Unsuitable(f"{file}, line {number}: {wrong}") from None
        if listed is not None:
            yield _played(listed, " ".join(line.split()))


def _played(record: Record, text: str) -> Played:
    telling = record.ending is not None and record.ending.why in TELLING
    return Played(record.position, record.ending.score if telling and record.ending is not None else None, text)
