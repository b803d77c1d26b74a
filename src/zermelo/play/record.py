"""Records: games that were played, as texts that a person can read. One game is a paragraph; a file holds many.

    tic-tac-toe(rows=3, cols=3, run=3)
    first: person
    second: alphabeta(depth=3)
    clock: 60+1
    position: XX- OO- ---
    a3 {4.1 s} c2 {0.02 s, -1}
    result: -1, by the rules

The first line says which game it is. It is compared with the game that the person names, and never looked up: a file
does not choose what is run. Then come the event (a match, say), the players, their clock, the seed of the dice and
where play began, as far as there is anything to tell; the moves, the dice included; and how it ended. In braces stand
the seconds that a move took and the first player's value as the one who made it saw it; any other comment is read over.

Moves stand side by side, or each on a line of its own where a text holds a blank. One that could be taken for something
else is quoted as in JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from zermelo.play.clock import NO_CLOCK, Clock
from zermelo.play.ending import Ending, Why, signed
from zermelo.play.formats import encoded, format_of, list_reader, read_in
from zermelo.rules import Game, MoveError, Position, Unsuitable, ZermeloError
from zermelo.rules.files import read_text, save
from zermelo.rules.settings import read_value

MOST_SHOWN = 300
WIDTH = 100

_HEADER = re.compile(r"(event|first|second|clock|seed|position|result):\s*(.*)", re.DOTALL)
_ITEM = re.compile(r'\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")|\{(?P<comment>[^{}]*)\}|(?P<word>[^\s{}"][^\s{}]*))')
_ALONE = re.compile(r"(?P<move>.*?)\s*(?:\{(?P<comment>[^{}]*)\})?", re.DOTALL)
_COMMENT = re.compile(r"(?:(?P<seconds>\d+(?:\.\d+)?) s)?(?:, )?(?P<value>[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)?")


class Note(NamedTuple):
    """What is known of a ply beside the move: the seconds it took, and the first player's value; and, which no file
    keeps, who the player believes to sit opposite."""

    seconds: float | None = None
    value: float | None = None
    model: str | None = None

    def __str__(self) -> str:
        told = [] if self.seconds is None else [f"{self.seconds:.3f}".rstrip("0").rstrip(".") + " s"]
        return ", ".join([*told, *([] if self.value is None else [signed(self.value)])])

    @classmethod
    def read(cls, text: str) -> Note:
        found = _COMMENT.fullmatch(text.strip())
        if found is None:
            return cls()
        seconds, value = (float(part) if part else None for part in (found["seconds"], found["value"]))
        return cls(seconds, value)


@dataclass(frozen=True)
class Record:
    """A game so far: its last position, which knows the moves that led there; notes, one for each ply;
    the players' names; where it began, in the game's own notation, empty for the start; how it ended, if it did; the
    event of which it was part, a match say."""

    position: Position
    notes: tuple[Note, ...] = ()
    players: tuple[str, str] = ("", "")
    clock: Clock = NO_CLOCK
    seed: int | None = None
    began: str = ""
    ending: Ending | None = None
    event: str = ""

    def __post_init__(self) -> None:
        missing = len(self.position.history()) - len(self.notes)
        object.__setattr__(self, "notes", (*self.notes, *[Note()] * missing))

    @classmethod
    def begin(cls, start: Position, typed: str = "", *, clock: Clock | None = None, seed: int | None = None) -> Record:
        """A game that begins at a position, which a person may have typed as a text."""
        root, began = start.line()[0], ""
        if root.state is not start.game.start:
            began = " ".join((typed or root.text()).split())
            if not began or start.game.position(began) != root:
                raise Unsuitable(f"{start.game.name} has no text for the position where play is to begin")
        return cls(start, clock=clock or NO_CLOCK, seed=seed, began=began)

    @property
    def game(self) -> Game:
        return self.position.game

    def replay(self) -> list[Position]:
        """All positions, from where play began to the last."""
        return self.position.line()

    def text(self) -> str:
        """What `parse` turns back into this record."""
        clock = None if self.clock == NO_CLOCK else self.clock
        names = ("event", "first", "second", "clock", "seed", "position")
        told = zip(names, (self.event, *self.players, clock, self.seed, self.began), strict=True)
        head = [f"{name}: {' '.join(str(value).split())}" for name, value in told if value not in (None, "")]
        result = [] if self.ending is None else [f"result: {self.ending}"]
        return "\n".join([title(self.game), *head, *self._moves(), *result, ""])

    def _moves(self) -> list[str]:
        """The moves on as few lines as they fit on; a line each if a reader could mistake several for one."""
        texts = self.position.history()
        notes = [f" {{{note}}}" if str(note) else "" for note in self.notes]
        items = [_quoted(text) + note for text, note in zip(texts, notes, strict=True)]
        if any(len(text.split()) != 1 for text in texts):
            return items
        lines: list[list[str]] = []
        for item in items:
            if not lines or len(" ".join([*lines[-1], item])) > WIDTH:
                lines.append([])
            lines[-1].append(item)
        ply, positions = 0, self.replay()
        for line in lines:
            if len(line) > 1 and _alone(" ".join(line), positions[ply]) is not None:
                return items
            ply += len(line)
        return [" ".join(line) for line in lines]


def title(game: Game) -> str:
    """Name and parameters; of a file only its name, for it may lie elsewhere tomorrow."""
    if "file" not in game.parameters:
        return game.summary
    return replace(game, parameters={**game.parameters, "file": Path(str(game.parameters["file"])).name}).summary


def read_records(file: str | Path, game: Game) -> list[Record]:
    """The games that a file holds, all of them of this game. Whatever is wrong is said with its line and move. The end
    of the file's name tells the format, if it is one of others (see `zermelo.play.formats`); lists of moves are known
    by what they hold, too."""
    other, text = format_of(file), read_text(file, read_in(file))
    read = list_reader(text, game) if other is None and not is_record(text, game) else getattr(other, "read", None)
    if read is None:
        return parse(text, game, str(file))
    try:
        return list(read(text, game))
    except ZermeloError as wrong:
        raise Unsuitable(f"{file}: {wrong}") from None


def write_records(file: str | Path, records: list[Record]) -> None:
    """Write a file that holds these games, in the format that its name tells."""
    other = format_of(file)
    text = "\n".join(record.text() for record in records) if other is None else other.write(records)
    save(file, encoded(text, file))


def append_record(file: str | Path, record: Record) -> None:
    """Add a game to those that a file holds, if there is one."""
    other = format_of(file)
    kept = read_text(file, read_in(file)).rstrip() if Path(file).exists() else ""
    added = record.text() if other is None else other.write([record])
    between = getattr(other, "BETWEEN", "\n")
    save(file, encoded(f"{kept}\n{between}{added}" if kept else added, file))


def is_record(text: str, game: Game) -> bool:
    """Whether a text begins as the records of this game do."""
    return text.lstrip().partition("\n")[0].rstrip() == title(game)


def parse(text: str, game: Game, source: str = "the text") -> list[Record]:
    """The games that a text holds; `source` is what errors call it."""
    paragraphs: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            paragraphs[-1].append((number, line.strip()))
        elif paragraphs[-1]:
            paragraphs.append([])
    return [_Reader(game, source).read(paragraph) for paragraph in paragraphs if paragraph]


class _Reader:
    """Reads one paragraph, line by line."""

    def __init__(self, game: Game, source: str) -> None:
        self.game, self.source = game, source
        self.number = 0
        self.notes: list[Note] = []
        self.told: dict[str, str] = {}
        self.ending: Ending | None = None
        self.position: Position | None = None  # none before where play begins is settled

    def read(self, paragraph: list[tuple[int, str]]) -> Record:
        (self.number, head), *rest = paragraph
        if head != title(self.game):
            where = "its first line" if self.number == 1 else f"line {self.number}, where one should begin,"
            raise Unsuitable(f"{self.source} holds no game of {title(self.game)}: {where} is {head[:MOST_SHOWN]!r}")
        for self.number, line in rest:
            try:
                self._line(line)
            except ZermeloError as wrong:
                raise Unsuitable(f"{self.source}, line {self.number}: {str(wrong)[:MOST_SHOWN]}") from None
        position = self._settled()
        if self.ending is None and position.result is not None:
            self.ending = Ending.of(position, Why.RULES)
        described = position.line()[0].state is not self.game.start
        return Record(
            position, tuple(self.notes), (self.told.get("first", ""), self.told.get("second", "")),
            Clock.read(self.told.get("clock", "none")), read_value("seed", self.told.get("seed"), int | None),
            self.told["position"] if described else "", self.ending, self.told.get("event", ""),
        )  # fmt: skip

    def _line(self, line: str) -> None:
        if self.ending is not None:
            raise Unsuitable(f"nothing can follow the result but an empty line, not {line!r}")
        header = _HEADER.fullmatch(line)
        if header is None:
            self._moves(line)
        elif header[1] == "result":
            self.ending = Ending.read(header[2], self._settled())
        else:
            self._header(header[1], header[2])

    def _header(self, name: str, value: str) -> None:
        if name in self.told or self.position is not None:
            raise Unsuitable(f"{name} is told twice or after the moves; it stands once, before them")
        if name == "clock":
            Clock.read(value)
        elif name == "seed":
            read_value("seed", value, int)
        elif name == "position":
            self.game.position(value)
        self.told[name] = value

    def _settled(self) -> Position:
        if self.position is None:
            self.position = self.game.position(self.told.get("position", ""))
            self.notes += [Note()] * len(self.position.history())
        return self.position

    def _moves(self, line: str) -> None:
        position = self._settled()
        alone = _alone(line, position)
        for move, note in [alone] if alone is not None else _items(line):
            if move is None:
                self.notes[-1:] = [note] if self.notes else []
                continue
            try:
                if position.result is not None:
                    raise MoveError(f"{move!r} cannot be played: the game is over")
                position = position.play(move)
            except MoveError as illegal:
                raise MoveError(f"move {len(self.notes) + 1}: {illegal}") from None
            self.notes.append(note)
            self.position = position


def _alone(line: str, position: Position) -> tuple[str, Note] | None:
    """The one move that a line holds, blanks and all, if it is legal and not quoted."""
    found = _ALONE.fullmatch(line)
    assert found is not None  # it fits any text
    if line.startswith('"') or found["move"] not in position.moves():
        return None
    return found["move"], Note.read(found["comment"] or "")


def _items(line: str) -> Iterator[tuple[str | None, Note]]:
    """What stands on a line of several moves: moves, and comments, which are given without one."""
    at = 0
    while at < len(line):
        found = _ITEM.match(line, at)
        if found is None:
            raise Unsuitable(f"{line[at:].strip()!r} is neither a move nor a comment in braces")
        if found["comment"] is not None:
            yield None, Note.read(found["comment"])
        elif found["word"] is not None:
            yield found["word"], Note()
        else:
            yield _unquoted(found["quoted"]), Note()
        at = found.end()


def _quoted(text: str) -> str:
    """A move as it is written: as it is, if it can be told from everything else that may stand there."""
    plain = text.isprintable() and text == text.strip() and text[:1] not in ("", '"')
    return text if plain and not set("{}") & set(text) and not _HEADER.fullmatch(text) else json.dumps(text)


def _unquoted(text: str) -> str:
    try:
        return str(json.loads(text, strict=False))
    except json.JSONDecodeError:
        raise Unsuitable(f"{text} is no text in quotes as JSON writes them") from None
