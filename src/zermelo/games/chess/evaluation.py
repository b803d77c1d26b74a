"""How good a position looks: pieces on their squares, room to move, pawns, kings, and how to win what is won.

All numbers are hundredths of a pawn from White's view, once for the middle game and once for the ending, blended by
the pieces that are left. The sums over pieces and squares are kept by the game; everything else is counted here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.games.chess.attacks import (
    BISHOP,
    KING,
    KING_STEPS,
    KNIGHT,
    KNIGHT_STEPS,
    ONE,
    PAWN,
    QUEEN,
    ROOK,
    ZERO,
    bishop_attacks,
    bit,
    rook_attacks,
)
from zermelo.games.chess.boards import LEFT, RIGHT, Board
from zermelo.rules import bit_index, popcount, rule, u64
from zermelo.rules.language import Rule

UNIT = 1e-4
"""What a hundredth of a pawn is worth where a won game is worth 1."""
_MOST = 9900
_PHASE = {"n": 1, "b": 1, "r": 2, "q": 4}
_TEMPO = 12
# By kind: how many squares a piece usually reaches, what one more is worth, and how much a piece beside the enemy king
# counts
_USUAL_ROOM = np.array([0, 4, 6, 7, 11], np.int64)
_ROOM_MIDDLE, _ROOM_ENDING = np.array([0, 5, 6, 3, 2], np.int64), np.array([0, 5, 6, 6, 4], np.int64)
_PRESSURE = np.array([0, 2, 2, 3, 5], np.int64)


class Evaluation(NamedTuple):
    """evaluate: the hook; material: what pieces on their squares are worth, and nothing else."""

    evaluate: Rule
    material: Rule


def evaluation(board: Board) -> Evaluation:
    """The rules that estimate positions of this board."""
    rows, cols, squares = board.rows, board.cols, board.squares
    whole_phase = max(8, sum(_PHASE.get(mark, 0) for mark in board.placement.lower()))
    eight, sixteen, thirty_two = u64(8), u64(16), u64(32)
    dark = u64(0xAA55AA55AA55AA55)
    advanced = [0 if row == 0 else (row - 1) / (rows - 3) if rows > 3 else 1.0 for row in range(8)]
    passed_middle = np.array([round(4 + 60 * a**2.2) for a in advanced], np.int64)
    passed_ending = np.array([round(12 + 110 * a**1.9) for a in advanced], np.int64)
    columns, lines = np.arange(64) % 8, np.arange(64) // 8
    far_column, far_line = cols - 1 - columns, rows - 1 - lines
    edge = abs(columns - far_column) + abs(lines - far_line)  # twice the way to the middle
    # steps to the nearer corner that is dark, or light, on 8 × 8 squares
    dark_corners = np.minimum(np.maximum(columns, lines), np.maximum(far_column, far_line))
    light_corners = np.minimum(np.maximum(columns, far_line), np.maximum(far_column, lines))
    square_board = rows == cols == 8

    @rule
    def filled_up(pawns):
        pawns |= pawns << eight
        pawns |= pawns << sixteen
        return pawns | (pawns << thirty_two)

    @rule
    def filled_down(pawns):
        pawns |= pawns >> eight
        pawns |= pawns >> sixteen
        return pawns | (pawns >> thirty_two)

    @rule
    def beside(some):
        return ((some & ~LEFT) >> ONE) | ((some & ~RIGHT) << ONE)

    @rule
    def pawn_attacks(pawns, side):
        both = beside(pawns)
        return both << eight if side == 0 else both >> eight

    @rule
    def distance(a, b):
        return max(abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3)))

    @rule
    def reach_of(kind, at, taken):
        if kind == KNIGHT:
            return KNIGHT_STEPS[at]
        if kind == BISHOP:
            return bishop_attacks(at, taken)
        if kind == ROOK:
            return rook_attacks(at, taken)
        return bishop_attacks(at, taken) | rook_attacks(at, taken)

    @rule
    def activity(s, side, taken, unsafe, zone):  # room of the pieces, and how they bear on the enemy king
        mine = s.sides[side]
        room = squares & ~mine & ~unsafe
        middle, ending, pressure, count = 0, 0, 0, 0
        for kind in range(KNIGHT, KING):
            some = mine & s.kinds[kind]
            while some != ZERO:
                reach = reach_of(kind, bit_index(some), taken)
                more = popcount(reach & room) - int(_USUAL_ROOM[kind])
                middle += int(_ROOM_MIDDLE[kind]) * more
                ending += int(_ROOM_ENDING[kind]) * more
                if reach & zone != ZERO:
                    pressure += int(_PRESSURE[kind])
                    count += 1
                some &= some - ONE
        if count >= 2:
            middle += 3 * pressure * count
        return middle, ending

    @rule
    def structure(s, side):  # doubled, isolated and passed pawns; rooks on open files; the king's own pawns
        mine, theirs = s.kinds[PAWN] & s.sides[side], s.kinds[PAWN] & s.sides[1 - side]
        king, enemy = s.kinds[KING] & s.sides[side], s.kinds[KING] & s.sides[1 - side]
        files = filled_up(filled_down(mine))
        ahead = filled_up(mine << eight) if side == 0 else filled_down(mine >> eight)
        barred = filled_down(theirs >> eight) if side == 0 else filled_up(theirs << eight)
        behind = filled_down(mine >> eight) if side == 0 else filled_up(mine << eight)
        doubled = popcount(mine & ahead)
        isolated = popcount(mine & ~beside(files))
        guarded = popcount(mine & pawn_attacks(mine, side))
        middle = 4 * guarded - 9 * doubled - 13 * isolated
        ending = 5 * guarded - 20 * doubled - 14 * isolated
        rooks = s.kinds[ROOK] & s.sides[side] & ~files
        half = popcount(rooks)
        opened = popcount(rooks & ~filled_up(filled_down(theirs)))
        middle += 10 * half + 12 * opened
        ending += 6 * half + 6 * opened
        passed = mine & ~(barred | beside(barred)) & ~behind
        own, other = bit_index(king), bit_index(enemy)
        taken = s.sides[0] | s.sides[1]
        while passed != ZERO:
            at = bit_index(passed)
            row = at >> 3 if side == 0 else rows - 1 - (at >> 3)
            stop = at + 8 if side == 0 else at - 8
            middle += int(passed_middle[row])
            gain = int(passed_ending[row])
            if bit(stop) & taken != ZERO:
                gain -= gain >> 2
            ending += gain + row * (2 * distance(other, stop) - distance(own, stop)) * 2
            passed &= passed - ONE
        front = (king | beside(king)) << eight if side == 0 else (king | beside(king)) >> eight
        farther = front << eight if side == 0 else front >> eight
        middle += 11 * popcount(front & mine) + 5 * popcount(farther & mine)
        if files & king == ZERO:
            middle -= 14
        return middle, ending

    @rule
    def driving(s, side):  # `side` has won by its pieces: the other king to the edge, ours near it
        king = bit_index(s.kinds[KING] & s.sides[side])
        hunted = bit_index(s.kinds[KING] & s.sides[1 - side])
        found = 8 * int(edge[hunted]) + 10 * (8 - distance(king, hunted))
        bishops = s.kinds[BISHOP] & s.sides[side]
        heavy = (s.kinds[ROOK] | s.kinds[QUEEN] | s.kinds[PAWN]) & s.sides[side]
        if square_board and bishops != ZERO and heavy == ZERO:  # only a corner that the bishop attacks will do
            corner = int(dark_corners[hunted]) if bishops & dark != ZERO else int(light_corners[hunted])
            found += 30 * (7 - corner)
        return found

    @rule
    def bare(s, side):  # a king alone
        return s.sides[side] & ~s.kinds[KING] == ZERO

    @rule
    def blended(s, middle, ending):
        minor, queens = s.kinds[KNIGHT] | s.kinds[BISHOP], s.kinds[QUEEN]
        phase = min(whole_phase, popcount(minor) + 2 * popcount(s.kinds[ROOK]) + 4 * popcount(queens))
        return (middle * phase + ending * (whole_phase - phase)) // whole_phase

    @rule
    def bounded(score):
        return max(-_MOST, min(_MOST, score)) * UNIT

    @rule
    def without_pawns(s, score):  # ahead, but without a pawn and by less than a rook: hardly ever won
        ahead = 0 if score > 0 else 1
        return s.kinds[PAWN] & s.sides[ahead] == ZERO and abs(s.ending) < 420

    @rule
    def evaluate(s):
        taken = s.sides[0] | s.sides[1]
        middle, ending = int(s.middle), int(s.ending)
        white_king, black_king = bit_index(s.kinds[KING] & s.sides[0]), bit_index(s.kinds[KING] & s.sides[1])
        white_unsafe = pawn_attacks(s.kinds[PAWN] & s.sides[1], 1)
        black_unsafe = pawn_attacks(s.kinds[PAWN] & s.sides[0], 0)
        a, b = activity(s, 0, taken, white_unsafe, KING_STEPS[black_king])
        c, d = activity(s, 1, taken, black_unsafe, KING_STEPS[white_king])
        e, f = structure(s, 0)
        g, h = structure(s, 1)
        middle += a - c + e - g
        ending += b - d + f - h
        pair = 0
        if popcount(s.kinds[BISHOP] & s.sides[0]) >= 2:
            pair += 1
        if popcount(s.kinds[BISHOP] & s.sides[1]) >= 2:
            pair -= 1
        middle += 28 * pair
        ending += 45 * pair
        score = blended(s, middle, ending)
        if bare(s, 1):
            score += driving(s, 0)
        elif bare(s, 0):
            score -= driving(s, 1)
        if without_pawns(s, score):
            score //= 8
        return bounded(score + (_TEMPO if s.turn == 0 else -_TEMPO))

    @rule
    def material(s):
        return bounded(blended(s, int(s.middle), int(s.ending)))

    return Evaluation(evaluate, material)
