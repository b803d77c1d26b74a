"""Ratings of any number of players from the games between them.

Bradley and Terry (1952): each player has a strength, and the chance to win is its share of both strengths, on Elo's
scale 1 / (1 + 10^(-d/400)). A draw counts as half a win for each. The strengths are those that make the results most
likely, found by minorise and maximise (D. Hunter, MM Algorithms for Generalized Bradley-Terry Models, 2004).

Who has won or lost everything would have an infinite rating. So every two players who met are given one drawn game on
top, in the manner of Bayeselo's prior: it weighs little beside many games, and everybody's rating is finite.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from zermelo.play.elo import Z95

Matrix = np.ndarray[Any, np.dtype[np.float64]]
SCALE = 400 / np.log(10)
"""Elo points for a factor of e between two strengths."""


class Rating(NamedTuple):
    """A player's rating, the mean of all being 0; 95 % of the time it is wrong by at most `error`."""

    player: int
    elo: float
    error: float
    points: float
    games: int


def ratings(players: int, results: Mapping[tuple[int, int], tuple[float, int]]) -> list[Rating]:
    """The ratings of players 0, 1, …, the best one first, from the points of i against j and the games between them,
    by (i, j). The error bars come from Fisher's information, in which a draw tells as much as any game."""
    points, games = np.zeros((players, players)), np.zeros((players, players))
    for (i, j), (scored, count) in results.items():
        points[i, j] += scored
        points[j, i] += count - scored
        games[i, j] += count
        games[j, i] += count
    drawn = (games > 0) * 1.0
    strengths = _strengths(points + drawn / 2, games + drawn)
    elos = SCALE * (np.log(strengths) - np.log(strengths).mean())
    errors = _errors(strengths, games + drawn)
    rows = zip(range(players), elos, errors, points.sum(axis=1), games.sum(axis=1), strict=True)
    found = [Rating(who, float(elo), float(error), float(won), int(count)) for who, elo, error, won, count in rows]
    return sorted(found, key=lambda rating: -rating.elo)


def _strengths(points: Matrix, games: Matrix) -> Matrix:
    """The most likely strengths. Each round makes the results likelier, until nothing moves."""
    strengths = np.ones(len(points))
    won, met = points.sum(axis=1), games.sum(axis=1) > 0
    for _ in range(100_000):
        against = (games / (strengths[:, None] + strengths[None, :])).sum(axis=1)
        better = np.where(met, won / np.where(met, against, 1), 1.0)
        better /= np.exp(np.log(better).mean())
        if np.abs(np.log(better / strengths)).max() < 1e-10:
            return better
        strengths = better
    return strengths


def _errors(strengths: Matrix, games: Matrix) -> Matrix:
    """Half the width of each rating's 95 % interval. Ratings are only known up to a shift, which fixing their mean
    settles: hence the pseudo-inverse of the information."""
    shares = strengths[:, None] / (strengths[:, None] + strengths[None, :])
    weights = games * shares * (1 - shares)
    information = np.diag(weights.sum(axis=1)) - weights
    variances = np.maximum(np.diag(np.linalg.pinv(information)), 0)
    return np.asarray(Z95 * SCALE * np.sqrt(variances))
