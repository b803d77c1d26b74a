"""EinStein würfelt nicht: roll a die, move the stone it names, reach the far corner.

Each side has stones 1 to k and there is a k-sided die. The first player (X) starts in the top left corner, the second
(O) in the bottom right one. A roll comes first; then the stone of that number moves, or, if it is gone, the next
lower or the next higher one that is left. A stone steps one cell towards the far corner, along the row, the column or
the diagonal, and captures whatever stands there, its own side's stones too. Whoever reaches the far corner, or takes
the opponent's last stone, wins. So a turn is two plies: a chance position, the roll, and a decision.

`setup` names the stones on X's cells in the order of (row + column, row) from its corner; `setup2` does the same for
O from O's corner. Both are ascending by default.

The state is seen by the player to move, both sides' cells counted from their own corner, so that one set of rules
serves both: own cell (r, c) is the opponent's (last - r, last - c). A side is one number, 7 bits a stone: 8r + c, or
127 for a stone that is gone. The seventh bit of each stone lets one subtraction find the stone on a cell.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from zermelo.games._einstein_numbers import numbering
from zermelo.rules import (
    CHANCE,
    ONGOING,
    Game,
    Grid,
    PositionError,
    Unsuitable,
    bit_index,
    equal_weight,
    i64,
    popcount,
    rule,
    struct,
    u8,
    u16,
    u64,
)  # fmt: skip
from zermelo.rules.hashing import mix

_GONE = 127
_RIGHT, _DOWN, _BOTH = 1, 2, 3  # the ways of a step; a move is 4 × stone + way


def einstein(size: int = 5, stones: int = 6, setup: str = "", setup2: str = "") -> Game:
    """Roll the die, move that stone towards the far corner; the first to arrive wins."""
    if not 3 <= size <= 7:
        raise Unsuitable(f"einstein: size is from 3 to 7, not {size}")
    room = min(9, size * (size - 1) // 2)
    if not 1 <= stones <= room:
        raise Unsuitable(
            f"einstein: {stones} stones a side do not fit; on {size}×{size} cells there are from 1 to {room} of them"
        )
    corner = sorted(((r, c) for r in range(size) for c in range(size)), key=lambda cell: (sum(cell), cell[0]))[:stones]
    State = struct(mine=i64, theirs=i64, my_stones=u16, their_stones=u16, side=u8, die=u8, over=u8)
    last = size - 1
    goal = 9 * last
    ones = sum(1 << (7 * stone) for stone in range(stones))
    tops, columns = ones << 6, ones * 7
    exact = 14 * stones + 10 <= 64
    theirs_at, rest_at, zero = u64(7 * stones), u64(14 * stones % 64), u64(0)
    choices, odds = _dice(stones)
    ways = np.array([_ways(cell, last) for cell in range(_GONE + 1)], dtype=np.int64)
    worth = np.array([_worth(cell, last) for cell in range(_GONE + 1)], dtype=np.int64)
    unit, tempo = 0.4 * stones * int(worth[goal - 9]), 0.4  # fitted to exact values of small boards

    @rule
    def turn(s):
        return CHANCE if s.die == 0 else 0 + s.side

    @rule
    def pair(s):  # the stones that the roll lets move, the lower one in 4 bits, then the higher one, often the same
        return int(choices[((s.die - 1) << stones) + s.my_stones])

    @rule
    def cell_of(side, stone):
        return (side >> (7 * stone)) & _GONE

    @rule
    def standing_on(side, cell):  # the top bit of the stone on this cell, 0 if there is none
        differences = side ^ (cell * ones)
        found = (differences - ones) & ~differences & tops
        return found & -found

    @rule
    def steps(s, stone, out, n):
        cell = cell_of(s.mine, stone)
        right = cell & 7 < last
        down = cell >> 3 < last
        if right and down:
            out[n] = 4 * stone + _BOTH
            n += 1
        if down:
            out[n] = 4 * stone + _DOWN
            n += 1
        if right:
            out[n] = 4 * stone + _RIGHT
            n += 1
        return n

    @rule
    def moves(s, out):
        if s.die == 0:
            for face in range(stones):
                out[face] = face + 1
            return stones
        both = pair(s)
        n = steps(s, both & 15, out, 0)
        if both >> 4 != both & 15:
            n = steps(s, both >> 4, out, n)
        return n

    @rule
    def pick(s, number):  # one of the steps of both stones together, without a list and without a branch
        if s.die == 0:
            return 1 + ((number * stones) >> 32)
        both = pair(s)
        lower, higher = int(ways[cell_of(s.mine, both & 15)]), int(ways[cell_of(s.mine, both >> 4)])
        n = lower & 3
        at = (number * (n + (higher & 3))) >> 32
        joined = (lower >> 2) | ((higher >> 2) << (2 * n))
        return 4 * (both & 15 if at < n else both >> 4) + ((joined >> (2 * at)) & 3)

    @rule
    def step(move):  # what a move adds to the stone's cell
        return (move & 1) + 4 * (move & 2)

    @rule
    def play(s, move):
        if s.die == 0:
            s.die = move
        else:
            mine, theirs = s.mine, s.theirs
            place = 7 * (move >> 2)
            target = ((mine >> place) & _GONE) + step(move)
            mate = standing_on(mine, target)
            if mate != 0:
                stone = bit_index(u64(mate)) // 7
                mine |= _GONE << (7 * stone)
                s.my_stones = s.my_stones ^ (1 << stone)
            enemy = standing_on(theirs, goal - target)
            if enemy != 0:
                stone = bit_index(u64(enemy)) // 7
                theirs |= _GONE << (7 * stone)
                s.their_stones = s.their_stones ^ (1 << stone)
            s.over = 1 if target == goal or s.their_stones == 0 else 0
            s.mine, s.theirs = theirs, mine + (step(move) << place)
            s.my_stones, s.their_stones = s.their_stones, s.my_stones
            s.side = 1 - s.side
            s.die = 0

    @rule
    def result(s):
        return 2 * s.side - 1 if s.over == 1 else ONGOING  # who moved last has won

    @rule
    def arrives(cell):
        return cell & 7 >= last - 1 and cell >> 3 >= last - 1

    @rule
    def bounds(s):
        if s.die != 0:
            both = pair(s)
            if arrives(cell_of(s.mine, both & 15)) or arrives(cell_of(s.mine, both >> 4)):
                return 1 - 2 * s.side, 1 - 2 * s.side
        return -1, 1

    @rule
    def strength(side, left):  # how far each stone has come, times the number of rolls that let it move
        total = 0
        for stone in range(stones):
            total += int(odds[left * stones + stone]) * int(worth[cell_of(side, stone)])
        return total

    @rule
    def evaluate(s):
        x = (strength(s.mine, s.my_stones) - strength(s.theirs, s.their_stones)) / unit + tempo
        return (1 - 2 * s.side) * x / (1 + abs(x))

    @rule
    def numbers(s):  # stones that are left, wherever they stand
        lead = popcount(u64(s.my_stones)) - popcount(u64(s.their_stones))
        return (1 - 2 * s.side) * lead / (stones + 1.0)

    @rule
    def farthest(side):  # the steps that the stone nearest to its goal has made
        most = 0
        for stone in range(stones):
            cell = cell_of(side, stone)
            if cell != _GONE:
                most = max(most, min(cell >> 3, cell & 7))
        return most

    @rule
    def runner(s):
        return (1 - 2 * s.side) * (farthest(s.mine) - farthest(s.theirs)) / (size + 1.0)

    @rule
    def order(s, move):  # the goal, then captures, then the stone that has come farthest
        if s.die == 0:
            return 0
        target = cell_of(s.mine, move >> 2) + step(move)
        if target == goal:
            return 1000
        gain = 100 if standing_on(s.theirs, goal - target) != 0 else 0
        return gain + int(worth[target])

    @rule
    def digest(mine, theirs, rest):
        if exact:
            return mix(zero, u64(mine) | (u64(theirs) << theirs_at) | (u64(rest) << rest_at))
        return mix(mix(u64(rest), u64(mine)), u64(theirs))

    @rule
    def key(s):
        return digest(s.mine, s.theirs, 2 * s.die + s.side)

    @rule
    def transposed(side):  # rows and columns exchanged
        return (side & tops) | ((side & columns) << 3) | ((side >> 3) & columns)

    @rule
    def symmetry(s):  # rows and columns make no difference, nor do rolls that let the same stones move
        rest = 0 + s.side
        if s.die != 0 and s.over == 0:
            rest += 2 * pair(s) + 512
        return min(digest(s.mine, s.theirs, rest), digest(transposed(s.mine), transposed(s.theirs), rest))

    def on_board(cell: int, side: int) -> tuple[int, int]:
        """Row and column of a cell that is counted from that side's corner, and the other way round."""
        return (cell >> 3, cell & 7) if side == 0 else (last - (cell >> 3), last - (cell & 7))

    def marks(s: Any) -> list[list[str]]:
        rows = [["."] * size for _ in range(size)]
        for side, packed in ((s.side, s.mine), (1 - s.side, s.theirs)):
            for stone in range(stones):
                cell = cell_of(packed, stone)
                if cell != _GONE:
                    r, c = on_board(cell, side)
                    rows[r][c] = _mark(side, stone)
        return rows

    def move_text(s: Any, move: int) -> str:
        if s.die == 0:
            return str(move)
        cell = cell_of(s.mine, move >> 2)
        ends = (on_board(cell, s.side), on_board(cell + step(move), s.side))
        return "".join(f"{'abcdefg'[c]}{r + 1}" for r, c in ends)

    def position_text(s: Any) -> str:
        board = "/".join("".join(row) for row in marks(s))
        return f"{board} {'XO'[s.side]}" + (f" {s.die}" if s.die else "")

    def state(cells: list[dict[int, int]], side: int, die: int) -> Any:
        """The state with these stones, each side's as stone: row and column in one, 8r + c, on the board."""
        sides = []
        for owner, standing in enumerate(cells):
            own = {stone: cell if owner == 0 else goal - cell for stone, cell in standing.items()}
            sides.append(sum(own.get(stone, _GONE) << (7 * stone) for stone in range(stones)))
        left = [sum(1 << stone for stone in standing) for standing in cells]
        arrived = goal in cells[0].values() or 0 in cells[1].values()
        return State(
            mine=sides[side], theirs=sides[1 - side], my_stones=left[side], their_stones=left[1 - side],
            side=side, die=die, over=arrived or not left[side],
        )  # fmt: skip

    def read_position(text: str) -> Any:
        if "/" not in text:
            return None
        form = re.fullmatch(r"(\S+)\s+([XO])(?:\s+(\d+))?", text)
        rows = form[1].split("/") if form else []
        if form is None or [len(row) for row in rows] != [size] * size:
            raise PositionError(
                f"{text!r} must be {size} rows of {size} cells, the side to move (X or O) and after a roll the die, "
                f"such as {position_text(start)} 1"
            )
        cells: list[dict[int, int]] = [{}, {}]
        for r, row in enumerate(rows):
            for c, mark in enumerate(row):
                owner, stone = _stone(mark)
                if mark == ".":
                    continue
                if not 0 <= stone < stones:
                    raise PositionError(
                        f"{mark} in {text!r} is no stone: X has {_mark(0, 0)} to {_mark(0, stones - 1)}, "
                        f"O has {_mark(1, 0)} to {_mark(1, stones - 1)}, and . is an empty cell"
                    )
                if stone in cells[owner]:
                    raise PositionError(f"{text!r} has stone {mark} twice; each stands on one cell at most")
                cells[owner][stone] = 8 * r + c
        side, die = "XO".index(form[2]), int(form[3] or 0)
        other = 1 - side
        if not cells[other] or (goal, 0)[side] in cells[side].values():
            raise PositionError(f"{text!r} cannot be: {'XO'[side]} would have won before it was to move")
        if form[3] and not 1 <= die <= stones:
            raise PositionError(f"{text!r}: the die shows 1 to {stones}, not {die}")
        read = state(cells, side, die)
        if read.over and die:
            raise PositionError(f"{text!r}: the game is over, so there is no die")
        return read

    def draw(s: Any) -> Grid:
        rolls = f"to move, die {s.die}" if s.die else "to roll"
        return Grid(
            marks(s),
            columns="abcdefg"[:size],
            rows=[str(r + 1) for r in range(size)],
            style="letter",
            owners={_mark(side, stone): side for side in (0, 1) for stone in range(stones)},
            caption=f"{('X (numbers)', 'O (letters)')[s.side]} " + ("has lost" if s.over else rolls),
            dice=[(int(s.side), int(s.die))] if s.die else (),
        )

    placed = [
        {stone: 8 * r + c for stone, (r, c) in zip(_stones(name, given, stones), corner, strict=True)}
        for name, given in (("setup", setup), ("setup2", setup2))
    ]
    start = state([placed[0], {stone: goal - cell for stone, cell in placed[1].items()}], 0, 0)
    steps_left = 2 * sum(2 * last - r - c for r, c in corner)

    return Game(
        name="einstein",
        State=State,
        start=start,
        moves=moves,
        play=play,
        result=result,
        max_moves=max(6, stones),
        max_outcomes=stones,
        max_plies=2 * steps_left,
        exact_key=exact,
        turn=turn,
        weight=equal_weight,
        evaluate=evaluate,
        evaluations={"reach": evaluate, "stones": numbers, "runner": runner},
        order=order,
        pick=pick,
        key=key,
        symmetry=symmetry,
        bounds=bounds,
        **numbering(size, stones, _GONE),
        move_text=move_text,
        position_text=position_text,
        read_position=read_position,
        draw=draw,
    )


