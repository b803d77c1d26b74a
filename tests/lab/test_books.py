"""The experiment on books: what its table holds, what it keeps, and what it refuses."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from zermelo.lab import books
from zermelo.lab.books import EXPERIMENT, HEAD
from zermelo.lab.experiment import Settings
from zermelo.lab.gather import Interrupted
from zermelo.rules import UnknownName, Unsuitable

TINY = {
    "game": "othello", "board": "rows=4, cols=4", "positions": 12, "grower": "alphabeta(depth=2)",
    "engine": "alphabeta(depth=1)", "first": 4, "mode": "interpreted",
}  # fmt: skip


def tiny(folder, samples=4, fresh=False, **parameters):
    return EXPERIMENT.check(Settings(samples, parameters={**TINY, **parameters}, folder=folder, fresh=fresh))


def quiet(words):
    return


def test_the_table(tmp_path):
    result = EXPERIMENT.run(tiny(tmp_path), quiet)
    none, best, drop = (dict(zip(HEAD, row, strict=True)) for row in result.table.rows)
    assert [row["book"] for row in (none, best, drop)] == ["none", "best-first", "drop-out"]
    assert none["book moves a game"] == 0
    assert none["opponent's moves that stay in it, %"] == ""
    for row in (best, drop):
        assert row["games"] == 4
        assert row["book moves a game"] > 0
        assert 0 <= row["opponent's moves that stay in it, %"] <= 100
        assert row["nodes a move at first"] < none["nodes a move at first"]
    ElementTree.fromstring(result.plot)
    assert "books of 12 positions, each searched by alphabeta(depth=2)" in result.words[0]


def test_books_grow_once(tmp_path, monkeypatch):
    EXPERIMENT.run(tiny(tmp_path, 2), quiet)
    kept = {file.name: file.read_bytes() for file in tmp_path.glob("*.book")}
    assert len(kept) == 2
    said = []
    again = EXPERIMENT.run(tiny(tmp_path, 2), said.append)
    assert not any("growing" in words for words in said)
    fresh = EXPERIMENT.run(tiny(tmp_path, 2, fresh=True), said.append)
    assert sum("growing" in words for words in said) == 2
    assert fresh.table == again.table


def test_growing_goes_on_where_it_was_left(tmp_path, monkeypatch):
    usual = books.grow_book

    def some(book, engine, **settings):
        usual(book, engine, **{**settings, "positions": 5})
        monkeypatch.setattr(books, "grow_book", usual)
        raise Interrupted

    monkeypatch.setattr(books, "grow_book", some)
    with pytest.raises(Interrupted):
        EXPERIMENT.run(tiny(tmp_path, 2), quiet)
    assert len(list(tmp_path.glob("*.part"))) == 1
    assert EXPERIMENT.run(tiny(tmp_path, 2), quiet).table.rows
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"samples": 3}, Unsuitable, "even"),
        ({"game": "otello"}, UnknownName, "did you mean othello"),
        ({"board": "rows=4, clos=4"}, UnknownName, "no parameter clos"),
        ({"engine": "alphabet"}, UnknownName, "did you mean alphabeta"),
        ({"positions": 0}, Unsuitable, "at least 1"),
        ({"omega": -1.0}, Unsuitable, "omega is a number from 0 on"),
    ],
)
def test_what_is_refused(tmp_path, change, error, words):
    samples = change.pop("samples", 2)
    with pytest.raises(error, match=words):
        EXPERIMENT.run(tiny(tmp_path, samples, **change), quiet)
