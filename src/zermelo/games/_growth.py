"""What synthetic trees grow from: the 64-bit hash of a path, and draws from it that have nothing to do with each other.

The root's hash comes from a seed, a child's from its parent's and the move. A draw for a purpose is the high half of
the hash times an odd number that stands for the purpose. So a position knows all about itself, and a tree of any depth
takes the memory of its current line only. Their states have the fields `path`, `seed`, `merge`, `plies` and `depth`.
"""

from __future__ import annotations

from typing import Any

from zermelo.rules.errors import Unsuitable
from zermelo.rules.game import Game
from zermelo.rules.language import rule
from zermelo.rules.position import Position
from zermelo.rules.structs import u64, wrapping

LONGEST, WIDEST = 250, 1000
STEP = u64(0x9E3779B97F4A7C15)
HALF = u64(32)
FULL = 1 << 32
"""How many numbers a draw can be: the rate of merging is counted in these."""
_FIRST, _SECOND, ROOT = u64(0xBF58476D1CE4E5B9), u64(0x94D049BB133111EB), u64(0xFE94F82B3C6EF373)
_AWAY, _NEAR, _LAST = u64(30), u64(27), u64(31)
_UNIT = 2.0**-32


@rule
def scatter(h: Any) -> Any:
    """A hash of a word: every bit of it reaches every bit (the finish of Steele, Lea and Flood's SplitMix 2014)."""
    h = (h ^ (h >> _AWAY)) * _FIRST
    h = (h ^ (h >> _NEAR)) * _SECOND
    return h ^ (h >> _LAST)


@rule
def child(path: Any, move: Any) -> Any:
    """The hash of the path with one more move."""
    return scatter(path + STEP * u64(move + 1))


@rule
def meeting(which: Any, seed: Any) -> Any:
    """The hash of a position that several moves lead to, told by a word that is the same for all of them."""
    return scatter(scatter(u64(which)) + STEP * u64(seed))


@rule
def draw(path: Any, purpose: Any, n: Any) -> Any:
    """A number from 0 to n − 1."""
    return 0 + int((((path * purpose) >> HALF) * u64(n)) >> HALF)  # 0 + makes it signed


@rule
def part(path: Any, purpose: Any) -> Any:
    """A number between 0 and 1, both excluded."""
    return (float(int((path * purpose) >> HALF)) + 0.5) * _UNIT


@rule
def halving(path: Any, purpose: Any, most: Any) -> Any:
    """A number from 0 to `most`, each half as likely as the one before."""
    bits = 0 + int((path * purpose) >> HALF)
    k = 0
    while k < most and (bits >> k) & 1:
        k += 1
    return k


@rule
def plies_left(s: Any) -> Any:
    """How many plies away the leaves are."""
    return s.depth - s.plies


@wrapping
def path_of(seed: int) -> Any:
    """The hash that the root of a tree begins with."""
    return scatter(u64(seed & 0xFFFFFFFFFFFFFFFF) * STEP + ROOT)


def first_fields(seed: int, depth: int, merge: float) -> dict[str, Any]:
    """The root of a tree, as far as all trees are alike."""
    rate = min(round(merge * FULL), FULL - 1)
    return {"path": path_of(seed), "seed": seed & 0xFFFFFFFF, "depth": depth, "merge": rate}


def another_root(game: Game, seed: int, depth: int | None, merge: float | None, **fields: Any) -> Position:
    """The root of another tree of the same game, not deeper than the game allows, with these fields of its own."""
    if depth is not None and not 1 <= depth <= game.max_plies:
        raise Unsuitable(f"{game.name}: trees of this game are 1 to {game.max_plies} deep, not {depth}")
    root = first_fields(seed, depth or game.start.depth, merge or 0.0)
    if merge is None:
        del root["merge"]  # as the game has it
    assert game.State is not None
    return Position(game, game.State(**game.start.values() | root | fields))
