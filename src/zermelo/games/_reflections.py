"""Mirror images of boards of up to 64 cells in one word, numbered row by row: what symmetric positions are found by."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.rules import rule, u64
from zermelo.rules.language import Rule


class Reflections(NamedTuple):
    """Two reflections. Made in turn, `pairs` times both, they lead through all images of a board, and at last back to
    the board itself."""

    mirrored: Rule  # (cells) -> left and right exchanged
    flipped: Rule  # (cells) -> rows and columns exchanged if the board is square, else top and bottom
    pairs: int


def reflections(rows: int, cols: int) -> Reflections:
    """The reflections of one board."""
    zero = u64(0)
    first_row = u64((1 << cols) - 1)
    first_column = u64(sum(1 << (r * cols) for r in range(rows)))

    @rule
    def mirrored(cells):
        image = zero
        for c in range(cols):
            image |= ((cells >> u64(c)) & first_column) << u64(cols - 1 - c)
        return image

    if rows == cols:
        # The cells d columns right of the diagonal: transposing moves each of them on by the same distance.
        above = tuple(u64(sum(1 << (r * cols + r + d) for r in range(rows - d))) for d in range(rows))

        @rule
        def flipped(cells):
            image = cells & above[0]
            for d in range(1, rows):
                way = u64(d * (cols - 1))
                image |= ((cells & above[d]) << way) | ((cells >> way) & above[d])
            return image
    else:

        @rule
        def flipped(cells):
            image = zero
            for r in range(rows):
                image |= ((cells >> u64(r * cols)) & first_row) << u64((rows - 1 - r) * cols)
            return image

    return Reflections(mirrored, flipped, 4 if rows == cols else 2)
