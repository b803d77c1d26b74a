"""Games in files of one's own: nim.py, nim.py:nim and nim:nim are the same game, wherever the file lies."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from conftest import NIM, Outcome, Runner
from marks import slow
from zermelo import games
from zermelo.rules import UnknownName
from zermelo.rules.modules import factories, module_in

COUNTING = '''
from zermelo.rules import ONGOING, Game, Unsuitable, i8, rule, struct
from board import LENGTH

@rule
def longer(s):
    return s.plies < LENGTH

def helper(s) -> int:
    return 1

def count(extra: int = 0) -> Game:
    State = struct(plies=i8)
    @rule
    def moves(s, out):
        out[0] = 0
        return 1
    @rule
    def play(s, move):
        s.plies += 1
    @rule
    def result(s):
        return ONGOING if longer(s) else 1
    return Game(name="count", State=State, start=State(), moves=moves, play=play, result=result, max_moves=1,
                max_plies=LENGTH + extra)
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    return tmp_path


def place(folder: Path, text: str = "SCORE = 1\n" + NIM, name: str = "nim.py") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(text)
    return file


def fails(outcome: Outcome, *words: str) -> None:
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("zermelo: ")
    assert outcome.err.count("\n") == 1
    for word in words:
        assert word in outcome.err


@pytest.mark.parametrize("name", ["my games/deep er/nim.py", "über/nim-2.py", *slow("nim.py", "1/2.py")])
def test_a_file_is_a_game(zermelo: Runner, folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = place((folder / name).parent, name=Path(name).name)
    monkeypatch.setenv("HOME", str(folder))
    for written in (name, f"{name}:nim", f"./{name}", str(file), f"{file}:nim", f"~/{name}", f"~/{name}:nim"):
        found = zermelo("solve", written, "--set", "stones=6", "--json").json
        assert (found["game"], found["parameters"], found["value"]) == ("nim", {"stones": 6}, 1)
    assert not list(folder.rglob("__pycache__"))


@pytest.mark.slow
def test_every_command_takes_a_file(zermelo: Runner, folder: Path) -> None:
    place(folder / "a")
    for arguments in (
        ("search", "a/nim.py"), ("check", "a/nim.py"), ("perft", "a/nim.py", "3"), ("warmup", "a/nim.py"),
        ("compare", "a/nim.py", "--vary", "stones=3,4"), ("proof-graph", "a/nim.py"), ("play", "a/nim.py"),
        ("prove", "a/nim.py", "--out", "p"), ("verify", "p", "--game", "a/nim.py"),
        ("explain", "p", "--game", "a/nim.py"),
    ):  # fmt: skip
        assert zermelo(*arguments).code == 0, arguments


def test_what_lies_beside_can_be_imported(zermelo: Runner, folder: Path) -> None:
    """Two folders with files of the same names are two games."""
    for name, length in (("a", 3), ("b", 5)):
        place(folder / name, COUNTING, "count.py")
        place(folder / name, f"LENGTH = {length}\n", "board.py")
    for name, length in (("a", 3), ("b", 5), ("a", 3)):
        for mode in ("interpreted", "compiled"):
            found = zermelo("solve", f"{name}/count.py", "--method", "negamax", "--mode", mode, "--json").json
            assert len(found["line"]) == length, (name, mode)
    assert games.load("a/count.py").max_plies == 3


def test_a_file_that_was_changed_is_another_game(folder: Path) -> None:
    place(folder, COUNTING, "count.py")
    place(folder, "LENGTH = 4\n", "board.py")
    assert games.load("count.py").max_plies == 4
    assert module_in("count.py") is module_in(str(folder / "count.py"))
    place(folder, COUNTING.replace("LENGTH + extra", "LENGTH + 9    "), "count.py")
    assert games.load("count.py").max_plies == 13


def test_names_of_the_standard_library(zermelo: Runner, folder: Path) -> None:
    place(folder / "a", name="random.py")
    place(folder / "a", name="numpy.py")
    import random

    assert zermelo("solve", "a/random.py").code == 0
    assert zermelo("solve", "a/numpy.py").code == 0
    assert sys.modules["random"] is random


def test_only_functions_that_make_games_are_factories(folder: Path) -> None:
    place(folder, "LENGTH = 4\n", "board.py")
    place(folder, COUNTING, "count.py")
    assert factories(module_in("count.py")) == ["count"]
    place(folder, "from zermelo.rules import Game, build, rule, struct\nfrom zermelo.games.hex import hex\n"
          "def one():\n    pass\ndef two(a, b=1):\n    pass\ndef _three():\n    pass\ndef four() -> int:\n    pass\n"
          "class Five:\n    pass\nsix = 6\n@rule\ndef seven(s):\n    pass\n", "several.py")  # fmt: skip
    assert factories(module_in("several.py")) == ["one", "two"]
    quoted = "import zermelo.rules as r\ndef one() -> 'r.Game':\n    pass\ndef two():\n    pass\n"
    place(folder, quoted, "quoted.py")
    assert factories(module_in("quoted.py")) == ["one"]
    place(folder, "from __future__ import annotations\n" + quoted, "later.py")
    assert factories(module_in("later.py")) == ["one"]


def test_which_factory(zermelo: Runner, folder: Path) -> None:
    place(folder, "def chess():\n    pass\ndef shogi():\n    pass\n", "two.py")
    fails(zermelo("solve", "two.py"), "two.py has several factories, chess, shogi", "two.py:chess")
    fails(zermelo("solve", "two.py:ches"), "two.py has no factory ches: did you mean chess?")
    fails(zermelo("solve", "two:ches"), "two has no factory ches: did you mean chess?")
    place(folder, "from zermelo.rules import *\nx = 1\n", "none.py")
    fails(zermelo("solve", "none.py"), "none.py has no factory: a function that returns a Game")
    fails(zermelo("solve", "none.py:x"), "none.py has no factory x: there is none")
    place(folder, "from zermelo.rules import struct, rule, Game\nfrom os import system\ndef nim() -> Game:\n    pass\n")
    for wrong in ("strukt", "rul", "systm", "gam", "nin", "xyz", "Nim"):
        outcome = zermelo("solve", f"nim.py:{wrong}")
        fails(outcome, f"nim.py has no factory {wrong}: ", "nim")
        assert not {"struct?", "rule?", "system?", "Game?"} & set(outcome.err.split())


def test_files_that_are_no_games(zermelo: Runner, folder: Path) -> None:
    place(folder)
    place(folder, "1 / 0\n", "raises.py")
    place(folder, "def f(:\n", "syntax.py")
    place(folder, "import sys\nsys.exit(3)\n", "leaves.py")
    place(folder, "import not_there\n", "lacks.py")
    place(folder, "x", "notes.txt")
    (folder / "folder.py").mkdir()
    fails(zermelo("solve", "nmi.py"), "there is no file nmi.py: did you mean nim.py?")
    fails(zermelo("solve", "a/b/nim.py:nim"), "there is no file a/b/nim.py")
    fails(zermelo("solve", "raises.py"), "raises.py cannot be imported: ZeroDivisionError: division by zero")
    fails(zermelo("solve", "syntax.py"), "syntax.py cannot be imported: SyntaxError", "line 1")
    fails(zermelo("solve", "leaves.py"), "leaves.py cannot be imported: SystemExit: 3")
    fails(zermelo("solve", "lacks.py"), "lacks.py cannot be imported: No module named 'not_there'")
    fails(zermelo("solve", "folder.py"), "folder.py cannot be read: Is a directory")
    for neither in ("./notes.txt", "notes.txt", "a/nim", "./nim:nim", "a/", "/", "../nim.pyc"):
        fails(zermelo("solve", neither), f"{neither} is no game", "nim.py:factory", "nim.json")
    fails(zermelo("solve", "a/small.json"), "there is no file a/small.json")


def test_nothing_half_imported_stays(folder: Path) -> None:
    file = place(folder, "x = 1\n1 / 0\n", "raises.py")
    before = set(sys.modules)
    with pytest.raises(UnknownName):
        games.load(os.fspath(file))
    assert set(sys.modules) == before


def test_a_certificate_does_not_tell_the_folder(zermelo: Runner, folder: Path) -> None:
    place(folder / "secret")
    assert zermelo("prove", "secret/nim.py", "--out", "p").code == 0
    assert b"secret" not in (folder / "p").read_bytes()
    assert zermelo("verify", "p", "--game", "secret/nim.py:nim").code == 0
    fails(zermelo("verify", "p"), "'nim.py'", "--game")
