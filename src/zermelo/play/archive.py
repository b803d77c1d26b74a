"""The file of a match: its games as records, added one by one. It is all that a match needs to go on.

A game is written when it has ended, and on the disk before the next one counts. Whatever happens in between, a power
cut or a full disk, costs at most the game that was being written: half a record is recognised by the missing result,
and cut off when the file is opened again. Every record names its match and its number there.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from zermelo.play.record import Record, parse, title
from zermelo.rules import Game, Unsuitable
from zermelo.rules.files import read_bytes

_EVENT = re.compile(r"match (?P<name>[0-9a-f]+), game (?P<number>\d+)")


class Archive:
    """name: what tells the match from others. count: is given the number and the record of each game in the file.
    done: the numbers of the games that are there. word: what the person should know about the file, if anything."""

    def __init__(
        self, file: str | Path, game: Game, name: str, resume: bool, count: Callable[[int, Record], None]
    ) -> None:
        self.path, self.name, self.word = Path(file), name, ""
        self.done: set[int] = set()
        if not self.path.parent.is_dir():
            raise Unsuitable(f"{file} cannot be written: there is no folder {self.path.parent}")
        if self.path.is_file():  # nothing is read from a device
            self._read(game, resume, count)
        try:
            self.path.open("ab").close()
        except OSError as refused:
            raise Unsuitable(f"{file} cannot be written: {refused.strerror}") from None

    def _read(self, game: Game, resume: bool, count: Callable[[int, Record], None]) -> None:
        data = read_bytes(self.path)
        if data.strip() and not resume:
            raise Unsuitable(f"{self.path} holds games already: go on with them by --resume, or name another file")
        whole = self._whole(data, game)
        try:
            text = data[:whole].decode().replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise Unsuitable(f"{self.path} cannot be read: it is not UTF-8 text") from None
        for record in parse(text, game, str(self.path)):
            count(self._number(record), record)
        if whole < len(data):
            os.truncate(self.path, whole)
            self.word = f"the last game in {self.path} was only half written: it is played again"

    def _whole(self, data: bytes, game: Game) -> int:
        """How much of the file is whole records. The last one is, if its result, which is told last, has its end of
        line. What is cut off must be the beginning of a record of this match, and of nothing else."""
        end = data.rstrip()
        last = end[end.rfind(b"\n") + 1 :]
        if not end or (data.endswith(b"\n") and last.startswith(b"result: ")):
            return len(data)
        start = data.rfind(b"\n\n", 0, len(end)) + 2 if b"\n\n" in end else 0
        half, begins = data[start:], f"{title(game)}\nevent: match {self.name}, game ".encode()
        if not (half.startswith(begins) or begins.startswith(half)):
            raise self._another("its last lines are no result, nor the beginning of a game of it")
        return start

    def _another(self, what: str) -> Unsuitable:
        advice = "name another file, or the same engines, budgets, openings and seed as before"
        return Unsuitable(f"{self.path} holds something else than this match, {what}: {advice}")

    def _number(self, record: Record) -> int:
        """Which game of the match this is; refused if it is none, or one that was there before."""
        found = _EVENT.fullmatch(record.event)
        if found is None or found["name"] != self.name:
            one, other = (player or "somebody" for player in record.players)
            kind = "a game" if found is None else "another match"
            raise self._another(f"{kind} of {one} against {other}")
        number = int(found["number"]) - 1
        if number in self.done:
            raise Unsuitable(f"{self.path} holds game {number + 1} twice")
        self.done.add(number)
        return number

    def add(self, number: int, record: Record) -> None:
        """Write a game behind the others; if that fails, the file is as it was."""
        record = replace(record, event=f"match {self.name}, game {number + 1}")
        try:
            _append(self.path, record.text().encode())
        except OSError as refused:
            raise Unsuitable(
                f"{self.path} cannot be written: {refused.strerror}; the games before are kept, and --resume goes on"
            ) from None
        self.done.add(number)


def _append(path: Path, data: bytes) -> None:
    """Write a paragraph behind what a file holds. If there is no room for all of it, none of it stays."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
    try:
        size = os.fstat(handle).st_size
        data = b"\n" + data if size else data
        try:
            while data:
                data = data[os.write(handle, data) :]
            if path.is_file():  # a device has nothing to keep
                os.fsync(handle)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(handle, size)
            raise
    finally:
        os.close(handle)
