"""Loops: how a search sees that play has returned to a position, what that is worth, and what rests on it.

The value of a position in a game with cycles can depend on how it was reached: a move that closes a loop on one
path does not on another (the graph-history interaction, Campbell 1985). So a path carries with it

    ws.marks[ply]      what must come back for the position at ply to count as repeated
    ws.paths[ply]      a hash of the marks before ply: two ways to a position with equal hashes are alike to the rules
    ws.reach[ply + 1]  the earliest ply of the path that the value found at ply rests on, by way of closed loops

A value that reaches back no further than its own position owes nothing to how that was reached. `reach` flows
upwards: whoever finds a value at ply hands what it rests on to the slot of ply - 1.

A path hash is a sum, for only the set of positions counts, except where the game's own rule sees the whole cycle.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.compile.modes import Kernel, Mode, Rules
from zermelo.compile.workspace import PLIES
from zermelo.rules import ONGOING, Game, i64, u64


class Loops(NamedTuple):
    """How a search follows its path."""

    mark: Kernel  # (ws, ply): the position at ply has just been made; note it
    closed: Kernel  # (ws, ply, closer) -> (earliest, score): where the loop begins and its worth; ONGOING if none


def loops(game: Game, mode: Mode, rules: Rules, number: type) -> Loops:
    """Bind a game with cycles. Scores are the first player's; `closer` is the player whose move led to ply."""
    word = mode.word
    zeroth, first, second, half, shift, all_bits = (
        word(c) for c in (0xBF58476D1CE4E5B9, 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 32, 29, 2**64 - 1)
    )
    mode.needs(marks=(u64, PLIES), paths=(u64, PLIES), reach=(i64, PLIES))
    key: Any = rules.loop_key
    own_rule, folds, rest = rules.repetition, game.folds, rules.rest
    has_own_rule = not isinstance(game.repetition, str)
    by_points = game.repetition == "points"
    signed = mode.signed if number is int else float
    step = 2 if game.alternating else 1  # whose turn it is comes back too
    low, high = number(game.values[0]), number(game.values[1])
    fixed = game.loop_value
    if fixed is not None:
        by_first = by_second = number(fixed)
    else:
        by_first, by_second = (high, low) if game.repetition == "wins" else (low, high)

    @mode.inline
    def scramble(mark):
        h = ((mark ^ zeroth) * first) & all_bits  # a key of 0 must leave its trace in a sum too
        h = ((h ^ (h >> half)) * second) & all_bits
        return h ^ (h >> shift)

    @mode.inline
    def mark(ws, ply):
        ws.marks[ply] = key(ws.stack[ply])
        if ply == 0:
            ws.paths[ply] = word(0)
        elif has_own_rule:
            ws.paths[ply] = scramble((ws.paths[ply - 1] + scramble(ws.marks[ply - 1])) & all_bits)
        else:
            ws.paths[ply] = (ws.paths[ply - 1] + scramble(ws.marks[ply - 1])) & all_bits

    @mode.inline
    def closed(ws, ply, closer):
        this = ws.marks[ply]
        times, latest = 1, -1
        earlier = ply - step
        while earlier >= 0:
            if ws.marks[earlier] == this:
                times += 1
                if latest < 0:
                    latest = earlier
                if times >= folds:
                    if has_own_rule:
                        return earlier, own_rule(ws.stack, latest, ply)
                    if by_points:
                        return earlier, signed(rest(ws.stack[ply])[1])
                    return earlier, by_first if closer == 0 else by_second
            earlier -= step
        return -1, number(ONGOING)

    return Loops(mark, closed)


def path_hash(mode: Mode) -> Kernel:
    """`(ws, ply)` -> what sets a position's entries for this path apart from those for others, and from its facts."""
    mode.needs(paths=(u64, PLIES))
    word = mode.word
    odd, half, all_bits = word(0xA24BAED4963EE407), word(32), word(2**64 - 1)

    @mode.inline
    def hash_of_path(ws, ply):
        return ((ws.paths[ply] ^ (ws.paths[ply] >> half)) * odd + odd) & all_bits

    return hash_of_path
