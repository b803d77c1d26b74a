"""What only whole games show: whose turn it ever is, and whether a field keeps positions from coming back.

A clock is part of many states: plies so far, or plies since something happened. Where a position that comes back has a
meaning (the trait `repetition`), such a field makes every position new, and the rule never applies, unless `loop_key`
leaves it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from zermelo.rules import CHANCE, Game, Position

ENOUGH = 50
"""So many moves must have been seen before what never happened is worth mentioning."""
OFTEN = 3
"""So many positions must have come back but for the clock."""


class Histories:
    """The random games of a check, looked at as a whole."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.movers: set[int] = set()
        self.moved = 0  # moves of players who had moved before, or whose opponent had
        self.steps: dict[str, set[Any]] = {name: set() for name in _counters(game)}
        self.plies = self.longest = 0
        self.repeated = False
        self.back_but_for: Counter[str] = Counter()
        self.back: Position | None = None  # what came back although it cannot

    def add(self, path: list[Position]) -> None:
        """One game, from its start to its end."""
        players = [position.turn for position in path[:-1] if position.turn != CHANCE]
        self.movers.update(players)
        self.moved += max(0, len(players) - 1)
        if self.steps and not self.repeated:
            self._look_for_clocks(path)
        if self.back is None and self.game.compilable and not (self.game.cyclic or self.game.endless):
            self.back = _first_back(path)

    def complaints(self) -> Iterator[tuple[str, str]]:
        if len(self.movers) == 1 and self.moved >= ENOUGH:
            only = next(iter(self.movers))
            yield (
                "the turn never changes",
                f"turn is {only} in every position, so player {2 - only} never moves: should play change it?",
            )
        if self.back is not None:
            yield (
                "a position comes back",
                f"{self.back.text()!r} is the same as a position before it, but repetition is none: say what that "
                "means (draw, first, second, wins or loses)",
            )
        clock = self._clock()
        if clock is not None:
            yield (
                "a clock hides repetition",
                f"field {clock} counts on from move to move, so no position ever comes back as the trait repetition "
                f"expects: give loop_key(s), a hash of all but {clock}, or leave repetition out",
            )

    def _clock(self) -> str | None:
        if self.repeated:
            return None
        for name, steps in self.steps.items():
            if len(steps) == 1 and 0 not in steps and self.plies >= ENOUGH and self.longest > 2:
                return name
        for name, times in self.back_but_for.most_common(1):
            if times >= OFTEN:
                return name
        return None

    def _look_for_clocks(self, path: list[Position]) -> None:
        states = [position.state.values() | {"": position.turn} for position in path]
        self.plies += len(path) - 1
        self.longest = max(self.longest, len(path) - 1)
        self.repeated = len({position.state.tobytes() for position in path}) < len(path)
        for name, steps in self.steps.items():
            numbers = [state[name] for state in states]
            steps.update(after - before for before, after in pairwise(map(int, numbers)))
            last: dict[Any, int] = {}
            for now, state in enumerate(states):
                others = tuple(tuple(v) if isinstance(v, list) else v for n, v in state.items() if n != name)
                then = last.get(others)
                last[others] = now
                if then is not None and _counts(numbers[then : now + 1]) and path[then].codes == path[now].codes:
                    self.back_but_for[name] += 1


def _first_back(path: list[Position]) -> Position | None:
    """The first position that stood on the path before, where no dice have been thrown since: these may send play
    back."""
    seen: set[bytes] = set()
    for position in path:
        if position.turn == CHANCE:
            seen.clear()
        state = position.state.tobytes()
        if state in seen:
            return position
        seen.add(state)
    return None


def _counters(game: Game) -> list[str]:
    """The fields that could be a clock, where one would do harm."""
    if game.State is None or not game.cyclic or game.loop_key is not None:
        return []
    fields = game.State.fields.items()
    return [name for name, kind in fields if not isinstance(kind, tuple) and np.dtype(kind).kind in "iu"]


def _counts(numbers: list[Any]) -> bool:
    """Whether numbers go on by the same step, or stay, and do not end where they began."""
    steps = {int(after) - int(before) for before, after in pairwise(numbers)} - {0}
    return len(steps) == 1
