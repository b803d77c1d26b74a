"""What a game says about loops, against those that are met: how far back they begin, and what its own rule looks at.

Searches look for a loop no further back than the hook `reversible` says, and take two ways to a position for one where
nothing that can come back differs. A loop that began before, or a rule that looks at what lies before, would be missed.
Random play comes back rarely in large games, so players are also asked to: after two plies, all ways are tried to undo
them.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.checking.promises import Complaint, where
from zermelo.rules import Game, Position

TRIES = 3000
"""So many moves are made, in all, to undo others."""
EVERY = 5
"""Of so many positions of a game, one is tried to be come back to."""


class Circling:
    """The promises of one game; `complaints` are those about one played game after another."""

    def __init__(self, game: Game) -> None:
        self.game, self.left = game, TRIES

    def complaints(self, path: list[Position]) -> Iterator[Complaint]:
        """What is wrong with a game, given from its start to its end."""
        if self.game.reversible is None or not self.game.cyclic:
            return
        for before, after in zip([None, *path], path):
            yield from self._counted(before, after)
        last: dict[object, int] = {}
        for ply, position in enumerate(path):
            begin = last.get(position.mark)
            last[position.mark] = ply
            if begin is not None:
                yield from self._closed(position, ply - begin)
        for ply in range(2, len(path), EVERY):
            yield from self._undone(path[ply - 2], path[ply])

    def _counted(self, before: Position | None, after: Position) -> Iterator[Complaint]:
        """Whether the number is one, and grows as plies go by."""
        plies = self._plies(after)
        if plies != int(plies) or plies < 0:
            yield "reversible must be a whole number from 0 on", f"{plies} {where(after)}"
        elif before is not None and plies > self._plies(before) + 1:
            example = f"from {self._plies(before)} to {plies} {where(after)}"
            yield "reversible grows by more than 1 from one ply to the next", example

    def _closed(self, position: Position, length: int) -> Iterator[Complaint]:
        """Whether a loop of this length, which has just been closed, could be told from the position."""
        if length > self._plies(position):
            example = f"it is {self._plies(position)} {where(position)}, which stood on the board {length} plies before"
            yield "reversible leaves out loops", example
        rule, cycle = self.game.repetition, position.cycle
        if callable(rule) and cycle is not None:
            path, (earliest, latest) = position.path(), cycle
            end = len(path) - 1
            whole = rule(path, earliest, latest, end)
            alone = rule(path[earliest:], 0, latest - earliest, end - earliest)
            if whole != alone:
                example = f"{whole} {where(position)}, but {alone} without what was played before"
                yield "repetition looks beyond path[earliest], which reversible forbids", example

    def _undone(self, before: Position, after: Position) -> Iterator[Complaint]:
        """All ways to come back, in two plies, to where play was two plies ago."""
        if self.left <= 0 or after.result is not None:
            return
        for first in after.codes:
            between = after.play(first)
            for second in between.codes if between.result is None else ():
                self.left -= 1
                again = between.play(second)
                if again.mark == before.mark:
                    yield from self._closed(again, 4)

    def _plies(self, position: Position) -> float:
        assert self.game.reversible is not None
        return self.game.reversible(position.state)  # type: ignore[no-any-return]
