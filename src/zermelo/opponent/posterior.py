"""Who is it? A posterior over opponents, from the moves that they make.

An opponent of type t that is right about its own values makes its best move. People and programs are not that precise:
the likelihood of a move m with the value v(m) in the eyes of t is

    P(m | t, T) = exp(v(m) / T) / sum over all moves m' of exp(v(m') / T),

with a temperature T that is learned together with the type: each type has several, from almost exact to almost random,
and Bayes' rule weighs all pairs at once. What it says of a type is the sum over its temperatures. (Luce 1959,
"Individual choice behavior"; learning by Bayes' rule as Donkers 2003 proposes for PrOM search.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

SHARES = (0.0005, 0.002, 0.008, 0.03, 0.12, 0.5)
"""Temperatures, as shares of the range of scores."""

ROUNDING = 1e-9
"""Values that are closer than this are equal, as sums in another order differ in their last bits."""


class Posterior:
    """How likely each of several types is, and at which temperature; at first as `prior` says, all temperatures alike.
    `span`: the range of scores."""

    def __init__(self, prior: Sequence[float], span: float) -> None:
        self.temperatures = np.array(SHARES) * span
        shares = np.array(prior, dtype=float)
        with np.errstate(divide="ignore"):
            self._log = np.log(np.outer(shares, np.full(len(SHARES), 1 / len(SHARES))))
        self.moves = 0
        self._hits = self._tried = 0

    def see(self, move: int, worths: Sequence[Mapping[int, float]]) -> None:
        """A move was made; `worths` are what all moves were worth in the eyes of each type."""
        likeliest = worths[int(np.argmax(self.shares))]
        best = max(likeliest.values())
        equal = [one for one, value in likeliest.items() if value >= best - ROUNDING * float(self.temperatures[-1])]
        self._hits += (move in equal) and len(equal) < len(likeliest)
        self._tried += len(equal) < len(likeliest)
        for number, values in enumerate(worths):
            self._log[number] += [log_likelihood(move, values, temperature) for temperature in self.temperatures]
        self._log -= self._log.max()
        self.moves += 1

    @property
    def _weights(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        weights = np.exp(self._log)
        return weights / weights.sum()  # type: ignore[no-any-return]

    @property
    def shares(self) -> list[float]:
        """How likely each type is."""
        return [float(share) for share in self._weights.sum(axis=1)]

    @property
    def foreseen(self) -> float:
        """The share of the moves that the likeliest type would have made, where it would not have made any: one half
        before anything is known (Laplace's rule of succession)."""
        return (self._hits + 1) / (self._tried + 2)

    @property
    def temperature(self) -> float:
        """The temperature that is most likely, whoever it is."""
        return float(self.temperatures[int(self._weights.sum(axis=0).argmax())])


def log_likelihood(move: int, values: Mapping[int, float], temperature: float) -> float:
    """How likely it is, as a logarithm, that a move is made by who sees these values."""
    best = max(values.values())
    total = sum(math.exp((value - best) / temperature) for value in values.values())
    return (values[move] - best) / temperature - math.log(total)
