"""The positions of EinStein würfelt nicht by number, for an endgame table: those before a roll, by the stones left.

A position is kept as the player to move sees it, so one number stands for both colours. In a tier with n stones the
numbers go through how many of them are the player's own, which stones are left on each side, and on which cells they
stand, one after the other on those that are still free. A stone on its goal would have ended the game: such numbers
are unused. For 4 × 4 cells and 3 stones a side there are 9,628,560 numbers, of which 6,613,371 are used.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.rules import Tier, bit_index, popcount, rule, u64
from zermelo.rules.ranking import LARGEST, subset_rank, subset_unrank, subsets


def numbering(size: int, stones: int, gone: int) -> dict[str, Any]:
    """The hooks; none if there are more numbers than fit into 63 bits. `gone`: the cell of a stone that is gone."""
    cells, goal, width = size * size, 9 * (size - 1), stones + 1
    base = np.zeros(width * width, dtype=np.int64)  # by own and other stones
    sizes = []
    for left in range(2, 2 * stones + 1):
        total = 0
        for mine in range(max(1, left - stones), min(stones, left - 1) + 1):
            if total > LARGEST:
                return {}
            base[mine * width + left - mine] = total
            total += math.comb(stones, mine) * math.comb(stones, left - mine) * math.perm(cells, left)
        sizes.append(total)
    if max(sizes) > LARGEST:
        return {}
    orders = np.array([min(math.perm(cells, left), LARGEST) for left in range(2 * stones + 1)], dtype=np.int64)
    board = u64(sum(((1 << size) - 1) << (8 * row) for row in range(size)))
    every, one = u64((1 << stones) - 1), u64(1)
    nobody = sum(gone << (7 * stone) for stone in range(stones))

    @rule
    def index(s):
        if s.die != 0 or s.over == 1:
            return -1, 0, 1
        mine, theirs = u64(s.my_stones), u64(s.their_stones)
        own, others = popcount(mine), popcount(theirs)
        number, scale, free, room = 0, 1, board, cells
        for side in range(2):
            placed = s.mine if side == 0 else s.theirs
            for _ in range(stones):
                cell = placed & gone
                placed >>= 7
                if cell != gone:
                    bit = one << u64(cell if side == 0 else goal - cell)
                    number += scale * popcount(free & (bit - one))
                    scale *= room
                    free ^= bit
                    room -= 1
        which = subset_rank(mine, every) * subsets(stones, others) + subset_rank(theirs, every)
        return own + others, int(base[own * width + others]) + which * scale + number, 1 - 2 * s.side

    @rule
    def unindex(s, tier, number):
        own = max(1, tier - stones)
        while own < min(stones, tier - 1) and number >= base[(own + 1) * width + tier - own - 1]:
            own += 1
        others = tier - own
        number -= int(base[own * width + others])
        which = number // int(orders[tier])
        number -= which * int(orders[tier])
        ways = subsets(stones, others)
        mine, theirs = subset_unrank(which // ways, own, every), subset_unrank(which % ways, others, every)
        free, room = board, cells
        for side in range(2):
            left = mine if side == 0 else theirs
            placed = nobody
            for stone in range(stones):
                if (left >> u64(stone)) & one == one:
                    rest = free
                    for _ in range(number % room):
                        rest &= rest - one
                    bit = rest & ~(rest - one)
                    cell = bit_index(bit) if side == 0 else goal - bit_index(bit)
                    if cell == goal:
                        return False
                    placed ^= (gone ^ cell) << (7 * stone)
                    free ^= bit
                    number //= room
                    room -= 1
            if side == 0:
                s.mine = placed
            else:
                s.theirs = placed
        s.my_stones, s.their_stones = int(mine), int(theirs)
        s.side = 0
        s.die = 0
        s.over = 0
        return True

    def tiers() -> list[Tier]:
        return [Tier(left, size, f"{left} stones") for left, size in enumerate(sizes, 2)]

    return {"index": index, "unindex": unindex, "tiers": tiers}
