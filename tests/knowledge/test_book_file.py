"""The file of a book: what is written is read back, and what is no book of this game is refused in one sentence."""

from __future__ import annotations

import errno
import os
import sqlite3
import struct
import subprocess
import sys
from dataclasses import replace

import pytest

from books import put, random_games, written
from tiny import tiny
from zermelo import games
from zermelo.certificates.certificate import Damaged
from zermelo.knowledge.book import Book
from zermelo.knowledge.book_file import APPLICATION
from zermelo.knowledge.book_graph import Graph
from zermelo.rules import UnknownName, Unsuitable, from_object, u64

BOARD = games.tic_tac_toe()
KNOWN = {"": {"searched": 0.25, "best": 7, "nodes": 12, "source": "a search"}, "b2": {"searched": 0.5, "games": 3}}


def test_what_is_written_is_read_back(tmp_path):
    with written(tmp_path / "it.book", BOARD, KNOWN) as book:
        entry = book.entry(BOARD.position())
        assert (entry.searched, entry.best, entry.nodes, entry.source) == (0.25, 7, 12, "a search")
        assert (entry.low, entry.high, entry.turn) == (-1, 1, 0)
        assert book.entry(BOARD.position("b2")).games == 3
        assert book.entry(BOARD.position("a1")) is None
        assert len(book) == len(list(book.entries())) == 2
        assert book.margin == 0.05


def test_mirror_images_and_transpositions_are_one_position(tmp_path):
    with written(tmp_path / "it.book", BOARD, {"a1": {"games": 1}, "a1 b2 c3": {"games": 2}}) as book:
        for corner in ("a1", "a3", "c1", "c3"):
            assert book.entry(BOARD.position(corner)).games == 1
        for text in ("c3 b2 a1", "c1 b2 a3", "a3 b2 c1"):
            assert book.entry(BOARD.position(text)).games == 2
        assert book.entry(BOARD.position("b1")) is None


def test_positions_that_share_a_word_are_told_apart(tmp_path):
    """A key that cannot tell two positions from each other."""
    heap = tiny(left=9)
    plain = heap.key
    blind = replace(heap, exact_key=False, key=lambda s: u64(999) if s.left in (7, 5) else plain(s))
    with Book.create(tmp_path / "it.book", blind) as book:
        seven, five = blind.position("2"), blind.position("2 2")
        put(book, seven, searched=0.5)
        assert book.entry(five) is None
        put(book, five, searched=-0.5)
        assert book.entry(seven).searched == 0.5
        assert book.entry(five).searched == -0.5
        Graph(book).back_up()
        assert len(book) == 2


class Heap:
    """A game of plain objects: who takes the last of some stones wins."""

    def __init__(self, left, player=0, named=True):
        self.left, self.player, self.named = left, player, named

    def turn(self):
        return self.player

    def moves(self):
        return [number for number in (1, 2) if number <= self.left]

    def play(self, move):
        return Heap(self.left - move, 1 - self.player, self.named)

    def result(self):
        return None if self.left else 1 - 2 * (1 - self.player)

    def key(self):
        return (self.left, self.player) if self.named else frozenset((self.left, -1 - self.player))


def test_games_of_plain_objects(tmp_path):
    game = from_object(Heap(7), name="heap")
    with written(tmp_path / "it.book", game, {"1 2": {"games": 1}, "2": {"games": 2}}) as book:
        assert book.entry(game.position("2")).games == 2
        assert book.entry(game.position("2 1")).games == 1
        assert book.entry(game.position("1 1 1")) is None  # as many stones, but the other player is to move
    with pytest.raises(Unsuitable, match="a method key\\(\\) that returns numbers and texts"):
        Book.create(tmp_path / "other.book", from_object(Heap(7, named=False), name="heap"))


