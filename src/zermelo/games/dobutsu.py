"""Dobutsu shogi, "Let's catch the lion": shogi with drops on 3 × 4 squares.

The Lion steps in all eight directions, the Elephant diagonally, the Giraffe straight, the Chick one step
forward; a Chick that moves onto the last row becomes a Hen, which only lacks the diagonal steps backwards.
A captured piece changes sides (a Hen as a Chick) and may be dropped on any empty square; a Chick dropped on
the last row stays a Chick. Capturing the Lion wins. So does bringing the own Lion to the last row, unless
it can be captured there at once; if it can be and is not, it has won too. There is no rule about check;
who cannot move at all has lost. A position that comes back is a draw.

The whole position is one number: 4 bits a square (0 empty, the kinds 1 to 5, 8 more if it is the second
player's) from a1, b1, … to c4, then 2 bits for each kind of piece in hand, the first player's before the
second's, and the turn in bit 60. It stays below 2^63, so plain signed arithmetic does, and is its own key.
Texts are those of Fairy-Stockfish: b2b3, b3b4+ (promotes), C@b2, and gle/1c1/1C1/ELG[-] w for the start.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from zermelo.games._dobutsu_mate import mate
from zermelo.games._dobutsu_numbers import numbering, planes, transposed
from zermelo.rules import ONGOING, Game, Grid, PositionError, bit_index, i64, rule, struct, u64

CHICK, ELEPHANT, GIRAFFE, LION, HEN = 1, 2, 3, 4, 5
_LETTERS = {CHICK: "C", ELEPHANT: "E", GIRAFFE: "G", LION: "L", HEN: "+C"}
_MARKS = ["", *_LETTERS.values(), "", "", "", *(mark.lower() for mark in _LETTERS.values())]
_SQUARES = [f"{column}{row}" for row in "1234" for column in "abc"]
_STRAIGHT, _DIAGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0)), ((1, 1), (1, -1), (-1, -1), (-1, 1))
_STEPS = {
    CHICK: ((0, 1),),
    ELEPHANT: _DIAGONAL,
    GIRAFFE: _STRAIGHT,
    LION: _STRAIGHT + _DIAGONAL,
    HEN: (*_STRAIGHT, (1, 1), (-1, 1)),
}  # (columns, rows) for the first player; the second player's rows are the other way round


def _reach() -> np.ndarray[Any, np.dtype[np.int64]]:
    """For each piece on each square the set of squares it can step to, at 12 × piece + square."""
    reach = np.zeros(16 * 12, dtype=np.int64)
    for kind, steps in _STEPS.items():
        for side, forward in ((0, 1), (1, -1)):
            for square in range(12):
                for across, up in steps:
                    column, row = square % 3 + across, square // 3 + forward * up
                    if 0 <= column < 3 and 0 <= row < 4:
                        reach[12 * (kind + 8 * side) + square] |= 1 << (3 * row + column)
    return reach


def dobutsu() -> Game:
    """Shogi on 3 × 4 squares; catch the lion, or bring yours to the other side."""
    State = struct(packed=i64)
    reach = _reach()
    back = transposed(reach)  # the squares from which a piece can step onto one
    worth = np.array([0, 10, 30, 35, 0, 50, 0, 0], dtype=np.int64)
    gain = np.array([0, 1, 4, 16, 0, 1, 0, 0], dtype=np.int64)  # what is in hand when a piece was taken
    hands, turn_bit, drops = 48, 60, 144  # moves below `drops` are 12 × from + to, then 12 × kind + to
    each = sum(1 << (4 * square) for square in range(12))
    bottom, top = each & 0xFFF, each & (0xFFF << 36)
    left = sum(0xF << (12 * row) for row in range(4))
    middle = left << 4
    beside = ~(left | middle | left << 8)  # the hands and the turn

    @rule
    def turn(s):
        return (s.packed >> turn_bit) & 1

    @rule
    def piece(s, square):
        return (s.packed >> (4 * square)) & 15

    @rule
    def in_hand(s, side, kind):
        return (s.packed >> (hands + 2 * (3 * side + kind - 1))) & 3

    @rule
    def is_goal(side, square):  # on the last row, seen from this side
        return square // 3 == 3 - 3 * side

    @rule
    def owned(x, side):  # of all squares, those that are this side's or empty, given the planes of a position
        return x >> 48 if side == 1 else ~(x >> 48)

    @rule
    def lion_of(s, side):  # its square, -1 if it was captured
        x = planes(s.packed)
        lion = (x >> 32) & ~x & owned(x, side) & 0o7777
        return bit_index(u64(lion)) if lion != 0 else -1

    @rule
    def attackers(x, pieces, side, target):  # those of these pieces of a side that reach a square
        first, second, third = x, x >> 16, x >> 32
        at = 12 * (8 * side) + target
        chicks = first & ~second & ~third & int(back[at + 12 * CHICK])
        elephants = second & ~first & int(back[at + 12 * ELEPHANT])
        giraffes = first & second & int(back[at + 12 * GIRAFFE])
        lion = third & ~first & int(back[at + 12 * LION])
        hens = first & third & int(back[at + 12 * HEN])
        return (chicks | elephants | giraffes | lion | hens) & pieces

    @rule
    def attacks(s, side, target):
        x = planes(s.packed)
        return attackers(x, owned(x, side), side, target) != 0

    @rule
    def is_stuck(s, side):  # possible only with all pieces but a lion on the board, so seldom asked
        x = planes(s.packed)
        own = (x | (x >> 16) | (x >> 32)) & owned(x, side) & 0o7777
        pieces = own
        while pieces != 0:
            square = bit_index(u64(pieces))
            pieces &= pieces - 1
            if int(reach[12 * piece(s, square) + square]) & ~own != 0:
                return False
        return True

    @rule
    def moves(s, out):
        side = turn(s)
        x = planes(s.packed)
        taken = (x | (x >> 16) | (x >> 32)) & 0o7777
        own = taken & owned(x, side)
        n = 0
        pieces = own
        while pieces != 0:
            square = bit_index(u64(pieces))
            pieces &= pieces - 1
            targets = int(reach[12 * piece(s, square) + square]) & ~own
            while targets != 0:
                out[n] = 12 * square + bit_index(u64(targets))
                n += 1
                targets &= targets - 1
        for kind in range(CHICK, GIRAFFE + 1):
            if in_hand(s, side, kind) > 0:
                targets = taken ^ 0o7777
                while targets != 0:
                    out[n] = drops + 12 * (kind - 1) + bit_index(u64(targets))
                    n += 1
                    targets &= targets - 1
        return n

    @rule
    def play(s, move):
        packed = s.packed
        side = (packed >> turn_bit) & 1
        hand, row = hands + 6 * side, move // 12
        target = move - 12 * row
        after = packed ^ (1 << turn_bit)
        if move >= drops:
            kind = row - drops // 12 + 1
            after -= 1 << (hand + 2 * kind - 2)
            after |= (kind + 8 * side) << (4 * target)
        else:
            p = (packed >> (4 * row)) & 15
            caught = (packed >> (4 * target)) & 15
            after ^= (p << (4 * row)) | (caught << (4 * target))
            if p & 7 == CHICK and is_goal(side, target):
                p += HEN - CHICK
            after |= p << (4 * target)
            after += int(gain[caught & 7]) << hand
        s.packed = after

    @rule
    def result(s):  # asked of most positions, and most have no lion on a last row: no planes for these
        packed = s.packed
        side = (packed >> turn_bit) & 1
        lions = (packed >> 2) & ~packed & each  # at the lowest of a square's four bits
        second = lions & (packed >> 3)
        mine, other = (second, lions ^ second) if side == 1 else (lions ^ second, second)
        home, goal = (top, bottom) if side == 1 else (bottom, top)
        won = 1 - 2 * side
        if mine == 0:
            return -won
        if mine & goal != 0:
            return won
        if other & home != 0 and not attacks(s, side, bit_index(u64(other)) >> 2):
            return -won
        if (packed >> hands) & 0xFFF == 0 and is_stuck(s, side):
            return -won
        return ONGOING

    @rule
    def wins(s):  # takes the lion or brings the own one home; no position has a move that leaves the other side without
        side = turn(s)
        x = planes(s.packed)
        taken = (x | (x >> 16) | (x >> 32)) & 0o7777
        mine = taken & owned(x, side)
        theirs = taken ^ mine
        lions = (x >> 32) & ~x & taken
        other = bit_index(u64(lions & theirs))
        if attackers(x, mine, side, other) != 0:
            return True
        lion = 12 * (LION + 8 * side) + bit_index(u64(lions & mine))
        arrivals = int(reach[lion]) & ~mine & (0o0007 if side == 1 else 0o7000)
        while arrivals != 0:
            if attackers(x, theirs, 1 - side, bit_index(u64(arrivals))) == 0:
                return True
            arrivals &= arrivals - 1
        return False

    @rule
    def bounds(s):
        side = turn(s)
        if attacks(s, side, lion_of(s, 1 - side)):
            return 1 - 2 * side, 1 - 2 * side
        return -1, 1

    @rule
    def loud(s, out):  # captures
        side = turn(s)
        x = planes(s.packed)
        taken = (x | (x >> 16) | (x >> 32)) & 0o7777
        own = taken & owned(x, side)
        theirs = taken & ~own
        n = 0
        pieces = own
        while pieces != 0:
            square = bit_index(u64(pieces))
            pieces &= pieces - 1
            targets = int(reach[12 * piece(s, square) + square]) & theirs
            while targets != 0:
                out[n] = 12 * square + bit_index(u64(targets))
                n += 1
                targets &= targets - 1
        return n

    @rule
    def checked(s):  # the lion is attacked
        side = turn(s)
        lion = lion_of(s, side)
        return lion >= 0 and attacks(s, 1 - side, lion)

    @rule
    def skip(s):
        s.packed ^= 1 << turn_bit
        return True

    @rule
    def order(s, move):  # the lion first, then a lion's way home, then the dearest piece, drops last
        if move >= drops:
            return 0
        kind = piece(s, move % 12) & 7
        if kind == LION:
            return 1000
        if piece(s, move // 12) & 7 == LION and is_goal(turn(s), move % 12):
            return 500
        return 1 + int(worth[kind])

    @rule
    def evaluate(s):
        balance = 0
        for square in range(12):
            p = piece(s, square)
            balance += int(worth[p & 7]) * (1 - 2 * (p >> 3))
        for kind in range(CHICK, GIRAFFE + 1):
            balance += int(worth[kind]) * (in_hand(s, 0, kind) - in_hand(s, 1, kind))
        x = balance / 40
        return x / (1 + abs(x))

    @rule
    def key(s):
        return u64(s.packed)

    @rule
    def symmetry(s):  # left and right make no difference
        p = s.packed
        mirrored = (p & (beside | middle)) | ((p & left) << 8) | ((p >> 8) & left)
        return u64(min(p, mirrored))

    def move_text(s: Any, move: int) -> str:
        target = _SQUARES[move % 12]
        if move >= drops:
            return f"{_LETTERS[(move - drops) // 12 + 1]}@{target}"
        promotes = piece(s, move // 12) & 7 == CHICK and is_goal(turn(s), move % 12)
        return _SQUARES[move // 12] + target + ("+" if promotes else "")

    def hand_text(s: Any, side: int) -> str:
        return "".join(_MARKS[kind + 8 * side] * in_hand(s, side, kind) for kind in range(CHICK, GIRAFFE + 1))

    def position_text(s: Any) -> str:
        rows = ["".join(_MARKS[piece(s, 3 * row + c)] or "1" for c in range(3)) for row in (3, 2, 1, 0)]
        board = re.sub("1+", lambda blanks: str(len(blanks[0])), "/".join(rows))
        return f"{board}[{hand_text(s, 0) + hand_text(s, 1) or '-'}] {'wb'[turn(s)]}"

    def hand(s: Any, side: int) -> dict[str, int]:
        return {_MARKS[kind + 8 * side]: in_hand(s, side, kind) for kind in range(CHICK, GIRAFFE + 1)}

    def draw(s: Any) -> Grid:
        held = f"in hand: {hand_text(s, 0) or '-'} and {hand_text(s, 1) or '-'}"
        return Grid(
            [[_MARKS[piece(s, 3 * row + column)] or "." for column in range(3)] for row in (3, 2, 1, 0)],
            columns="abc",
            rows="4321",
            style="letter",
            owners={mark: number // 8 for number, mark in enumerate(_MARKS) if mark},
            caption=f"{held}; {'small' if turn(s) else 'CAPITALS'} to move",
            hands=(hand(s, 0), hand(s, 1)),
        )

    return Game(
        name="dobutsu",
        State=State,
        start=State(packed=_read("gle/1c1/1C1/ELG[-] w")),
        moves=moves,
        play=play,
        result=result,
        max_moves=43,  # a lion (8), hen (6), elephant, giraffe (4 each) and one of each to drop on 7 squares
        max_plies=512,
        repetition="draw",
        exact_key=True,
        alternating=True,
        turn=turn,
        evaluate=evaluate,
        order=order,
        key=key,
        symmetry=symmetry,
        bounds=bounds,
        wins=wins,
        loud=loud,
        checked=checked,
        skip=skip,
        **numbering(reach, back),
        subgames={"mate": mate(reach, back, attackers, play)},
        move_text=move_text,
        position_text=position_text,
        read_position=lambda text: State(packed=_read(text)) if "/" in text else None,
        draw=draw,
    )


def _read(text: str) -> int:
    """The number of the position that a text in Forsyth's notation describes."""
    form = re.fullmatch(r"([^\s\[]+)(?:\[([-CEGLcegl]*)\])?\s+([wb])(?:\s.*)?", text)
    board = re.sub(r"\d", lambda blanks: "." * int(blanks[0]), form[1]) if form else ""
    rows = [re.findall(r"\+?.", row) for row in board.split("/")]
    if form is None or [len(row) for row in rows] != [3, 3, 3, 3]:
        raise PositionError(
            f"{text!r} must be four rows of three squares, the pieces in hand and the turn (w or b), "
            "such as gle/1c1/1C1/ELG[-] w"
        )
    marks = [mark for row in reversed(rows) for mark in row]
    held = re.sub("[-Ll]", "", form[2] or "")  # where others keep a captured lion
    packed = (form[3] == "b") << 60
    for square, mark in enumerate(marks):
        if mark != "." and mark not in _MARKS:
            raise PositionError(f"{mark} in {text!r} is no piece: C, E, G, L, +C, or small ones")
        packed |= _MARKS.index(mark.strip(".")) << (4 * square)
    for mark in held:
        packed += 1 << (48 + 2 * "CEGceg".index(mark))
    for kind in "CEG":
        count = "".join([*marks, held]).upper().count(kind)
        if count > 2:
            raise PositionError(f"{text!r} has {count} pieces {kind}, there are only 2")
    waiting, mover = "Ll" if form[3] == "b" else "lL"
    if marks.count(waiting) != 1 or marks.count(mover) > 1:
        raise PositionError(f"{text!r} must have one lion on each side; only who is to move may have lost it")
    return packed
