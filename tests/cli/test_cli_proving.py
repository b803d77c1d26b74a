"""The commands prove, verify and explain: what they print, and how they end."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import COMMAND, Outcome, Runner
from zermelo import games
from zermelo.certificates.proving import prove

Graph = Callable[..., str]

DRAWN = {
    "root": "A",
    "repetition": "draw",
    "nodes": {
        "A": {"turn": "max", "moves": ["B", "C"]},
        "B": {"turn": "min", "moves": ["A", "D"]},
        "C": {"value": -1},
        "D": {"value": 1},
    },
}


def fails(outcome: Outcome, code: int, *words: str) -> None:
    """Bad input is met with one line, no traceback, and nothing on stdout."""
    assert outcome.code == code
    assert outcome.out == ""
    assert outcome.err.startswith("zermelo: ")
    assert outcome.err.count("\n") == 1
    for word in words:
        assert word in outcome.err


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A certificate of the exact value of tic-tac-toe."""
    file = tmp_path_factory.mktemp("proof") / "ttt.proof"
    prove(games.tic_tac_toe(), spec="tic-tac-toe", mode="interpreted").save(file)
    return str(file)


def test_prove_then_verify(zermelo: Runner, tmp_path: Path) -> None:
    file = tmp_path / "c4.proof"
    made = zermelo(
        "prove", "connect-four", "--set", "width=4", "--set", "height=3", "--at-most", 0, "--mode", "interpreted",
        "--out", file,
    )  # fmt: skip
    assert made.code == 0
    assert "proved     the first player scores at most 0\n" in made.out
    assert f"file       {file}, " in made.out
    checked = zermelo("verify", file, "--mode", "interpreted")
    assert checked.code == 0
    assert "connect-four(width=4, height=3, run=4, distance=False)" in checked.out
    assert "claim      the first player scores at most 0\n" in checked.out
    assert "verdict    holds\n" in checked.out
    assert f"size       {file.stat().st_size:,} bytes" in checked.out


def test_json(zermelo: Runner, tmp_path: Path) -> None:
    file = tmp_path / "a.proof"
    made = zermelo("prove", "tic-tac-toe", "--mode", "interpreted", "--json", "--out", file).json
    assert made["claims"] == [["at least", 0], ["at most", 0]]
    assert made["game_positions"] in (4520, None)  # a slow machine stops counting
    assert made["bytes"] == file.stat().st_size
    found = zermelo("verify", file, "--mode", "interpreted", "--json").json
    assert (found["holds"], found["positions"], found["longest"]) == (True, made["positions"], 9)
    assert found["claim"] == "the first player scores exactly 0"


@pytest.mark.slow
def test_small(zermelo: Runner, tmp_path: Path) -> None:
    arguments = ("prove", "tic-tac-toe", "--at-least", 0, "--mode", "interpreted", "--json", "--out", tmp_path / "x")
    assert zermelo(*arguments, "--small").json["positions"] < zermelo(*arguments).json["positions"]


def test_from_a_position(zermelo: Runner, tmp_path: Path) -> None:
    file = tmp_path / "a.proof"
    zermelo("prove", "tic-tac-toe", "--position", "XX- OO- ---", "--mode", "interpreted", "--out", file)
    checked = zermelo("verify", file, "--mode", "interpreted")
    assert "X X ." in checked.out
    assert "the first player scores exactly 1" in checked.out


def test_a_graph_file_with_a_cycle(zermelo: Runner, graph: Graph, tmp_path: Path) -> None:
    game, file = graph(DRAWN), tmp_path / "a.proof"
    assert zermelo("prove", game, "--at-least", 0, "--out", file).code == 0
    Path(game).unlink()
    checked = zermelo("verify", file)
    assert checked.code == 0
    assert "holds" in checked.out
    line = zermelo("explain", file).out
    assert "loops satisfy the claim" in line or "as claimed" in line


def test_a_game_of_ones_own(zermelo: Runner, nim: Callable[..., str], tmp_path: Path) -> None:
    game, file = nim("proved_nim"), tmp_path / "a.proof"
    assert zermelo("prove", game, "--set", "stones=6", "--out", file).code == 0
    assert zermelo("verify", file, "--game", game, "--set", "stones=6").code == 0
    assert zermelo("explain", file, "--game", tmp_path / "proved_nim.py", "--set", "stones=6").code == 0
    for command in ("verify", "explain"):
        fails(zermelo(command, file), 2, "'proved_nim:nim'", "--game", "--set")
        fails(zermelo(command, file, "--set", "stones=6"), 2, "--set goes with --game")
        fails(zermelo(command, file, "--game", game), 2, "nim(stones=5) are not those")


