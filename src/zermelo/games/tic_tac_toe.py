"""Tic-tac-toe on any board, the m,n,k family: two players fill cells in turn, `run` in a row wins.

Cells are numbered row by row from the top left and are the bits of two 64-bit boards: `mine` belongs to the
player to move, `theirs` to the one who moved last, who alone can have completed a run. No bits separate the
rows, so that 8×8 fits; instead each direction has a mask of the cells where a run may begin.
"""

from __future__ import annotations

from typing import Any

from zermelo.rules import ONGOING, Game, Grid, PositionError, Unsuitable, bit_index, i8, rule, struct, u64
from zermelo.rules.hashing import mix


def tic_tac_toe(rows: int = 3, cols: int = 3, run: int = 3) -> Game:
    """Fill cells in turn, `run` in a row (upright, level or diagonal) wins, a full board is a draw."""
    cells = rows * cols
    if rows < 1 or cols < 1 or cells > 64:
        raise Unsuitable(f"tic-tac-toe has from 1 to 64 cells, not {rows} rows × {cols} columns")
    longest = max(rows, cols)
    if not 1 <= run <= longest:
        raise Unsuitable(f"tic-tac-toe on {rows}×{cols} can have runs of 1 to {longest}, not of {run}")
    State = struct(mine=u64, theirs=u64, plies=i8)
    zero, one = u64(0), u64(1)
    board = u64((1 << cells) - 1)
    exact = cells <= 32  # then both boards fit into one key

    def beginnings(down: int, right: int) -> int:
        """The cells from which a run in this direction stays on the board."""
        last = run - 1
        return sum(
            1 << (r * cols + c)
            for r in range(rows)
            for c in range(cols)
            if r + last * down < rows and 0 <= c + last * right < cols
        )

    fitting = [way for way in ((0, 1), (1, -1), (1, 0), (1, 1)) if beginnings(*way)]
    directions = len(fitting)
    steps = tuple(down * cols + right for down, right in fitting)
    begins = tuple(u64(beginnings(*way)) for way in fitting)

    @rule
    def has_run(stones):
        for d in range(directions):
            line = stones & begins[d]
            for i in range(1, run):
                line &= stones >> u64(i * steps[d])
            if line != zero:
                return True
        return False

    @rule
    def moves(s, out):
        n = 0
        empty = board & ~(s.mine | s.theirs)
        while empty != zero:
            out[n] = bit_index(empty)
            n += 1
            empty &= empty - one
        return n

    @rule
    def play(s, move):
        moved = s.mine | (one << u64(move))
        s.mine = s.theirs
        s.theirs = moved
        s.plies += 1

    @rule
    def result(s):
        if has_run(s.theirs):
            return 1 if s.plies & 1 == 1 else -1
        if s.plies == cells:
            return 0
        return ONGOING

    half = u64(32)

    @rule
    def name(mine, theirs):
        if exact:
            return mine | (theirs << half)
        return mix(mix(zero, mine), theirs)

    @rule
    def key(s):
        return name(s.mine, s.theirs)

    first_row = u64((1 << cols) - 1)
    first_column = u64(sum(1 << (r * cols) for r in range(rows)))

    @rule
    def mirrored(stones):
        image = zero
        for c in range(cols):
            image |= ((stones >> u64(c)) & first_column) << u64(cols - 1 - c)
        return image

    if rows == cols:
        # The cells d columns right of the diagonal: transposing moves each of them on by the same distance.
        above = tuple(u64(sum(1 << (r * cols + r + d) for r in range(rows - d))) for d in range(rows))

        @rule
        def flipped(stones):
            image = stones & above[0]
            for d in range(1, rows):
                way = u64(d * (cols - 1))
                image |= ((stones & above[d]) << way) | ((stones >> way) & above[d])
            return image
    else:

        @rule
        def flipped(stones):
            image = zero
            for r in range(rows):
                image |= ((stones >> u64(r * cols)) & first_row) << u64((rows - 1 - r) * cols)
            return image

    pairs = 4 if rows == cols else 2

    @rule
    def symmetry(s):  # two reflections in turn lead through all images, and at last back to the board itself
        mine, theirs = s.mine, s.theirs
        least = name(mine, theirs)
        for _ in range(pairs):
            mine, theirs = mirrored(mine), mirrored(theirs)
            least = min(least, name(mine, theirs))
            mine, theirs = flipped(mine), flipped(theirs)
            least = min(least, name(mine, theirs))
        return least

    def column(c: int) -> str:
        return (chr(96 + c // 26) if c >= 26 else "") + chr(97 + c % 26)

    def marks(s: Any) -> str:
        first, second = (int(s.mine), int(s.theirs))[:: -1 if s.plies % 2 else 1]
        return "".join("X" if first >> i & 1 else "O" if second >> i & 1 else "-" for i in range(cells))

    def read_position(text: str) -> Any:
        if any(letter.isdigit() for letter in text):  # rows are numbered, so these are moves
            return None
        board_text = "".join(text.replace("/", " ").replace(".", "-").split()).upper()
        if len(board_text) != cells or not set(board_text) <= set("XO-"):
            raise PositionError(
                f"{text!r} is no position: give {cells} cells of X, O and -, row by row, or moves such as a1"
            )
        first, second = (sum(1 << i for i, mark in enumerate(board_text) if mark == who) for who in "XO")
        xs, os = first.bit_count(), second.bit_count()
        if xs - os not in (0, 1):
            raise PositionError(f"X begins, so it has as many cells as O or one more, not {xs} against {os}")
        mine, theirs = (first, second) if xs == os else (second, first)
        # Who moved last may have a run, if taking back one of its cells undoes it; the other may have none.
        before = [u64(theirs ^ (1 << i)) for i in range(cells) if theirs >> i & 1]
        if has_run(u64(mine)) or (before and all(has_run(stones) for stones in before)):
            raise PositionError(f"{text!r} cannot come about: the game ends with the first run of {run}")
        return State(mine=mine, theirs=theirs, plies=xs + os)

    def draw(s: Any) -> Grid:
        text = marks(s).replace("-", ".")
        return Grid(
            [text[r * cols : (r + 1) * cols] for r in range(rows)],
            columns=[column(c) for c in range(cols)],
            rows=[str(r + 1) for r in range(rows)],
            style="mark",
        )

    return Game(
        name="tic-tac-toe",
        State=State,
        start=State(),
        moves=moves,
        play=play,
        result=result,
        max_moves=cells,
        max_plies=cells,
        exact_key=exact,
        key=key,
        symmetry=symmetry,
        move_text=lambda s, move: f"{column(move % cols)}{move // cols + 1}",
        position_text=marks,
        read_position=read_position,
        draw=draw,
    )
