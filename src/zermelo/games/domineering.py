"""Domineering: the first player lays vertical dominoes, the second horizontal ones; who cannot move loses.

Cells are numbered row by row from the top left, a move is the upper or left cell of its domino. Only which
cells are covered matters, not by whom, so `filled` is all there is; the number of covered cells also tells
who is to move, which makes `filled` an exact key. The tables below are indexed by player.
"""

from __future__ import annotations

from typing import Any

from zermelo.rules import ONGOING, Game, Grid, Unsuitable, bit_index, i8, popcount, rule, struct, u64


def domineering(rows: int = 8, cols: int = 8) -> Game:
    """Lay dominoes, the first player upright, the second level, until somebody cannot."""
    cells = rows * cols
    if rows < 1 or cols < 1 or cells > 64:
        raise Unsuitable(f"domineering has from 1 to 64 cells, not {rows} rows × {cols} columns")
    State = struct(filled=u64, plies=i8)
    zero, one = u64(0), u64(1)
    board = u64((1 << cells) - 1)
    first_row = u64((1 << cols) - 1)
    first_column = u64(sum(1 << (r * cols) for r in range(rows)))
    below = u64(cols if rows > 1 else 0)  # nothing is below a single row, and 64 bits cannot be shifted by 64
    steps = (below, one)
    begins = (u64((1 << (cells - cols)) - 1), board & ~(first_column << u64(cols - 1)))
    first_lines = (first_row, first_column)
    lines = (rows - 1, cols - 1)

    @rule
    def places(free, player):  # where a domino of the player fits
        return free & (free >> steps[player]) & begins[player]

    @rule
    def packed(free, player):  # as many dominoes of the player as fit side by side
        step, line = steps[player], first_lines[player]
        chosen = zero
        for _ in range(lines[player]):
            fit = free & (free >> step) & line
            free &= ~(fit | (fit << step))
            chosen |= fit
            line = line << step
        return chosen

    @rule
    def secured(free, player, first):  # how many dominoes the player can lay whatever the opponent does
        step, across = steps[player], steps[1 - player]
        theirs = places(free, 1 - player)
        safe = packed(free & ~(theirs | (theirs << across)), player)
        # Of the others, the player takes one while the opponent spoils at most two, one with each half.
        open_to_attack = packed(free & ~(safe | (safe << step)), player)
        return popcount(safe) + (popcount(open_to_attack) + 2 * first) // 3

    @rule
    def moves(s, out):
        n = 0
        left = places(board & ~s.filled, s.plies & 1)
        while left != zero:
            out[n] = bit_index(left)
            n += 1
            left &= left - one
        return n

    @rule
    def play(s, move):
        domino = one << u64(move)
        s.filled |= domino | (domino << steps[s.plies & 1])
        s.plies += 1

    @rule
    def result(s):
        player = s.plies & 1
        if places(board & ~s.filled, player) == zero:
            return 2 * player - 1
        return ONGOING

    @rule
    def bounds(s):  # decided once what one player can secure outlasts all that the other could ever lay
        player = s.plies & 1
        free = board & ~s.filled
        if secured(free, player, 1) > popcount(packed(free, 1 - player)):
            return 1 - 2 * player, 1 - 2 * player
        if secured(free, 1 - player, 0) >= popcount(packed(free, player)):
            return 2 * player - 1, 2 * player - 1
        return -1, 1

    @rule
    def order(s, move):
        player = s.plies & 1
        domino = one << u64(move)
        free = board & ~(s.filled | domino | (domino << steps[player]))
        return popcount(places(free, player)) - popcount(places(free, 1 - player))

    @rule
    def evaluate(s):
        free = board & ~s.filled
        more = popcount(places(free, 0)) - popcount(places(free, 1))
        return more / (4.0 + abs(more))

    @rule
    def key(s):
        return s.filled

    @rule
    def mirrored(covered):
        image = zero
        for c in range(cols):
            image |= ((covered >> u64(c)) & first_column) << u64(cols - 1 - c)
        return image

    @rule
    def upside_down(covered):
        image = zero
        for r in range(rows):
            image |= ((covered >> u64(r * cols)) & first_row) << u64((rows - 1 - r) * cols)
        return image

    @rule
    def symmetry(s):
        across = mirrored(s.filled)
        return min(min(s.filled, across), min(upside_down(s.filled), upside_down(across)))

    def column(c: int) -> str:
        return (chr(96 + c // 26) if c >= 26 else "") + chr(97 + c % 26)

    def draw(s: Any) -> Grid:
        marks = ["#" if int(s.filled) >> i & 1 else "." for i in range(cells)]
        return Grid(
            [marks[r * cols : (r + 1) * cols] for r in range(rows)],
            columns=[column(c) for c in range(cols)],
            rows=[str(r + 1) for r in range(rows)],
        )

    return Game(
        name="domineering",
        State=State,
        start=State(),
        moves=moves,
        play=play,
        result=result,
        max_moves=max(1, (rows - 1) * cols, rows * (cols - 1)),
        max_plies=max(1, cells // 2),
        exact_key=True,
        order=order,
        evaluate=evaluate,
        key=key,
        symmetry=symmetry,
        bounds=bounds,
        move_text=lambda s, move: f"{column(move % cols)}{move // cols + 1}",
        draw=draw,
    )
