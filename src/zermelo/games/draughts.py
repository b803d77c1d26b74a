"""English draughts, also called checkers: men step forward, who can capture must, and who cannot move has lost.

Men step and capture diagonally forward, one square; kings backwards as well. A capture jumps over one opposing piece
onto the empty square behind it, and goes on as long as it can, all in one move; which of several captures to make is
free. A man that reaches the far row becomes a king, and that ends the move. A position that stands for the
`repetitions`-th time is a draw, and so are `quiet_plies` plies without a capture or a man's move, 0 for no such rule.

The squares that are played on are numbered from 0 in the order of the usual notation, which counts from 1: row by row,
from the corner at the left of the first player, Black, who begins and moves towards higher numbers. Sets of squares are
words. A move is 1024·rank + 32·from + to; its rank tells apart the captures that lead from one square to the same
other one, in the order in which they are found. A way of capturing is told by its directions, two bits each.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from zermelo.games._draughts_notation import read_fen, write_fen
from zermelo.rules import (
    DRAW,
    ONGOING,
    Game,
    Grid,
    MoveError,
    PositionError,
    Struct,
    Unsuitable,
    bit_index,
    popcount,
    rule,
    struct,
    u8,
    u16,
    u64,
    wrapping,
)
from zermelo.rules.hashing import mix

UNIT = 1 / 4000
"""What a hundredth of a man is worth."""
MAN, KING, STEP_FORWARD, HOME = 100, 130, 3, 8
MOST_WAYS = 16
"""One king has no more ways to capture, on any board of up to 8 × 8: at most nine pieces can be on its way."""
LONGEST = 2000
DIRECTIONS = ((1, -1), (1, 1), (-1, -1), (-1, 1))
"""Rows and columns; a direction and its opposite make 3, those of a side's men are 2·side and 2·side + 1."""


