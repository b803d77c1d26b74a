"""Positions and moves as arrays of numbers: what exact expectation works on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.positions.all_positions import AllPositions
from zermelo.positions.exploring import OVER


@dataclass(frozen=True)
class MoveGraph:
    """The moves of position n are those from `offsets[n]` up to `offsets[n + 1]`, in the order in which the rules list
    them; at chance positions they carry weights. Position 0 is the root."""

    turns: Any  # 0, 1, CHANCE or OVER
    scores: Any  # of the first player, where the game is over
    offsets: Any
    children: Any
    weights: Any

    def ended(self, numbers: Any, score: float) -> MoveGraph:
        """The graph in which play is over at these positions, with this score."""
        over = np.zeros(len(self), np.bool_)
        over[numbers] = True
        counts = np.diff(self.offsets)
        kept = np.repeat(~over, counts)
        offsets = np.concatenate([[0], np.cumsum(np.where(over, 0, counts))])
        turns, scores = np.where(over, OVER, self.turns).astype(np.int8), np.where(over, score, self.scores)
        return MoveGraph(turns, scores, offsets, self.children[kept], self.weights[kept])

    def __len__(self) -> int:
        return len(self.turns)


def move_graph(found: AllPositions) -> MoveGraph:
    """The moves of all positions, as arrays in either mode."""
    return MoveGraph(
        np.asarray(found.turns, np.int8), np.asarray(found.scores, np.float64), np.asarray(found.offsets, np.int64),
        np.asarray(found.children, np.int32), np.asarray(found.weights, np.int64),
    )  # fmt: skip
