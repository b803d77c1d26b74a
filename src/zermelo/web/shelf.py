"""What is known apart from any search: endgame tables and a book that a person named, and what they say of a position.

A game that rests on tables is searched with them, so its values come at once; here they are also looked at by
themselves, tier by tier and move by move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from zermelo.knowledge.book import Book
from zermelo.knowledge.resting import with_tables
from zermelo.knowledge.table import Table
from zermelo.rules import Game, Position
from zermelo.web.view import plain

TIER_FIELDS = ("name", "positions", "won", "drawn", "lost", "longest")


class Shelf:
    """The tables and the book of one game. `folders` and `book` come from the command line."""

    def __init__(self, game: Game, folders: Sequence[str], book: str) -> None:
        self.tables = {Path(folder).name: Table.open(folder, game) for folder in folders}
        self.game = with_tables(game, folders) if folders else game
        self.book_file, self._rules = book, game

    def close(self) -> None:
        for table in self.tables.values():
            table.close()
        if self.game.rests_on is not None:
            self.game.rests_on.close()

    def at(self, position: Position) -> dict[str, Any]:
        """What all of them say of a position and its moves."""
        tables = [self._table(name, table, position) for name, table in self.tables.items()]
        return plain({"tables": tables, "book": self._book(position) if self.book_file else None})  # type: ignore[no-any-return]

    def _table(self, name: str, table: Table, position: Position) -> dict[str, Any]:
        manifest = table.manifest
        told: dict[str, Any] = {"name": name, "values": manifest.values, "bytes": manifest.bytes}
        told["tiers"] = [{key: asdict(tier)[key] for key in TIER_FIELDS} for tier in manifest.tiers]
        holds = position.result is None and table.holds(position)
        told["holds"] = holds
        if holds:
            told |= table.probe(position)._asdict()
            told["moves"] = [{"move": move, **found._asdict()} for move, found in table.moves(position)]
        return told

    def _book(self, position: Position) -> dict[str, Any]:
        """Opened for each question, since a book belongs to the thread that opened it."""
        with Book(self.book_file, self._rules) as opened:
            page = opened.page(Position(self._rules, position.state)) if position.result is None else None
            name = Path(self.book_file).name
            told: dict[str, Any] = {"name": name, "positions": len(opened), "known": page is not None}
            if page is not None:
                entry = page.entry
                told |= {"value": entry.value, "status": opened.status(entry), "source": entry.source}
                told["bounds"] = [entry.low, entry.high]
                told["moves"] = [move.as_dict() for move in page.moves if move.known]
            return told
