"""Xiangqi, Chinese chess: catch the general on 9 × 10 points, with a river between and a palace on either side.

The chariot (R) moves along lines. The cannon (C) does too, but captures only over exactly one piece. The horse (N or
H) steps one point along a line and one diagonally on, unless something stands on the first, its leg. The elephant (B or
E) goes two points diagonally, unless something stands between, and does not cross the river. The advisor (A) goes one
point diagonally, the king (K) one along a line; both stay in the palace. The soldier (P) goes one forward, and once
across the river also one sideways. The kings must not face each other on an open file. Who cannot move, in check or
not, has lost.

A game without a capture for `quiet_plies` plies, 120 unless said otherwise and 0 for no such rule, is a draw. A
position that stands for the third time ends it: `loops` says how. `draw`: as a draw. `asian`: who gave check with every
move, or chased one piece with every move, has lost, if the other did not. `chinese`: who never made an idle move has
lost, if the other did (see `zermelo.games.xiangqi.loops`).

`minixiangqi` is the game on 7 × 7 points: no river, no advisors, no elephants, soldiers go sideways from the start.
"""

from __future__ import annotations

from zermelo.games.xiangqi.board import FULL
from zermelo.games.xiangqi.family import xiangqi_on
from zermelo.rules import Game

MOST_MOVES = 119
"""Two chariots and cannons with 17 moves each, horses with 8, elephants and advisors with 4, five soldiers with 3, the
king with 4: the sum of what each has at most."""


def xiangqi(loops: str = "asian", quiet_plies: int = 120) -> Game:
    """Chinese chess: mate or stalemate the other's king; loops by the Asian or the Chinese rules."""
    return xiangqi_on(FULL, loops, quiet_plies, MOST_MOVES)
