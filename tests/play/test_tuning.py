"""Tuning: the better setting is found, proves itself and is used from then on; what was left goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from marks import slow
from skilled import SKILLED
from zermelo import games
from zermelo.methods.engine_file import Entry, keep
from zermelo.methods.registry import methods
from zermelo.methods.requests import request
from zermelo.play import tuning
from zermelo.play.candidates import candidates, read_spans
from zermelo.play.tuning import plan, tune
from zermelo.rules import UnknownName, Unsuitable

RULES = (Path(games.__file__).parent / "tic_tac_toe.py").read_text()


@pytest.fixture(autouse=True)
def _skilled(monkeypatch):
    monkeypatch.setitem(methods(), "skilled", SKILLED)


@pytest.fixture
def board(tmp_path, monkeypatch):
    """A game whose rules lie in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.py").write_text(RULES)
    return games.load("board.py:tic_tac_toe", {})


def entries(folder):
    return json.loads((folder / "board.engines.json").read_text())


# Finding it


def test_the_better_setting_is_found_kept_and_used(board, tmp_path):
    seen = []
    found = tune(board, "skilled", ["level=0:10"], games=80, seed=1, workers=2, parameters={}, listener=seen.append)
    assert found.best.settings["level"] >= 6
    assert found.better
    assert found.score > 0.6
    assert found.interval[0] > 0
    assert (found.games, found.planned, found.stopped, found.forfeits) == (80, 80, None, ())
    assert found.kept == tmp_path / "board.engines.json"
    assert [now.games for now in seen] == [*range(1, 81)]
    level = found.best.settings["level"]
    assert entries(tmp_path) == [
        {"game": "tic-tac-toe", "parameters": {}, "engine": "skilled", "tuned": {"level": level},
         "why": f"{found.measured()} against skilled"}
    ]  # fmt: skip
    made = request("skilled", board, "play")
    assert str(made) == f"skilled(level={level})"
    assert made.why.startswith(f"asked for; level={level} tuned for tic-tac-toe, ")
    assert request("skilled(level=0)", board, "play").options.level == 0
    assert request("skilled", board, "play", level=3).options.level == 3
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.slow
def test_a_choice_of_words(board, tmp_path):
    found = tune(board, "skilled(level=8, style=clumsy)", ["share=0.25|0.5"], games=12, out="elsewhere.json")
    assert [one.settings["share"] for one in found.tried] in ([0.25, 0.5], [0.5, 0.25])
    assert not (tmp_path / "board.engines.json").exists()
    found = tune(board, "skilled(level=8)", ["style=clumsy|fancy", "share=0:1"], games=80, number=4, seed=2)
    assert found.best.settings["style"] == "fancy"
    assert all(0 <= one.settings["share"] <= 1 for one in found.tried)


def test_what_is_not_better_is_not_kept(board, tmp_path):
    found = tune(board, "skilled(level=9)", ["style=clumsy|plain"], games=30, state="left")
    assert (found.best.settings, found.better, found.kept) == ({"style": "clumsy"}, False, None)
    assert found.elo < 0
    assert len(found.final) == 30
    assert {path.name for path in tmp_path.iterdir()} >= {"board.py"}
    assert not list(tmp_path.glob("*.json"))
    assert not (tmp_path / "left").exists()


def test_the_same_seed_is_the_same_tuning(board):
    one, same = (tune(board, "skilled", ["level=0:10"], games=24, seed=5, out="x.json", workers=n) for n in (1, 2))
    assert one == same
    assert tune(board, "skilled", ["level=0:10"], games=24, seed=6, out="y.json") != one


def test_what_was_tuned_before_is_the_engine_as_it_was(board, tmp_path):
    keep(Entry("tic-tac-toe", {}, "skilled", {"style": "clumsy"}, ""), board)
    found = tune(board, "skilled(thoughts=7)", ["level=9|10"], games=12, parameters={})
    assert found.engine == "skilled(style=clumsy, thoughts=7)"
    found = tune(board, "skilled(thoughts=7)", ["style=clumsy|plain"], games=12, parameters={}, seed=3)
    for entry in entries(tmp_path):
        assert "thoughts" not in entry["engine"]


def test_settings_of_the_text_belong_to_what_is_kept(board, tmp_path):
    tune(board, "skilled(style=fancy, depth=3)", ["level=9|10"], games=40, parameters={"rows": 3})
    (entry,) = entries(tmp_path)
    assert (entry["engine"], entry["parameters"]) == ("skilled(style=fancy)", {"rows": 3})
    assert request("skilled(style=fancy)", board, "play").options.level in (9, 10)
    assert request("skilled", board, "play").options.level == 0


# Going on


class Enough(Exception):
    pass


@pytest.mark.parametrize(("stop", "after"), [(Enough, 11), (KeyboardInterrupt, 30), *slow((KeyboardInterrupt, 1))])
def test_it_goes_on_where_it_was_left(board, tmp_path, stop, after):
    ask = {"games": 36, "seed": 4, "out": "kept.json", "state": "left"}
    whole = tune(board, "skilled", ["level=0:10"], **{**ask, "state": None})

    def leave(now):
        if now.games == after:
            raise stop

    if stop is KeyboardInterrupt:
        left = tune(board, "skilled", ["level=0:10"], **ask, listener=leave)
        assert (left.stopped, left.kept, left.better, left.games) == ("interrupt", None, False, after)
        assert left.best.games > 0
    else:
        with pytest.raises(Enough):
            tune(board, "skilled", ["level=0:10"], **ask, listener=leave)
    with pytest.raises(Unsuitable, match="go on with it by --resume"):
        tune(board, "skilled", ["level=0:10"], **ask)
    with pytest.raises(Unsuitable, match="another tuning"):
        tune(board, "skilled", ["level=0:9"], **ask, resume=True)
    played = []
    assert tune(board, "skilled", ["level=0:10"], **ask, resume=True, listener=played.append) == whole
    assert len(played) == 36 - after
    assert not (tmp_path / "left").exists()


