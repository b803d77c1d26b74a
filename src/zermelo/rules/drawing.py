"""Pictures of boards: one description, drawn for the terminal and as SVG.

A `Grid` is rows of cell marks. `X` and `O` are the two players' pieces, a blank or `.` is empty, `#` is a blocked
cell, no text at all is no cell, and any other text is written into its cell. `style` chooses how the players' marks
look. A `TextDrawing` is what an object prints of itself. What is not rows and columns is a `Board`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from zermelo.rules.board import Board, Line, Look, Piece, Spot, Word

FIRST, SECOND = "#c8553d", "#2a6f97"
INK, LINE, GROUND = "#22223b", "#9a8c98", "#f2e9e4"
_ROW_OF_HEXAGONS = math.sqrt(3) / 2
_MARGIN = 0.6
"""The room for the labels of rows, in cells."""


@dataclass(frozen=True)
class Grid:
    """A board of rows × columns. A cell is named by its column and its row, such as b2.

    skew: hexagons, each row half a cell further to the right, as on Hex boards. style: how the marks that have owners
    look: disc, tile, or anything else for marks and letters. figures: which marks are painted as figures, by their
    names in `zermelo.rules.figures`. crossings: pieces stand where lines cross. shaded: cells are light and dark in
    turn. borders: who owns the upper and lower border, and who the left and right one. hands: what the first and the
    second player have in hand, how many of each mark; the spots beside the board are called hand:P. dice: what lies
    beside it, each with the player who rolled.
    """

    cells: Sequence[Sequence[str]]
    columns: Sequence[str] = ()
    rows: Sequence[str] = ()
    skew: bool = False
    style: str = "disc"
    owners: Mapping[str, int] = field(default_factory=lambda: {"X": 0, "O": 1})
    caption: str = ""
    figures: Mapping[str, str] = field(default_factory=dict)
    crossings: bool = False
    shaded: bool = False
    borders: tuple[int, int] | None = None
    hands: tuple[Mapping[str, int], Mapping[str, int]] | None = None
    dice: Sequence[tuple[int, int]] = ()

    def text(self) -> str:
        width = max((len(c) for row in self.cells for c in row), default=1)
        margin = max((len(label) for label in self.rows), default=0)
        lines = []
        for number, row in enumerate(self.cells):
            label = self.rows[number] if self.rows else ""
            shift = " " * (number * (width + 1) // 2) if self.skew else ""
            marks = " ".join(("." if c.isspace() else c).rjust(width) for c in row)
            lines.append(f"{label:>{margin}} {shift}{marks}".rstrip() if margin else f"{shift}{marks}".rstrip())
        if self.columns:
            start = " " * (margin + 1) if margin else ""
            shift = " " * (len(self.cells) * (width + 1) // 2) if self.skew else ""
            lines.append((start + shift + " ".join(label.rjust(width) for label in self.columns)).rstrip())
        if self.caption:
            lines.append(self.caption)
        return "\n".join(lines)

    def svg(self) -> str:
        return self.board().svg()

    def places(self) -> Mapping[str, Spot]:
        return self.board().spots

    def board(self) -> Board:
        """The same as spots with names, which is what is painted."""
        spots, pieces, words = {}, {}, []
        for r, row in enumerate(self.cells):
            for c, mark in enumerate(row):
                if not mark:
                    continue
                name = self.name(r, c)
                spots[name] = self._spot(r, c, mark.strip())
                if mark.strip() not in ("", ".", "#"):
                    pieces[name] = self._piece(mark.strip())
        words += [Word(*self._middle(r, -1), label) for r, label in enumerate(self.rows)]
        below = len(self.cells)
        for c, label in enumerate(self.columns):
            x, y = self._middle(below, c)
            words.append(Word(x - 0.25, y + 0.1, label) if self.skew else Word(x, y - 0.25, label))
        for name, spot, piece in (*self._hands(), *self._dice()):
            spots[name], pieces[name] = spot, piece
        return Board(spots, pieces, self._lines(), words, self.caption, self.text())

    def _hands(self) -> Iterator[tuple[str, Spot, Piece]]:
        """The second player's beside the upper left corner, the first player's beside the lower right one."""
        right = self._middle(0, self._across)[0] + 0.2
        for owner, hand in enumerate(self.hands or ()):
            held = [(mark, count) for mark, count in hand.items() if count]
            for i, (mark, count) in enumerate(held):
                y = i + 0.5 if owner else len(self.cells) - i - 0.5
                piece = Piece(mark, owner, "mark", self.figures.get(mark, ""), count)
                yield f"hand:{mark}", Spot(0.5 if owner else right, y, "open"), piece

    def _dice(self) -> Iterator[tuple[str, Spot, Piece]]:
        x, middle = self._middle(0, self._across)[0] + 0.3, len(self.cells) / 2
        for i, (owner, shown) in enumerate(self.dice):
            spot = Spot(x, middle + 1.1 * (i - (len(self.dice) - 1) / 2), "open")
            yield f"die {i + 1}", spot, Piece(str(shown), owner, "die", count=shown)

    @property
    def _across(self) -> int:
        return max((len(row) for row in self.cells), default=0)

    def name(self, row: int, column: int) -> str:
        """What a cell is called: by its labels as far as it has any, else by counting, rows from below."""
        across = self.columns[column].strip() if column < len(self.columns) else ""
        if across and self.rows:
            return across + self.rows[row].strip()
        down = self.rows[row].strip() if self.rows else str(len(self.cells) - row)
        return f"{across or column + 1}-{down}"

    def _middle(self, row: float, column: float) -> tuple[float, float]:
        left = (_MARGIN if self.rows else 0.0) + (1.1 if self.hands is not None else 0.0)
        if self.skew:
            x = left + column + 0.5 + row / 2
            return (x + 0.1 if column < 0 else x), row * _ROW_OF_HEXAGONS + 0.58
        return (left - _MARGIN / 2 if column < 0 else left + column + 0.5), row + 0.5

    def _spot(self, row: int, column: int, mark: str) -> Spot:
        x, y = self._middle(row, column)
        label = self.columns[column].strip() if column < len(self.columns) else ""
        shape: str = "hex" if self.skew else "cross" if self.crossings else "square"
        dark = self.shaded and (row + column) % 2 == 1
        return Spot(x, y, shape, group=f"column {label}" if label else "", blocked=mark == "#", shaded=dark)  # type: ignore[arg-type]

    def _piece(self, mark: str) -> Piece:
        owner = self.owners.get(mark)
        look: Look = "letter" if owner is None else "disc" if self.style == "disc" else "mark"
        if owner is not None and self.style == "tile":
            look = "tile"
        return Piece(mark, owner, "back" if mark == "?" else look, self.figures.get(mark, ""))

    def _lines(self) -> list[Line | tuple[str, str]]:
        high, wide = len(self.cells), self._across
        found: list[Line | tuple[str, str]] = []
        if self.crossings:
            found += [Line(*self._middle(r, 0), *self._middle(r, wide - 1)) for r in range(high)]
            found += [Line(*self._middle(0, c), *self._middle(high - 1, c)) for c in range(wide)]
        if self.borders is not None and high and wide:
            rim = 0.62 if self.skew else 0.5
            (x0, y0), (x1, y1) = self._middle(0, 0), self._middle(0, wide - 1)
            (x2, y2), (x3, y3) = self._middle(high - 1, wide - 1), self._middle(high - 1, 0)
            up, side = self.borders
            found.append(Line(x0 - 0.3, y0 - rim, x1 + 0.3, y1 - rim, up))
            found.append(Line(x3 - 0.3, y3 + rim, x2 + 0.3, y2 + rim, up))
            found += [Line(x0 - rim, y0, x3 - rim, y3, side), Line(x1 + rim, y1, x2 + rim, y2, side)]
        return found


@dataclass(frozen=True)
class TextDrawing:
    """A position as an object of somebody else's prints it, without the colours meant for terminals."""

    printed: str

    def text(self) -> str:
        return re.sub(r"\x1b\[[0-9;]*m", "", self.printed).rstrip()

    def svg(self) -> str:
        lines = self.text().splitlines() or [""]
        width, height = 20 + 9 * max(map(len, lines)), 20 + 18 * len(lines)
        words = "".join(
            f'<text x="10" y="{24 + 18 * i}" xml:space="preserve">{escape(line)}</text>'
            for i, line in enumerate(lines)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="board" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="monospace" font-size="15" fill="{INK}">'
            f"{words}</svg>"
        )
