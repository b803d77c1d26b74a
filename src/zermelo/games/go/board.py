"""What a board of Go brings to the game: states, the rules of placing stones and taking them, and what it looks like.

There are two, for boards of up to 64 points (`small`) and for larger ones (`large`). Points are numbered row by row
from the top left; the number behind the last one is a pass. The other files see a board through its rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.rules import Struct
from zermelo.rules.language import Rule

EMPTY, BLACK, WHITE = 0, 1, 2
"""What may be on a point."""
NOWHERE = -1
"""No point."""


class Setup(NamedTuple):
    """A position in full, as its text tells it. Points are numbered; `ko` and `target` are NOWHERE where there is none.
    `prisoners`: White's stones that were taken, less Black's. `region`: where the fight is, for sub-games."""

    stones: list[int]
    turn: int = 0
    ko: int = NOWHERE
    passes: int = 0
    prisoners: int = 0
    target: int = NOWHERE
    region: frozenset[int] = frozenset()


class Board(NamedTuple):
    """A board: its states, and rules about them."""

    State: type[Struct]
    moves: Rule  # (s, out) -> how many: the points where a stone may be placed, ko heeded, and the pass
    legal: Rule  # (s, point) -> whether a stone may be placed there
    play: Rule  # (s, move)
    margin: Rule  # (s) -> Black's points less White's, after two passes, without komi
    owner: Rule  # (s, point) -> EMPTY, BLACK or WHITE
    liberty: Rule  # (s, point, other, another) -> a liberty of the chain at a point, neither of these two; or NOWHERE
    board_key: Rule  # (s) -> a hash of the stones alone
    key: Rule  # (s) -> a hash of everything
    make: Any  # (Setup) -> the state
    told: Any  # (s) -> the Setup


def neighbours(rows: int, cols: int, steps: tuple[tuple[int, int], ...]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """For each point where each step leads, NOWHERE if off the board; one row after the other."""
    found = []
    for row in range(rows):
        for col in range(cols):
            for down, right in steps:
                inside = 0 <= row + down < rows and 0 <= col + right < cols
                found.append((row + down) * cols + col + right if inside else NOWHERE)
    return np.array(found, np.int64)


STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))
DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))