def test_the_edition_changes_with_the_content(tmp_path):
    with Book.create(tmp_path / "it.book", BOARD) as book:
        before = book.edition
        book.commit()
        assert book.edition == before
        put(book, BOARD.position(), games=1)
        book.commit()
        assert book.edition != before


def test_one_command_at_a_time_writes_and_others_read(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.knowledge.book_file.PATIENCE", 0.05)
    file = tmp_path / "it.book"
    with Book.create(file, BOARD) as book:
        put(book, BOARD.position(), games=1)
        book.commit()
        put(book, BOARD.position(), games=2)
        with Book(file, BOARD) as reader:
            assert reader.entry(BOARD.position()).games == 1
        with pytest.raises(Unsuitable, match="is being written by another command: wait until it ends"):
            Book(file, BOARD, write=True)
    with Book(file, BOARD, write=True) as again:
        assert again.entry(BOARD.position()).games == 2


def test_a_forked_process_has_a_connection_of_its_own(tmp_path):
    with written(tmp_path / "it.book", BOARD, KNOWN) as book:
        assert len(book) == 2
        child = os.fork()
        if child == 0:
            os._exit(len(book))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
        assert len(book) == 2


# what is refused


def test_there_is_no_such_file(tmp_path):
    written(tmp_path / "openings.book", BOARD, KNOWN).close()
    with pytest.raises(UnknownName, match=r"there is no file .*opening.book: did you mean openings.book\?"):
        Book(tmp_path / "opening.book", BOARD)


@pytest.mark.parametrize("content", [b"", b"hello, world\n" * 100, b"SQLite format 3\0" + b"x" * 5000])
def test_no_book(tmp_path, content):
    (tmp_path / "it.book").write_bytes(content)
    with pytest.raises(Damaged, match=r"it\.book is no book of Zermelo$"):
        Book(tmp_path / "it.book", BOARD)


def test_a_database_of_somebody_else(tmp_path):
    link = sqlite3.connect(tmp_path / "it.book")
    link.executescript("CREATE TABLE positions (a); INSERT INTO positions VALUES (1);")
    link.close()
    with pytest.raises(Damaged, match="is no book of Zermelo"):
        Book(tmp_path / "it.book", BOARD)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (games.tic_tac_toe(rows=4, cols=3), r"is a book of tic-tac-toe\(rows=3.*, not of tic-tac-toe\(rows=4"),
        (games.connect_four(width=4, height=4), r"is a book of tic-tac-toe\(.*, not of connect-four\("),
        (replace(BOARD, values=(-2, 2)), r"was made with other rules of tic-tac-toe\(.*build it anew"),
        (replace(BOARD, symmetry=BOARD.key), r"or with another key or symmetry"),
    ],
)
def test_a_book_of_something_else(tmp_path, other, words):
    written(tmp_path / "it.book", BOARD, KNOWN).close()
    with pytest.raises(Unsuitable, match=words):
        Book(tmp_path / "it.book", other)


def test_another_version(tmp_path):
    file = tmp_path / "it.book"
    written(file, BOARD, KNOWN).close()
    link = sqlite3.connect(file)
    link.execute("PRAGMA user_version = 9")
    link.close()
    with pytest.raises(Damaged, match="has format 9, this Zermelo reads format 1"):
        Book(file, BOARD)


