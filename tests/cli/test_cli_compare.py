"""compare, and solve --difficulty: what people read, and what machines read."""

from __future__ import annotations

import signal

import pytest

QUICK = ("--mode", "interpreted", "--memory", "1MB")
SMALL = ("compare", "kalah", "--set", "stones=2", *QUICK)


@pytest.mark.slow
def test_a_table_for_people(zermelo):
    done = zermelo(*SMALL, "--vary", "empty_capture=on,off", "--vary", "pits=1, 2")
    assert (done.code, done.err) == (0, "")
    head, *rows = [line.split() for line in done.out.splitlines()]
    assert head == ["empty_capture", "pits", "value", "status", "nodes", "seconds", "proof"]
    assert [row[:2] for row in rows] == [["on", "1"], ["on", "2"], ["off", "1"], ["off", "2"]]
    assert all("proven" in row and int(row[-1]) > 0 for row in rows)


def test_an_object_for_machines(zermelo):
    told = zermelo(*SMALL, "--vary", "empty_capture=on,off", "--vary", "pits=2", "--json").json
    assert (told["game"], told["settings"], told["stopped"]) == ("kalah", {"stones": "2"}, None)
    assert told["vary"] == {"empty_capture": ["on", "off"], "pits": ["2"]}
    assert [variant["settings"]["empty_capture"] for variant in told["variants"]] == ["on", "off"]
    assert {"value", "status", "bounds", "best", "nodes", "seconds", "method", "proof", "reason", "stopped"} < set(
        told["variants"][0]
    )
    assert all(variant["proof"] > 0 for variant in told["variants"])


def test_without_proofs(zermelo):
    done = zermelo(*SMALL, "--vary", "pits=2", "--no-proof")
    assert done.out.splitlines()[1].split()[-1] == "-"


def test_an_impossible_variant_does_not_end_the_table(zermelo):
    done = zermelo("compare", "connect-four", "--set", "height=2", "--set", "run=3", "--vary", "width=2,3", *QUICK)
    assert done.code == 0
    assert "impossible" in done.out.splitlines()[1]
    assert "draw" in done.out.splitlines()[2]
    assert "width=2: connect-four: a run of 3 on 2 wide" in done.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--vary", "empty_captur=on"), "kalah has no parameter empty_captur: did you mean empty_capture?"),
        (("--vary", "pits"), "--vary takes NAME=VALUE,VALUE, such as --vary width=4,5, not 'pits'"),
        (("--vary", "pits=1,,2"), "--vary takes NAME=VALUE,VALUE"),
        (("--vary", "pits=1", "--vary", "pits=2"), "--vary names pits twice"),
        (("--vary", "stones=1"), "stones is both set and varied"),
        (("--vary", "pits=1", "--method", "mtdg"), "no method is called mtdg"),
        ((), "missing option '--vary'"),
    ],
)
def test_bad_input_is_one_sentence(zermelo, arguments, sentence):
    done = zermelo(*SMALL, *arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_ctrl_c_prints_the_rows_that_are_done(terminal):
    arguments = ("--vary", "width=3,7", "--set", "run=3", "--set", "height=6", "--no-proof", *QUICK)
    started = terminal("compare", "connect-four", *arguments, "--method", "minimax")
    started.wait_for("searching")
    started.process.send_signal(signal.SIGINT)
    done = started.finish()
    assert done.code == 130
    assert "stopped by Ctrl-C" in done.out
    assert "Traceback" not in done.err


def test_difficulty_for_people(zermelo):
    done = zermelo("solve", "tic-tac-toe", "--position", "a1 b1", "--difficulty", *QUICK)
    assert done.code == 0
    assert "turn  to move        move  keep the value  of" in done.out
    for label in ("only moves", "luck", "proof", "shallow search"):
        assert f"\n{label}" in done.out


def test_difficulty_for_machines(zermelo):
    told = zermelo("solve", "tic-tac-toe", "--position", "a1 b1", "--difficulty", "--json", *QUICK).json
    hard = told["difficulty"]
    assert [turn["move"] for turn in hard["turns"]] == told["line"]
    assert hard["turns"][0]["keeping"] == len(told["best"])
    assert hard["proof"] > 0
    assert 1 <= hard["depth"] <= hard["searched"]
    assert set(hard) == {"turns", "only_moves", "luck", "proof", "depth", "searched", "stopped"}
    assert "difficulty" not in zermelo("solve", "tic-tac-toe", "--position", "a1 b1", "--json", *QUICK).json


def test_difficulty_of_what_is_not_solved(zermelo):
    unsolved = ("solve", "tic-tac-toe", "--depth", 2, "--difficulty", *QUICK)
    assert "How difficult it is can be told of solved positions only." in zermelo(*unsolved).out
    assert zermelo(*unsolved, "--json").json["difficulty"] is None
