"""tune: what it prints and keeps, Ctrl-C and going on, and what is refused."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from skilled import SKILLED
from zermelo import games
from zermelo.methods.registry import methods

ENGINE = "mcts(playouts=3, mode=interpreted)"
RULES = (Path(games.__file__).parent / "tic_tac_toe.py").read_text()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.py").write_text(RULES)
    return tmp_path


def test_it_is_kept_and_used(zermelo, folder, monkeypatch):
    monkeypatch.setitem(methods(), "skilled", SKILLED)
    asked = ("tune", "board.py:tic_tac_toe", "--set", "rows=3", "skilled", "--with", "level=9|0")
    done = zermelo(*asked, "--games", 20)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("tic-tac-toe(rows=3, cols=3, run=3)\nskilled: 1 candidate, 20 of 20 games\n")
    assert "best   level=9\n" in done.out
    assert "against the engine as it was\n" in done.out
    assert f"kept   in {folder / 'board.engines.json'}, and used from now on\n" in done.out
    (entry,) = json.loads((folder / "board.engines.json").read_text())
    assert (entry["engine"], entry["parameters"], entry["tuned"]) == ("skilled", {"rows": 3}, {"level": 9})
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == ["board.engines.json", "board.py"]
    searched = zermelo("search", "board.py:tic_tac_toe", "--method", "skilled")
    assert "skilled (asked for; level=9 tuned for tic-tac-toe, " in searched.out
    again = zermelo(*asked[:-1], "level=1|2", "--games", 20, "--candidates", 2)
    assert "skilled(level=9): 2 candidates, 20 of 20 games\n\ncandidate  points  games  score\nlevel=" in again.out
    assert "kept   nothing: it is not better, and the engine stays as it was\n" in again.out


def test_one_object(zermelo, folder):
    told = zermelo("tune", "tic-tac-toe", ENGINE, "--with", "c=0.1:2", "--games", 10, "--out", "x.json", "--json").json
    assert told["engine"] == ENGINE
    assert (told["games"], told["planned"], told["stopped"], len(told["candidates"])) == (10, 10, None, 2)
    assert told["best"] == told["candidates"][0]["settings"]
    assert (told["kept"] is not None) == told["better"] == Path("x.json").exists()


@pytest.mark.slow
def test_ctrl_c_and_going_on(terminal, zermelo, folder):
    asked = ("tune", "tic-tac-toe", ENGINE, "--with", "c=0.1:2", "--games", "20", "--out", "x.json")
    started = terminal(*asked)
    started.wait_for("3 of 20 games")
    os.kill(started.process.pid, signal.SIGINT)
    done = started.finish()
    assert done.code == 130
    assert ", so far\n" in done.out
    assert "to go on from tic-tac-toe.tuning, give the same command with --resume" in done.out
    assert "Traceback" not in done.err
    assert not Path("x.json").exists()
    refused = zermelo(*asked)
    assert (refused.code, refused.out) == (2, "")
    assert "go on with it by --resume" in refused.err
    assert zermelo(*asked, "--resume", "--json").json["games"] == 20
    assert not Path("tic-tac-toe.tuning").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("tic-tac-toe", "mcts", "--with", "c=3:1"), "from a lower number to a higher one"),
        (("tic-tac-toe", "mcts", "--with", "plyout=light|decisive"), "did you mean playout?"),
        (("tic-tac-toe", "mcts", "--with", "playout=1:2"), "name its choices"),
        (("tic-tac-toe", "mcts", "--with", "playouts=1:200"), "is not tuned"),
        (("tic-tac-toe", "mcts", "--with", "c=1:3", "--games", "4"), "too few"),
        (("pig", "alphabeta", "--with", "etc=on|off"), "cannot search"),
        (("tic-tac-toe", "mcts"), "nothing is to be tuned"),
    ],
)
def test_what_is_refused(zermelo, folder, arguments, words):
    outcome = zermelo("tune", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("zermelo: ")
    assert outcome.err.count("\n") == 1
    assert words in outcome.err
    assert [path.name for path in folder.iterdir()] == ["board.py"]
