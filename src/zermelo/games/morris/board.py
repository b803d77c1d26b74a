"""The boards of morris: points, what lies beside them, lines, and symmetries.

The points of a square are eight bits, clockwise from its upper left corner: the outer square has the lowest, the inner
one the next, the one between them the last; with three men bit 8 is the centre. So turns and mirror images, and the
exchange of outer and inner square, take the lowest 16 bits to themselves.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np

from zermelo.rules import u64

_AROUND = ((-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0))  # columns and rows from the centre


class Board(NamedTuple):
    """places: column and row of each point, from the lower left; paths: the points along each line that is drawn;
    rows: the points of each row, from the top. near: the points beside each point; lines: the sets of three that are a
    mill; closing: for each point what completes its lines, filled up with what no men ever are. maps: where each
    symmetry but the first takes the points."""

    places: list[tuple[int, int]]
    paths: list[list[int]]
    rows: list[list[int]]
    near: np.ndarray[Any, Any]
    lines: np.ndarray[Any, Any]
    closing: np.ndarray[Any, Any]
    maps: list[list[int]]

    @property
    def cells(self) -> int:
        return len(self.places)


@cache
def board_for(men: int) -> Board:
    """The board for so many men a side."""
    squares = men // 3
    widths = [[1], [2, 1], [3, 1, 2]][squares - 1]  # half the side of each square, in the order of their bits
    places = [(squares + x * width, squares + y * width) for width in widths for x, y in _AROUND]
    paths = [[8 * square + (2 * side + i) % 8 for i in range(3)] for square in range(squares) for side in range(4)]
    if squares == 1:
        places.append((1, 1))
        paths += [[k, 8, k + 4] for k in range(4)]
    else:
        inwards = sorted(range(squares), key=lambda square: -widths[square])
        paths += [[8 * square + k for square in inwards] for k in (1, 3, 5, 7)]
    cells, lines = len(places), [path for path in paths if len(path) == 3]
    near = np.zeros(cells, dtype=np.uint64)
    for path in paths:
        for a, b in pairwise(path):
            near[a] |= u64(1 << b)
            near[b] |= u64(1 << a)
    rests = [[_mask(line) ^ 1 << point for line in lines if point in line] for point in range(cells)]
    most = max(map(len, rests))
    closing = np.array([rest + [1 << 63] * (most - len(rest)) for rest in rests], dtype=np.uint64)
    rows: list[list[int]] = [[] for _ in range(2 * squares + 1)]
    for point in sorted(range(cells), key=lambda point: places[point]):
        rows[2 * squares - places[point][1]].append(point)
    masks = np.array([_mask(line) for line in lines], dtype=np.uint64)
    return Board(places, paths, rows, near, masks, closing, _maps(squares, cells))


def _maps(squares: int, cells: int) -> list[list[int]]:
    turns = [[(sign * k + 2 * step) % 8 for k in range(8)] for sign in (1, -1) for step in range(4)]
    exchanges = [[0, 1, 2], [1, 0, 2]] if squares > 1 else [[0]]
    centre = range(8 * squares, cells)
    return [
        [*(8 * exchange[square] + turn[k] for square in range(squares) for k in range(8)), *centre]
        for exchange, turn in product(exchanges, turns)
    ][1:]


def _mask(points: list[int]) -> int:
    return sum(1 << point for point in points)