@pytest.mark.parametrize("spoil", [
    lambda text: "", lambda text: text[:-20], lambda text: text.replace("1.0", "0.0", 1), lambda text: "[]",
    lambda text: "7", lambda text: "[" * 10**5, lambda text: '{"checksum": "x"}',
])  # fmt: skip
def test_a_spoiled_file_is_refused(board, spoil):
    def leave(now):
        if now.games == 10:
            raise KeyboardInterrupt

    ask = {"games": 36, "out": "kept.json", "state": "left"}
    tune(board, "skilled", ["level=0:10"], **ask, listener=leave)
    left = Path("left")
    left.write_text(spoil(left.read_text()))
    with pytest.raises(Unsuitable, match=r"left is no tuning that was left .*: remove it"):
        tune(board, "skilled", ["level=0:10"], **ask, resume=True)


# How games are shared out


@pytest.mark.parametrize(("number", "games"), [(1, 2), (2, 12), (8, 200), (16, 400), (5, 100)])
def test_all_games_are_played(number, games):
    rounds, final = plan(number, games)
    left, pairs = number, final
    for each in rounds:
        assert each >= 2
        pairs += left * each
        left = tuning.half(left)
    assert (left, 2 * pairs) == (1, games)
    assert final >= games // 2 // 3


def test_candidates_fill_the_ranges(board):
    engine = request("skilled", board, "play")
    spans = read_spans(["share=0:8", "level=1:10", "style=plain|fancy"], engine)
    tried = candidates(spans, 8, engine, seed=0)
    assert sorted(int(one["share"]) for one in tried) == [*range(8)]
    assert [one["style"] for one in tried].count("fancy") == 4
    assert len({one["level"] for one in tried}) >= 6
    few = read_spans(["level=0:2", "style=plain|fancy"], engine)
    assert len(candidates(few, 16, engine, seed=0)) == 5  # one of six is what it is set to


# What is refused


@pytest.mark.parametrize(
    ("engine", "settings", "more", "words"),
    [
        ("skilled", ["share=3:0.5"], {}, "from a lower number to a higher one"),
        ("skilled", ["share=1:inf"], {}, "from a lower number to a higher one"),
        ("skilled", ["levle=1:3"], {}, r"skilled has no setting levle: did you mean level\?"),
        ("skilled", ["style=a:b"], {}, "style is no number and has no range: name its choices"),
        ("skilled", ["table=0:1"], {}, "table is no number and has no range"),
        ("skilled", ["level=0.5:3"], {}, "level takes a whole number, not '0.5'"),
        ("skilled", ["level=0:11"], {}, "level must be from 0 to 10, not 11"),
        ("skilled", ["style=plain|nice"], {}, "style cannot be nice"),
        ("skilled", ["style=plain|plain"], {}, "names a value twice"),
        ("skilled", ["level=3"], {}, "leaves nothing to be tuned"),
        ("skilled", ["level"], {}, "NAME=LOW:HIGH or NAME=ONE"),
        ("skilled", [], {}, "nothing is to be tuned"),
        ("skilled", ["level=1:2", "level=3:4"], {}, "tuned twice"),
        ("skilled(level=3)", ["level=1:4"], {}, r"level is set in skilled\(level=3\)"),
        ("skilled", ["depth=1:4"], {}, "depth says what skilled may use"),
        ("skilled", ["thoughts=1:4"], {}, "thoughts says how long skilled thinks"),
        ("skilled", ["level=0:10"], {"games": 8}, "8 games are too few to compare 2 candidates: take at least 10"),
        ("skilled", ["level=0:10"], {"games": 60, "number": 9}, "too few to compare 9 candidates.*fewer candidates"),
        ("skilled", ["level=0:10"], {"games": 21}, "even, not 21"),
        ("skilled", ["level=0:10"], {"number": 0}, "at least 1 candidate"),
        ("skilled", ["level=0:10"], {"workers": 0}, "at least 1 worker"),
        ("skilled", ["level=0:10"], {"resume": True}, "--state FILE"),
        ("skilled", ["level=0:10"], {"state": "nowhere/left"}, "cannot be written"),
        ("skiled", ["level=0:10"], {}, r"did you mean skilled\?"),
        ("bot.py:Timid", ["level=0:10"], {}, "a program with settings of its own"),
    ],
)
def test_bad_input(board, tmp_path, engine, settings, more, words):
    with pytest.raises((Unsuitable, UnknownName), match=words):
        tune(board, engine, settings, **more)
    assert not list(tmp_path.glob("*.json"))


def test_an_engine_that_cannot_serve_the_game():
    with pytest.raises(Unsuitable, match="alphabeta cannot search"):
        tune(games.pig(goal=20), "alphabeta", ["etc=on|off"])
