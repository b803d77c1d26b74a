"""What a set of nodes proves, and whether it is a proof graph (Furtak and Buro 2009, section 2).

A game graph and a set H of its nodes go in; out comes yes or no, in time linear in the graph.

A *target* proof graph shows that the first player reaches a score t: the root is in H; where the first player moves,
one of the moves stays in H; where the second player moves, all of them do; and the value proven at the root, by leaves
of H alone, is at least t. The same with the players exchanged shows that the second player keeps the first below t.

A *minimax* proof graph shows the value itself: some order of the moves at every node lets alpha-beta search H and
miss nothing that it needs. No order has to be tried. Let L(v) be the lower bound that H proves:

    L(v) = -inf if v is not in H; its score at a leaf; at a node of the first player the largest L of its children, at
    one of the second the smallest,

and U(v) the upper bound, with +inf instead. Then L(v) <= f(v) <= U(v) for the true value f, and H is a minimax proof
graph if and only if L(root) = U(root). More generally, for v in H and a window (alpha, beta), alpha-beta can be done in
H exactly if

    L(v) >= beta where f(v) >= beta;   U(v) <= alpha where f(v) <= alpha;   L(v) = U(v) otherwise.

By induction on the height, for a node of the first player (the other case is the mirror image); a leaf is clear.

- f(v) >= beta. There must be a cut, by a child w with f(w) >= beta, examined with a window whose upper end is beta:
  by induction L(w) >= beta, so L(v) >= beta. The other way round, a child with L(w) >= beta, examined first, cuts.
- f(v) <= alpha. No child raises alpha, none cuts, all must be examined, and each can be if and only if U(w) <= alpha:
  together U(v) <= alpha.
- alpha < f(v) < beta. Nothing cuts, so that all children are examined. A child w with f(w) = f(v) that comes
  before alpha is f(v) is inside its window: L(w) = U(w) = f(v). All others have U <= f(v), whether they lie inside
  their window or below it. So L(v) = U(v). The other way round, let L(v) = U(v): then a child has L(w) = f(v) and also
  U(w) <= U(v), so that it is exact. Examined first, it raises alpha to f(v), and U <= f(v) is all that the
  others need.

The order of a good examination thus is: first a child that is exact and best, then whatever is left.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from zermelo.minimum.written_game import WrittenGame
from zermelo.rules import Unsuitable

LEAST, MOST = -math.inf, math.inf


@dataclass(frozen=True)
class Goal:
    """What is to be proven: with `at_least` that the first player scores `target` or more, otherwise that it scores
    less; without a target, the value."""

    target: float | None = None
    at_least: bool = True

    @property
    def kind(self) -> str:
        return "minimax" if self.target is None else "target"

    @property
    def claimant(self) -> int:
        """The player whose strategy a target proof is."""
        return 0 if self.at_least else 1

    def allows(self, score: float) -> bool:
        """Whether a leaf satisfies the target."""
        assert self.target is not None
        return score >= self.target if self.at_least else score < self.target


def true_goal(graph: WrittenGame, target: float | None) -> Goal:
    """What is true about a target: the first player reaches it, or stays below."""
    if target is not None and math.isnan(target):
        raise Unsuitable("a target is a number")
    return Goal(target, target is None or graph.values[0] >= target)


def is_proof(graph: WrittenGame, nodes: Collection[int], goal: Goal) -> bool:
    """Whether a set of nodes is a proof graph of this goal."""
    return is_minimax_proof(graph, nodes) if goal.target is None else is_target_proof(graph, nodes, goal)


def is_target_proof(graph: WrittenGame, nodes: Collection[int], goal: Goal) -> bool:
    """Whether a set of nodes is a target proof graph, condition by condition."""
    inside = _as_set(graph, nodes)
    if 0 not in inside:
        return False
    for node in inside:
        below = graph.children[node]
        if graph.turns[node] == goal.claimant:
            if below and not any(child in inside for child in below):
                return False
        elif not all(child in inside for child in below):
            return False
    low, high = proven_bounds(graph, inside)
    return goal.allows(low) if goal.at_least else goal.allows(high)


def is_minimax_proof(graph: WrittenGame, nodes: Collection[int]) -> bool:
    """Whether a set of nodes is a minimax proof graph: what it proves from below is what it proves from above."""
    low, high = proven_bounds(graph, nodes)
    return low == high


def proven_bounds(graph: WrittenGame, nodes: Collection[int]) -> tuple[float, float]:
    """The lower and the upper bound of the root's value that the leaves in a set of nodes prove."""
    inside = _as_set(graph, nodes)
    lows: dict[int, float] = {}
    highs: dict[int, float] = {}
    for node in sorted(inside, reverse=True):
        below, best = graph.children[node], max if graph.turns[node] == 0 else min
        if below:
            lows[node] = best(lows.get(child, LEAST) for child in below)
            highs[node] = best(highs.get(child, MOST) for child in below)
        else:
            lows[node] = highs[node] = graph.scores[node]
    return lows.get(0, LEAST), highs.get(0, MOST)


def _as_set(graph: WrittenGame, nodes: Collection[int]) -> set[int]:
    inside = set(nodes)
    if inside and not (min(inside) >= 0 and max(inside) < len(graph)):
        wrong = max(inside) if min(inside) >= 0 else min(inside)
        raise Unsuitable(f"the graph's nodes are numbered from 0 to {len(graph) - 1}, so {wrong} is none")
    return inside
