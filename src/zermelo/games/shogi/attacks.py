"""Who attacks what in shogi: looking outwards from a square along the eight directions and the knight's jumps.

The first piece that is met in a direction tells by a table whether it reaches back. For all squares next to a king
together it takes less to go through the other side's pieces. All of it reads the board, and changes nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.shogi.board import BORDER, KNIGHT, SECOND, Board
from zermelo.rules import bit_index, rule, u64
from zermelo.rules.language import Rule


class Attacks(NamedTuple):
    """`attacked(s, square, by)`: whether a piece of side `by` reaches a square.
    `guards(s, king, side)`: how many pieces give check to side's king on that square, one of them, and, as two words
    of a set of squares, side's pieces that stand alone between the king and one that would give check.
    `veils(s, king, side)`: the same kind of set, of side's pieces that stand between the *other* side's king, which is
    on that square, and a piece of side's own that would give check.
    `held(low, high, square)`: whether a set has a square.
    `cover(s, piece, at, start, king)`: the squares next to a king that a piece would reach from a square, a bit for
    each direction, when it comes there from `start`; neither that square nor the king's hides what is behind it.
    `ways_out(s, king, side)`: those to which side's king could go if it were its turn.
    `met(s, square, d)`: where the first piece, or the border, stands in direction d, and which bit of `hits` tells
    whether it reaches back."""

    attacked: Rule
    guards: Rule
    veils: Rule
    held: Rule
    cover: Rule
    ways_out: Rule
    met: Rule


def attacks(board: Board) -> Attacks:
    offsets, hits, stride, ranks, cells = board.offsets, board.hits, board.stride, board.ranks, board.cells
    beside, near, next_to, towards, slides = board.beside, board.near, board.next_to, board.towards, board.slides
    has_knights = board.counts[KNIGHT] > 0
    one, zero, word, bits = u64(1), u64(0), 64, board.bits

    @rule
    def held(low, high, square):
        if square < word:
            return (low >> u64(square)) & one != zero
        return (high >> u64(square - word)) & one != zero

    @rule
    def added(low, high, square):
        if square < word:
            return low | (one << u64(square)), high
        return low, high | (one << u64(square - word))

    @rule
    def met(s, square, d):
        step = int(offsets[d])
        at = (square + step) & bits
        bit = d
        if s.board[at] == 0:
            bit = d + 8
            while s.board[at] == 0:
                at = (at + step) & bits
        return at, bit

    @rule
    def jumped(s, square, by):
        """Where a knight of `by` stands that reaches the square, 0 if none does; if there are two, the second."""
        found = 0
        if has_knights:
            knight = KNIGHT + SECOND * by
            if by == 1:
                if square >= 3 * stride:
                    if s.board[square - 2 * stride - 1] == knight:
                        found = square - 2 * stride - 1
                    if s.board[square - 2 * stride + 1] == knight:
                        found = square - 2 * stride + 1
            elif square < (ranks - 1) * stride:
                if s.board[square + 2 * stride - 1] == knight:
                    found = square + 2 * stride - 1
                if s.board[square + 2 * stride + 1] == knight:
                    found = square + 2 * stride + 1
        return found

    @rule
    def attacked(s, square, by):
        for d in range(8):
            at, bit = met(s, square, d)
            piece = int(s.board[at])
            if piece >> 4 == by and (int(hits[piece]) >> bit) & 1 != 0:
                return True
        return jumped(s, square, by) != 0

    @rule
    def guards(s, king, side):
        count, checker = 0, 0
        low, high = zero, zero
        if king == 0:
            return count, checker, low, high
        other = 1 - side
        for d in range(8):
            at, bit = met(s, king, d)
            piece = int(s.board[at])
            if piece == BORDER:
                continue
            if piece >> 4 == other:
                if (int(hits[piece]) >> bit) & 1 != 0:
                    count += 1
                    checker = at
                continue
            behind, _ = met(s, at, d)
            far = int(s.board[behind])
            if far >> 4 == other and (int(hits[far]) >> (d + 8)) & 1 != 0:
                low, high = added(low, high, at)
        jumper = jumped(s, king, other)
        if jumper != 0:
            count += 1
            checker = jumper
        return count, checker, low, high

    @rule
    def veils(s, king, side):
        low, high = zero, zero
        for d in range(8):
            at, _ = met(s, king, d)
            if int(s.board[at]) >> 4 != side:
                continue
            behind, _ = met(s, at, d)
            far = int(s.board[behind])
            if far >> 4 == side and (int(hits[far]) >> (d + 8)) & 1 != 0:
                low, high = added(low, high, at)
        return low, high

    @rule
    def cover(s, piece, at, start, king):
        around = cells * king + at
        found = int(near[32 * int(beside[around]) + piece])
        lines = int(slides[piece]) & int(towards[around])
        while lines != 0:
            step = int(offsets[bit_index(u64(lines))])
            lines &= lines - 1
            to = (at + step) & bits
            while True:
                found |= int(next_to[cells * king + to])
                if s.board[to] != 0 and to != king and to != start:
                    break
                to = (to + step) & bits
        return found

    @rule
    def ways_out(s, king, side):
        other, free = 1 - side, 0
        for d in range(8):
            piece = int(s.board[(king + int(offsets[d])) & bits])
            if piece == 0 or piece >> 4 == other:
                free |= 1 << d
        for half in range(2):
            pieces = s.own[2 * other + half]
            while pieces != zero and free != 0:
                at = bit_index(pieces) + word * half
                pieces &= pieces - one
                free &= ~cover(s, int(s.board[at]), at, king, king)
        return free

    return Attacks(attacked, guards, veils, held, cover, ways_out, met)
