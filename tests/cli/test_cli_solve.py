"""solve, search and perft: what people read, and what machines read."""

from __future__ import annotations

import json
import math

import pytest

FIELDS = {
    "game", "parameters", "position", "turn", "value", "status", "bounds", "best", "complete", "verdicts", "line",
    "nodes", "leaves", "extra_nodes", "seconds", "method", "depth", "why", "stopped", "threads", "mode",
    "memory", "prelude",
}  # fmt: skip
QUICK = ("--mode", "interpreted", "--memory", "1MB")
SMALL = ("connect-four", "--set", "width=3", "--set", "height=3", "--set", "run=3", *QUICK)


def test_solve_for_people(zermelo):
    done = zermelo("solve", "tic-tac-toe", "--position", "a1 b1", *QUICK)
    assert (done.code, done.err) == (0, "")
    lines = [line.split(None, 1) for line in done.out.splitlines()]
    rows = {words[0]: words[1] for words in lines if len(words) == 2}
    assert rows["value"] == "first player wins"
    assert rows["status"] == "proven"
    assert set(rows["best"].split()) >= {"a2", "b2", "a3"}
    assert "X O ." in done.out
    assert "nodes" in rows["effort"]
    assert rows["method"].startswith("mtdf (few values")
    assert rows["run"] == "interpreted, 1 thread, table of 1MB"
    assert "\x1b" not in done.out


def test_solve_as_json(zermelo):
    done = zermelo("solve", *SMALL, "--json")
    assert (done.code, done.err) == (0, "")
    assert set(done.json) == FIELDS
    assert done.json["parameters"] == {"width": 3, "height": 3, "run": 3, "distance": False}
    assert (done.json["status"], done.json["mode"], done.json["stopped"]) == ("proven", "interpreted", None)


@pytest.mark.parametrize("method", ["alphabeta", "boolean", "minimax", "mtdf", "negamax", "negascout"])
def test_all_methods_agree(zermelo, method):
    told = zermelo("solve", "tic-tac-toe", "--position", "a1 b1 b2", "--method", method, *QUICK, "--json").json
    assert (told["value"], told["method"], told["why"]) == (1, method, "asked for")


def test_switches_change_the_search_and_not_the_value(zermelo):
    position = ("--position", "a1 b2")
    usual = zermelo("solve", "tic-tac-toe", *position, *QUICK, "--json").json
    bare = zermelo(
        "solve", "tic-tac-toe", *position, "--no-table", "--no-knowledge", "--order", "none", *QUICK, "--json"
    ).json
    rich = zermelo(
        "solve", "tic-tac-toe", *position, "--method", "alphabeta", "--etc", "--iid", "--fail-hard", *QUICK,
        "--order", "hash, killers", "--json",
    ).json  # fmt: skip
    assert usual["value"] == bare["value"] == rich["value"] == 0
    assert usual["best"] == bare["best"] == rich["best"]
    assert bare["nodes"] > usual["nodes"]
    assert "no table" in zermelo("solve", "tic-tac-toe", "--position", "a1 b2 c3 c1", "--no-table", *QUICK).out


@pytest.mark.parametrize(
    ("claim", "verdict", "value"),
    [
        (0, "yes", "at least a draw for the first player"),
        (1, "no", "at least a draw for the second player"),
    ],
)
def test_a_claim_is_answered(zermelo, claim, verdict, value):
    done = zermelo("solve", "tic-tac-toe", "--position", "a1 b2", "--at-least", claim, *QUICK)
    assert f"scores {claim} or more: {verdict}" in done.out
    assert value in done.out
    assert "bound" in done.out


def test_a_limited_solve_says_that_it_is_heuristic(zermelo):
    done = zermelo("solve", "tic-tac-toe", "--depth", 2, *QUICK)
    assert done.code == 0
    assert "heuristic: an estimate, not a proof" in done.out
    assert "about 0 for the first player" in done.out


def test_a_stopped_solve_says_what_stopped_it(zermelo):
    done = zermelo("solve", "tic-tac-toe", "--nodes", 20, *QUICK)
    assert done.code == 0
    assert "stopped by the limit of nodes, best so far" in done.out
    assert zermelo("solve", "tic-tac-toe", "--seconds", 0.01, *QUICK, "--json").json["stopped"] == "seconds"


def test_scores_are_worded(zermelo, graph):
    nodes = {"A": {"turn": "min", "moves": ["B", "C"]}, "B": {"value": 8}, "C": {"value": 3}}
    done = zermelo("solve", graph({"root": "A", "nodes": nodes}), *QUICK)
    assert "score +3 for the first player" in done.out
    assert "second player" in done.out


def test_a_finished_game_is_solved(zermelo):
    done = zermelo("solve", "tic-tac-toe", "--position", "XXXOO----", *QUICK)
    assert done.code == 0
    assert "nobody, the game is over" in done.out
    assert "first player wins" in done.out


