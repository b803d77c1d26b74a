"""Minishogi: shogi on 5 × 5 squares with six pieces a side.

King, gold, silver, bishop, rook and pawn move, promote and drop as in shogi, but promote on the last row only. A
position that stands for the fourth time is lost by the first player, unless the second player gave check all the time:
then that one loses. All else is as in `zermelo.games.shogi`.
"""

from __future__ import annotations

from zermelo.games.shogi import shogi_on
from zermelo.games.shogi.board import board_for
from zermelo.rules import Game


def minishogi() -> Game:
    """Shogi on 5 × 5 squares; the first player loses by repetition."""
    board = board_for(5, 1, (0, 2, 0, 0, 2, 2, 2, 2))
    return shogi_on(board, "minishogi", "rbsgk/4p/5/P4/KGSBR b - 1", max_moves=200, repeated=-1)
