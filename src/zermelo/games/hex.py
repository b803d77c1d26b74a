"""Hex: the first player (X) connects the top edge with the bottom edge, the second (O) left with right.

The board is a rhombus that leans to the right: besides its four orthogonal neighbours, cell (r, c) touches
(r−1, c+1) and (r+1, c−1). No swap rule, and no draws: exactly one of the two chains exists on a full board.

Cells are numbered row by row from the top left. A set of cells is one 64-bit word up to size 8, two beyond;
their number is a constant to the compiler, so that small boards do not pay for large ones. `stones` holds
the first player's words, then the second's. `linked` holds the stones from which a chain leads to the top,
the bottom (of the first player), the left, the right edge (of the second). `play` keeps it up, which for most
stones is a look at their neighbours; then the game is over if some stone is linked to both edges, and the
cells that would end it at once are those beside both links.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from zermelo.rules import ONGOING, Game, Grid, Unsuitable, bit_index, i8, popcount, reversed_bits, rule, struct, u64
from zermelo.rules.hashing import mix


def hex(size: int = 11) -> Game:
    """Connect your two edges, top and bottom for the first player, left and right for the second."""
    if not 2 <= size <= 11:
        raise Unsuitable(f"hex is played on boards of size 2 to 11, not {size}")
    cells = size * size
    words = 1 if cells <= 64 else 2
    State = struct(stones=(u64, 2 * words), linked=(u64, 4 * words), plies=i8)
    exact = cells <= 32  # then the stones of both players fit into one key
    zero, one = u64(0), u64(1)

    def split(chosen: Iterable[int]) -> list[int]:
        """A set of cells as words."""
        whole = sum(1 << cell for cell in chosen)
        return [whole >> (64 * w) & (2**64 - 1) for w in range(words)]

    def neighbours(cell: int) -> list[int]:
        r, c = divmod(cell, size)
        around = ((r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c), (r - 1, c + 1), (r + 1, c - 1))
        return [i * size + j for i, j in around if 0 <= i < size and 0 <= j < size]

    def off_centre(cell: int) -> int:
        """Twice the number of steps from the cell to the middle of the board."""
        down, right = (2 * x - size + 1 for x in divmod(cell, size))
        return max(abs(down), abs(right), abs(down + right))

    every = range(cells)
    top, bottom = every[:size], every[-size:]
    left, right = every[::size], every[size - 1 :: size]
    board = tuple(map(u64, split(every)))
    not_left = tuple(map(u64, split(set(every) - set(left))))
    not_right = tuple(map(u64, split(set(every) - set(right))))
    edges = tuple(map(u64, split(top) + split(bottom) + split(left) + split(right)))
    touching = np.array([split(neighbours(cell)) for cell in every], dtype=np.uint64)
    central = np.array([-off_centre(cell) for cell in every], dtype=np.int64)

    @rule
    def later(s, edge, w, way):  # word w of what is linked to the edge, every cell moved on
        moved = s.linked[words * edge + w] << u64(way)
        if w > 0:
            moved |= s.linked[words * edge + w - 1] >> u64(64 - way)
        return moved

    @rule
    def earlier(s, edge, w, way):
        moved = s.linked[words * edge + w] >> u64(way)
        if w + 1 < words:
            moved |= s.linked[words * edge + w + 1] << u64(64 - way)
        return moved

    @rule
    def beside(s, edge, w):  # the cells where a stone is linked; those that left their row are masked out
        rightward = later(s, edge, w, 1) | earlier(s, edge, w, size - 1)
        leftward = earlier(s, edge, w, 1) | later(s, edge, w, size - 1)
        straight = earlier(s, edge, w, size) | later(s, edge, w, size)
        return edges[words * edge + w] | (rightward & not_left[w]) | (leftward & not_right[w]) | straight

    @rule
    def spread(s, edge):  # link every stone that a chain leads to
        grown = True
        while grown:
            grown = False
            for w in range(words):
                i = words * edge + w
                new = beside(s, edge, w) & s.stones[words * (edge >> 1) + w] & ~s.linked[i]
                if new != zero:
                    s.linked[i] |= new
                    grown = True

    @rule
    def empty(s, w):
        return board[w] & ~(s.stones[w] | s.stones[words + w])

    @rule
    def winning(s, player, w):  # the cells where the player wins at once
        return empty(s, w) & beside(s, 2 * player, w) & beside(s, 2 * player + 1, w)

    @rule
    def moves(s, out):
        n = 0
        for w in range(words):
            left_over = empty(s, w)
            while left_over != zero:
                out[n] = 64 * w + bit_index(left_over)
                n += 1
                left_over &= left_over - one
        return n

    @rule
    def play(s, move):
        player = s.plies & 1
        at, stone = move >> 6, one << u64(move & 63)
        s.stones[words * player + at] |= stone
        s.plies += 1
        for edge in range(2 * player, 2 * player + 2):
            links = stone & edges[words * edge + at]
            for w in range(words):
                links |= touching[move, w] & s.linked[words * edge + w]
            if links != zero:
                s.linked[words * edge + at] |= stone
                spread(s, edge)

    @rule
    def result(s):
        player = (s.plies + 1) & 1  # who moved last
        near = 2 * words * player
        for w in range(words):
            if s.linked[near + w] & s.linked[near + words + w] != zero:
                return 1 - 2 * player
        return ONGOING

    @rule
    def bounds(s):  # a chain one cell short wins for the player to move, two such cells for the other
        player = s.plies & 1
        threats = 0
        for w in range(words):
            if winning(s, player, w) != zero:
                return 1 - 2 * player, 1 - 2 * player
            threats += popcount(winning(s, 1 - player, w))
        if threats > 1:
            return 2 * player - 1, 2 * player - 1
        return -1, 1

    @rule
    def candidates(s, out):  # a single threat must be answered
        for w in range(words):
            threat = winning(s, 1 - (s.plies & 1), w)
            if threat != zero:
                out[0] = 64 * w + bit_index(threat)
                return 1
        return moves(s, out)

    @rule
    def order(s, move):  # the centre first, and cells beside stones of both, where chains meet and are cut
        first, second = zero, zero
        for w in range(words):
            first |= touching[move, w] & s.stones[w]
            second |= touching[move, w] & s.stones[words + w]
        return int(central[move]) + (4 if first != zero and second != zero else 0)


    @rule
    def joined(name, word, i):  # the key, grown by word i of the stones
        if exact:
            return name | (word << u64(32 * i))
        return mix(name, word)

    @rule
    def key(s):
        name = zero
        for i in range(2 * words):
            name = joined(name, s.stones[i], i)
        return name

    spare = 64 * words - cells

    @rule
    def symmetry(s):  # half a turn reverses the order of the cells
        name = zero
        for i in range(2 * words):
            w = i % words
            mirror = i + words - 1 - 2 * w
            turned = reversed_bits(s.stones[mirror]) >> u64(spare)
            if w + 1 < words:
                turned |= reversed_bits(s.stones[mirror - 1]) << u64(64 - spare)
            name = joined(name, turned, i)
        return min(name, key(s))

    letters = "abcdefghijk"[:size]

    def draw(s: Any) -> Grid:
        first, second = (
            sum(int(s.stones[words * player + w]) << (64 * w) for w in range(words)) for player in (0, 1)
        )
        marks = ["X" if first >> i & 1 else "O" if second >> i & 1 else "." for i in every]
        return Grid(
            [marks[r * size : (r + 1) * size] for r in range(size)],
            columns=list(letters),
            rows=[str(r + 1) for r in range(size)],
            skew=True,
            borders=(0, 1),
        )

    return Game(
        name="hex",
        State=State,
        start=State(),
        moves=moves,
        play=play,
        result=result,
        max_moves=cells,
        max_plies=cells,
        exact_key=exact,
        order=order,
        key=key,
        symmetry=symmetry,
        bounds=bounds,
        candidates=candidates,
        move_text=lambda s, move: f"{letters[move % size]}{move // size + 1}",
        draw=draw,
    )
