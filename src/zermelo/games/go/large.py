"""Go on boards of more than 64 points, up to 19×19: a byte for each point, and chains as rings.

`ring[point]` is the next stone of the same chain, in the order of their numbers, the last one leading back to the
first: so a chain is gone round without any other memory, and equal boards have equal rings. The hash is a sum of a
random word for each stone, kept up to date. What two passes score is found when the second is made, by a flood that
needs `seen` for it; that field is 0 all the time otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.games.go.board import BLACK, EMPTY, NOWHERE, STRAIGHT, WHITE, Board, Setup, neighbours
from zermelo.rules import i16, rule, struct, u8, u16, u64
from zermelo.rules.hashing import mix


def large_board(rows: int, cols: int, suicide: bool, territory: bool, most_prisoners: int) -> Board:
    """The board and its rules. Prisoners are counted where they score, up to a lead of `most_prisoners`."""
    cells = rows * cols
    State = struct(
        stones=(u8, cells), ring=(u16, cells), seen=(u8, cells), hash=u64, prisoners=i16, margin=i16, ko=u16,
        target=u16, passes=u8, turn=u8,
    )  # fmt: skip
    near, words = neighbours(rows, cols, STRAIGHT), _words(cells)

    @rule
    def liberty(s, point, other, another):
        at = point
        while True:
            for i in range(4):
                to = near[4 * at + i]
                if to >= 0 and s.stones[to] == EMPTY and to != other and to != another:
                    return to
            at = s.ring[at]
            if at == point:
                return NOWHERE

    @rule
    def legal(s, point):
        if s.stones[point] != EMPTY or s.ko == point + 1:
            return False
        mine = BLACK + s.turn
        for i in range(4):
            to = near[4 * point + i]
            if to >= 0:
                if s.stones[to] == EMPTY:
                    return True
                free = liberty(s, to, point, NOWHERE) >= 0
                if free == (s.stones[to] == mine):  # a friend with another liberty, or an enemy without
                    return True
        return suicide

    @rule
    def moves(s, out):
        n = 0
        for point in range(cells):
            if legal(s, point):
                out[n] = point
                n += 1
        out[n] = cells
        return n + 1

    @rule
    def remove(s, point):  # takes a chain off the board: how many stones it had
        n, at, colour = 0, point, s.stones[point]
        while s.stones[at] != EMPTY:
            after = s.ring[at]
            s.hash = s.hash - words[2 * at + colour - 1]
            s.stones[at] = EMPTY
            s.ring[at] = 0
            at = after
            n += 1
        return n

    @rule
    def joined(s, point, other):  # whether two stones are of one chain
        at = s.ring[point]
        while at != point:
            if at == other:
                return True
            at = s.ring[at]
        return point == other

    @rule
    def first_of(s, point):  # the stone of a chain with the lowest number
        least, at = point, s.ring[point]
        while at != point:
            least = min(least, at)
            at = s.ring[at]
        return least

    @rule
    def following(s, point, first):  # the next stone of a ring that begins with `first`, NOWHERE behind the last
        return NOWHERE if s.ring[point] == first else int(s.ring[point])

    @rule
    def join(s, point, other):  # makes one ring of two, which are merged like sorted lists
        first, second = first_of(s, point), first_of(s, other)
        one, two, last = int(first), int(second), NOWHERE
        while one >= 0 or two >= 0:
            if two < 0 or (one >= 0 and one < two):
                taken = one
                one = following(s, one, first)
            else:
                taken = two
                two = following(s, two, second)
            if last >= 0:
                s.ring[last] = taken
            last = taken
        s.ring[last] = min(first, second)

    @rule
    def flood(s):  # Black's empty points less White's, of those that only one of them touches
        for colour in range(BLACK, WHITE + 1):
            grown = True
            while grown:
                grown = False
                for point in range(cells):
                    if s.stones[point] == EMPTY and s.seen[point] & colour == 0:
                        for i in range(4):
                            to = near[4 * point + i]
                            if to >= 0 and (s.stones[to] == colour or s.seen[to] & colour != 0):
                                s.seen[point] |= colour
                                grown = True
        n = 0
        for point in range(cells):
            n += 1 if s.seen[point] == BLACK else -1 if s.seen[point] == WHITE else 0
            s.seen[point] = 0
        return n

    @rule
    def counted(s):
        n = flood(s)
        if territory:
            return n + s.prisoners
        for point in range(cells):
            n += 1 if s.stones[point] == BLACK else -1 if s.stones[point] == WHITE else 0
        return n

    @rule
    def play(s, move):
        s.ko = 0
        if move == cells:
            s.passes += 1
            s.turn = 1 - s.turn
            if s.passes == 2:
                s.margin = counted(s)
            return
        mine, theirs = BLACK + s.turn, WHITE - s.turn
        s.stones[move] = mine
        s.ring[move] = move
        s.hash = s.hash + words[2 * move + mine - 1]
        taken, where, lost, alone = 0, 0, 0, True
        for i in range(4):
            to = near[4 * move + i]
            if to >= 0 and s.stones[to] == theirs and liberty(s, to, NOWHERE, NOWHERE) < 0:
                taken += remove(s, to)
                where = to
            elif to >= 0 and s.stones[to] == mine:
                alone = False
                if not joined(s, move, to):
                    join(s, move, to)
        free = liberty(s, move, NOWHERE, NOWHERE)
        if free < 0:
            lost = remove(s, move)
        elif taken == 1 and alone and liberty(s, move, free, NOWHERE) < 0:
            s.ko = where + 1
        if territory:
            gained = taken - lost if s.turn == 0 else lost - taken
            s.prisoners = max(-most_prisoners, min(most_prisoners, s.prisoners + gained))
        s.passes = 0
        s.turn = 1 - s.turn

    @rule
    def margin(s):
        return s.margin

    @rule
    def owner(s, point):
        return s.stones[point]

    @rule
    def board_key(s):
        return s.hash

    @rule
    def key(s):
        small = (s.turn & 1) | (s.passes & 3) << 1 | (s.ko & 511) << 3 | (s.target & 511) << 12
        return mix(s.hash, u64(small | (s.prisoners + 32768) << 24))

    def make(setup: Setup) -> Any:
        state: Any = State()
        for colour in (BLACK, WHITE):
            for point in (point for point in range(cells) if setup.stones[point] == colour):
                state.turn = colour - BLACK
                play(state, point)
        state.turn, state.ko, state.target = setup.turn, setup.ko + 1, setup.target + 1
        state.passes, state.prisoners = setup.passes, setup.prisoners
        if setup.passes == 2:
            state.margin = counted(state)
        return state

    def told(s: Any) -> Setup:
        stones = [int(stone) for stone in s.stones]
        return Setup(stones, int(s.turn), int(s.ko) - 1, int(s.passes), int(s.prisoners), int(s.target) - 1)

    return Board(State, moves, legal, play, margin, owner, liberty, board_key, key, make, told)


def _words(cells: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Two words for each point, the same in every process."""
    with np.errstate(over="ignore"):
        return np.array([mix(u64(cells), u64(number)) for number in range(2 * cells)], dtype=np.uint64)
