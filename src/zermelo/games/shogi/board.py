"""Boards and pieces of shogi as numbers: what the rules look up.

A board has a border, so that a piece that walks off it is stopped by what it meets there: rows of `stride` = files + 1
squares, one row above and one below. Square 0 is border; it also stands for "no king". Rows go down from the second
player's side, files from the left, as a diagram is read.

A piece is its kind, 8 more if it is promoted, 16 more if it is the second player's. Eight directions are numbered so
that `d ^ 1` is the opposite of `d`; the knight's jumps are apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from zermelo.rules.hashing import mix
from zermelo.rules.structs import u64, wrapping

PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, KING = range(1, 9)
PROMOTED, SECOND, BORDER = 8, 16, 32
LETTERS = ".PLNSGBRK"

UP, DOWN, LEFT, RIGHT, UP_LEFT, DOWN_RIGHT, UP_RIGHT, DOWN_LEFT = range(8)
_STRAIGHT, _DIAGONAL = (UP, DOWN, LEFT, RIGHT), (UP_LEFT, DOWN_RIGHT, UP_RIGHT, DOWN_LEFT)
_ROWS_AND_FILES = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1))
_GOLD = (*_STRAIGHT, UP_LEFT, UP_RIGHT)
_STEPS: dict[int, tuple[int, ...]] = {
    PAWN: (UP,), SILVER: (UP, *_DIAGONAL), GOLD: _GOLD, KING: (*_STRAIGHT, *_DIAGONAL),
    PAWN + PROMOTED: _GOLD, LANCE + PROMOTED: _GOLD, KNIGHT + PROMOTED: _GOLD, SILVER + PROMOTED: _GOLD,
    BISHOP + PROMOTED: _STRAIGHT, ROOK + PROMOTED: _DIAGONAL,
}  # fmt: skip
_SLIDES: dict[int, tuple[int, ...]] = {
    LANCE: (UP,), BISHOP: _DIAGONAL, ROOK: _STRAIGHT,
    BISHOP + PROMOTED: _DIAGONAL, ROOK + PROMOTED: _STRAIGHT,
}  # fmt: skip

MAY_PROMOTE, MUST_PROMOTE = 1, 2

Table = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Board:
    """The tables of one size.

    `offsets`: a step in each direction. `steps`, `slides`: the directions in which a piece goes, bit by bit. `hits`:
    for a piece that is met when one looks from a square in direction d, bit d is set if it reaches that square from
    next to it, bit 8 + d if from further away. `rays[cells · from + to]`: 1 + the direction, 0 if `to` lies in none.
    `promotion[cells · piece + square]`: MAY_PROMOTE if the piece may when it moves from or to there, MUST_PROMOTE if it
    could never move again. Around a king, at cells · king + square: `beside` numbers the places from which a piece can
    reach a square next to the king by a step or a jump, 0 for all others, and `near[32 · that + piece]` are these
    squares, a bit for each direction; `next_to` is the bit of a square itself; `aligned` are the squares next to the
    king that lie on a line with it, and `towards` the directions from it that lead over one of them. The keys are those
    of Zobrist: of a piece on a square, and of the turn."""

    files: int
    ranks: int
    zone: int
    counts: tuple[int, ...]  # how many there are of each kind
    offsets: Table
    steps: Table
    slides: Table
    hits: Table
    rays: Table
    promotion: Table
    beside: Table
    near: Table
    next_to: Table
    aligned: Table
    towards: Table
    piece_keys: Table
    turn_key: Any

    @property
    def stride(self) -> int:
        return self.files + 1

    @property
    def cells(self) -> int:
        return self.stride * (self.ranks + 2) + 1

    @property
    def bits(self) -> int:
        """All bits that the number of a square can have. A walk that keeps to these comes to the same squares, and the
        compiler sees that none is negative: it need not count such from the end of the board, as Python does."""
        return (1 << self.cells.bit_length()) - 1

    @cached_property
    def squares(self) -> tuple[int, ...]:
        return tuple(self.square(row, file) for row in range(self.ranks) for file in range(self.files))

    @property
    def kinds(self) -> tuple[int, ...]:
        """What can be held in hand."""
        return tuple(kind for kind in range(PAWN, KING) if self.counts[kind] > 0)

    def square(self, row: int, file: int) -> int:
        return self.stride * (row + 1) + file + 1

    def place(self, square: int) -> tuple[int, int]:
        """Row and file of a square."""
        return square // self.stride - 1, square % self.stride - 1

    def empty(self) -> list[int]:
        return [0 if square in self.squares else BORDER for square in range(self.cells)]


def is_promotable(piece: int) -> bool:
    return piece & 15 in (PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK)


def board_for(size: int, zone: int, counts: tuple[int, ...]) -> Board:
    """The tables of a square board on which pieces promote on the last `zone` rows."""
    stride = size + 1
    cells = stride * (size + 2) + 1
    offsets = np.array([stride * row + file for row, file in _ROWS_AND_FILES], dtype=np.int64)
    steps, slides, hits = (np.zeros(64, dtype=np.int64) for _ in range(3))
    for piece in range(32):
        side, kind = piece >> 4, piece & 15
        for directions, masks, shift in ((_STEPS, steps, 0), (_SLIDES, slides, 8)):
            for direction in directions.get(kind, ()):
                seen = _turned(direction) if side else direction
                masks[piece] |= 1 << seen
                hits[piece] |= 1 << (seen ^ 1) | (1 << ((seen ^ 1) + shift))
    rays = _rays(size)
    return Board(
        size, size, zone, counts, offsets, steps, slides, hits, rays, _promotions(size, zone),
        *_around_kings(size, steps, rays), *_keys(cells),
    )  # fmt: skip


def _turned(direction: int) -> int:
    """The same direction seen by the other player, whose rows are the other way round."""
    row, file = _ROWS_AND_FILES[direction]
    return _ROWS_AND_FILES.index((-row, file))


def _rays(size: int) -> Table:
    stride = size + 1
    cells = stride * (size + 2) + 1
    rays = np.zeros(cells * cells, dtype=np.uint8)
    for row in range(size):
        for file in range(size):
            for direction, (down, across) in enumerate(_ROWS_AND_FILES):
                r, f = row + down, file + across
                while 0 <= r < size and 0 <= f < size:
                    rays[cells * (stride * (row + 1) + file + 1) + stride * (r + 1) + f + 1] = direction + 1
                    r, f = r + down, f + across
    return rays


def _promotions(size: int, zone: int) -> Table:
    stride = size + 1
    cells = stride * (size + 2) + 1
    table = np.zeros(32 * cells, dtype=np.uint8)
    stuck_rows = {PAWN: 1, LANCE: 1, KNIGHT: 2}
    for piece in filter(is_promotable, range(32)):
        for row in range(size):
            ahead = size - 1 - row if piece >= SECOND else row  # rows in front of the piece
            for file in range(size):
                may = MAY_PROMOTE if ahead < zone else 0
                must = MUST_PROMOTE if ahead < stuck_rows.get(piece & 15, 0) else 0
                table[cells * piece + stride * (row + 1) + file + 1] = may | must
    return table


def _around_kings(size: int, steps: Table, rays: Table) -> tuple[Table, Table, Table, Table, Table]:
    """`beside`, `near`, `next_to`, `aligned` and `towards`."""
    stride = size + 1
    cells = stride * (size + 2) + 1
    rows, files = np.divmod(np.arange(size * size), size)
    squares = stride * (rows + 1) + files + 1
    down, across = rows - rows[:, None], files - files[:, None]  # from a king to a square
    far = np.maximum(abs(down), abs(across))
    beside, next_to, aligned, towards = (np.zeros((cells, cells), dtype=np.uint8) for _ in range(4))
    kings = np.ix_(squares, squares)
    beside[kings] = np.where((far > 0) & (far <= _FAR), _place(down, across), 0)
    for direction, (row, file) in enumerate(_ROWS_AND_FILES):
        next_to[kings] |= ((down == row) & (across == file)).astype(np.uint8) << direction
        lines = rays.reshape(cells, cells)[:, squares + stride * row + file].T  # from a square to that next to a king
        aligned[squares] |= (lines > 0).astype(np.uint8) << direction
        towards[squares] |= np.where(lines > 0, 1 << (lines - np.uint8(1)), 0).astype(np.uint8)
    near = np.zeros((_PLACES, 32), dtype=np.uint8)
    for piece in range(32):
        for ahead, aside in _reach(piece, steps):
            for direction, (row, file) in enumerate(_ROWS_AND_FILES):
                near[_place(row - ahead, file - aside), piece] |= 1 << direction
    return beside.reshape(-1), near.reshape(-1), next_to.reshape(-1), aligned.reshape(-1), towards.reshape(-1)


_FAR = 3
"""A knight's jump and a step are no longer together."""
_PLACES = (2 * _FAR + 1) ** 2 + 1


def _place(down: Any, across: Any) -> Any:
    """The number of a place, so many rows and files away from a king."""
    return (2 * _FAR + 1) * (down + _FAR) + across + _FAR + 1


def _reach(piece: int, steps: Table) -> list[tuple[int, int]]:
    """Rows and files of a piece's steps and jumps."""
    found = [place for direction, place in enumerate(_ROWS_AND_FILES) if int(steps[piece]) >> direction & 1]
    if piece & 15 == KNIGHT:
        ahead = 2 if piece >= SECOND else -2
        found += [(ahead, -1), (ahead, 1)]
    return found


@wrapping
def _keys(cells: int) -> tuple[Table, Any]:
    """Random words, always the same."""
    drawn, word = [], u64(0x5368F6F769)
    for number in range(32 * cells + 1):
        word = mix(word, u64(number))
        drawn.append(word)
    pieces = np.array(drawn[:-1], dtype=np.uint64)
    pieces[:cells] = 0  # empty squares
    return pieces, drawn[-1]
