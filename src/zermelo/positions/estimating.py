"""How many positions a game has where they cannot be counted: an estimate with its error, from walks that meet.

Eight walks go from ply to ply, independently, each with a random part of what it finds (see `layers`). The more
positions there are, the fewer of them are met by two walks: capture and recapture, as animals are counted (Petersen
1896; Lincoln 1930). Let a walk meet position v with probability q(v), and weigh what is met at ply k by a factor c(k),
so that F(v), the sum of c(k) times the probability to meet v at k, is about the same for all. With M1 the sum of all
F(v), which one walk shows, and M2 the sum of their squares, which two walks show,

    the number of positions  >=  M1² / M2,

with equality where all F(v) are alike (Cauchy and Schwarz; Chao 1987, "Estimating the population size for
capture-recapture data with unequal catchability"). This holds for any c: they are taken from the round of walks before.
A layer that fits into a walk is met by all of them, and counts as what it is.

How unequal the F(v) are shows in what three walks meet: R = M1 M3 / M2² is 1 where they are alike. Would their
logarithms be distributed normally, M1² / M2 would fall short by the factor R. On games whose positions were counted it
is R to a power between 0.8 and 2.1. So the estimate is M1² / M2 times R^1.5, and the interval reaches from no
correction to R^3. Its lower end is a theorem, its upper end experience: it supposes that the plies in which three walks
still meet are as uneven as the others. Where walks hardly meet, only the lower end is told. Where play can come back to
a position, walks see what lies near the start more often, so that again only the lower end is told.

How often walks meet is uncertain by chance: by leaving out one walk after the other (the jackknife, Tukey 1958), and
where few meet, as weighted Poisson counts are (Fay and Feuer 1997).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.watch import Watch
from zermelo.positions.layers import DONE, LAST_PLY, MET, STOPPED, WALKS, Walker
from zermelo.rules import Position, wrapping
from zermelo.sampling.dice import first_state

PLIES = LAST_PLY + 1
FIRST_WIDTH = 16
"""How many positions of a ply the first walks keep; each later round keeps twice as many."""
PAIRS = math.comb(WALKS, 2)
STUDENT = 2.365
"""Student's t for seven degrees of freedom and 95 %."""
USUAL, MOST = 1.5, 3.0
"""The power of R by which M1² / M2 falls short, usually and at the most."""
ENOUGH = 100
"""How often three walks must meet in a ply for that to tell how uneven it is,"""
DEEP = 4
"""and in how many plies."""
FEW, MOST_HIDDEN = 20, 0.05
"""So few meetings say nothing of a ply, and plies of that kind must not hold a larger share of the positions."""
TABLE_BYTES = 1 << 30
"""The table of a round is no larger than this."""


@dataclass(frozen=True)
class Estimate:
    """How many there are, within an interval that holds in 19 of 20 cases; `exact` where they were counted. `count` is
    None and `high` infinite where only the lower end can be told, for the reason `why`."""

    count: float | None
    low: float
    high: float
    exact: bool = False
    why: str = ""


class Round(NamedTuple):
    """What eight walks saw. met: how many positions each met at every ply. shared: of positions that more than one of
    them met, one more than the ply at which each did, 0 if it did not; and `times`, how often that was so. thinned: the
    first ply of which they did not keep everything, None if they saw the whole game. entries: how many they met."""

    met: Any
    shared: Any
    times: Any
    thinned: int | None
    entries: int


@wrapping
def estimate_positions(
    position: Position, mode: str, watch: Watch, seconds: float, seed: int | None = None, widest: int = 1 << 30
) -> Estimate:
    """An estimate from as many and as wide walks as can be made in so many seconds; the watch may end them earlier."""
    if position.result is not None:
        return Estimate(1, 1, 1, exact=True)
    rounds: list[Round] = []
    width, slots, until = FIRST_WIDTH, 1 << 16, watch.seconds + seconds
    while width <= widest and 16 * slots <= TABLE_BYTES:
        began = watch.seconds
        walker = Walker(position, mode, watch, width, first_state(seed, width), slots)
        walked = _walk(walker)
        if walked is None:
            if walker.outcome == STOPPED:
                break
            slots *= 2
            continue
        if walked.thinned is None:
            count = int(walked.met[0].sum())
            return Estimate(count, count, count, exact=True)
        rounds = [*rounds[-1:], walked]
        width, slots = 2 * width, max(slots, 1 << (4 * walked.entries).bit_length())
        if watch.seconds + 3 * (watch.seconds - began) > until:
            break
    if len(rounds) < 2:
        return Estimate(None, 1, math.inf, why="there was no time to look at enough of the game")
    return _estimate(position, rounds[1], _scale(rounds[0]))


def _walk(walker: Walker) -> Round | None:
    """One round of walks; None if it was stopped, or did not fit."""
    met, thinned, last = np.zeros((WALKS, PLIES)), [], False
    met[:, 0] = 1
    for walk in range(WALKS):
        for layer in walker.layers(walk):
            met[walk, min(layer.ply, LAST_PLY)] += layer.met
            thinned += [layer.ply] if layer.thinned else []
            last = layer.kept > 0
        if walker.outcome != DONE:
            return None
        thinned += [LAST_PLY] if last else []  # there may be more behind
    return Round(met, *_shared(walker), min(thinned, default=None), int(walker.at[MET]))


