"""What positions of shogi look like: material, squares, kings; which moves to try first; what captures win.

Values are in hundredths of a pawn, the first player's. Material, hands and squares are kept in `s.balance` while moves
are played; only the kings' surroundings are looked at afresh. The numbers are round ones of our own: a piece in hand is
worth a little more than on the board, a promoted small one about a gold.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.games.shogi.board import (
    BISHOP,
    BORDER,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTED,
    ROOK,
    SECOND,
    SILVER,
    Board,
    Table,
)
from zermelo.rules import i64, rule, u64
from zermelo.rules.language import Rule

SCALE = 10_000
"""A score of 1 is this many hundredths of a pawn."""
_ON_BOARD = {
    PAWN: 90, LANCE: 290, KNIGHT: 330, SILVER: 480, GOLD: 540, BISHOP: 800, ROOK: 950,
    PAWN + PROMOTED: 520, LANCE + PROMOTED: 510, KNIGHT + PROMOTED: 520, SILVER + PROMOTED: 530,
    BISHOP + PROMOTED: 1080, ROOK + PROMOTED: 1250,
}  # fmt: skip
_IN_HAND = {PAWN: 105, LANCE: 300, KNIGHT: 350, SILVER: 520, GOLD: 590, BISHOP: 870, ROOK: 1030}
_LARGEST = 9_900
_KING_TAKEN = 5_000


class Worth(NamedTuple):
    """`on(piece, square)`, `kept(kind, side)`: what `s.balance` counts. The others are hooks of the game."""

    on: Rule
    kept: Rule
    evaluate: Rule
    order: Rule
    exchange: Rule


def worths(board: Board) -> Worth:
    squares, hands, plain = _square_table(board), _hand_table(), _plain_table()
    offsets, hits, stride, ranks, files = board.offsets, board.hits, board.stride, board.ranks, board.files
    cells = board.cells
    promoting, dropping = cells * cells, 2 * cells * cells
    has_knights = board.counts[KNIGHT] > 0
    one, zero, word = u64(1), u64(0), 64

    @rule
    def on(piece, square):
        return int(squares[cells * piece + square])

    @rule
    def kept(kind, side):
        return int(hands[8 * side + kind])

    @rule
    def shelter(s, side):
        """How safe a king is: its own generals beside it, the other's pieces near it, what the other could drop."""
        king = int(s.kings[side])
        if king == 0:
            return 0
        found, own = 0, 0
        row, file = king // stride, king % stride
        for r in range(max(row - 2, 1), min(row + 2, ranks) + 1):
            for f in range(max(file - 2, 1), min(file + 2, files) + 1):
                piece = int(s.board[stride * r + f])
                if piece == 0 or piece & 15 == KING:
                    continue
                beside = abs(r - row) <= 1 and abs(f - file) <= 1
                if piece >> 4 == side:
                    if beside:
                        own += 1
                        found += 18 if piece & 15 == GOLD or piece & 15 == SILVER else 8
                elif piece & 15 != PAWN:
                    found -= 45 if beside else 22
        threats, held = 0, s.hands[1 - side]
        for kind in range(LANCE, KING):
            threats += min(int(i64(held >> u64(8 * kind))) & 255, 2)
        return found - threats * (8 - min(own, 6)) * 3

    @rule
    def evaluate(s):
        value = int(s.balance) + shelter(s, 0) - shelter(s, 1) + (15 if s.turn == 0 else -15)
        return max(min(value, _LARGEST), -_LARGEST) / SCALE

    @rule
    def order(s, move):  # dear captures by cheap pieces, promotions, drops near the king, steps to better squares
        side = int(s.turn)
        to = move % cells
        king = int(s.kings[1 - side])
        near = 0
        if king != 0 and abs(to // stride - king // stride) <= 2 and abs(to % stride - king % stride) <= 1:
            near = 60
        if move >= dropping:
            kind = (move - dropping) // cells
            return near + (10 if kind != PAWN else 0) - 40
        start = (move - promoting if move >= promoting else move) // cells
        piece = int(s.board[start])
        taken = int(s.board[to])
        found = 0
        if taken != 0:
            found = 2000 + 8 * int(plain[taken & 15]) - int(plain[piece & 15])
        if move >= promoting:
            return found + 400 + int(plain[(piece & 15) + PROMOTED]) - int(plain[piece & 15])
        gain = on(piece, to) - on(piece, start)
        return found + near // 2 + (gain if side == 0 else -gain)

    @rule
    def cheapest(s, square, side, low, high):
        """Where side's cheapest piece stands that reaches a square once those in the set are gone; 0 if none does."""
        best, least = 0, _KING_TAKEN + 1
        for d in range(8):
            step = int(offsets[d])
            at = square + step
            bit = d
            piece = int(s.board[at])
            while piece == 0 or (
                piece != BORDER
                and ((low >> u64(at)) & one if at < word else (high >> u64(at - word)) & one) != zero
            ):
                bit = d + 8
                at += step
                piece = int(s.board[at])
            if piece >> 4 == side and (int(hits[piece]) >> bit) & 1 != 0 and int(plain[piece & 15]) < least:
                best, least = at, int(plain[piece & 15])
        if has_knights and int(plain[KNIGHT]) < least:
            back = 2 * stride if side == 0 else -2 * stride
            knight = KNIGHT + SECOND * side
            if stride < square + back < stride * (ranks + 1):
                for at in (square + back - 1, square + back + 1):
                    gone = ((low >> u64(at)) & one if at < word else (high >> u64(at - word)) & one) != zero
                    if s.board[at] == knight and not gone:
                        best, least = at, int(plain[KNIGHT])
        return best

    @rule
    def exchange(s, move):
        """What a move wins or loses in the end by captures on its target, each side taking with its cheapest piece or
        stopping. A capture gains the piece twice: it leaves one side and joins the other's hand."""
        side = int(s.turn)
        to = move % cells
        low, high = zero, zero
        taken = int(s.board[to])
        balance = int(plain[taken & 15]) + int(hands[taken & 7]) if taken != 0 else 0
        if move >= dropping:
            kind = (move - dropping) // cells
            risk = int(plain[kind]) + int(hands[kind])
        else:
            start = (move - promoting if move >= promoting else move) // cells
            piece = int(s.board[start])
            risk = int(plain[piece & 15]) + int(hands[piece & 7])
            if move >= promoting:
                gained = int(plain[(piece & 15) + PROMOTED]) - int(plain[piece & 15])
                balance += gained
                risk += gained
            if start < word:
                low |= one << u64(start)
            else:
                high |= one << u64(start - word)
        alpha, beta = -4 * SCALE, 4 * SCALE
        mine = False  # whether the one who made the move is to take
        while alpha < beta:
            if mine:
                alpha = max(alpha, balance)
            else:
                beta = min(beta, balance)
            at = cheapest(s, to, side if mine else 1 - side, low, high)
            if at == 0 or alpha >= beta:
                break
            balance += risk if mine else -risk
            piece = int(s.board[at])
            risk = int(plain[piece & 15]) + int(hands[piece & 7])
            if at < word:
                low |= one << u64(at)
            else:
                high |= one << u64(at - word)
            mine = not mine
        return max(min(balance, beta), alpha) / SCALE

    return Worth(on, kept, evaluate, order, exchange)


def _plain_table() -> Table:
    """A piece on the board, wherever it stands; the king is dearer than all."""
    table = np.zeros(16, dtype=np.int32)
    for kind, value in (_ON_BOARD | {KING: _KING_TAKEN}).items():
        table[kind] = value
    return table


def _hand_table() -> Table:
    table = np.zeros(16, dtype=np.int32)
    for kind, value in _IN_HAND.items():
        table[kind], table[8 + kind] = value, -value
    return table


def _square_table(board: Board) -> Table:
    """A piece on a square: small pieces forward, the king back and away from the middle."""
    table = np.zeros(32 * board.cells, dtype=np.int32)
    for row in range(board.ranks):
        for file in range(board.files):
            for piece, value in _ON_BOARD.items():
                for side, ahead, sign in ((0, row, 1), (1, board.ranks - 1 - row, -1)):
                    up, square = board.ranks - 1 - ahead, board.square(row, file)
                    bonus = _bonus(piece, up, _from_middle(board, file))
                    if piece == PAWN and board.files == 9:
                        bonus += _opening(up, file if side == 0 else 8 - file)
                    table[board.cells * (piece + SECOND * side) + square] = sign * (value + bonus)
            for side, ahead, sign in ((0, row, 1), (1, board.ranks - 1 - row, -1)):
                back = board.ranks - 1 - ahead
                at_home = 12 * _from_middle(board, file) - 35 * max(back - 1, 0) if board.ranks > 5 else -15 * back
                table[board.cells * (KING + SECOND * side) + board.square(row, file)] = sign * at_home
    return table


def _opening(up: int, file: int) -> int:
    """What a pawn's step does for the pieces behind it: it opens the bishop's diagonal, it leads the rook's attack."""
    if file == 2:
        return 35 if up >= 3 else 0
    return 9 * min(up - 2, 3) if file == 7 and up > 2 else 0


def _from_middle(board: Board, file: int) -> int:
    return abs(file - board.files // 2)


def _bonus(piece: int, up: int, aside: int) -> int:
    """For standing so many rows up and files aside."""
    if piece == PAWN:
        return 3 * up
    if piece == SILVER:
        return 6 * min(up, 4) - 3 * aside
    if piece == GOLD:
        return -3 * aside - 4 * max(up - 2, 0)
    if piece == KNIGHT:
        return 5 * min(up, 3)
    if piece in (BISHOP, ROOK, LANCE):
        return 0
    return 3 * min(up, 6) - 2 * aside
