"""Checks in shogi, listed without trying all moves.

Drops are looked for outwards from the other king. A piece on the board gives check if it reaches the king from where it
goes, or if it stood between the king and a piece of its own side; a table tells which pieces are near enough to do the
former at all.
"""

from __future__ import annotations

import numpy as np

from zermelo.games.shogi.attacks import Attacks
from zermelo.games.shogi.board import (
    BORDER,
    KING,
    KNIGHT,
    MAY_PROMOTE,
    MUST_PROMOTE,
    PAWN,
    PROMOTED,
    SECOND,
    Board,
    Table,
    is_promotable,
)
from zermelo.games.shogi.moves import Moves
from zermelo.rules import bit_index, rule, u64
from zermelo.rules.language import Rule


def check_rule(board: Board, sight: Attacks, listing: Moves) -> Rule:
    """`attack(s, out)`: all legal moves that give check."""
    guards, veils, held, attacked = sight.guards, sight.veils, sight.held, sight.attacked
    moves, drop, in_hand = listing.moves, listing.drop, listing.in_hand
    one, zero, word, bits = u64(1), u64(0), 64, board.bits
    offsets, steps, slides, hits = board.offsets, board.steps, board.slides, board.hits
    rays, promotion = board.rays, board.promotion
    giving, able = _kinds_that_check(board), _able_to_check(board)
    cells, stride, ranks = board.cells, board.stride, board.ranks
    promoting, dropping = cells * cells, 2 * cells * cells
    has_knights = board.counts[KNIGHT] > 0

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
        between = (king + step) & bits
        if between == at:
            return reach & 1 != 0
        if (reach >> 8) & 1 == 0:
            return False
        while between != at:
            if s.board[between] != 0 and between != start:
                return False
            between = (between + step) & bits
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
            to = (start + step) & bits
            while True:
                met = int(s.board[to])
                if met == BORDER or (met != 0 and met >> 4 == side):
                    break
                if pin == 0 or int(rays[cells * home + to]) == pin:
                    uncovers = veil != 0 and int(rays[cells * king + to]) != veil
                    n = write_checks(s, out, n, piece, start, to, king, uncovers)
                if met != 0 or (sliding >> d) & 1 == 0:
                    break
                to = (to + step) & bits
        if has_knights and piece & 15 == KNIGHT and pin == 0:
            jump = start - 2 * stride if side == 0 else start + 2 * stride
            for to in ((jump - 1) & bits, (jump + 1) & bits):
                met = int(s.board[to])
                if met == 0 or met >> 4 == 1 - side:
                    n = write_checks(s, out, n, piece, start, to, king, veil != 0)
        return n

    @rule
    def king_checks(s, out, n, home, side, king, veil):
        """Steps of the own king out of the way of a piece behind it."""
        s.board[home] = 0
        for d in range(8):
            to = (home + int(offsets[d])) & bits
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
        pawns = int(s.pawns[side])
        for d in range(8):
            step = int(offsets[d])
            to = (king + step) & bits
            kinds = kinds_held & int(giving[16 * side + d])
            if (pawns >> (to % stride)) & 1 != 0:
                kinds &= ~(1 << PAWN)
            while s.board[to] == 0:
                if kinds != 0:
                    n = drop(s, out, n, kinds, side, to)
                to = (to + step) & bits
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
        n, in_sight = 0, cells * (cells * side + king)
        if threats > 0:
            for i in range(moves(s, out)):
                move = int(out[i])
                if checks(s, move, side, king, low, high):
                    out[n] = move
                    n += 1
            return n
        for half in range(2):
            pieces = s.own[2 * side + half]
            while pieces != zero:
                start = bit_index(pieces) + word * half
                pieces &= pieces - one
                piece = int(s.board[start])
                veil = int(rays[cells * king + start]) if held(low, high, start) else 0
                if veil == 0 and (int(able[in_sight + start]) >> (piece & 15)) & 1 == 0:
                    continue
                if piece & 15 == KING:
                    if veil != 0:
                        n = king_checks(s, out, n, home, side, king, veil)
                    continue
                pin = int(rays[cells * home + start]) if held(pinned_low, pinned_high, start) else 0
                n = piece_checks(s, out, n, start, piece, side, home, pin, king, veil)
        return drop_checks(s, out, n, side, king)

    return attack


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


def _able_to_check(board: Board) -> Table:
    """The pieces, a bit for each kind, promoted or not, that could give check with their next move on a board without
    others: at cells · (cells · side + the king's square) + their own."""
    cells = board.cells
    table = np.zeros((2, cells, cells), dtype=np.uint16)
    promotion = board.promotion.reshape(32, cells)
    for piece in range(2 * SECOND):
        side, kind = piece // SECOND, piece % SECOND
        goes = _reached(board, piece)
        checks = (goes @ goes) > 0
        if is_promotable(piece):
            promotes = goes * ((promotion[piece] | promotion[piece][:, None]) & MAY_PROMOTE)
            checks |= (promotes @ _reached(board, piece + PROMOTED)) > 0
        table[side] |= checks.T.astype(np.uint16) << kind
    return table.reshape(-1)


def _reached(board: Board, piece: int) -> Table:
    """Which squares a piece reaches from which, on a board without others: 1 or 0."""
    cells = board.cells
    rays = board.rays.reshape(cells, cells).astype(np.int64)  # from the square that is reached, back to the piece
    squares = np.arange(cells)
    steps = squares[:, None] + np.concatenate(([0], board.offsets))[rays]
    bits = rays - 1 + np.where(steps == squares, 0, 8)
    found = np.where(rays > 0, (int(board.hits[piece]) >> np.maximum(bits, 0)) & 1, 0).T.astype(np.float32)
    if piece % SECOND == KNIGHT:
        jump = 2 * board.stride if piece >= SECOND else -2 * board.stride
        for start in board.squares:
            for to in (start + jump - 1, start + jump + 1):
                if to in board.squares:
                    found[start, to] = 1
    return found
