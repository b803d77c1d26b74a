"""The m,n,k family on boards of more than 64 cells, gomoku among them: a byte for each cell.

Who moved last alone can have completed a run, and only one that goes through the cell just filled: so it is looked for
when a move is made. The key is the sum of a random word for each filled cell, kept up to date.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.rules import ONGOING, Struct, i8, i16, rule, struct, u8, u64
from zermelo.rules.hashing import mix
from zermelo.rules.language import Rule

_EMPTY, _FIRST = 0, 1  # and 2 for the second player's


class Board(NamedTuple):
    """What a board brings to the game: states, rules, and states of the cells that players hold."""

    State: type[Struct]
    moves: Rule
    play: Rule
    result: Rule
    key: Rule
    owner: Rule  # (s, cell) -> 0 if it is empty, 1 if it belongs to the player to move, else 2
    make: Any  # (first, second) -> the state in which the players hold these cells, each a number of one bit a cell
    held: Any  # (s) -> the same two numbers


def large_board(rows: int, cols: int, run: int) -> Board:
    cells = rows * cols
    State = struct(cells=(u8, cells), plies=i16, won=i8, hash=u64)
    words = _words(cells)

    @rule
    def stretch(s, cell, down, right, mark):
        """How many cells of this mark follow a cell in one direction."""
        row, col, n = cell // cols + down, cell % cols + right, 0
        while 0 <= row < rows and 0 <= col < cols and s.cells[row * cols + col] == mark:
            row, col, n = row + down, col + right, n + 1
        return n

    @rule
    def completes(s, cell):
        mark = s.cells[cell]
        level = stretch(s, cell, 0, 1, mark) + stretch(s, cell, 0, -1, mark)
        upright = stretch(s, cell, 1, 0, mark) + stretch(s, cell, -1, 0, mark)
        falling = stretch(s, cell, 1, 1, mark) + stretch(s, cell, -1, -1, mark)
        rising = stretch(s, cell, 1, -1, mark) + stretch(s, cell, -1, 1, mark)
        return max(max(level, upright), max(falling, rising)) + 1 >= run

    @rule
    def moves(s, out):
        n = 0
        for cell in range(cells):
            if s.cells[cell] == _EMPTY:
                out[n] = cell
                n += 1
        return n

    @rule
    def play(s, move):
        side = s.plies & 1
        s.cells[move] = _FIRST + side
        s.hash = s.hash + words[2 * move + side]
        s.won = 1 if completes(s, move) else 0
        s.plies += 1

    @rule
    def result(s):
        if s.won == 1:
            return 1 if s.plies & 1 == 1 else -1
        if s.plies == cells:
            return 0
        return ONGOING

    @rule
    def key(s):
        return s.hash

    @rule
    def owner(s, cell):
        mark = s.cells[cell]
        if mark == _EMPTY:
            return 0
        return 1 if mark - _FIRST == s.plies & 1 else 2

    def make(first: int, second: int) -> Any:
        marks = [first >> cell & 1 or 2 * (second >> cell & 1) for cell in range(cells)]
        total = sum(int(words[2 * cell + mark - 1]) for cell, mark in enumerate(marks) if mark)
        state: Any = State(cells=marks, plies=first.bit_count() + second.bit_count(), hash=total % 2**64)
        last = 1 + (state.plies - 1) % 2
        state.won = int(any(mark == last and completes(state, cell) for cell, mark in enumerate(marks)))
        return state

    def held(s: Any) -> tuple[int, int]:
        return tuple(sum(1 << cell for cell in range(cells) if s.cells[cell] == mark) for mark in (1, 2))  # type: ignore[return-value]

    return Board(State, moves, play, result, key, owner, make, held)


def _words(cells: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Two words for each cell, the same in every process."""
    with np.errstate(over="ignore"):
        return np.array([mix(u64(cells), u64(number)) for number in range(2 * cells)], dtype=np.uint64)
