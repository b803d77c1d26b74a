"""Texts of xiangqi: positions as FEN, moves by squares and in the notation of the World Xiangqi Federation.

A position is written as rows from Black's side, capitals for Red, and w or b for who is to move: Fairy-Stockfish's and
UCCI's form. Horses are N or H, elephants B or E. After the side to move stand two dashes, the plies since the last
capture and the number of the move, of which only the plies mean something here.

A move is its two squares: h2e2 on the large board, whose first row is 0 (UCCI), h3e3 where rows count from 1 (UCI). The
federation writes a piece, its column, a direction and where it goes, columns counted from each player's right: C2=5.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from zermelo.games.xiangqi.board import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    HORSE,
    KING,
    LETTERS,
    MOST,
    OTHER_LETTERS,
    SOLDIER,
    Board,
)
from zermelo.rules import Grid, PositionError

_NAMES = {
    KING: "king", ADVISOR: "advisor", ELEPHANT: "elephant", HORSE: "horse", CHARIOT: "chariot", CANNON: "cannon",
    SOLDIER: "soldier",
}  # fmt: skip
_SIDES = ("Red", "Black")
_FEN = re.compile(r"(?P<rows>\S+)(?:\s+(?P<turn>\S+)(?:\s+\S+\s+\S+(?:\s+(?P<clock>\S+)(?:\s+(?P<number>\S+))?)?)?)?")
_MOST_PLIES = 9999
_AS_FEDERATION = str.maketrans({ours: theirs for theirs, ours in OTHER_LETTERS.items()})
_STRAIGHT_MOVERS = (KING, CHARIOT, CANNON, SOLDIER)


def mark(piece: int) -> str:
    """The letter of a piece, capital for Red; a dot for none."""
    letter = LETTERS[piece & 7] if piece else "."
    return letter.lower() if piece >> 3 else letter


def fen(board: Board, s: Any) -> str:
    """The text of a position."""
    rows = ["".join(mark(s.board[board.cols * row + col]) for col in range(board.cols)) for row in range(board.rows)]
    written = [re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in reversed(rows)]
    return f"{'/'.join(written)} {'wb'[s.turn]} - - {s.clock} 1"


def read_fen(board: Board, text: str) -> tuple[list[int], int, int]:
    """The pieces on the squares, whose turn it is, and the plies since the last capture."""
    form = _FEN.fullmatch(text.strip())
    turn = form["turn"] if form else None
    if form is None or turn not in ("w", "r", "b"):
        raise PositionError(
            f"{board.name}: a position is {board.rows} rows from Black's side, separated by /, then w or b for who is "
            f"to move, such as {board.start!r}; this is not: {text!r}"
        )
    clock = form["clock"] or "0"
    if not re.fullmatch("[0-9]{1,4}", clock):
        raise PositionError(
            f"{board.name}: {clock!r} in {text!r} must be the plies since the last capture, from 0 to {_MOST_PLIES}"
        )
    pieces = _pieces(board, form["rows"], text)
    _check_numbers(board, pieces, text)
    _check_places(board, pieces, text)
    return pieces, (1 if turn == "b" else 0), int(clock)


def _pieces(board: Board, rows: str, text: str) -> list[int]:
    lines = rows.split("/")
    if len(lines) != board.rows:
        raise PositionError(f"{board.name}: there are {board.rows} rows, but {text!r} has {len(lines)}")
    pieces = []
    for line in reversed(lines):
        row = []
        for sign in line:
            letter = OTHER_LETTERS.get(sign.upper(), sign.upper())
            if sign in "123456789":
                row += [0] * int(sign)
            elif letter in LETTERS[1:]:
                row.append(LETTERS.index(letter) + (8 if sign.islower() else 0))
            else:
                raise PositionError(
                    f"{board.name}: {sign!r} in {text!r} is no piece: they are K, A, B or E, N or H, R, C and P, "
                    "capitals for Red and small letters for Black, and numbers for empty squares"
                )
        if len(row) != board.cols:
            raise PositionError(
                f"{board.name}: a row has {board.cols} squares, but {line!r} in {text!r} has {len(row)}"
            )
        pieces += row
    return pieces


def _check_numbers(board: Board, pieces: list[int], text: str) -> None:
    for side, name in enumerate(_SIDES):
        for kind, most in MOST.items():
            count = pieces.count(kind + 8 * side)
            if kind == KING and count != 1:
                raise PositionError(f"{board.name}: {name} must have one king, but has {count} in {text!r}")
            if count > most:
                raise PositionError(
                    f"{board.name}: {name} has {count} {_NAMES[kind]}s in {text!r}, and there are only {most}"
                )


def _check_places(board: Board, pieces: list[int], text: str) -> None:
    for square, piece in enumerate(pieces):
        if piece and not board.may_stand(piece, square):
            where = "outside its palace" if piece & 7 == KING else "where it can never get"
            raise PositionError(
                f"{board.name}: {_SIDES[piece >> 3]}'s {_NAMES[piece & 7]} on {board.square_name(square)} in {text!r} "
                f"is {where}"
            )
    at_home = [(piece >> 3, q % board.cols) for q, piece in enumerate(pieces) if board.waits(piece, q)]
    for side, col in at_home:
        if at_home.count((side, col)) > 1:
            raise PositionError(
                f"{board.name}: {_SIDES[side]} has two soldiers on column {chr(97 + col)} before the river in {text!r}"
                ", and they only go aside beyond it"
            )


def faces(board: Board, pieces: list[int]) -> bool:
    """Whether the kings see each other."""
    low, high = pieces.index(KING), pieces.index(KING + 8)
    return low % board.cols == high % board.cols and not any(pieces[low + board.cols : high : board.cols])


def refuse_capture_of_king(board: Board, pieces: list[int], turn: int, text: str) -> PositionError:
    """What to say where the side to move could take the other's king."""
    mover, other = _SIDES[turn], _SIDES[1 - turn]
    if faces(board, pieces):
        return PositionError(f"{board.name}: the kings face each other in {text!r}, and {mover} to move could take")
    return PositionError(
        f"{board.name}: {mover} is to move in {text!r} and could take {other}'s king, so {other} cannot have moved last"
    )


