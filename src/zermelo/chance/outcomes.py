"""The outcomes of a chance node: listed, weighed, merged and put into order, once for all searches.

Weights are integers; an outcome's probability is its weight over the sum of all. The lecture notes average values in
three number forms, which the kernels of the family share by working with a share of each outcome and the whole:

    equal      share 1,              whole c, the number of outcomes         (v1 + … + vc) / c
    integer    share w_i,            whole D, the sum of the weights         (w1 v1 + … + wc vc) / D
    general    share Pr_i = w_i / D, whole 1                                 Pr1 v1 + … + Prc vc

Equal sums need no multiplication and integer ones no division before the end; all three agree up to rounding.

Outcomes that lead to equivalent positions, by the game's symmetry hook, are merged: the first stays, with the weights
of the others added. That costs a look at every position below, so it is done only where those are searched further.
Where the game has a loop rule, this takes for granted that no move undoes what the dice have decided.

The order of outcomes comes from the table's outcome (`hash`), `killers` and `history` as for moves, and from
`informative`: bad outcomes first for whoever is ahead, good ones first for whoever is behind. The static estimate says
what is good and who is ahead, which here means above the middle of the window.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.chance.options import ChanceOptions
from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import MOVES, OUTCOMES, PLIES
from zermelo.core.method import Parts
from zermelo.core.ordering import HISTORY
from zermelo.rules import equal_weight, f64, i32, i64, u64

BAD_WEIGHT, TOO_MANY_OUTCOMES, UNEQUAL_WEIGHTS = -2, -3, -4
MERGE_DEPTH = 2
"""Fewer plies are searched faster than equivalent outcomes are found."""
_HASH, _KILLER, _INFORMATIVE = 1 << 60, 1 << 56, 1 << 40


class Outcomes(NamedTuple):
    """How a search goes through the outcomes of a chance node."""

    toss: Kernel  # (ws, ply, depth, alpha, beta, hint) -> (count, whole): list them in ws.moves[ply]
    share: Kernel  # (ws, ply, i) -> the weight of the i-th
    charged: Kernel  # (depth, count) -> the plies that are left below


def outcomes(mode: Mode, parts: Parts) -> Outcomes:
    """The kernels that list outcomes for one game in one of the number forms."""
    game, rules, options = parts.game, parts.nodes.rules, parts.options
    assert isinstance(options, ChanceOptions)
    generate, weight, advance, evaluate = rules.generate, rules.weight, parts.nodes.advance, parts.nodes.evaluate
    canonical: Any = rules.symmetry
    fair = game.weight is equal_weight
    merge = options.merge and options.knowledge and game.symmetry is not None
    form = options.form
    if form == "auto":
        form = "equal" if fair and not merge else "integer"
    equal, general = form == "equal" and not merge, form == "general"
    must_be_equal = form == "equal" and not fair
    weighed = not (equal and fair)
    sources = options.outcome_order
    use_hash, use_killers = "hash" in sources, "killers" in sources
    use_history, use_informative = "history" in sources, "informative" in sources
    ordered = bool(sources)
    room = game.max_outcomes
    crowded = game.max_outcomes != game.max_moves
    low, high = float(game.values[0]), float(game.values[1])
    mask, charge = HISTORY - 1, options.chance_charge
    mode.needs(weights=(f64, PLIES, OUTCOMES), scores=(i64, PLIES, MOVES))
    if merge:
        mode.needs(twins=(u64, PLIES, OUTCOMES))  # keys that tell which outcomes are equivalent
    if use_killers:
        mode.needs(killers=(i32, PLIES, 2))
    if use_history:
        mode.needs(history=(i32, 3, HISTORY))

    @mode.inline
    def fail(ws, fault):
        ws.fault = fault
        ws.stop, ws.node_limit = 1, 0

    @mode.inline
    def weigh(ws, ply, n):
        """The weights, checked, and their sum."""
        total = 0.0
        for i in range(n):
            w = weight(ws.stack[ply], ws.moves[ply][i])
            if w <= 0:
                fail(ws, BAD_WEIGHT)
            ws.weights[ply][i] = w
            total += w
        if must_be_equal and total != n * ws.weights[ply][0]:
            fail(ws, UNEQUAL_WEIGHTS)
        return total

    @mode.inline
    def put(ws, ply, at, source):
        ws.moves[ply][at] = ws.moves[ply][source]
        ws.weights[ply][at] = ws.weights[ply][source]

    @mode.inline
    def merged(ws, ply, n):
        """How many are left when equivalent outcomes have been made one."""
        kept = 0
        for i in range(n):
            advance(ws, ply, ws.moves[ply][i])
            mark = canonical(ws.stack[ply + 1])
            twin = -1
            for j in range(kept):
                if ws.twins[ply][j] == mark:
                    twin = j
                    break
            if twin >= 0:
                ws.weights[ply][twin] += ws.weights[ply][i]
            else:
                put(ws, ply, kept, i)
                ws.twins[ply][kept] = mark
                kept += 1
        return kept

    @mode.inline
    def promise(ws, ply, outcome, ahead):
        """What the static estimate of the position below says, larger for what is to come first."""
        advance(ws, ply, outcome)
        estimate = int((evaluate(ws, ply + 1) - low) / (high - low) * _INFORMATIVE)
        return -estimate if ahead else estimate

    @mode.inline
    def arrange(ws, ply, n, alpha, beta, hint):
        """Sort by score, equal ones as they were."""
        ahead = use_informative and 2 * evaluate(ws, ply) > alpha + beta
        for i in range(n):
            outcome, w = ws.moves[ply][i], ws.weights[ply][i]
            score = 0
            if use_hash and hint >= 0 and outcome & 0xFFFF == hint:
                score += _HASH
            if use_killers and (ws.killers[ply][0] == outcome + 1 or ws.killers[ply][1] == outcome + 1):
                score += _KILLER
            if use_informative:
                score += promise(ws, ply, outcome, ahead)
            if use_history:
                score += ws.history[2][outcome & mask]
            at = i
            while at > 0 and ws.scores[ply][at - 1] < score:
                put(ws, ply, at, at - 1)
                ws.scores[ply][at] = ws.scores[ply][at - 1]
                at -= 1
            ws.moves[ply][at], ws.weights[ply][at], ws.scores[ply][at] = outcome, w, score

    @mode.inline
    def toss(ws, ply, depth, alpha, beta, hint):
        n = generate(ws, ply)
        if crowded and n > room:
            fail(ws, TOO_MANY_OUTCOMES)
            n = 0
        total = float(n)
        if weighed or ordered:
            total = weigh(ws, ply, n)
        if ws.stop != 0:  # a fault, or the end of a limit: what is returned is of no use
            return 0, 1.0
        if merge and depth >= MERGE_DEPTH:
            n = merged(ws, ply, n)
        if ordered:
            arrange(ws, ply, n, alpha, beta, hint)
        if equal:
            return n, float(n)
        if general:
            for i in range(n):
                ws.weights[ply][i] /= total
            return n, 1.0
        return n, total

    @mode.inline
    def share(ws, ply, i):
        return 1.0 if equal else ws.weights[ply][i]

    @mode.inline
    def charged(depth, n):
        """The depth below a chance node: nothing is charged for it unless asked for."""
        if charge > 0:
            while n > 1:
                n >>= 1
                depth -= charge
        return depth

    return Outcomes(toss, share, charged)
