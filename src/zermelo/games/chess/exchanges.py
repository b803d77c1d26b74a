"""Which moves to try first, and what a capture is worth after all captures that may follow on its square.

The exchange is played out with the cheapest attacker each time, as both would; either side may stop when going on
costs more (static exchange evaluation). That is a line of positions in which one move is to stop, so an alpha-beta
window without a list is enough: see `exchange`. Pins are not looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.games.chess.attacks import (
    BISHOP,
    KING,
    NOTHING,
    ONE,
    PAWN,
    QUEEN,
    ROOK,
    ZERO,
    attackers,
    bishop_attacks,
    bit,
    kind_at,
    rook_attacks,
)
from zermelo.games.chess.boards import Board
from zermelo.games.chess.worth import tables
from zermelo.rules import rule
from zermelo.rules.language import Rule

PRICES = np.array([100, 325, 335, 500, 975, 5000, 0], np.int64)
"""By kind, in hundredths of a pawn; nothing at all is worth nothing."""
QUIET = 16
"""Squares tell quiet moves apart only if they differ by so much: what has cut off elsewhere tells more."""


class Exchanges(NamedTuple):
    exchange: Rule
    order: Rule


def exchanges(board: Board, unit: float) -> Exchanges:
    """The hooks `exchange` and `order`. `unit` is what a hundredth of a pawn is worth in `evaluate`."""
    middle, _ = tables(board)

    @rule
    def cheapest(s, among):  # the kind of the cheapest piece
        for kind in range(KING):
            if s.kinds[kind] & among != ZERO:
                return kind
        return KING

    @rule
    def exchanged(s, move):  # in hundredths of a pawn, for who makes the capture
        start, to, becomes = (move >> 6) & 63, move & 63, move >> 12
        at_risk, caught = kind_at(s, bit(start)), kind_at(s, bit(to))
        taken = (s.sides[0] | s.sides[1]) & ~bit(start)
        if caught == NOTHING and at_risk == PAWN and to == s.passed and s.passed != 0:
            caught = PAWN
            taken &= ~bit(to - 8 if s.turn == 0 else to + 8)
        taken |= bit(to)
        balance = int(PRICES[caught])
        if becomes != 0:
            at_risk = becomes
            balance += int(PRICES[becomes]) - int(PRICES[PAWN])
        diagonal, straight = s.kinds[BISHOP] | s.kinds[QUEEN], s.kinds[ROOK] | s.kinds[QUEEN]
        found = attackers(s, to, 0, taken) | attackers(s, to, 1, taken)
        low, high, side = -100_000, 100_000, 1 - s.turn
        while True:  # `side` may stop at `balance`, or take back
            found &= taken
            mine = found & s.sides[side]
            if mine == ZERO:
                return max(low, min(high, balance))
            kind = cheapest(s, mine)
            if kind == KING and found & s.sides[1 - side] != ZERO:
                return max(low, min(high, balance))  # it would be taken
            if side == s.turn:
                low = max(low, balance)
                if low >= high:
                    return high
                balance += int(PRICES[at_risk])
            else:
                high = min(high, balance)
                if high <= low:
                    return low
                balance -= int(PRICES[at_risk])
            at_risk = kind
            piece = mine & s.kinds[kind]
            taken ^= piece & ~(piece - ONE)
            found |= (bishop_attacks(to, taken) & diagonal) | (rook_attacks(to, taken) & straight)
            side = 1 - side

    @rule
    def exchange(s, move):
        return exchanged(s, move) * unit

    @rule
    def order(s, move):  # promotions, captures of the dearest piece by the cheapest; quiet moves by their squares
        start, to, becomes = (move >> 6) & 63, move & 63, move >> 12
        kind, caught = kind_at(s, bit(start)), kind_at(s, bit(to))
        if kind == PAWN and s.passed != 0 and to == s.passed:
            caught = PAWN
        if caught != NOTHING or becomes != 0:
            gain = int(PRICES[caught]) + (int(PRICES[becomes]) if becomes != 0 else 0)
            return 10 * gain - int(PRICES[kind]) // 10 if becomes == 0 or becomes == QUEEN else -gain
        at = 64 * (6 * s.turn + kind)
        gained = int(middle[at + to]) - int(middle[at + start])
        return gained // QUIET if s.turn == 0 else -gained // QUIET

    return Exchanges(exchange, order)
