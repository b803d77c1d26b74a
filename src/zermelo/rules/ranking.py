"""Pieces of which `index` and `unindex` are made: a number for every arrangement, without gaps, and back.

    subset_rank, subset_unrank    some of these cells, as bit masks (the combinatorial number system, Lehmer 1964)
    Placement(cells, kinds, …)    kinds of pieces on cells, and counts beside the board, by tiers
    Pits(stones, orders)          stones in pits (stars and bars)
    Product(sizes)                several numbers in one (mixed radix)
    Mirrors(cells, maps)          the images of a mask under maps of the board, and the smallest of them

Each object is made once, in the game's factory. Its members `rank`, `unrank`, … are rules: take them out of the object
there, `rank = placement.rank`, and call them from rules of your own, compiled or not. Masks are `u64`, numbers are
plain whole numbers of at most 63 bits. Compiled, a rank costs some 2 ns for each member, and going back some 3 ns for
each cell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, product
from typing import Any

import numpy as np

from zermelo.rules.bits import popcount
from zermelo.rules.errors import Unsuitable
from zermelo.rules.hooks import Tier
from zermelo.rules.language import Rule, rule
from zermelo.rules.structs import u64

CELLS = 64
LARGEST = 2**63 - 1
_CHOOSE = np.array([[math.comb(n, k) for k in range(CELLS + 1)] for n in range(CELLS + 1)], dtype=np.int64)
_HAS = [np.arange(256) >> cell & 1 == 1 for cell in range(8)]
"""Which bytes have a bit."""
_0, _1, _8, _BYTE = u64(0), u64(1), u64(8), u64(255)


@rule
def subsets(cells: Any, members: Any) -> Any:
    """How many subsets with so many members a set of so many cells has."""
    return int(_CHOOSE[cells, members])


@rule
def subset_rank(mask: Any, cells: Any) -> Any:
    """The number of a subset of `cells` among those with as many members, from 0 to `subsets(...)` - 1."""
    members = popcount(mask)
    number = 0
    while mask != _0:
        below = mask ^ (mask - _1)  # the lowest member and all beneath it
        number += int(_CHOOSE[popcount(cells & ~below), members])
        members -= 1
        mask &= ~below
    return number


@rule
def subset_unrank(number: Any, members: Any, cells: Any) -> Any:
    """The subset of `cells` that has this number among those with so many members."""
    mask = _0
    above = popcount(cells)
    while members > 0:
        rest = cells & (cells - _1)
        above -= 1
        before = int(_CHOOSE[above, members])
        if number >= before:
            number -= before
            members -= 1
            mask |= cells ^ rest
        cells = rest
    return mask


def _number_of(sizes: Iterable[int], what: str) -> int:
    """The sum of sizes, if it is a number that a rule can count to."""
    total = sum(sizes)
    if total > LARGEST:
        raise Unsuitable(f"{what}: {total:,} numbers are more than fit into 63 bits; number a smaller part")
    return total


def _written(name: str, lines: Iterable[str], **names: Any) -> Rule:
    """A rule from its lines: how many arguments it takes is known only here."""
    exec("\n".join(lines), names)
    written: Rule = rule(names[name])
    return written


class Product:
    """Several numbers in one, each below its size; the last one changes fastest.

    `rank(first, second, …)` is that one number, `unrank(number)` gives them back, `size` is how many there are.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.size = _number_of([math.prod(sizes)], "product")
        names = [f"n{place}" for place in range(len(sizes))]
        folded = ["number = 0", *(f"number = number * {size} + {n}" for size, n in zip(sizes, names))]
        taken = [f"{n} = number % {size}; number //= {size}" for size, n in zip(sizes[::-1], names[::-1])]
        head, back = f"def rank({', '.join(names)}):", "def unrank(number):"
        self.rank = _written("rank", [head, *_indented(folded), "    return number"])
        self.unrank = _written("unrank", [back, *_indented(taken), f"    return {', '.join(names)},"])


