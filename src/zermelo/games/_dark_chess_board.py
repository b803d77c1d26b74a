"""The board of dark chess: which pieces stand where, and which of them may go or shoot where.

Boards of up to 32 squares are bits of one word, and two of them fit into a word, so that both ways along a row, or
along a column, are looked at with the same operations.
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np

from zermelo.rules import reversed_bits, rule, u64


class Reach(NamedTuple):
    """Rules about positions of one board; `own` and `enemy` are face-up pieces, as bits."""

    paired: Any  # (first, second) -> two boards in one word
    across: Any  # (mask) -> at each square what the mask has on the next one to the right; and to the left
    along: Any  # (mask) -> the same for the next one down; and up
    face_up: Any  # (s) -> the pieces that lie face up
    pieces_of: Any  # (s, colour) -> those of a colour
    rank_at: Any  # (s, cell) -> the rank of what stands there, 0 if nothing does
    cannons_of: Any  # (s) -> either side's cannons
    captors_across: Any  # (s, own, enemy) -> the own pieces that may capture their right neighbour; and their left one
    captors_along: Any  # (s, own, enemy) -> the same down; and up
    shots: Any  # (occupied, enemy, cannon) -> what the cannon on a square may capture: behind just one other piece
    steps_across: Any  # (s, own, enemy, occupied) -> the pieces that may move to the right; and to the left
    steps_along: Any  # (s, own, enemy, occupied) -> the same down; and up
    stepping: Any  # (place, way) -> the move of a bit in one of these words


def reach(rows: int, cols: int) -> Reach:
    """The rules for a board of one size."""
    board = (1 << (rows * cols)) - 1
    first_column = sum(1 << (r * cols) for r in range(rows))
    not_first, not_last = board & ~first_column, board & ~(first_column << (cols - 1))
    strides = np.array([1, -1, cols, -cols], dtype=np.int64)
    rays, one = _rays(rows, cols), u64(1)

    @rule
    def paired(first, second):
        return first | (second << 32)

    @rule
    def across(mask):
        return paired((mask >> 1) & not_last, (mask << 1) & not_first)

    @rule
    def along(mask):
        return paired(mask >> cols, (mask << cols) & board)

    @rule
    def face_up(s):
        return (0 + s.low) | s.mid | s.high

    @rule
    def pieces_of(s, colour):
        return face_up(s) & (s.dark if colour == 1 else board & ~(0 + s.dark))

    @rule
    def rank_at(s, cell):
        return (((0 + s.high) >> cell) & 1) * 4 + (((0 + s.mid) >> cell) & 1) * 2 + (((0 + s.low) >> cell) & 1)

    @rule
    def cannons_of(s):
        return (0 + s.mid) & ~(0 + s.low) & ~(0 + s.high)

    @rule
    def captors(low, mid, high, low2, mid2, high2):  # pieces, but cannons, that may capture such neighbours
        lower = (~high & high2) | (~(high ^ high2) & ((~mid & mid2) | (~(mid ^ mid2) & ~low & low2)))
        pawns, kings = low & ~mid & ~high, low & mid & high
        pawns2, kings2 = low2 & ~mid2 & ~high2, low2 & mid2 & high2
        return ~(mid & ~low & ~high) & ((~lower & ~(kings & pawns2)) | (pawns & kings2))

    @rule
    def captors_across(s, own, enemy):
        low, mid, high = 0 + s.low, 0 + s.mid, 0 + s.high
        able = captors(paired(low, low), paired(mid, mid), paired(high, high), across(low), across(mid), across(high))
        return paired(own, own) & across(enemy) & able

    @rule
    def captors_along(s, own, enemy):
        low, mid, high = 0 + s.low, 0 + s.mid, 0 + s.high
        able = captors(paired(low, low), paired(mid, mid), paired(high, high), along(low), along(mid), along(high))
        return paired(own, own) & along(enemy) & able

    @rule
    def second_of(ray):  # the second of the bits that are set
        behind = ray & (ray - one)
        return behind & (~behind + one)

    @rule
    def shots(occupied, enemy, cannon):
        ahead, back = u64(occupied), reversed_bits(u64(occupied))  # so that the lowest bit of a ray is the nearest
        right, left = second_of(ahead & rays[0, cannon]), second_of(back & rays[1, cannon])
        down, up = second_of(ahead & rays[2, cannon]), second_of(back & rays[3, cannon])
        return enemy & int(right | down | reversed_bits(left | up))

    @rule
    def steps_across(s, own, enemy, occupied):
        return (paired(own, own) & across(board & ~occupied)) | captors_across(s, own, enemy)

    @rule
    def steps_along(s, own, enemy, occupied):
        return (paired(own, own) & along(board & ~occupied)) | captors_along(s, own, enemy)

    @rule
    def stepping(place, way):
        return 33 * (place & 31) + int(strides[way + (place >> 5)])

    return Reach(
        paired, across, along, face_up, pieces_of, rank_at, cannons_of, captors_across, captors_along, shots,
        steps_across, steps_along, stepping,
    )  # fmt: skip


def may_take(rank: int, other: int) -> bool:
    """Whether a piece of one rank may step onto one of another rank beside it, or onto an empty square, whose rank is
    0."""
    pawn, cannon, king = 1, 2, 7
    if other == 0 or (rank, other) == (pawn, king):
        return True
    return rank >= other and rank != cannon and (rank, other) != (king, pawn)


def _rays(rows: int, cols: int) -> Any:
    """For each square the squares to the right, to the left, below and above; in reversed order those to the left and
    above."""
    rays = np.zeros((4, rows * cols), dtype=np.uint64)
    for cell, other in product(range(rows * cols), repeat=2):
        if cell != other and (cell // cols == other // cols or cell % cols == other % cols):
            way = (0 if cell // cols == other // cols else 2) + (other < cell)
            rays[way, cell] |= u64(1 << (63 - other if other < cell else other))
    return rays
