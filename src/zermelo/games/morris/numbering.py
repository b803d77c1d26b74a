"""Numbers for the positions of morris, those that are images of each other sharing one.

A mill takes a man for good, and moves bring none back. So once all men are laid, tiers go by the men of both sides:
`4-3` holds the positions with four against three, whoever is to move, for a quiet move leads from the one kind to the
other, and mills lead to `3-3`. Before that every move takes a man from a hand, and tiers go by the hands: `place 2-1
with 3-4` is two and one in hand with three and four on the board, the player to move first.

Positions are numbered by the men of the player to move, then by the others'. Of the first, those on the lowest points
(see `board`; all but the middle square) are looked up: a table knows of all sets of such points which image is the
smallest and which map leads there. The men on the middle square and the opponent's follow the same map. Where several
maps lead there, the smallest outcome counts, and the numbers of the others are not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np

from zermelo.games.morris.board import board_for
from zermelo.rules import Tier, popcount, rule, u64
from zermelo.rules.language import Rule
from zermelo.rules.ranking import Mirrors, subset_rank, subset_unrank, subsets

LOW = 16
"""So many of the lowest points are looked up, or all if there are fewer."""
_NUMBER, _MAP_AT, _MAP, _SEVERAL_AT = 0xFFFF, 16, 15, 20


class Numbering(NamedTuple):
    """canonical(mine, theirs): the image of two sets of men that stands for all. The others are hooks of the game."""

    canonical: Rule
    index: Rule
    unindex: Rule
    tiers: list[Tier]


def numbering(men: int, sides: Rule) -> Numbering:
    """`sides(s)` gives the men of the player to move and the opponent's."""
    board, sets, tiers = board_for(men), _sets(men), _tiers(men)
    cells = board.cells
    low_cells = min(cells, LOW)
    middle_cells = cells - low_cells
    mirrors = Mirrors(cells, board.maps)
    image, maps = mirrors.image, mirrors.count
    classes, smallest, bases, sizes = sets.classes, sets.smallest, sets.bases, sets.sizes
    tier_of, kinds = tiers.tier_of, tiers.kinds
    low, middle, points = (u64((1 << n) - 1) for n in (low_cells, middle_cells, cells))
    middle_at, others_at = u64(low_cells % 64), u64(cells)

    @rule
    def canonical(mine, theirs):
        entry = int(classes[int(mine & low)])
        map = (entry >> _MAP_AT) & _MAP
        best = image(mine, map) | (image(theirs, map) << others_at)
        if entry >> _SEVERAL_AT == 1:
            for map in range(maps):
                other = image(mine, map)
                if other & low == best & low:
                    best = min(best, other | (image(theirs, map) << others_at))
        return best & points, best >> others_at

    @rule
    def index(s):
        mine, theirs = sides(s)
        a, b = popcount(mine), popcount(theirs)
        if a > men or b > men or tier_of[s.hand, a, b] < 0:
            return -1, 0, 1
        mine, theirs = canonical(mine, theirs)
        lower = popcount(mine & low)
        number = (int(classes[int(mine & low)]) & _NUMBER) * subsets(middle_cells, a - lower)
        number += int(bases[a, lower]) + subset_rank(mine >> middle_at, middle)
        number = number * subsets(cells - a, b) + subset_rank(theirs, points ^ mine)
        if s.hand == 0 and a < b:
            number += int(sizes[b]) * subsets(cells - b, a)
        return int(tier_of[s.hand, a, b]), number, 1 - 2 * s.turn

    @rule
    def unindex(s, tier, number):
        a, b = int(kinds[tier, 1]), int(kinds[tier, 2])
        with_more = int(sizes[a]) * subsets(cells - a, b)
        if number >= with_more:
            number -= with_more
            a, b = b, a
        other_sets = subsets(cells - a, b)
        own = number // other_sets
        lower = max(0, a - middle_cells)
        while own >= bases[a, lower + 1]:
            lower += 1
        own -= int(bases[a, lower])
        in_middle = subsets(middle_cells, a - lower)
        mine = smallest[lower, own // in_middle] | (subset_unrank(own % in_middle, a - lower, middle) << middle_at)
        theirs = subset_unrank(number % other_sets, b, points ^ mine)
        s.first, s.second, s.hand, s.turn = mine, theirs, int(kinds[tier, 0]), 0
        least, others = canonical(mine, theirs)
        return least == mine and others == theirs

    return Numbering(canonical, index, unindex, tiers.tiers)


class _Sets(NamedTuple):
    """classes: for each set of low points its number among those of its size that are no images of each other, the map
    to its smallest image, and whether others lead there too. smallest: that image, by size and number. sizes: how many
    sets of so many men are told apart, on all points; bases: which number is the first with so many on low points."""

    classes: np.ndarray[Any, Any]
    smallest: np.ndarray[Any, Any]
    sizes: np.ndarray[Any, Any]
    bases: np.ndarray[Any, Any]


@cache
def _sets(men: int) -> _Sets:
    board = board_for(men)
    cells = min(board.cells, LOW)
    sets = np.arange(1 << cells, dtype=np.int32)
    images = np.stack([_images(map[:cells]) for map in [range(cells), *board.maps]])
    least, by = images.min(axis=0), images.argmin(axis=0).astype(np.int32)
    several = (images == least).sum(axis=0) > 1
    counts = np.bitwise_count(sets)
    own = [np.flatnonzero((least == sets) & (counts == count)) for count in range(cells + 1)]
    smallest = np.zeros((cells + 1, max(len(some) for some in own)), dtype=np.uint64)
    number = np.zeros(len(sets), dtype=np.int32)
    for count, some in enumerate(own):
        smallest[count, : len(some)] = some
        number[some] = np.arange(len(some))
    classes = number[least] | by << _MAP_AT | several.astype(np.int32) << _SEVERAL_AT
    bases = np.zeros((men + 1, men + 2), dtype=np.int64)
    for a in range(men + 1):
        for lower in range(men + 1):
            ways = comb(board.cells - cells, a - lower) if lower <= a else 0
            bases[a, lower + 1] = bases[a, lower] + len(own[lower]) * ways
    return _Sets(classes, smallest, bases[:, -1].copy(), bases)


def _images(map: Sequence[int]) -> np.ndarray[Any, Any]:
    """Where a map takes each set of points: those without a point first, then those with it."""
    images = np.zeros(1, dtype=np.int32)
    for target in map:
        images = np.concatenate([images, images | 1 << target])
    return images


class _Tiers(NamedTuple):
    """tier_of: the tier by the men in both hands and by those of mover and opponent on the board, -1 if there is none.
    kinds: the same three numbers by tier, where two kinds share one that with the more men first."""

    tier_of: np.ndarray[Any, Any]
    kinds: np.ndarray[Any, Any]
    tiers: list[Tier]


@cache
def _tiers(men: int) -> _Tiers:
    cells, sizes = board_for(men).cells, _sets(men).sizes

    def size(a: int, b: int) -> int:
        return int(sizes[a]) * comb(cells - a, b)

    kinds = sorted(((0, a, b) for a in range(3, men + 1) for b in range(3, a + 1)), key=lambda kind: (sum(kind), kind))
    laying = [{(2 * men, 0, 0)}]
    while after := {kind for before in laying[-1] for kind in _after(men, *before)}:
        laying.append(after)
    kinds += [kind for level in reversed(laying) for kind in sorted(level)]
    tier_of, tiers = np.full((2 * men + 1, men + 1, men + 1), -1, dtype=np.int64), []
    for tier, (hand, a, b) in enumerate(kinds):
        tier_of[hand, a, b] = tier
        if hand > 0:
            tiers.append(Tier(tier, size(a, b), f"place {(hand + 1) // 2}-{hand // 2} with {a}-{b}"))
        else:
            tier_of[hand, b, a] = tier
            tiers.append(Tier(tier, size(a, b) + (size(b, a) if a > b else 0), f"{a}-{b}"))
    return _Tiers(tier_of, np.array(kinds, dtype=np.int64), tiers)


def _after(men: int, hand: int, a: int, b: int) -> list[tuple[int, int, int]]:
    """What laying a man may lead to while there are men in hand and the next player has three at all."""
    found = [(hand - 1, b, a + 1)]
    if men > 3 and a >= 2 and b > 0:  # a mill may be closed
        found.append((hand - 1, b - 1, a + 1))
    return [(left, mine, theirs) for left, mine, theirs in found if left > 0 and mine + (left + 1) // 2 >= 3]
