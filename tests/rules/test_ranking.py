"""Numbers for arrangements: without gaps, back and forth, in both modes, against lists of all that there is."""

from __future__ import annotations

import math
import random
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest

from twins import twin
from zermelo.rules import Tier, Unsuitable, u64
from zermelo.rules.ranking import Mirrors, Pits, Placement, Product, subset_rank, subset_unrank, subsets

pytestmark = pytest.mark.usefixtures("calling_rules")


@cache
def both(rule: Any) -> list[Any]:
    return [rule, twin(rule)]


def mask_of(cells: Any) -> Any:
    return u64(sum(1 << cell for cell in cells))


@pytest.mark.parametrize("cells", [(0,), (1, 3, 4, 6, 7), (0, 5, 31, 32, 62, 63), ()])
def test_subsets_of_any_cells(cells: tuple[int, ...]) -> None:
    among = mask_of(cells)
    for members in range(len(cells) + 1):
        listed = [mask_of(some) for some in combinations(cells, members)]
        for rank, unrank, many in zip(both(subset_rank), both(subset_unrank), both(subsets)):
            assert many(len(cells), members) == len(listed)
            numbers = [rank(mask, among) for mask in listed]
            assert sorted(numbers) == list(range(len(listed)))
            assert [unrank(number, members, among) for number in numbers] == listed


def test_large_subsets() -> None:
    chance, board = random.Random(1), u64(2**64 - 1)
    for rank, unrank in zip(both(subset_rank), both(subset_unrank)):
        for members in (0, 1, 31, 32, 33, 64):
            last = math.comb(64, members) - 1
            for number in {0, last, *(chance.randrange(last + 1) for _ in range(20))}:
                mask = unrank(number, members, board)
                assert int(mask).bit_count() == members
                assert rank(u64(mask), board) == number


def test_products() -> None:
    parts = Product([3, 1, 4])
    assert parts.size == 12
    for rank, unrank in zip(both(parts.rank), both(parts.unrank)):
        listed = [(a, b, c) for a in range(3) for b in range(1) for c in range(4)]
        assert [rank(*numbers) for numbers in listed] == list(range(12))
        assert [unrank(number) for number in range(12)] == listed


def every_placement(cells: list[int], kinds: int) -> list[tuple[Any, ...]]:
    """Each cell empty or with one of the kinds on it."""
    return [
        tuple(mask_of(c for c, here in zip(cells, filled) if here == kind) for kind in range(1, kinds + 1))
        for filled in product(range(kinds + 1), repeat=len(cells))
    ]


def test_placements_with_hands_by_tiers() -> None:
    """Two kinds on five cells of seven; what is beside the board makes up the number of the first kind."""
    cells = [0, 1, 3, 4, 6]

    def tier(counts: tuple[int, ...]) -> int:
        first, second, beside = counts
        return first + second if first + beside == 2 else -1

    placed = Placement(mask_of(cells), [(0, 2), (1, 3)], [(0, 2)], tier)
    wanted = [
        (first, second, beside)
        for first, second in every_placement(cells, 2)
        for beside in range(3)
        if int(first).bit_count() + beside == 2 and 1 <= int(second).bit_count() <= 3
    ]
    assert sum(placed.sizes.values()) == len(wanted)
    assert placed.tiers("{} pieces".format) == [
        Tier(tier, sum(int(a | b).bit_count() == tier for a, b, _ in wanted), f"{tier} pieces") for tier in range(1, 6)
    ]
    for rank, unrank in zip(both(placed.rank), both(placed.unrank)):
        numbers = {rank(*each): each for each in wanted}
        assert set(numbers) == {(tier, number) for tier, size, _ in placed.tiers() for number in range(size)}
        assert all(unrank(*number) == each for number, each in numbers.items())
        assert rank(mask_of([0]), mask_of([1]), 2)[0] == -1  # three pieces of the first kind
        assert rank(mask_of([0, 1, 3]), mask_of([4]), 0)[0] == -1
        assert rank(mask_of([0]), mask_of([]), 1)[0] == -1


def test_placements_lie_in_one_tier_unless_told() -> None:
    placed = Placement(3, [(0, 1), (0, 1)])
    assert placed.tiers() == [Tier(0, 1 + 3 + 3 + 6, "0")]


ORDERS = [(0, 1, 3), (3, 0, 1)]


def test_stones_in_pits() -> None:
    pits = Pits(6, ORDERS)
    for rank, unrank in zip(both(pits.rank), both(pits.unrank)):
        for stones in range(7):
            layouts = [some for some in product(range(stones + 1), repeat=3) if sum(some) == stones]
            assert pits.size(stones) == len(layouts)
            for view, order in enumerate(ORDERS):
                numbers = set()
                for layout in layouts:
                    counts = np.full(4, 9, np.uint8)
                    counts[list(order)] = layout
                    number = rank(counts, view)
                    numbers.add(int(number))
                    again = np.full(4, 9, np.uint8)
                    unrank(again, view, stones, number)
                    assert again.tolist() == counts.tolist()
                assert numbers == set(range(len(layouts)))


def test_one_pit() -> None:
    pits = Pits(3, [(0,)])
    counts = np.zeros(1, np.uint8)
    for rank, unrank in zip(both(pits.rank), both(pits.unrank)):
        unrank(counts, 0, 2, 0)
        assert (counts[0], rank(counts, 0), pits.size(2)) == (2, 0, 1)


def test_mirror_images() -> None:
    turned, upside = [6, 3, 0, 7, 4, 1, 8, 5, 2], [6, 7, 8, 3, 4, 5, 0, 1, 2]
    mirrors = Mirrors(9, [turned, upside])
    for image, smallest in zip(both(mirrors.image), both(mirrors.smallest)):
        for cells in permutations(range(9), 2):
            mask = mask_of(cells)
            images = [mask, mask_of(turned[c] for c in cells), mask_of(upside[c] for c in cells)]
            assert [image(mask, which) for which in range(mirrors.count)] == images
            assert smallest(mask) == (min(images), images.index(min(images)), images.count(min(images)))


def test_images_of_a_large_board() -> None:
    around = [63 - cell for cell in range(64)]
    for image in both(Mirrors(64, [around]).image):
        assert image(u64(0x8000000000000001), 1) == u64(0x8000000000000001)
        assert image(u64(0xF0), 1) == u64(0x0F << 56)


def test_what_is_refused() -> None:
    with pytest.raises(Unsuitable, match=r"a map of 3 cells names each of 0 to 2 once, not \[0, 1, 1\]"):
        Mirrors(3, [[0, 1, 1]])
    with pytest.raises(Unsuitable, match="pits: .* numbers are more than fit into 63 bits; number a smaller part"):
        Pits(240, [range(16)])
    with pytest.raises(Unsuitable, match="tier 0 of a placement: .* 63 bits"):
        Placement(64, [(16, 16), (16, 16), (16, 16)])
    with pytest.raises(Unsuitable, match="product: .* 63 bits"):
        Product([2**32, 2**31])
