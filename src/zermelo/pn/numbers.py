"""Proof numbers: how hard a claim looks to prove, and how hard to disprove.

The claim is that the first player scores at least `target`. A position's proof number is the least number of open
leaves that would have to turn out well for the claim to hold there, its disproof number the least number that would
have to turn out badly for it to fail (Allis, van der Meulen and van den Herik 1994). Both are counts in the first
player's view; (0, DECIDED) is a claim that holds, (DECIDED, 0) one that fails.
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts
from zermelo.pn.options import ProofOptions
from zermelo.rules import Unsuitable

DECIDED = 1 << 60
"""The number of what cannot be reached any more."""
STEPS = 16
"""How many times harder the unlikely side of a claim can look by the game's evaluation."""


def expectation(mode: Mode, parts: Parts) -> Kernel:
    """`(ws, ply, target)` -> the proof and disproof number of a position that has not been looked into."""
    options, game = parts.options, parts.game
    assert isinstance(options, ProofOptions)
    mover, rules = parts.nodes.mover, parts.nodes.rules
    count, effort, evaluate = parts.nodes.count, rules.effort, parts.nodes.evaluate
    low, high = game.values
    for hook in ("effort", "estimate"):
        if options.leaves == hook and getattr(game, "evaluate" if hook == "estimate" else hook) is None:
            raise Unsuitable(f"{game.name} has no hook for the leaf cost {hook}: use one or mobility")

    if options.leaves == "mobility":

        @mode.inline
        def expected(ws, ply, target):
            n = count(ws, ply)
            return (1, n) if mover(ws, ply) == 0 else (n, 1)

    elif options.leaves == "effort":

        @mode.inline
        def expected(ws, ply, target):
            cost = max(int(effort(ws.stack[ply])), 1)
            return cost, cost

    elif options.leaves == "estimate":

        @mode.inline
        def expected(ws, ply, target):
            lead = (evaluate(ws, ply) - target) / (high - low)
            tilt = int(min(max(lead, -1.0), 1.0) * STEPS)
            return 1 + max(-tilt, 0), 1 + max(tilt, 0)

    else:

        @mode.inline
        def expected(ws, ply, target):
            return 1, 1

    return expected
