"""Values between bounds that are certain, for graphs in which dice lie on cycles.

What each player can be sure of is a float for every position; what one is sure of bounds the value from below, what the
other is sure of bounds it from above. Tiers are valued the last ones first. In a tier of more than one position

1. the values are estimated by going through the positions again and again (Gauss and Seidel);
2. each player takes a strategy from the estimate: a move that is as good as any, and that leads nearer to a way out
   where one of the best does. A position is *ahead* if from there play gets out with a probability above 0,
   whatever the opponent does;
3. what the player is sure of is set to a little less than the estimate, and to no more than endless play is worth where
   the position is not ahead. Then it is computed anew from position to position, rounded down, until nothing falls.

Then every number is at most the least, or the average, or the chosen one, of the numbers that it leads to. Such numbers
hold: on the way they grow on average; whoever gets out gets no less; and whoever goes round for ever does it among
positions that are not ahead, whose numbers are at most what endless play is worth. Only this last step has to be right;
the first two are guesses. Rounding is allowed for at every average.

A tier that this takes too long for, since dice rarely lead out of it, is solved by strategies and linear equations (see
`strategies`): in fractions where they stay short, else in floats, as a better estimate for step 3.

McMahan, Likhachev and Gordon 2005, Haddad and Monmege 2014 for iteration between bounds; Hartmanns and Kaminski 2020
for bounds that are guessed and then shown to hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from zermelo.positions.effort import Effort, Stopped, TooMuch
from zermelo.positions.exploring import OVER
from zermelo.positions.move_graph import MoveGraph
from zermelo.positions.strategies import TierGame, leaves
from zermelo.positions.sweeps import (
    AT,
    CHOOSE,
    ENTER,
    ESTIMATE,
    HARD,
    LOST,
    MOST,
    PHASE,
    PLAYER,
    ROUNDING,
    ROUNDS,
    SHIFT,
    TIER,
    TOOK,
    buffers,
    room,
    sweep,
)  # fmt: skip
from zermelo.positions.tiers import Tiers

QUANTUM = 4_000_000
"""How many moves the kernel looks at before it returns, so that the clock can be looked at: some 0.02 seconds."""
PRECISION = 1e-13
"""An estimate is taken when no value changes by more than this share of the largest score."""
FIRST_ROUNDS = 1000
MORE_ROUNDS = (10_000, 100_000, 1_000_000)
"""How many rounds an estimate may take before other means are tried, and how many after they failed."""
LAST_STEPS = 25
"""How often the kernel may go on when it is told to stop, to bound what it has not come to."""
DELAY = 2.5
"""More than rounding can take away at a ply, in units of what it takes away of the largest score."""
UNITS, MOST_UNITS, MOST_POSITIONS = 1000, 12_000_000, 200_000
"""How many units of work with fractions, or with floats, a position is worth; how many a tier is; the largest tier
where it is tried."""


class Bounds:
    """The bounds of all positions, found tier by tier. `sure[0]` and `sure[1]` are what the players can be sure of, in
    their own views; `over`, whether they end the game with it; `exact` holds the values that are known as fractions."""

    def __init__(self, graph: MoveGraph, tiers: Tiers, endless: float, stopped: Callable[[], bool]) -> None:
        n = len(graph)
        self.graph, self.order, self.ends, self.endless, self.stopped = graph, tiers.order, tiers.ends, endless, stopped
        self.sure = np.zeros((2, n))
        self.over = np.zeros((2, n), np.bool_)
        self.exact: dict[int, Fraction] = {}
        self.guess = np.zeros(n)
        self.where = np.zeros(n, np.int32)
        moves, exits = room(self.order, self.ends, self.where, graph.offsets, graph.children)
        self.buffers = buffers(moves, tiers.largest + exits + 1, tiers.largest)
        _, _, _, self.estimate, _, self.delay, _, _ = self.buffers
        self.place = np.zeros(11, np.int64)
        self.place[MOST] = FIRST_ROUNDS
        ends_at = graph.scores[graph.turns == OVER]
        low, high = (float(f(ends_at, initial=endless)) for f in (np.min, np.max))
        self.sure[0], self.sure[1] = low, -high
        scale = max(-low, high) or 1.0
        self.marks = np.array([0.0, 0.0, endless, PRECISION * scale, ROUNDING * scale])

    def run(self) -> bool:
        """Whether all tiers were valued before somebody stopped it. If not, the bounds hold all the same."""
        try:
            while self.place[TIER] < len(self.ends):
                self._advance()
                if self.place[PHASE] == HARD:
                    self._try_harder()
        except Stopped:
            self._give_up()
            return False
        return True

    def _advance(self) -> None:
        if self.stopped():
            raise Stopped
        self._go_on()

    def _go_on(self) -> None:
        g = self.graph
        sweep(
            g.turns, g.scores, g.offsets, g.children, g.weights, self.order, self.ends, self.where,
            self.sure, self.over, self.guess, *self.buffers, self.place, self.marks, QUANTUM,
        )  # fmt: skip

    def _give_up(self) -> None:
        """Bounds for the tiers that are left, in little time: what can be had from the estimate so far, then what is
        certain without looking into a tier."""
        t, steps = self.place[TIER].item(), iter(range(LAST_STEPS))
        if self.place[PHASE] != ENTER:
            self._start_low()
            self.place[TOOK] = min(self.place[TOOK], LAST_STEPS)
            while self.place[TIER] == t and next(steps, None) is not None:
                self._go_on()
        self.place[PHASE], self.place[MOST] = ENTER, 0
        while self.place[TIER] < len(self.ends) and next(steps, None) is not None:
            self._go_on()

    def _start_low(self) -> None:
        """Let the kernel settle this tier from what is certain in any case: that holds, if not for much."""
        self._choose()
        self.marks[SHIFT] = math.inf

    def _choose(self) -> None:
        self.place[PHASE], self.place[PLAYER], self.place[ROUNDS], self.place[AT] = CHOOSE, 0, 0, 0

    def _try_harder(self) -> None:
        """A tier that iteration is too slow for."""
        t, tier = self.place[TIER].item(), self.next_tier()
        if len(tier) > MOST_POSITIONS or not (self._in_fractions(tier) or self._in_floats(tier)):
            for self.place[MOST] in MORE_ROUNDS:
                self.place[PHASE] = ESTIMATE
                self._settle()
                if self.place[TIER] > t:
                    break
            else:
                self._start_low()
                self._settle()
        self.place[MOST] = FIRST_ROUNDS

    def next_tier(self) -> list[int]:
        """The positions of the tier that is next."""
        t = int(self.place[TIER])
        tier: list[int] = self.order[self.ends[t - 1] if t else 0 : self.ends[t]].tolist()
        return tier

    def _settle(self) -> None:
        """Let the kernel go on with this tier until it is done or has failed."""
        t = self.place[TIER].item()
        while self.place[TIER] == t and self.place[PHASE] != HARD:
            self._advance()

    def _in_fractions(self, tier: list[int]) -> bool:
        """Solve the tier exactly for what is certain outside it; twice, where that is not known exactly."""
        try:
            if all(map(self.is_exact, self._exits(tier))):
                self.note(tier, self.solved(tier, self.of, self._effort(tier)))
                return True
            lower = self.solved(tier, lambda child: self._edge(child, 0), self._effort(tier))
            upper = self.solved(tier, lambda child: self._edge(child, 1), self._effort(tier))
        except TooMuch:
            return False
        for here in tier:
            self.sure[:, here] = below(lower[here]), below(-upper[here])
            self.guess[here] = (self.sure[0, here] - self.sure[1, here]) / 2
        self._next()
        return True

    def is_exact(self, number: int) -> bool:
        """Whether a value is known as a fraction."""
        return number in self.exact or bool(self.sure[0, number] == -self.sure[1, number])

    def of(self, number: int) -> Fraction:
        """The value of a position that is known as a fraction."""
        return self.exact[number] if number in self.exact else Fraction(float(self.sure[0, number]))

    def _edge(self, number: int, side: int) -> Fraction:
        return self.exact[number] if number in self.exact else Fraction(self.bounds(number)[side])

    def note(self, tier: list[int], values: dict[int, Fraction]) -> None:
        """Enter the exact values of the next tier."""
        exits = self._exits(tier)
        self.exact.update(values)
        for here, value in values.items():
            self.sure[:, here] = below(value), below(-value)
            self.guess[here] = float(value)
        for player in (0, 1):
            self.over[player, tier] = self.over[player, list(exits)].all() and leaves(
                self.graph, tier, self.of, player, Effort(math.inf, self.stopped)
            )
        self._next()

    def _next(self) -> None:
        self.place[TIER] += 1
        self.place[PHASE] = ENTER

    def _in_floats(self, tier: list[int]) -> bool:
        """Solve the tier by floats, and show that the result holds once it is lowered a little for every ply that it
        may take to get out."""
        try:
            game = TierGame(self.graph, tier, lambda child: self.guess[child], self.endless, self._effort(tier), False)
            values = game.solve()
            times = [game.delays(player) for player in (0, 1)]
        except TooMuch:
            return False
        for i, here in enumerate(tier):
            self.estimate[i] = values[here]
            self.delay[:, i] = [DELAY * self.marks[LOST] * times[player][here] for player in (0, 1)]
        t = self.place[TIER].item()
        self.place[TOOK] = 64
        self._choose()
        self._settle()
        return bool(self.place[TIER] > t)

    def solved(self, tier: list[int], outside: Callable[[int], Fraction], effort: Effort) -> dict[int, Fraction]:
        """The values of a tier in fractions, if what lies outside is worth this."""
        return TierGame(self.graph, tier, outside, Fraction(self.endless), effort).solve()

    def _effort(self, tier: list[int]) -> Effort:
        return Effort(min(UNITS * (1000 + len(tier)), MOST_UNITS), self.stopped)

    def _exits(self, tier: list[int]) -> set[int]:
        graph = self.graph
        below = (graph.children[graph.offsets[here] : graph.offsets[here + 1]].tolist() for here in tier)
        return set().union(*below) - set(tier)

    def bounds(self, number: int) -> tuple[float, float]:
        return float(self.sure[0, number]), float(-self.sure[1, number])


def below(value: Fraction) -> float:
    """The largest float that is certainly not above a fraction."""
    near = float(value)
    return math.nextafter(near, -math.inf) if Fraction(near) > value else near
