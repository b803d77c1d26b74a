"""Boolean AND/OR search: does the first player reach at least `target`? Yes, no, or not known.

At the first player's nodes one move that holds the claim is enough (OR); at the second player's, every move must
hold it (AND). A depth or node limit gives UNKNOWN, and a node with an unknown move is only decided by one that
decides it alone: unknown is never taken for a loss. Kishimoto and Müller, "An update on game tree research"
(tutorial), after Nilsson 1980. The kernel is `decide(ws, ply, depth, target)`.
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import PLIES
from zermelo.core.method import Method, Parts
from zermelo.core.truth import FAILS, HOLDS, UNKNOWN
from zermelo.rules import i64

_OPEN = 2


def boolean(mode: Mode, parts: Parts) -> Kernel:
    visit, mover = parts.nodes.visit, parts.nodes.mover
    recall, remember, descend = parts.table[:3]
    arrange, pick, praise, weigh = parts.ordering[:4]
    above, below = parts.nodes.above, parts.nodes.below
    mode.needs(estimated=(i64, PLIES))

    @mode.kernel
    def settle(ws, ply, lower, upper, target):
        """What bounds for the player to move say about the claim."""
        if mover(ws, ply) != 0:
            lower, upper = -upper, -lower
        if lower >= target:
            return HOLDS
        return FAILS if upper < target else _OPEN

    @mode.kernel
    def look(ws, ply, depth, target):
        """The claim at this node as far as rules and table know it, and the table's move."""
        before = ws.horizon
        done, lower, upper = visit(ws, ply, depth)
        if ws.stop != 0 or ws.horizon != before:
            return UNKNOWN, -1
        verdict = settle(ws, ply, lower, upper, target)
        if done or verdict != _OPEN:
            return verdict, -1
        mine = target if mover(ws, ply) == 0 else above(-target)  # what the player to move tests for
        lower, upper, hint = recall(ws, ply, depth, lower, upper, below(mine), mine)
        if ws.horizon != before:  # a bound of another path was confirmed by estimates, which show nothing
            ws.horizon = before
            return _OPEN, hint
        return settle(ws, ply, lower, upper, target), hint

    @mode.kernel
    def conclude(ws, ply, depth, target, verdict, move):
        """Remember a verdict as a bound for the player to move; an unknown one is forgotten."""
        if verdict != UNKNOWN:
            met = ws.horizon
            ws.horizon = ws.estimated[ply]  # a verdict does not rest on the moves left unknown
            bound = target if verdict == HOLDS else below(target)
            lower = verdict == HOLDS
            if mover(ws, ply) != 0:
                bound, lower = -bound, not lower
            if lower:
                remember(ws, ply, depth, bound, below(bound), bound, move)
            else:
                remember(ws, ply, depth, bound, bound, above(bound), move)
            ws.horizon = met
        return verdict

    @mode.kernel
    def decide(ws, ply, depth, target):
        verdict, hint = look(ws, ply, depth, target)
        if verdict != _OPEN:
            return verdict
        n = arrange(ws, ply, hint)
        weigh(ws, ply, depth, target if mover(ws, ply) == 0 else above(-target), -1, 0, n)
        if mover(ws, ply) == 0:
            return either(ws, ply, depth, target, n)
        return every(ws, ply, depth, target, n)

    @mode.kernel
    def either(ws, ply, depth, target, n):
        verdict = FAILS
        for i in range(n):
            move = pick(ws, ply, i, n)
            descend(ws, ply, move, depth)
            found = decide(ws, ply + 1, depth - 1, target)
            if found == HOLDS:
                praise(ws, ply, move, depth)
                return conclude(ws, ply, depth, target, HOLDS, move)
            if found == UNKNOWN:
                verdict = UNKNOWN
                if ws.stop != 0:
                    break
        return conclude(ws, ply, depth, target, verdict, -1)

    @mode.kernel
    def every(ws, ply, depth, target, n):
        verdict = HOLDS
        for i in range(n):
            move = pick(ws, ply, i, n)
            descend(ws, ply, move, depth)
            found = decide(ws, ply + 1, depth - 1, target)
            if found == FAILS:
                praise(ws, ply, move, depth)
                return conclude(ws, ply, depth, target, FAILS, move)
            if found == UNKNOWN:
                verdict = UNKNOWN
                if ws.stop != 0:
                    break
        return conclude(ws, ply, depth, target, verdict, -1)

    return decide


METHOD = Method(
    name="boolean",
    summary="AND/OR search for one claim: yes, no or unknown",
    source="Nilsson 1980; Kishimoto and Müller's tutorial",
    kernel=boolean,
    answers_claims=True,
)
