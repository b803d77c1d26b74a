"""What pieces are worth on which squares, in hundredths of a pawn: once for the middle game, once for the ending.

The numbers are made by formulas of how near a square is to the middle and how far from the own first row, so that they
fit boards of all sizes. The game adds them up move by move; `evaluation.py` blends the two sums by what is left.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.games.chess.attacks import BISHOP, KNIGHT, PAWN, QUEEN, ROOK
from zermelo.games.chess.boards import Board

MIDDLE_WORTH = (88, 325, 340, 490, 980, 0)
ENDING_WORTH = (112, 300, 320, 530, 960, 0)


def _placed(board: Board, kind: int, column: int, row: int) -> tuple[float, float]:
    """What a piece of White's gains or loses by its square, in the middle game and in the ending."""
    across = abs(2 * column - (board.cols - 1)) / (board.cols - 1)  # 0 in the middle, 1 at the edge
    along = abs(2 * row - (board.rows - 1)) / (board.rows - 1)
    outside = (across + along) / 2
    ahead = row / (board.rows - 1)
    if kind == PAWN:
        advanced = max(0.0, ahead - 1 / (board.rows - 1))
        middle = 28 * (1 - across) ** 1.5 * (1 - 2.2 * abs(ahead - 0.45)) + 45 * advanced**3 - 6
        return middle, 10 * advanced + 75 * advanced**3
    if kind == KNIGHT:
        return 30 - 62 * outside - 14 * (ahead == 0) + 14 * (0.5 < ahead < 0.8), 18 - 50 * outside
    if kind == BISHOP:
        return 12 - 24 * outside - 10 * (ahead == 0), 8 - 20 * outside
    if kind == ROOK:
        seventh = row == board.rows - 2
        return 8 * (1 - across) - 4 + 16 * seventh, 8 * seventh + 4 * ahead
    if kind == QUEEN:
        return 4 - 10 * outside - 6 * (ahead > 0.6), 20 - 36 * outside
    sheltered = 34 * across**0.5 - 12 if row == 0 else -14 - 70 * ahead + 18 * across
    return sheltered, 34 - 74 * outside


def tables(board: Board) -> tuple[Any, Any]:
    """Two arrays, at 64 · (6 · side + kind) + square: the worth of a piece in both parts of a game, Black's below 0."""
    middle, ending = np.zeros(768, np.int64), np.zeros(768, np.int64)
    for kind in range(6):
        for row in range(board.rows):
            for column in range(board.cols):
                gains = _placed(board, kind, column, row)
                for side in (0, 1):
                    at = 64 * (6 * side + kind) + 8 * (row if side == 0 else board.rows - 1 - row) + column
                    sign = 1 - 2 * side
                    middle[at] = sign * (MIDDLE_WORTH[kind] + round(gains[0]))
                    ending[at] = sign * (ENDING_WORTH[kind] + round(gains[1]))
    return middle, ending
