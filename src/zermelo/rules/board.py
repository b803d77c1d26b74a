"""A board as data: named spots, the lines between them, what stands on them, and what is written beside.

A `Board` says what there is, and nothing of how it is painted: `zermelo.rules.painting` makes the picture. Spots are
measured in cells, from the upper left corner. Their names are what `spots` (see `zermelo.rules.hooks`) and the texts of
moves call them, so that a page knows where to tap. `Grid` (see `zermelo.rules.drawing`) is a board of rows and columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Shape = Literal["square", "hex", "disc", "point", "cross", "pit", "card", "upwards", "downwards", "open"]
"""What a spot looks like: a cell, a hexagon, a round hole, a dot or a crossing on lines, a pit for seeds, the outline
of a card, a long triangle that points upwards or downwards, or nothing at all, which still can be tapped."""

Look = Literal["disc", "tile", "mark", "letter", "seeds", "stack", "card", "die", "back"]
"""What a piece looks like: a disc, a tile that fills its cell, a cross or a ring (X and O; another text is written on a
disc), a plain text, a heap of seeds, checkers one upon the other, a playing card, a die, a piece face down."""


@dataclass(frozen=True)
class Spot:
    """A place that can be tapped: its middle and its size, in cells. `group`: a name that it shares with others, all of
    which mean the same where a move names it, such as a column; `blocked`: painted dark, nothing stands here."""

    x: float
    y: float
    shape: Shape = "square"
    width: float = 1
    height: float = 1
    group: str = ""
    blocked: bool = False
    shaded: bool = False


@dataclass(frozen=True)
class Piece:
    """What stands on a spot. `mark`: the text that stands for it. `owner`: 0 or 1, None if it is nobody's. `figure`: a
    name in `zermelo.rules.figures`, painted instead of the mark. `count`: how many there are, of seeds or checkers."""

    mark: str
    owner: int | None = None
    look: Look = "letter"
    figure: str = ""
    count: int = 1


@dataclass(frozen=True)
class Word:
    """A text beside the spots; `x` and `y` are its middle, in cells."""

    x: float
    y: float
    text: str
    small: bool = True


@dataclass(frozen=True)
class Line:
    """A line of the board from one place to another; `owner`: whose border it is, if it is one."""

    x0: float
    y0: float
    x1: float
    y1: float
    owner: int | None = None


@dataclass(frozen=True)
class Board:
    """A picture of named spots. `printed` is what a terminal shows instead; `caption` is written below the picture."""

    spots: Mapping[str, Spot]
    pieces: Mapping[str, Piece] = field(default_factory=dict)
    lines: Sequence[Line | tuple[str, str]] = ()
    words: Sequence[Word] = ()
    caption: str = ""
    printed: str = ""

    def text(self) -> str:
        return self.printed or self.caption

    def svg(self) -> str:
        from zermelo.rules.painting import picture

        return picture(self)

    def board(self) -> Board:
        return self

    def places(self) -> Mapping[str, Spot]:
        """The spots by name, as every drawing tells them that has any."""
        return self.spots