def draughts(
    rows: int = 8, cols: int = 8, men_rows: int = 3, quiet_plies: int = 80, repetitions: int = 3
) -> Game:
    """Capture all of the opponent's pieces, or leave them without a move."""
    if not (3 <= rows <= 8 and 3 <= cols <= 8) or (rows + cols) % 2 == 1:
        raise Unsuitable(
            f"draughts: {rows} rows and {cols} cols are not possible, both must be from 3 to 8, "
            "and both even or both odd"
        )
    if men_rows < 1 or 2 * men_rows >= rows:
        raise Unsuitable(
            f"draughts: {men_rows} rows of men on {rows} rows are not possible, there must be at least 1 and a row free"
        )
    if not 0 <= quiet_plies <= 1000:
        raise Unsuitable(f"draughts: quiet_plies is from 0 to 1000, not {quiet_plies}")
    if not 2 <= repetitions <= 10:
        raise Unsuitable(f"draughts: repetitions is from 2 to 10, not {repetitions}")
    places = [(r, c) for r in range(rows) for c in range(cols) if (rows + r + c) % 2 == 1]
    step = _steps(places)
    row_of = np.array([r for r, _ in places], dtype=np.int64)
    home = sum(r < men_rows for r, _ in places)
    one, zero, every = u64(1), u64(0), u64((1 << len(places)) - 1)
    rows_as_sets = tuple(u64(sum(1 << q for q, (r, _) in enumerate(places) if r == row)) for row in range(rows))
    top, bottom = rows_as_sets[0], rows_as_sets[-1]
    State = struct(first=u64, second=u64, kings=u64, clock=u16, turn=u8)

    @rule
    def bit(square):
        return one << u64(square)

    @rule
    def sides(s):  # the pieces of the player to move, and the opponent's
        if s.turn == 0:
            return s.first, s.second
        return s.second, s.first

    @rule
    def goes(s, origin, direction):  # men only go forward
        return direction >> 1 == s.turn or s.kings & bit(origin) != zero

    @rule
    def steps_to(s, origin, direction):  # the empty square that a piece steps to, or -1
        to = int(step[4 * origin + direction])
        if to < 0 or not goes(s, origin, direction) or (s.first | s.second) & bit(to) != zero:
            return -1
        return to

    @rule
    def jumps_to(s, origin, at, direction, caught):  # where a piece lands that has come from `origin` to `at`, or -1
        over = int(step[4 * at + direction])
        if over < 0 or not goes(s, origin, direction) or sides(s)[1] & ~caught & bit(over) == zero:
            return -1
        to = int(step[4 * over + direction])
        if to < 0 or (to != origin and (s.first | s.second) & bit(to) != zero):
            return -1
        return to

    @rule
    def next_capture(s, origin, way, length, at, caught):
        """The capture by one piece that is found after another, and where that ends and what it takes; the first one
        after a way of length 0, which also follows the last. Depth first: a way is gone on as far as possible, and
        then back to where another direction is left."""
        direction, longer = 0 if length == 0 else 4, False
        while True:
            to = -1
            while direction < 4 and to < 0:
                to = jumps_to(s, origin, at, direction, caught)
                direction += 1
            if to >= 0:
                direction -= 1
                way += direction << (2 * length)
                length += 1
                caught |= bit(int(step[4 * at + direction]))
                at, direction, longer = to, 0, True
            elif longer or length == 0:
                return way, length, at, caught
            else:
                length -= 1
                direction = way >> (2 * length)
                way -= direction << (2 * length)
                over = int(step[4 * at + 3 - direction])
                caught ^= bit(over)
                at = int(step[4 * over + 3 - direction])
                direction += 1

    @rule
    def listed_captures(s, out):
        n = 0
        pieces = sides(s)[0]
        while pieces != zero:
            origin = bit_index(pieces)
            pieces &= pieces - one
            begun = n
            way, length, at, caught = next_capture(s, origin, 0, 0, origin, zero)
            while length > 0:
                rank = 0
                for i in range(begun, n):
                    if int(out[i]) & 31 == at:
                        rank += 1
                out[n] = rank << 10 | origin << 5 | at
                n += 1
                way, length, at, caught = next_capture(s, origin, way, length, at, caught)
        return n

    @rule
    def listed_steps(s, out, pieces, targets):  # of some pieces, to some squares
        n = 0
        while pieces != zero:
            origin = bit_index(pieces)
            pieces &= pieces - one
            for direction in range(4):
                to = steps_to(s, origin, direction)
                if to >= 0 and targets & bit(to) != zero:
                    out[n] = origin << 5 | to
                    n += 1
        return n

    @rule
    def moves(s, out):
        n = listed_captures(s, out)
        return n if n > 0 else listed_steps(s, out, sides(s)[0], every)

    @rule
    def way_of(s, move):  # the directions of a capture, how many, and what it takes; none if it is a step
        origin, to, rank = move >> 5 & 31, move & 31, move >> 10
        if abs(int(row_of[origin]) - int(row_of[to])) == 1:
            return 0, 0, zero
        way, length, at, caught = next_capture(s, origin, 0, 0, origin, zero)
        while at != to or rank > 0:
            if at == to:
                rank -= 1
            way, length, at, caught = next_capture(s, origin, way, length, at, caught)
        return way, length, caught

    @rule
    def play(s, move):
        origin, to = move >> 5 & 31, move & 31
        length, caught = way_of(s, move)[1:]
        mine, theirs = sides(s)
        king = s.kings & bit(origin) != zero
        mine = mine & ~bit(origin) | bit(to)
        theirs &= ~caught
        s.kings &= ~(caught | bit(origin))
        if king or bit(to) & (bottom if s.turn == 0 else top) != zero:
            s.kings |= bit(to)
        if quiet_plies > 0:
            s.clock = s.clock + 1 if king and length == 0 else 0
        if s.turn == 0:
            s.first, s.second = mine, theirs
        else:
            s.first, s.second = theirs, mine
        s.turn = 1 - s.turn

    @rule
    def can_move(s, captures):
        pieces = sides(s)[0]
        while pieces != zero:
            origin = bit_index(pieces)
            pieces &= pieces - one
            for direction in range(4):
                to = jumps_to(s, origin, origin, direction, zero) if captures else steps_to(s, origin, direction)
                if to >= 0:
                    return True
        return False

    @rule
    def must_capture(s):
        return can_move(s, True)

    @rule
    def stuck(s):
        return 2 * s.turn - 1

    @rule
    def result(s):
        if quiet_plies == 0 or s.clock < quiet_plies:
            return ONGOING
        return DRAW if can_move(s, False) or must_capture(s) else stuck(s)

    @rule
    def loud(s, out):  # captures, which are not left out if there are any, and men that become kings
        n = listed_captures(s, out)
        if n > 0:
            return n
        return listed_steps(s, out, sides(s)[0] & ~s.kings, bottom if s.turn == 0 else top)

    @rule
    def order(s, move):  # long captures, then new kings, then men, the farther the better
        origin, to = move >> 5 & 31, move & 31
        caught = way_of(s, move)[2]
        if caught != zero:
            return 100 * popcount(caught) + 10 * popcount(caught & s.kings)
        if s.kings & bit(origin) != zero:
            return 0
        ahead = int(row_of[to]) if s.turn == 0 else rows - 1 - int(row_of[to])
        return 50 if ahead == rows - 1 else ahead

    @rule
    def material(s):
        lead = popcount(s.first & ~s.kings) - popcount(s.second & ~s.kings)
        return UNIT * (MAN * lead + KING * (popcount(s.first & s.kings) - popcount(s.second & s.kings)))

    @rule
    def evaluate(s):  # material, how far men have come, and men that still guard the row where others become kings
        first, second = s.first & ~s.kings, s.second & ~s.kings
        lead = HOME * (popcount(first & top) - popcount(second & bottom))
        for r in range(rows):
            lead += STEP_FORWARD * r * popcount(first & rows_as_sets[r])
            lead -= STEP_FORWARD * (rows - 1 - r) * popcount(second & rows_as_sets[r])
        return material(s) + UNIT * lead

    @rule
    def loop_key(s):
        return mix(mix(s.kings, s.first), s.second << one | u64(s.turn))

    @rule
    def key(s):  # how many plies are left to the draw matters to the rest of the game
        return mix(loop_key(s), u64(s.clock)) if quiet_plies > 0 else loop_key(s)

    @rule
    def reversible(s):
        return int(s.clock)

    def path(s: Any, move: int) -> list[int]:
        """The numbers of the squares that a move goes to, where it comes from first."""
        way, length, _ = way_of(s, move)
        squares = [move >> 5 & 31]
        for turn in range(length):
            over = step[4 * squares[-1] + (way >> 2 * turn & 3)]
            squares.append(int(step[4 * over + (way >> 2 * turn & 3)]))
        return [square + 1 for square in (squares if length else [*squares, move & 31])]

    @wrapping
    def legal(s: Any) -> list[int]:
        out = [0] * game.max_moves
        return out[: moves(s, out)]

    @wrapping
    def move_text(s: Any, move: int) -> str:
        squares = path(s, move)
        if way_of(s, move)[1] == 0:
            return "-".join(map(str, squares))
        alone = [other & 1023 for other in legal(s)].count(move & 1023) == 1
        return "x".join(map(str, (squares[0], squares[-1]) if alone else squares))

    @wrapping
    def read_move(s: Any, text: str) -> int | None:
        if re.fullmatch(r"\d+([-x:]\d+)+", text) is None:
            return None
        told = [int(number) for number in re.findall(r"\d+", text)]
        paths = {move: path(s, move) for move in legal(s)}
        fitting = [move for move, squares in paths.items() if squares == told]
        fitting = fitting or [move for move, squares in paths.items() if [squares[0], squares[-1]] == told]
        if len(fitting) > 1:
            meant = " or ".join("x".join(map(str, paths[move])) for move in fitting)
            raise MoveError(f"{text!r} is ambiguous here: it may be {meant}")
        return fitting[0] if fitting else None

    def mark(s: Any, square: int) -> str:
        at = 1 << square
        letter = "b" if int(s.first) & at else "w" if int(s.second) & at else "."
        return letter.upper() if int(s.kings) & at else letter

    @wrapping
    def position_text(s: Any) -> str:
        return write_fen(s.turn, [mark(s, square) for square in range(len(places))], s.clock)

    def read_position(text: str) -> Struct | None:
        if ":" not in text:
            return None
        turn, held, clock = read_fen(text, len(places))
        for colour, squares in held.items():
            if len(squares) > home:
                raise PositionError(f"draughts: {colour} has {len(squares)} pieces in {text!r}, at most {home} will do")
        black, white = ({square for square, _ in held[colour]} for colour in "BW")
        if black & white:
            raise PositionError(f"draughts: two pieces stand on {min(black & white) + 1} in {text!r}")
        first, second = sum(1 << square for square in black), sum(1 << square for square in white)
        kings = sum(1 << square for square, king in held["B"] | held["W"] if king)
        if (first & int(bottom) | second & int(top)) & ~kings:
            raise PositionError(f"draughts: a man on the far row is a king, written K, which {text!r} has not")
        if clock > quiet_plies:
            raise PositionError(f"draughts: {clock} plies without progress are not possible in {text!r}")
        return State(first=first, second=second, kings=kings, clock=clock, turn=turn)

    @wrapping
    def draw(s: Any) -> Grid:
        cells = [[""] * cols for _ in range(rows)]
        numbers = [""] * rows
        for q, (r, c) in enumerate(places):
            cells[r][c] = mark(s, q)
            numbers[r] = numbers[r] or str(q + 1)
        return Grid(
            cells,
            rows=numbers,
            style="letter",
            owners={"b": 0, "B": 0, "w": 1, "W": 1},
            caption=f"{('Black (b)', 'White (w)')[s.turn]} to move",
        )

    def spots(s: Any, move: int) -> list[str]:
        grid = draw(s)
        return [grid.name(*places[number - 1]) for number in path(s, move)]

    game = Game(
        name="draughts",
        State=State,
        start=State(first=(1 << home) - 1, second=((1 << home) - 1) << (len(places) - home)),
        moves=moves,
        play=play,
        result=result,
        stuck=stuck,
        max_moves=MOST_WAYS * home,
        max_plies=LONGEST,
        repetition="draw",
        folds=repetitions,
        alternating=True,
        key=key,
        loop_key=loop_key if quiet_plies > 0 else None,
        reversible=reversible if quiet_plies > 0 else None,
        evaluate=evaluate,
        evaluations={"position": evaluate, "material": material},
        unit=UNIT,
        order=order,
        loud=loud,
        checked=must_capture,
        move_text=move_text,
        read_move=read_move,
        position_text=position_text,
        read_position=read_position,
        draw=draw,
        spots=wrapping(spots),
    )
    return game


def _steps(places: list[tuple[int, int]]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The next square in each direction at 4·square + direction, -1 beyond the edge."""
    number = {place: q for q, place in enumerate(places)}
    found = [number.get((r + down, c + across), -1) for r, c in places for down, across in DIRECTIONS]
    return np.array(found, dtype=np.int64)