class Placement:
    """Pieces of several kinds on cells, and counts of pieces beside the board.

    `cells`: a mask, or how many there are. `kinds`: for each kind the least and the most pieces of it on the board;
    `hands`: the same for each count beside it. `tier` is told all these counts, as a tuple, and says in which tier such
    positions are, -1 if there are none.

    `rank(mask, …, hand, …)` is a tier and a number, `unrank(tier, number)` gives masks and hands back, `tiers` lists
    what there is. The first kind changes fastest, and what differs in counts lies apart.
    """

    def __init__(
        self,
        cells: Any,
        kinds: Sequence[tuple[int, int]],
        hands: Sequence[tuple[int, int]] = (),
        tier: Callable[[tuple[int, ...]], int] = lambda counts: 0,
    ) -> None:
        board = u64(cells) if isinstance(cells, u64) else u64((1 << cells) - 1)
        room, spans = int(board).bit_count(), [*kinds, *hands]
        materials: dict[int, list[tuple[int, ...]]] = {}
        places = list(product(*(range(least, most + 1) for least, most in spans)))
        for counts in places:
            which = tier(counts) if sum(counts[: len(kinds)]) <= room else -1
            if which >= 0:
                materials.setdefault(which, []).append(counts)
        tables = {
            "tier_of": np.full(len(places), -1, np.int64),  # by counts, as one number
            "base_of": np.zeros(len(places), np.int64),
            "first": np.zeros(max(materials, default=0) + 2, np.int64),  # by tier: the first of its materials
            "bases": np.zeros(len(places) + 1, np.int64),  # by material
            "counts": np.zeros((len(places), len(spans)), np.int64),
        }
        numbers = {counts: place for place, counts in enumerate(places)}
        listed, self.sizes = 0, {}
        for which in range(len(tables["first"]) - 1):
            found = materials.get(which, [])
            sizes = [_arrangements(room, counts[: len(kinds)]) for counts in found]
            if found:
                self.sizes[which] = _number_of(sizes, f"tier {which} of a placement")
            tables["first"][which] = listed
            for counts, base in zip(found, accumulate(sizes, initial=0)):
                tables["tier_of"][numbers[counts]] = which
                tables["base_of"][numbers[counts]] = tables["bases"][listed] = base
                tables["counts"][listed] = counts
                listed += 1
        tables["first"][-1] = listed
        self.rank = _placing(room, board, len(kinds), spans, tables)
        self.unrank = _taking(room, board, len(kinds), spans, tables)

    def tiers(self, name: Callable[[int], str] = str) -> list[Tier]:
        """All tiers, in the order of their numbers."""
        return [Tier(which, size, name(which)) for which, size in self.sizes.items()]


def _arrangements(room: int, counts: Sequence[int]) -> int:
    """How many ways there are to place so many pieces of each kind."""
    left = [room - sum(counts[:kind]) for kind in range(len(counts))]
    return math.prod(map(math.comb, left, counts))


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _placing(room: int, board: Any, kinds: int, spans: Sequence[tuple[int, int]], tables: dict[str, Any]) -> Rule:
    """The rule `rank` of a placement, written out for its kinds and hands."""
    given = [f"p{place}" for place in range(len(spans))]
    lines = [f"def rank({', '.join(given)}):"]
    lines += [f"    n{kind} = popcount(p{kind})" for kind in range(kinds)]
    lines += [f"    n{hand} = int(p{hand})" for hand in range(kinds, len(spans))]
    outside = " or ".join(f"n{place} < {least} or n{place} > {most}" for place, (least, most) in enumerate(spans))
    lines += [f"    if {outside}:", "        return -1, 0", "    place = 0"]
    for place, (least, most) in enumerate(spans):
        lines += [f"    place = place * {most - least + 1} + n{place} - {least}"]
    lines += ["    if tier_of[place] < 0:", "        return -1, 0"]
    lines += ["    number, scale, free, left = int(base_of[place]), 1, board, room"]
    for kind in range(kinds):
        lines += [f"    number += scale * subset_rank(p{kind}, free)", f"    scale *= subsets(left, n{kind})"]
        lines += [f"    free ^= p{kind}", f"    left -= n{kind}"]
    lines += ["    return int(tier_of[place]), number"]
    names = {"popcount": popcount, "subset_rank": subset_rank, "subsets": subsets, "board": board, "room": room}
    return _written("rank", lines, **names, tier_of=tables["tier_of"], base_of=tables["base_of"])


