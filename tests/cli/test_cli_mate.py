"""`zermelo mate`: what it prints, as text and as JSON, the certificate that it writes, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Runner

SHORT = ("mate", "dobutsu", "--position", "l2/3/1L1/G1+C[CEEg] w", "--mode", "interpreted")


def test_a_mate(zermelo: Runner) -> None:
    told = zermelo(*SHORT)
    assert (told.code, told.err) == (0, "")
    assert "status    won in 5 plies, which is the shortest way" in told.out


@pytest.mark.slow
def test_json_and_a_certificate(zermelo: Runner, tmp_path: Path) -> None:
    file = tmp_path / "proof"
    told = zermelo(*SHORT, "--certificate", file, "--json").json
    assert (told["status"], told["plies"], len(told["line"]), told["subgame"]) == ("won", 5, 5, "mate")
    assert told["certificate"] == str(file)
    assert told["bytes"] == file.stat().st_size
    assert zermelo("verify", file, "--mode", "interpreted", "--json").json["holds"] is True


def test_what_is_not_known(zermelo: Runner, tmp_path: Path) -> None:
    asked = zermelo("mate", "dobutsu", "--certificate", tmp_path / "none", "--json")
    told = asked.json
    assert (told["status"], told["plies"], told["stopped"]) == ("unknown", None, None)
    assert (asked.code, told["certificate"], told["unwritten"]) == (1, None, "no win was found that could be proved")
    assert not (tmp_path / "none").exists()
    stopped = zermelo(*SHORT, "--nodes", "2")
    assert "unknown: stopped by the limit of nodes" in stopped.out


def test_bad_input(zermelo: Runner) -> None:
    for arguments, words in {
        ("hex",): "hex declares no sub-games",
        ("dobutsu", "--subgame", "mte"): "no sub-game called mte: did you mean mate?",
        ("dobutsu", "--nodes", "0"): "the limit of nodes must be at least 1, not 0",
        ("dobutsu", "--position", "1L1/3/3/3[-] b"): "the game is over",
    }.items():
        told = zermelo("mate", *arguments)
        assert told.code == 2
        assert words in told.err
        assert told.err.count("\n") == 1
