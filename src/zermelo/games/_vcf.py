"""The sub-game "vcf" of the m,n,k family: victory by continuous fours, as players of gomoku call it.

Every move of the attacker threatens to complete a run with the next one (a *four*, where five win), so that the
defender has to fill that cell, or to complete a run first. All that is needed are windows, `run` cells in a row: one
with all but one cell of a player's, and none of the other's, is won by the cell that is left; one with all but two can
be made such a threat by either. After L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, "Go-Moku solved by new
search techniques" (1996), whose threat sequences this is the plainest kind of.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.rules import Subgame, rule
from zermelo.rules.language import Rule

MINE, THEIRS = 1, 2


def vcf(rows: int, cols: int, run: int, owner: Rule) -> Subgame:
    """The sub-game. `owner(s, cell)`: 0 for an empty cell, MINE for one of the player to move, else THEIRS."""
    firsts, steps, lengths = _lines(rows, cols, run)
    count = len(firsts)

    @rule
    def add_empty(s, out, n, first, step):
        """The empty cells of a window, behind those that are listed already."""
        for i in range(run):
            cell = first + i * step
            if owner(s, cell) == 0:
                known = False
                for j in range(n):
                    if out[j] == cell:
                        known = True
                if not known:
                    out[n] = cell
                    n += 1
        return n

    @rule
    def empty_cell(s, first, step):
        """The first empty cell of a window."""
        while owner(s, first) != 0:
            first += step
        return first

    @rule
    def scan(s, out, stones):
        """All windows, once. Written into `out`: the empty cells of those with so many cells of the player to move and
        none of the other's. Returned: how many these are, a cell that completes a run of the player to move, and one
        that completes one of the other's, -1 if there is none, and 1 if there is yet another of the last kind."""
        n, win, block, more = 0, -1, -1, 0
        for line in range(count):
            first, step, length = int(firsts[line]), int(steps[line]), int(lengths[line])
            mine = theirs = 0
            for place in range(length):
                entering = owner(s, first + place * step)
                if entering == MINE:
                    mine += 1
                elif entering == THEIRS:
                    theirs += 1
                if place >= run:
                    leaving = owner(s, first + (place - run) * step)
                    if leaving == MINE:
                        mine -= 1
                    elif leaving == THEIRS:
                        theirs -= 1
                if place >= run - 1:
                    begin = first + (place - run + 1) * step
                    if theirs == 0 and mine == stones:
                        n = add_empty(s, out, n, begin, step)
                    if theirs == 0 and mine == run - 1:
                        win = empty_cell(s, begin, step)
                    if mine == 0 and theirs == run - 1:
                        cell = empty_cell(s, begin, step)
                        if block >= 0 and block != cell:
                            more = 1
                        block = cell
        return n, win, block, more

    @rule
    def attack(s, out):
        n, win, block, more = scan(s, out, run - 2)
        if win >= 0:
            out[0] = win
            return 1
        if block < 0:
            return n
        for i in range(n):  # a four that stops the other's run at the same time
            if out[i] == block and more == 0:
                out[0] = block
                return 1
        return 0

    @rule
    def defend(s, out):
        n, _, block, more = scan(s, out, run - 1)
        if block >= 0 and more == 0:
            n = add_empty(s, out, n, block, 0)
        return n

    @rule
    def promising(s):
        return s.plies // 2 >= run - 2

    return Subgame(attack=attack, defend=defend, promising=promising)


def _lines(rows: int, cols: int, run: int) -> Any:
    """Every straight line of at least `run` cells: its first cell, the step to the next, and how many there are."""
    found = []
    for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
        for row in range(rows):
            for col in range(cols):
                if row - down >= 0 and 0 <= col - right < cols:
                    continue  # not the first of its line
                length = 0
                while row + length * down < rows and 0 <= col + length * right < cols:
                    length += 1
                if length >= run:
                    found.append((row * cols + col, down * cols + right, length))
    table = np.array(found, dtype=np.int64).reshape(-1, 3)
    return tuple(np.ascontiguousarray(table[:, i]) for i in range(3))
