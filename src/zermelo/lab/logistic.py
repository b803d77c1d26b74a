"""The chance that a move cuts off, learned from moves of which it is known whether they did."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ROUNDS = 50


def fit(excess: Sequence[float], cuts: Sequence[bool]) -> tuple[float, float]:
    """(middle, spread) of the curve 1/(1 + exp((middle − x)/spread)) of greatest likelihood, by Newton's method.
    `excess`: how far estimates lie above beta. (0, 0), a hard threshold, where no curve that rises fits."""
    xs, ys = np.array(excess, float), np.array(cuts, float)
    if len(set(cuts)) < 2:
        return 0.0, 0.0
    scale = float(np.abs(xs).max()) or 1.0
    columns = np.stack([xs / scale, np.ones_like(xs)])
    weights = np.zeros(2)
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(weights @ columns, -30, 30)))
        slope = columns @ (ys - chance)
        curve = (columns * (chance * (1 - chance))) @ columns.T + 1e-6 * np.eye(2)
        weights = weights + np.linalg.solve(curve, slope)
    if not weights[0] > 1e-6:
        return 0.0, 0.0
    return float(-weights[1] / weights[0] * scale), float(scale / weights[0])
