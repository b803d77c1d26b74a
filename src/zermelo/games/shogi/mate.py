"""Tsume shogi, the sub-game "mate": checks until mate, whatever the defender does.

Checks are listed without trying all moves: drops are looked for outwards from the other king; a piece on the board
gives check if it reaches the king from where it goes, or if it stood between the king and a piece of its own side. The
defender may make every legal move, futile interpositions too, so that mates can be some plies longer here than in
books. Who gives check must not repeat a position: to go on would be perpetual check, which loses.
"""

from __future__ import annotations

import numpy as np

from zermelo.games.shogi.attacks import Attacks
from zermelo.games.shogi.board import BORDER, KING, KNIGHT, MUST_PROMOTE, PAWN, PROMOTED, SECOND, Board, Table
from zermelo.games.shogi.moves import Moves
from zermelo.rules import Subgame, rule, u64


def mate(board: Board, sight: Attacks, listing: Moves) -> Subgame:
    """The sub-game on a board."""
    attacked, guards, veils, held, _ = sight
    moves, can_answer, drop = listing.moves, listing.can_answer, listing.drop
    in_hand, files_of_pawns = listing.in_hand, listing.files_of_pawns
    offsets, steps, slides, hits = board.offsets, board.steps, board.slides, board.hits
    rays, promotion, giving = board.rays, board.promotion, _kinds_that_check(board)
    cells, stride, ranks, files = board.cells, board.stride, board.ranks, board.files
    promoting, dropping = cells * cells, 2 * cells * cells
    has_knights = board.counts[KNIGHT] > 0
    kinds, hand_keys = board.kinds, board.hand_keys

    @rule
    def reaches(s, piece, at, start, king):
        """Whether a piece that goes from start to a square attacks the king from there."""
        ray = int(rays[cells * king + at])
        if ray == 0:
            if not has_knights or piece & 15 != KNIGHT:
                return False
            front = king + 2 * stride if piece < SECOND else king - 2 * stride
            return at == front - 1 or at == front + 1
        reach = int(hits[piece]) >> (ray - 1)
        step = int(offsets[ray - 1])
        between = king + step
        if between == at:
            return reach & 1 != 0
        if (reach >> 8) & 1 == 0:
            return False
        while between != at:
            if s.board[between] != 0 and between != start:
                return False
            between += step
        return True

    @rule
    def write_checks(s, out, n, piece, start, to, king, uncovers):
        """A move of a piece, promoted and not, as far as each is legal and gives check."""
        there = int(promotion[cells * piece + to])
        move = cells * start + to
        promotes = (there | int(promotion[cells * piece + start])) & 1 != 0
        if promotes and (uncovers or reaches(s, piece + PROMOTED, to, start, king)):
            out[n] = move + promoting
            n += 1
        if there & MUST_PROMOTE == 0 and (uncovers or reaches(s, piece, to, start, king)):
            out[n] = move
            n += 1
        return n

    @rule
    def piece_checks(s, out, n, start, piece, side, home, pin, king, veil):
        """Checks by a piece. `pin`: the ray from its own king that it must stay on, `veil`: the one from the other
        king that it only need leave; 0 if there is none."""
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
                if pin == 0 or int(rays[cells * home + to]) == pin:
                    uncovers = veil != 0 and int(rays[cells * king + to]) != veil
                    n = write_checks(s, out, n, piece, start, to, king, uncovers)
                if met != 0 or (sliding >> d) & 1 == 0:
                    break
                to += step
        if has_knights and piece & 15 == KNIGHT and pin == 0:
            jump = start - 2 * stride if side == 0 else start + 2 * stride
            for to in (jump - 1, jump + 1):
                met = int(s.board[to])
                if met == 0 or met >> 4 == 1 - side:
                    n = write_checks(s, out, n, piece, start, to, king, veil != 0)
        return n

    @rule
    def king_checks(s, out, n, home, side, king, veil):
        """Steps of the own king out of the way of a piece behind it."""
        s.board[home] = 0
        for d in range(8):
            to = home + int(offsets[d])
            met = int(s.board[to])
            uncovers = (met == 0 or met >> 4 == 1 - side) and int(rays[cells * king + to]) != veil
            if uncovers and not attacked(s, to, 1 - side):
                out[n] = cells * home + to
                n += 1
        s.board[home] = KING + SECOND * side
        return n

    @rule
    def drop_checks(s, out, n, side, king):
        kinds_held = in_hand(s, side)
        if kinds_held == 0:
            return n
        pawns = files_of_pawns(s, side) if (kinds_held >> PAWN) & 1 != 0 else 0
        for d in range(8):
            step = int(offsets[d])
            to = king + step
            kinds = kinds_held & int(giving[16 * side + d])
            if (pawns >> (to % stride)) & 1 != 0:
                kinds &= ~(1 << PAWN)
            while s.board[to] == 0:
                if kinds != 0:
                    n = drop(s, out, n, kinds, side, to)
                to += step
                kinds = kinds_held & int(giving[16 * side + 8 + d])
                if kinds == 0:
                    break
        if has_knights and (kinds_held >> KNIGHT) & 1 != 0:
            front = king + 2 * stride if side == 0 else king - 2 * stride
            if stride < front < stride * (ranks + 1):
                for to in (front - 1, front + 1):
                    if s.board[to] == 0:
                        out[n] = dropping + cells * KNIGHT + to
                        n += 1
        return n

    @rule
    def checks(s, move, side, king, low, high):
        """Whether any legal move gives check."""
        to = move % cells
        if move >= dropping:
            return reaches(s, (move - dropping) // cells + SECOND * side, to, 0, king)
        start = (move - promoting if move >= promoting else move) // cells
        if held(low, high, start) and int(rays[cells * king + to]) != int(rays[cells * king + start]):
            return True
        piece = int(s.board[start])
        return reaches(s, piece + PROMOTED if move >= promoting else piece, to, start, king)

    @rule
    def attack(s, out):
        side = int(s.turn)
        home, king = int(s.kings[side]), int(s.kings[1 - side])
        if king == 0:
            return 0
        low, high = veils(s, king, side)
        threats, _, pinned_low, pinned_high = guards(s, home, side)
        n = 0
        if threats > 0:
            for i in range(moves(s, out)):
                move = int(out[i])
                if checks(s, move, side, king, low, high):
                    out[n] = move
                    n += 1
            return n
        for row in range(1, ranks + 1):
            for file in range(1, files + 1):
                start = stride * row + file
                piece = int(s.board[start])
                if piece == 0 or piece >> 4 != side:
                    continue
                veil = int(rays[cells * king + start]) if held(low, high, start) else 0
                if piece & 15 == KING:
                    if veil != 0:
                        n = king_checks(s, out, n, home, side, king, veil)
                    continue
                pin = int(rays[cells * home + start]) if held(pinned_low, pinned_high, start) else 0
                n = piece_checks(s, out, n, start, piece, side, home, pin, king, veil)
        return drop_checks(s, out, n, side, king)

    @rule
    def at_once(s, move):
        side = int(s.turn)
        to = move % cells
        taken = int(s.board[to])
        if move >= dropping:
            s.board[to] = (move - dropping) // cells + SECOND * side
            mates = not can_answer(s, 1 - side)
            s.board[to] = 0
            return mates
        start = (move - promoting if move >= promoting else move) // cells
        piece = int(s.board[start])
        s.board[start] = 0
        s.board[to] = piece + PROMOTED if move >= promoting else piece
        mates = not can_answer(s, 1 - side)
        s.board[start], s.board[to] = piece, taken
        return mates

    @rule
    def setting(s):
        """The hash with what both hold together as if it were all the first player's."""
        key = s.hash
        for kind in kinds:
            first, second = int(s.hands[kind]), int(s.hands[8 + kind])
            key ^= hand_keys[16 * first + kind] ^ hand_keys[16 * second + 8 + kind]
            key ^= hand_keys[16 * (first + second) + kind]
        return key

    @rule
    def first_stock(s):
        held = u64(0)
        for kind in kinds:
            held |= u64(s.hands[kind]) << u64(8 * kind)
        return held

    @rule
    def second_stock(s):
        held = u64(0)
        for kind in kinds:
            held |= u64(s.hands[8 + kind]) << u64(8 * kind)
        return held

    return Subgame(
        attack=attack, at_once=at_once, may_repeat=False,
        setting=setting, first_stock=first_stock, second_stock=second_stock,
    )  # fmt: skip


def _kinds_that_check(board: Board) -> Table:
    """The kinds, a bit each, that reach a king in a direction when dropped: 16 · side + direction for the square next
    to it, 8 more for those further away."""
    table = np.zeros(32, dtype=np.int64)
    for side in (0, 1):
        for kind in board.kinds:
            for bit in range(16):
                if int(board.hits[kind + SECOND * side]) >> bit & 1:
                    table[16 * side + bit] |= 1 << kind
    return table
