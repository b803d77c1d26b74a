"""Loops: how a search sees that play has returned to a position, what that is worth, and what rests on it.

The value of a position in a game with cycles can depend on how it was reached: a move that closes a loop on one
path does not on another (the graph-history interaction, Campbell 1985). So a path carries with it

    ws.marks[ply]      what must come back for the position at ply to count as repeated
    ws.paths[ply]      a hash of the marks before ply that can come back: two ways to a position with equal hashes are
                       alike to the rules
    ws.reach[ply + 1]  the earliest ply of the path that the value found at ply rests on, by way of closed loops

A value that reaches back no further than its own position owes nothing to how that was reached. `reach` flows
upwards: whoever finds a value at ply hands what it rests on to the slot of ply - 1.

Where repetition is forbidden, a move that would close a loop is none: `lawful` takes such moves out of a list. Which
moves there are then depends on the whole path, also far from any loop, so that every value belongs to its path.

A path hash is a sum, for only the set of positions counts, except where the game's own rule sees the whole cycle. The
hook `reversible` tells which positions are out of reach: nobody looks for them, and behind a move that cannot be undone
the hash begins anew. So the same position may be found at another ply: what the table keeps of a value's reach is how
far back it goes, not to which ply.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

from zermelo.compile.modes import Interpreted, Kernel, Mode, Rules
from zermelo.compile.workspace import PLIES
from zermelo.rules import ONGOING, Game, i64, u64, wrapping


class Loops(NamedTuple):
    """How a search follows its path."""

    mark: Kernel  # (ws, ply): the position at ply has just been made; note it
    closed: Kernel  # (ws, ply, closer) -> (earliest, score): where the loop begins and its worth; ONGOING if none
    lawful: Kernel  # (ws, ply, n) -> how many of the n moves listed at ply may be made on this path; they come first


def loops(game: Game, mode: Mode, rules: Rules, number: type) -> Loops:
    """Bind a game with cycles. Scores are the first player's; `closer` is the player whose move led to ply."""
    word = mode.word
    zeroth, first, second, half, shift, all_bits = (
        word(c) for c in (0xBF58476D1CE4E5B9, 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 32, 29, 2**64 - 1)
    )
    mode.needs(marks=(u64, PLIES), paths=(u64, PLIES), reach=(i64, PLIES))
    key: Any = rules.loop_key
    own_rule, folds, rest = rules.repetition, game.folds, rules.rest
    reversible, can_be_final = rules.reversible, game.reversible is not None
    has_own_rule = not isinstance(game.repetition, str)
    by_points = game.repetition == "points"
    signed, whole = mode.signed if number is int else float, mode.signed
    forbids, repeatable, advance = game.forbids, rules.repeatable, rules.advance
    step = 2 if game.alternating and not forbids else 1  # else whose turn it is comes back too
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
        if ply == 0 or (can_be_final and reversible(ws.stack[ply]) == 0):
            ws.paths[ply] = word(0)
        elif has_own_rule:
            ws.paths[ply] = scramble((ws.paths[ply - 1] + scramble(ws.marks[ply - 1])) & all_bits)
        else:
            ws.paths[ply] = (ws.paths[ply - 1] + scramble(ws.marks[ply - 1])) & all_bits

    @mode.inline
    def closed(ws, ply, closer):
        this = ws.marks[ply]
        times, latest = 1, -1
        first = max(ply - whole(reversible(ws.stack[ply])), 0) if can_be_final else 0
        earlier = ply - step
        while earlier >= first:
            if ws.marks[earlier] == this:
                times += 1
                if latest < 0:
                    latest = earlier
                if times >= folds:
                    if forbids and repeatable(ws.stack[ply]):
                        return -1, number(ONGOING)
                    if has_own_rule:
                        return earlier, own_rule(ws.stack, earlier, latest, ply)
                    if by_points:
                        return earlier, signed(rest(ws.stack[ply])[1])
                    return earlier, by_first if closer == 0 else by_second
            earlier -= step
        return -1, number(ONGOING)

    @mode.inline
    def lawful(ws, ply, n):
        if not forbids:
            return n
        kept = 0
        for i in range(n):
            move = ws.moves[ply][i]
            advance(ws, ply, move)
            mark(ws, ply + 1)
            if closed(ws, ply + 1, 0)[0] < 0:
                ws.moves[ply][kept] = move
                kept += 1
        return kept

    return Loops(mark, closed, lawful)


@wrapping
def trail_of(game: Game, path: Sequence[Any]) -> tuple[list[int], list[int]]:
    """The marks along a path, and the hashes of those before each, as kernels make them."""
    ws = SimpleNamespace(stack=path, marks=[0] * len(path), paths=[0] * len(path))
    if game.cyclic:
        plain = Interpreted()
        mark = loops(game, plain, plain.rules(game), int).mark
        for ply in range(len(path)):
            mark(ws, ply)
    return ws.marks, ws.paths


def lawful_rules(game: Game, mode: Mode, rules: Rules, lawful: Kernel) -> Rules:
    """Rules whose moves are those that may be made on the path. Where none is left, `stuck` tells the score."""
    list_all, list_some, result, stuck = rules.generate, rules.candidates, rules.result, rules.stuck
    no_move = rules.dead_end

    @mode.inline
    def some_left(ws, ply, n):
        kept = lawful(ws, ply, n)
        if kept == 0:
            ws.fault, ws.stop, ws.node_limit = -1, 1, 0
        return kept

    @mode.inline
    def generate(ws, ply):
        return some_left(ws, ply, list_all(ws, ply))

    @mode.inline
    def candidates(ws, ply):
        return some_left(ws, ply, list_some(ws, ply))

    @mode.inline
    def dead_end(ws, ply):
        no_move(ws, ply)
        ws.listed[ply] = lawful(ws, ply, ws.listed[ply])
        return ws.listed[ply] == 0 and ws.fault == 0

    @mode.inline
    def over(ws, ply):
        score = result(ws.stack[ply])
        if score == ONGOING and dead_end(ws, ply):
            score = stuck(ws.stack[ply])
        return score

    ends = {"listed": generate} if game.stuck is None else {"dead_end": dead_end, "over": over}
    return Rules(**{**vars(rules), "generate": generate, "candidates": candidates, **ends})


def path_hash(mode: Mode) -> Kernel:
    """`(ws, ply)` -> what sets a position's entries for this path apart from those for others, and from its facts."""
    mode.needs(paths=(u64, PLIES))
    word = mode.word
    odd, half, all_bits = word(0xA24BAED4963EE407), word(32), word(2**64 - 1)

    @mode.inline
    def hash_of_path(ws, ply):
        return ((ws.paths[ply] ^ (ws.paths[ply] >> half)) * odd + odd) & all_bits

    return hash_of_path
