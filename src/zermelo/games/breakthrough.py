"""Breakthrough: pawns step forward, straight or diagonally; the first to reach the far row wins.

A straight step needs an empty square, a diagonal one may also capture. Losing all pawns loses. Nobody is ever
without a move on two columns or more: the pawn that is farthest ahead has a diagonal square before it, and
no pawn of its own can stand there. `pawn_rows` rows are filled on either side of a board of up to 64 squares.
A position is written from the top row down, numbers for empty squares, and the side to move:
`OOOO/4/4/XXXX X`. X, the first player, starts at the bottom and moves up; a1 is the bottom left.

Square (row from the bottom, column) is bit row·width + column of a board; a move is 64·from + to.
"""

from __future__ import annotations

import re
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


def breakthrough(width: int = 8, height: int = 8, pawn_rows: int = 2) -> Game:
    """Bring one pawn to the far row, or take all of the opponent's."""
    if not 2 <= width <= 26:
        raise Unsuitable(f"breakthrough: a width of {width} is not possible, it must be from 2 to 26")
    if pawn_rows < 1 or height < 2 * pawn_rows:
        raise Unsuitable(
            f"breakthrough: {pawn_rows} rows of pawns on a height of {height} are not possible, "
            "there must be at least 1 row of pawns and at least twice as many rows in all"
        )
    cells = width * height
    if cells > 64:
        raise Unsuitable(f"breakthrough: {width} wide × {height} high is {cells} squares, at most 64 will do")
    State = struct(first=u64, second=u64, turn=u8)
    key_of, exact = key_of_boards(cells)
    one, zero = u64(1), u64(0)
    ahead, ahead_left, ahead_right = u64(width), u64(width - 1), u64(width + 1)
    bottom_row = u64((1 << width) - 1)
    top_row = bottom_row << u64(cells - width)
    left_column = u64(sum(1 << (r * width) for r in range(height)))
    right_column = left_column << u64(width - 1)
    before_top, before_bottom = top_row >> ahead, bottom_row << ahead
    pawns = width * pawn_rows

    @rule
    def sides(s):  # the pawns of the player to move, and the opponent's
        if s.turn == 0:
            return s.first, s.second
        return s.second, s.first

    @rule
    def for_first(turn, value):  # from the view of the player whose turn it is to that of the first player
        return value if turn == 0 else -value

    @rule
    def straight(mine, turn):
        return mine << ahead if turn == 0 else mine >> ahead

    @rule
    def to_left(mine, turn):
        inner = mine & ~left_column
        return inner << ahead_left if turn == 0 else inner >> ahead_right

    @rule
    def to_right(mine, turn):
        inner = mine & ~right_column
        return inner << ahead_right if turn == 0 else inner >> ahead_left

    @rule
    def attacked(mine, turn):
        return to_left(mine, turn) | to_right(mine, turn)

    @rule
    def one_step_short(turn):  # the row from which this player wins at the next move
        return before_top if turn == 0 else before_bottom

    @rule
    def listed(targets, step, out, n):  # appends the moves that reach these squares by this step
        while targets != zero:
            to = bit_index(targets)
            out[n] = ((to - step) << 6) | to
            targets &= targets - one
            n += 1
        return n

    @rule
    def listed_within(s, out, allowed):
        mine, theirs = sides(s)
        step = width if s.turn == 0 else -width
        free = allowed & ~mine
        n = listed(to_left(mine, s.turn) & free, step - 1, out, 0)
        n = listed(to_right(mine, s.turn) & free, step + 1, out, n)
        return listed(straight(mine, s.turn) & free & ~theirs, step, out, n)

    @rule
    def moves(s, out):
        return listed_within(s, out, ~zero)

    @rule
    def play(s, move):
        start, to = one << u64(move >> 6), one << u64(move & 63)
        mine, theirs = sides(s)
        mine ^= start | to
        theirs &= ~to
        if s.turn == 0:
            s.first, s.second = mine, theirs
        else:
            s.first, s.second = theirs, mine
        s.turn = 1 - s.turn

    @rule
    def result(s):
        if s.first & top_row != zero or s.second == zero:
            return 1
        if s.second & bottom_row != zero or s.first == zero:
            return -1
        return ONGOING

    @rule
    def bounds(s):
        mine, theirs = sides(s)
        won = for_first(s.turn, 1)
        goal = one_step_short(s.turn)
        if mine & goal != zero:
            return won, won
        reached = attacked(mine, s.turn)
        if reached & theirs != zero and theirs & (theirs - one) == zero:
            return won, won  # their last pawn falls
        threats = theirs & one_step_short(1 - s.turn)
        if threats != zero:
            if threats & reached == zero or threats & (threats - one) != zero:
                return -won, -won
            return -1, 1
        # Nothing threatens, so a pawn that gets one step short of the goal and cannot be taken there wins.
        steps = (reached & ~mine) | (straight(mine, s.turn) & ~(mine | theirs))
        if steps & goal & ~attacked(theirs, 1 - s.turn) != zero:
            return won, won
        return -1, 1

    @rule
    def candidates(s, out):  # where bounds leaves it open, a threatening pawn has to be taken
        threats = sides(s)[1] & one_step_short(1 - s.turn)
        return listed_within(s, out, threats if threats != zero else ~zero)

    @rule
    def loud(s, out):  # captures, and steps onto the last row but one, from where the next one wins
        return listed_within(s, out, sides(s)[1] | one_step_short(s.turn))

    @rule
    def checked(s):  # a pawn threatens to arrive
        return sides(s)[1] & one_step_short(1 - s.turn) != zero

    @rule
    def skip(s):
        s.turn = 1 - s.turn
        return True

    @rule
    def order(s, move):  # winning moves, captures, pawns far ahead; last what can be taken there
        theirs = sides(s)[1]
        to = move & 63
        square = one << u64(to)
        progress = to // width if s.turn == 0 else height - 1 - to // width
        if progress == height - 1:
            return 4 * height
        if theirs & square != zero:
            return 3 * height - progress
        if attacked(theirs, 1 - s.turn) & square != zero:
            return -height - progress
        return progress

    @rule
    def evaluate(s):  # pawns, and the more the nearer to their goal
        lead = 0
        for r in range(height):
            weight = 4 + r * r
            lead += weight * popcount(s.first & (bottom_row << u64(r * width)))
            lead -= weight * popcount(s.second & (top_row >> u64(r * width)))
        return lead / (4.0 * height + abs(lead))

    @rule
    def numbers(s):  # pawns, wherever they stand
        return (popcount(s.first) - popcount(s.second)) / (pawns + 1.0)

    @rule
    def runner(s):  # the pawn of each side that has come farthest
        first, second = 0, 0
        for r in range(height):
            if s.first & (bottom_row << u64(r * width)) != zero:
                first = r
            if s.second & (top_row >> u64(r * width)) != zero:
                second = r
        return (first - second) / (1.0 * height)

    @rule
    def safety(s):  # pawns that others guard, less those that can be taken
        first, second = attacked(s.first, 0), attacked(s.second, 1)
        lead = popcount(s.first & first & ~second) - popcount(s.first & second & ~first)
        lead -= popcount(s.second & second & ~first) - popcount(s.second & first & ~second)
        return lead / (4.0 + abs(lead))

    @rule
    def key(s):
        return key_of(s.first, s.second, u64(s.turn))

    @rule
    def mirrored(x):
        image = zero
        for c in range(width):
            image |= ((x >> u64(c)) & left_column) << u64(width - 1 - c)
        return image

    @rule
    def symmetry(s):
        first, second = mirrored(s.first), mirrored(s.second)
        if first < s.first or (first == s.first and second < s.second):
            return key_of(first, second, u64(s.turn))
        return key(s)

    def marks(s: Any) -> list[str]:
        """The rows from the top."""
        squares = [
            "X" if int(s.first) >> i & 1 else "O" if int(s.second) >> i & 1 else "." for i in range(cells)
        ]
        return ["".join(squares[r * width : (r + 1) * width]) for r in reversed(range(height))]

    def position_text(s: Any) -> str:
        board = "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in marks(s))
        return f"{board} {'XO'[s.turn]}"

    def read_position(text: str) -> Struct | None:
        if "/" not in text:  # no move is written with this
            return None
        board, _, side = text.upper().rpartition(" ")
        rows = [re.sub("[0-9]+", lambda gap: "." * int(gap[0][:3]), row.strip()) for row in board.split("/")]
        fits = len(rows) == height and all(len(row) == width and set(row) <= set("XO.") for row in rows)
        if not fits or side not in ("X", "O"):
            raise PositionError(
                f"breakthrough: a position is {height} rows of {width} squares from the top, separated by /, "
                f"each X, O or numbers of empty squares, then the side to move, X or O; this is not: {text!r}"
            )
        squares = "".join(reversed(rows))
        if max(squares.count("X"), squares.count("O")) > pawns:
            raise PositionError(f"breakthrough: neither side can have more than {pawns} pawns: {text!r}")
        if ("X" in rows[0] or "O" not in squares) and ("O" in rows[-1] or "X" not in squares):
            raise PositionError(f"breakthrough: both sides cannot have won: {text!r}")
        first, second = (sum(1 << i for i, mark in enumerate(squares) if mark == who) for who in "XO")
        return State(first=first, second=second, turn="XO".index(side))

    def move_text(s: Any, move: int) -> str:
        return "".join(f"{chr(97 + at % width)}{at // width + 1}" for at in (move >> 6, move & 63))

    def draw(s: Any) -> Grid:
        over = {ONGOING: f"{'XO'[s.turn]} to move", 1: "X has won", -1: "O has won"}
        return Grid(
            [list(row) for row in marks(s)],
            columns=[chr(97 + c) for c in range(width)],
            rows=[str(r + 1) for r in reversed(range(height))],
            caption=over[result(s)],
        )

    home = (1 << pawns) - 1
    return Game(
        name="breakthrough",
        State=State,
        start=State(first=home, second=home << (cells - pawns)),
        moves=moves,
        play=play,
        result=result,
        max_moves=3 * pawns,
        # every move brings a pawn one row on, and only the last one onto the far row
        max_plies=2 * width * sum(height - 2 - r for r in range(pawn_rows)) + 1,
        alternating=True,
        exact_key=exact,
        order=order,
        key=key,
        symmetry=symmetry,
        bounds=bounds,
        candidates=candidates,
        loud=loud,
        checked=checked,
        skip=skip,
        evaluate=evaluate,
        evaluations={"advance": evaluate, "pawns": numbers, "runner": runner, "safety": safety},
        move_text=move_text,
        position_text=position_text,
        read_position=read_position,
        draw=draw,
    )
