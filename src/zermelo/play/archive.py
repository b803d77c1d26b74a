"""The file of a match: its games as records, added one by one. It is all that a match needs to go on.

A game is written when it has ended, and on the disk before the next one counts. Whatever happens in between, a power
cut or a full disk, costs at most the game that was being written: half a record is recognised by the missing result,
and cut off when the file is opened again. Every record names its match and its number there. While a match is played
its file is locked against others that would play the same games; the lock ends with the process, however that ends.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from zermelo.play.formats import format_of
from zermelo.play.record import Record, parse, title
from zermelo.rules import Game, Unsuitable

_EVENT = re.compile(r"match (?P<name>[0-9a-f]+), game (?P<number>\d+)")


class Archive:
    """name: what tells the match from others. count: is given the number and the record of each game in the file.
    done: the numbers of the games that are there. word: what the person should know about the file, if anything."""

    def __init__(
        self, file: str | Path, game: Game, name: str, resume: bool, count: Callable[[int, Record], None]
    ) -> None:
        self.path, self.name, self.word = Path(file), name, ""
        self.done: set[int] = set()
        if format_of(file) is not None:
            raise Unsuitable(
                f"{file}: a match keeps its games as records, so that it can go on: name another file, such as "
                f"{self.path.stem}.txt, and make {self.path.suffix} of it with zermelo convert"
            )
        if not self.path.parent.is_dir():
            raise Unsuitable(f"{file} cannot be written: there is no folder {self.path.parent}")
        device = self.path.exists() and not self.path.is_file()
        how = (os.O_WRONLY if device else os.O_RDWR) | os.O_APPEND | os.O_CREAT
        try:
            self._handle = os.open(self.path, how, 0o666)
        except OSError as refused:
            raise Unsuitable(f"{file} cannot be written: {refused.strerror}") from None
        if device:  # from which nothing is read
            return
        try:
            self._lock()
            self._read(game, resume, count)
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        """One process at a time. The lock would end if this process closed another handle of the same file, so that
        everything is read and written through this one; those who are forked do not have it."""
        try:
            import fcntl  # which only systems have where matches can be played

            fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Unsuitable(
                f"{self.path} is being written by another match: wait until it ends, or name another file"
            ) from None
        except OSError:
            pass  # a file system without locks

    def _read(self, game: Game, resume: bool, count: Callable[[int, Record], None]) -> None:
        data = os.pread(self._handle, os.fstat(self._handle).st_size, 0)
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
            os.ftruncate(self._handle, whole)
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
            self._append(record.text().encode())
        except OSError as refused:
            raise Unsuitable(
                f"{self.path} cannot be written: {refused.strerror}; the games before are kept, and --resume goes on"
            ) from None
        self.done.add(number)

    def _append(self, data: bytes) -> None:
        """Write a paragraph behind what the file holds. If there is no room for all of it, none of it stays."""
        size = os.fstat(self._handle).st_size
        data = b"\n" + data if size else data
        try:
            while data:
                data = data[os.write(self._handle, data) :]
            if self.path.is_file():  # a device has nothing to keep
                os.fsync(self._handle)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, size)
            raise

    def close(self) -> None:
        os.close(self._handle)
