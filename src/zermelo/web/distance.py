"""How many plies a forced win takes, exactly, as far as a short look tells.

The value is known already; what is asked is the smallest n such that the winner, however the other defends, has won
within n plies. Plain iterative deepening over an AND/OR tree, so that it is obviously right; positions that come back
and dice are left alone. It gives up after a number of positions rather than make anybody wait.
"""

from __future__ import annotations

from collections.abc import Callable

from zermelo.rules import CHANCE, Position

MOST = 2000
"""So many positions are looked at for all questions together."""


class Distances:
    """Answers one question after another about positions of one game, and remembers what it has seen."""

    def __init__(self, stopped: Callable[[], bool] = lambda: False) -> None:
        self.stopped = stopped
        self.left = MOST
        self.within: dict[tuple[Position, int, int], bool] = {}

    def plies(self, position: Position, value: float) -> int | None:
        """The plies from a position whose proven value is given to the winner's win; None if nobody wins, or it is not
        found out."""
        game = position.game
        if game.has_chance or game.cyclic or value not in game.values:
            return None
        winner = 0 if value == game.values[1] else 1
        for plies in range(game.max_plies + 1):
            try:
                if self._wins(position, winner, plies):
                    return plies
            except _TooMany:
                return None
        return None

    def line(self, position: Position, value: float) -> list[str] | None:
        """Play in which the winner hurries and the loser does not; None if it is not found out."""
        texts: list[str] = []
        left = self.plies(position, value)
        while left:
            left -= 1
            fitting = (move for move in position.codes if self.plies(position.play(move), value) == left)
            move = next(fitting, None)
            if move is None:
                return None
            texts.append(position.text_of(move))
            position = position.play(move)
        return texts or None

    def _wins(self, position: Position, winner: int, plies: int) -> bool:
        result = position.result
        if result is not None:
            return bool(result == position.game.values[1 - winner])
        if plies == 0:
            return False
        name = (position, winner, plies)
        if name not in self.within:
            self.left -= 1
            if self.left < 0 or self.stopped() or position.turn == CHANCE:
                raise _TooMany
            quantifier = any if position.turn == winner else all
            after = (position.play(move) for move in position.codes)
            self.within[name] = quantifier(self._wins(each, winner, plies - 1) for each in after)
        return self.within[name]


class _TooMany(Exception):
    """There is too much to look at."""
