"""Lists of moves, as engines of the UCI family are told them: one game a line, read and written as records.

    position startpos moves e2e4 e7e5 g1f3
    position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8q
    e2e4 e7e5

Blank lines, and what stands behind a `#`, are read over. `position` may be missing, and so may `startpos moves`.
Squares and positions are those of the protocol (USI and UCCI count otherwise than UCI), or the game's own. A list does
not say who played, nor how it ended where the rules do not tell; `result:` and the first player's score may stand
behind the moves, as in the games that books learn from, but are not written, for no engine would understand them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from zermelo.play.ending import Ending, Why
from zermelo.play.foreign.dialect import DIALECTS, Dialect
from zermelo.play.foreign.notation import Notation, notation_of
from zermelo.play.record import MOST_SHOWN, Record
from zermelo.rules import Game, MoveError, Position, Unsuitable, ZermeloError
from zermelo.rules.position import MOVES, START
from zermelo.rules.settings import read_value

RESULT = "result:"
_COMMENT = re.compile(r"^\s*[#;].*|\s#(?:\s.*)?$")
_SQUARES = re.compile(r"(?:[a-i]\d{1,2}[a-i]\d{1,2}|\d[a-i]\d[a-i]|[A-Z][*@]\w\w)[a-z+]?(?:\s|$)")
"""A move by squares, be it legal or not."""
_OPENINGS = (START, "fen ", "sfen ")


@dataclass(frozen=True)
class MoveLists:
    """The format of one protocol."""

    dialect: Dialect

    def read(self, text: str, game: Game) -> list[Record]:
        """The games that a text holds. What is wrong is told with the game, its line and the move."""
        return _read(text, game, [self.dialect])

    def write(self, records: list[Record]) -> str:
        """Records as lines. Names, times and results are left out."""
        return "".join(f"{self._line(record)}\n" for record in records)

    def _line(self, record: Record) -> str:
        notation, root = notation_of(record.game, self.dialect.name), record.replay()[0]
        began = "startpos" if root.state == record.game.start else f"{self.dialect.fen} {notation.text(root)}"
        moves = [notation.written(text) for text in record.position.history()]
        return " ".join(["position", began, *(["moves", *moves] if moves else [])])


def read_lists(text: str, game: Game) -> list[Record]:
    """The games of a text that does not say of which protocol it is."""
    return _read(text, game, [])


def is_list(text: str, game: Game) -> bool:
    """Whether a text begins as a list of moves of this game."""
    line = next((bare for line in text.split("\n") if (bare := _bare(line))), "")
    if line.startswith(("position ", *_OPENINGS)) or MOVES.search(line) or _SQUARES.match(line):
        return True
    with suppress(ZermeloError):
        return len(_position(line.replace(",", " ").partition(" ")[0], game, []).line()) > 1
    return False


def read_line(line: str, game: Game, dialects: Sequence[Dialect] = ()) -> Record | None:
    """The game on a line, None if nothing is on it. dialects: of which protocol it is, if that is known."""
    words = _bare(line)
    if not words:
        return None
    told, result, score = words.partition(RESULT)
    position = _position(told.strip(" ,"), game, dialects)
    root = position.line()[0]
    began = root.text() if root.state != game.start else ""
    return Record(position, began=began, ending=_ending(position, score.strip() if result else None))


def _read(text: str, game: Game, dialects: Sequence[Dialect]) -> list[Record]:
    found: list[Record] = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            record = read_line(line, game, dialects)
        except ZermeloError as wrong:
            raise Unsuitable(f"game {len(found) + 1} (line {number}): {str(wrong)[:MOST_SHOWN]}") from None
        found += [] if record is None else [record]
    return found


def _bare(line: str) -> str:
    return " ".join(_COMMENT.sub("", line).split())


def _position(words: str, game: Game, dialects: Sequence[Dialect]) -> Position:
    """The last position of a line, all of it read in one notation: that of the protocol or the game's own, which comes
    first if no protocol is named. What is wrong is told of the one in which most can be read."""
    spoken: list[Notation | None] = [notation_of(game, dialect.name) for dialect in dialects or DIALECTS.values()]
    best: tuple[int, ZermeloError] | None = None
    for notation in dict.fromkeys([*spoken, None] if dialects else [None, *spoken]):
        position, wrong = _played(words, game, notation)
        if wrong is None:
            return position
        if best is None or len(position.line()) > best[0]:
            best = (len(position.line()), wrong)
    assert best is not None
    raise best[1]


def _played(words: str, game: Game, notation: Notation | None) -> tuple[Position, ZermeloError | None]:
    """How far a line can be read, and what is wrong there. No notation: the game's own, and what it reads beside."""
    begin, moves = _parts(words)
    position = Position(game)
    try:
        if begin != START:
            position = game.position(begin) if notation is None else notation.position(game, begin)
        for number, word in enumerate(moves.replace(",", " ").split(), 1):
            if position.result is not None:
                raise MoveError(f"move {number}, {word}, cannot be played: the game is over")
            position = position.play_words(word) if notation is None else position.play(_code(position, word, notation))
    except ZermeloError as wrong:
        return position, wrong
    return position, None


def _parts(words: str) -> tuple[str, str]:
    """Where play begins, and the moves."""
    told = words.removeprefix("position ").strip()
    begin, *rest = MOVES.split(told, 1)
    if not rest and not begin.startswith(_OPENINGS):
        return START, told
    return re.sub("^s?fen ", "", begin.strip()) or START, "".join(rest)


def _code(position: Position, word: str, notation: Notation) -> int:
    """The legal move that a word of the protocol means."""
    known = {notation.written(position.text_of(code)): code for code in position.codes}
    small = {text.lower(): code for text, code in known.items()}
    if word.lower() not in small:
        shown = " ".join([*known][:12]) + (" …" if len(known) > 12 else "")
        number = len(position.line())
        raise MoveError(f"move {number}: {word!r} is not a legal move here; legal: {shown}")
    return known.get(word, small[word.lower()])


def _ending(position: Position, claimed: str | None) -> Ending | None:
    """How the game ended, by the rules or as the line says."""
    known = position.result
    score = None if claimed is None else read_value("result", claimed, float)
    low, high = position.game.values
    if score is not None and not low <= score <= high:
        raise Unsuitable(f"the result is said to be {score:g}, but scores lie between {low:g} and {high:g}")
    if known is not None:
        if score not in (None, known):
            raise Unsuitable(f"the result is said to be {score:g}, but the game is over with {known:g}")
        return Ending.of(position, Why.RULES)
    return None if score is None else Ending.of(position, Why.UNTOLD, score=score)
