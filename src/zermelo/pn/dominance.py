"""More in hand is never worse: a sub-game that is won with some pieces in hand is won with more, one that fails with
some fails with fewer.

Positions of one `setting` differ only in who holds how much of the same stock. To win, the attacker needs what it
drops beyond what it captures, and to hold all of what the defender must not have to drop; to fail, it may hold as much
as gives it no drop that was not tried. Both are worked out from the leaves upwards and kept with the setting, so that
one verdict serves many positions. These are the proof pieces and disproof pieces of Nagai 2002, "Df-pn algorithm for
searching AND/OR trees and its applications".

Why this is right: whoever holds more can play the same moves, and the other has no others than before. What rests on a
loop hands up no more than the position's own stock, for which it was found.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import MOVES, PLIES
from zermelo.rules import Subgame, i64, u64

_SPARE = 0x8080808080808080
_ONES = 0x0101010101010101
_SETTING = 0x165667B19E3779F9
"""Sets the keys of settings apart from those of positions."""


class Dominance(NamedTuple):
    """`ws.need[ply]` belongs to the verdict on the position at ply: the least stock with which the attack is known to
    win, or the largest with which it is known to fail."""

    key: Kernel  # (ws, ply, depth) -> of the setting, and of the plies that are left where these count
    stock: Kernel  # (ws, ply) -> what the attacker holds
    covers: Kernel  # (more, less) -> whether a stock has all of another
    alone: Kernel  # (ws, ply): the verdict at ply is known for its own stock only
    hand_up: Kernel  # (ws, ply, i, won): what the verdict at ply + 1 needs, as its move number i, still played, has it
    gather: Kernel  # (ws, ply, n, won): the verdict at ply follows from all of its n moves


def dominance(mode: Mode, subgame: Subgame) -> Dominance:
    """The kernels of a sub-game that tells settings and stocks. Counts are compared all at once: each has a byte, whose
    highest bit is to spare."""
    setting_of: Any = subgame.setting
    first_stock: Any = subgame.first_stock
    second_stock: Any = subgame.second_stock
    word = mode.word
    spare, ones, all_bits, top, byte = word(_SPARE), word(_ONES), word(2**64 - 1), word(7), word(255)
    mark, spread, zero = word(_SETTING), word(0x9E3779B97F4A7C15), word(0)
    mode.needs(
        attacker=i64,
        timed=i64,
        need=(u64, PLIES),
        needs=(u64, PLIES, MOVES),  # what the verdicts on moves need, in terms of the position they are played in
    )

    @mode.inline
    def key(ws, ply, depth):
        clock = (word(depth) * spread) & all_bits if ws.timed != 0 else zero
        return word(setting_of(ws.stack[ply])) ^ mark ^ clock

    @mode.inline
    def stock(ws, ply):
        return word(first_stock(ws.stack[ply]) if ws.attacker == 0 else second_stock(ws.stack[ply]))

    @mode.inline
    def defence(ws, ply):
        return word(second_stock(ws.stack[ply]) if ws.attacker == 0 else first_stock(ws.stack[ply]))

    @mode.inline
    def no_less(a, b):
        """All bits of the counts of which a has no less than b."""
        return ((((a | spare) - b) & spare) >> top) * byte

    @mode.inline
    def covers(more, less):
        return ((more | spare) - less) & spare == spare

    @mode.inline
    def larger(a, b):
        there = no_less(a, b)
        return (a & there) | (b & (all_bits ^ there))

    @mode.inline
    def smaller(a, b):
        there = no_less(a, b)
        return (b & there) | (a & (all_bits ^ there))

    @mode.inline
    def alone(ws, ply):
        ws.need[ply] = stock(ws, ply)

    @mode.inline
    def hand_up(ws, ply, i, won):
        here, after = stock(ws, ply), stock(ws, ply + 1)
        if won:
            ws.needs[ply][i] = larger(ws.need[ply + 1] + here, after) - after
        else:
            ws.needs[ply][i] = smaller(ws.need[ply + 1] + here - after, here + defence(ws, ply))

    @mode.inline
    def gather(ws, ply, n, won):
        here, other = stock(ws, ply), defence(ws, ply)
        if won:
            need = here & (all_bits ^ no_less(other, ones))  # what the defender has none of, and so cannot drop
            for i in range(n):
                need = larger(need, ws.needs[ply][i])
        else:
            need = (here + other) & no_less(here, ones)  # what the attacker has none of, and so cannot drop
            for i in range(n):
                need = smaller(need, ws.needs[ply][i])
        ws.need[ply] = need

    return Dominance(key, stock, covers, alone, hand_up, gather)
