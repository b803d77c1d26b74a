"""Games in files, as books learn from them: records of ours, or one game a line.

    4 4 5 3 6 2 7
    d1 d2 c1, result: 0

A file of records begins with the name of the game, as `zermelo.play.record` writes it, or has a name that ends as those
of another format do (games.pgn). In any other file a line holds
the moves of one game, separated or not, and may end with the first player's score after `result:`; where the rules end
the game they say the score. Empty lines, and lines that begin with #, are read over.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zermelo.knowledge.book_learning import Played
from zermelo.play.ending import Why
from zermelo.play.formats import format_of
from zermelo.play.record import read_records, title
from zermelo.rules import Game, Unsuitable, ZermeloError
from zermelo.rules.files import read_text
from zermelo.rules.settings import read_value

TELLING = (Why.RULES, Why.DECIDED, Why.UNTOLD, Why.TOO_LONG, Why.RESIGNED)
"""Endings whose score says something about the game, and not about a clock or a program that failed."""
RESULT = "result:"


def read_games(file: str | Path, game: Game) -> Iterator[Played]:
    """The games that a file holds. What is wrong is told with its line, and with the move where it is one."""
    text = read_text(file)
    if format_of(file) is not None or text.lstrip().startswith(f"{title(game)}\n") or "\nfirst: " in text:
        for record in read_records(file, game):
            telling = record.ending is not None and record.ending.why in TELLING
            score = record.ending.score if telling and record.ending is not None else None
            yield Played(record.position, score, record.text())
        return
    for number, line in enumerate(text.split("\n"), 1):
        words = " ".join(line.split())
        if not words or words.startswith("#"):
            continue
        try:
            yield _game_of(words, game)
        except ZermeloError as wrong:
            raise Unsuitable(f"{file}, line {number}: {wrong}") from None


def _game_of(words: str, game: Game) -> Played:
    moves, told, score = words.partition(RESULT)
    position = game.position(moves.rstrip(" ,"))
    known = position.result
    if not told:
        return Played(position, known, words)
    claimed, (low, high) = read_value("result", score.strip(), float), game.values
    if not low <= claimed <= high:
        raise Unsuitable(f"the result is said to be {claimed:g}, but scores lie between {low:g} and {high:g}")
    if known is not None and known != claimed:
        raise Unsuitable(f"the result is said to be {claimed:g}, but the game is over with {known:g}")
    return Played(position, claimed, words)
