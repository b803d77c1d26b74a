"""Othello (Reversi) on 4 to 8 rows and columns: outflanked discs turn over, the score is the disc difference.

Who cannot move, while the opponent can, must pass; when neither can, the game is over. Empty squares count
for nobody. A position is written as its squares row by row, X, O or -, and the side to move:
`-----OX--XO----- X` is the start on 4×4.

Square (row, column) is bit row·cols + column of a board; a1 is the top left. `mine` are the discs of the
player to move, `theirs` the opponent's, and `open` the squares where the player to move may play. They follow
from the discs, but `result`, `moves`, `bounds` and `evaluate` ask for them, so `play` finds them once.
"""

from __future__ import annotations

from typing import Any

from zermelo.rules import (
    ONGOING,
    Game,
    Grid,
    PositionError,
    Struct,
    Unsuitable,
    bit_index,
    popcount,
    rule,
    struct,
    u8,
    u64,
)
from zermelo.rules.hashing import key_of_boards


def othello(rows: int = 8, cols: int = 8) -> Game:
    """Turn over what you outflank. X moves first; the score is X's discs less O's."""
    if not (4 <= rows <= 8 and 4 <= cols <= 8):
        raise Unsuitable(f"othello: {rows}×{cols} is not possible, rows and cols must each be from 4 to 8")
    State = struct(mine=u64, theirs=u64, open=u64, turn=u8)
    cells = rows * cols
    pass_move = cells
    key_of, exact = key_of_boards(cells)
    longest = max(rows, cols) - 2  # as many discs can one line turn over
    one, zero = u64(1), u64(0)
    across, down, falling, rising = u64(1), u64(cols), u64(cols + 1), u64(cols - 1)

    def squares(*places: tuple[int, int]) -> Any:
        return u64(sum(1 << (r * cols + c) for r, c in places))

    board = u64((1 << cells) - 1)
    inner_columns = squares(*((r, c) for r in range(rows) for c in range(1, cols - 1)))
    corners = squares((0, 0), (0, cols - 1), (rows - 1, 0), (rows - 1, cols - 1))
    beside_corners = squares(*((r, c) for r in (1, rows - 2) for c in (1, cols - 2)))
    edges = squares(*((r, c) for r in range(rows) for c in range(cols) if r in (0, rows - 1) or c in (0, cols - 1)))
    top_row = squares(*((0, c) for c in range(cols)))
    left_column = squares(*((r, 0) for r in range(rows)))
    diagonals = tuple(squares(*((r, r - d) for r in range(d, min(rows, cols)))) for d in range(cols))

    @rule
    def run_up(start, through, step):  # the unbroken lines of `through` that begin one step above `start`
        run = through & (start << step)
        run |= through & (run << step)
        if longest > 2:
            pairs = through & (through << step)
            run |= pairs & (run << (step + step))
            if longest > 4:
                run |= pairs & (run << (step + step))
        return run

    @rule
    def run_down(start, through, step):
        run = through & (start >> step)
        run |= through & (run >> step)
        if longest > 2:
            pairs = through & (through >> step)
            run |= pairs & (run >> (step + step))
            if longest > 4:
                run |= pairs & (run >> (step + step))
        return run

    @rule
    def reach(mine, through, step):  # the squares just behind the lines that begin at `mine`
        return (run_up(mine, through, step) << step) | (run_down(mine, through, step) >> step)

    @rule
    def mobility(mine, theirs):  # the squares where the owner of `mine` may play
        empty = board & ~(mine | theirs)
        if empty == zero:
            return zero
        inner = theirs & inner_columns  # a line through these alone cannot run round the edge
        ends = reach(mine, theirs, down) | reach(mine, inner, across)
        ends |= reach(mine, inner, falling) | reach(mine, inner, rising)
        return ends & empty

    @rule
    def outflanked(mine, disc, through, step):  # masks, not branches: nobody could predict them
        up, back = run_up(disc, through, step), run_down(disc, through, step)
        up &= zero - u64(mine & (up << step) != zero)
        back &= zero - u64(mine & (back >> step) != zero)
        return up | back

    @rule
    def flips(mine, theirs, disc):  # what a new disc of the owner of `mine` turns over
        inner = theirs & inner_columns
        turned = outflanked(mine, disc, theirs, down) | outflanked(mine, disc, inner, across)
        return turned | outflanked(mine, disc, inner, falling) | outflanked(mine, disc, inner, rising)

    @rule
    def for_first(s, value):  # from the view of the player to move to that of the first player
        return value if s.turn == 0 else -value

    @rule
    def moves(s, out):
        n = 0
        left = s.open
        while left != zero:
            out[n] = bit_index(left)
            left &= left - one
            n += 1
        if n == 0:
            out[0] = pass_move
            n = 1
        return n

    @rule
    def play(s, move):
        mine, theirs = s.mine, s.theirs
        if move != pass_move:
            disc = one << u64(move)
            turned = flips(mine, theirs, disc)
            mine ^= turned | disc
            theirs ^= turned
        s.mine = theirs
        s.theirs = mine
        s.open = mobility(theirs, mine)
        s.turn = 1 - s.turn

    @rule
    def result(s):
        if s.open != zero or mobility(s.theirs, s.mine) != zero:
            return ONGOING
        return for_first(s, popcount(s.mine) - popcount(s.theirs))

    @rule
    def one_left(mine, theirs, empty):  # the final lead of `mine`, who is to move, when this square is left
        lead = popcount(mine) - popcount(theirs)
        turned = popcount(flips(mine, theirs, empty))
        if turned > 0:
            return lead + 1 + 2 * turned
        turned = popcount(flips(theirs, mine, empty))
        if turned > 0:
            return lead - 1 - 2 * turned
        return lead

    @rule
    def two_left(mine, theirs, open_squares):  # the same when two are left and these of them can be played
        if open_squares == zero:  # neither can move
            return popcount(mine) - popcount(theirs)
        empty = board & ~(mine | theirs)
        best = -cells
        while open_squares != zero:
            disc = open_squares & (zero - open_squares)
            open_squares ^= disc
            turned = flips(mine, theirs, disc)
            best = max(best, -one_left(theirs ^ turned, mine ^ (turned | disc), empty ^ disc))
        return best

    @rule
    def bounds(s):  # the last two squares are worked out here, which saves a search a third of its time
        empty = board & ~(s.mine | s.theirs)
        rest = empty & (empty - one)
        if rest & (rest - one) != zero:
            return -cells, cells
        if rest == zero:
            lead = one_left(s.mine, s.theirs, empty)
        elif s.open != zero:
            lead = two_left(s.mine, s.theirs, s.open)
        else:
            lead = -two_left(s.theirs, s.mine, mobility(s.theirs, s.mine))
        return for_first(s, lead), for_first(s, lead)

    @rule
    def order(s, move):  # fastest first: corners, then what leaves the fewest replies (corners double)
        if move == pass_move:
            return 0
        disc = one << u64(move)
        turned = flips(s.mine, s.theirs, disc)
        replies = mobility(s.theirs ^ turned, s.mine ^ (turned | disc))
        return (cells if disc & corners != zero else 0) - popcount(replies) - popcount(replies & corners)

    @rule
    def effort(s):  # empty squares
        return cells + 1 - popcount(s.mine | s.theirs)

    @rule
    def evaluate(s):  # mobility and corners: discs in the middle of the game say little
        lead = popcount(s.open) - popcount(mobility(s.theirs, s.mine))
        lead += 8 * (popcount(s.mine & corners) - popcount(s.theirs & corners))
        return for_first(s, cells * lead / (16.0 + abs(lead)))

    @rule
    def discs(s):  # the score as it stands: what beginners play for
        return for_first(s, (popcount(s.mine) - popcount(s.theirs)) * cells / (cells + 1.0))

    @rule
    def standing(mine):  # what squares are worth: corners much, the rest of the edge little, those beside corners harm
        return 8 * popcount(mine & corners) + popcount(mine & edges) - 4 * popcount(mine & beside_corners)

    @rule
    def places(s):
        lead = standing(s.mine) - standing(s.theirs)
        return for_first(s, cells * lead / (16.0 + abs(lead)))

    @rule
    def key(s):
        return key_of(s.mine, s.theirs, u64(s.turn))

    @rule
    def upside_down(x):
        image = zero
        for r in range(rows):
            image |= ((x >> u64(r * cols)) & top_row) << u64((rows - 1 - r) * cols)
        return image

    @rule
    def left_to_right(x):
        image = zero
        for c in range(cols):
            image |= ((x >> u64(c)) & left_column) << u64(cols - 1 - c)
        return image

    @rule
    def transposed(x):  # of a square board; diagonals[d] lies d steps below the main diagonal
        image = x & diagonals[0]
        for d in range(1, cols):
            image |= (x & diagonals[d]) >> u64(d * (cols - 1))
            image |= (x << u64(d * (cols - 1))) & diagonals[d]
        return image

    @rule
    def symmetry(s):  # the least of the 4 or 8 images; all three mirrors are a few shifts each
        mine, theirs = s.mine, s.theirs
        least_mine, least_theirs = mine, theirs
        for image in range(1, 8 if rows == cols else 4):
            if image == 4:
                mine, theirs = transposed(mine), transposed(theirs)
            elif image & 1 == 1:
                mine, theirs = upside_down(mine), upside_down(theirs)
            else:
                mine, theirs = left_to_right(mine), left_to_right(theirs)
            if mine < least_mine or (mine == least_mine and theirs < least_theirs):
                least_mine, least_theirs = mine, theirs
        return key_of(least_mine, least_theirs, u64(s.turn))

    def state(first: int, second: int, turn: int) -> Struct:
        mine, theirs = (u64(second), u64(first)) if turn else (u64(first), u64(second))
        return State(mine=mine, theirs=theirs, open=mobility(mine, theirs), turn=turn)

    def marks(s: Any) -> str:
        first, second = (int(s.theirs), int(s.mine)) if s.turn else (int(s.mine), int(s.theirs))
        return "".join("X" if first >> i & 1 else "O" if second >> i & 1 else "-" for i in range(cells))

    def read_position(text: str) -> Struct | None:
        written = "".join(text.upper().split())
        if not set(written) & set("XO-"):  # no move is written with these
            return None
        places, side = written[:-1], written[-1]
        if len(places) != cells or side == "-" or set(written) - set("XO-"):
            raise PositionError(
                f"othello: a position on {rows}×{cols} is {cells} squares, row by row, each X, O or -, "
                f"then the side to move, X or O; this is not: {text!r}"
            )
        first, second = (sum(1 << i for i, mark in enumerate(places) if mark == who) for who in "XO")
        return state(first, second, "XO".index(side))

    def move_text(s: Any, move: int) -> str:
        return "pass" if move == pass_move else f"{'abcdefgh'[move % cols]}{move // cols + 1}"

    def draw(s: Any) -> Grid:
        discs = marks(s).replace("-", ".")
        score = f"X {discs.count('X')}, O {discs.count('O')}"
        return Grid(
            [list(discs[r * cols : (r + 1) * cols]) for r in range(rows)],
            columns=list("abcdefgh"[:cols]),
            rows=[str(r + 1) for r in range(rows)],
            caption=f"{'XO'[s.turn]} to move" if result(s) == ONGOING else score,
        )

    r, c = rows // 2 - 1, cols // 2 - 1
    return Game(
        name="othello",
        State=State,
        start=state(int(squares((r, c + 1), (r + 1, c))), int(squares((r, c), (r + 1, c + 1))), 0),
        moves=moves,
        play=play,
        result=result,
        max_moves=cells,
        max_plies=2 * cells,  # a pass is always followed by a disc
        values=(-cells, cells),
        exact_key=exact,
        order=order,
        key=key,
        symmetry=symmetry,
        bounds=bounds,
        effort=effort,
        evaluate=evaluate,
        evaluations={"mobility": evaluate, "discs": discs, "squares": places},
        move_text=move_text,
        position_text=lambda s: f"{marks(s)} {'XO'[s.turn]}",
        read_position=read_position,
        draw=draw,
    )