def test_changed_rules(zermelo: Runner, nim: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "a.proof"
    zermelo("prove", nim("changed_nim"), "--at-least", 1, "--out", file)
    changed = (tmp_path / "changed_nim.py").read_text().replace("for n in (1, 2, 3)", "for n in (1, 2)")
    (tmp_path / "changed_nim.py").write_text(changed)
    sys.modules.pop("changed_nim", None)
    own = ("verify", file, "--game", "changed_nim:nim")
    fails(zermelo(*own), 2, "not those that the certificate was made with", "--anyway")
    checked = zermelo(*own, "--anyway")
    assert checked.code in (0, 1)
    assert "rules      not those that the certificate was made with\n" in checked.out


def test_a_proof_that_fails(zermelo: Runner, proof: str) -> None:
    checked = zermelo("verify", proof, "--anyway", "--set", "run=2", "--game", "tic-tac-toe", "--mode", "interpreted")
    assert checked.code == 1
    assert "verdict    fails\n" in checked.out
    assert "fails at   " in checked.out
    assert "why        " in checked.out


def test_damaged_and_foreign_files(zermelo: Runner, proof: str, tmp_path: Path) -> None:
    data = Path(proof).read_bytes()
    changed = tmp_path / "changed"
    changed.write_bytes(data[:200] + bytes([data[200] ^ 1]) + data[201:])
    fails(zermelo("verify", changed), 2, "is damaged", "checksum")
    changed.write_bytes(data[:-10])
    fails(zermelo("verify", changed), 2, "is damaged")
    changed.write_text("something else")
    fails(zermelo("verify", changed), 2, "is not a certificate of Zermelo")
    fails(zermelo("verify", tmp_path / "nothing"), 2, "cannot be read: No such file")
    fails(zermelo("explain", changed), 2, "is not a certificate of Zermelo")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--at-least", "2"), "scores lie between -1 and 1, not at 2"),
        (
            ("--at-least", "1"),
            "it is not true that the first player scores at least 1: the first player scores at most 0",
        ),
        (
            ("--at-most", "-1"),
            "it is not true that the first player scores at most -1: the first player scores at least 0",
        ),
        (("--at-least", "0", "--at-most", "0"), "not both"),
        (("--method", "astrology"), "no method is called astrology"),
        (("--memory", "much"), "a memory size is a number and a unit"),
        (("--at-least", "0", "--method", "pn", "--memory", "10"), "bytes"),
    ],
)
def test_bad_input(zermelo: Runner, tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    out = tmp_path / "a.proof"
    fails(zermelo("prove", "tic-tac-toe", *arguments, "--mode", "interpreted", "--out", out), 2, words)
    assert not out.exists()


def test_a_file_that_cannot_be_written(zermelo: Runner, tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "a.proof"
    fails(
        zermelo("prove", "tic-tac-toe", "--at-least", -1, "--mode", "interpreted", "--out", out), 2, "cannot be written"
    )


def test_chance_is_refused(zermelo: Runner, graph: Graph, tmp_path: Path) -> None:
    coin = {
        "root": "A",
        "nodes": {"A": {"turn": "chance", "moves": {"B": 1, "C": 1}}, "B": {"value": 1}, "C": {"value": 0}},
    }
    fails(zermelo("prove", graph(coin), "--out", tmp_path / "x"), 2, "has chance positions")


def test_a_limit_writes_nothing(zermelo: Runner, tmp_path: Path) -> None:
    out = tmp_path / "a.proof"
    stopped = zermelo("prove", "tic-tac-toe", "--at-least", 0, "--nodes", 5, "--mode", "interpreted", "--out", out)
    assert stopped.code == 1
    assert "nothing was written" in stopped.out
    assert not out.exists()


def test_explain_prints_the_longest_defence(zermelo: Runner, proof: str) -> None:
    told = zermelo("explain", proof, "--side", "second")
    assert told.code == 0
    assert "Claim: the first player scores at most 0." in told.out
    assert "  9  opponent" in told.out
    assert "as claimed" in told.out


def test_explain_draws(zermelo: Runner, proof: str, tmp_path: Path) -> None:
    told = zermelo("explain", proof, "--dot", tmp_path / "a.dot", "--svg", tmp_path / "a.svg", "--depth", 2)
    assert told.code == 0
    assert (tmp_path / "a.dot").read_text().startswith("digraph proof {")
    assert (tmp_path / "a.svg").read_text().endswith("</svg>")
    fails(zermelo("explain", proof, "--dot", tmp_path / "no" / "a.dot"), 2, "cannot be written")
    fails(zermelo("explain", proof, "--dot", tmp_path / "a.dot", "--depth", 0), 2, "at least 1, not 0")


def test_explain_as_a_dialogue(proof: str) -> None:
    """On a terminal the reader chooses replies, goes back, and leaves."""
    master, slave = pty.openpty()
    started = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "explain", proof, "--side", "second"],
        stdin=slave, stdout=slave, stderr=slave, env={**os.environ, "TERM": "dumb"},
    )  # fmt: skip
    os.close(slave)
    os.write(master, b"b2\nxyz\n1\nback\n\nquit\n")
    seen = ""
    while True:
        try:
            piece = os.read(master, 4096).decode(errors="replace")
        except OSError:
            break
        if not piece:
            break
        seen += piece
    assert started.wait(60) == 0
    os.close(master)
    assert "the claimant plays" in seen
    assert "xyz is no reply here" in seen
    assert "the longest defence takes 9 more moves" in seen


def test_verify_says_it_in_one_object_when_it_fails(zermelo: Runner, proof: str) -> None:
    checked = zermelo(
        "verify", proof, "--anyway", "--set", "run=2", "--game", "tic-tac-toe", "--mode", "interpreted", "--json"
    )
    assert checked.code == 1
    found = json.loads(checked.out)
    assert found["holds"] is False
    assert found["fails_at"]
    assert found["why"]
