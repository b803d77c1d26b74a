"""Moves of chess as people and PGN files write them: SAN (Nf3, exd5, O-O, e8=Q+), read and written.

Reading is lenient where nothing can be mistaken, as python-chess is: marks of check, capture and quality that are false
or missing, capital or missing =, zeros for O, a piece's square given in full. What fits several legal moves is refused
with all of them.
"""

from __future__ import annotations

import re
from typing import Any

from zermelo.games.chess.attacks import KING, NOTHING, PAWN, bit, in_check, kind_at
from zermelo.games.chess.boards import LETTERS, square_name
from zermelo.rules import MoveBuffer, MoveError, wrapping
from zermelo.rules.language import Rule

MOST_MOVES = 218
"""In no position that can come about are there more (Nenad Petrović, 1964)."""
_SAN = re.compile(
    r"(?P<kind>[KQRBN]?)(?P<start>[a-h]?[1-8]?)[x:-]?(?P<to>[a-h][1-8])(?:=?\(?(?P<becomes>[QRBNqrbn])\)?)?"
)
_CASTLING = {"O-O": 2, "O-O-O": -2}


def uci_text(move: int) -> str:
    """A move as engines write it: e2e4, e7e8q."""
    return square_name(move >> 6 & 63) + square_name(move & 63) + (LETTERS[move >> 12] if move >> 12 else "")


def _legal(moves: Rule, s: Any) -> list[int]:
    out = MoveBuffer(MOST_MOVES, "chess")
    return out[: moves(s, out)]


def _kind(s: Any, square: int) -> int:
    return int(kind_at(s, bit(square)))


@wrapping
def write_san(moves: Rule, play: Rule, s: Any, move: int) -> str:
    """A legal move in SAN, by the rules of the game."""
    start, to, becomes = move >> 6 & 63, move & 63, move >> 12
    kind = _kind(s, start)
    if kind == KING and abs(to - start) == 2:
        text = "O-O" if to > start else "O-O-O"
    elif kind == PAWN:
        captures = start % 8 != to % 8
        text = (f"{square_name(start)[0]}x" if captures else "") + square_name(to)
        text += f"={LETTERS[becomes].upper()}" if becomes else ""
    else:
        captures = _kind(s, to) != NOTHING
        rivals = [other >> 6 & 63 for other in _legal(moves, s) if other & 63 == to and other != move]
        rivals = [square for square in rivals if _kind(s, square) == kind]
        text = LETTERS[kind].upper() + _told_apart(start, rivals) + "x" * captures + square_name(to)
    after = s.copy()
    play(after, move)
    if in_check(after):
        text += "+" if _legal(moves, after) else "#"
    return text


@wrapping
def read_san(moves: Rule, s: Any, text: str) -> int | None:
    """The legal move that a text in SAN names, None if it names none."""
    plain = text.strip().rstrip("+#!?").replace("0-0", "O-O").replace("O-0", "O-O")
    legal = _legal(moves, s)
    if plain in _CASTLING:
        fitting = [m for m in legal if (m & 63) - (m >> 6 & 63) == _CASTLING[plain]]
        fitting = [m for m in fitting if _kind(s, m >> 6 & 63) == KING]
        return fitting[0] if fitting else None
    found = _SAN.fullmatch(plain)
    if found is None:
        return None
    kind = LETTERS.index(found["kind"].lower()) if found["kind"] else PAWN
    start = found["start"] or (found["to"][0] if kind == PAWN else "")  # a capturing pawn tells where it comes from
    becomes = LETTERS.index(found["becomes"].lower()) if found["becomes"] else 0
    fitting = [
        move for move in legal
        if square_name(move & 63) == found["to"] and move >> 12 == becomes
        and _kind(s, move >> 6 & 63) == kind and _fits(square_name(move >> 6 & 63), start)
    ]  # fmt: skip
    if len(fitting) > 1:
        raise MoveError(f"{text!r} is ambiguous here: it may be {' or '.join(map(uci_text, fitting))}")
    return fitting[0] if fitting else None


def _fits(square: str, told: str) -> bool:
    return told in ("", square, square[0], square[1])


def _told_apart(start: int, rivals: list[int]) -> str:
    """What tells a piece from others of its kind that could go there too: its column, its row, or both."""
    if not rivals:
        return ""
    name = square_name(start)
    if all(square % 8 != start % 8 for square in rivals):
        return name[0]
    return name[1] if all(square // 8 != start // 8 for square in rivals) else name