def _taking(room: int, board: Any, kinds: int, spans: Sequence[tuple[int, int]], tables: dict[str, Any]) -> Rule:
    """The rule `unrank` of a placement, written out for its kinds and hands."""
    lines = ["def unrank(tier, number):", "    at, end = int(first[tier]), int(first[tier + 1])"]
    lines += ["    while at + 1 < end and number >= bases[at + 1]:", "        at += 1"]
    lines += ["    number -= int(bases[at])", "    free, left = board, room"]
    for kind in range(kinds):
        lines += [f"    n{kind} = int(counts[at, {kind}])", f"    ways = subsets(left, n{kind})"]
        lines += [f"    p{kind} = subset_unrank(number % ways, n{kind}, free)", "    number //= ways"]
        lines += [f"    free ^= p{kind}", f"    left -= n{kind}"]
    lines += [f"    p{hand} = int(counts[at, {hand}])" for hand in range(kinds, len(spans))]
    lines += [f"    return {', '.join(f'p{place}' for place in range(len(spans)))},"]
    names = {"subset_unrank": subset_unrank, "subsets": subsets, "board": board, "room": room}
    return _written("unrank", lines, **names, **{name: tables[name] for name in ("first", "bases", "counts")})


class Pits:
    """Stones in pits: at most `stones` of them. Each of `orders` names the places of all pits in an array of counts, in
    one order a view: the first player's, say, and the second's.

    `rank(counts, view)` is the number among all ways to lay out as many stones, `unrank(counts, view, stones, number)`
    lays them out; `size(stones)` is how many ways there are.
    """

    def __init__(self, stones: int, orders: Sequence[Sequence[int]]) -> None:
        self.pits = pits = len(orders[0])
        _number_of([self.size(stones)], "pits")
        order = np.array(orders, dtype=np.int64)
        # Bars between the pits: the one behind pit i stands at place (stones up to there) + i
        bars = np.array([[math.comb(n + i, i + 1) for n in range(stones + 1)] for i in range(pits - 1)], dtype=np.int64)
        bars = bars.reshape(pits - 1, stones + 1)

        @rule
        def rank(counts: Any, view: Any) -> Any:
            number = total = 0
            for i in range(pits - 1):
                total += counts[order[view, i]]
                number += int(bars[i, total])
            return number

        @rule
        def unrank(counts: Any, view: Any, stones: Any, number: Any) -> None:
            total = stones
            for i in range(pits - 2, -1, -1):
                left = total
                while bars[i, left] > number:
                    left -= 1
                number -= int(bars[i, left])
                counts[order[view, i + 1]] = total - left
                total = left
            counts[order[view, 0]] = total

        self.rank, self.unrank = rank, unrank

    def size(self, stones: int) -> int:
        return math.comb(stones + self.pits - 1, self.pits - 1)


class Mirrors:
    """The images of masks under maps of the board. Each of `maps` says for every cell where it goes; map 0 is added: it
    leaves all where it is.

    `image(mask, map)` is one image, `count` how many maps there are. `smallest(mask)` is the smallest image, the first
    map that gives it, and how many do: more than 1 where the mask is its own mirror image.
    """

    def __init__(self, cells: int, maps: Sequence[Sequence[int]]) -> None:
        every = [range(cells), *maps]
        for one in every:
            if sorted(one) != list(range(cells)):
                raise Unsuitable(f"a map of {cells} cells names each of 0 to {cells - 1} once, not {list(one)}")
        self.count = count = len(every)
        bytes_ = (cells + 7) // 8
        table = np.zeros((count, bytes_, 256), dtype=np.uint64)
        for which, one in enumerate(every):
            for cell, target in enumerate(one):
                table[which, cell // 8, _HAS[cell % 8]] |= _1 << u64(target)

        @rule
        def image(mask: Any, map: Any) -> Any:
            found = _0
            for place in range(bytes_):
                found |= table[map, place, int(mask & _BYTE)]
                mask >>= _8
            return found

        @rule
        def smallest(mask: Any) -> Any:
            best, by, same = mask, 0, 1
            for map in range(1, count):
                other = image(mask, map)
                if other < best:
                    best, by, same = other, map, 1
                elif other == best:
                    same += 1
            return best, by, same

        self.image, self.smallest = image, smallest
