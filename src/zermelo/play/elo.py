"""What a match shows about two players: Elo difference, error bars, likelihood of superiority, and when to stop.

All of it comes from the *pentanomial*: how many pairs of games, played from one opening with the sides swapped and the
same dice, brought the first player 0, ½, 1, 1½ and 2 points. The two games of a pair lean on each other, so that their
sum varies less than two games would, and counting pairs gives narrower error bars that are still right.

The model is Elo's logistic curve (A. Elo, The Rating of Chessplayers, 1978). The stopping rule is Wald's sequential
probability ratio test (1945) in its generalised form, with the likelihoods of the most likely distributions that have
the two expected scores (M. Van den Bergh's notes for fishtest, www.cantate.be/Fishtest/support_MLE_multinomial.pdf), as
fishtest and fastchess count it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zermelo.rules import Unsuitable

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a pair of games brings, as a share of what it could."""
Z95 = 1.959963984540054
"""Ninety-five per cent of a normal distribution lie within so many standard deviations."""
RARE = 1e-3
"""Stands for the count of an outcome that was never seen: no ratio of likelihoods is then infinite."""


def elo_of(score: float) -> float:
    """The difference in rating at which this share of the points is expected; infinite for all or none of them."""
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


def score_of(elo: float) -> float:
    """The share of the points that is expected at a difference in rating."""
    return 1 / (1 + 10 ** (-elo / 400))


class Spread(NamedTuple):
    """The mean of the pair scores and the standard error of that mean."""

    mean: float
    error: float

    @classmethod
    def of(cls, pentanomial: Sequence[float]) -> Spread:
        pairs = sum(pentanomial)
        mean = sum(count * score for count, score in zip(pentanomial, PAIR_SCORES, strict=True)) / pairs
        squares = sum(count * (score - mean) ** 2 for count, score in zip(pentanomial, PAIR_SCORES, strict=True))
        return cls(mean, math.sqrt(squares) / pairs)


def interval(pentanomial: Sequence[int]) -> tuple[float, float]:
    """The Elo differences between which the true one lies with 95 %.

    The normal approximation, as fishtest has it. Where it fails, because all pairs ended alike or because it reaches
    beyond all or nothing, Wilson's interval (1927) for a share that was found with the same error, or that of so many
    pairs, each won or lost.
    """
    mean, error = Spread.of(pentanomial)
    low, high = mean - Z95 * error, mean + Z95 * error
    if error == 0 or low <= 0 or high >= 1:
        low, high = _wilson(mean, mean * (1 - mean) / error**2 if error else sum(pentanomial))
    return elo_of(low), elo_of(high)


def _wilson(mean: float, count: float) -> tuple[float, float]:
    square = Z95**2 / count
    middle = (mean + square / 2) / (1 + square)
    reach = Z95 / (1 + square) * math.sqrt(mean * (1 - mean) / count + square / 4 / count)
    return (0.0 if mean == 0 else middle - reach), (1.0 if mean == 1 else middle + reach)


def superiority(pentanomial: Sequence[int]) -> float:
    """How likely it is that the first player is the stronger one, if nothing was known before. Where all pairs ended
    alike, pairs that were won and lost are counted, as is usual for single games."""
    mean, error = Spread.of(pentanomial)
    if error > 0:
        return _normal((mean - 0.5) / error)
    decided = sum(pentanomial) - pentanomial[2]
    return _normal((2 * mean - 1) * math.sqrt(decided)) if decided else 0.5


def _normal(deviations: float) -> float:
    return (1 + math.erf(deviations / math.sqrt(2))) / 2


@dataclass(frozen=True)
class Sprt:
    """A test that ends as soon as the results speak for one of two Elo differences: `elo0`, with the risk `beta` to be
    wrong about that, or `elo1`, with the risk `alpha`."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise Unsuitable(
                f"a test tells a lower Elo difference from a higher one, such as 0 and 10, not {self.elo0:g} and "
                f"{self.elo1:g}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """At or below the lower one elo0 is accepted, at or above the upper one elo1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pentanomial: Sequence[int]) -> float:
        """The logarithm of how much likelier the results are if elo1 is true than if elo0 is."""
        counts = [count or RARE for count in pentanomial]
        if not any(pentanomial):
            return 0.0
        lower, higher = (_likeliest(counts, score_of(elo)) for elo in (self.elo0, self.elo1))
        return sum(count * math.log(one / zero) for count, zero, one in zip(counts, lower, higher, strict=True))

    def accepted(self, pentanomial: Sequence[int]) -> float | None:
        """The Elo difference that the results speak for, None if they do not yet."""
        low, high = self.bounds
        ratio = self.ratio(pentanomial)
        return self.elo0 if ratio <= low else self.elo1 if ratio >= high else None


def _likeliest(counts: Sequence[float], mean: float) -> list[float]:
    """Of all distributions over the pair scores with this mean, the one under which the counts are most likely:
    p / (1 + θ(a - mean)) for the observed share p of each score a, with the θ for which these add up to 1. The left
    side falls as θ rises, so halving finds it."""
    total = sum(counts)
    shares = [(score - mean, count / total) for score, count in zip(PAIR_SCORES, counts, strict=True)]
    low, high = -1 / shares[-1][0], -1 / shares[0][0]
    while low < (theta := (low + high) / 2) < high:
        if sum(share * off / (1 + theta * off) for off, share in shares) > 0:
            low = theta
        else:
            high = theta
    return [share / (1 + theta * off) for off, share in shares]
