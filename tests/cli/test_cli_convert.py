"""The command convert: games from one format into another, and what it refuses."""

from __future__ import annotations

from pathlib import Path

GAME = '[White "A"]\n[Black "B"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'


def test_there_and_back(zermelo, tmp_path: Path) -> None:
    given, plain, back = tmp_path / "a.pgn", tmp_path / "b.txt", tmp_path / "c.pgn"
    given.write_text(GAME)
    assert zermelo("convert", "chess", given, plain).out == f"1 game written to {plain}\n"
    assert "f2f3 e7e5 g2g4 d8h4\nresult: -1, by the rules" in plain.read_text()
    told = zermelo("convert", "chess", plain, back, "--json").json
    assert (told["games"], told["plies"]) == (1, 4)
    assert "1. f3 e5 2. g4 Qh4# 0-1" in back.read_text()


def test_what_is_refused(zermelo, tmp_path: Path) -> None:
    given, plain = tmp_path / "a.pgn", tmp_path / "b.txt"
    given.write_text("1. e4 e5 2. Ke3 *")
    refused = zermelo("convert", "chess", given, plain)
    assert refused.code == 2
    assert "a.pgn: game 1: line 1, move 2. Ke3: 'Ke3' is not a legal move here" in refused.err
    assert not plain.exists()
    assert "PGN holds games of chess, not of hex" in zermelo("convert", "hex", given, plain).err
    match = zermelo("match", "chess", "random", "random", "--games", 2, "--record", given)
    assert match.code == 2
    assert "and make .pgn of it with zermelo convert" in match.err
