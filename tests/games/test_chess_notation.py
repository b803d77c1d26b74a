"""FEN and SAN of chess: what python-chess writes is read, what we write it reads, and what is wrong is refused."""

from __future__ import annotations

import random
import re

import chess as oracle
import pytest

from marks import slow
from zermelo import games
from zermelo.games.chess.san import uci_text, write_san
from zermelo.rules import MoveError, Position, PositionError

CHESS = games.chess()
TRICKY = (
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/PPP5/8/8/8/8/5ppp/4K3 w - - 0 1",
    "8/k7/8/3Q1Q2/8/3Q1Q2/8/4K3 w - - 0 1",
    "8/8/8/2N1N3/1N3N2/8/4N3/k1K5 w - - 0 1",
    "4k3/8/8/1pPpP3/8/8/8/4K3 w - b6 0 1",
    "r6k/6pp/7N/8/8/8/8/Q5K1 w - - 0 1",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
)


def san(position: Position, code: int) -> str:
    return write_san(CHESS.moves, CHESS.play, position.state, code)


def compare(position: Position, board: oracle.Board) -> None:
    """Every legal move, written by both and read by both."""
    for code in position.codes:
        move = oracle.Move.from_uci(uci_text(code))
        assert san(position, code) == board.san(move)
        assert position.code_of(board.san(move)) == code
        assert position.code_of(board.lan(move)) == code


@pytest.mark.parametrize("fen", TRICKY)
def test_san_of_tricky_positions(fen: str) -> None:
    compare(CHESS.position(fen), oracle.Board(fen))


@pytest.mark.parametrize("seed", [1, *slow(*range(2, 30))])
def test_san_of_random_games(seed: int) -> None:
    chance, position, board = random.Random(seed), CHESS.position(), oracle.Board()
    for ply in range(120):
        if position.result is not None:
            break
        if ply % 6 == 0:
            compare(position, board)
        code = chance.choice(position.codes)
        board.push_uci(uci_text(code))
        position = position.play(code)


def test_san_is_read_leniently() -> None:
    position = CHESS.position("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1")
    texts = ("0-0", "O-O!", "0-0-0", "b8=Q+", "b8Q", "b8(Q)", "bxa8=N", "b7xa8=N?", "Ra1xa8+", "Kd1", "Ke1-d1")
    played = ("e1g1", "e1g1", "e1c1", "b7b8q", "b7b8q", "b7b8q", "b7a8n", "b7a8n", "a1a8", "e1d1", "e1d1")
    assert [uci_text(position.code_of(text)) for text in texts] == list(played)


@pytest.mark.parametrize("seed", [1, *slow(*range(2, 12))])
def test_false_signs_are_read_as_python_chess_reads_them(seed: int) -> None:
    chance = random.Random(seed)
    position, board = CHESS.position(), oracle.Board()
    while board.ply() < 40 and not board.is_game_over():
        for move in chance.sample([*board.legal_moves], min(6, board.legal_moves.count())):
            plain = board.san(move).rstrip("+#")
            crossed = re.sub(r"([a-h][1-8])(=.)?$", r"x\1\2", plain.replace("x", ""))
            aside = f"{move.uci()[0]}x{move.uci()[2:4]}"  # as a pawn would capture
            for text in (f"{plain}+", f"{plain}#", plain.replace("x", ""), crossed, aside, plain.lower(), f"P{plain}"):
                try:
                    theirs = board.parse_san(text).uci()
                except ValueError:
                    with pytest.raises(MoveError):
                        position.play(text)
                else:
                    assert uci_text(position.code_of(text)) == theirs
        move = chance.choice([*board.legal_moves])
        position = position.play(move.uci())
        board.push(move)


def test_moves_that_san_does_not_name() -> None:
    knights = CHESS.position("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1")
    with pytest.raises(MoveError, match="'Nb3' is ambiguous here: it may be a1b3 or c1b3"):
        knights.play("Nb3")
    for text in ("Nd4", "e4", "O-O", "Qb3", "", "N", "♘b3"):
        with pytest.raises(MoveError, match="not a legal move"):
            knights.play(text)
    with pytest.raises(MoveError):
        CHESS.position("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1").play("b8")  # to become what?