def test_a_game_of_the_users_own(zermelo, nim):
    told = zermelo("solve", nim("nim_solved"), "--set", "stones=7", "--json").json
    assert (told["game"], told["value"], told["best"]) == ("nim", 1, ["3"])


def test_search_finds_a_move(zermelo):
    done = zermelo("search", "tic-tac-toe", "--position", "XX-OO----", "--depth", 3, *QUICK)
    assert done.code == 0
    assert "iterative deepening" in done.out
    told = zermelo("search", "tic-tac-toe", "--position", "XX-OO----", "--depth", 3, *QUICK, "--json").json
    assert set(told) == FIELDS
    assert (told["value"], told["status"], told["best"]) == (1, "proven", ["c1"])


def test_search_by_another_engine(zermelo):
    told = zermelo("search", "tic-tac-toe", "--method", "negascout", "--nodes", 50, *QUICK, "--json").json
    assert (told["method"], told["status"]) == ("negascout", "heuristic")
    first, second = (
        zermelo("search", "tic-tac-toe", "--method", "random", "--seed", 7, "--json").json for _ in range(2)
    )
    assert first["best"] == second["best"]
    assert "not known" in zermelo("search", "tic-tac-toe", "--method", "random").out


def test_perft_counts_every_depth(zermelo):
    done = zermelo("perft", "tic-tac-toe", 3, "--mode", "interpreted")
    assert done.code == 0
    assert [line.split()[:2] for line in done.out.splitlines()[1:]] == [["1", "9"], ["2", "72"], ["3", "504"]]
    told = zermelo("perft", "tic-tac-toe", 3, "--position", "a1", "--mode", "interpreted", "--json").json
    assert (told["depth"], told["paths"], told["counts"]) == (3, math.perm(8, 3), [8, 56, 336])
    assert zermelo("perft", "tic-tac-toe", 0, "--mode", "interpreted", "--json").json["paths"] == 1
    bulk = zermelo("perft", "tic-tac-toe", 3, "--bulk", "--mode", "interpreted", "--json").json
    assert (bulk["counts"], bulk["nodes"]) == ([9, 72, 504], 1 + 10 + 82)  # the last moves are not made


def test_one_text_for_all_commands(zermelo):
    """Short forms, --with and the text of a request say the same."""
    asked = ("tic-tac-toe", "--position", "a1 b2", *QUICK, "--json")
    told = [
        zermelo("solve", *asked, "--method", "alphabeta(table=off, etc=no, hard=yes)").json,
        zermelo("solve", *asked, "--method", "alphabeta", "--with", "table=off", "--with", "hard=true").json,
        zermelo("solve", *asked, "--engine", "alphabeta", "--no-table", "--fail-hard").json,
    ]
    assert len({(one["nodes"], one["value"], one["memory"]) for one in told}) == 1
    assert zermelo("search", *asked, "--method", "alphabeta(depth=2)").json["depth"] == 2
    solved = zermelo("search", *asked, "--method", "dfpn", "--seconds", 60).json  # long enough on a busy machine too
    assert solved["status"] == "proven"


def test_a_claim_that_a_value_decides(zermelo):
    small = ("--position", "a1 b2 c3", *QUICK)
    done = zermelo("solve", "tic-tac-toe", *small, "--at-least", "0", "--method", "fixpoint")
    assert "the first player scores 0 or more: yes" in done.out
    dice = zermelo("solve", "pig", "--set", "goal=5", *QUICK, "--at-least", "1")
    assert "the first player scores 1 or more: no" in dice.out


def test_positions_of_a_file(zermelo, tmp_path):
    file = tmp_path / "some.txt"
    file.write_text("# three of them\na1 b2\n\nXX-OO---- \na1 b1 -1\n")
    done = zermelo("solve", "tic-tac-toe", "--positions", file, *QUICK)
    assert done.code == 0
    assert [line.split("value")[1].split()[0] for line in done.out.splitlines()[:3]] == ["0", "+1", "+1"]
    assert "best c1" in done.out
    for words in (["--json"], ["--json", "lines"]):
        lines = zermelo("solve", "tic-tac-toe", "--positions", file, *QUICK, *words).out.splitlines()
        assert [json.loads(line)["value"] for line in lines] == [0, 1, 1]
        assert json.loads(lines[1])["best"] == ["c1"]
    only = zermelo("solve", "tic-tac-toe", "--positions", file, *QUICK, "--value-only", "--json").out.splitlines()
    assert "best" not in json.loads(only[0])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a1 b2\na1 a1\n", "line 2: move 2: 'a1' is not a legal move"),
        ("# nothing\n", "holds no position: write one a line"),
    ],
)
def test_a_file_of_positions_that_is_wrong(zermelo, tmp_path, text, said):
    file = tmp_path / "some.txt"
    file.write_text(text)
    done = zermelo("solve", "tic-tac-toe", "--positions", file, *QUICK)
    assert done.code == 2
    assert said in done.err
