"""The value of a position from those that its moves lead to, which are read in a table: the one step that all of a
table is made of, solving as well as verifying.

A position that is over counts as the rules say, one that the table keeps as the table says. One that it does not keep,
such as a position after a throw of the dice, is worth what its own moves make it; a few plies further on everything is
kept or over. All entries lie in one array, a tier behind the other.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import plies_of
from zermelo.knowledge.coding import FAR, UNKNOWN, Coding, decoder
from zermelo.knowledge.numbers import DEEPEST, HOLLOW, OUTSIDE, UNKEPT
from zermelo.rules import CHANCE, ONGOING, Game, i64

EVERY_LEVEL = FAR
"""A level above all distances: everything that the table says counts."""
WORST = -(1 << 30)
"""What no move is worth."""


def goes_down(game: Game, coding: Coding) -> bool:
    """Whether what is not known yet is found out when it is asked for: where play cannot come back, each expectation is
    computed once then, however positions are numbered."""
    return coding.by_chance and not (game.cyclic or game.endless)


class Looking(NamedTuple):
    """How a table is read: parts of kernels. Values are the first player's where nothing else is said."""

    points: Kernel  # (s) -> the score so far, which the table does not know
    ended: Kernel  # (score) -> the value of a position that is over
    kept: Kernel  # (ws, s, tier, place, turned, entries, level) -> the value of a position in the table
    before: Kernel  # (value): seen from a ply before by the player who moves there
    at_once: Kernel  # (ws, ply) -> the value for the player to move at a ply, as far as one move decides it
    worth: Kernel  # (ws, ply, entries, level) -> the value for the player to move at a ply, from all moves


def looking(game: Game, mode: Mode, coding: Coding, tiers: int) -> Looking:
    """How kernels read a table of this coding.

    Of distances only those below `level` count; what takes longer is not known yet. Where a level is given, the first
    move that wins is enough, for at lower levels none did; and where distances are paired, nothing is lost at an odd
    level, and nothing won at an even one.
    """
    mode.needs(
        offsets=(i64, tiers),  # where each tier begins,
        sizes=(i64, tiers),  # how many entries it has, 0 if it is not at hand,
        home=i64,  # which one is being worked at,
        top=i64,  # and the ply of the position that is
    )
    mode.counts(
        stays=i64,  # moves that do not leave that tier
        broken=i64,  # what is wrong with the numbering, if anything,
        culprit=i64,  # and the number where that shows
    )
    rules, decode = mode.rules(game), decoder(mode, coding)
    generate, advance, over, turn, weight = rules.generate, rules.advance, rules.over, rules.turn, rules.weight
    index, rest, bounds = rules.index, rules.rest, rules.bounds
    by_distance, by_chance, paired = coding.by_distance, coding.by_chance, coding.paired
    by_bounds = game.bounds is not None and not coding.by_distance  # they say who wins, but not how soon
    has_rest, has_chance = game.rest is not None, game.has_chance
    down, rows, unknown, unused = goes_down(game, coding), plies_of(game), UNKNOWN, coding.unused
    # Where most moves stay in the tier anyway, to ask the rules who wins with one more is quicker than to look it up.
    by_rules = paired and bool(game.cyclic) and game.wins is not None
    number_of = float if by_chance else int

    @mode.inline
    def points(s):
        if has_rest:
            _, so_far = rest(s)
            return number_of(so_far)
        return number_of(0)

    @mode.inline
    def ended(score):
        return int(score) * FAR if by_distance else number_of(score)

    @mode.inline
    def sided(s, turned):
        """What turns the value of a kept position's player to move into the first player's."""
        side = turn(s)
        if has_chance and side == CHANCE:
            return turned
        return -1 if side == 1 else 1

    @mode.inline
    def kept(ws, s, tier, place, turned, entries, level):
        if tier >= tiers or place < 0 or place >= ws.sizes[tier]:
            ws.broken = OUTSIDE
            return number_of(0)
        code = entries[ws.offsets[tier] + place]
        if code == unused or code != code:
            ws.broken = HOLLOW
        value = decode(code)
        if by_distance and FAR - abs(value) >= level:
            value = 0
        return sided(s, turned) * value + points(s)

    @mode.inline
    def before(value):
        if by_distance and value != 0:
            return value - 1 if value > 0 else value + 1
        return value

    if paired and game.wins is not None:  # nobody has lost with one move
        can_win: Kernel = rules.wins

        @mode.inline
        def at_once(ws, ply):
            return FAR - 1 if can_win(ws.stack[ply]) else 0
    else:

        @mode.inline
        def at_once(ws, ply):
            best, view = -FAR, -1 if turn(ws.stack[ply]) == 1 else 1
            for i in range(generate(ws, ply)):
                advance(ws, ply, ws.moves[ply][i])
                score = over(ws, ply + 1)
                best = max(best, 0 if score == ONGOING else view * ended(score))
                if best > 0:
                    break
            return before(best)

    @mode.kernel
    def worth(ws, ply, entries, level):
        s = ws.stack[ply]
        if by_distance and ply > ws.top:
            value = at_once(ws, ply)
            if value > 0 or level <= 1:  # whatever else there is takes longer
                return value
        n = generate(ws, ply)
        side = turn(s)
        view = -1 if side == 1 else 1
        so_far = points(s)
        best, total, parts = number_of(WORST), 0.0, 0.0
        for i in range(n):
            move = ws.moves[ply][i]
            advance(ws, ply, move)
            child = ws.stack[ply + 1]
            score = over(ws, ply + 1)
            value = number_of(0)
            if score != ONGOING:
                value = ended(score)
            elif by_rules and level == 2 and ply == ws.top:
                value = -view * at_once(ws, ply + 1)
                ws.stays += 1  # it may
            else:
                tier, place, turned = index(child)
                if tier >= 0:
                    if down and tier == ws.home and 0 <= place < ws.sizes[tier] and ply + 3 < rows:
                        at = ws.offsets[tier] + place
                        if entries[at] == unknown:
                            outer, ws.top = ws.top, ply + 1
                            value = worth(ws, ply + 1, entries, level)
                            ws.top = outer
                            entries[at] = turned * value if turn(child) == CHANCE and value != unknown else value
                    value = kept(ws, child, tier, place, turned, entries, level)
                    if tier == ws.home:
                        ws.stays += 1
                elif ply + 1 - ws.top >= DEEPEST:
                    ws.broken = UNKEPT
                    return number_of(0)
                else:
                    least, most = bounds(child)
                    if by_bounds and least == most:
                        value = ended(least)
                    else:
                        value = worth(ws, ply + 1, entries, level - 1)
                        value = value if turn(child) != 1 else -value
                        value += points(child)
            if down and abs(value) == unknown:
                return unknown
            value = before(view * (value - so_far))
            if has_chance and side == CHANCE:
                often = float(weight(s, move))
                total += often * value
                parts += often
            elif value > best:
                best = value
            if by_distance and ply == ws.top and level < EVERY_LEVEL:
                if value > 0:
                    return value
                if paired and value == 0 and level & 1 == 0:
                    return 0
        if has_chance and side == CHANCE:
            best = number_of(total / parts) if parts > 0 else number_of(0)
        return best if n > 0 else number_of(0)

    return Looking(points, ended, kept, before, at_once, worth)
