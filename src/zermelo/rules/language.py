"""What rules are written with: the mark that they carry, and the numbers that mean something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

ONGOING = -(2**31)
"""What `result` returns while the game goes on: no score can be this low."""
DRAW = 0
CHANCE = 2
"""What `turn` returns where the dice, not a player, decide."""

Rule = Callable[..., Any]
R = TypeVar("R", bound=Rule)


def rule(function: R) -> R:
    """Mark a function as part of a game's rules: it may call other rules, and it can be compiled."""
    function.is_rule = True  # type: ignore[attr-defined]
    return function
