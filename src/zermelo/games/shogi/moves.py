"""Legal moves of shogi, and what they change.

A move from one square to another is cells · from + to, cells² more if the piece promotes; a drop is
2 · cells² + cells · kind + to. Only legal moves are made: pieces that shield their king stay in line, and who is in
check is asked only for answers to it, square by square. Two checks at once are answered by the king alone.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.shogi.attacks import Attacks
from zermelo.games.shogi.board import BORDER, KING, KNIGHT, LANCE, MUST_PROMOTE, PAWN, PROMOTED, SECOND, Board
from zermelo.rules import rule
from zermelo.rules.language import Rule


class Moves(NamedTuple):
    """`moves(s, out)`: all legal moves. `loud(s, out)`: those that capture or promote. `can_answer(s, side)`: whether
    side, which is in check, has a legal move; true in doubt. `drop(s, out, n, kinds, side, to)`: drops on a free square
    of those held kinds, bits of `kinds`, that may be dropped there; how many moves are listed then. `in_hand(s, side)`:
    the kinds that a side holds, a bit each. `files_of_pawns(s, side)`: the files with its pawns, a bit each."""

    moves: Rule
    loud: Rule
    can_answer: Rule
    drop: Rule
    in_hand: Rule
    files_of_pawns: Rule


def move_rules(board: Board, attacks: Attacks) -> Moves:
    attacked, guards, held, met = attacks.attacked, attacks.guards, attacks.held, attacks.met
    offsets, steps, slides, hits = board.offsets, board.steps, board.slides, board.hits
    rays, promotion = board.rays, board.promotion
    cells, stride, ranks, files = board.cells, board.stride, board.ranks, board.files
    promoting, dropping = cells * cells, 2 * cells * cells
    kinds, has_knights = board.kinds, board.counts[KNIGHT] > 0
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
    def in_hand(s, side):
        found = 0
        for kind in kinds:
            if s.hands[8 * side + kind] > 0:
                found |= 1 << kind
        return found

    @rule
    def files_of_pawns(s, side):
        pawn = PAWN + SECOND * side
        found = 0
        for row in range(1, ranks + 1):
            for file in range(1, files + 1):
                if s.board[stride * row + file] == pawn:
                    found |= 1 << file
        return found

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
    def can_flee(s, king, side):
        s.board[king] = 0
        found = False
        for d in range(8):
            to = king + int(offsets[d])
            piece = int(s.board[to])
            if (piece == 0 or piece >> 4 == 1 - side) and not attacked(s, to, 1 - side):
                found = True
                break
        s.board[king] = KING + SECOND * side
        return found

    @rule
    def can_answer(s, side):
        king = int(s.kings[side])
        if can_flee(s, king, side):
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
        kinds_held = in_hand(s, side)
        pawns = files_of_pawns(s, side) if (kinds_held >> PAWN) & 1 != 0 else 0
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
        s.board[king] = 0
        for d in range(8):
            to = king + int(offsets[d])
            piece = int(s.board[to])
            if (piece == 0 or piece >> 4 == 1 - side) and not attacked(s, to, 1 - side):
                out[n] = cells * king + to
                n += 1
        s.board[king] = KING + SECOND * side
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
        kinds_held = in_hand(s, side)
        pawns = files_of_pawns(s, side) if (kinds_held >> PAWN) & 1 != 0 else 0
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
            to = start + step
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
                to += step
        if has_knights and piece & 15 == KNIGHT and ray == 0:
            jump = start - 2 * stride if side == 0 else start + 2 * stride
            for to in (jump - 1, jump + 1):
                met = int(s.board[to])
                if met == 0 and not quiet:
                    n = write_promotion(out, n, piece, start, to)
                elif met == 0 or met >> 4 == 1 - side:
                    n = write(out, n, piece, start, to)
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
        pawns = 0
        for row in range(1, ranks + 1):
            for file in range(1, files + 1):
                start = stride * row + file
                piece = int(s.board[start])
                if piece == 0 or piece >> 4 != side or piece & 15 == KING:
                    continue
                if piece & 15 == PAWN:
                    pawns |= 1 << file
                ray = int(rays[cells * king + start]) if held(low, high, start) else 0
                n = piece_moves(s, out, n, start, piece, side, king, ray, True)
        kinds_held = in_hand(s, side)
        return all_drops(s, out, n, kinds_held, pawns, side) if kinds_held != 0 else n

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
        for row in range(1, ranks + 1):
            for file in range(1, files + 1):
                start = stride * row + file
                piece = int(s.board[start])
                if piece != 0 and piece >> 4 == side and piece & 15 != KING:
                    ray = int(rays[cells * king + start]) if held(low, high, start) else 0
                    n = piece_moves(s, out, n, start, piece, side, king, ray, False)
        return n

    return Moves(moves, loud, can_answer, drop, in_hand, files_of_pawns)


def play_rule(board: Board, worth: Rule, kept: Rule) -> Rule:
    """`play(s, move)`, which also keeps `s.hash` and `s.balance`. `worth(piece, square)` and `kept(kind, side)` are
    what a piece on a square and a piece in hand add to the balance."""
    cells = board.cells
    promoting, dropping = cells * cells, 2 * cells * cells
    piece_keys, hand_keys, turn_key = board.piece_keys, board.hand_keys, board.turn_key

    @rule
    def play(s, move):
        side = int(s.turn)
        to = move % cells
        if move >= dropping:
            kind = (move - dropping) // cells
            count = int(s.hands[8 * side + kind])
            s.hands[8 * side + kind] = count - 1
            s.hash ^= hand_keys[8 * (2 * count + side) + kind] ^ hand_keys[8 * (2 * (count - 1) + side) + kind]
            s.balance -= kept(kind, side)
            piece = kind + SECOND * side
        else:
            start = move // cells
            if move >= promoting:
                start -= cells
            piece = int(s.board[start])
            s.board[start] = 0
            s.hash ^= piece_keys[cells * piece + start]
            s.balance -= worth(piece, start)
            taken = int(s.board[to])
            if taken != 0:
                s.hash ^= piece_keys[cells * taken + to]
                s.balance -= worth(taken, to)
                kind = taken & 7
                count = int(s.hands[8 * side + kind]) + 1
                s.hands[8 * side + kind] = count
                s.hash ^= hand_keys[8 * (2 * count + side) + kind] ^ hand_keys[8 * (2 * (count - 1) + side) + kind]
                s.balance += kept(kind, side)
            if move >= promoting:
                piece += PROMOTED
            if piece & 15 == KING:
                s.kings[side] = to
        s.board[to] = piece
        s.hash ^= piece_keys[cells * piece + to] ^ turn_key
        s.balance += worth(piece, to)
        s.turn = 1 - side

    return play
