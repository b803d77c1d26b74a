"""What others call our games, moves and positions, where they do not say what we say.

A move in a command is one word: where ours holds a blank, an underscore stands for it. Fairy-Stockfish's names of
variants and squares are those that chess GUIs know, so they are the ones to translate to; in USI squares are counted
as in shogi, files by numbers from the right and ranks by letters from the top.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby

from zermelo.rules import Game, Position, PositionError, ZermeloError

_SQUARE = re.compile(r"([a-i])(10|\d)")


def _same(text: str) -> str:
    return text


@dataclass(frozen=True)
class Notation:
    """How a game is spoken of. variant: its name. move, fen: our texts as others write them; own_fen: the way back."""

    variant: str
    move: Callable[[str], str] = _same
    fen: Callable[[str], str] = _same
    own_fen: Callable[[str], str] = _same

    def written(self, text: str) -> str:
        """A move text of ours as one word of theirs."""
        return self.move(text).replace(" ", "_")

    def read(self, position: Position, word: str) -> int:
        """The legal move that a word means: theirs, or one of ours. A promotion that the rules leave no choice about
        need not be said: to Fairy-Stockfish a chick of dobutsu may stay one, to us it may not."""
        words = {self.written(position.text_of(code)): code for code in position.codes}
        lower = {known.lower(): code for known, code in words.items()}
        for known, asked in ((words, word), (lower, word.lower()), (lower, f"{word.lower()}+")):
            if asked in known:
                return known[asked]
        return position.code_of(word)

    def position(self, game: Game, text: str) -> Position:
        """The position that a text describes, theirs or ours."""
        if self.own_fen is not _same:
            with suppress(ZermeloError):
                return game.position(self.own_fen(text))
        return game.position(text)

    def text(self, position: Position) -> str:
        """A position as others write it."""
        return self.fen(position.text())


def notation_of(game: Game, protocol: str) -> Notation:
    """What is spoken of a game in a protocol."""
    return _KNOWN.get((game.name, protocol)) or _KNOWN.get((game.name, "")) or Notation(game.name)


def _pawns(text: str) -> str:
    """A breakthrough position with pawns for marks."""
    board, turn = text.split()
    return f"{board.translate(str.maketrans('XO', 'Pp'))} {'w' if turn == 'X' else 'b'} - - 0 1"


def _marks(text: str) -> str:
    """Marks for pawns."""
    board, turn = _fields(text, 2)
    if turn not in "wb":
        raise PositionError(f"{text!r} does not say who is to move: w or b")
    return f"{board.translate(str.maketrans('Pp', 'XO'))} {'X' if turn == 'w' else 'O'}"


def _fields(text: str, count: int) -> list[str]:
    """The first words of a position; what follows are counters of moves."""
    words = text.split()
    if len(words) < count:
        raise PositionError(f"{text!r} is no position: it has {len(words)} words of at least {count}")
    return words[:count]


def _pocket(text: str) -> str:
    """A dobutsu position of ours from one with counters, where an empty hand is []."""
    board, turn = _fields(text, 2)
    return f"{board if '[' in board else board + '[]'} {turn}".replace("[]", "[-]")


def _shogi_squares(width: int, height: int) -> Callable[[str], str]:
    """Moves with squares counted from the left and below, as USI writes them."""

    def square(found: re.Match[str]) -> str:
        return f"{width - (ord(found[1]) - ord('a'))}{chr(ord('a') + height - int(found[2]))}"

    return lambda text: _SQUARE.sub(square, text).replace("@", "*")


def _chess_squares(width: int, height: int) -> Callable[[str], str]:
    """Moves with USI's squares, as chess GUIs write them."""

    def square(found: re.Match[str]) -> str:
        return f"{chr(ord('a') + width - int(found[1]))}{height - (ord(found[2]) - ord('a'))}"

    return lambda text: re.sub(r"(\d)([a-i])", square, text).replace("*", "@")


def _sfen(text: str) -> str:
    """A dobutsu position as an SFEN: black is the first player, and pieces in hand are counted."""
    board, turn = text.split()
    squares, _, hand = board.rstrip("]").partition("[")
    return f"{squares} {'b' if turn == 'w' else 'w'} {_counted(hand) or '-'} 1"


def _counted(hand: str) -> str:
    """Pieces in hand, each once with how many there are."""
    counts = [(piece, len(list(same))) for piece, same in groupby(sorted(hand.replace("-", "")))]
    return "".join(f"{count if count > 1 else ''}{piece}" for piece, count in counts)


def _own_of_sfen(text: str) -> str:
    squares, turn, held = _fields(text, 3)
    hand = "".join(piece * int(count or 1) for count, piece in re.findall(r"(\d*)([A-Za-z])", held))
    return f"{squares}[{hand or '-'}] {'w' if turn == 'b' else 'b'}"


def _rows_from_one(text: str) -> str:
    """Moves with rows from 0, with rows from 1."""
    return _SQUARE.sub(lambda found: f"{found[1]}{int(found[2]) + 1}", text)


def _in_pocket(text: str) -> str:
    """An SFEN as a FEN with the hand in brackets; white is the first player."""
    squares, turn, held = _fields(text, 3)
    hand = "".join(piece * int(count or 1) for count, piece in re.findall(r"(\d*)([A-Za-z])", held))
    return f"{squares}[{hand}] {'w' if turn == 'b' else 'b'} - - 0 1"


def _out_of_pocket(text: str) -> str:
    board, turn = _fields(text, 2)
    squares, bracket, hand = board.rstrip("]").partition("[")
    if not bracket or turn not in "wb":
        raise PositionError(f"{text!r} is no FEN of shogi, with the hands in brackets")
    return f"{squares} {'b' if turn == 'w' else 'w'} {_counted(hand) or '-'} 1"


_KNOWN = {
    ("breakthrough", ""): Notation("breakthrough", fen=_pawns, own_fen=_marks),
    ("dobutsu", ""): Notation("dobutsu", own_fen=_pocket),
    ("dobutsu", "usi"): Notation("dobutsu", _shogi_squares(3, 4), _sfen, _own_of_sfen),
    ("shogi", "uci"): Notation("shogi", _chess_squares(9, 9), _in_pocket, _out_of_pocket),
    ("minishogi", "uci"): Notation("minishogi", _chess_squares(5, 5), _in_pocket, _out_of_pocket),
    ("xiangqi", "uci"): Notation("xiangqi", _rows_from_one),
}
