"""The legal moves of chess, straight from pins and checks: no move is tried and taken back, but for en passant.

Along the lines from the king, an enemy slider with nothing between gives check; with one own piece between, it pins
that piece to the line. If two pieces give check, only the king moves; if one does, it must be taken or the line
between filled. What is pinned stays on its line, and cannot help against another check.

A move is 64 · from + to, and 4096 · kind more for the kind that a pawn becomes. Castling is the king's move.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.chess.attacks import (
    BETWEEN,
    BISHOP,
    BISHOP_LINES,
    KING,
    KING_STEPS,
    KNIGHT,
    KNIGHT_STEPS,
    ONE,
    PAWN,
    PAWN_STEPS,
    QUEEN,
    ROOK,
    ROOK_LINES,
    ZERO,
    attackers,
    bishop_attacks,
    bit,
    king_of,
    rook_attacks,
)
from zermelo.games.chess.boards import LEFT, RIGHT, Board
from zermelo.rules import bit_index, rule, u64
from zermelo.rules.language import Rule


class Generators(NamedTuple):
    """moves: all legal moves; loud: captures and promotions; has_move, can_pass_by: see there."""

    moves: Rule
    loud: Rule
    has_move: Rule
    can_pass_by: Rule


def generators(board: Board) -> Generators:
    """The rules that list moves on this board."""
    squares, first_row, last_row = board.squares, board.row(0), board.row(board.rows - 1)
    ends, doubles = first_row | last_row, board.double_steps
    third, sixth = board.row(2), board.row(board.rows - 3)
    castles, becomes = board.castles, board.becomes
    seven, eight, nine = u64(7), u64(8), u64(9)
    short_empty, long_empty = u64(0x60), u64(0x0E)
    everywhere = ~ZERO

    @rule
    def put(out, n, start, targets):  # appends the moves of one piece
        while targets != ZERO:
            out[n] = (start << 6) | bit_index(targets)
            targets &= targets - ONE
            n += 1
        return n

    @rule
    def put_pawns(out, n, targets, step):  # appends the moves of pawns that all go by one step
        while targets != ZERO:
            to = bit_index(targets)
            move = ((to - step) << 6) | to
            if targets & ~(targets - ONE) & ends != ZERO:
                for kind in becomes:
                    out[n] = move + (kind << 12)
                    n += 1
            else:
                out[n] = move
                n += 1
            targets &= targets - ONE
        return n

    @rule
    def put_all_pawns(s, out, n, pawns, theirs, allowed, loud):
        empty = squares & ~(s.sides[0] | s.sides[1])
        quiet = allowed & ends if loud else allowed
        prey = theirs & allowed
        if s.turn == 0:
            ahead = (pawns << eight) & empty
            n = put_pawns(out, n, ((pawns & ~LEFT) << seven) & prey, 7)
            n = put_pawns(out, n, ((pawns & ~RIGHT) << nine) & prey, 9)
            n = put_pawns(out, n, ahead & quiet, 8)
            if doubles:
                n = put_pawns(out, n, ((ahead & third) << eight) & empty & quiet, 16)
        else:
            ahead = (pawns >> eight) & empty
            n = put_pawns(out, n, ((pawns & ~RIGHT) >> seven) & prey, -7)
            n = put_pawns(out, n, ((pawns & ~LEFT) >> nine) & prey, -9)
            n = put_pawns(out, n, ahead & quiet, -8)
            if doubles:
                n = put_pawns(out, n, ((ahead & sixth) >> eight) & empty & quiet, -16)
        return n

    @rule
    def passes_by(s, start, target, side):  # whether this pawn's capture en passant leaves its king in safety
        victim = bit(target - 8 if side == 0 else target + 8)
        taken = (s.sides[0] | s.sides[1]) ^ bit(start) ^ bit(target) ^ victim
        return attackers(s, king_of(s, side), 1 - side, taken) & ~victim == ZERO

    @rule
    def can_pass_by(s, target, side):  # whether a pawn of this side can capture en passant on that square
        pawns = s.kinds[PAWN] & s.sides[side] & PAWN_STEPS[64 * (1 - side) + target]
        while pawns != ZERO:
            if passes_by(s, bit_index(pawns), target, side):
                return True
            pawns &= pawns - ONE
        return False

    @rule
    def put_passing_by(s, out, n):
        pawns = s.kinds[PAWN] & s.sides[s.turn] & PAWN_STEPS[64 * (1 - s.turn) + s.passed]
        while pawns != ZERO:
            start = bit_index(pawns)
            if passes_by(s, start, s.passed, s.turn):
                out[n] = (start << 6) | s.passed
                n += 1
            pawns &= pawns - ONE
        return n

    @rule
    def are_safe(s, one, other, taken):
        return attackers(s, one, 1 - s.turn, taken) | attackers(s, other, 1 - s.turn, taken) == ZERO

    @rule
    def put_castling(s, out, n):  # the king is not in check
        home, rights = 56 * s.turn, s.castling >> (2 * s.turn)
        taken = s.sides[0] | s.sides[1]
        row = taken >> u64(home)
        if rights & 1 != 0 and row & short_empty == ZERO and are_safe(s, home + 5, home + 6, taken):
            out[n] = ((home + 4) << 6) | (home + 6)
            n += 1
        if rights & 2 != 0 and row & long_empty == ZERO and are_safe(s, home + 3, home + 2, taken):
            out[n] = ((home + 4) << 6) | (home + 2)
            n += 1
        return n

    @rule
    def put_king(s, out, n, king, targets):  # only to squares where nothing would attack it
        without = (s.sides[0] | s.sides[1]) ^ bit(king)
        targets &= KING_STEPS[king]
        while targets != ZERO:
            to = bit_index(targets)
            targets &= targets - ONE
            if attackers(s, to, 1 - s.turn, without) == ZERO:
                out[n] = (king << 6) | to
                n += 1
        return n

    @rule
    def put_pieces(s, out, n, pieces, taken, targets):  # knights and sliders among these
        some = pieces & s.kinds[KNIGHT]
        while some != ZERO:
            start = bit_index(some)
            n = put(out, n, start, KNIGHT_STEPS[start] & targets)
            some &= some - ONE
        some = pieces & (s.kinds[BISHOP] | s.kinds[QUEEN])
        while some != ZERO:
            start = bit_index(some)
            n = put(out, n, start, bishop_attacks(start, taken) & targets)
            some &= some - ONE
        some = pieces & (s.kinds[ROOK] | s.kinds[QUEEN])
        while some != ZERO:
            start = bit_index(some)
            n = put(out, n, start, rook_attacks(start, taken) & targets)
            some &= some - ONE
        return n

    @rule
    def listed(s, out, loud):
        mine, theirs = s.sides[s.turn], s.sides[1 - s.turn]
        taken = mine | theirs
        king = king_of(s, s.turn)
        snipers = theirs & (
            (ROOK_LINES[king] & (s.kinds[ROOK] | s.kinds[QUEEN]))
            | (BISHOP_LINES[king] & (s.kinds[BISHOP] | s.kinds[QUEEN]))
        )
        checkers = theirs & (
            (KNIGHT_STEPS[king] & s.kinds[KNIGHT]) | (PAWN_STEPS[64 * s.turn + king] & s.kinds[PAWN])
        )
        pinned, pinners = ZERO, ZERO
        while snipers != ZERO:
            sniper = snipers & ~(snipers - ONE)
            snipers ^= sniper
            blockers = BETWEEN[64 * king + bit_index(sniper)] & taken
            if blockers == ZERO:
                checkers |= sniper
            elif blockers & (blockers - ONE) == ZERO and blockers & mine != ZERO:
                pinned |= blockers
                pinners |= sniper
        targets = theirs if loud else squares & ~mine
        n = put_king(s, out, 0, king, targets)
        allowed = everywhere
        if checkers != ZERO:
            if checkers & (checkers - ONE) != ZERO:
                return n
            allowed = checkers | BETWEEN[64 * king + bit_index(checkers)]
        elif castles and s.castling != 0 and not loud:
            n = put_castling(s, out, n)
        free = mine & ~pinned
        n = put_pieces(s, out, n, free, taken, targets & allowed)
        n = put_all_pawns(s, out, n, free & s.kinds[PAWN], theirs, allowed, loud)
        if s.passed != 0:
            n = put_passing_by(s, out, n)
        if checkers == ZERO:
            while pinners != ZERO:
                at = bit_index(pinners)
                line = BETWEEN[64 * king + at] | bit(at)
                piece = line & pinned
                n = put_pieces(s, out, n, piece, taken, targets & line)
                n = put_all_pawns(s, out, n, piece & s.kinds[PAWN], theirs, line, loud)
                pinners &= pinners - ONE
        return n

    @rule
    def moves(s, out):
        return listed(s, out, False)

    @rule
    def loud(s, out):
        return listed(s, out, True)

    @rule
    def reach(s, start, taken):  # where a piece could go or capture if nothing were said about its king
        piece, theirs = bit(start), s.sides[1 - s.turn]
        if piece & s.kinds[PAWN] != ZERO:
            ahead = (piece << eight if s.turn == 0 else piece >> eight) & ~taken
            found = ahead | (PAWN_STEPS[64 * s.turn + start] & theirs)
            if doubles and ahead != ZERO:
                found |= (((ahead & third) << eight) if s.turn == 0 else ((ahead & sixth) >> eight)) & ~taken
            return found & squares
        found = ZERO
        if piece & s.kinds[KNIGHT] != ZERO:
            found = KNIGHT_STEPS[start]
        elif piece & s.kinds[KING] != ZERO:
            found = KING_STEPS[start]
        if piece & (s.kinds[BISHOP] | s.kinds[QUEEN]) != ZERO:
            found |= bishop_attacks(start, taken)
        if piece & (s.kinds[ROOK] | s.kinds[QUEEN]) != ZERO:
            found |= rook_attacks(start, taken)
        return found & squares & ~s.sides[s.turn]

    @rule
    def has_move(s):  # by trying, for it is asked where the clock has run out and nowhere else
        if s.passed != 0:
            return True  # it is noted only if the capture is legal
        taken = s.sides[0] | s.sides[1]
        king = king_of(s, s.turn)
        mine = s.sides[s.turn]
        while mine != ZERO:
            start = bit_index(mine)
            mine &= mine - ONE
            targets = reach(s, start, taken)
            while targets != ZERO:
                to = bit_index(targets)
                targets &= targets - ONE
                after = (taken & ~bit(start)) | bit(to)
                if attackers(s, to if start == king else king, 1 - s.turn, after) & ~bit(to) == ZERO:
                    return True
        return False

    return Generators(moves, loud, has_move, can_pass_by)
