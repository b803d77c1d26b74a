"""Small proofs, quickly: greedy by tree sizes with sharing, then bettered choice by choice.

A part of a system of requirements goes in; a closed set of items comes out that is cheap, not necessarily cheapest.

First every choice takes what costs least as a tree, or what is part of the set already. Tree costs count what is shared
too often, so that several dampings are tried (what an item demands counts only in part), and the best result is
kept; in later rounds what is part of the set weighs next to nothing.

Then choices are changed one by one: the old item and all that only it called for is taken out, the new one and all that
it calls for is put in. Items are counted by how many others call for them, so that a change costs no more than
what it changes. A change for the worse is kept too, less and less often (simulated annealing, Kirkpatrick, Gelatt and
Vecchi 1983).
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Collection, Sequence

from zermelo.minimum.requirements import Part

DAMPING = (1.0, 0.8, 0.6, 0.4)
ROUNDS = 300
"""How often every choice is looked at, if there is time."""
HOT, COLD = 2.0, 0.2
REFRESH = 3
LIGHT = 0.1
"""What an item weighs that is part of the set already."""


def small_proof(
    part: Part,
    seconds: float,
    known: Collection[int] = (),
    seed: int = 0,
    stopped: Callable[[], bool] = lambda: False,
) -> set[int]:
    """A closed set of items, bettered for some seconds at the most. It tends towards items that are known to be
    part of a cheap one."""
    begun = time.perf_counter()
    drafts = [_Draft(part, _weights(part, damping)) for damping in DAMPING]
    if known:
        drafts.append(_Draft(part, _weights(part, 1.0, known, 0.001)))
    best = min(drafts, key=lambda draft: draft.cost)
    best.better(begun, max(seconds, 0.001), seed, stopped)
    return best.items()


def _weights(part: Part, damping: float, inside: Collection[int] = (), light: float = LIGHT) -> list[float]:
    """What items cost as trees, each level counting a little less, and those inside a set next to nothing."""
    weights: list[float] = [0.0] * len(part)
    for item in reversed(range(len(part))):
        below = sum(weights[other] for other in part.every[item])
        if part.any[item]:
            below += min(weights[other] for other in part.any[item])
        weights[item] = (part.costs[item] + damping * below) * (light if item in inside else 1.0)
    return weights


class _Draft:
    """A closed set that can be changed. calls[i]: how many items of the set call for item i, which is in it if there
    are any. picks[i]: what the choice of item i takes, or took when it was last in the set."""

    def __init__(self, part: Part, weights: Sequence[float]) -> None:
        self.part, self.weights = part, weights
        self.every, self.any, self.costs = part.every, part.any, part.costs
        self.calls, self.picks = [0] * len(part), [0] * len(part)
        self.changed: list[tuple[int, int]] = []
        self.cost = sum(self._put_in(root) for root in range(part.roots))

    def items(self) -> set[int]:
        return {item for item, calls in enumerate(self.calls) if calls}

    def _elected(self, item: int) -> int:
        """The item that a choice takes: one that is there, else the lightest."""
        return min(self.any[item], key=lambda one: (self.calls[one] == 0, self.weights[one]))

    def _put_in(self, item: int, anew: bool = True) -> int:
        """One more calls for an item; returns what that adds to the cost. `anew`: choices that come in are made anew,
        and what they were is noted."""
        added, waiting = 0, [item]
        while waiting:
            item = waiting.pop()
            self.calls[item] += 1
            if self.calls[item] == 1:
                added += self.costs[item]
                waiting.extend(self.every[item])
                if self.any[item]:
                    if anew:
                        self.changed.append((item, self.picks[item]))
                        self.picks[item] = self._elected(item)
                    waiting.append(self.picks[item])
        return added

    def _take_out(self, item: int) -> int:
        """One less calls for an item; returns what that takes from the cost."""
        removed, waiting = 0, [item]
        while waiting:
            item = waiting.pop()
            self.calls[item] -= 1
            if self.calls[item] == 0:
                removed += self.costs[item]
                waiting.extend(self.every[item])
                if self.any[item]:
                    waiting.append(self.picks[item])
        return removed

    def better(self, begun: float, seconds: float, seed: int, stopped: Callable[[], bool]) -> None:
        """Change choices, at first boldly, then only where it pays; the best set is kept."""
        dice, best, saved = random.Random(seed), self.cost, self.picks.copy()
        for round_ in range(ROUNDS):
            order = [item for item, calls in enumerate(self.calls) if calls and len(self.any[item]) > 1]
            dice.shuffle(order)
            if round_ % REFRESH == REFRESH - 1:
                self.weights = _weights(self.part, DAMPING[1], self.items())
            over = not order
            for item in order:
                spent = (time.perf_counter() - begun) / seconds
                over = spent >= 1 or stopped()
                if over:
                    break
                heat = HOT * (COLD / HOT) ** max(spent, round_ / ROUNDS)
                if self.calls[item] and self._change(item, dice, heat) and self.cost < best:
                    best, saved = self.cost, self.picks.copy()
            if over:
                break
        self._restore(saved)

    def _change(self, item: int, dice: random.Random, heat: float) -> bool:
        """Try another pick, and take it back if it is too bad; whether it is kept."""
        old = self.picks[item]
        new = dice.choice([one for one in self.any[item] if one != old])
        self.changed.clear()
        gain = self._take_out(old)
        self.picks[item] = new
        loss = self._put_in(new)
        if loss <= gain or dice.random() < math.exp((gain - loss) / heat):
            self.cost += loss - gain
            return True
        self._take_out(new)
        for other, pick in reversed(self.changed):
            self.picks[other] = pick
        self.picks[item] = old
        self._put_in(old, anew=False)
        return False

    def _restore(self, picks: list[int]) -> None:
        """The set of these picks."""
        self.picks, self.calls = picks, [0] * len(self.calls)
        self.cost = sum(self._put_in(root, anew=False) for root in range(self.part.roots))
