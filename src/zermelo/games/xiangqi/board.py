"""The boards of xiangqi and minixiangqi: squares, pieces, and how each piece steps, as tables that rules look up.

Squares are numbered row by row from Red's left corner: `cols · row + column`. A piece is its kind, 8 more if it is
Black's; 0 is an empty square. One more square behind the last is empty for ever: it is the leg of all steps that
nothing can block, so that every step is a target and a leg.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

KING, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, SOLDIER = range(1, 8)
LETTERS = " KABNRCP"
"""The letters of FEN by kind; H and E are read too."""
OTHER_LETTERS = {"H": "N", "E": "B"}
MOST = {KING: 1, ADVISOR: 2, ELEPHANT: 2, HORSE: 2, CHARIOT: 2, CANNON: 2, SOLDIER: 5}
"""How many of each kind a side has at the start."""
HALF = 45
"""Sets of squares are two words: those below 45 and those from 45 on."""

_STRAIGHT, _DIAGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1)), ((1, 1), (1, -1), (-1, 1), (-1, -1))
Table = np.ndarray[Any, Any]
Step = tuple[int, int]
"""Where a step leads and which square must be empty for it."""


@dataclass(frozen=True)
class Board:
    """One size of board. `river`: how many rows are on either side of it, 0 if there is none; `lowest`: the number that
    people give to Red's first row."""

    name: str
    rows: int
    cols: int
    river: int
    start: str
    lowest: int

    @property
    def cells(self) -> int:
        return self.rows * self.cols

    def place(self, square: int, side: int) -> tuple[int, int]:
        """Row and column of a square as that side sees it from its own end."""
        row, col = divmod(square, self.cols)
        return (row if side == 0 else self.rows - 1 - row), col

    def in_palace(self, square: int, side: int) -> bool:
        row, col = self.place(square, side)
        return row < 3 and abs(col - self.cols // 2) <= 1

    def is_home(self, square: int, side: int) -> bool:
        """On that side's own bank of the river."""
        return self.place(square, side)[0] < self.river

    def may_stand(self, piece: int, square: int) -> bool:
        """Whether a piece may stand on a square. Soldiers never go back, and aside only beyond the river."""
        kind, side = piece & 7, piece >> 3
        row, col = self.place(square, side)
        aside = col - self.cols // 2
        if kind == KING:
            return self.in_palace(square, side)
        if kind == ADVISOR:
            return self.river > 0 and self.in_palace(square, side) and (row + aside) % 2 == 1
        if kind == ELEPHANT:
            return self.river > 0 and (row, aside % 4) in ((0, 2), (2, 0), (4, 2))
        if kind == SOLDIER:
            home, cols = self.soldiers
            return row >= home and (row >= self.river or col in cols)
        return True

    @cached_property
    def soldiers(self) -> tuple[int, frozenset[int]]:
        """The row of the soldiers at the start, as their side sees it, and their columns."""
        rows = [re.sub(r"\d", lambda gap: "." * int(gap[0]), row) for row in self.start.split()[0].split("/")]
        found = [(row, col) for row, line in enumerate(reversed(rows)) for col, sign in enumerate(line) if sign == "P"]
        return found[0][0], frozenset(col for _, col in found)

    def waits(self, piece: int, square: int) -> bool:
        """Whether a piece is a soldier that has not crossed the river, so that it stands on the column it began on."""
        return piece & 7 == SOLDIER and self.is_home(square, piece >> 3)

    def steps(self, piece: int, square: int) -> list[Step]:
        """The steps of a piece that does not move along lines."""
        kind, side = piece & 7, piece >> 3
        row, col = divmod(square, self.cols)
        forward = 1 - 2 * side
        found = []
        for across, up, leg_across, leg_up in _shapes(kind, forward, sideways=not self.is_home(square, side)):
            r, c = row + up, col + across
            if 0 <= r < self.rows and 0 <= c < self.cols:
                target = r * self.cols + c
                free = (leg_across, leg_up) == (0, 0)
                leg = self.cells if free else (row + leg_up) * self.cols + col + leg_across
                if kind not in (KING, ADVISOR, ELEPHANT) or self.may_stand(piece, target):
                    found.append((target, leg))
        return found

    @cached_property
    def all_steps(self) -> list[list[Step]]:
        """The steps of each piece from each square, at `cells · piece + square`."""
        pieces = [piece if piece & 7 in LEAPERS else 0 for piece in range(16)]
        return [self.steps(piece, square) if piece else [] for piece in pieces for square in range(self.cells)]

    @cached_property
    def leg_table(self) -> Table:
        """One more than the leg of the step of a piece from one square to another, 0 if it has no such step, at
        `cells · (cells · piece + from) + to`."""
        table = np.zeros((16 * self.cells, self.cells), dtype=np.uint8)
        for place, steps in enumerate(self.all_steps):
            for target, leg in steps:
                table[place, target] = leg + 1
        return table.reshape(-1)

    @cached_property
    def horse_table(self) -> tuple[Table, Table]:
        """For each square the places from which a horse could capture there, with the legs of those steps: eight a
        square, at `8 · square`; the square that is always empty fills up."""
        sources = np.full((self.cells, 8), self.cells, dtype=np.int64)
        legs = np.full((self.cells, 8), self.cells, dtype=np.int64)
        found = [0] * self.cells
        for source in range(self.cells):
            for target, leg in self.steps(HORSE, source):
                sources[target, found[target]], legs[target, found[target]] = source, leg
                found[target] += 1
        return sources.reshape(-1), legs.reshape(-1)

    @cached_property
    def room(self) -> Table:
        """How many squares lie beyond a square to the right, left, above and below, at `4 · square`."""
        rooms = []
        for square in range(self.cells):
            row, col = divmod(square, self.cols)
            rooms += [self.cols - 1 - col, col, self.rows - 1 - row, row]
        return np.array(rooms, dtype=np.int64)

    @cached_property
    def exposing(self) -> Table:
        """How a square lies to the own king, at `cells · king + square`: 1 in its column, 2 in its row, where a piece
        that comes or goes can open a line or be a cannon's screen; 4 where a horse that gives check has its leg."""
        table = np.zeros((self.cells, self.cells), dtype=np.int64)
        for king in range(self.cells):
            for square in range(self.cells):
                across, up = abs(square % self.cols - king % self.cols), abs(square // self.cols - king // self.cols)
                if across == 0 or up == 0:
                    table[king, square] = 1 if across == 0 else 2
                elif across == up == 1:
                    table[king, square] = 4
        return table.reshape(-1)

    @cached_property
    def uncrossed(self) -> Table:
        """Whether a side has its own bank of the river there, at `cells · side + square`."""
        return np.array([self.is_home(q, side) for side in range(2) for q in range(self.cells)], dtype=np.bool_)

    def square_name(self, square: int, lowest: int | None = None) -> str:
        row, col = divmod(square, self.cols)
        return f"{chr(97 + col)}{row + (self.lowest if lowest is None else lowest)}"


LEAPERS = (KING, ADVISOR, ELEPHANT, HORSE, SOLDIER)


def _shapes(kind: int, forward: int, sideways: bool) -> list[tuple[int, int, int, int]]:
    """Steps of a kind as (columns, rows) of the target and of the leg, which is (0, 0) where there is none."""
    if kind == KING:
        return [(x, y, 0, 0) for x, y in _STRAIGHT]
    if kind == ADVISOR:
        return [(x, y, 0, 0) for x, y in _DIAGONAL]
    if kind == ELEPHANT:
        return [(2 * x, 2 * y, x, y) for x, y in _DIAGONAL]
    if kind == HORSE:
        level = [(2 * x, y, x, 0) for x, y in _DIAGONAL]
        return level + [(x, 2 * y, 0, y) for x, y in _DIAGONAL]
    ahead = [(0, forward, 0, 0)]
    return [*ahead, (1, 0, 0, 0), (-1, 0, 0, 0)] if sideways else ahead


FULL = Board("xiangqi", 10, 9, 5, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", 0)
SMALL = Board("minixiangqi", 7, 7, 0, "rcnkncr/p1ppp1p/7/7/7/P1PPP1P/RCNKNCR w - - 0 1", 1)
