"""How positions and moves of Go are written.

A move is a point as in GTP: a letter for the column, from the left, without I, and the number of the row from below;
or `pass`. A position is its rows from the top, `/` between them, then whose turn it is, where ko forbids to play, how
many passes were just made, and White's stones taken so far less Black's:

    .X./XO./... b - 0 0

The last ones may be left out. Points are `X` (Black), `O` (White) and `.`; for sub-games `#` and `@` are a black and a
white stone that is the target, and `x`, `o` and `:` are points of the region.
"""

from __future__ import annotations

from typing import Any

from zermelo.games.go.board import BLACK, EMPTY, NOWHERE, STRAIGHT, WHITE, Board, Setup, neighbours
from zermelo.rules import Grid, PositionError

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_MARKS = {".": EMPTY, "X": BLACK, "O": WHITE, ":": EMPTY, "x": BLACK, "o": WHITE, "#": BLACK, "@": WHITE}
_TURNS = "bw"


class Notation:
    """The texts and the picture for one board."""

    def __init__(self, board: Board, rows: int, cols: int) -> None:
        self.board, self.rows, self.cols, self.cells = board, rows, cols, rows * cols
        self.near = neighbours(rows, cols, STRAIGHT)

    def name(self, point: int) -> str:
        return f"{LETTERS[point % self.cols]}{self.rows - point // self.cols}"

    def move_text(self, s: Any, move: int) -> str:
        return "pass" if move == self.cells else self.name(move)

    def position_text(self, s: Any) -> str:
        told = self.board.told(s)
        marks = []
        for point, stone in enumerate(told.stones):
            inside = point in told.region
            mark = "#@"[stone - 1] if point == told.target and stone else (".XO", ":xo")[inside][stone]
            marks.append(mark)
        rows = "/".join("".join(marks[r * self.cols : (r + 1) * self.cols]) for r in range(self.rows))
        ko = "-" if told.ko == NOWHERE else self.name(told.ko)
        return f"{rows} {_TURNS[told.turn]} {ko} {told.passes} {told.prisoners}"

    def read_position(self, text: str) -> Any:
        words = text.split()
        unknown = next((mark for mark in words[0] if mark not in _MARKS and mark != "/"), None)
        if unknown is not None and "/" not in words[0]:
            return None
        if unknown is not None:
            raise PositionError(
                f"{unknown!r} in {words[0]!r} is no sign of the board: X and O are stones, . is an empty point; x, o "
                "and : are those of a region, # and @ a black and a white stone that is the target"
            )
        lines = words[0].split("/")
        if len(lines) != self.rows or any(len(line) != self.cols for line in lines):
            raise PositionError(
                f"{words[0]!r} is no board of {self.rows}×{self.cols}: give {self.rows} rows of {self.cols} points "
                "from the top, with / between them"
            )
        if len(words) > 5:
            raise PositionError(f"{' '.join(words[5:])!r} stands behind the position: nothing follows the prisoners")
        turn, ko, passes, prisoners = [*words[1:], *("b", "-", "0", "0")[len(words) - 1 :]]
        marks = "".join(lines)
        if turn not in _TURNS:
            raise PositionError(f"{turn!r} is no turn: b if Black is to move, w if White is")
        if passes not in ("0", "1", "2"):
            raise PositionError(f"{passes!r} is no number of passes: 0, 1 or 2, with which the game is over")
        if not _is_whole(prisoners) or abs(int(prisoners)) > 3 * self.cells:
            raise PositionError(f"{prisoners!r} is no lead in prisoners: a whole number up to {3 * self.cells}")
        targets = [point for point, mark in enumerate(marks) if mark in "#@"]
        if len(targets) > 1:
            raise PositionError(f"{len(targets)} stones are marked as the target: mark one stone of the chain")
        setup = Setup(
            [_MARKS[mark] for mark in marks], _TURNS.index(turn), self._point(ko), int(passes), int(prisoners),
            targets[0] if targets else NOWHERE, frozenset(point for point, mark in enumerate(marks) if mark in "xo:"),
        )  # fmt: skip
        self._check(setup)
        return self.board.make(setup)

    def _point(self, text: str) -> int:
        """The point that a ko is at."""
        if text == "-":
            return NOWHERE
        column, row = LETTERS.find(text[:1].upper()), text[1:]
        if not 0 <= column < self.cols or not row.isascii() or not row.isdigit() or not 1 <= int(row) <= self.rows:
            raise PositionError(
                f"{text!r} is no point: - if there is no ko, else A1 to {self.name(self.cols - 1)}, without I"
            )
        return (self.rows - int(row)) * self.cols + column

    def _check(self, setup: Setup) -> None:
        """Refuse what cannot stand on a board."""
        for point, stone in enumerate(setup.stones):
            if stone != EMPTY and not self._liberties(setup.stones, point):
                raise PositionError(f"the chain at {self.name(point)} has no liberty, so it cannot stand there")
        if setup.region and len(setup.stones) > 64:
            raise PositionError("a region can be marked on boards of up to 64 points: leave x, o and : out")
        if setup.ko == NOWHERE:
            return
        beside = [int(to) for to in self.near[4 * setup.ko : 4 * setup.ko + 4] if to >= 0]
        theirs = WHITE - setup.turn
        lone = [to for to in beside if self._liberties(setup.stones, to) == {setup.ko}]
        if (
            setup.stones[setup.ko] != EMPTY
            or setup.passes
            or any(setup.stones[to] != theirs for to in beside)
            or len(lone) != 1
            or len(self._chain(setup.stones, lone[0])) != 1
        ):
            raise PositionError(
                f"no ko can be at {self.name(setup.ko)}: it is where the player to move could take back, at once, the "
                "stone that just took one there"
            )

    def _chain(self, stones: list[int], point: int) -> set[int]:
        found, waiting = {point}, [point]
        while waiting:
            at = waiting.pop()
            for to in self.near[4 * at : 4 * at + 4].tolist():
                if to >= 0 and to not in found and stones[to] == stones[point]:
                    found.add(to)
                    waiting.append(to)
        return found

    def _liberties(self, stones: list[int], point: int) -> set[int]:
        beside = (to for at in self._chain(stones, point) for to in self.near[4 * at : 4 * at + 4].tolist())
        return {to for to in beside if to >= 0 and stones[to] == EMPTY}

    def draw(self, s: Any) -> Grid:
        told = self.board.told(s)
        marks = "".join(".XO"[stone] for stone in told.stones)
        notes = [f"{('Black', 'White')[told.turn]} to move"] if told.passes < 2 else ["two passes"]
        notes += [f"ko at {self.name(told.ko)}"] * (told.ko != NOWHERE) + ["a pass"] * (told.passes == 1)
        notes += [f"prisoners {told.prisoners:+}"] * (told.prisoners != 0)
        notes += [f"target {self.name(told.target)}"] * (told.target != NOWHERE)
        return Grid(
            [marks[r * self.cols : (r + 1) * self.cols] for r in range(self.rows)],
            columns=list(LETTERS[: self.cols]),
            rows=[str(self.rows - r) for r in range(self.rows)],
            caption=", ".join(notes),
            crossings=True,
        )


def _is_whole(text: str) -> bool:
    digits = text[1:] if text[:1] in ("-", "+") else text
    return digits.isascii() and digits.isdigit()
