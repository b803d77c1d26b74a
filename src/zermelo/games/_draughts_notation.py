"""Positions of draughts as text: the FEN of PDN, such as B:W18,24,K10:B1-4,K22, who moves and both sides' squares.

K stands before the number of a king's square. :H12 counts the plies without progress, as far as there are any; :F and
the number of the move are read over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from zermelo.rules import PositionError


def write_fen(turn: int, marks: Sequence[str], clock: int) -> str:
    """marks: what stands on each square, b or w, capital for a king."""
    held = {"w": "", "b": ""}
    for colour in held:
        standing = [("K" if m.isupper() else "") + str(q) for q, m in enumerate(marks, 1) if m.lower() == colour]
        held[colour] = ",".join(standing)
    return f"{'BW'[turn]}:W{held['w']}:B{held['b']}" + (f":H{clock}" if clock else "")


def read_fen(text: str, squares: int) -> tuple[int, dict[str, set[tuple[int, bool]]], int]:
    """Who is to move, on which squares each side stands and whether with a king, and the plies without progress."""
    form = re.fullmatch(r"([BW]):([BW])([\dK,-]*):([BW])([\dK,-]*)(?::H(\d{1,4}))?(?::F\d+)?\.?", text.strip().upper())
    if form is None or form[2] == form[4]:
        raise PositionError(
            f"draughts: a position is the side to move and the squares of both, such as B:W18,24,K10:B1-4,K22, "
            f"K for kings; this is not: {text!r}"
        )
    held: dict[str, set[tuple[int, bool]]] = {}
    for colour, listed in ((form[2], form[3]), (form[4], form[5])):
        standing: list[tuple[int, bool]] = []
        for part in filter(None, listed.split(",")):
            found = re.fullmatch(r"(K?)(\d{1,2})(?:-(\d{1,2}))?", part)
            begun, ended = (int(found[2]), int(found[3] or found[2])) if found else (0, 0)
            if found is None or not 1 <= begun <= ended <= squares:
                raise PositionError(f"draughts: {part} in {text!r} is not among the squares from 1 to {squares}")
            standing += [(q - 1, bool(found[1])) for q in range(begun, ended + 1)]
        squares_named = [q for q, _ in standing]
        twice = next((q for q in squares_named if squares_named.count(q) > 1), None)
        if twice is not None:
            raise PositionError(f"draughts: {twice + 1} stands twice in {text!r}")
        held[colour] = set(standing)
    return "BW".index(form[1]), held, int(form[6] or 0)
