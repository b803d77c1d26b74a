"""What a node is, once for all searches, so that their counts can be compared.

A *node* is a visit to a position: the root, every child that is looked into, again each time it is reached,
also when the table answers at once. A *leaf* is a node whose value comes without looking further: the game
is over, be it for want of a move, the game's bounds decide it, the position closes a loop, or the search may go no
deeper. Leaves of the last kind are estimates and are counted as *horizon* too: a search that met none is exact.

Values inside a search are those of the player to move (negamax); `visit` translates. At a chance position nobody
is to move: its value is the first player's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.modes import Kernel, Mode, Rules
from zermelo.compile.workspace import PLIES, plies_of
from zermelo.core.evaluation import evaluator
from zermelo.core.loops import lawful_rules, loops
from zermelo.rules import ONGOING, Game, i64

TWO_WORD_LIMIT = 1 << 23
"""Whole numbers below this fit into the small entries of the table; larger ones are searched as floats."""


class Nodes(NamedTuple):
    """The game as a search sees it."""

    rules: Rules
    advance: Kernel  # (ws, ply, move): make the position at ply + 1
    note: Kernel  # (ws, ply): the position at ply was put there by hand; note what advance would have noted
    visit: Kernel  # (ws, ply, depth) -> (done, lower, upper): bounds for the mover; equal and final when done
    glimpse: Kernel  # the same without looking whether there is a move, where that takes listing them
    opposes: Kernel  # (ws, ply) -> whether the mover at ply + 1 is the opponent of the mover at ply
    mover: Kernel  # (ws, ply) -> 0 or 1
    evaluate: Kernel  # (ws, ply) -> an estimate of the first player's score
    appraise: Kernel  # (ws, ply) -> the same as a value for the mover
    repeats: Kernel  # (ws, ply) -> whether the position at ply closes a loop
    lawful: Kernel  # (ws, ply, n) -> how many of the n moves listed at ply may be made on this path; they come first
    above: Kernel  # (value) -> the next larger value, so that (v, above(v)) is an empty window
    below: Kernel  # (value) -> the next smaller value
    count: Kernel  # (ws, ply) -> how many moves the position at ply has, which was just visited
    listing: Kernel  # (ws, ply) -> the same for any position: its moves are listed, unless they are since its visit
    number: type  # int or float: what values are
    worst: Any  # below every value


def number_of(game: Game, estimates: bool) -> type:
    """Whole numbers where every value met is one: they make smaller tables and real zero windows."""
    low, high = game.values
    whole_estimate = game.evaluate is None and (low + high) % 2 == 0
    small = max(abs(low), abs(high)) < TWO_WORD_LIMIT
    whole = game.integral and not game.has_chance
    return int if whole and small and (whole_estimate or not estimates) else float


def nodes(game: Game, mode: Mode, number: type, knowledge: bool, evaluate: Kernel | None = None) -> Nodes:
    """Bind a game. `knowledge`: let the game's `values` and `bounds` narrow windows and decide positions before they
    end; without it a search is the textbook's, node for node. `evaluate`: where estimates come from, if not from the
    game's own hook (see `evaluation`)."""
    rules = mode.rules(game)
    cyclic, alternating = game.cyclic, bool(game.alternating)
    trail: Any = loops(game, mode, rules, number) if cyclic else (None, None, None)
    mark, closed, take_out = trail
    ends_loops = cyclic and not game.forbids
    if game.forbids:
        rules = lawful_rules(game, mode, rules, take_out)
    result, turn, horizon, bounds = rules.result, rules.turn, rules.horizon, rules.bounds
    generate, dead_end, stuck, sticks = rules.generate, rules.dead_end, rules.stuck, game.stuck is not None
    estimate = evaluate or evaluator(mode, rules.evaluate)
    use_bounds = knowledge and game.bounds is not None
    use_horizon = game.horizon is not None
    unbounded, last_ply = game.has_chance, plies_of(game) - 2  # the dice cost no depth, but they take room
    low, high = number(game.values[0]), number(game.values[1])
    zero = number(0)
    signed = mode.signed if number is int else float
    worst = number(-max(abs(game.values[0]), abs(game.values[1])) - 1)
    least_possible, most_possible = (low, high) if knowledge else (worst, -worst)
    lopsided = use_bounds or least_possible != -most_possible  # whether bounds depend on whose they are
    make = rules.advance
    mode.needs(
        first=i64,  # 0 if the first player is to move at even plies of the stack, where players alternate
        sides=(i64, PLIES),  # whose turn it is, where players do not simply alternate
    )

    @mode.inline
    def advance(ws, ply, move):
        make(ws, ply, move)
        if cyclic:
            mark(ws, ply + 1)
        if not alternating:
            ws.sides[ply + 1] = turn(ws.stack[ply + 1])
        if sticks:
            ws.listed[ply + 1] = -1

    @mode.inline
    def note(ws, ply):
        side = turn(ws.stack[ply])
        ws.first = (side + ply) & 1
        ws.sides[ply] = side
        if sticks:
            ws.listed[ply] = -1
        if cyclic:
            mark(ws, ply)

    @mode.inline
    def mover(ws, ply):
        return (ws.first + ply) & 1 if alternating else ws.sides[ply]

    @mode.inline
    def for_mover(ws, ply, score):
        value = signed(score)  # rules may count in bytes, which have no negative
        return -value if mover(ws, ply) == 1 else value

    @mode.inline
    def appraise(ws, ply):
        return for_mover(ws, ply, estimate(ws, ply))

    def visiting(lists: bool) -> Kernel:
        @mode.inline
        def visit(ws, ply, depth):
            ws.nodes += 1
            if ws.nodes > ws.node_limit:  # also how a search is stopped from outside
                ws.stop = 1
                return True, zero, zero
            s = ws.stack[ply]
            score = result(s)
            if score != ONGOING:
                ws.leaves += 1
                value = for_mover(ws, ply, score)
                return True, value, value
            if cyclic:
                ws.reach[ply + 1] = ply
                if ends_loops and ply > 0:
                    earliest, worth = closed(ws, ply, mover(ws, ply - 1))
                    if worth != ONGOING:
                        ws.leaves += 1
                        ws.reach[ply] = min(ws.reach[ply], earliest)
                        value = for_mover(ws, ply, worth)
                        return True, value, value
            lower, upper = least_possible, most_possible
            if use_bounds:
                least, most = bounds(s)
                lower, upper = signed(least), signed(most)
                if lower == upper:
                    ws.leaves += 1
                    value = for_mover(ws, ply, lower)
                    return True, value, value
            if lists and dead_end(ws, ply):
                ws.leaves += 1
                value = for_mover(ws, ply, stuck(s))
                return True, value, value
            if depth <= 0 or (unbounded and ply >= last_ply) or (use_horizon and horizon(s)):
                ws.leaves += 1
                ws.horizon += 1
                value = appraise(ws, ply)
                return True, value, value
            if lopsided and mover(ws, ply) == 1:
                return False, -upper, -lower
            return False, lower, upper

        return visit

    visit, glimpse = visiting(lists=sticks), visiting(lists=False)

    @mode.inline
    def listing(ws, ply):
        if sticks and ws.listed[ply] >= 0:
            return ws.listed[ply]
        return generate(ws, ply)

    @mode.inline
    def repeats(ws, ply):
        return cyclic and closed(ws, ply, 0)[0] >= 0

    @mode.inline
    def lawful(ws, ply, n):
        return take_out(ws, ply, n) if cyclic else n

    @mode.inline
    def opposes(ws, ply):
        return alternating or (ws.sides[ply] == 1) != (ws.sides[ply + 1] == 1)

    if number is int:

        @mode.inline
        def above(value):
            return value + 1

        @mode.inline
        def below(value):
            return value - 1

    else:

        @mode.inline
        def above(value):
            return np.nextafter(value, np.inf)

        @mode.inline
        def below(value):
            return np.nextafter(value, -np.inf)

    return Nodes(
        rules, advance, note, visit, glimpse, opposes, mover, estimate, appraise, repeats, lawful, above, below,
        rules.listed, listing, number, worst,
    )  # fmt: skip