def _shared(walker: Walker) -> tuple[Any, Any]:
    """What the table holds that more than one walk has written, and how often."""
    table = walker.table
    words = table[1::2] if walker.compiled else np.array(list(table.values()), np.uint64)
    different, times = np.unique(words[words != 0], return_counts=True)
    rows = different.astype("<u8").view(np.uint8).reshape(-1, WALKS)
    several = (rows != 0).sum(1) > 1
    return rows[several], times[several].astype(float)


def _meetings(walked: Round) -> Any:
    """How often a walk met, at each ply, what another walk met at whatever ply."""
    others = ((walked.shared != 0).sum(1) - 1) * walked.times
    return _by_ply(walked.shared, others)


def _by_ply(shared: Any, times: Any) -> Any:
    """How often a position was met at each ply, if those of each row were so often."""
    rows: Any = [np.bincount(plies, times, PLIES + 1) for plies in shared.T]
    return np.sum(rows, 0)[1:]


def _scale(walked: Round) -> Any:
    """The factor c of each ply: how many positions there are for each that a walk meets, as far as meetings tell."""
    return walked.met.sum(0) * (WALKS - 1) / (_meetings(walked) + 1)


def _hidden(walked: Round) -> float:
    """The share of positions that lie in plies where walks hardly meet, at the least: there may be many more."""
    there = walked.met.sum(0) * _scale(walked)
    return float(there[_meetings(walked) < FEW].sum() / there.sum())


def _estimate(position: Position, walked: Round, scale: Any) -> Estimate:
    """What a round of walks tells, seen with the factors that an earlier one has found."""
    game, seen = position.game, _Moments(walked, scale)
    if game.cyclic or game.endless:
        why = "play can come back to a position, and walks see those near the start too often"
        return Estimate(None, seen.low, math.inf, why=why)
    plies = _uneven(walked)
    if len(plies) < DEEP or _hidden(walked) > MOST_HIDDEN:
        return Estimate(None, seen.low, math.inf, why="random walks hardly ever meet, there are so many")
    part = np.zeros(PLIES)
    part[plies] = scale[plies]
    rough = _Moments(walked, part)
    correction = STUDENT * jackknife(b + MOST * r for b, r in zip(seen.bounds, rough.unevennesses))
    high = max(math.exp(seen.bound + correction), seen.high) * math.exp(MOST * rough.unevenness)
    return Estimate(math.exp(seen.bound + USUAL * rough.unevenness), seen.low, high)


class _Moments:
    """The sums of F(v), of its squares and of its cubes, with all walks and without each of them.

    bound and unevenness: the logarithms of M1² / M2 and of R; bounds and unevennesses: the same without each walk; low
    and high: M1² / M2 within its error."""

    def __init__(self, walked: Round, scale: Any) -> None:
        self.walked, self.scale = walked, scale
        weights = np.concatenate([[0.0], scale])[walked.shared]
        self.bound, self.unevenness = self._logarithms(walked.met, weights)
        without = [self._logarithms(np.delete(walked.met, w, 0), np.delete(weights, w, 1)) for w in range(WALKS)]
        self.bounds, self.unevennesses = zip(*without)
        mean, spread = float(walked.met.mean(0) @ scale), STUDENT * jackknife(self.bounds)
        squares = (weights**2).sum(1)
        fewest, most = _poisson(
            self._sum((weights.sum(1) ** 2 - squares) / 2), self._sum((squares**2 - (weights**4).sum(1)) / 2),
            float(scale.max()) ** 2,
        )  # fmt: skip
        self.low = min(math.exp(self.bound - spread), mean**2 * PAIRS / most)
        self.high = max(math.exp(self.bound + spread), mean**2 * PAIRS / fewest) if fewest else math.inf

    def _logarithms(self, met: Any, weights: Any) -> tuple[float, float]:
        one, two, three = weights.sum(1), (weights**2).sum(1), (weights**3).sum(1)
        mean = float(met.mean(0) @ self.scale)
        pairs = self._sum((one**2 - two) / 2) / math.comb(len(met), 2)
        triples = self._sum((one**3 - 3 * one * two + 2 * three) / 6) / math.comb(len(met), 3)
        unevenness = math.log(mean * triples / pairs**2) if triples > 0 else 0.0
        return math.log(mean**2 / pairs) if pairs > 0 else math.inf, max(unevenness, 0.0)

    def _sum(self, values: Any) -> float:
        return float(values @ self.walked.times)


def _uneven(walked: Round) -> Any:
    """The plies of which something was thrown away before, and in which three walks meet often enough."""
    three = (walked.shared != 0).sum(1) > 2
    often, times = walked.shared[three], walked.times[three]
    meetings = _by_ply(often, times)
    plies = np.flatnonzero(meetings >= ENOUGH)
    assert walked.thinned is not None
    return plies[plies > walked.thinned]


def jackknife(values: Iterable[float]) -> float:
    """The standard error of a figure from what it is without each walk."""
    values = list(values)
    return math.sqrt((len(values) - 1) * float(np.var(values))) if max(values) < math.inf else math.inf


def _poisson(total: float, squared: float, largest: float) -> tuple[float, float]:
    """The 95 % limits of a sum of Poisson counts with weights: its value, that with the squares of the weights, and the
    largest weight."""
    from scipy.special import gammaincinv

    def limit(total: float, squared: float, share: float) -> float:
        return float(squared / total * gammaincinv(total**2 / squared, share))

    low = limit(total, squared, 0.025) if total > 0 else 0.0
    return low, limit(total + largest, squared + largest**2, 0.975)
