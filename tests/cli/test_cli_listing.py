"""Lists, help, the version and completion: what answers without a search."""

from __future__ import annotations

import json

import pytest

from zermelo import __version__, games

COMMANDS = ("games", "methods", "solve", "search", "play", "perft", "check", "warmup", "cache", "bench")


def test_games_are_listed(zermelo):
    done = zermelo("games")
    assert done.code == 0
    for name in games.names():
        assert name in done.out
    assert "width=7 height=6 run=4 distance=off" in done.out
    assert "repetition: draw" in done.out


def test_games_as_json(zermelo):
    listed = {entry["name"]: entry for entry in zermelo("games", "--json").json["games"]}
    assert set(listed) == set(games.names())
    four = listed["connect-four"]
    assert four["parameters"] == {"width": 7, "height": 6, "run": 4, "distance": False}
    assert four["summary"].startswith("Connect Four on any board")
    assert four["traits"]["values"] == [-1, 1]
    helpful = ["key", "symmetry", "order", "bounds", "candidates", "pick", "index", "unindex", "tiers"]
    assert four["traits"]["hooks"] == helpful
    assert listed["graph"]["parameters"] == {"file": None}
    assert listed["graph"]["traits"] is None


def test_methods_are_listed(zermelo):
    done = zermelo("methods")
    assert "Knuth and Moore 1975" in done.out
    assert "random" in done.out
    listed = {entry["name"]: entry for entry in zermelo("methods", "--json").json["methods"]}
    assert set(listed) >= {"alphabeta", "boolean", "minimax", "mtdf", "negamax", "negascout"}
    assert "probes" in listed["star2.5"]["settings"]
    assert "probes" not in listed["mtdf"]["settings"]
    assert (listed["star1"]["chance"], listed["mtdf"]["chance"]) == (True, False)


def test_version(zermelo):
    assert zermelo("--version").out == f"zermelo {__version__}\n"


def test_help(zermelo):
    done = zermelo("--help")
    assert done.code == 0
    assert zermelo().out == done.out
    for command in COMMANDS:
        assert f"\n  {command} " in done.out
        helped = zermelo(command, "--help")
        assert helped.code == 0
        assert helped.out.startswith(f"Usage: zermelo {command}")


@pytest.mark.parametrize("command", ["search", "play", "match"])
def test_help_tells_how_books_and_tables_are_used(zermelo, command):
    told = zermelo(command, "--help").out
    assert "--variety P" in told
    assert "--table-memory SIZE" in told


@pytest.mark.parametrize("arguments", [["--help"], ["solve", "--help"], ["--version"]])
def test_help_waits_for_nothing_heavy(process, arguments):
    code = (
        "import atexit, json, sys\n"
        "atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"
        "from zermelo.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    done = process(*arguments, code=code)
    assert done.code == 0
    imported = set(json.loads(done.err))
    assert not imported & {"numba", "numpy", "rich", "zermelo.rules", "zermelo.core"}


def test_lists_do_not_wait_for_the_compiler(process):
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('numba' in sys.modules, file=sys.stderr))\n"
        "from zermelo.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    assert process("games", code=code).err == "False\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("zermelo solve conn", {"connect-four"}),
        ("zermelo solve kalah --method m", {"mcts", "minimax", "mopn", "mtdf"}),
        ("zermelo search kalah --method ra", {"random"}),
        ("zermelo solve kalah --set p", {"pits="}),
    ],
)
def test_completion(process, words, expected):
    env = {
        "_ZERMELO_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    assert set(process(env=env).out.split()) == expected
