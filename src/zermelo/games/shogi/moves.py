"""Legal moves of shogi, and what they change.

A move from one square to another is cells · from + to, cells² more if the piece promotes; a drop is
2 · cells² + cells · kind + to. Only legal moves are made: pieces that shield their king stay in line, and who is in
check is asked only for answers to it, square by square. Two checks at once are answered by the king alone.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.shogi.attacks import Attacks
from zermelo.games.shogi.board import BORDER, KING, KNIGHT, LANCE, MUST_PROMOTE, PAWN, PROMOTED, SECOND, Board
from zermelo.rules import bit_index, i64, rule, u64
from zermelo.rules.language import Rule

_ONES, _BELOW = 0x0101010101010101, 0x7F7F7F7F7F7F7F7F
_GATHER = 0x0102040810204080
"""Brings the lowest bits of eight bytes together in the highest byte."""
_ONE, _IN_WORD = u64(1), u64(63)


class Moves(NamedTuple):
    """`moves(s, out)`: all legal moves. `loud(s, out)`: those that capture or promote. `can_answer(s, side)`: whether
    side, which is in check, has a legal move; true in doubt. `drop(s, out, n, kinds, side, to)`: drops on a free square
    of those held kinds, bits of `kinds`, that may be dropped there; how many moves are listed then. `in_hand(s, side)`:
    the kinds that a side holds, a bit each."""

    moves: Rule
    loud: Rule
    can_answer: Rule
    drop: Rule
    in_hand: Rule


def move_rules(board: Board, attacks: Attacks) -> Moves:
    guards, held, met, ways_out = attacks.guards, attacks.held, attacks.met, attacks.ways_out
    offsets, steps, slides, hits = board.offsets, board.steps, board.slides, board.hits
    rays, promotion = board.rays, board.promotion
    cells, stride, ranks, files = board.cells, board.stride, board.ranks, board.files
    promoting, dropping = cells * cells, 2 * cells * cells
    kinds, has_knights = board.kinds, board.counts[KNIGHT] > 0
    one, zero, word, bits = u64(1), u64(0), 64, board.bits
    below, above, to_lowest, gather, to_first = u64(_BELOW), u64(_BELOW + _ONES), u64(7), u64(_GATHER), u64(56)
    first_square, last_square = stride + 1, stride * (ranks + 1)

    @rule
    def write(out, n, piece, start, to):
        there = int(promotion[cells * piece + to])
        move = cells * start + to
        if (there | int(promotion[cells * piece + start])) & 1 != 0:
            out[n] = move + promoting
            n += 1
        if there & MUST_PROMOTE == 0:
            out[n] = move
            n += 1
        return n

    @rule
    def write_promotion(out, n, piece, start, to):
        if int(promotion[cells * piece + to] | promotion[cells * piece + start]) & 1 != 0:
            out[n] = promoting + cells * start + to
            n += 1
        return n

    @rule
    def in_hand(s, side):  # the highest bit of each byte that is not 0, brought together
        return i64(((((s.hands[side] + below) & above) >> to_lowest) * gather) >> to_first)

    @rule
    def reached(s, square, side, low, high):
        """Whether a piece of side's other than the king and those in the set reaches a square."""
        for d in range(8):
            at, bit = met(s, square, d)
            piece = int(s.board[at])
            reaches = piece >> 4 == side and piece & 15 != KING and (int(hits[piece]) >> bit) & 1 != 0
            if reaches and not held(low, high, at):
                return True
        if has_knights:
            back = 2 * stride if side == 0 else -2 * stride
            if first_square <= square + back < last_square:
                knight = KNIGHT + SECOND * side
                for at in (square + back - 1, square + back + 1):
                    if s.board[at] == knight and not held(low, high, at):
                        return True
        return False

    @rule
    def can_answer(s, side):
        king = int(s.kings[side])
        if ways_out(s, king, side) != 0:
            return True
        checks, checker, low, high = guards(s, king, side)
        if checks != 1:
            return checks == 0
        if reached(s, checker, side, low, high):
            return True
        ray = int(rays[cells * king + checker])
        step = int(offsets[ray - 1]) if ray != 0 else 0
        if ray == 0 or king + step == checker:
            return False
        kinds_held, pawns = in_hand(s, side), int(s.pawns[side])
        to = king + step
        while to != checker:
            for kind in kinds:
                in_the_way = (kinds_held >> kind) & 1 != 0 and (kind != PAWN or (pawns >> (to % stride)) & 1 == 0)
                if in_the_way and int(promotion[cells * (kind + SECOND * side) + to]) & MUST_PROMOTE == 0:
                    return True
            if reached(s, to, side, low, high):
                return True
            to += step
        return False

    @rule
    def mates_by_pawn(s, to, side):
        """Whether a pawn dropped in front of the other king leaves it no way out."""
        s.board[to] = PAWN + SECOND * side
        answered = can_answer(s, 1 - side)
        s.board[to] = 0
        return not answered

    @rule
    def drop(s, out, n, kinds_held, side, to):
        for kind in kinds:
            if (kinds_held >> kind) & 1 == 0:
                continue
            if int(promotion[cells * (kind + SECOND * side) + to]) & MUST_PROMOTE != 0:
                continue
            if kind == PAWN:
                ahead = to - stride if side == 0 else to + stride
                if s.board[ahead] == KING + SECOND * (1 - side) and mates_by_pawn(s, to, side):
                    continue
            out[n] = dropping + cells * kind + to
            n += 1
        return n

    @rule
    def king_moves(s, out, n, king, side):
        ways = ways_out(s, king, side)
        while ways != 0:
            out[n] = cells * king + king + int(offsets[bit_index(u64(ways))])
            n += 1
            ways &= ways - 1
        return n

    @rule
    def reaching(s, out, n, to, side, low, high):
        """Moves onto a square of all pieces but the king and those in the set."""
        for d in range(8):
            at, bit = met(s, to, d)
            piece = int(s.board[at])
            reaches = piece >> 4 == side and piece & 15 != KING and (int(hits[piece]) >> bit) & 1 != 0
            if reaches and not held(low, high, at):
                n = write(out, n, piece, at, to)
        if has_knights:
            back = 2 * stride if side == 0 else -2 * stride
            if first_square <= to + back < last_square:
                knight = KNIGHT + SECOND * side
                for at in (to + back - 1, to + back + 1):
                    if s.board[at] == knight and not held(low, high, at):
                        n = write(out, n, knight, at, to)
        return n

    @rule
    def answers(s, out, n, king, side, checker, low, high):
        """Moves that take the only piece that gives check, or stand in its way."""
        n = reaching(s, out, n, checker, side, low, high)
        ray = int(rays[cells * king + checker])
        if ray == 0:
            return n
        step = int(offsets[ray - 1])
        to = king + step
        if to == checker:
            return n
        kinds_held, pawns = in_hand(s, side), int(s.pawns[side])
        while to != checker:
            n = reaching(s, out, n, to, side, low, high)
            if kinds_held != 0:
                two_pawns = (pawns >> (to % stride)) & 1
                n = drop(s, out, n, kinds_held & ~(two_pawns << PAWN), side, to)
            to += step
        return n

    @rule
    def piece_moves(s, out, n, start, piece, side, king, ray, quiet):
        """Moves of a piece, `quiet` ones too or not; those along a ray from its king, if it is given."""
        walking, sliding = int(steps[piece]), int(slides[piece])
        for d in range(8):
            if ((walking | sliding) >> d) & 1 == 0:
                continue
            step = int(offsets[d])
            to = (start + step) & bits
            while True:
                met = int(s.board[to])
                if met == BORDER or (met != 0 and met >> 4 == side):
                    break
                if ray == 0 or int(rays[cells * king + to]) == ray:
                    if quiet or met != 0:
                        n = write(out, n, piece, start, to)
                    else:
                        n = write_promotion(out, n, piece, start, to)
                if met != 0 or (sliding >> d) & 1 == 0:
                    break
                to = (to + step) & bits
        if has_knights and piece & 15 == KNIGHT and ray == 0:
            jump = start - 2 * stride if side == 0 else start + 2 * stride
            for to in ((jump - 1) & bits, (jump + 1) & bits):
                met = int(s.board[to])
                if met == 0 and not quiet:
                    n = write_promotion(out, n, piece, start, to)
                elif met == 0 or met >> 4 == 1 - side:
                    n = write(out, n, piece, start, to)
        return n

    @rule
    def all_pieces(s, out, n, king, side, low, high, quiet):
        """The same of all pieces but the king; those in the set shield it."""
        for half in range(2):
            pieces = s.own[2 * side + half]
            while pieces != zero:
                start = bit_index(pieces) + word * half
                pieces &= pieces - one
                piece = int(s.board[start])
                if piece & 15 != KING:
                    ray = int(rays[cells * king + start]) if held(low, high, start) else 0
                    n = piece_moves(s, out, n, start, piece, side, king, ray, quiet)
        return n

    @rule
    def all_drops(s, out, n, kinds_held, pawns, side):
        """The same as `drop` for every free square, with what holds for a whole row looked at once."""
        other_king = int(s.kings[1 - side])
        checking = other_king + stride if side == 0 else other_king - stride
        for row in range(1, ranks + 1):
            in_row = kinds_held
            for kind in (PAWN, LANCE, KNIGHT):
                if int(promotion[cells * (kind + SECOND * side) + stride * row + 1]) & MUST_PROMOTE != 0:
                    in_row &= ~(1 << kind)
            for file in range(1, files + 1):
                to = stride * row + file
                if s.board[to] != 0:
                    continue
                here = in_row & ~(((pawns >> file) & 1) << PAWN)
                if to == checking and other_king != 0:
                    n = drop(s, out, n, here, side, to)
                    continue
                first = dropping + to
                for kind in kinds:
                    if (here >> kind) & 1 != 0:
                        out[n] = first + cells * kind
                        n += 1
        return n

    @rule
    def moves(s, out):
        side = int(s.turn)
        king = int(s.kings[side])
        checks, checker, low, high = guards(s, king, side)
        n = 0
        if king != 0:
            n = king_moves(s, out, n, king, side)
        if checks == 1:
            n = answers(s, out, n, king, side, checker, low, high)
        if checks > 0:
            return n
        n = all_pieces(s, out, n, king, side, low, high, True)
        kinds_held = in_hand(s, side)
        return all_drops(s, out, n, kinds_held, int(s.pawns[side]), side) if kinds_held != 0 else n

    @rule
    def is_loud(s, move):
        return move < dropping and (move >= promoting or s.board[move % cells] != 0)

    @rule
    def loud(s, out):
        side = int(s.turn)
        king = int(s.kings[side])
        checks, _, low, high = guards(s, king, side)
        n = 0
        if checks > 0:
            for i in range(moves(s, out)):
                move = int(out[i])
                if is_loud(s, move):
                    out[n] = move
                    n += 1
            return n
        if king != 0:
            for i in range(king_moves(s, out, 0, king, side)):
                move = int(out[i])
                if is_loud(s, move):
                    out[n] = move
                    n += 1
        return all_pieces(s, out, n, king, side, low, high, False)

    return Moves(moves, loud, can_answer, drop, in_hand)


