"""Engines that were measured for a game: read from beside its rules, chosen first, and never trusted blindly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import zermelo as z
from zermelo import games
from zermelo.methods.choice import choose
from zermelo.methods.engine_file import SUFFIX, Entry, engine_for, keep, place, tuned_for
from zermelo.methods.requests import request
from zermelo.rules import Unsuitable
from zermelo.rules.objects import from_object

RULES = (Path(games.__file__).parent / "tic_tac_toe.py").read_text()
MEASURED = "won 85 % of 40 games against alphabeta at 0.2 s a move"


@pytest.fixture
def board(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.py").write_text(RULES)
    return games.load("board.py:tic_tac_toe", {})


def write(*entries):
    Path(f"board{SUFFIX}").write_text(json.dumps([{"game": "tic-tac-toe", **entry} for entry in entries]))


def test_the_best_engine_of_a_game_is_chosen(board):
    assert choose(board, "search").method.name == "alphabeta"
    write({"engine": "mcts(playout=decisive)", "why": MEASURED})
    for purpose in ("search", "play"):
        choice = choose(board, purpose)
        assert (choice.method.name, choice.settings) == ("mcts", {"playout": "decisive"})
        assert choice.why == f"the best one for tic-tac-toe: {MEASURED}"
        made = request(None, board, purpose, memory="2MB")
        assert str(made) == "mcts(playout=decisive, memory=2MB)"
        assert str(request(None, board, purpose, playout="auto", c=2)) == "mcts(c=2.0)"
    assert choose(board, "solve").method.name != "mcts"
    answer = z.search(board, playouts=5, mode="interpreted")
    assert (answer.method, answer.why) == ("mcts", f"the best one for tic-tac-toe: {MEASURED}")


def test_parameters_that_agree(board):
    other = games.load("board.py:tic_tac_toe", {"rows": "4"})
    write({"parameters": {"rows": 4}, "engine": "mtdf"}, {"parameters": {}, "engine": "negascout"})
    assert engine_for(board).engine == "negascout"
    assert engine_for(other).engine == "mtdf"
    assert choose(other, "play").why == "the best one for tic-tac-toe"


def test_tuned_settings_are_those_that_nobody_sets(board):
    write({"engine": "mcts", "tuned": {"c": 1.25, "graph": False, "playout": "decisive"}, "why": "+35 Elo"})
    made = request("mcts", board)
    assert str(made) == "mcts(c=1.25, graph=off, playout=decisive)"
    assert made.why == "asked for; c=1.25, graph=off, playout=decisive tuned for tic-tac-toe, +35 Elo"
    assert request(str(made), board) == made
    own = request("mcts(graph=on)", board, "play", c=0.7)
    assert str(own) == "mcts(c=0.7, graph=on, playout=decisive)"
    assert request(str(own), board, "play") == own
    assert own.why == "asked for; playout=decisive tuned for tic-tac-toe, +35 Elo"
    whole = request("mcts", board, options=methods_options())
    assert request(str(whole), board) == whole
    assert request("mcts", board, "solve").options == methods_options()
    assert request("mcts").options == methods_options()
    assert request("mcts", games.connect_four(), "play").options == methods_options()


def methods_options():
    return request("mcts").options


def test_an_entry_serves_the_engine_that_it_names(board):
    write(
        {"engine": "mcts(playout=decisive)", "tuned": {"c": 1.25}},
        {"engine": "mcts", "tuned": {"playout": "decisive"}},
        {"engine": "mcts(playout=decisive)"},
    )
    assert str(request("mcts(playout=light)", board)) == "mcts(playout=light)"
    for text in ("mcts(playout=decisive)", "mcts"):
        made = request(text, board, "play")
        assert str(made) == "mcts(c=1.25, playout=decisive)"
        assert request(str(made), board, "play") == made
    assert str(request(None, board, "play")) == "mcts(c=1.25, playout=decisive)"


def test_entries_about_the_same_are_replaced(board, tmp_path):
    old, new = (Entry("tic-tac-toe", {}, "mcts", {"c": c}, "") for c in (1.0, 2.0))
    best = Entry("tic-tac-toe", {}, "mcts", None, "")
    for entry in (old, best, new):
        assert keep(entry, board) == tmp_path / "board.engines.json" == place(board)
    assert (tuned_for(board, "mcts"), engine_for(board)) == ([new], best)
    assert len(json.loads(place(board).read_text())) == 2


FORGED = [
    "", "{", "{}", "7", "[7]", "[[]]", "[" * 10**5, '[{"game": "tic-tac-toe"}]',
    '[{"game": "tic-tac-toe", "engine": 7}]', '[{"game": "tic-tac-toe", "engine": "os:system"}]',
    '[{"game": "tic-tac-toe", "engine": "mcts(c=x)"}]', '[{"game": "tic-tac-toe", "engine": "mcts(c=1"}]',
    '[{"game": "tic-tac-toe", "engine": "mcts", "tuned": 7}]', '[{"game": "x", "engine": "mcts", "tuned": {"c": []}}]',
    '[{"game": "tic-tac-toe", "engine": "mcts", "tuned": {"c": -1}}]',
    '[{"game": "tic-tac-toe", "engine": "mcts", "tuned": {"c": NaN}}]',
    '[{"game": "tic-tac-toe", "engine": "mcts", "tuned": {"__class__": 1}}]',
    '[{"game": "tic-tac-toe", "engine": "mcts", "tuned": {"seconds": 1}}]',
    '[{"game": "tic-tac-toe", "engine": "mcts", "tuned": {"c": 1' + "0" * 400 + "}}]",
    '[{"game": "tic-tac-toe", "engine": "mcts", "run": "os:system"}]',
    '[{"game": "tic-tac-toe", "engine": "mcts", "parameters": []}]',
    '[{"game": "tic-tac-toe", "engine": "mcts", "why": 7}]',
]  # fmt: skip


@pytest.mark.parametrize("text", FORGED, ids=lambda text: text[:70])
def test_forged_files(board, text):
    Path(f"board{SUFFIX}").write_text(text)
    with pytest.raises(Unsuitable, match=r"board.engines.json is not a list of engines \(.+\); zermelo tune"):
        request("mcts", board, "play")
    with pytest.raises(Unsuitable, match="not a list of engines"):
        choose(board, "search")


class Heap:
    def moves(self):
        return []


def test_where_engines_are_kept():
    assert place(games.connect_four()).name == "connect_four.engines.json"
    assert place(from_object(Heap(), name="heap")) == Path(__file__).with_name("test_engine_file.engines.json")


@pytest.mark.parametrize("name", sorted({*games.names()} - {"openspiel", "graph"}))
def test_what_is_shipped_serves_its_game(name):
    request(None, games.load(name), "play")
