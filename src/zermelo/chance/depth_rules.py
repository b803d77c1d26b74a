"""Rules that keep chance nodes out of a search, after the implementation hints of Hsu's lecture notes (Theory of
Computer Games, "Selected advanced topics"). Unwrapping a chance node costs more than another ply does:

    max_chance = k       at most k chance nodes on any path: nobody plans for a third flip
    chance_margin = n    none where fewer than n plies are left: ending on a toss explains little
    chance_gap = n       at least n decisions between two of them: nobody flips twice in a row
    chance_last          moves to chance nodes come after all others
    chance_charge = n    n plies of depth are charged for each doubling of the number of outcomes

A move that leads to a chance node which a rule forbids is left out, and the value is then an estimate. A position whose
moves are all left out is taken at its static estimate. `outcomes` does the charging, `family` asks about the rest.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.chance.options import ChanceOptions
from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import PLIES
from zermelo.core.method import Parts
from zermelo.rules import CHANCE, Position, Unsuitable, i64

NEVER = 1 << 40


class DepthRules(NamedTuple):
    """What the search asks at every step."""

    step: Kernel  # (ws, ply): the position at ply + 1 was made; count the chance nodes on the path to it
    forbids: Kernel  # (ws, ply, depth) -> whether the move just made, with depth left before it, is left out


def depth_rules(mode: Mode, parts: Parts) -> DepthRules:
    """The kernels of the rules that are on."""
    options = parts.options
    assert isinstance(options, ChanceOptions)
    ruled, salted = options.forbids, options.path_matters and options.table
    most = NEVER if options.max_chance is None else options.max_chance
    margin, gap = options.chance_margin, options.chance_gap
    word = mode.word
    odd, all_bits = word(0xD6E8FEB86659FD93), word(2**64 - 1)
    if ruled:
        mode.needs(dice=(i64, PLIES), tossed=(i64, PLIES))  # chance positions so far, and decisions since the last one

    @mode.inline
    def step(ws, ply):
        if ruled:
            chance = ws.sides[ply + 1] == CHANCE
            ws.dice[ply + 1] = ws.dice[ply] + (1 if chance else 0)
            ws.tossed[ply + 1] = 0 if chance else min(ws.tossed[ply] + 1, NEVER)
            if salted:  # what is left out below depends on the path, so the table must know it
                path = word(ws.dice[ply + 1] * 4096 + min(ws.tossed[ply + 1], gap) + 1)
                ws.keys[ply + 1] ^= (path * odd) & all_bits

    @mode.inline
    def forbids(ws, ply, depth):
        if not ruled or ws.sides[ply + 1] != CHANCE:
            return False
        return ws.dice[ply] >= most or depth - 1 < margin or ws.tossed[ply] < gap

    return DepthRules(step, forbids)


def check_root(options: ChanceOptions, position: Position, depth: int) -> None:
    """Refuse rules that leave no move at the root."""
    if not options.forbids or position.turn == CHANCE:
        return
    tosses = sum(position.play(move).turn == CHANCE for move in position.codes)
    if tosses < len(position.codes):
        return
    if options.max_chance == 0:
        raise Unsuitable(
            f"max_chance = 0 forbids every move: all of them lead to chance in {position.text() or 'this position'!r}; "
            "allow at least 1"
        )
    if options.chance_margin >= depth:
        raise Unsuitable(
            f"chance_margin = {options.chance_margin} forbids every move at depth {depth}: all of them lead to chance; "
            "the margin must be below the depth"
        )
