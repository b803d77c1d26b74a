"""proof-graph: what people read, what machines read, and what happens when it takes too long."""

from __future__ import annotations

import json
import signal

import pytest

QUICK = ("--mode", "interpreted", "--memory", "1MB")
SHARED = {
    "root": "A",
    "nodes": {
        "A": {"turn": "max", "moves": ["B", "C"]},
        "B": {"turn": "min", "moves": ["D", "E"]},
        "C": {"turn": "min", "moves": ["D"]},
        "D": {"value": 1},
        "E": {"value": 2},
    },
}


def test_a_page_for_people(zermelo, graph):
    done = zermelo("proof-graph", graph(SHARED), "--target", 1, *QUICK)
    assert (done.code, done.err) == (0, "")
    for line in (
        "claim           the first player scores at least 1",
        "smallest proof  3 of 5 positions (60.00%)",
        "status          proven",
        "nodes           A, C, D",
    ):
        assert f"\n{line}\n" in done.out
    rows = [line.split() for line in done.out.splitlines()[-4:]]
    assert [row[0] for row in rows] == ["alphabeta", "negascout", "mtdf", "pn"]
    assert all(int(row[1]) / 3 == pytest.approx(float(row[2]), abs=0.06) for row in rows)


def test_an_object_for_machines(zermelo, graph):
    told = zermelo("proof-graph", graph(SHARED), "--json", *QUICK).json
    assert (told["kind"], told["value"], told["size"], told["bounds"], told["status"]) == (
        "minimax", 1, 4, [4, 4], "proven",
    )  # fmt: skip
    assert (told["positions"], told["tree"], told["is_tree"]) == (5, 5, False)
    assert sorted(told["proof"]) == ["A", "B", "C", "D"]
    assert [one["method"] for one in told["searches"]] == ["alphabeta", "negascout", "mtdf", "pn"]
    assert all(one["ratio"] == one["nodes"] / 4 >= 1 for one in told["searches"])


def test_a_target_that_is_not_reached_is_refuted(zermelo, graph):
    told = zermelo("proof-graph", graph(SHARED), "--target", 2, "--no-search", "--json").json
    assert (told["at_least"], told["claim"]) == (False, "the first player scores less than 2")
    assert sorted(told["proof"]) == ["A", "B", "C", "D"]
    assert told["searches"] == []


def test_trees_need_no_solver(zermelo, graph):
    tree = {"root": "A", "nodes": {"A": {"turn": "max", "moves": ["B", "C"]}, "B": {"value": 1}, "C": {"value": 0}}}
    done = zermelo("proof-graph", graph(tree), *QUICK)
    assert "as a tree       the same: no position is met on two ways" in done.out
    assert "no solver needed" in done.out


def test_symmetry_can_be_left_out(zermelo):
    middle = ("proof-graph", "tic-tac-toe", "--position", "XO--X---O", "--target", 1, "--no-search", "--json")
    both = [zermelo(*middle, *more).json for more in ((), ("--no-symmetry",))]
    assert [told["symmetric"] for told in both] == [True, False]
    assert both[0]["positions"] < both[1]["positions"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("tic-tac-toe", "--target", "2"), "tic-tac-toe: scores lie between -1 and 1, so 2 can be no target"),
        (("tic-tac-toe", "--target", "nan"), "can be no target"),
        (("tic-tac-toe", "--seconds", "0"), "the limit of seconds must be above 0"),
        (("tic-tac-toe", "--solver", "gurobi"), "'gurobi' is not one of 'highs', 'cpsat'"),
        (("tic-tac-toe", "--position", "zz"), "'zz' is no position"),
        (("pig",), "pig has chance positions"),
        (("dobutsu",), "dobutsu can come back to a position"),
        (("tic-tac-to",), "did you mean tic-tac-toe"),
        (("nothing.json",), "there is no file nothing.json"),
    ],
)
def test_bad_input_is_one_sentence(zermelo, arguments, sentence):
    done = zermelo("proof-graph", *arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "not JSON"),
        ({**SHARED, "root": "Z"}, '"root" is Z, which is no node'),
        (
            {"root": "A", "nodes": {"A": {"turn": "max", "moves": ["B"]}, "B": {"turn": "min", "moves": ["A"]}}},
            "A → B → A is a cycle",
        ),
        (
            {"root": "A", "repetition": "draw", "nodes": {
                "A": {"turn": "max", "moves": ["B"]}, "B": {"turn": "min", "moves": ["A"]}}},
            "can come back to a position",
        ),
        ({"root": "A", "nodes": {"A": {"turn": "chance", "moves": {"B": 1}}, "B": {"value": 1}}}, "chance positions"),
    ],
)  # fmt: skip
def test_bad_files_are_one_sentence(zermelo, graph, content, sentence):
    done = zermelo("proof-graph", graph(content))
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_too_large(zermelo):
    done = zermelo("proof-graph", "connect-four", "--mode", "interpreted", "--most", 500)
    assert (done.code, done.out) == (2, "")
    assert "connect-four has more than 500 positions from here on" in done.err


