"""What the searches of the Star family share: everything but the chance node.

A decision node is alpha-beta's, fail-soft or, with the option `hard`, fail-hard. A chance node is what each method
brings: a kernel `expect(ws, ply, depth, alpha, beta, hint)` that is built from the kernels of this file. Depth counts
decisions: a chance node costs none (unless a charge is asked for), and where no depth is left both kinds of nodes are
estimated. Values are those of the player to move, and of the first player at chance nodes.

Ballard 1983, "The *-minimax search procedure for trees containing chance nodes"; Hsu, "Theory of Computer Games:
Selected advanced topics", algorithms F3.0' to G3.2'.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from zermelo.chance.depth_rules import depth_rules
from zermelo.chance.options import ChanceOptions
from zermelo.chance.outcomes import MERGE_DEPTH, Outcomes, outcomes
from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import MOVES, PLIES
from zermelo.core.entering import entering
from zermelo.core.method import Parts
from zermelo.rules import CHANCE, i64, u64


class Family(NamedTuple):
    """The kernels that a chance node is made from."""

    child: Kernel  # (ws, ply, depth, alpha, beta) -> the value at ply + 1, in the view of ply
    resume: Kernel  # (ws, ply, i, depth, alpha, beta, known, estimated): the same, some moves being known already
    make: Kernel  # (ws, ply, move, depth): the position at ply + 1, which will be searched to depth
    cut_high: Kernel  # (ws, ply, depth, alpha, beta, bound, outcome) -> bound: end a chance node above beta,
    cut_low: Kernel  # or below alpha, by what is known of an outcome
    was_probed: Kernel  # (ws, ply, i, seen, move) -> whether it is among the moves probed below the i-th outcome
    forbids: Kernel
    outcomes: Outcomes
    low: float
    high: float


ChanceNode = Callable[[Mode, Parts, Family], Kernel]


def family(
    mode: Mode, parts: Parts, chance_node: ChanceNode, *, scout: bool = False, probes: bool = False
) -> Kernel:
    """The search whose chance nodes are these. `scout`: moves after the first are tested before they are searched.
    `probes`: moves below outcomes are probed (see `probing`)."""
    nodes, options, game = parts.nodes, parts.options, parts.game
    assert isinstance(options, ChanceOptions)
    opposes, above, evaluate = nodes.opposes, nodes.above, nodes.evaluate
    enter = entering(mode, parts)
    recall, remember, descend = parts.table[:3]
    arrange, pick, praise = parts.ordering[:3]
    step, forbids = depth_rules(mode, parts)
    hard, ruled, chance_last = options.hard, options.forbids, options.chance_last
    merge, cyclic = options.merge and options.knowledge and game.symmetry is not None, game.cyclic
    canonical: Any = nodes.rules.symmetry
    worst = nodes.worst
    low, high = float(game.values[0]), float(game.values[1])
    mode.needs(estimated=(i64, PLIES))
    if merge:
        mode.needs(classes=(u64, PLIES, MOVES))  # keys that tell which moves are equivalent

    @mode.inline
    def make(ws, ply, move, depth):
        descend(ws, ply, move, depth + 1)
        step(ws, ply)

    @mode.kernel
    def child(ws, ply, depth, alpha, beta):
        if opposes(ws, ply):
            return -search(ws, ply + 1, depth, -beta, -alpha)
        return search(ws, ply + 1, depth, alpha, beta)

    @mode.kernel
    def search(ws, ply, depth, alpha, beta):
        done, value, alpha, beta, hint = enter(ws, ply, depth, alpha, beta)
        if done:
            return value
        if ws.sides[ply] == CHANCE:
            value = expect(ws, ply, depth, alpha, beta, hint)
        else:
            value = decide(ws, ply, depth, alpha, beta, hint, worst, 0, 0)
        if hard:
            return min(max(value, alpha), beta)
        return value

    @mode.inline
    def cut_high(ws, ply, depth, alpha, beta, bound, outcome):
        value = max(bound, beta)  # rounding must not take it back into the window
        praise(ws, ply, outcome, depth)
        remember(ws, ply, depth, value, alpha, beta, outcome)
        return value

    @mode.inline
    def cut_low(ws, ply, depth, alpha, beta, bound, outcome):
        value = min(bound, alpha)
        praise(ws, ply, outcome, depth)
        remember(ws, ply, depth, value, alpha, beta, outcome)
        return value

    @mode.inline
    def was_probed(ws, ply, i, seen, move):
        found = False
        for j in range(seen):
            if ws.probed[ply][i][j] == move:
                found = True
        return found

    @mode.inline
    def has_twin(ws, ply, kept):
        """Whether the position just made is equivalent to one that an earlier move led to; if not, it is noted. A twin
        of a position on the path may still differ by a loop rule, but what the dice decide cannot be undone."""
        if cyclic and ws.sides[ply + 1] != CHANCE:
            return False, kept
        mark = canonical(ws.stack[ply + 1])
        for j in range(kept):
            if ws.classes[ply][j] == mark:
                return True, kept
        ws.classes[ply][kept] = mark
        return False, kept + 1

    @mode.kernel
    def decide(ws, ply, depth, alpha, beta, hint, best, i, seen):
        """The best of a decision node's moves. `best` is the value of those, `seen` of them, that were probed as
        moves below the i-th outcome of the chance node above."""
        n = arrange(ws, ply, hint)
        best_move, bar, late, tried, kept = -1, max(alpha, best), 0, seen, 0
        for at in range(2 * n if chance_last else n):  # in the second half, what was put off in the first
            if at < n:
                move = pick(ws, ply, at, n)
                if probes and seen > 0 and was_probed(ws, ply - 1, i, seen, move):
                    continue
                make(ws, ply, move, depth - 1)
                if ruled and forbids(ws, ply, depth):
                    continue
                if merge and depth > MERGE_DEPTH:
                    twin, kept = has_twin(ws, ply, kept)
                    if twin:
                        tried += 1
                        continue
                if chance_last and ws.sides[ply + 1] == CHANCE:
                    ws.moves[ply][late] = move  # its place was looked at already
                    late += 1
                    continue
            elif at - n < late:
                move = ws.moves[ply][at - n]
                make(ws, ply, move, depth - 1)
            else:
                break
            test = above(bar) if scout and best > worst else beta
            if opposes(ws, ply):
                value = -search(ws, ply + 1, depth - 1, -test, -bar)
                if scout and test <= value < beta and ws.stop == 0:
                    value = -search(ws, ply + 1, depth - 1, -beta, -bar)
            else:
                value = search(ws, ply + 1, depth - 1, bar, test)
                if scout and test <= value < beta and ws.stop == 0:
                    value = search(ws, ply + 1, depth - 1, bar, beta)
            if ws.stop != 0:
                return best
            tried += 1
            if value > best:
                best, best_move = value, move
                if value >= beta:
                    praise(ws, ply, move, depth)
                    break
                bar = max(bar, value)
        if ruled and (best < beta and tried < n):
            ws.horizon += 1  # moves were left out
            if tried == 0:
                estimate = float(evaluate(ws, ply))
                best = -estimate if ws.sides[ply] == 1 else estimate
        remember(ws, ply, depth, best, alpha, beta, best_move)
        return best

    @mode.kernel
    def resume(ws, ply, i, depth, alpha, beta, known, estimated):
        """The value of the i-th outcome of the chance node at ply, of which `known` is the value of the moves that
        were probed; `estimated` is how many estimates had been met before they were."""
        hint = recall(ws, ply + 1, depth, worst, -worst, worst, -worst)[2]
        ws.estimated[ply + 1] = estimated
        if ws.sides[ply + 1] == 1:
            value = -decide(ws, ply + 1, depth, -beta, -alpha, hint, -known, i, ws.seen[ply][i])
        else:
            value = decide(ws, ply + 1, depth, alpha, beta, hint, known, i, ws.seen[ply][i])
        if hard:
            return min(max(value, alpha), beta)
        return value

    shared = Family(child, resume, make, cut_high, cut_low, was_probed, forbids, outcomes(mode, parts), low, high)
    expect = chance_node(mode, parts, shared)
    return search
