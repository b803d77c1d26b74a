"""One pass: the values of a position for us and for every model at once, from the same leaves.

A *level* is somebody who thinks: we ourselves, an opponent, we as the opponent believes us to be, and so on. Each has
an evaluation, and each but the last of a chain has a model of the other side below it. At a node the one who moves
takes, in the eyes of a level that is its own, the move with that level's best value; in the eyes of a level of the
other side, the move that the model below would take; and where there is no model below, the best by the level's own
values, which is minimax. All values are in our view: we maximise and the opponent minimises.

With one opponent without a model of us this is OM search in one pass (Iida, Uiterwijk, van den Herik and Herschberg
1993, "Potential applications of opponent-model search"); with a chain it is M* (Carmel and Markovitch 1996,
"Incorporating opponent models into adversary search"); with several opponents, whose moves are weighted by how likely
each of them is, it is PrOM search (Donkers, Uiterwijk and van den Herik 2001, "Probabilistic opponent-model search").

**Beta pruning.** Below a node of the opponent, a node of ours is left as soon as no opponent would go there: to each,
what we could reach there by its own evaluation is more than what it has found elsewhere. With one opponent the limit
holds further down as well, for a position that it avoids does not matter however deep it lies; with several it does
not, because one of them may go where another would not, and what the first sees there must then be right (Donkers 2003,
"Nosce hostem", chapters 3 and 5). Moves that are equal to an opponent matter unless it takes the first.

**Pruning for M-star.** What an opponent that has a model of us will get at a node of ours is not the best that its own
evaluation sees there, but what our move brings it, the one that its model makes. If the two evaluations differ by at
most `apart` at every leaf, so do their values at every node, and what the model has found bounds what the opponent will
get: that is the bounded sum of alpha-beta* (Carmel and Markovitch 1996, "Incorporating opponent models into adversary
search"). Only the opponent's node right above sets a limit then: further up, values of the model are compared that a
cut would leave unknown. Leaves at which the evaluations lie further apart are noticed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zermelo.chance.outcomes import outcomes
from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import PLIES
from zermelo.core.method import Parts
from zermelo.opponent.models import Model
from zermelo.rules import CHANCE, f64, i64

FAR = 1e300


class Levels:
    """Who thinks, numbered: 0 is us, then the chain of each model. `slots`: what is kept at a node: one for each model
    of ours (our own value, by that model's move), and one for every other level."""

    def __init__(self, models: Sequence[Model]) -> None:
        self.chains = [model.chain for model in models]
        self.types = len(models)
        self.evaluations = [one.evaluation for chain in self.chains for one in chain]
        count, level = self.types + len(self.evaluations), 1
        self.count = 1 + len(self.evaluations)
        self.level, self.by_us, self.by_them = (np.zeros(count, np.int64) for _ in range(3))
        self.theirs = np.zeros(self.count, np.int64)  # 1 if a level is the opponent's
        for number, chain in enumerate(self.chains):
            self.by_them[number] = level
            for place in range(len(chain)):
                slot = self.types + level - 1
                below = level + 1 if place + 1 < len(chain) else level
                own = place % 2 == 0  # whether the level is the opponent's
                self.level[slot], self.theirs[level] = level, own
                self.by_us[slot], self.by_them[slot] = (below, level) if own else (level, below)
                level += 1


def one_pass(
    mode: Mode, parts: Parts, levels: Levels, evaluators: Sequence[Kernel], *, ties: str, prunes: bool, apart: float
) -> Kernel:
    """`value(ws, ply, depth)` -> our value of the position at ply, for the player `ws.us`."""
    visit, advance, mover = parts.nodes.visit, parts.nodes.advance, parts.nodes.mover
    generate, has_chance = parts.nodes.rules.generate, parts.game.has_chance
    estimate = _estimating(mode, evaluators)
    types, count, slots = levels.types, levels.count, len(levels.level)
    level_of, by_us, by_them, theirs = levels.level, levels.by_us, levels.by_them, levels.theirs
    recursive = max(map(len, levels.chains)) > 1
    first, average, alone = ties == "first", ties == "average", levels.types == 1 and not recursive
    mode.needs(
        us=i64,
        shares=(f64, types),  # how likely each opponent is
        worth=(f64, PLIES, count),  # the values of the positions of the path
        keys_of_slots=(f64, PLIES, slots),  # the value by which a move was chosen,
        held=(f64, PLIES, slots),  # what it is worth to the level of the slot,
        tied=(i64, PLIES, slots),  # and how many there are of the kind
        limits=(f64, PLIES, types),  # from here on an opponent avoids a position
    )
    mode.counts(furthest=f64)  # how far an opponent's evaluation and that of its model were apart

    @mode.inline
    def forget(ws, ply):
        for slot in range(slots):
            ws.tied[ply][slot] = 0

    @mode.inline
    def take_in(ws, ply, ours):
        """What the position at ply + 1 changes for the one at ply."""
        for slot in range(slots):
            chooser, level = by_us[slot] if ours else by_them[slot], level_of[slot]
            key, value = ws.worth[ply + 1][chooser], ws.worth[ply + 1][level]
            best = ws.keys_of_slots[ply][slot]
            if ws.tied[ply][slot] == 0 or (key > best if ours else key < best):
                ws.keys_of_slots[ply][slot], ws.held[ply][slot], ws.tied[ply][slot] = key, value, 1
            elif key == best and not first:
                if average:
                    ws.held[ply][slot] += value
                    ws.tied[ply][slot] += 1
                elif theirs[level] == 1:
                    ws.held[ply][slot] = max(ws.held[ply][slot], value)
                else:
                    ws.held[ply][slot] = min(ws.held[ply][slot], value)

    @mode.inline
    def conclude(ws, ply, ours):
        for slot in range(types, slots):
            ws.worth[ply][level_of[slot]] = ws.held[ply][slot] / ws.tied[ply][slot]
        value = 0.0
        if ours:
            value = ws.held[ply][0] / ws.tied[ply][0]
        else:
            for t in range(types):
                value += ws.shares[t] * (ws.held[ply][t] / ws.tied[ply][t])
        ws.worth[ply][0] = value

    @mode.inline
    def limit(ws, ply, ours, dice):
        """From where on opponents avoid the position at ply + 1."""
        for t in range(types):
            reached = FAR
            if not dice and (ours or alone):
                reached = ws.limits[ply][t]
            if not dice and not ours and ws.tied[ply][t] > 0:
                reached = min(reached, ws.keys_of_slots[ply][t])
            ws.limits[ply + 1][t] = reached

    @mode.inline
    def avoided(ws, ply):
        """Whether no opponent would go to the position at ply, a node of ours."""
        for t in range(types):
            slot, bar = types + by_them[t] - 1, ws.limits[ply][t]
            value = ws.keys_of_slots[ply][slot]
            if by_us[slot] != by_them[slot]:
                value -= apart
            if value < bar or (value == bar and not first):
                return False
        return True

    @mode.inline
    def measure(ws, ply):
        """How far opponents and their models of us lie apart at a leaf."""
        for t in range(types):
            slot = types + by_them[t] - 1
            ws.furthest = max(ws.furthest, abs(ws.worth[ply][by_us[slot]] - ws.worth[ply][by_them[slot]]))

    @mode.kernel
    def look(ws, ply, depth):
        """The values of the position at ply for all levels, into ws.worth[ply]."""
        before = ws.horizon
        done, value, _ = visit(ws, ply, depth)
        who = mover(ws, ply)
        if done:
            sign = 1.0 if ws.us == 0 else -1.0
            if ws.horizon > before:
                estimate(ws, ply, sign)
                if prunes and recursive:
                    measure(ws, ply)
            else:
                for level in range(count):
                    ws.worth[ply][level] = sign * (-value if who == 1 else value)
            return
        if has_chance and who == CHANCE:
            chances(ws, ply, depth)
            return
        ours = who == ws.us
        forget(ws, ply)
        for i in range(generate(ws, ply)):
            if prunes:
                limit(ws, ply, ours, False)
            advance(ws, ply, ws.moves[ply][i])
            look(ws, ply + 1, depth - 1)
            if ws.stop != 0:
                return
            take_in(ws, ply, ours)
            if prunes and ours and avoided(ws, ply):
                break
        if ws.stop == 0:
            conclude(ws, ply, ours)

    if has_chance:
        toss, share, _ = outcomes(mode, parts)

        @mode.kernel
        def chances(ws, ply, depth):
            n, whole = toss(ws, ply, depth, -FAR, FAR, -1)
            for level in range(count):
                ws.worth[ply][level] = 0.0
            for i in range(n):
                if prunes:
                    limit(ws, ply, False, True)
                advance(ws, ply, ws.moves[ply][i])
                look(ws, ply + 1, depth)
                if ws.stop != 0:
                    return
                for level in range(count):
                    ws.worth[ply][level] += share(ws, ply, i) * ws.worth[ply + 1][level]
            for level in range(count):
                ws.worth[ply][level] /= whole

    else:

        @mode.inline
        def chances(ws, ply, depth):
            return

    @mode.kernel
    def value(ws, ply, depth):
        for t in range(types):
            ws.limits[ply][t] = FAR
        look(ws, ply, depth)
        return ws.worth[ply][0]

    return value


def _estimating(mode: Mode, evaluators: Sequence[Kernel]) -> Kernel:
    """`(ws, ply, sign)`: what every evaluation says of the position at ply, into ws.worth[ply]. One function calls the
    next, for compiled code cannot choose functions by number."""

    @mode.inline
    def nothing(ws, ply, sign):
        return

    def calling(number: int, evaluate: Kernel, rest: Kernel) -> Kernel:
        @mode.inline
        def estimate(ws, ply, sign):
            ws.worth[ply][number] = sign * float(evaluate(ws, ply))
            rest(ws, ply, sign)

        return estimate

    chain: Kernel = nothing
    for number, evaluate in reversed(list(enumerate(evaluators))):
        chain = calling(number, evaluate, chain)
    return chain
