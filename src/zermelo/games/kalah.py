"""Kalah with any number of pits and stones: sow counter-clockwise, move again from the own store, capture.

The last stone in the own store gives another move; in an own empty pit it is captured together with the pit
opposite (`empty_capture`: also when that is empty). When a side has no stones left in its pits, the other
side's go to their owner. The score is the difference of the stores.

`board` is the ring in the order of sowing: the first player's pits, its store, the second player's pits, its
store. With n pits the second player's pit i is n + 1 places on from the first player's, and the pit
opposite i is 2n - i. When the game ends the stones are all in the stores, so that is how the end is seen.
Counts are single bytes; sums of them start from a plain number, because a difference of bytes has no sign.

Endgame tables keep what is won from there on, by the stones left in the pits, as the player to move sees them.
"""

from __future__ import annotations

import re
from typing import Any

from zermelo.games._pits import pit_name, pits_and_stores
from zermelo.rules import ONGOING, Board, Game, PositionError, Tier, Unsuitable, rule, struct, u8, u64
from zermelo.rules.ranking import Pits


def kalah(pits: int = 6, stones: int = 4, empty_capture: bool = False) -> Game:
    """Sow and capture; the score is the difference of the stores at the end."""
    total = 2 * pits * stones
    if not 1 <= pits <= 8 or stones < 1:
        raise Unsuitable("kalah needs 1 to 8 pits on each side and at least 1 stone in each")
    if total > 255:
        raise Unsuitable(
            f"kalah: {stones} stones in each of 2·{pits} pits make {total}, at most 255 are possible "
            f"({255 // (2 * pits)} in each of so many pits)"
        )
    State = struct(board=(u8, 2 * pits + 2), turn=u8)
    side, ring, lap = pits + 1, 2 * pits + 2, 2 * pits + 1  # a lap leaves out the opponent's store
    one, zero = u64(1), u64(0)

    @rule
    def store(player):
        return player * side + pits

    @rule
    def stones_of(s, player):
        count = 0
        for i in range(player * side, player * side + pits):
            count += s.board[i]
        return count

    @rule
    def moves(s, out):
        n = 0
        for i in range(pits):
            if s.board[s.turn * side + i] > 0:
                out[n] = i
                n += 1
        return n

    @rule
    def sweep(s, player):  # what is left in the pits goes to their owner
        for i in range(player * side, player * side + pits):
            s.board[store(player)] += s.board[i]
            s.board[i] = 0

    @rule
    def play(s, move):
        player = s.turn
        at = player * side + move
        hand = s.board[at]
        skipped = store(1 - player)
        s.board[at] = 0
        for _ in range(hand):
            at += 1
            if at == skipped:
                at += 1
            if at >= ring:
                at -= ring
            s.board[at] += 1
        if at // side == player and at != store(player) and s.board[at] == 1:
            opposite = 2 * pits - at
            if empty_capture or s.board[opposite] > 0:
                s.board[store(player)] += 1 + s.board[opposite]
                s.board[at] = 0
                s.board[opposite] = 0
        if at != store(player):
            s.turn = 1 - player
        if stones_of(s, 0) == 0 or stones_of(s, 1) == 0:
            sweep(s, 0)
            sweep(s, 1)

    @rule
    def result(s):
        if 0 + s.board[pits] + s.board[lap] == total:
            return 2 * s.board[pits] - total
        return ONGOING

    @rule
    def bounds(s):  # what is stored stays
        return 2 * s.board[pits] - total, total - 2 * s.board[lap]

    @rule
    def evaluate(s):
        return 0.0 + s.board[pits] - s.board[lap]

    @rule
    def order(s, move):  # moving again, then the greatest capture, then the pit nearest to the store
        start = s.turn * side
        hand = s.board[start + move]
        if hand % lap == pits - move:
            return 512 + move
        end = (move + hand) % lap
        if hand <= lap and end < pits and (s.board[start + end] == 0 or hand == lap):
            caught = s.board[2 * pits - (start + end)]
            if caught > 0:
                return 256 + caught
        return move

    @rule
    def key(s):  # each count as so many zeros and a one; the first one is known from the total
        ones = zero
        for i in range(lap):
            ones = ((ones | one) << one) << u64(s.board[i + 1])
        return ones | u64(s.turn)

    @rule
    def rest(s):  # the pits alone: what was stored before changes no move
        ones = zero
        for player in range(2):
            for i in range(pits):
                ones = ((ones << one) | one) << u64(s.board[player * side + i])
        return (ones << one) | u64(s.turn), 0 + s.board[pits] - s.board[lap]

    fits = total + 2 * pits + 2 <= 64
    rows = [[player * side + i for i in range(pits)] for player in range(2)]
    layouts = Pits(total if fits else 0, [rows[0] + rows[1], rows[1] + rows[0]])
    rank, unrank = layouts.rank, layouts.unrank

    @rule
    def index(s):
        left = stones_of(s, 0) + stones_of(s, 1)
        if left == 0:
            return -1, 0, 1
        return left, rank(s.board, s.turn), 1 - 2 * s.turn

    @rule
    def unindex(s, tier, number):  # what is stored is shared out, for it does not matter
        unrank(s.board, 0, tier, number)
        s.board[pits] = (total - tier) // 2
        s.board[lap] = total - tier - s.board[pits]
        s.turn = 0
        return stones_of(s, 0) > 0 and stones_of(s, 1) > 0

    def tiers() -> list[Tier]:
        return [Tier(left, layouts.size(left), f"{left} stones") for left in range(2, total + 1)]

    def position_text(s: Any) -> str:
        first, second = (",".join(str(n) for n in s.board[i : i + pits]) for i in (0, side))
        return f"{first}|{s.board[pits]}|{second}|{s.board[lap]} {s.turn + 1}"

    def read_position(text: str) -> Any:
        if "|" not in text:
            return None
        form = re.fullmatch(r"([\d,\s]+)\|\s*(\d+)\s*\|([\d,\s]+)\|\s*(\d+)\s+([12])", text)
        if form is None:
            example = position_text(State(board=([stones] * pits + [0]) * 2))
            raise PositionError(
                f"a kalah position is pits|store|pits|store and the side to move (1 or 2), such as {example}"
            )
        rows = [[int(n) for n in form[i].replace(",", " ").split()] for i in (1, 3)]
        if any(len(row) != pits for row in rows):
            raise PositionError(f"{text!r} must give {pits} pits on each side")
        board = [*rows[0], int(form[2]), *rows[1], int(form[4])]
        if sum(board) != total:
            raise PositionError(f"the stones in {text!r} add up to {sum(board)}, not to {total}")
        if any(rows[0]) != any(rows[1]):
            raise PositionError(f"in {text!r} a side has no stones: that ends the game, all are then stored")
        return State(board=board, turn=int(form[5]) - 1)

    def draw(s: Any) -> Board:
        counts = [int(n) for n in s.board]
        to_move = ("first player (below, to the right)", "second player (above, to the left)")[s.turn]
        caption = f"{to_move} to move" if result(s) == ONGOING else "the game is over"
        return pits_and_stores(counts[:pits], counts[side:lap], (counts[pits], counts[lap]), caption)

    return Game(
        name="kalah",
        State=State,
        start=State(board=([stones] * pits + [0]) * 2),
        moves=moves,
        play=play,
        result=result,
        max_moves=pits,
        # A move stores a stone or brings stones nearer to the next store, and each stone that is stored
        # lets at most one round of others fall back.
        max_plies=pits * side * stones + total * (pits * side + 1),
        values=(-total, total),
        exact_key=fits,
        evaluate=evaluate,
        order=order,
        key=key if fits else None,
        rest=rest if fits else None,
        index=index if fits else None,
        unindex=unindex if fits else None,
        tiers=tiers if fits else None,
        bounds=bounds,
        move_text=lambda s, move: str(move + 1),
        position_text=position_text,
        read_position=read_position,
        draw=draw,
        spots=lambda s, move: [pit_name(s.turn, move)],
    )
