"""The file of a book: positions with what is known of them, in one SQLite database.

    with BookFile("c4.book", game) as book:
        entry = book.entry(position)

The table `about` says which game and which rules the book is of, `positions` holds an entry a position, `learned` which
games were counted. SQLite keeps what was committed through kills and power cuts, but does not notice a bit that turns
over on the disk: every row carries a checksum of its own. Nothing that the file holds is ever executed, and no state in
it is ever played on.

One command at a time writes to a book, and commits about once a second: no kill costs more. Any number may read it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from zermelo.certificates.certificate import Damaged
from zermelo.certificates.rulebook import fingerprint
from zermelo.knowledge.book_keys import Family, Keys, Step
from zermelo.rules import Game, Position, UnknownName, Unsuitable, ZermeloError, nearest

APPLICATION, VERSION = 0x5A424F4B, 1
"""What the database says of itself: that it is a book of ours, and in which format."""
MARGIN = 0.05
"""A move that gives up more than this share of the range of scores is a blunder."""
COMMIT_EVERY, PATIENCE = 1.0, 2.0
"""The seconds between two commits, and how long a lock is waited for."""
LOOKED_UP = 500
"""So many words are looked up at once; SQLite allows a thousand."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a book knows of a position. All values are the first player's score.

    word, state, turn, family: which position it is. games: how many went through it; first, drawn, second: how many
    of them the players won or drew; total: the sum of their scores. low and high: what is proven. searched: what a
    search of this position alone said, None if there was none; best: the word of the position after its best move;
    nodes: what it took; tried: the nodes spent on proofs that were not found. source: who said it. value: what all of
    that and the book's positions beyond this one come to, None if nothing is known; grounded: whether there is more
    behind it than results of games.
    """

    word: int
    state: bytes
    turn: int
    family: bytes
    low: float
    high: float
    games: int = 0
    first: int = 0
    drawn: int = 0
    second: int = 0
    total: float = 0.0
    searched: float | None = None
    best: int | None = None
    nodes: int = 0
    tried: int = 0
    source: str = ""
    value: float | None = None
    grounded: int = 0

    @property
    def proven(self) -> bool:
        return self.low == self.high

    @property
    def status(self) -> str:
        """How sure the value is: proven, heuristic (searched), results (of games), or unknown."""
        if self.proven:
            return "proven"
        return "unknown" if self.value is None else "heuristic" if self.grounded else "results"


_COLUMNS = [field.name for field in fields(Entry)]
_KINDS = {"state": "BLOB", "family": "BLOB", "source": "TEXT"} | dict.fromkeys(
    ("low", "high", "total", "searched", "value"), "REAL"
)
_SCHEMA = f"""
CREATE TABLE about (name TEXT PRIMARY KEY, text TEXT NOT NULL, seal BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE learned (game BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE positions ({", ".join(f"{name} {_KINDS.get(name, 'INTEGER')}" for name in _COLUMNS)}, seal BLOB NOT NULL,
    PRIMARY KEY (word, state)) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""
_ALL = f"SELECT {', '.join(_COLUMNS)}, seal FROM positions"
_PUT = f"INSERT OR REPLACE INTO positions VALUES ({', '.join('?' * (len(_COLUMNS) + 1))})"

_inherited: list[sqlite3.Connection] = []
"""Connections that a forked process found open: they are neither used nor closed there."""


def seal(row: Iterable[Any]) -> bytes:
    """The checksum of a row."""
    return hashlib.blake2b(repr(tuple(row)).encode(), digest_size=8).digest()


class BookFile:
    """The file of a book of one game. write: whether it will be changed, which only one process at a time may do."""

    def __init__(self, file: str | Path, game: Game, *, write: bool = False) -> None:
        self.path, self.game = Path(file), game
        self.keys = Keys(game)
        self._link: tuple[int, sqlite3.Connection] | None = None
        self._changed, self._committed = False, time.monotonic()
        try:
            self.about = self._about()
            self.check(game)
            if write:
                ((sound,), *_) = self._run("PRAGMA quick_check")
                if sound != "ok":
                    raise self._damaged("the database does not hold together")
                self._run("BEGIN IMMEDIATE")
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(cls, file: str | Path, game: Game, *, margin: float = MARGIN) -> Self:
        """A new book without positions, open for writing. It takes its name when it is whole."""
        check_share("margin", margin)
        path = Path(file)
        Keys(game)
        _check_place(path)
        if path.exists():
            raise Unsuitable(f"{file} is there already: add games to it by zermelo book learn, or name another file")
        about = {
            "game": game.name,
            "summary": game.summary,
            "rules": _rules(game),
            "margin": repr(float(margin)),
            "edition": secrets.token_hex(8),
        }
        part = path.with_name(f".{path.name}-{secrets.token_hex(4)}.part")
        try:
            part.touch()  # the system says why it cannot be, the database does not
            with _in_words(path), contextlib.closing(sqlite3.connect(part, isolation_level=None)) as link:
                link.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
                link.executemany("INSERT INTO about VALUES (?, ?, ?)", _sealed(about))
            os.rename(part, path)
        except OSError as refused:
            raise Unsuitable(f"{file} cannot be written: {refused.strerror}") from None
        finally:
            with contextlib.suppress(OSError):
                part.unlink()
        return cls(path, game, write=True)

    # what it is about

    def _about(self) -> dict[str, str]:
        """What the file says of itself, if it is a whole book."""
        _check_place(self.path, "there is no such book")
        if not self.path.is_file():
            alike = [other.name for other in self.path.parent.glob(f"*{self.path.suffix}") if other.is_file()]
            hint = f": {nearest(self.path.name, alike)}" if alike and self.path.suffix else ""
            raise UnknownName(f"there is no file {self.path}{hint}")
        ((application,),) = self._run("PRAGMA application_id")
        if application != APPLICATION:
            raise Damaged(f"{self.path} is no book of Zermelo")
        ((version,),) = self._run("PRAGMA user_version")
        if version != VERSION:
            raise Damaged(f"{self.path} has format {version}, this Zermelo reads format {VERSION}")
        ((size,),), ((pages,),) = self._run("PRAGMA page_size"), self._run("PRAGMA page_count")
        if self.path.stat().st_size < size * pages:
            raise self._damaged("it is cut off")
        about = {}
        for name, text, check in self._run("SELECT name, text, seal FROM about"):
            if seal((name, text)) != check:
                raise self._damaged(f"what it says of its {name} was changed")
            about[name] = text
        if not {"game", "summary", "rules", "margin", "edition"} <= about.keys():
            raise self._damaged("it does not say which game it is of")
        return about

    def check(self, game: Game) -> None:
        """Refuse a game that is not the one that the book is of."""
        if self.about["rules"] == _rules(game):
            return
        if self.about["summary"] != game.summary:
            raise Unsuitable(f"{self.path} is a book of {self.about['summary']}, not of {game.summary}")
        raise Unsuitable(
            f"{self.path} was made with other rules of {game.summary}, or with another key or symmetry: its positions "
            "are not those of today; build it anew"
        )

    def _damaged(self, how: str) -> Damaged:
        return Damaged(f"{self.path} is damaged: {how}; take a copy, or build it anew")

    @property
    def margin(self) -> float:
        """What a move may give up before it is a blunder, as a share of the range of scores."""
        return float(self.about["margin"])

    @property
    def edition(self) -> str:
        """What tells this content of the book from any other."""
        ((text,),) = self._run("SELECT text FROM about WHERE name = 'edition'")
        return str(text)

    @cached_property
    def range(self) -> float:
        """From the lowest score of the game to the highest."""
        low, high = self.game.values
        return high - low

    def bounded(self, entry: Entry) -> bool:
        """Whether more is proven of a position than that scores lie within those of the game."""
        low, high = self.game.values
        return entry.low > low or entry.high < high

    def status(self, entry: Entry) -> str:
        """How sure the value of a position is; `bound` where none is known but bounds are proven."""
        return "bound" if entry.status == "unknown" and self.bounded(entry) else entry.status

    def __str__(self) -> str:
        return self.path.name

    def __len__(self) -> int:
        ((count,),) = self._run("SELECT count(*) FROM positions")
        return int(count)

    # reading

    def entries(self) -> Iterator[Entry]:
        """All of them."""
        yield from map(self._read, self._run(_ALL))

    def entry(self, position: Position) -> Entry | None:
        """What is known of a position."""
        return self.matching(position.state, self.look_up([self.keys.word(position.state)]))

    def look_up(self, words: Iterable[int]) -> list[Entry]:
        """The entries with these words: each of them may still be of another position."""
        wanted = sorted(set(words))
        found: list[Entry] = []
        for begin in range(0, len(wanted), LOOKED_UP):
            some = wanted[begin : begin + LOOKED_UP]
            found += map(self._read, self._run(f"{_ALL} WHERE word IN ({', '.join('?' * len(some))})", some))
        return found

    def matching(self, state: Any, found: Iterable[Entry], steps: list[Step] | None = None) -> Entry | None:
        """The entry of a position among some that have its word. steps: what can follow, if that is known."""
        found = list(found)
        told = self.keys.state(state) if found else b""
        for entry in found:
            if entry.state == told:
                return entry
        if not found:
            return None
        family = Family.of(self.keys.steps(state) if steps is None else steps).pack()
        return next((entry for entry in found if entry.family == family), None)

    def _read(self, row: tuple[Any, ...]) -> Entry:
        *told, check = row
        if seal(told) != check:
            raise self._damaged("a position in it was changed, its checksum does not fit")
        return Entry(*told)

    # writing

    def new_entry(self, state: Any, steps: list[Step] | None = None) -> Entry:
        """An entry of which nothing is known but what the rules say."""
        keys, game = self.keys, self.game
        assert game.turn is not None
        low, high = map(float, game.values)
        family = Family.of(keys.steps(state) if steps is None else steps).pack()
        return Entry(keys.word(state), keys.state(state), int(game.turn(state)), family, low, high)

    def put(self, *entries: Entry) -> None:
        """Write entries, each instead of what was known of its position."""
        rows = map(_as_row, entries)
        self._change(_PUT, [(*row, seal(row)) for row in rows])

    def learned(self, digest: bytes) -> bool:
        """Whether a game was counted before."""
        return bool(list(self._run("SELECT 1 FROM learned WHERE game = ?", (digest,))))

    def note_learned(self, digests: Iterable[bytes]) -> None:
        """Remember that these games are counted."""
        self._change("INSERT OR IGNORE INTO learned VALUES (?)", [(digest,) for digest in digests])

    def games_learned(self) -> set[bytes]:
        return {digest for (digest,) in self._run("SELECT game FROM learned")}

    def _change(self, command: str, rows: list[tuple[Any, ...]]) -> None:
        if not rows:
            return
        with self._or_undone():
            self._database.executemany(command, rows)
        self._changed = True

    def rest(self) -> None:
        """Commit if it is time: what was written so far belongs together."""
        if time.monotonic() - self._committed >= COMMIT_EVERY:
            self.commit()

    def commit(self) -> None:
        """Have the disk keep what was written, and go on writing."""
        if not self._changed:
            return
        edition = ("edition", secrets.token_hex(8))
        self._run("UPDATE about SET text = ?, seal = ? WHERE name = 'edition'", (edition[1], seal(edition)))
        self._run("COMMIT")
        self._changed, self._committed = False, time.monotonic()
        self._run("BEGIN IMMEDIATE")

    def close(self) -> None:
        """Keep what was written, and let go of the file. Closing twice does no harm."""
        if self._link is None or self._link[0] != os.getpid():
            return
        try:
            if self._changed:
                self.commit()
        finally:
            self._link[1].close()
            self._link = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # the database

    @property
    def _database(self) -> sqlite3.Connection:
        """The connection of this process, for none may cross a fork."""
        if self._link is not None and self._link[0] == os.getpid():
            return self._link[1]
        if self._link is not None:
            _inherited.append(self._link[1])
        address = f"file:{quote(str(self.path.absolute()))}?mode=rw"  # also to read: a kill may have left work to undo
        link = sqlite3.connect(address, uri=True, isolation_level=None, timeout=PATIENCE, check_same_thread=False)
        self._link = (os.getpid(), link)
        return link

    def _run(self, command: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        with self._or_undone():
            return self._database.execute(command, tuple(values)).fetchall()

    @contextlib.contextmanager
    def _or_undone(self) -> Iterator[None]:
        """What the database refuses is said in words, and what was not committed is given up: half of it is no use."""
        try:
            with _in_words(self.path):
                yield
        except ZermeloError:
            if self._changed:
                self._changed = False
                with contextlib.suppress(sqlite3.Error):
                    if self._database.in_transaction:  # a disk that is full may have ended it
                        self._database.execute("ROLLBACK")
                    self._database.execute("BEGIN IMMEDIATE")
            raise


def _as_row(entry: Entry) -> list[Any]:
    """What the database is given, as it will be read back."""
    return [
        float(value) if _KINDS.get(name) == "REAL" and value is not None else value
        for name, value in zip(_COLUMNS, astuple(entry), strict=True)
    ]


def check_share(name: str, value: float, whole: str = "the range of scores") -> None:
    """Refuse what is no share of a whole."""
    if not 0 <= value <= 1:
        raise Unsuitable(f"{name} is a share of {whole}, from 0 to 1, not {value:g}")


def _check_place(path: Path, advice: str = "make it, or name another file") -> None:
    """Refuse a path at which no file can be."""
    if path.is_dir():
        raise Unsuitable(f"{path} is a folder, and a book is a file; an endgame table goes with --table")
    if not path.parent.is_dir():
        raise Unsuitable(f"there is no folder {path.parent} for {path.name}: {advice}")


def _rules(game: Game) -> str:
    """The hash of all on which the entries of a book depend."""
    return fingerprint(game, ("weight", "key", "symmetry"))


def _sealed(about: dict[str, str]) -> list[tuple[str, str, bytes]]:
    return [(name, text, seal((name, text))) for name, text in about.items()]


@contextlib.contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """What the database refuses, as a sentence."""
    try:
        yield
    except sqlite3.OperationalError as refused:
        said = str(refused)
        if "locked" in said:
            raise Unsuitable(f"{path} is being written by another command: wait until it ends") from None
        if "malformed" in said or "no such" in said or "decode" in said:
            raise Damaged(f"{path} is damaged: {said}; take a copy, or build it anew") from None
        kept = "; what was committed before is kept" if path.exists() else ""
        if "disk is full" in said:
            raise Unsuitable(f"{path} cannot be written: the disk is full{kept}") from None
        if "readonly" in said:
            raise Unsuitable(f"{path} cannot be written: the file or the disk that it is on is read-only") from None
        raise Unsuitable(f"{path} cannot be used: {said}{kept}") from None
    except (sqlite3.DatabaseError, UnicodeDecodeError) as broken:
        if "not a database" in str(broken):
            raise Damaged(f"{path} is no book of Zermelo") from None
        raise Damaged(f"{path} is damaged: {broken}; take a copy, or build it anew") from None
