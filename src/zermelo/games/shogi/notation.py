"""How positions and moves of shogi are written, read and drawn: SFEN and USI.

SFEN is the board row by row from the second player's side, capitals for the first player, + before a promoted piece;
then b if the first player (Black) is to move or w; the pieces in hand, such as RB2Pp, or -; and the number of the move,
which says nothing about the position: it is read over, and written as 1. Fairy-Stockfish's form puts the hand into
brackets behind the board and says w for the first player: rbsgk/4p/5/P4/KGSBR[-] w. Moves are those of USI: 7g7f,
8h2b+ (promotes), P*5e (drops); files are numbered from the right, rows are letters from the top.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from zermelo.games.shogi.board import (
    KING,
    LETTERS,
    MUST_PROMOTE,
    PAWN,
    PROMOTED,
    ROOK,
    SECOND,
    Board,
    is_promotable,
)
from zermelo.rules import Grid, PositionError, Struct

_HAND_ORDER = "RBGSNLP"
_NAMES = {"P": "pawns", "L": "lances", "N": "knights", "S": "silvers", "G": "golds", "B": "bishops", "R": "rooks"}
_SFEN = re.compile(r"(?:sfen\s+)?([^\s\[\]]+/[^\s\[\]]+)\s+([bw])(?:\s+(\S+))?(?:\s+\d+)?")
_BRACKETS = re.compile(r"([^\s\[\]]+/[^\s\[\]]+)\[([^\s\]]*)\]\s+([wb])(?:\s+.*)?")


class Notation:
    """The texts of one board. `build(board, hands, turn)` makes a state, `attacked(s, square, by)` is the rule."""

    def __init__(
        self, board: Board, start: str, build: Callable[[list[int], list[int], int], Struct], attacked: Any
    ) -> None:
        self.board, self.start, self.build, self.attacked = board, start, build, attacked
        self.marks = {mark(piece): piece for piece in range(1, 32) if is_piece(board, piece)}

    def square_name(self, square: int) -> str:
        row, file = self.board.place(square)
        return f"{self.board.files - file}{chr(97 + row)}"

    def move_text(self, s: Any, move: int) -> str:
        cells = self.board.cells
        target = self.square_name(move % cells)
        if move >= 2 * cells * cells:
            return f"{LETTERS[move // cells - 2 * cells]}*{target}"
        promotes = move >= cells * cells
        return self.square_name(move // cells % cells) + target + "+" * promotes

    def hand_text(self, s: Any, side: int) -> str:
        """What a side holds, dearest first."""
        found = ""
        for letter in _HAND_ORDER:
            count = _in_hand(s, side, letter)
            if count:
                found += (str(count) if count > 1 else "") + (letter.lower() if side else letter)
        return found

    def position_text(self, s: Any) -> str:
        rows = []
        for row in range(self.board.ranks):
            pieces = [int(s.board[self.board.square(row, file)]) for file in range(self.board.files)]
            rows.append("".join(mark(piece) or "1" for piece in pieces))
        board = re.sub("1+", lambda blanks: str(len(blanks[0])), "/".join(rows))
        return f"{board} {'bw'[int(s.turn)]} {self.hand_text(s, 0) + self.hand_text(s, 1) or '-'} 1"

    def read_position(self, text: str) -> Struct | None:
        """The state that a text describes; None if it holds no board and so can only be moves."""
        if "/" not in text:
            return None
        rows, hand, turn = self._parts(text)
        if hand.upper() == hand.lower() and hand != "-":
            raise PositionError(f"{hand!r} in {text!r} is no hand: write the pieces, such as RB2Pp, or -")
        board, hands = self._board(rows, text), self._hands(hand, text)
        self._count(board, hands, text)
        state = self.build(board, hands, turn)
        self._sound(state, turn, text)
        return state

    def _parts(self, text: str) -> tuple[str, str, int]:
        form = _BRACKETS.fullmatch(text)
        if form:
            return form[1], form[2] or "-", "wb".index(form[3])
        form = _SFEN.fullmatch(text)
        if form is None:
            raise PositionError(
                f"{text!r} is no SFEN: rows from the top, b or w to move, pieces in hand or -, a number, such as "
                f"{self.start}"
            )
        return form[1], form[3] or "-", "bw".index(form[2])

    def _board(self, text: str, whole: str) -> list[int]:
        board, size = self.board.empty(), self.board.files
        rows = text.split("/")
        if len(rows) != self.board.ranks:
            raise PositionError(f"{whole!r} has {len(rows)} rows, the board has {self.board.ranks}")
        for row, line in enumerate(rows):
            spread = re.sub(r"\d", lambda blanks: "." * int(blanks[0]), line)
            pieces = re.findall(r"\+?.", spread)
            if len(pieces) != size:
                raise PositionError(f"row {line} of {whole!r} has {len(pieces)} squares, not {size}")
            for file, name in enumerate(pieces):
                if name == ".":
                    continue
                if name not in self.marks:
                    raise PositionError(f"{name} in {whole!r} is no piece: {' '.join(self._known())}, or small ones")
                board[self.board.square(row, file)] = self.marks[name]
        return board

    def _known(self) -> list[str]:
        return [name for name in self.marks if name.isupper()]

    def _hands(self, text: str, whole: str) -> list[int]:
        hands = [0] * 16
        if text == "-":
            return hands
        items = re.findall(r"(\d*)(.)", text)
        for count, name in items:
            kind = LETTERS.find(name.upper())
            if kind not in self.board.kinds or count == "0":
                known = [LETTERS[k] for k in self.board.kinds]
                raise PositionError(f"{count}{name} in {whole!r} cannot be in hand: {' '.join(known)}, or small ones")
            hands[8 * name.islower() + kind] += int(count[:4] or 1)
        return hands

    def _count(self, board: list[int], hands: list[int], text: str) -> None:
        for side, who in enumerate(("first", "second")):
            kings = board.count(KING + SECOND * side)
            if kings > 1:
                raise PositionError(f"{text!r} has {kings} kings of the {who} player, who has one at most")
        if KING not in board and KING + SECOND not in board:
            raise PositionError(f"{text!r} has no king: at least one player must have one")
        for kind in range(PAWN, ROOK + 1):
            pieces = [kind + extra for extra in (0, PROMOTED, SECOND, SECOND + PROMOTED)]
            found = sum(board.count(piece) for piece in pieces) + hands[kind] + hands[8 + kind]
            if found > self.board.counts[kind]:
                raise PositionError(
                    f"{text!r} has {found} {_NAMES[LETTERS[kind]]}, on the board and in hand, and there are only "
                    f"{self.board.counts[kind]}"
                )

    def _sound(self, state: Any, turn: int, text: str) -> None:
        for square in self.board.squares:
            piece = int(state.board[square])
            if int(self.board.promotion[self.board.cells * piece + square]) & MUST_PROMOTE:
                raise PositionError(
                    f"the {mark(piece)} on {self.square_name(square)} in {text!r} could never move again, which is "
                    "not allowed"
                )
        for file in range(self.board.files):
            column = [int(state.board[self.board.square(row, file)]) for row in range(self.board.ranks)]
            for pawn in (PAWN, PAWN + SECOND):
                if column.count(pawn) > 1:
                    raise PositionError(f"{text!r} has two pawns {mark(pawn)} on file {self.board.files - file}")
        king = int(state.kings[1 - turn])
        if king and self.attacked(state, king, turn):
            raise PositionError(
                f"in {text!r} the {('first', 'second')[turn]} player could take the king on {self.square_name(king)}"
            )

    def draw(self, s: Any) -> Grid:
        board = self.board
        held = f"in hand: {self.hand_text(s, 0) or '-'} and {self.hand_text(s, 1) or '-'}"
        return Grid(
            [
                [mark(int(s.board[board.square(row, file)])) or "." for file in range(board.files)]
                for row in range(board.ranks)
            ],
            columns=[str(board.files - file) for file in range(board.files)],
            rows=[chr(97 + row) for row in range(board.ranks)],
            style="letter",
            owners={name: piece // SECOND for name, piece in self.marks.items()},
            caption=f"{held}; {'small' if s.turn else 'CAPITALS'} to move",
            hands=(self._hand(s, 0), self._hand(s, 1)),
        )

    def _hand(self, s: Any, side: int) -> dict[str, int]:
        """How many a side holds of each piece, dearest first."""
        held = {letter: _in_hand(s, side, letter) for letter in _HAND_ORDER}
        return {letter.lower() if side else letter: count for letter, count in held.items()}


def _in_hand(s: Any, side: int, letter: str) -> int:
    return int(s.hands[side]) >> 8 * LETTERS.index(letter) & 255


def mark(piece: int) -> str:
    """A piece as SFEN writes it; nothing for an empty square."""
    if piece == 0:
        return ""
    plain = piece & 15 != KING and piece & PROMOTED
    letter = LETTERS[piece & 7] if plain else LETTERS[piece & 15]
    return "+" * bool(plain) + (letter.lower() if piece & SECOND else letter)


def is_piece(board: Board, piece: int) -> bool:
    """Whether a number stands for a piece of this board."""
    kind = piece & 15
    if kind <= KING:
        return kind > 0 and (kind == KING or board.counts[kind] > 0)
    return is_promotable(kind - PROMOTED) and board.counts[kind - PROMOTED] > 0
