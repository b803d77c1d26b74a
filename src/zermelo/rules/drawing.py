"""Pictures of boards: one description, drawn for the terminal and as SVG.

A `Grid` is rows of cell marks. `X` and `O` are the two players' pieces, a blank or `.` is empty, `#` is a blocked
cell, no text at all is no cell, and any other text is written into its cell. `style` chooses how the players' marks
look. A `TextDrawing` is what an object prints of itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

FIRST, SECOND = "#c8553d", "#2a6f97"
_INK, _LINE, _BOARD = "#22223b", "#9a8c98", "#f2e9e4"
_CELL = 40


@dataclass(frozen=True)
class Grid:
    """A board of rows × columns. `skew` shifts each row by half a cell, as Hex boards do."""

    cells: Sequence[Sequence[str]]
    columns: Sequence[str] = ()
    rows: Sequence[str] = ()
    skew: bool = False
    style: str = "disc"
    owners: Mapping[str, int] = field(default_factory=lambda: {"X": 0, "O": 1})
    caption: str = ""

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
        height = len(self.cells)
        across = max((len(row) for row in self.cells), default=0)
        left = 24 if self.rows else 6
        lean = _CELL // 2 if self.skew else 0
        total_width = left + across * _CELL + height * lean + 6
        total_height = 6 + height * _CELL + (20 if self.columns else 6) + (20 if self.caption else 0)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{total_width}" height="{total_height}" '
            f'viewBox="0 0 {total_width} {total_height}" font-family="sans-serif" font-size="16">'
        ]
        for r, row in enumerate(self.cells):
            y = 6 + r * _CELL
            if self.rows:
                parts.append(_word(12, y + _CELL / 2, self.rows[r], 12))
            parts.extend(self._cell(left + r * lean + c * _CELL, y, mark) for c, mark in enumerate(row))
        for c, label in enumerate(self.columns):
            x = left + height * lean + c * _CELL + _CELL / 2
            parts.append(_word(x, 6 + height * _CELL + 10, label, 12))
        if self.caption:
            parts.append(_word(total_width / 2, total_height - 10, self.caption, 12))
        return "".join(parts) + "</svg>"

    def _cell(self, x: float, y: float, mark: str) -> str:
        """One cell: its ground, and what stands on it."""
        if not mark:
            return ""
        mark = mark.strip()
        ground = _INK if mark == "#" else _BOARD
        cell = (
            f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{ground}" stroke="{_LINE}"/>'
        )
        if mark in ("", ".", "#"):
            return cell
        middle_x, middle_y = x + _CELL / 2, y + _CELL / 2
        owner = self.owners.get(mark)
        colour = _INK if owner is None else (FIRST, SECOND)[owner]
        if owner is not None and self.style == "disc":
            return cell + f'<circle cx="{middle_x}" cy="{middle_y}" r="{_CELL * 0.4}" fill="{colour}"/>'
        if owner is not None and self.style == "tile":
            inner = _CELL - 4
            return cell + f'<rect x="{x + 2}" y="{y + 2}" width="{inner}" height="{inner}" fill="{colour}"/>'
        return cell + _word(middle_x, middle_y, mark, 20, colour)


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
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="monospace" font-size="15" fill="{_INK}">'
            f"{words}</svg>"
        )


def _word(x: float, y: float, text: str, size: int, colour: str = _INK) -> str:
    return (
        f'<text x="{x}" y="{y}" fill="{colour}" font-size="{size}" text-anchor="middle" '
        f'dominant-baseline="central">{escape(text)}</text>'
    )
