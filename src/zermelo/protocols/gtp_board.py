"""The cells of a drawn board as GTP knows them, and which of them a move taps.

A cell has two names. Ours is the one that move texts use. GoGui's is a letter for the column, without I, and the number
of the row from below, whatever the game itself says; so the board is mapped as it is drawn, upper row to upper row.
A move is read as the cells that its text names, in their order: one for a stone, two from where to where. Where it
names a column, the cell is the one that changes.
"""

from __future__ import annotations

import re
from functools import cached_property

from zermelo.rules import Grid, Position

Cell = tuple[int, int]
"""Row from the top and column from the left, both from 0."""

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_VERTEX = re.compile(r"([a-hj-z])(\d{1,2})", re.IGNORECASE)
_EMPTY = ("", ".")


class Drawn:
    """A position as it is drawn. `grid` is None where it is not drawn as rows and columns."""

    def __init__(self, position: Position) -> None:
        self.position = position
        draw = position.game.draw
        drawing = None if draw is None else draw(position.state)
        self.grid = drawing if isinstance(drawing, Grid) else None

    @cached_property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        cells = [] if self.grid is None else self.grid.cells
        return max(map(len, cells), default=0), len(cells)

    @cached_property
    def cells(self) -> dict[str, Cell]:
        """The cells by their own names, in small letters."""
        grid = self.grid
        if grid is None or not grid.rows or not grid.columns:
            return {}
        named = {}
        for r, row in enumerate(grid.cells):
            for c in range(min(len(row), len(grid.columns))):
                named[f"{grid.columns[c]}{grid.rows[r]}".replace(" ", "").lower()] = (r, c)
        return named

    @cached_property
    def _names(self) -> re.Pattern[str]:
        longest = sorted(self.cells, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest)) or r"(?!)", re.IGNORECASE)

    @cached_property
    def taps(self) -> dict[int, tuple[Cell, ...]]:
        """The cells of every legal move, none where its text names no place."""
        return {code: self._path(code) for code in self.position.codes}

    def _path(self, code: int) -> tuple[Cell, ...]:
        text = self.position.text_of(code)
        if self.cells:
            return tuple(self.cells[name.lower()] for name in self._names.findall(text))
        if self.grid is not None and text in self.grid.columns:
            return self._changed(code, list(self.grid.columns).index(text))
        return ()

    def _changed(self, code: int, column: int) -> tuple[Cell, ...]:
        """The cell of a column that a move fills."""
        after = Drawn(self.position.play(code))
        assert self.grid is not None
        assert after.grid is not None
        for r, row in enumerate(self.grid.cells):
            if row[column].strip() in _EMPTY and after.grid.cells[r][column].strip() not in _EMPTY:
                return ((r, column),)
        return ()

    def owner(self, cell: Cell) -> int | None:
        """Whose piece stands on a cell, None if nobody's."""
        assert self.grid is not None
        return self.grid.owners.get(self.grid.cells[cell[0]][cell[1]].strip())

    def vertex(self, cell: Cell) -> str:
        """What GoGui calls a cell."""
        return f"{LETTERS[cell[1]]}{self.size[1] - cell[0]}"

    def cell_at(self, vertex: str) -> Cell | None:
        """The cell that GoGui means, None if there is none."""
        found = _VERTEX.fullmatch(vertex)
        if found is None:
            return None
        cell = (self.size[1] - int(found[2]), LETTERS.index(found[1].upper()))
        return cell if 0 <= cell[0] < self.size[1] and cell[1] < self.size[0] else None

    def rows(self) -> list[str]:
        """The board as GoGui reads it: X for the first player's, O for the second's, ? where there is no cell."""
        grid, lines = self.grid, []
        for r, row in enumerate([] if grid is None else grid.cells):
            whole = [*row, *[""] * (self.size[0] - len(row))]
            lines.append(" ".join(self._mark((r, c), mark) for c, mark in enumerate(whole)))
        return lines

    def _mark(self, cell: Cell, mark: str) -> str:
        if not mark or mark.strip() == "#":
            return "?"
        owner = self.owner(cell)
        return "." if owner is None else "XO"[owner]

    def labels(self) -> list[tuple[Cell, str]]:
        """The pieces that are more than a stone, by what is written on them."""
        return [
            ((r, c), mark.strip())
            for r, row in enumerate([] if self.grid is None else self.grid.cells)
            for c, mark in enumerate(row)
            if mark.strip() not in ("", ".", "#", "X", "O")
        ]
