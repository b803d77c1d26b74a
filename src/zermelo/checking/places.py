"""Can a game be played by tapping its drawing? What is named and not there, and what needs a button or a menu."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from zermelo.checking.promises import Complaint
from zermelo.rules import CHANCE, Position
from zermelo.rules.tapping import taps


class Places:
    """Looks at positions one by one and remembers what their moves were tapped on."""

    def __init__(self) -> None:
        self.moves = self.buttons = 0
        self.alike: tuple[str, list[str]] | None = None

    def complaints(self, position: Position) -> Iterator[Complaint]:
        """Spots that `spots` names and the drawing lacks."""
        if position.game.draw is None:
            return
        found = taps(position)
        for tap in found:
            if tap.unknown:
                yield "spots names what the drawing does not have", f"{tap.unknown[0]!r} for {tap.move}"
        if position.turn != CHANCE:
            self.moves += len(found)
            self.buttons += sum(not tap.path for tap in found)
        for path, number in Counter(tap.path for tap in found if tap.path).items():
            if number > 1 and self.alike is None:
                self.alike = (" ".join(path), [tap.move for tap in found if tap.path == path])

    def notes(self) -> Iterator[str]:
        """What is no mistake, but good to know: the share of buttons, and moves that are tapped alike."""
        if self.buttons:
            yield f"{100 * self.buttons / self.moves:.3g} % of the players' moves have no place on the drawing: buttons"
        if self.alike is not None:
            path, moves = self.alike
            yield f"moves are tapped alike, so that a menu asks which is meant: {' '.join(moves[:6])} on {path}"