def test_time_runs_out(zermelo):
    done = zermelo("proof-graph", "hex", "--set", "size=3", "--seconds", 1, "--no-search")
    assert done.code == 0
    assert "smallest found" in done.out
    assert "status          bound: the smallest proof has from " in done.out
    assert "stopped by the limit of seconds" in done.out


@pytest.mark.slow
def test_ctrl_c_prints_the_best_so_far(terminal):
    started = terminal("proof-graph", "hex", "--set", "size=3", "--seconds", "600")
    started.wait_for("smallest proof from")
    started.wait_for("integer program")
    started.process.send_signal(signal.SIGINT)
    done = started.finish()
    assert done.code == 130
    assert "bound: the smallest proof has from" in done.out
    assert "stopped by Ctrl-C, best so far" in done.out
    assert "Traceback" not in done.err


# set-cover


def test_set_cover(zermelo, tmp_path):
    file = tmp_path / "cover.json"
    file.write_text(json.dumps({"universe": ["a", "b", "c"], "sets": {"S": ["a"], "T": ["a", "b"], "U": ["c"]}}))
    done = zermelo("lab", "set-cover", file, "--out", tmp_path / "out")
    assert done.code == 0
    assert "The three ways agree: k = 2." in done.out
    assert "A smallest cover: T U." in done.out
    built = tmp_path / "out" / "set-cover-minimax-game.json"
    assert zermelo("proof-graph", built, "--no-search", "--json").json["size"] == 4 + 3 + 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "not JSON"),
        ({}, "a set-cover file is one object with sets"),
        ({"sets": {"S": "a"}}, "set S must be a list of names"),
        ({"universe": ["a", "b"], "sets": {"S": ["a"]}}, "no set contains b, so there is no cover"),
        ({"universe": ["a"], "sets": {"S": ["a", "b"]}}, "set S contains b, which is not in the universe"),
        ({"sets": {"S": ["a", "a"]}}, "set S names a twice"),
        ({"sets": {"S": []}}, "there is no element to cover"),
        ({"sets": {"S": ["a"]}, "k": 3}, 'unknown key "k"'),
    ],
)
def test_bad_set_cover_files(zermelo, graph, content, sentence):
    done = zermelo("lab", "set-cover", graph(content))
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("zermelo:") == 1


def test_a_tree_that_is_grown_is_not_written_out(zermelo):
    tree = ("--set", "depth=4", "--set", "fewest=2", "--set", "most=3", "--mode", "interpreted")
    whole = zermelo("proof-graph", "prefix-tree", *tree, "--no-search", "--json").json
    grown = zermelo("proof-graph", "prefix-tree", *tree, "--most", 10, "--json").json
    assert whole["positions"] > 10
    assert grown["positions"] is None
    assert (grown["size"], grown["value"], grown["claim"]) == (whole["tree"], whole["value"], whole["claim"])
    assert all(one["ratio"] >= 1 for one in grown["searches"])
    above = zermelo("proof-graph", "prefix-tree", *tree, "--most", 10, "--no-search", "--target", whole["value"] + 1)
    assert f"the first player scores less than {whole['value'] + 1:g}" in above.out
    assert "grown and not stored" in above.out
