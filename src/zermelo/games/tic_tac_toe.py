"""Tic-tac-toe on any board, the m,n,k family: two players fill cells in turn, `run` in a row wins.

Cells are numbered row by row from the top left and are the bits of two 64-bit boards: `mine` belongs to the
player to move, `theirs` to the one who moved last, who alone can have completed a run. No bits separate the
rows, so that 8×8 fits; instead each direction has a mask of the cells where a run may begin. Larger boards, up to
20×20, have a byte for each cell (`_large_board`). Gomoku is 15×15 with runs of five or more.
"""

from __future__ import annotations

from typing import Any

from zermelo.games._large_board import large_board
from zermelo.games._reflections import reflections
from zermelo.games._vcf import vcf
from zermelo.rules import ONGOING, Game, Grid, PositionError, Unsuitable, bit_index, i8, rule, struct, u64
from zermelo.rules.hashing import mix

LARGEST = 400


def tic_tac_toe(rows: int = 3, cols: int = 3, run: int = 3) -> Game:
    """Fill cells in turn, `run` in a row (upright, level or diagonal) wins, a full board is a draw."""
    cells = rows * cols
    if rows < 1 or cols < 1 or cells > LARGEST:
        raise Unsuitable(f"tic-tac-toe has from 1 to {LARGEST} cells, not {rows} rows × {cols} columns")
    longest = max(rows, cols)
    if not 1 <= run <= longest:
        raise Unsuitable(f"tic-tac-toe on {rows}×{cols} can have runs of 1 to {longest}, not of {run}")
    if cells > 64:
        large = large_board(rows, cols, run)
        return Game(
            name="tic-tac-toe",
            State=large.State,
            start=large.make(0, 0),
            moves=large.moves,
            play=large.play,
            result=large.result,
            max_moves=cells,
            max_plies=cells,
            key=large.key,
            subgames={"vcf": vcf(rows, cols, run, large.owner)},
            **_texts(rows, cols, run, large.make, large.held),
        )
    State = struct(mine=u64, theirs=u64, plies=i8)
    zero, one = u64(0), u64(1)
    board = u64((1 << cells) - 1)
    exact = cells <= 32  # then both boards fit into one key

    begun = _beginnings(rows, cols, run)
    directions = len(begun)
    steps = tuple(step for step, _ in begun)
    begins = tuple(u64(mask) for _, mask in begun)

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

    mirrored, flipped, pairs = reflections(rows, cols)

    @rule
    def symmetry(s):
        mine, theirs = s.mine, s.theirs
        least = name(mine, theirs)
        for _ in range(pairs):
            mine, theirs = mirrored(mine), mirrored(theirs)
            least = min(least, name(mine, theirs))
            mine, theirs = flipped(mine), flipped(theirs)
            least = min(least, name(mine, theirs))
        return least

    @rule
    def owner(s, cell):
        if (s.mine >> u64(cell)) & one != zero:
            return 1
        return 2 if (s.theirs >> u64(cell)) & one != zero else 0

    def make(first: int, second: int) -> Any:
        plies = first.bit_count() + second.bit_count()
        mine, theirs = (first, second) if plies % 2 == 0 else (second, first)
        return State(mine=mine, theirs=theirs, plies=plies)

    def held(s: Any) -> tuple[int, int]:
        return (int(s.theirs), int(s.mine)) if s.plies % 2 else (int(s.mine), int(s.theirs))

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
        subgames={"vcf": vcf(rows, cols, run, owner)},
        **_texts(rows, cols, run, make, held),
    )


def _beginnings(rows: int, cols: int, run: int) -> list[tuple[int, int]]:
    """For each direction that a run fits into, as the step from one cell to the next, the cells where it may begin."""
    last, found = run - 1, []
    for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
        mask = sum(
            1 << (r * cols + c)
            for r in range(rows)
            for c in range(cols)
            if r + last * down < rows and 0 <= c + last * right < cols
        )
        if mask:
            found.append((down * cols + right, mask))
    return found


def _texts(rows: int, cols: int, run: int, make: Any, held: Any) -> dict[str, Any]:
    """The hooks for people. `make(first, second)`: the state in which the players hold these cells, one bit each;
    `held(s)`: these two numbers."""
    cells, begun = rows * cols, _beginnings(rows, cols, run)

    def has_run(stones: int) -> bool:
        for step, mask in begun:
            line = stones & mask
            for i in range(1, run):
                line &= stones >> (i * step)
            if line:
                return True
        return False

    def column(c: int) -> str:
        return (chr(96 + c // 26) if c >= 26 else "") + chr(97 + c % 26)

    def marks(s: Any) -> str:
        first, second = held(s)
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
        before = [theirs ^ (1 << i) for i in range(cells) if theirs >> i & 1] if has_run(theirs) else []
        if has_run(mine) or (before and all(has_run(stones) for stones in before)):
            raise PositionError(f"{text!r} cannot come about: the game ends with the first run of {run}")
        return make(first, second)

    def draw(s: Any) -> Grid:
        text = marks(s).replace("-", ".")
        return Grid(
            [text[r * cols : (r + 1) * cols] for r in range(rows)],
            columns=[column(c) for c in range(cols)],
            rows=[str(r + 1) for r in range(rows)],
            style="mark",
        )

    return {
        "move_text": lambda s, move: f"{column(move % cols)}{move // cols + 1}",
        "position_text": marks,
        "read_position": read_position,
        "draw": draw,
    }