def test_a_file_that_is_cut_off(tmp_path):
    file = tmp_path / "it.book"
    written(file, BOARD, KNOWN).close()
    data = file.read_bytes()
    for length in (50, 1000, len(data) // 2, len(data) - 1):
        file.write_bytes(data[:length])
        with pytest.raises(Damaged, match="is damaged|is no book"):
            Book(file, BOARD).entry(BOARD.position())


def test_a_turned_bit_is_noticed(tmp_path):
    """Every bit of a value, and whatever a byte of the file can be turned into: refused, or of no consequence."""
    file = tmp_path / "it.book"
    with written(file, BOARD, KNOWN) as book:
        right = set(book.entries())
    data = bytearray(file.read_bytes())
    noticed = 0
    for at in range(0, len(data), 29):
        data[at] ^= 1 << at % 8
        file.write_bytes(data)
        data[at] ^= 1 << at % 8
        try:
            with Book(file, BOARD, write=True) as book:
                assert set(book.entries()) == right
        except (Damaged, Unsuitable):
            noticed += 1
    assert noticed
    value = data.rfind(struct.pack(">d", 0.25))
    data[value + 1] ^= 4
    file.write_bytes(data)
    with Book(file, BOARD) as book, pytest.raises(Damaged, match="a position in it was changed"):
        book.entry(BOARD.position())


FULL = """
import resource, signal, sys
sys.path[:0] = {path!r}
from zermelo import games
from zermelo.knowledge.book import Book
from zermelo.rules import ZermeloError
from books import put, random_games
board = games.tic_tac_toe()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
book = Book.create({file!r}, board)
put(book, board.position(), games=1)
book.commit()
try:
    for number, game in enumerate(random_games(board, 200)):
        for position in game.position.line():
            put(book, position, games=1)
        book.commit()
except ZermeloError as full:
    print(full)
"""


def test_a_full_disk_costs_only_what_was_not_committed(tmp_path):
    file = str(tmp_path / "it.book")
    code = FULL.format(path=sys.path, file=file)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert "it.book cannot be used: " in done.stdout, done.stderr
    assert "what was committed before is kept" in done.stdout
    assert "Traceback" not in done.stderr
    with Book(file, BOARD) as book:
        assert book.entry(BOARD.position()).games == 1
        assert all(entry.games == 1 for entry in book.entries())


def test_a_disk_that_fills_up(tmp_path):
    """What was not committed is given up, and said to be."""
    with Book.create(tmp_path / "it.book", BOARD) as book:
        put(book, BOARD.position(), games=1)
        book.commit()
        ((pages,),) = book._run("PRAGMA page_count")
        book._run(f"PRAGMA max_page_count = {pages}")
        full = "cannot be written: the disk is full; what was committed before is kept$"
        many = [book.new_entry(one.state) for game in random_games(BOARD, 200) for one in game.position.line()[:-1]]
        put(book, BOARD.position(), games=2)
        with pytest.raises(Unsuitable, match=full):
            book.put(*many)
        assert len(book) == 1
        put(book, BOARD.position(), games=3)
    with Book(tmp_path / "it.book", BOARD) as book:
        assert [entry.games for entry in book.entries()] == [3]


def test_a_disk_that_is_read_only(tmp_path, monkeypatch):
    def refused(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("pathlib.Path.touch", refused)
    monkeypatch.setattr("pathlib.Path.unlink", refused)
    with pytest.raises(Unsuitable, match=r"it\.book cannot be written: Read-only file system$"):
        Book.create(tmp_path / "it.book", BOARD)


def test_what_cannot_be_made(tmp_path):
    (tmp_path / "it.book").write_text("something")
    with pytest.raises(Unsuitable, match="is there already"):
        Book.create(tmp_path / "it.book", BOARD)
    with pytest.raises(Unsuitable, match="there is no folder .*nowhere for it.book"):
        Book.create(tmp_path / "nowhere" / "it.book", BOARD)
    with pytest.raises(Unsuitable, match="is a folder, and a book is a file"):
        Book.create(tmp_path, BOARD)
    with pytest.raises(Unsuitable, match=r"margin is a share of the range of scores, from 0 to 1, not 2"):
        Book.create(tmp_path / "other.book", BOARD, margin=2)
    assert [file.name for file in tmp_path.iterdir()] == ["it.book"]


def test_the_database_says_what_it_is(tmp_path):
    written(tmp_path / "it.book", BOARD, KNOWN).close()
    link = sqlite3.connect(tmp_path / "it.book")
    assert link.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    assert link.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    link.close()