def test_moves_may_follow_a_position() -> None:
    position = CHESS.position("8/8/8/8/8/4k3/4p3/4K3 b - - 3 9 moves e3d3 Kf2 d3d2")
    assert position.text() == "8/8/8/8/8/8/3kpK2/8 w - - 6 1"
    assert CHESS.position("e4 e5 Nf3").history() == ["e2e4", "e7e5", "g1f3"]


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/8/4k3/4p3/4K3 b",
        "8/8/8/8/8/4k3/4p3/4K3 b - -",
        "8/8/8/8/8/4k3/4p3/4K3 b - - 3",
        "8/8/8/8/8/4k3/4p3/4K3 b - - 3 77",
        "  8/8/8/8/8/4k3/4p3/4K3   b  - -  3  77 ",
    ],
)
def test_parts_of_a_fen_may_be_missing(fen: str) -> None:
    assert CHESS.position(fen).text().startswith("8/8/8/8/8/4k3/4p3/4K3 b - - ")


@pytest.mark.parametrize(
    ("fen", "said"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "from 2 to 6 parts"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 2", "from 2 to 6 parts"),
        ("4k3/8/8/8/8/8/8/4K3 x", "w or b, not 'x'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "a whole number from 0 to 99999, not 'x'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 99999999999999 1", "from 0 to 99999, not '99999999999999'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "a whole number from 0 to 99999, not '-1'"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "the castling rights KK say K twice"),
        ("4k3/8/8/8/8/8/8/4X3 w", "'X' is no piece"),
        ("4k3/8/8/8/8/8/4K3 w", "8 rows, and there are 7"),
        ("4k3/8/8/8/8/8/8/4K2 w", "8 squares, and row 1 has 7"),
        ("4k3/8/8/9/8/8/8/4K3 w", "8 squares, and row 5 has 9"),
        ("4k3/8/8/8/8/8/8/P3K3 w", "no pawn stands on the first or last row"),
        ("p3k3/8/8/8/8/8/8/4K3 w", "no pawn stands on the first or last row"),
        ("8/8/8/8/8/8/8/4K3 w", "Black has no king instead of 1"),
        ("4k3/8/8/8/8/8/8/K3K3 w", "White has 2 kings instead of 1"),
        ("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w", "White has 8 pawns and 1 piece that only promotion gives"),
        ("4k3/4R3/8/8/8/8/8/4K3 w", "could take the king on e8: it would be Black's move"),
        ("8/8/8/3kK3/8/8/8/8 b", "could take the king on e5: it would be White's move"),
        ("4k3/8/8/8/8/8/8/4K2R w KQ", "rights KQ are impossible .* at most K would be right"),
        ("4k3/8/8/8/8/8/8/3K3R w K", "at most - would be right"),
        ("4k3/8/8/8/8/8/8/4K2R w A", "rights A are impossible"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d5", "on row 6 where White is to move, not d5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - z9", "on row 6 where White is to move, not z9"),
        ("4k3/8/8/4P3/8/8/8/4K3 w - d6", "no pawn of Black's can have passed it"),
        ("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6", "one must stand on d5, and d6 and d7 be empty"),
        ("4k3/8/8/3pP3/8/8/8/4K3 b - d6", "on row 3 where Black is to move"),
    ],
)
def test_impossible_positions(fen: str, said: str) -> None:
    with pytest.raises(PositionError, match=said):
        CHESS.position(fen)


def test_small_boards_have_neither_castling_nor_en_passant() -> None:
    gardner = games.chess(board="gardner")
    with pytest.raises(PositionError, match="at most - would be right"):
        gardner.position("rnbqk/ppppp/5/PPPPP/RNBQK w K")
    with pytest.raises(PositionError, match="written - on this board"):
        gardner.position("rnbqk/ppppp/5/PPPPP/RNBQK w - a3")


def test_drawing() -> None:
    shown = str(CHESS.position("e4"))
    assert shown.splitlines()[4:6] == ["4 . . . . P . . .", "3 . . . . . . . ."]
    assert shown.endswith("Black to move")