def move_text(board: Board, move: int, lowest: int | None = None) -> str:
    """The two squares of a move; `lowest` is the number of the first row, if not the usual one."""
    return board.square_name(move >> 7, lowest) + board.square_name(move & 127, lowest)


def wxf_text(board: Board, pieces: list[int], move: int) -> str:
    """A move as the World Xiangqi Federation writes it: H2+3, C2=5, and R+-1 or R-=6 for the front or the rear of two
    on a column. Where more than two soldiers share a column there is no such text, and it is empty."""
    origin, target = move >> 7, move & 127
    piece = pieces[origin]
    side = piece >> 3
    forward, letter = 1 - 2 * side, "?KAEHRCP"[piece & 7]
    column, row = _column(board, origin, side), origin // board.cols
    goal, rows = _column(board, target, side), (target // board.cols - row) * forward
    beside = [
        square // board.cols * forward
        for square in range(origin % board.cols, board.cells, board.cols)
        if pieces[square] == piece and square != origin
    ]
    if len(beside) > 1:
        return ""
    tells_apart = beside and piece & 7 not in (ADVISOR, ELEPHANT)  # these are told apart by where they can go
    if tells_apart:
        name = letter + ("+" if row * forward > beside[0] else "-")
    else:
        name = letter + str(column)
    if rows == 0:
        return f"{name}={goal}"
    straight = piece & 7 in _STRAIGHT_MOVERS
    return f"{name}{'+' if rows > 0 else '-'}{abs(rows) if straight else goal}"


def _column(board: Board, square: int, side: int) -> int:
    """The number of a column, from a player's right."""
    column = square % board.cols
    return board.cols - column if side == 0 else column + 1


def read_move(board: Board, s: Any, moves: Iterable[int], text: str) -> int | None:
    """The move of these that a text names by squares whose rows count from the other number, or in the federation's
    notation, with `.` or `=` for level moves and the sign of the front or the rear piece before its letter or after it;
    None if there is no such move, or more than one."""
    moves, word, pieces = list(moves), text.strip(), list(s.board)
    squares = [move for move in moves if move_text(board, move, 1 - board.lowest) == word.lower()]
    tidy = re.sub("^([+-])([A-Z])", r"\2\1", word.upper().replace(".", "=").translate(_AS_FEDERATION))
    found = squares or [move for move in moves if wxf_text(board, pieces, move) == tidy != ""]
    return found[0] if len(found) == 1 else None


def picture(board: Board, s: Any, caption: str) -> Grid:
    """The board from Red's side, with letters for the pieces."""
    letters = [mark(kind + 8 * side) for side in range(2) for kind in MOST]
    return Grid(
        [[mark(s.board[board.cols * row + col]) for col in range(board.cols)] for row in reversed(range(board.rows))],
        columns=[chr(97 + col) for col in range(board.cols)],
        rows=[str(row + board.lowest) for row in reversed(range(board.rows))],
        style="letter",
        owners={letter: 0 if letter.isupper() else 1 for letter in letters},
        caption=caption,
        crossings=True,
    )
