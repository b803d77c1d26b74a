"""The store of solved openings: one SQLite file that any number of runs may share, at a time or one after another.

It is about one game with its rules. Every job that is done is one row: which position, what was asked, what is certain
of its value, what it took. A row is written when its job is done, in a transaction of its own, so that nothing of it
is lost when everything is killed, and carries a checksum, so that a value that has changed is noticed. Runs also note
which positions they are at, which is a hint to others to begin elsewhere and no more: whose run was killed stands in
nobody's way.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.certificates.certificate import Damaged
from zermelo.core.answer import BOUND, HEURISTIC, PROVEN, UNKNOWN
from zermelo.knowledge.jobs import rules_of
from zermelo.rules import Game, Unsuitable

APPLICATION, VERSION = 0x5A4F5053, 1
PATIENCE = 60.0
"""How many seconds to wait while another run writes."""


class Row(NamedTuple):
    """A job that is done. place: what tells the position apart; asked: the question, with its method and limits; moves:
    how the position was reached, for people; low and high: certain bounds of the first player's value."""

    place: str
    asked: str
    moves: str
    status: str
    low: float
    high: float
    nodes: int
    leaves: int
    seconds: float
    method: str
    stopped: str | None


_SCHEMA = (
    "CREATE TABLE about (game, parameters, rules, seal)",
    f"CREATE TABLE solved ({', '.join(Row._fields)}, seal, PRIMARY KEY (place, asked))",
    "CREATE TABLE at_work (place PRIMARY KEY, run)",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)
"""No types are declared, so that a number comes back as it was written: whole, or not."""


def seal(row: Iterable[Any]) -> str:
    """The checksum of a row."""
    return hashlib.blake2b(repr(tuple(row)).encode(), digest_size=8).hexdigest()


class OpeningStore:
    """An open store. file: None for one that is forgotten when it is closed."""

    def __init__(self, file: str | Path | None, game: Game) -> None:
        self.file, self.game = file, game
        self.run = secrets.token_hex(8)
        self._read = 0
        try:
            self._link = sqlite3.connect(":memory:" if file is None else file, timeout=PATIENCE, isolation_level=None)
        except (sqlite3.Error, ValueError) as refused:
            raise Unsuitable(f"{file} cannot be opened as a store: {refused}") from None
        try:
            self._prepare()
        except BaseException:
            self._link.close()
            raise

    def _prepare(self) -> None:
        """Begin a new store, or see whether an old one is ours and whole."""
        if not self._query("PRAGMA schema_version")[0][0]:
            self._query("PRAGMA journal_mode = WAL")
        self._query("BEGIN IMMEDIATE")
        about = (self.game.name, json.dumps(self.game.parameters, default=str), rules_of(self.game))
        if not self._query("PRAGMA schema_version")[0][0]:
            for statement in _SCHEMA:
                self._query(statement)
            self._query("INSERT INTO about VALUES (?, ?, ?, ?)", *about, seal(about))
        self._check(about)
        self._query("COMMIT")

    def _check(self, about: tuple[str, str, str]) -> None:
        kind, version = self._query("PRAGMA application_id")[0][0], self._query("PRAGMA user_version")[0][0]
        if kind != APPLICATION:
            raise Unsuitable(f"{self.file} is a database, but no store of openings: name another file")
        if version != VERSION:
            raise Unsuitable(
                f"{self.file} is a store of version {version}, and this program writes {VERSION}: name another file"
            )
        if self._query("PRAGMA quick_check") != [("ok",)]:
            raise self._damaged("the database does not hold together")
        told = self._query("SELECT game, parameters, rules, seal FROM about")
        if len(told) != 1 or seal(told[0][:3]) != told[0][3]:
            raise self._damaged("what it says of its game has changed")
        name, parameters, rules, _ = told[0]
        if rules != about[2]:
            settings = ", ".join(f"{key}={value}" for key, value in json.loads(parameters).items())
            whole = f"{name}({settings})" if settings else name
            other = " with other rules" if whole == self.game.summary else ""
            raise Unsuitable(f"{self.file} is a store of {whole}{other}, not of {self.game.summary}: name another file")

    def news(self) -> list[Row]:
        """The rows that were written since this was asked last, by whomever."""
        found = self._query(f"SELECT rowid, {', '.join(Row._fields)}, seal FROM solved WHERE rowid > ?", self._read)
        rows = []
        for number, *fields, sealed in found:
            self._read = max(self._read, number)
            if seal(fields) != sealed:
                raise self._damaged(f"the checksum of the position after {str(fields[2])[:100] or 'no move'} is wrong")
            row = Row(*fields)
            if row.status not in (PROVEN, BOUND, HEURISTIC, UNKNOWN) or not row.low <= row.high:
                raise self._damaged("it holds what no search says")
            rows.append(row)
        return rows

    def elsewhere(self) -> set[str]:
        """The places that other runs are at, or were when they were killed."""
        return {place for (place,) in self._query("SELECT place FROM at_work WHERE run != ?", self.run)}

    def begin(self, place: str) -> None:
        """A job about a place is given out."""
        self._query("INSERT OR REPLACE INTO at_work VALUES (?, ?)", place, self.run)

    def add(self, row: Row) -> None:
        """A job is done."""
        self._query("BEGIN IMMEDIATE")
        self._query(f"INSERT OR REPLACE INTO solved VALUES ({', '.join('?' * len(row))}, ?)", *row, seal(row))
        self._query("DELETE FROM at_work WHERE place = ?", row.place)
        self._query("COMMIT")

    def close(self) -> None:
        """Leave nothing at work."""
        try:
            if self._link.in_transaction:  # something failed in the middle of it
                self._link.execute("ROLLBACK")
            self._query("DELETE FROM at_work WHERE run = ?", self.run)
        finally:
            self._link.close()

    def __enter__(self) -> OpeningStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            return self._link.execute(statement, values).fetchall()
        except sqlite3.OperationalError as refused:
            raise Unsuitable(f"{self.file} cannot be used as a store: {refused}") from None
        except (sqlite3.DatabaseError, UnicodeDecodeError) as broken:
            raise self._damaged(str(broken)) from None

    def _damaged(self, how: str) -> Damaged:
        return Damaged(f"{self.file} is no store of openings, or it has changed: {how}")
