"""Minixiangqi (Shigenobu Kusumoto 1973): xiangqi on 7 × 7 points.

There is no river, there are no advisors and no elephants, and soldiers go sideways from the start. All else, the loop
rules too, is as in `zermelo.games.xiangqi`, except that rows count from 1. A soldier has no own bank here on which it
could be chased for ever.
"""

from __future__ import annotations

from zermelo.games.xiangqi.board import SMALL
from zermelo.games.xiangqi.family import xiangqi_on
from zermelo.rules import Game

MOST_MOVES = 83
"""Two chariots and cannons with 12 moves each, horses with 8, five soldiers with 3, the king with 4."""


def minixiangqi(loops: str = "asian", quiet_plies: int = 120) -> Game:
    """Chinese chess on 7 × 7 points: no river, no advisors, no elephants."""
    return xiangqi_on(SMALL, loops, quiet_plies, MOST_MOVES)
