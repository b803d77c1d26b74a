"""What the numbers in a table mean: one small code a position, and a value that kernels compute with.

    distance    won, drawn or lost, and in how many plies, for games of wins, draws and losses
    score       the score, where there are more; with the hook `rest`, what is still to come of it
    wdl         won, drawn or lost and nothing else: a quarter of a byte in the file
    chance      the expected score, where there are dice

Values are those of the player to move (of the first player where the dice are to be thrown), so that a position and its
image with the colours exchanged have the same. A win in d plies is worth `FAR - d`, a loss in d plies `d - FAR`, and
what is drawn, or not known yet, 0: the best of several values is the greatest, and one ply brings a value one nearer to
0. Where the players take turns, wins take an odd and losses an even number of plies, and 253 plies fit into a byte.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.compile.modes import Kernel, Mode
from zermelo.rules import Game, UnknownName, Unsuitable, nearest

KINDS = ("distance", "score", "wdl", "chance")
FAR = 1 << 20
"""The value of a position that is won already."""
OPEN, UNUSED = 0, 1
"""Codes of distances: drawn or not known yet; a number that stands for no position."""
NARROW_WINS, NARROW_LOSSES = 2, 129
WIDE_WINS, WIDE_LOSSES = 2, 1 << 15
NO_CODE = -1
NEVER = np.nan
"""The unused numbers of a table of expectations."""
UNKNOWN = np.inf
"""An expectation that has not been found out yet."""


@dataclass(frozen=True)
class Coding:
    """How a table keeps its values. kind: one of `KINDS`. dtype: of a code. paired: of the distances only every second
    one can be, so that a byte reaches twice as far. low: the least score."""

    kind: str
    dtype: np.dtype[Any]
    paired: bool = False
    low: int = 0

    @property
    def by_distance(self) -> bool:
        return self.kind == "distance"

    @property
    def by_chance(self) -> bool:
        return self.kind == "chance"

    @property
    def unused(self) -> float:
        return NEVER if self.by_chance else UNUSED if self.by_distance else 0

    @property
    def longest(self) -> int:
        """The longest win that has a code."""
        if self.dtype.itemsize > 1:
            return WIDE_LOSSES - WIDE_WINS - 1
        return 2 * (NARROW_LOSSES - NARROW_WINS) - 1

    @property
    def name(self) -> str:
        """Kind and width, as the manifest of a table tells them."""
        return f"{self.kind} {self.dtype.str.lstrip('<|')}"


def coding_for(game: Game, kind: str | None = None, *, wide: bool = False) -> Coding:
    """How the values of a game are kept: as asked for, or as suits it. wide: twice as many bytes as usual."""
    if kind is not None and kind not in KINDS:
        raise UnknownName(f"a table cannot hold {kind}: {nearest(kind, KINDS)}")
    if game.has_chance:
        if kind not in (None, "chance"):
            raise Unsuitable(f"{game.name} has dice: its table holds expectations (chance), not {kind}")
        return Coding("chance", np.dtype("<f8" if wide else "<f4"))
    if kind == "chance":
        raise Unsuitable(f"{game.name} has no dice: its table holds distance, score or wdl")
    if not game.integral:
        raise Unsuitable(f"{game.name}: a table holds whole scores, and its values = {game.values} are none")
    few = tuple(game.values) == (-1, 1)
    kind = kind or ("distance" if few else "score")
    if kind != "score" and not few:
        raise Unsuitable(f"{game.name}: {kind} is for games of wins, draws and losses; its table holds the score")
    if kind == "distance":
        paired = bool(game.alternating) and not wide
        return Coding(kind, np.dtype("u1" if paired else "<u2"), paired)
    low, high = (-1, 1) if kind == "wdl" else _reach(game)
    return Coding(kind, np.dtype("u1" if high - low < 255 else "<u2"), low=low)


def _reach(game: Game) -> tuple[int, int]:
    """The least and the greatest value of the player to move; the rest of a score can go from one end to the other."""
    low, high = (int(bound) for bound in game.values)
    most = high - low if game.rest else max(abs(low), abs(high))
    return -most, most


def encoder(mode: Mode, coding: Coding) -> Kernel:
    """`encode(ws, value)`: the code of a value; one that has none sets `ws.overflow`."""
    mode.counts(overflow=np.int64)
    paired, low, longest = coding.paired, coding.low, coding.longest
    wins, losses = (NARROW_WINS, NARROW_LOSSES) if paired else (WIDE_WINS, WIDE_LOSSES)

    if coding.by_chance:

        @mode.inline
        def encode(ws, value):
            return value
    elif not coding.by_distance:

        @mode.inline
        def encode(ws, value):
            return int(value) - low + 1
    else:

        @mode.inline
        def encode(ws, value):
            plies = FAR - abs(value)
            code = OPEN
            if value > 0:
                code = wins + plies
                if paired:
                    code = wins + (plies >> 1)
                if plies > longest or (paired and plies & 1 == 0):
                    ws.overflow = 1
            elif value < 0:
                code = losses + plies
                if paired:
                    code = losses + (plies >> 1)
                if plies > longest - 1 or (paired and plies & 1 == 1):
                    ws.overflow = 1
            return code

    return encode


def decoder(mode: Mode, coding: Coding) -> Kernel:
    """`decode(code)`: the value that a code means; it must be in use."""
    paired, low = coding.paired, coding.low
    wins, losses = (NARROW_WINS, NARROW_LOSSES) if paired else (WIDE_WINS, WIDE_LOSSES)

    if coding.by_chance:

        @mode.inline
        def decode(code):
            return float(code)
    elif not coding.by_distance:

        @mode.inline
        def decode(code):
            return int(code) + low - 1
    elif paired:

        @mode.inline
        def decode(code):
            if code >= losses:
                return 2 * (int(code) - losses) - FAR
            return FAR - 2 * (int(code) - wins) - 1 if code >= wins else 0
    else:

        @mode.inline
        def decode(code):
            if code >= losses:
                return int(code) - losses - FAR
            return FAR - (int(code) - wins) if code >= wins else 0

    return decode


def codes_of(coding: Coding, plies: int) -> tuple[int, int]:
    """The codes of a win and of a loss in so many plies; `NO_CODE` for one that has none."""
    if not coding.paired:
        return (WIDE_WINS + plies, WIDE_LOSSES + plies) if plies < coding.longest else (NO_CODE, NO_CODE)
    if plies > coding.longest:
        return NO_CODE, NO_CODE
    return (NARROW_WINS + (plies >> 1), NO_CODE) if plies & 1 else (NO_CODE, NARROW_LOSSES + (plies >> 1))