def _dice(stones: int) -> tuple[np.ndarray[Any, np.dtype[np.int64]], np.ndarray[Any, np.dtype[np.int64]]]:
    """For each face (from 0) and set of stones that are left, the two that may move, and for each set and stone the
    number of faces that let it move."""
    choices = np.zeros(stones << stones, dtype=np.int64)
    odds = np.zeros(stones << stones, dtype=np.int64)
    for left in range(1, 1 << stones):
        standing = [stone for stone in range(stones) if left >> stone & 1]
        for face in range(stones):
            lower = max((stone for stone in standing if stone <= face), default=standing[0])
            higher = min((stone for stone in standing if stone >= face), default=standing[-1])
            choices[(face << stones) + left] = lower + 16 * higher
            for stone in {lower, higher}:
                odds[left * stones + stone] += 1
    return choices, odds


def _ways(cell: int, last: int) -> int:
    """The ways in which a stone on a cell may step, two bits each, from the third bit on; before them, how many."""
    right, down = cell & 7 < last, cell >> 3 < last
    ways = [way for way, there in ((_BOTH, right and down), (_DOWN, down), (_RIGHT, right)) if there]
    return len(ways) | sum(way << (2 * place + 2) for place, way in enumerate(ways))


def _worth(cell: int, last: int) -> int:
    """What a stone on this cell is worth: more the fewer steps it still needs, nothing if it is gone."""
    row, column = cell >> 3, cell & 7
    return 0 if max(row, column) > last else 3 ** (min(row, column))


def _mark(side: int, stone: int) -> str:
    return "123456789"[stone] if side == 0 else "abcdefghi"[stone]


def _stone(mark: str) -> tuple[int, int]:
    """The side and the stone that a mark stands for; -1 for no stone."""
    return (1, "abcdefghi".index(mark)) if mark in "abcdefghi" else (0, "123456789".find(mark))


def _stones(name: str, given: str, stones: int) -> list[int]:
    """A set-up's stones, from 0, in the order of the cells."""
    given = str(given) or "123456789"[:stones]
    wanted = "123456789"[:stones]
    for mark in given:
        if given.count(mark) > 1:
            raise Unsuitable(f"einstein: {name} {given} repeats stone {mark}; it names each of {wanted} once")
    if sorted(given) != list(wanted):
        raise Unsuitable(f"einstein: {name} {given} must name each of the {stones} stones {wanted} once")
    return [int(mark) - 1 for mark in given]
