"""Tsume shogi, the sub-game "mate": checks until mate, whatever the defender does.

The defender may make every legal move, futile interpositions too, so that mates can be some plies longer here than in
books. Who gives check must not repeat a position: to go on would be perpetual check, which loses.

Most checks leave the king a way out that it had before. So whether one of them mates is seen by looking once for all
squares that the king could go to now, and then only at checks that might take all of them away.
"""

from __future__ import annotations

from zermelo.games.shogi.attacks import Attacks
from zermelo.games.shogi.board import PAWN, PROMOTED, SECOND, Board
from zermelo.games.shogi.checks import check_rule
from zermelo.games.shogi.moves import Moves, comes_or_goes
from zermelo.rules import Subgame, rule, u64

INTERPOSED = 4
"""So many drops between a king and who gives check count as one reply. Of 2, 4 and all, none at all, this took the
fewest positions on tsume problems."""


def mate(board: Board, sight: Attacks, listing: Moves) -> Subgame:
    """The sub-game on a board."""
    cover, ways_out, can_answer = sight.cover, sight.ways_out, listing.can_answer
    aligned, cells, stride = board.aligned, board.cells, board.stride
    promoting, dropping = cells * cells, 2 * cells * cells
    half, first_factor, second_factor = u64(32), u64(0xE7037ED1A0B428DB), u64(0x8EBC6AF09C88C6E3)

    @rule
    def closes(s, move, ways, king):
        """Whether a check might take all these ways away that the king had before; true in doubt."""
        to = move % cells
        if move >= dropping:
            piece, start = (move - dropping) // cells + SECOND * int(s.turn), king
        else:
            start = (move - promoting if move >= promoting else move) // cells
            piece = int(s.board[start]) + (PROMOTED if move >= promoting else 0)
            ways &= ~int(aligned[cells * king + start])  # a piece behind it may look through
        return ways == 0 or ways & ~cover(s, piece, to, start, king) == 0

    @rule
    def mates(s, move):
        side = int(s.turn)
        to = move % cells
        taken = int(s.board[to])
        pawns = int(s.pawns[1 - side])
        start, piece = 0, 0
        if move >= dropping:
            s.board[to] = (move - dropping) // cells + SECOND * side
        else:
            start = (move - promoting if move >= promoting else move) // cells
            piece = int(s.board[start])
            s.board[start] = 0
            s.board[to] = piece + PROMOTED if move >= promoting else piece
            comes_or_goes(s, side, start)
            if taken == PAWN + SECOND * (1 - side):
                s.pawns[1 - side] = pawns ^ (1 << (to % stride))
        comes_or_goes(s, side, to)
        answered = can_answer(s, 1 - side)
        comes_or_goes(s, side, to)
        s.board[to] = taken
        if start != 0:
            s.board[start] = piece
            comes_or_goes(s, side, start)
            s.pawns[1 - side] = pawns
        return not answered

    @rule
    def at_once(s, out, n):
        if n == 0:
            return -1
        king = int(s.kings[1 - s.turn])
        ways = ways_out(s, king, 1 - int(s.turn))
        for i in range(n):
            if closes(s, int(out[i]), ways, king) and mates(s, int(out[i])):
                return i
        return -1

    @rule
    def resistance(s, out, n):  # most pieces that are put in the way are taken by the one that gives check
        drops = 0
        for i in range(n):
            if out[i] >= dropping:
                drops += 1
        return max(n - drops + drops // INTERPOSED, 1)

    @rule
    def setting(s):
        held = (s.hands[0] + s.hands[1]) * first_factor
        return s.hash ^ ((held ^ (held >> half)) * second_factor)

    @rule
    def first_stock(s):
        return s.hands[0]

    @rule
    def second_stock(s):
        return s.hands[1]

    return Subgame(
        attack=check_rule(board, sight, listing), at_once=at_once, resistance=resistance, may_repeat=False,
        setting=setting, first_stock=first_stock, second_stock=second_stock,
    )  # fmt: skip
