"""Lists of moves as engines are told them: what python-chess writes is read, what is written reads back."""

from __future__ import annotations

import random
from pathlib import Path

import chess as oracle
import pytest

from zermelo import games
from zermelo.play.ending import Ending, Why
from zermelo.play.formats import format_of, move_lists, ucci, uci, usi
from zermelo.play.game_files import read_games
from zermelo.play.record import Record, append_record, read_records, write_records
from zermelo.rules import Game, Unsuitable

CHESS, SHOGI, MINI, XIANGQI = games.chess(), games.shogi(), games.minishogi(), games.xiangqi()
ITALIAN = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"]
ENDING = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
MINI_START = "rbsgk/4p/5/P4/KGSBR b - 1"


@pytest.mark.parametrize(
    ("game", "line", "moves"),
    [
        (CHESS, "e2e4 e7e5 g1f3", ITALIAN[:3]),
        (CHESS, "e4 e5 Nf3", ITALIAN[:3]),
        (CHESS, "startpos moves e2e4 e7e5", ITALIAN[:2]),
        (CHESS, "position startpos moves e2e4 e7e5  # open", ITALIAN[:2]),
        (CHESS, "position startpos", []),
        (CHESS, f"position fen {ENDING} moves a7a8q e8d7", ["a7a8q", "e8d7"]),
        (CHESS, f"{ENDING} moves a7a8q", ["a7a8q"]),
        (SHOGI, "position startpos moves 7g7f 3c3d 8h2b+", ["7g7f", "3c3d", "8h2b+"]),
        (SHOGI, "c3c4 g7g6", ["7g7f", "3c3d"]),
        (MINI, f"position sfen {MINI_START} moves 5e4d", ["5e4d"]),
        (XIANGQI, "position startpos moves h2e2 h9g7", ["h2e2", "h9g7"]),
        (XIANGQI, "h3e3 h10g8", ["h2e2", "h9g7"]),
        (games.connect_four(), "44 5, result: -1", ["4", "4", "5"]),
        (games.connect_four(), "position startpos moves 4 4", ["4", "4"]),
    ],
)
def test_what_a_line_may_hold(tmp_path: Path, game: Game, line: str, moves: list[str]) -> None:
    file = tmp_path / "l.txt"
    file.write_text(f"\n# a comment\n{line}\n\n")
    [record] = read_records(file, game)
    assert record.position.history() == moves
    [played] = read_games(file, game)
    assert played.position == record.position
    assert played.score == (-1 if "result" in line else None)


@pytest.mark.parametrize(
    ("form", "ending", "first"),
    [(uci, "uci", "position startpos moves c3c4"), (usi, "usi", "position startpos moves 7g7f")],
)
def test_squares_are_those_of_the_protocol(form: object, ending: str, first: str, tmp_path: Path) -> None:
    file, record = tmp_path / f"l.{ending.upper()}", Record(SHOGI.position("7g7f"))
    assert format_of(file) is form
    write_records(file, [record])
    assert file.read_text() == f"{first}\n"
    append_record(file, record)
    assert [one.position for one in read_records(file, SHOGI)] == [record.position] * 2


CASES = {
    "chess": (CHESS, ENDING), "shogi": (SHOGI, ""), "minishogi": (MINI, ""),
    "xiangqi": (XIANGQI, "3ak4/9/9/9/9/9/9/9/4A4/R3K4 b - - 0 1"), "dobutsu": (games.dobutsu(), ""),
    "othello": (games.othello(rows=6, cols=6), ""), "go": (games.go(), ".X.../X..../...../...O./..... b - 0 0"),
    "breakthrough": (games.breakthrough(), ""), "backgammon": (games.backgammon(), ""), "hex": (games.hex(), ""),
}  # fmt: skip


@pytest.mark.parametrize("form", [uci, usi, ucci], ids=["uci", "usi", "ucci"])
@pytest.mark.parametrize("case", CASES)
def test_what_is_written_reads_back(form: object, case: str) -> None:
    game, start = CASES[case]
    chance = random.Random(case)
    position = game.position(start)
    for _ in range(30):
        if position.result is not None:
            break
        position = position.play(chance.choice(position.codes))
    record = Record(position, began=start)
    text = form.write([record, record])  # type: ignore[attr-defined]
    assert len(text.splitlines()) == 2
    for again in form.read(text, game):  # type: ignore[attr-defined]
        assert again.position.history() == position.history()
        assert again.replay()[0] == record.replay()[0]
        assert again.ending == (None if position.result is None else Ending.of(position, Why.RULES))


def test_python_chess_plays_what_is_written() -> None:
    [line] = uci.write([Record(CHESS.position("e4 e5 Nf3 Nc6 Bc4"))]).splitlines()
    board = oracle.Board()
    for word in line.removeprefix("position startpos moves ").split():
        board.push_uci(word)
    assert [move.uci() for move in board.move_stack] == ITALIAN


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("e2e4\n\n# two\nd2d4 e7e4", r"l.txt: game 2 \(line 4\): move 2: 'e7e4' is not a legal move here; legal: "),
        ("position startpos moves e4 e5 Ke3", r"game 1 \(line 1\): move 3: 'Ke3' is not a legal move"),
        ("position fen 8/8/8/8/8/8/8/4K3 w moves e1e2", r"game 1 \(line 1\): Black has no king"),
        ("f2f3 e7e5 g2g4 d8h4 a2a3", "move 5, a2a3, cannot be played: the game is over"),
        ("f2f3 e7e5 g2g4 d8h4, result: 1", "said to be 1, but the game is over with -1"),
        ("e2e5 e7e5", r"game 1 \(line 1\): move 1: 'e2e5' is not a legal move"),
        ("no moves here", r"game 1 \(line 1\)"),
        ("chess(board=gardner)\ne2e4", "holds no game of chess"),
    ],
)
def test_what_is_wrong(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "l.txt"
    file.write_text(text)
    with pytest.raises(Unsuitable, match=said):
        read_records(file, CHESS)


def test_a_wrong_move_is_told_in_the_squares_of_the_protocol() -> None:
    with pytest.raises(Unsuitable, match=r"move 2: 'h10h8' is not a legal move here; legal: a7a6 "):
        uci.read("h3e3 h10h8", XIANGQI)


def test_records_are_no_lists() -> None:
    assert not move_lists.is_list("tic-tac-toe(rows=3, cols=3, run=3)\n", games.tic_tac_toe())
