"""Positions of chess as texts: FEN (Steven Edwards, 1994, Portable Game Notation, section 16.1), read and written.

Rows from the top, the side to move, castling rights, the square for a capture en passant, the plies since the last
capture or pawn's move, the number of the move. Only the first two must be there. As the rules about repetition want it,
the square en passant is kept only if the capture is legal; and the number of the move, which nothing depends on, is
always written as 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from zermelo.games.chess.attacks import KING, PAWN, attackers
from zermelo.games.chess.boards import LETTERS, Board, square_name, unfold
from zermelo.games.chess.playing import BLACK_MOVES, COLUMNS, LIMIT, RIGHTS, State
from zermelo.rules import Grid, PositionError, Struct, bit_index
from zermelo.rules.figures import CHESS
from zermelo.rules.language import Rule

_RIGHTS = "KQkq"
_HOMES = {
    "K": ("K", "e1", "R", "h1"), "Q": ("K", "e1", "R", "a1"), "k": ("k", "e8", "r", "h8"), "q": ("k", "e8", "r", "a8"),
}  # fmt: skip
_USUAL = {"n": 2, "b": 2, "r": 2, "q": 1}
_SIDES = ("White", "Black")
MOST_COUNTED = 99_999
"""The largest number of plies or moves that is read."""


class Fen:
    """The texts of one board. `place` and `can_pass_by` are rules of the game; `clock`: plies are counted."""

    def __init__(self, board: Board, place: Rule, can_pass_by: Rule, clock: bool) -> None:
        self.board, self.place, self.can_pass_by, self.clock = board, place, can_pass_by, clock

    def marks(self, s: Any) -> list[str]:
        """The rows from the top, a dot for an empty square."""
        squares = ["."] * 64
        for kind, letter in enumerate(LETTERS):
            for square in range(64):
                if int(s.kinds[kind]) >> square & 1:
                    squares[square] = letter.upper() if int(s.sides[0]) >> square & 1 else letter
        return ["".join(squares[8 * row : 8 * row + self.board.cols]) for row in reversed(range(self.board.rows))]

    def write(self, s: Any) -> str:
        placed = "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in self.marks(s))
        rights = "".join(letter for number, letter in enumerate(_RIGHTS) if s.castling >> number & 1)
        passed = square_name(s.passed) if s.passed else "-"
        return f"{placed} {'wb'[s.turn]} {rights or '-'} {passed} {s.clock} 1"

    def draw(self, s: Any) -> Grid:
        return Grid(
            [list(row) for row in self.marks(s)],
            columns=[chr(97 + column) for column in range(self.board.cols)],
            rows=[str(row + 1) for row in reversed(range(self.board.rows))],
            style="letter",
            owners={mark: int(mark.islower()) for letter in LETTERS for mark in (letter, letter.upper())},
            caption=f"{_SIDES[s.turn]} to move",
            figures=CHESS,
            shaded=True,
        )

    def read(self, text: str) -> Struct:
        """The position that a FEN describes. What it cannot be is refused, with what would be right."""

        def refused(why: str) -> PositionError:
            return PositionError(f"{why}: {text!r}")

        fields = text.split()
        if not 2 <= len(fields) <= 6:
            raise refused(
                "a FEN has from 2 to 6 parts (rows from the top, w or b, castling rights, square en passant, clock, "
                f"number of the move), and this has {len(fields)}"
            )
        placed, turn, rights, passed, clock, number = [*fields, *["w", "-", "-", "0", "1"][len(fields) - 1 :]]
        if turn not in ("w", "b"):
            raise refused(f"the side to move is w or b, not {turn!r}, in")
        for what, told in (("the plies since a capture or a pawn's move are", clock), ("the move's number is", number)):
            if not re.fullmatch("[0-9]{1,5}", told):
                raise refused(f"{what} a whole number from 0 to {MOST_COUNTED}, not {told!r}, in")
        s: Any = State().copy()
        self._place_all(s, placed, refused)
        s.turn = int(turn == "b")
        waiting = 1 - s.turn
        king = bit_index(s.kinds[KING] & s.sides[waiting])
        if attackers(s, king, s.turn, s.sides[0] | s.sides[1]):
            raise refused(
                f"{_SIDES[s.turn]} is to move and could take the king on {square_name(king)}: it would be "
                f"{_SIDES[waiting]}'s move, in"
            )
        s.castling = self._rights(rights, self.marks(s), refused)
        s.hash ^= RIGHTS[s.castling]
        if s.turn == 1:
            s.hash ^= BLACK_MOVES
        if passed != "-":
            target = self._passed(passed, s, refused)
            if self.can_pass_by(s, target, s.turn):
                s.passed = target
                s.hash ^= COLUMNS[target & 7]
        s.clock = min(int(clock), LIMIT) if self.clock else 0
        return s  # type: ignore[no-any-return]

    def _place_all(self, s: Any, placed: str, refused: Callable[[str], PositionError]) -> None:
        """Put the pieces onto an empty board."""
        board = self.board
        unknown = re.sub(f"[{LETTERS}{LETTERS.upper()}1-9/]", "", placed)
        if unknown:
            raise refused(f"{unknown[0]!r} is no piece: those are {' '.join(LETTERS.upper())} and small ones, in")
        rows = [unfold(row) for row in placed.split("/")]
        if len(rows) != board.rows:
            raise refused(f"the board has {board.rows} rows, and there are {len(rows)} in")
        for number, marks in zip(range(board.rows, 0, -1), rows):
            if len(marks) != board.cols:
                raise refused(f"a row has {board.cols} squares, and row {number} has {len(marks)} in")
        if set(rows[0] + rows[-1]) & {"p", "P"}:
            raise refused("no pawn stands on the first or last row, as one does in")
        for side, own in zip(_SIDES, (LETTERS.upper(), LETTERS)):
            self._count(side, own, "".join(rows), refused)
        for row, letters in enumerate(reversed(rows)):
            for column, mark in enumerate(letters):
                if mark != ".":
                    self.place(s, int(mark.islower()), LETTERS.index(mark.lower()), 8 * row + column, 1)

    def _count(self, side: str, letters: str, marks: str, refused: Callable[[str], PositionError]) -> None:
        """Refuse what cannot come about from the usual pieces and a pawn for every column."""
        kings, pawns = marks.count(letters[KING]), marks.count(letters[PAWN])
        if kings != 1:
            raise refused(f"{side} has {kings or 'no'} king{'s' if kings > 1 else ''} instead of 1 in")
        promoted = sum(max(0, marks.count(letters[LETTERS.index(k)]) - usual) for k, usual in _USUAL.items())
        if pawns + promoted > self.board.cols:
            raise refused(
                f"{side} has {pawns} pawn{'s' * (pawns != 1)} and {promoted} piece{'s' * (promoted != 1)} that only "
                f"promotion gives, more than the {self.board.cols} pawns that there were, in"
            )

    def rights_of(self, rows: list[str]) -> str:
        """The castling rights that there can be where pieces stand so."""
        if not self.board.castles:
            return ""
        standing = {f"{chr(97 + c)}{8 - r}": mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
        homes = _HOMES.items()
        return "".join(right for right, (k, home, r, corner) in homes if (standing[home], standing[corner]) == (k, r))

    def _rights(self, rights: str, rows: list[str], refused: Callable[[str], PositionError]) -> int:
        possible = self.rights_of(rows)
        if rights == "-":
            return 0
        twice = next((right for right in rights if rights.count(right) > 1), None)
        if twice is not None:
            raise refused(f"the castling rights {rights} say {twice} twice; each stands once, not as in")
        if not set(rights) <= set(possible):
            raise refused(
                f"the castling rights {rights} are impossible where king and rooks stand so: at most "
                f"{possible or '-'} would be right in"
            )
        return sum(1 << _RIGHTS.index(right) for right in rights)

    def _passed(self, name: str, s: Any, refused: Callable[[str], PositionError]) -> int:
        """The square behind a pawn that can just have made two steps."""
        square = self.board.square(name) if len(name) == 2 else None
        row, back = (5, -8) if s.turn == 0 else (2, 8)
        if square is None or not self.board.double_steps or square // 8 != row:
            wanted = f"on row {row + 1}" if self.board.double_steps else "written - on this board"
            raise refused(f"the square en passant is {wanted} where {_SIDES[s.turn]} is to move, not {name}, in")
        taken = int(s.sides[0] | s.sides[1])
        pawns = int(s.kinds[PAWN] & s.sides[1 - s.turn])
        if not pawns >> (square + back) & 1 or taken >> square & 1 or taken >> (square - back) & 1:
            raise refused(
                f"the square en passant is {name}, but no pawn of {_SIDES[1 - s.turn]}'s can have passed it: one must "
                f"stand on {square_name(square + back)}, and {name} and {square_name(square - back)} be empty, in"
            )
        return square
