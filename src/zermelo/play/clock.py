"""Clocks: how long a player may think. A small value with a text, and the clock of one side while it runs.

    60+1           60 seconds for the whole game, and 1 more after every move
    60             60 seconds for the whole game
    0.5/move       half a second a move
    1000 nodes     1000 positions a move; who counts none need not heed it
    depth 6        6 plies ahead; likewise
    60+1, depth 6  several of them
    none           no clock
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from zermelo.compile.watch import Limits
from zermelo.rules import Unsuitable

MOVES_TO_GO = 30
"""Over so many moves what is left of the time is spread, where nobody knows better."""
INCREMENT_SHARE = 0.75
"""How much of an increment is used up at once."""
MOMENT = 0.001
"""What is left at least while the flag has not fallen: notes of seconds are rounded."""
RESERVE, RESERVE_SHARE = 0.05, 0.25
"""What is never planned for, because stopping takes time itself: so many seconds, or that share if it is less."""

_NUMBER = r"(-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)"
_PARTS = {
    "game": re.compile(rf"{_NUMBER}(?:\s*\+\s*{_NUMBER})?"),
    "move": re.compile(rf"{_NUMBER}\s*/\s*move"),
    "nodes": re.compile(r"(-?\d+)\s*nodes"),
    "depth": re.compile(r"depth\s*(-?\d+)"),
}
_EXAMPLES = "60+1 (seconds for the game and for each move), 0.5/move, 1000 nodes, depth 6 or none"


@dataclass(frozen=True)
class Clock:
    """What both players may use: seconds for the game with an increment after every move, seconds a move, nodes and
    depth a move. None is no limit."""

    seconds: float | None = None
    increment: float = 0
    per_move: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for value, what in ((self.seconds, "for the game"), (self.per_move, "a move")):
            if value is not None and not (0 < value < math.inf):
                raise Unsuitable(f"a clock gives a time above 0 {what}, not {value:g} seconds")
        if not 0 <= self.increment < math.inf:
            raise Unsuitable(f"the increment of a clock is 0 or more seconds, not {self.increment:g}")
        if self.increment and self.seconds is None:
            raise Unsuitable("an increment needs a time for the game to which it is added, such as 60+1")
        Limits(nodes=self.nodes, depth=self.depth)  # refuses what is no limit

    @classmethod
    def read(cls, text: str) -> Clock:
        """The clock that a text describes."""
        if text.strip() == "none":
            return NO_CLOCK
        told: dict[str, float | None] = {}
        for part in text.split(","):
            kind, found = next(
                ((kind, match) for kind, form in _PARTS.items() if (match := form.fullmatch(part.strip()))), ("", None)
            )
            if found is None or kind in told:
                wrong = "says the same thing twice" if found else "is no clock"
                raise Unsuitable(f"{text!r} {wrong}: write {_EXAMPLES}")
            told[kind] = float(found[1])
            if kind == "game":
                told["increment"] = float(found[2] or 0)
        nodes, depth = (None if told.get(name) is None else int(told[name] or 0) for name in ("nodes", "depth"))
        return cls(told.get("game"), told.get("increment") or 0, told.get("move"), nodes, depth)

    def __str__(self) -> str:
        parts = []
        if self.seconds is not None:
            parts.append(_number(self.seconds) + (f"+{_number(self.increment)}" if self.increment else ""))
        if self.per_move is not None:
            parts.append(f"{_number(self.per_move)}/move")
        if self.nodes is not None:
            parts.append(f"{self.nodes} nodes")
        if self.depth is not None:
            parts.append(f"depth {self.depth}")
        return ", ".join(parts) or "none"

    @property
    def timed(self) -> bool:
        """Whether a flag can fall."""
        return self.seconds is not None or self.per_move is not None


NO_CLOCK = Clock()


class Timer:
    """The clock of one side while it runs."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.left = clock.seconds
        self.fallen = False

    @property
    def allowed(self) -> float | None:
        """The seconds after which the flag falls, if the next move is not made before; None if it never does."""
        return min((s for s in (self.left, self.clock.per_move) if s is not None), default=None)

    def limits(self, moves: int = MOVES_TO_GO) -> Limits:
        """What to use for the next move: a share of what is left, as if so many moves were still to be made, and never
        all of it."""
        clock, allowed = self.clock, self.allowed
        seconds = None
        if allowed is not None:
            seconds = allowed - min(RESERVE, RESERVE_SHARE * allowed)
            if self.left is not None:
                seconds = min(seconds, self.left / max(moves, 1) + INCREMENT_SHARE * clock.increment)
        return Limits(nodes=clock.nodes, seconds=seconds, depth=clock.depth)

    def spend(self, seconds: float) -> None:
        """A move took so long: the flag falls, or what is left is less, and the increment comes on top."""
        allowed = self.allowed
        if allowed is not None and seconds >= allowed:
            self.fallen = True
        if self.left is not None:
            self.left = max(0.0, self.left - seconds) + (0 if self.fallen else self.clock.increment)

    def resume(self, spent: Iterable[float]) -> None:
        """Go on after moves that took so long, none of which let the flag fall."""
        for seconds in spent:
            if self.left is not None:
                self.left = max(self.left - seconds, MOMENT) + self.clock.increment


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))
