"""Tsume shogi, the sub-game "mate": checks until mate, whatever the defender does.

The defender may make every legal move, futile interpositions too, so that mates can be some plies longer here than in
books. Who gives check must not repeat a position: to go on would be perpetual check, which loses.

Most checks leave the king a way out that it had before. So whether one of them mates is seen by looking for two squares
that the king could go to now, and then only at checks that might take both away.
"""

from __future__ import annotations

from zermelo.games.shogi.attacks import Attacks
from zermelo.games.shogi.board import KING, KNIGHT, PROMOTED, SECOND, Board
from zermelo.games.shogi.checks import check_rule
from zermelo.games.shogi.moves import Moves
from zermelo.rules import Subgame, rule, u64


def mate(board: Board, sight: Attacks, listing: Moves) -> Subgame:
    """The sub-game on a board."""
    attacked, can_answer = sight.attacked, listing.can_answer
    offsets, hits, rays = board.offsets, board.hits, board.rays
    cells, stride, kinds, hand_keys = board.cells, board.stride, board.kinds, board.hand_keys
    promoting, dropping = cells * cells, 2 * cells * cells

    @rule
    def ways_out(s, king, side):
        """Two squares to which side's king could go if it were its turn, 0 for one that is not there."""
        one, other = 0, 0
        s.board[king] = 0
        for d in range(8):
            to = king + int(offsets[d])
            piece = int(s.board[to])
            if (piece == 0 or piece >> 4 == 1 - side) and not attacked(s, to, 1 - side):
                if one != 0:
                    other = to
                    break
                one = to
        s.board[king] = KING + SECOND * side
        return one, other

    @rule
    def closes(s, move, square):
        """Whether a check might take a square away to which the king could go before; true in doubt."""
        side = int(s.turn)
        to = move % cells
        if move >= dropping:
            piece = (move - dropping) // cells + SECOND * side
        else:
            start = (move - promoting if move >= promoting else move) // cells
            if rays[cells * square + start] != 0:  # a piece behind it may look through
                return True
            piece = int(s.board[start]) + (PROMOTED if move >= promoting else 0)
        ray = int(rays[cells * square + to])
        if ray == 0:
            front = square + 2 * stride if side == 0 else square - 2 * stride
            return piece & 15 == KNIGHT and (to == front - 1 or to == front + 1)
        reach = int(hits[piece]) >> (ray - 1)
        return reach & 1 != 0 if square + int(offsets[ray - 1]) == to else (reach >> 8) & 1 != 0

    @rule
    def mates(s, move):
        side = int(s.turn)
        to = move % cells
        taken = int(s.board[to])
        if move >= dropping:
            s.board[to] = (move - dropping) // cells + SECOND * side
            answered = can_answer(s, 1 - side)
            s.board[to] = 0
            return not answered
        start = (move - promoting if move >= promoting else move) // cells
        piece = int(s.board[start])
        s.board[start] = 0
        s.board[to] = piece + PROMOTED if move >= promoting else piece
        answered = can_answer(s, 1 - side)
        s.board[start], s.board[to] = piece, taken
        return not answered

    @rule
    def at_once(s, out, n):
        if n == 0:
            return -1
        side = int(s.turn)
        one, other = ways_out(s, int(s.kings[1 - side]), 1 - side)
        for i in range(n):
            move = int(out[i])
            if (one == 0 or closes(s, move, one)) and (other == 0 or closes(s, move, other)) and mates(s, move):
                return i
        return -1

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
        attack=check_rule(board, sight, listing), at_once=at_once, may_repeat=False,
        setting=setting, first_stock=first_stock, second_stock=second_stock,
    )  # fmt: skip
