"""Xiangqi as a dict of squares, written to be right at a glance; every move is tried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Sort(NamedTuple):
    """A size of the board: rows, columns, rows on either bank of the river."""

    rows: int
    cols: int
    bank: int


FULL, SMALL = Sort(10, 9, 5), Sort(7, 7, 0)
STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
Place = tuple[int, int]


@dataclass
class Slow:
    """Letters at (column, row), rows from Red's side; Red's letters are capitals."""

    sort: Sort
    at: dict[Place, str]
    red: bool

    @classmethod
    def read(cls, sort: Sort, fen: str) -> Slow:
        rows, turn = fen.split()[:2]
        at = {}
        for row, line in enumerate(reversed(rows.split("/"))):
            column = 0
            for sign in line:
                if sign.isdigit():
                    column += int(sign)
                else:
                    at[column, row] = sign
                    column += 1
        return cls(sort, at, turn == "w")

    def on_board(self, place: Place) -> bool:
        return 0 <= place[0] < self.sort.cols and 0 <= place[1] < self.sort.rows

    def palace(self, place: Place, red: bool) -> bool:
        depth = place[1] if red else self.sort.rows - 1 - place[1]
        return abs(place[0] - self.sort.cols // 2) <= 1 and depth <= 2

    def home(self, place: Place, red: bool) -> bool:
        return (place[1] if red else self.sort.rows - 1 - place[1]) < self.sort.bank

    def targets(self, place: Place) -> set[Place]:
        """Where the piece there could go, whatever becomes of its king; the other king counts as on the file."""
        letter = self.at[place]
        red, kind, (x, y) = letter.isupper(), letter.upper(), place
        found = set()
        if kind in "RC":
            for across, up in STRAIGHT:
                here, met = (x + across, y + up), 0
                while self.on_board(here) and met < 2:
                    if here not in self.at:
                        if met == 0:
                            found.add(here)
                    else:
                        met += 1
                        if met == (1 if kind == "R" else 2):
                            found.add(here)
                    here = (here[0] + across, here[1] + up)
        elif kind == "N":
            for across, up in STRAIGHT:
                if (x + across, y + up) not in self.at:
                    for aside in (1, -1):
                        found.add((x + 2 * across + (aside if up else 0), y + 2 * up + (aside if across else 0)))
        elif kind == "B":
            found = {(x + 2 * a, y + 2 * u) for a, u in DIAGONAL if (x + a, y + u) not in self.at}
            found = {goal for goal in found if self.home(goal, red)}
        elif kind == "A":
            found = {(x + a, y + u) for a, u in DIAGONAL if self.palace((x + a, y + u), red)}
        elif kind == "K":
            found = {(x + a, y + u) for a, u in STRAIGHT if self.palace((x + a, y + u), red)}
        else:
            found = {(x, y + (1 if red else -1))}
            if not self.home(place, red):
                found |= {(x + 1, y), (x - 1, y)}
        return {
            goal for goal in found if self.on_board(goal) and self.at.get(goal, "x" if red else "X").isupper() != red
        }

    def in_check(self, red: bool) -> bool:
        king = next(place for place, letter in self.at.items() if letter == ("K" if red else "k"))
        other = next(place for place, letter in self.at.items() if letter == ("k" if red else "K"))
        if king[0] == other[0]:
            low, high = sorted((king[1], other[1]))
            if not any((king[0], row) in self.at for row in range(low + 1, high)):
                return True
        return any(king in self.targets(place) for place, letter in self.at.items() if letter.isupper() != red)

    def after(self, origin: Place, target: Place) -> Slow:
        at = {place: letter for place, letter in self.at.items() if place != origin}
        return Slow(self.sort, at | {target: self.at[origin]}, not self.red)

    def legal(self) -> set[tuple[Place, Place]]:
        moves = {
            (place, goal)
            for place, letter in self.at.items()
            if letter.isupper() == self.red
            for goal in self.targets(place)
        }
        return {move for move in moves if not self.after(*move).in_check(self.red)}
