"""Bad input: one line that says what was wrong and what would be right, exit code 2, never a traceback."""

from __future__ import annotations

import pytest

QUICK = ("--mode", "interpreted", "--memory", "1MB")
CASES = {
    "unknown game": (["solve", "connect-fuor"], "connect-fuor", "connect-four"),
    "unknown command": (["slove"], "slove", "solve"),
    "unknown option": (["solve", "tic-tac-toe", "--sett", "rows=3"], "--sett", "--set"),
    "no game": (["solve"], "GAME", "zermelo solve --help"),
    "no number of an option": (["search", "othello", "--variety", "abc"], "'--variety': a number is wanted", "--help"),
    "no whole number": (["search", "tic-tac-toe", "--nodes", "1.5"], "'--nodes': a whole number is wanted", "--help"),
    "too much": (["solve", "tic-tac-toe", "othello"], "othello", "--help"),
    "unknown parameter": (["solve", "connect-four", "--set", "widht=5"], "widht", "width"),
    "impossible size": (["solve", "connect-four", "--set", "width=50"], "50", "64"),
    "no number": (["solve", "connect-four", "--set", "width=wide"], "'wide'", "a whole number"),
    "set without =": (["solve", "connect-four", "--set", "nonsense"], "'nonsense'", "NAME=VALUE"),
    "set without a name": (["solve", "connect-four", "--set", "=5"], "'=5'", "NAME=VALUE"),
    "a missing parameter": (["solve", "graph"], "file", "--set file="),
    "illegal move": (["solve", "tic-tac-toe", "--position", "a1 a1"], "move 2: 'a1'", "legal: b1"),
    "illegal move in a row": (["solve", "connect-four", "--position", "4x"], "move 2 of 4x", "legal: 1"),
    "no position": (["solve", "tic-tac-toe", "--position", "XXX"], "XXX", "9 cells"),
    "unknown method": (["solve", "tic-tac-toe", "--method", "alfabeta"], "alfabeta", "alphabeta"),
    "unknown engine": (["search", "tic-tac-toe", "--method", "randon"], "randon", "random"),
    "random does not solve": (["solve", "tic-tac-toe", "--method", "random"], "random", "to search or to play"),
    "malformed request": (["solve", "tic-tac-toe", "--method", "mtdf(memory=1GB"], "mtdf(memory=1GB", "such as"),
    "setting of the wrong type": (["search", "tic-tac-toe", "--with", "etc=maybe"], "maybe", "on or off"),
    "unknown setting": (["search", "tic-tac-toe", "--with", "ect=on"], "ect", "etc"),
    "unknown order": (["solve", "tic-tac-toe", "--order", "kilers"], "kilers", "killers"),
    "unknown mode": (["solve", "tic-tac-toe", "--mode", "fast"], "fast", "compiled"),
    "unknown side": (["play", "tic-tac-toe", "--side", "third"], "third", "second"),
    "too much memory": (["solve", "tic-tac-toe", "--memory", "9999TB"], "does not fit", "machine has"),
    "no memory size": (["solve", "tic-tac-toe", "--memory", "lots"], "'lots'", "512MB"),
    "no time": (["solve", "tic-tac-toe", "--seconds", "0"], "seconds", "above 0"),
    "no number of seconds": (["solve", "tic-tac-toe", "--seconds", "soon"], "--seconds", "number"),
    "no threads": (["solve", "tic-tac-toe", "--threads", "0"], "threads", "at least 1"),
    "no such score": (["solve", "tic-tac-toe", *QUICK, "--at-least", "5"], "5", "between -1 and 1"),
    "positions and a claim": (
        ["solve", "tic-tac-toe", *QUICK, "--at-least", "0", "--positions", "x.txt"], "--at-least", "--positions",
    ),
    "too deep": (["perft", "tic-tac-toe", "99"], "99", "0 to 9"),
    "no file": (["solve", "nowhere.json"], "nowhere.json", "no file"),
    "no module": (["solve", "nowhere_at_all:game"], "nowhere_at_all", "must be in this folder"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_bad_input(zermelo, case):
    arguments, wrong, right = CASES[case]
    done = zermelo(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("zermelo: ")
    assert done.err.count("\n") == 1
    assert wrong in done.err
    assert right in done.err


def test_json_leaves_stdout_empty_on_errors(zermelo):
    done = zermelo("solve", "connect-fuor", "--json")
    assert (done.code, done.out) == (2, "")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{nope", "not JSON"),
        ({"root": "A", "nodes": {"A": {"turn": "max", "moves": ["Z"]}}}, "Z"),
        ({"nodes": {}}, "nodes"),
    ],
)
def test_malformed_graph_file(zermelo, graph, content, message):
    done = zermelo("solve", graph(content))
    assert done.code == 2
    assert done.err.startswith("zermelo: small.json: ")
    assert message in done.err


def test_a_users_module_that_fails(zermelo, nim):
    broken = nim("nim_import", "1 / 0\n")
    assert "ZeroDivisionError" in zermelo("solve", broken).err
    unscored = nim("nim_no_score", "")
    assert zermelo("solve", unscored).code == 2
    assert "SCORE" in zermelo("solve", unscored).err
    nameless = zermelo("solve", nim("nim_fine").replace(":nim", ":nin"))
    assert "did you mean nim?" in nameless.err


def test_an_exception_in_a_users_factory_names_its_line(zermelo, nim):
    spec = nim("nim_factory", "def broken():\n    return 1 / 0\n").replace(":nim", ":broken")
    done = zermelo("solve", spec)
    assert (done.code, done.err) == (
        2,
        "zermelo: ZeroDivisionError: division by zero (nim_factory.py, line 2)\n",
    )


def test_a_mistake_of_this_program_is_not_hidden(monkeypatch):
    from zermelo.cli import main

    monkeypatch.setattr("zermelo.compile.cache.usage", lambda: None)
    with pytest.raises(AttributeError):
        main(["cache"])


def test_a_closed_pipe_ends_quietly(process):
    code = (
        "import os, sys\n"
        "from zermelo.cli import main\n"
        "read, write = os.pipe()\n"
        "os.close(read)\n"
        "os.dup2(write, 1)\n"
        "main(sys.argv[1:])\n"
    )
    for arguments in (["games"], ["--help"], ["games", "--json"], ["perft", "tic-tac-toe", "1"]):
        done = process(*arguments, code=code)
        assert (done.code, done.err) == (1, "")
