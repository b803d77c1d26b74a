"""How many positions of a tier are won, drawn and lost for the player to move, and how long it takes."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.modes import Interpreted
from zermelo.knowledge.coding import FAR, UNUSED, Coding, decoder

AT_ONCE = 1 << 20
"""So many entries are looked at together: counting them takes 8 bytes for each."""


def count_code(entries: Any, code: float) -> int:
    """How often a code stands in a tier."""
    pieces = (entries[begin : begin + AT_ONCE] for begin in range(0, len(entries), AT_ONCE))
    return 0 if code < 0 else sum(int(np.count_nonzero(piece == code)) for piece in pieces)


class Counted(NamedTuple):
    """by_distance: plies, and how many positions are won and lost in as many."""

    positions: int
    won: int
    drawn: int
    lost: int
    longest: int | None
    by_distance: list[tuple[int, int, int]]


def count_values(entries: Any, coding: Coding) -> Counted:
    """Count the entries of a tier."""
    if coding.by_chance:
        used = entries[~np.isnan(entries)]
        won, lost = int((used > 0).sum()), int((used < 0).sum())
        return Counted(len(used), won, len(used) - won - lost, lost, None, [])
    often = np.zeros(1 << 8 * coding.dtype.itemsize, np.int64)
    for begin in range(0, len(entries), AT_ONCE):
        often += np.bincount(entries[begin : begin + AT_ONCE], minlength=len(often))
    decode, unused = decoder(Interpreted(), coding), UNUSED if coding.by_distance else 0
    counts, plies = {-1: 0, 0: 0, 1: 0}, Counter[tuple[int, int]]()
    for code in np.flatnonzero(often):
        if code != unused:
            value = decode(int(code))
            counts[(value > 0) - (value < 0)] += int(often[code])
            if value != 0 and coding.by_distance:
                plies[FAR - abs(value), 1 if value > 0 else -1] += int(often[code])
    rows = [(n, plies[n, 1], plies[n, -1]) for n in sorted({n for n, _ in plies})]
    longest = max((n for n, *_ in rows), default=0) if coding.by_distance else None
    return Counted(sum(counts.values()), counts[1], counts[0], counts[-1], longest, rows)
