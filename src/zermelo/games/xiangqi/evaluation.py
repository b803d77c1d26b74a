"""What a position of xiangqi looks like to one who does not search: an estimate, an order of moves, exchanges.

The estimate is counted in hundredths of a soldier that has not moved, roughly: what the pieces are worth on their
squares, which `play` keeps up to date; how freely chariots, cannons and horses move; how many attackers have come near
a king that has lost defenders; cannons that look at a king down an open file. The numbers are this project's own, in
the proportions that books teach: a chariot is worth two cannons, a cannon a little more than a horse, an advisor or an
elephant half of that, and a soldier doubles when it crosses the river.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.games.xiangqi.board import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    HALF,
    HORSE,
    KING,
    SOLDIER,
    Board,
    Table,
)
from zermelo.games.xiangqi.movement import Movement, attempt, take_back
from zermelo.rules import bit_index, rule, u64
from zermelo.rules.language import Rule

_WIN, _MOST = 10000, 9900  # hundredths: what a win would be, and the most that is not one
UNIT = 1 / _WIN
"""What a hundredth counts in `evaluate`, whose values lie between -1 and 1."""
_WORTH = {KING: 5000, ADVISOR: 200, ELEPHANT: 200, HORSE: 420, CHARIOT: 900, CANNON: 450, SOLDIER: 100}
# What a square adds, from the own back row on, and from the middle column outwards.
_PLACES = {
    KING: ((0, -12), (-25, -35), (-45, -55)),
    ADVISOR: ((0, 0), (8, 0), (0, -8)),
    ELEPHANT: ((0, 0, 0), (0,), (14, 0, 0, 0, -14), (0,), (0, 0, -4)),
    HORSE: (
        (-45, -30, -24, -20, -36), (-50, 0, 0, -6, -20), (4, 6, 12, 4, -16), (8, 14, 10, 10, -8),
        (14, 20, 18, 18, -2), (20, 28, 26, 24, 8), (24, 34, 32, 24, 10), (18, 40, 36, 32, 8),
        (0, 20, 38, 20, -6), (-30, 0, 10, 0, -20),
    ),
    CHARIOT: (
        (0, 8, 4, 6, -14), (0, 10, 6, 6, 0), (4, 10, 8, 8, 0), (10, 14, 8, 10, 4), (14, 16, 10, 12, 6),
        (16, 18, 14, 14, 10), (18, 20, 14, 14, 10), (22, 24, 16, 14, 12), (26, 26, 18, 16, 14), (14, 16, 12, 12, 10),
    ),
    CANNON: (
        (0, 2, 2, 0, 0), (2, 2, 4, 0, 0), (24, 8, 6, 4, 0), (10, 2, 2, 0, -2), (16, 2, 2, 0, 0), (16, 2, 4, 0, 0),
        (10, 0, 0, 0, 0), (0, 0, 2, 4, 4), (-4, -4, 2, 4, 6), (-4, -2, 4, 8, 10),
    ),
    SOLDIER: (
        (0,), (0,), (0,), (6, 0, 4, 0, -6), (16, 0, 14, 0, -2), (60, 56, 48, 40, 28), (80, 78, 66, 54, 38),
        (100, 100, 80, 60, 40), (110, 110, 78, 48, 26), (16, 16, 8, -10, -30),
    ),
}  # fmt: skip


class Evaluation(NamedTuple):
    """What helps a search of one board."""

    placed: Table  # what a piece on a square adds to Red's balance, at cells · piece + square
    evaluate: Rule
    order: Rule
    exchange: Rule


def _placed(board: Board) -> Table:
    """The worth of every piece on every square, smaller boards being looked at as if they were stretched."""
    table = np.zeros((16, board.cells), dtype=np.int64)
    for kind, places in _PLACES.items():
        for side in range(2):
            for square in range(board.cells):
                row, col = board.place(square, side)
                aside = abs(col - board.cols // 2)
                if kind != KING:  # palaces are of one size
                    row, aside = round(row * 9 / (board.rows - 1)), round(aside * 8 / (board.cols - 1))
                line = places[min(row, len(places) - 1)]
                worth = (0 if kind == KING else _WORTH[kind]) + line[min(aside, len(line) - 1)]
                table[kind + 8 * side, square] = worth if side == 0 else -worth
    return table.reshape(-1)


def evaluation(board: Board, movement: Movement) -> Evaluation:
    """The estimate of a board and what goes with it."""
    cells, cols = board.cells, board.cols
    placed, room = _placed(board), board.room
    worth = np.array([0] + [_WORTH[kind] for kind in range(1, 8)], dtype=np.int64)
    strides = np.array([1, -1, cols, -cols], dtype=np.int64)
    # near a king: a chariot, a horse, a cannon, a soldier that has crossed the middle
    menace = np.array([0, 0, 0, 0, 4, 6, 4, 2], dtype=np.int64)
    abroad = cells - board.rows // 2 * cols  # from here on, a side is on the other's half
    defenders_at_most = 4 if board.river > 0 else 0
    reaches = movement.reaches

    @rule
    def freedom(s, square, kind):  # what a piece's mobility is worth
        found = 0
        if kind == HORSE:
            for way in range(4):
                if int(room[4 * square + way]) >= 2 and s.board[square + int(strides[way])] == 0:
                    found += 10
        elif kind == CHARIOT:
            for way in range(4):
                at = square
                for _ in range(int(room[4 * square + way])):
                    at += int(strides[way])
                    if s.board[at] != 0:
                        break
                    found += 3
        return found

    @rule
    def down_the_file(s, side):  # what the enemy's cannons on the king's file are worth to the enemy
        king = 0 + s.kings[side]
        way = 2 + side
        cannon = CANNON + 8 * (1 - side)
        at, passed, found = king, 0, 0
        for _ in range(int(room[4 * king + way])):
            at += int(strides[way])
            piece = s.board[at]
            if piece != 0:
                if piece == cannon:
                    if passed == 0:
                        found += 110
                    elif passed == 2:
                        found += 25
                passed += 1
                if passed > 2:
                    break
        return found

    @rule
    def standing(s, side):  # how a side's pieces stand, apart from their squares
        free, threat, defenders = 0, 0, 0
        for half in range(2):
            pieces = 0 + s.pieces[2 * side + half]
            while pieces != 0:
                square = HALF * half + bit_index(u64(pieces))
                pieces &= pieces - 1
                kind = s.board[square] & 7
                if kind in (ADVISOR, ELEPHANT):
                    defenders += 1
                else:
                    if kind in (HORSE, CHARIOT):
                        free += freedom(s, square, kind)
                    if (square if side == 0 else cells - 1 - square) >= abroad:
                        threat += int(menace[kind])
        return free, threat, defenders

    @rule
    def evaluate(s):
        free, threat, defenders = standing(s, 0)
        free2, threat2, defenders2 = standing(s, 1)
        balance = 0 + s.score + free - free2 + down_the_file(s, 1) - down_the_file(s, 0)
        balance += threat * (1 + defenders_at_most - defenders2) - threat2 * (1 + defenders_at_most - defenders)
        balance += 12 if s.turn == 0 else -12
        return min(max(balance, -_MOST), _MOST) / _WIN

    @rule
    def order(s, move):  # dear victims of cheap pieces first; then moves to better squares
        origin, target = move >> 7, move & 127
        piece, victim = 0 + s.board[origin], 0 + s.board[target]
        if victim != 0:
            return 10000 + 8 * int(worth[victim & 7]) - int(worth[piece & 7])
        gain = int(placed[cells * piece + target]) - int(placed[cells * piece + origin])
        return gain if piece >> 3 == 0 else -gain

    @rule
    def cheapest(s, square, side):  # where a side's least piece stands that can move to a square, -1 if there is none
        best, found = 1 << 30, -1
        for half in range(2):
            pieces = 0 + s.pieces[2 * side + half]
            while pieces != 0:
                origin = HALF * half + bit_index(u64(pieces))
                pieces &= pieces - 1
                price = int(worth[s.board[origin] & 7])
                if 0 < price < best and origin != square and reaches(s, origin, square):
                    best, found = price, origin
        return found

    @rule
    def retaking(s, square, side):  # what a side wins at most by capturing on a square, and by what follows there
        origin = cheapest(s, square, side)
        if origin < 0:
            return 0
        taken = attempt(s, origin, square)
        left = retaking(s, square, 1 - side)
        take_back(s, origin, square, taken)
        return max(0, int(worth[taken & 7]) - left)

    @rule
    def exchange(s, move):
        origin, target = move >> 7, move & 127
        taken = attempt(s, origin, target)
        left = retaking(s, target, 1 - s.turn)
        take_back(s, origin, target, taken)
        return (int(worth[taken & 7]) - left) / _WIN

    return Evaluation(placed, evaluate, order, exchange)
