"""How a move changes a position, and the numbers that are kept up to date with it: hash and worth of the pieces.

The hash is the exclusive or of a random number for every piece on its square, for the castling rights, for the column
of a pawn that may be captured en passant (only if that is legal, as the rule about repetition wants it) and for Black
to move (Albert Zobrist, 1970, A new hashing method with application for game playing). The clock is not in it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.games.chess.attacks import KING, NOTHING, PAWN, ROOK, ZERO, bit, kind_at
from zermelo.games.chess.boards import Board
from zermelo.games.chess.moves import Generators
from zermelo.games.chess.worth import tables
from zermelo.rules import Struct, i16, rule, struct, u8, u64
from zermelo.rules.language import Rule

_WORDS = np.random.Generator(np.random.PCG64(1913)).integers(0, 2**64, 768 + 16 + 8 + 1, dtype=np.uint64)
PLACES, RIGHTS, COLUMNS, BLACK_MOVES = _WORDS[:768].copy(), _WORDS[768:784].copy(), _WORDS[784:792].copy(), _WORDS[792]
RIGHTS[0] = 0
LIMIT = 100
"""So many plies without a capture or a pawn's move end the game."""

State = struct(
    kinds=(u64, 6),  # the pawns, knights, bishops, rooks, queens and kings of both
    sides=(u64, 2),  # White's pieces, Black's
    hash=u64,
    middle=i16,  # what White's pieces are worth more than Black's, in the middle game and in the ending
    ending=i16,
    clock=u8,  # plies without a capture or a pawn's move, if they count
    castling=u8,  # White's short 1, long 2; Black's short 4, long 8
    passed=u8,  # the square on which a pawn can be captured en passant, 0 if none can
    turn=u8,
)


class Playing(NamedTuple):
    """place: puts a piece onto a square or takes it off; play and skip: the hooks."""

    place: Rule
    play: Rule
    skip: Rule


def playing(board: Board, generators: Generators, clock: bool) -> Playing:
    """The rules that change a position. `clock`: plies are counted towards the draw."""
    middle, ending = tables(board)
    can_pass_by, castles, doubles = generators.can_pass_by, board.castles, board.double_steps
    kept = np.full(64, 15, np.int64)  # the castling rights that remain when a piece leaves or comes to a square
    for square, lost in ((0, 2), (4, 3), (7, 1), (56, 8), (60, 12), (63, 4)):
        kept[square] -= lost

    @rule
    def place(s, side, kind, square, sign):  # sign 1 puts, -1 takes away
        s.kinds[kind] ^= bit(square)
        s.sides[side] ^= bit(square)
        at = 64 * (6 * side + kind) + square
        s.hash ^= PLACES[at]
        s.middle += sign * int(middle[at])
        s.ending += sign * int(ending[at])

    @rule
    def forget_passed(s):
        if s.passed != 0:
            s.hash ^= COLUMNS[s.passed & 7]
            s.passed = 0

    @rule
    def change_turn(s):
        s.hash ^= BLACK_MOVES
        s.turn = 1 - s.turn

    @rule
    def play(s, move):
        start, to, becomes = (move >> 6) & 63, move & 63, move >> 12
        side = int(s.turn)
        them = 1 - side
        kind = kind_at(s, bit(start))
        caught = kind_at(s, bit(to))
        passed = int(s.passed)
        forget_passed(s)
        if clock:
            s.clock = 0 if kind == PAWN or caught != NOTHING else s.clock + 1
        if caught != NOTHING:
            place(s, them, caught, to, -1)
        place(s, side, kind, start, -1)
        place(s, side, becomes if becomes != 0 else kind, to, 1)
        if castles:
            if s.castling != 0:
                s.hash ^= RIGHTS[s.castling]
                s.castling &= int(kept[start]) & int(kept[to])
                s.hash ^= RIGHTS[s.castling]
            if kind == KING:
                if to - start == 2:
                    place(s, side, ROOK, to + 1, -1)
                    place(s, side, ROOK, to - 1, 1)
                elif start - to == 2:
                    place(s, side, ROOK, to - 2, -1)
                    place(s, side, ROOK, to + 1, 1)
        change_turn(s)
        if doubles and kind == PAWN:
            back = -8 if side == 0 else 8
            if to == passed and passed != 0:
                place(s, them, PAWN, to + back, -1)
            elif abs(to - start) == 16 and can_pass_by(s, to + back, them):
                s.passed = to + back
                s.hash ^= COLUMNS[to & 7]

    @rule
    def skip(s):  # with only pawns besides the king, to have to move may be what loses
        if s.sides[s.turn] & ~(s.kinds[PAWN] | s.kinds[KING]) == ZERO:
            return False
        forget_passed(s)
        change_turn(s)
        if clock:
            s.clock += 1  # what has stood on the board before still counts
        return True

    return Playing(place, play, skip)


def hash_from_scratch(s: Struct) -> int:
    """The hash of a position as its definition says, whatever its field says."""
    kinds, sides = [int(word) for word in s.kinds], [int(word) for word in s.sides]  # type: ignore[attr-defined]
    found = int(RIGHTS[s.castling])  # type: ignore[attr-defined]
    for side in (0, 1):
        for kind in range(6):
            for square in range(64):
                if kinds[kind] & sides[side] & 1 << square:
                    found ^= int(PLACES[64 * (6 * side + kind) + square])
    if s.passed:  # type: ignore[attr-defined]
        found ^= int(COLUMNS[s.passed & 7])  # type: ignore[attr-defined]
    return found ^ int(BLACK_MOVES) if s.turn else found  # type: ignore[attr-defined]
