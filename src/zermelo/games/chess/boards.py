"""The boards that chess is played on here: how large they are, what stands there, and which rules need eight rows.

A board is named, or described as the first part of a FEN: its rows from the top, separated by / (or by -, which is
easier on a command line and in files). Pawns take two steps at first, and en passant with it, on boards with eight
rows; kings castle on 8 × 8 squares where king and rooks stand as in the usual game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from zermelo.games.chess.attacks import BISHOP, KNIGHT, QUEEN, ROOK
from zermelo.rules import Unsuitable, nearest, u64

NAMED = {
    "standard": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "gardner": "rnbqk/ppppp/5/PPPPP/RNBQK",  # Martin Gardner, 1969
    "los-alamos": "rnqknr/pppppp/6/6/PPPPPP/RNQKNR",  # Kister, Stein, Ulam, Walden and Wells, 1956
}
LEFT, RIGHT = u64(0x0101010101010101), u64(0x8080808080808080)
LETTERS = "pnbrqk"


@dataclass(frozen=True)
class Board:
    """rows, cols; placement: what stands there at the start, as FEN writes it; becomes: the kinds that a pawn may
    become, the dearest first."""

    rows: int
    cols: int
    placement: str
    becomes: tuple[int, ...]

    @property
    def squares(self) -> Any:
        return u64(sum(((1 << self.cols) - 1) << (8 * row) for row in range(self.rows)))

    def row(self, number: int) -> Any:
        return u64(((1 << self.cols) - 1) << (8 * number))

    @property
    def double_steps(self) -> bool:
        return self.rows == 8

    @property
    def castles(self) -> bool:
        return self.rows == self.cols == 8

    def square(self, name: str) -> int | None:
        """The square of a name such as e4, None if the board has none of it."""
        column, row = ord(name[0]) - 97, ord(name[1]) - 49
        return 8 * row + column if 0 <= column < self.cols and 0 <= row < self.rows else None


def square_name(square: int) -> str:
    return f"{chr(97 + square % 8)}{square // 8 + 1}"


def unfold(row: str) -> str:
    """A row of a FEN with a dot for each empty square."""
    return re.sub("[1-9]", lambda gap: "." * int(gap[0]), row)


def board_for(text: str) -> Board:
    """The board of a name or description."""
    described = re.fullmatch(r"[1-8pnbrqkPNBRQK]+([/-][1-8pnbrqkPNBRQK]+)+", text)
    if text not in NAMED and not described:
        raise Unsuitable(
            f"chess: no board is called {text!r}: {nearest(text, NAMED)}; or describe it as FEN does, "
            f"such as {NAMED['gardner']}"
        )
    placement = NAMED.get(text, text.replace("-", "/"))
    widths = [len(unfold(row)) for row in placement.split("/")]
    if len(set(widths)) != 1 or not 3 <= len(widths) <= 8 or not 3 <= widths[0] <= 8:
        raise Unsuitable(
            f"chess: a board has from 3 to 8 rows, all of the same length from 3 to 8, and {text!r} has rows of "
            f"{', '.join(map(str, widths))}"
        )
    barred = BISHOP if text == "los-alamos" else None
    becomes = tuple(kind for kind in (QUEEN, ROOK, BISHOP, KNIGHT) if kind != barred)
    return Board(len(widths), widths[0], placement, becomes)