@rule
def comes_or_goes(s, side, square):
    """A piece of a side comes to a square or leaves it, as far as `own` tells."""
    s.own[2 * side + (square >> 6)] ^= _ONE << (u64(square) & _IN_WORD)


def play_rule(board: Board, worth: Rule, kept: Rule) -> Rule:
    """`play(s, move)`, which also keeps what follows from the board. `worth(piece, square)` and `kept(kind, side)` are
    what a piece on a square and a piece in hand add to the balance."""
    cells, stride = board.cells, board.stride
    promoting, dropping = cells * cells, 2 * cells * cells
    piece_keys, turn_key = board.piece_keys, board.turn_key

    @rule
    def in_byte(kind):
        return _ONE << u64(8 * kind)

    @rule
    def play(s, move):
        side = int(s.turn)
        to = move % cells
        if move >= dropping:
            kind = (move - dropping) // cells
            s.hands[side] -= in_byte(kind)
            s.balance -= kept(kind, side)
            piece = kind + SECOND * side
        else:
            start = move // cells
            if move >= promoting:
                start -= cells
            piece = int(s.board[start])
            s.board[start] = 0
            comes_or_goes(s, side, start)
            if piece & 15 == PAWN:
                s.pawns[side] ^= 1 << (start % stride)
            s.hash ^= piece_keys[cells * piece + start]
            s.balance -= worth(piece, start)
            taken = int(s.board[to])
            if taken != 0:
                s.hash ^= piece_keys[cells * taken + to]
                s.balance -= worth(taken, to)
                kind = taken & 7
                s.hands[side] += in_byte(kind)
                comes_or_goes(s, 1 - side, to)
                if taken & 15 == PAWN:
                    s.pawns[1 - side] ^= 1 << (to % stride)
                s.balance += kept(kind, side)
            if move >= promoting:
                piece += PROMOTED
            if piece & 15 == KING:
                s.kings[side] = to
        s.board[to] = piece
        comes_or_goes(s, side, to)
        if piece & 15 == PAWN:
            s.pawns[side] ^= 1 << (to % stride)
        s.hash ^= piece_keys[cells * piece + to] ^ turn_key
        s.balance += worth(piece, to)
        s.turn = 1 - side

    return play
