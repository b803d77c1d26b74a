"""What the formats of shogi share: a board by squares, and a record that is read move by move.

Everything goes through the texts of the game, SFEN and USI, so shogi on any board will do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from zermelo.play.ending import Ending, Why
from zermelo.play.record import Note, Record
from zermelo.rules import Game, MoveError, Position, Unsuitable, ZermeloError

SHOGI_START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
_SFEN = re.compile(r"(\S+) ([bw]) (\S+) \d+")
Square = tuple[int, int]


@dataclass
class Diagram:
    """A position: `pieces` by file and rank, counted from 1 as players do, as SFEN writes them; `hands`: how many of
    each capital letter the first and the second player hold."""

    size: int
    pieces: dict[Square, str] = field(default_factory=dict)
    hands: tuple[dict[str, int], dict[str, int]] = field(default_factory=lambda: ({}, {}))
    turn: int = 0

    @classmethod
    def read(cls, sfen: str) -> Diagram:
        form = _SFEN.fullmatch(sfen)
        assert form is not None, sfen
        rows = form[1].split("/")
        diagram = cls(len(rows), turn="bw".index(form[2]))
        for rank, row in enumerate(rows, 1):
            spread = re.sub(r"\d+", lambda blanks: "." * int(blanks[0]), row)
            for place, mark in enumerate(re.findall(r"\+?.", spread)):
                if mark != ".":
                    diagram.pieces[diagram.size - place, rank] = mark
        for count, letter in re.findall(r"(\d*)([A-Za-z])", form[3]):
            diagram.hands[letter.islower()][letter.upper()] = int(count or 1)
        return diagram

    def sfen(self) -> str:
        rows = []
        for rank in range(1, self.size + 1):
            row = "".join(self.pieces.get((file, rank), "1") for file in range(self.size, 0, -1))
            rows.append(re.sub("1+", lambda blanks: str(len(blanks[0])), row))
        held = [
            f"{count if count > 1 else ''}{letter.lower() if side else letter}"
            for side in (0, 1)
            for letter, count in self.hands[side].items()
            if count
        ]
        return f"{'/'.join(rows)} {'bw'[self.turn]} {''.join(held) or '-'} 1"


def is_shogi(game: Game) -> bool:
    """Whether a game writes its positions and moves as these formats need them."""
    return game.position_text is not None and _SFEN.fullmatch(Position(game).text()) is not None


def square_text(square: Square) -> str:
    """A square as USI writes it."""
    return f"{square[0]}{chr(96 + square[1])}"


def square_of(text: str) -> Square:
    return int(text[0]), ord(text[1]) - 96


class Draft:
    """A record in the making. `number`: which one of its file it is."""

    def __init__(self, game: Game, number: int) -> None:
        if not is_shogi(game):
            raise Unsuitable(f"KIF and CSA hold games of shogi, not of {game.name}")
        self.game, self.number = game, number
        self.position = Position(game)
        self.began = ""
        self.notes: list[Note] = []
        self.players = ["", ""]
        self.event = ""
        self.ending: Ending | None = None
        self.broken: tuple[str, ZermeloError] | None = None  # a move that is not legal, and why

    def start(self, diagram: Diagram) -> None:
        """Play begins at this position."""
        try:
            position = self.game.position(diagram.sfen())
        except ZermeloError as wrong:
            raise Unsuitable(f"game {self.number}: {wrong}") from None
        if position.state != self.game.start:
            self.position, self.began = position, position.text()

    @property
    def ply(self) -> int:
        return len(self.notes)

    def diagram(self) -> Diagram:
        return Diagram.read(self.position.text())

    def play(self, usi: str, written: str) -> None:
        """Play a move. One that is not legal is kept for what follows it: records list the move that lost the game."""
        if self.broken is not None:
            self._refuse()
        try:
            self.position = self.position.play(usi)
        except MoveError as illegal:
            self.broken = (written, illegal)
            return
        self.notes.append(Note())

    def took(self, seconds: float) -> None:
        """The last move took so long."""
        if self.broken is None and self.notes:
            self.notes[-1] = Note(seconds)

    def end(self, why: Why, by: int | None = None, score: float | None = None) -> None:
        """The record says how the game ended. What the rules say goes before it."""
        if self.broken is not None and why is not Why.ILLEGAL:
            self._refuse()
        self.broken = None
        self.ending = None if self.position.result is not None else Ending.of(self.position, why, by, score=score)

    def record(self) -> Record:
        if self.broken is not None:
            self._refuse()
        ending = self.ending
        if self.position.result is not None:
            ending = Ending.of(self.position, Why.RULES)
        players = (self.players[0], self.players[1])
        return Record(self.position, tuple(self.notes), players, began=self.began, ending=ending, event=self.event)

    def _refuse(self) -> None:
        assert self.broken is not None
        written, why = self.broken
        raise Unsuitable(f"game {self.number}, move {self.ply + 1}, {written}: {why}")


def one_line(text: str) -> str:
    return " ".join(text.split())


def whole_seconds(notes: tuple[Note, ...]) -> list[int | None]:
    return [None if note.seconds is None else round(note.seconds) for note in notes]
