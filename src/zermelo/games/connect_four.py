"""Connect Four on any board: discs fall, `run` in a row wins.

A column takes height + 1 bits of a 64-bit board: the extra bit stays empty and keeps lines from running
from one column into the next. `mine` are the discs of the player to move, so that mine + filled names a
position uniquely (John Tromp's encoding).

In an endgame table a tier holds the positions with so many discs, numbered by the heights of the columns and by whose
the discs are. A number whose discs have a run is unused. Some of the others no game can reach: they do no harm.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.rules import ONGOING, Game, Grid, Tier, Unsuitable, i8, popcount, rule, struct, u64
from zermelo.rules.hashing import another, mix
from zermelo.rules.ranking import LARGEST, subset_rank, subset_unrank, subsets


def connect_four(width: int = 7, height: int = 6, run: int = 4, distance: bool = False) -> Game:
    """Drop discs, `run` in a row wins. `distance`: a win counts one more for each own disc left over."""
    column = height + 1
    if width < 1 or height < 1 or not 2 <= run <= max(width, height):
        raise Unsuitable(
            f"connect-four: a run of {run} on {width} wide × {height} high is impossible; width and height are at "
            "least 1 and the run is from 2 to the longer of them"
        )
    if width * column > 64:
        raise Unsuitable(
            f"connect-four: {width} wide × {height} high needs width·(height+1) = {width * column} bits, "
            "at most 64 are possible (for example 7×6, 8×7, 9×6)"
        )
    State = struct(mine=u64, filled=u64, plies=i8)
    cells = width * height
    bottom = u64(sum(1 << (c * column) for c in range(width)))
    board = u64(sum(((1 << height) - 1) << (c * column) for c in range(width)))
    top = u64(sum(1 << (c * column + height - 1) for c in range(width)))
    column_mask = u64((1 << height) - 1)
    whole_column = u64((1 << column) - 1)
    high = (cells + 1) // 2 if distance else 1
    one, up, zero = u64(1), u64(1), u64(0)
    directions = (1, column - 1, column, column + 1)
    reaches: tuple[int, ...] = (1,)  # shifts that fold a run together, each doubling what one bit stands for
    while sum(reaches) < run - 1:
        reaches += (min(sum(reaches) + 1, run - 1 - sum(reaches)),)

    @rule
    def score(plies):  # what a win is worth whose last disc falls when `plies` discs lie on the board
        return (cells + 1 - plies) // 2 if distance else 1

    @rule
    def for_first(s, value):  # from the view of the player to move to that of the first player
        return value if s.plies & 1 == 0 else -value

    @rule
    def has_run(discs):
        for step in directions:
            line = discs
            for reach in reaches:
                line &= line >> u64(reach * step)
            if line != zero:
                return True
        return False

    @rule
    def completing(discs):  # the empty or filled cells that would complete a run of these discs
        found = zero
        for step in directions:
            for behind in range(run):
                line = board
                for i in range(1, behind + 1):
                    line &= discs << u64(i * step)
                for i in range(1, run - behind):
                    line &= discs >> u64(i * step)
                found |= line
        return found

    @rule
    def landing(s):  # the cells where a disc can come to rest
        return (s.filled + bottom) & board

    @rule
    def safe(s):  # the landing cells that do not let the opponent win at once
        threats = completing(s.mine ^ s.filled) & ~s.filled
        open_cells = landing(s)
        forced = open_cells & threats
        if forced != zero:
            if forced & (forced - one) != zero:
                return zero
            open_cells = forced
        return open_cells & ~(threats >> up)

    @rule
    def moves(s, out):
        n = 0
        for c in range(width):
            if s.filled & (top & (column_mask << u64(c * column))) == zero:
                out[n] = c
                n += 1
        return n

    @rule
    def pick(s, number):  # a column; if it is full, another one is drawn
        while True:
            c = (number * width) >> 32
            if s.filled & (top & (column_mask << u64(c * column))) == zero:
                return c
            number = another(number)

    @rule
    def candidates(s, out):
        n = 0
        cells_left = safe(s)
        for i in range(width):  # the middle first
            step = (i + 1) // 2
            c = width // 2 - step if i & 1 else width // 2 + step
            if width & 1 == 0:
                c = width - 1 - c
            if cells_left & (column_mask << u64(c * column)) != zero:
                out[n] = c
                n += 1
        return n

    @rule
    def play(s, move):
        before = s.filled
        s.mine = s.mine ^ before
        s.filled = before | (before + (one << u64(move * column)))
        s.plies += 1

    @rule
    def result(s):
        if has_run(s.mine ^ s.filled):
            return for_first(s, -score(s.plies - 1))
        if s.plies == cells:
            return 0
        return ONGOING

    @rule
    def bounds(s):
        if completing(s.mine) & landing(s) != zero:
            won = for_first(s, score(s.plies))
            return won, won
        if s.plies + 1 >= cells:
            return 0, 0
        if safe(s) == zero:
            lost = for_first(s, -score(s.plies + 1))
            return lost, lost
        if s.plies + 2 >= cells:
            return 0, 0
        best = score(s.plies + 2)
        worst = -score(s.plies + 3) if s.plies + 3 < cells else 0
        if s.plies & 1 == 0:
            return worst, best
        return -best, -worst

    @rule
    def order(s, move):
        cell = landing(s) & (column_mask << u64(move * column))
        return popcount(completing(s.mine | cell) & ~s.filled)

    @rule
    def threats(s):  # cells that would complete a run
        theirs = s.mine ^ s.filled
        lead = popcount(completing(s.mine) & ~s.filled) - popcount(completing(theirs) & ~s.filled)
        return for_first(s, high * lead / (3.0 + abs(lead)))

    @rule
    def lines(s):  # discs that can still be part of a run
        theirs = s.mine ^ s.filled
        lead = popcount(s.mine & live(board & ~theirs)) - popcount(theirs & live(board & ~s.mine))
        return for_first(s, high * lead / (cells + 1.0))

    @rule
    def centre(s):  # discs near the middle column
        lead = 0
        for c in range(width):
            near = min(c, width - 1 - c)
            lead += near * popcount((s.mine >> u64(c * column)) & column_mask)
            lead -= near * popcount(((s.mine ^ s.filled) >> u64(c * column)) & column_mask)
        return for_first(s, high * lead / (cells * width * 1.0))

    @rule
    def key(s):
        return s.mine + s.filled + bottom

    @rule
    def live(free):  # the cells of all runs that still fit into the free cells
        found = zero
        for step in directions:
            line = free
            for reach in reaches:
                line &= line >> u64(reach * step)
            for reach in reaches:
                line |= line << u64(reach * step)
            found |= line
        return found

    @rule
    def mirror(discs):
        mirrored = zero
        for c in range(width):
            mirrored |= ((discs >> u64(c * column)) & whole_column) << u64((width - 1 - c) * column)
        return mirrored

    wide = width * column > 60  # the highest bits of a word reach no others when it is multiplied but once

    @rule
    def named(mine, their_live):
        return mix(mix(zero, mine), their_live) if wide else mix(mine, their_live)

    @rule
    def symmetry(s):  # a disc that can be part of no run any more may as well be anyone's
        theirs = s.mine ^ s.filled
        my_live = s.mine & live(board & ~theirs)
        their_live = theirs & live(board & ~s.mine)
        mine = my_live + s.filled + bottom
        return min(named(mine, their_live), named(mirror(mine), mirror(their_live)))

    heights, below = _fillings(width, height)

    @rule
    def index(s):
        if s.plies == cells or has_run(s.mine ^ s.filled):
            return -1, 0, 1
        number, left = 0, 0 + s.plies
        for c in range(width):
            discs = popcount((s.filled >> u64(c * column)) & column_mask)
            number += int(below[c, left, discs])
            left -= discs
        return s.plies, number * subsets(s.plies, s.plies // 2) + subset_rank(s.mine, s.filled), 1

    @rule
    def unindex(s, tier, number):
        ways = subsets(tier, tier // 2)
        rest, left = number // ways, tier
        filled = zero
        for c in range(width):
            discs = 0
            while discs < min(left, height) and rest >= below[c, left, discs + 1]:
                discs += 1
            rest -= int(below[c, left, discs])
            left -= discs
            filled |= ((one << u64(discs)) - one) << u64(c * column)
        mine = subset_unrank(number % ways, tier // 2, filled)
        s.mine, s.filled, s.plies = mine, filled, tier
        return not has_run(mine) and not has_run(mine ^ filled)

    sizes = [ways * math.comb(plies, plies // 2) for plies, ways in enumerate(heights[:-1])]
    fits = max(sizes) <= LARGEST

    def tiers() -> list[Tier]:
        return [Tier(plies, sizes[plies], f"{plies} discs") for plies in reversed(range(cells))]

    def draw(s: Any) -> Grid:
        first = int(s.mine) if s.plies % 2 == 0 else int(s.mine) ^ int(s.filled)

        def mark(r: int, c: int) -> str:
            bit = 1 << (c * column + r)
            return "." if not int(s.filled) & bit else "X" if first & bit else "O"

        rows = [[mark(r, c) for c in range(width)] for r in reversed(range(height))]
        return Grid(rows, columns=[str(c + 1) for c in range(width)])

    return Game(
        name="connect-four",
        State=State,
        start=State(),
        moves=moves,
        play=play,
        result=result,
        max_moves=width,
        max_plies=cells,
        values=(-high, high),
        exact_key=True,
        order=order,
        pick=pick,
        key=key,
        symmetry=symmetry,
        bounds=bounds,
        candidates=candidates,
        evaluations={"threats": threats, "lines": lines, "centre": centre},
        index=index if fits else None,
        unindex=unindex if fits else None,
        tiers=tiers if fits else None,
        move_text=lambda s, move: str(move + 1),
        draw=draw,
    )


def _fillings(width: int, height: int) -> tuple[list[int], np.ndarray[Any, np.dtype[np.int64]]]:
    """How many ways there are to pile up so many discs; and for each column, number of discs from it on, and height,
    how many of these ways have the column lower."""
    ways = [1] + [0] * (width * height)  # for the columns after this one
    below = np.zeros((width, width * height + 1, height + 2), dtype=np.int64)
    for c in reversed(range(width)):
        for left in range(width * height + 1):
            for discs in range(min(left, height) + 1):
                below[c, left, discs + 1] = below[c, left, discs] + ways[left - discs]
        ways = [int(below[c, left, min(left, height) + 1]) for left in range(width * height + 1)]
    return ways, below
