"""Which squares pieces attack: tables for those that step, arithmetic for those that slide.

Square (row, column), both from 0 and from White's lower left, is bit 8 · row + column of a board, whatever the size of
the board: a smaller one lies in the lower left corner of 8 × 8, and who asks cuts off what lies beyond it.

Sliding along a file or diagonal is the carry of a subtraction: with o the pieces on the line and r the slider,
o - 2r flips all bits from the slider to the first piece above it. Turning the board upside down, which is one
instruction, does the same downwards (hyperbola quintessence: Gerd Isenberg and Aleks Peshkov, 2007). A row cannot be
turned that way, so its 64 patterns of inner squares are looked up.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from zermelo.rules import bit_index, rule, u64

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NOTHING = range(7)
Words = np.ndarray[Any, np.dtype[np.uint64]]

STRAIGHT, DIAGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0)), ((1, 1), (1, -1), (-1, -1), (-1, 1))
_LEAPS = tuple((a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b))


def ray(square: int, step: tuple[int, int]) -> list[int]:
    """The squares from one to the edge, in the order in which a slider passes them."""
    column, row = square % 8 + step[0], square // 8 + step[1]
    found = []
    while 0 <= column < 8 and 0 <= row < 8:
        found.append(8 * row + column)
        column, row = column + step[0], row + step[1]
    return found


def _mask(squares: Iterable[int]) -> int:
    return sum(1 << square for square in squares)


def _stepping(*steps: tuple[int, int]) -> Words:
    """For each square those that one of these steps reaches."""
    return np.array([_mask(ray(at, step)[0] for step in steps if ray(at, step)) for at in range(64)], np.uint64)


def _sliding(*steps: tuple[int, int]) -> Words:
    """For each square those that lie in these directions."""
    return np.array([_mask(to for step in steps for to in ray(at, step)) for at in range(64)], np.uint64)


def _rows() -> Words:
    """At 64 · column + inner squares: where a slider in this column of the lowest row can go."""
    found = np.zeros(512, np.uint64)
    for column in range(8):
        for inner in range(64):
            for step in ((1, 0), (-1, 0)):
                for to in ray(column, step):
                    found[64 * column + inner] |= u64(1 << to)
                    if inner << 1 >> to & 1:
                        break
    return found


def _between() -> Words:
    """At 64 · a + b: the squares between two on one line, none if they are on no line."""
    found = np.zeros(4096, np.uint64)
    for a in range(64):
        for step in STRAIGHT + DIAGONAL:
            passed = 0
            for b in ray(a, step):
                found[64 * a + b] = passed
                passed |= 1 << b
    return found


KNIGHT_STEPS, KING_STEPS = _stepping(*_LEAPS), _stepping(*STRAIGHT, *DIAGONAL)
PAWN_STEPS = np.concatenate([_stepping((-1, 1), (1, 1)), _stepping((-1, -1), (1, -1))])
"""At 64 · side + square: what a pawn attacks."""
ROOK_LINES, BISHOP_LINES, BETWEEN = _sliding(*STRAIGHT), _sliding(*DIAGONAL), _between()
_COLUMN, _RISING, _FALLING = _sliding((0, 1), (0, -1)), _sliding((1, 1), (-1, -1)), _sliding((-1, 1), (1, -1))
_ROWS = _rows()

ZERO, ONE = u64(0), u64(1)
_63 = u64(63)
_8, _16, _32 = u64(8), u64(16), u64(32)
_BYTES, _PAIRS = u64(0x00FF00FF00FF00FF), u64(0x0000FFFF0000FFFF)


@rule
def bit(square: Any) -> Any:
    return ONE << u64(square)


@rule
def upside_down(board: Any) -> Any:
    board = ((board >> _8) & _BYTES) | ((board & _BYTES) << _8)
    board = ((board >> _16) & _PAIRS) | ((board & _PAIRS) << _16)
    return (board >> _32) | (board << _32)


@rule
def _along(line: Any, square: Any, taken: Any) -> Any:
    blockers = taken & line
    up = blockers - (bit(square) << ONE)
    down = upside_down(upside_down(blockers) - (bit(square ^ 56) << ONE))
    return (up ^ down) & line


@rule
def rook_attacks(square: Any, taken: Any) -> Any:
    row = u64(square & 56)
    inner = (taken >> (row + ONE)) & _63
    sideways = _ROWS[u64(64 * (square & 7)) + inner] << row
    return sideways | _along(_COLUMN[square], square, taken)


@rule
def bishop_attacks(square: Any, taken: Any) -> Any:
    return _along(_RISING[square], square, taken) | _along(_FALLING[square], square, taken)


@rule
def attackers(s: Any, square: Any, by: Any, taken: Any) -> Any:
    """The pieces of side `by` that attack a square, if these squares are taken."""
    straight, diagonal = s.kinds[ROOK] | s.kinds[QUEEN], s.kinds[BISHOP] | s.kinds[QUEEN]
    found = (KNIGHT_STEPS[square] & s.kinds[KNIGHT]) | (KING_STEPS[square] & s.kinds[KING])
    found |= PAWN_STEPS[64 * (1 - by) + square] & s.kinds[PAWN]
    if ROOK_LINES[square] & straight & s.sides[by] != ZERO:
        found |= rook_attacks(square, taken) & straight
    if BISHOP_LINES[square] & diagonal & s.sides[by] != ZERO:
        found |= bishop_attacks(square, taken) & diagonal
    return found & s.sides[by]


@rule
def kind_at(s: Any, piece: Any) -> Any:
    """The kind of the piece on a square that is given as a bit."""
    for kind in range(6):
        if s.kinds[kind] & piece != ZERO:
            return kind
    return NOTHING


@rule
def king_of(s: Any, side: Any) -> Any:
    """The square of a side's king."""
    return bit_index(s.kinds[KING] & s.sides[side])


@rule
def in_check(s: Any) -> Any:
    """Whether the king of the player to move is attacked."""
    return attackers(s, king_of(s, s.turn), 1 - s.turn, s.sides[0] | s.sides[1]) != ZERO
