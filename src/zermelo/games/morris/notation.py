"""How moves and positions of morris are written, read and drawn.

Points are named by column and row, a1 at the lower left: `d2` lays a man, `d2d3` moves one, `d2d3xa1` takes one off.
A position is the points row by row from the top, the men that X and O have in hand, and the side to move.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from zermelo.games.morris.board import Board
from zermelo.rules import ONGOING, Grid, Piece, PositionError, Spot, Struct
from zermelo.rules import Board as Picture


class Notation:
    """The texts of one board. `State` and `result` are the game's; a move is (from · (cells + 1) + to) · (cells + 1) +
    removed, where `cells` stands for no point."""

    def __init__(self, men: int, board: Board, State: type[Struct], result: Callable[[Any], int]) -> None:
        self.men, self.board, self.State, self.result = men, board, State, result

    def move_text(self, s: Any, move: int) -> str:
        base = self.board.cells + 1
        start, to, removed = move // base**2, move // base % base, move % base
        return self._name(start) + self._name(to) + (f"x{self._name(removed)}" if removed < base - 1 else "")

    def _name(self, point: int) -> str:
        if point == self.board.cells:
            return ""
        column, row = self.board.places[point]
        return f"{chr(97 + column)}{row + 1}"

    def position_text(self, s: Any) -> str:
        rows = "/".join("".join(_mark(s, point) for point in row) for row in self.board.rows)
        return f"{rows} {'-'.join(map(str, _hands(s)))} {'XO'[s.turn]}"

    def read_position(self, text: str) -> Struct | None:
        if "/" not in text:  # no move is written with this
            return None
        form = re.fullmatch(r"([XO./]+)\s+(\d)-(\d)\s+([XO])", text.strip().upper())
        if form is None or list(map(len, form[1].split("/"))) != list(map(len, self.board.rows)):
            start = self.position_text(self.State(hand=2 * self.men))
            raise PositionError(
                f"a position with {self.men} men is the points row by row from the top, the men that X and O have in "
                f"hand and the side to move, such as {start}; this is not: {text!r}"
            )
        turn, held = "XO".index(form[4]), (int(form[2]), int(form[3]))
        if held[turn] - held[1 - turn] not in (0, 1):
            raise PositionError(
                f"men are laid in turn, so {form[4]}, who is to move, has as many in hand as the other, or one more: "
                f"{text!r}"
            )
        points = [point for row in self.board.rows for point in row]
        marks = form[1].replace("/", "")
        first, second = (sum(1 << point for point, mark in zip(points, marks) if mark == who) for who in "XO")
        for who, on_board, in_hand in zip("XO", (first, second), held):
            if on_board.bit_count() + in_hand > self.men:
                raise PositionError(f"{who} has more than {self.men} men, in hand and on the board: {text!r}")
        return self.State(first=first, second=second, hand=sum(held), turn=turn)

    def draw(self, s: Any) -> Picture:
        size = len(self.board.rows)
        grid = [[""] * size for _ in range(size)]
        for point, (column, row) in enumerate(self.board.places):
            grid[size - 1 - row][column] = _mark(s, point)
        over = {ONGOING: f"{'XO'[s.turn]} to {'lay' if s.hand else 'move'}", 1: "X has won", -1: "O has won"}
        held = "; in hand: X {}, O {}".format(*_hands(s)) if s.hand else ""
        printed = Grid(
            grid,
            columns=[chr(97 + column) for column in range(size)],
            rows=[str(row + 1) for row in reversed(range(size))],
            caption=over[self.result(s)] + held,
        )
        places = enumerate(self.board.places)
        spots = {self._name(p): Spot(c + 1.1, size - row - 0.5, "point") for p, (c, row) in places}
        men = {self._name(p): _mark(s, p) for p in range(self.board.cells)}
        pieces = {name: Piece(mark, "XO".index(mark), "disc") for name, mark in men.items() if mark != "."}
        lines = [(self._name(path[0]), self._name(path[-1])) for path in self.board.paths]
        return Picture(spots, pieces, lines, printed.board().words, printed.caption, printed.text())


def _hands(s: Any) -> tuple[int, int]:
    """What the first and the second player have in hand."""
    mover, other = (s.hand + 1) // 2, s.hand // 2
    return (other, mover) if s.turn else (mover, other)


def _mark(s: Any, point: int) -> str:
    return "X" if int(s.first) >> point & 1 else "O" if int(s.second) >> point & 1 else "."
