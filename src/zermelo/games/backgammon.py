"""Backgammon with OpenSpiel's rules: no cube; a double is played as two moves of two checkers each.

The first roll, never a double, says who begins and is that player's first roll. A move uses both dice if that is
possible, else the larger one, else the other; a checker on the bar comes in first; checkers are borne off when all are
home, from a lower point than the die shows only if none stands higher. After a double whose two halves were both
played the same player moves again with the same dice; as in OpenSpiel the second move does not oblige the first.
`scoring`: `winloss`, `gammons` (2 if the loser has borne off nothing) or `backgammons` (3 if the loser also has a
checker on the bar or in the winner's home). Hits send checkers back, so there is no longest game: `max_plies` bounds
a search, not the game. Random games take some 200 plies, a roll and a move each counting one.

Each player numbers the points from its own side: 24 to 1 on the way home, 25 is the bar and 0 is off; the opponent's
point p is 25 - p. How many checkers stand on a point is written upright, in bits: `planes` holds the ones of all X's
counts as one number, whose bit p belongs to point p, then the twos, the fours and the eights, then the same for O. So
the points with any checker, or with two, or those a die can be played from, are a few shifts and `and`s away. `pips`
are the points still to go, `low` and `high` the dice, 0 before the roll; `again` marks the second half of a double.

A move is the point that the lower die is played from times 32 and the one for the higher die, 0 for a die that is not
played; for doubles the higher point comes first. That settles the position after it, in whatever order the dice are
played, so each play is listed once.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from zermelo.games._backgammon_board import points_and_checkers, stops
from zermelo.rules import (
    CHANCE,
    ONGOING,
    Board,
    Game,
    Grid,
    PositionError,
    Unsuitable,
    bit_index,
    i8,
    i16,
    i32,
    popcount,
    rule,
    struct,
    u64,
)
from zermelo.rules.hashing import mix

CHECKERS = 15
SCORINGS = ("winloss", "gammons", "backgammons")
NOBODY = 2
"""Whose turn it is before the first roll."""
_ROLLS = [(a, b) for a in range(1, 7) for b in range(a + 1, 7)] + [(a, a) for a in range(1, 7)]
_LOW, _HIGH = (np.array(dice, dtype=np.int64) for dice in zip(*_ROLLS))
_UNEQUAL = 15
"""The first so many rolls are no doubles: they come twice as often, and only they begin a game."""
_START = "-b----E-C---eE---c-e----B-"

_OFF, _BAR, _POINTS = 1, 1 << 25, (1 << 25) - 2
_OUTSIDE = (1 << 26) - (1 << 7)
_NEAR, _FAR = (1 << 13) - 2, (1 << 25) - (1 << 13)
_MIRROR = np.array([int(f"{byte:08b}"[::-1], 2) for byte in range(256)], dtype=np.int64)
_0, _PLANE = u64(0), u64(26)


@rule
def any_of(s, player):
    """The player's checkers, as bits by point, bar and off included."""
    base = 4 * player
    return s.planes[base] | s.planes[base + 1] | s.planes[base + 2] | s.planes[base + 3]


@rule
def several_of(s, player):
    """The points that hold two or more of the player's checkers."""
    base = 4 * player
    return s.planes[base + 1] | s.planes[base + 2] | s.planes[base + 3]


@rule
def mirrored(points):
    """The points 1 to 24 as the other player numbers them."""
    near, middle, far = (points >> 1) & 255, (points >> 9) & 255, (points >> 17) & 255
    return (int(_MIRROR[near]) << 17) | (int(_MIRROR[middle]) << 9) | (int(_MIRROR[far]) << 1)


@rule
def count(s, player, p):
    """How many checkers the player has on a point."""
    base, n = 4 * player, 0
    for k in range(4):
        n |= ((s.planes[base + k] >> p) & 1) << k
    return n


@rule
def put(s, player, bit):
    for k in range(4 * player, 4 * player + 4):
        had = s.planes[k]
        s.planes[k] = had ^ bit
        bit &= had  # the carry


@rule
def take(s, player, bit):
    for k in range(4 * player, 4 * player + 4):
        had = s.planes[k]
        s.planes[k] = had ^ bit
        bit &= ~had  # the borrow


@rule
def sources(mine, open_points, die):
    """The points that a die can be played from."""
    reachable = open_points << die
    if mine & _BAR:
        return _BAR & reachable
    found = mine & reachable
    if mine & _OUTSIDE == 0:
        exact = 1 << die
        if mine >= exact:  # a checker there, or higher
            return found | (mine & exact)
        below = mine | (mine >> 1)
        below |= below >> 2
        below |= below >> 4
        return found | (below ^ (below >> 1))  # the highest checker goes off, if there is one
    return found


@rule
def moved(mine, several, bit, die):
    """Where the player has checkers when one has moved from this point."""
    return (mine & ~(bit & ~several)) | ((bit >> die) & _POINTS)


@rule
def write_single(points, shift, out):
    """Moves with one die."""
    n = 0
    while points:
        out[n] = bit_index(u64(points)) << shift
        points &= points - 1
        n += 1
    return n


@rule
def write_doubles(mine, several, open_points, die, out):
    """All pairs of points, the higher one first: in that order every pair can be played that can be at all."""
    n = 0
    first = sources(mine, open_points, die)
    while first:
        bit = first & -first
        first ^= bit
        p = bit_index(u64(bit))
        second = sources(moved(mine, several, bit, die), open_points, die) & (2 * bit - 1)
        while second:
            out[n] = (p << 5) | bit_index(u64(second))
            second &= second - 1
            n += 1
    return n


@rule
def write_pairs(mine, several, open_points, free, low, high, out):
    """All plays of both dice, each once. Playing the higher die first finds all but those that it has to wait for.

    Two of them lead to the same position in two cases: one checker goes all the way, whichever die comes first,
    unless it hits on the way; and two checkers go off that either die takes off."""
    n = 0
    from_high = sources(mine, open_points, high)
    first = from_high
    while first:
        bit = first & -first
        first ^= bit
        q = bit_index(u64(bit))
        second = sources(moved(mine, several, bit, high), open_points, low)
        if free & (bit >> low) and free & (bit >> high):
            second &= ~(bit >> high)
        if bit >> low <= 1:
            second &= ~(bit - 1)
        while second:
            out[n] = (bit_index(u64(second)) << 5) | q
            second &= second - 1
            n += 1
    first = sources(mine, open_points, low)
    while first:
        bit = first & -first
        first ^= bit
        p = bit_index(u64(bit))
        second = sources(moved(mine, several, bit, low), open_points, high) & ~from_high
        while second:
            out[n] = (p << 5) | bit_index(u64(second))
            second &= second - 1
            n += 1
    return n


@rule
def moves(s, out):
    if s.low == 0:
        n = 2 * _UNEQUAL if s.side == NOBODY else len(_LOW)
        for i in range(n):
            out[i] = i
        return n
    player, low, high = s.side, s.low, s.high
    mine, several = any_of(s, player) & ~_OFF, several_of(s, player)
    open_points = _POINTS & ~mirrored(several_of(s, 1 - player))
    if low == high:
        n = write_doubles(mine, several, open_points, low, out)
    else:
        free = _POINTS & ~mirrored(any_of(s, 1 - player))
        n = write_pairs(mine, several, open_points, free, low, high, out)
        if n == 0:
            n = write_single(sources(mine, open_points, high), 0, out)
    if n == 0:
        n = write_single(sources(mine, open_points, low), 5, out)
    if n == 0:
        out[0] = 0
        n = 1
    return n


@rule
def weight(s, outcome):
    return 1 if s.side == NOBODY or outcome >= _UNEQUAL else 2


@rule
def step(s, player, p, die):
    """Move a checker from the player's point p, if p is one."""
    if p > 0:
        to = max(p - die, 0)
        take(s, player, 1 << p)
        put(s, player, 1 << to)
        s.pips[player] -= p - to
        there = 1 << (25 - to)
        if to > 0 and s.planes[4 - 4 * player] & there:  # a blot, for more could not be passed
            take(s, 1 - player, there)
            put(s, 1 - player, _BAR)
            s.pips[1 - player] += to


@rule
def play(s, move):
    if s.low == 0:
        roll = move
        if s.side == NOBODY:
            s.side = 0 if move < _UNEQUAL else 1
            roll = move if move < _UNEQUAL else move - _UNEQUAL
        s.low = _LOW[roll]
        s.high = _HIGH[roll]
    else:
        player, low, high = s.side, s.low, s.high
        p, q = move >> 5, move & 31
        if p >= q:  # the one behind first, for the other may be the same checker going on
            step(s, player, p, low)
            step(s, player, q, high)
        else:
            step(s, player, q, high)
            step(s, player, p, low)
        if low == high and s.again == 0 and q > 0 and s.pips[player] > 0:
            s.again = 1
        else:
            s.side = 1 - player
            s.low = 0
            s.high = 0
            s.again = 0


@rule
def turn(s):
    return CHANCE if s.low == 0 else s.side


@rule
def at_risk(s, player):
    """What the player's blots may cost in pips: only those that an opponent can still come by, more where a hit
    loses a long way."""
    others = any_of(s, 1 - player)
    behind = mirrored(others) | (others >> 25)  # a checker on the bar is behind everything
    blots = any_of(s, player) & ~several_of(s, player) & -(behind & -behind)
    return 4 * popcount(u64(blots & _NEAR)) + popcount(u64(blots & _FAR))


@rule
def evaluate(s):
    """The lead in pips, with half a roll for the player whose turn it is and the risk of blots; a lead counts the
    more, the fewer pips there are to go."""
    lead = s.pips[1] - s.pips[0] + at_risk(s, 1) - at_risk(s, 0)
    if s.side == 0:
        lead += 4
    elif s.side == 1:
        lead -= 4
    return lead / (4 + (s.pips[0] + s.pips[1]) / 16 + abs(lead))


@rule
def promise(s, p, die):
    """What is to be liked about one checker's move: a hit most, then a point made, not a blot left."""
    if p <= die:
        return 0
    liked = -1 if p < 25 and count(s, s.side, p) == 2 else 0
    if (s.planes[4 - 4 * s.side] >> (25 - p + die)) & 1:
        return liked + 4
    return liked + 1 if count(s, s.side, p - die) == 1 else liked


@rule
def order(s, move):
    if s.low == 0:
        return 0
    return promise(s, move >> 5, s.low) + promise(s, move & 31, s.high)


@rule
def key(s):
    h = mix(_0, u64((s.low << 6) | (s.high << 3) | (s.again << 2) | s.side))
    for k in range(4):
        h = mix(h, u64(s.planes[k]) | (u64(s.planes[k + 4]) << _PLANE))
    return h


def backgammon(scoring: str = "winloss") -> Game:
    """Bring your checkers home and off. `scoring`: winloss, gammons or backgammons (double and triple wins count)."""
    if scoring not in SCORINGS:
        raise Unsuitable(f"backgammon: scoring must be one of {', '.join(SCORINGS)}, not {scoring}")
    most = 1 + SCORINGS.index(scoring)
    State = struct(planes=(i32, 8), pips=(i16, 2), low=i8, high=i8, again=i8, side=i8)

    @rule
    def worth(s, loser):
        checkers = any_of(s, loser)
        if most == 1 or checkers & _OFF:
            return 1
        return 3 if most == 3 and checkers >> 19 else 2

    @rule
    def result(s):
        if s.pips[0] == 0:
            return worth(s, 1)
        if s.pips[1] == 0:
            return -worth(s, 0)
        return ONGOING

    @rule
    def bounds(s):  # who has borne off a checker loses no more than 1
        return -1 if any_of(s, 0) & _OFF else -most, 1 if any_of(s, 1) & _OFF else most

    def read_position(text: str) -> Any:
        words = text.split()
        if not re.fullmatch(r"[-A-Oa-o]{26}", words[0]):
            if len(words[0]) < 20:
                return None
            raise PositionError(f"{words[0]!r} is no board: it takes 26 signs, such as {_START}")
        return State(**_fields_of(words))

    return Game(
        name="backgammon",
        State=State,
        start=State(**_fields_of([_START, "0-0", "?"])),
        moves=moves,
        play=play,
        result=result,
        turn=turn,
        weight=weight,
        max_moves=240,  # 15 checkers on as many points: 15 · 14 pairs, and either die first for each going on
        max_outcomes=2 * _UNEQUAL,
        max_plies=3000,
        endless=True,
        values=(-most, most),
        evaluate=evaluate,
        order=order,
        key=key,
        bounds=bounds if most > 1 else None,
        move_text=_move_text,
        position_text=_position_text,
        read_position=read_position,
        draw=_draw,
        spots=lambda s, move: None if s.low == 0 else stops(_move_text(s, move), s.side),
    )


def _fields_of(words: list[str]) -> dict[str, Any]:
    """The state that a position text describes."""
    form = re.fullmatch(r"(\d+)-(\d+) (\?|[XO]( [1-6][1-6]( again)?)?)", " ".join(words[1:]))
    if form is None:
        raise PositionError(
            "behind the board of a backgammon position stand the checkers borne off, X's and O's, the side to move and "
            "its roll, if there is one: 0-0 X 52; the second half of a double is 0-0 X 55 again, the start 0-0 ?"
        )
    places = [0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in words[0]]
    off = [int(form[1]), int(form[2])]
    if places[0] > 0 or places[25] < 0:
        raise PositionError("the first sign of the board is O's bar and the last X's: X has none there or O none here")
    for name, sign, gone in (("X", 1, off[0]), ("O", -1, off[1])):
        there = sum(sign * n for n in places if sign * n > 0)
        if there + gone != CHECKERS:
            raise PositionError(
                f"{name} has {there} checkers on the board and {gone} off, which make {there + gone}, not {CHECKERS}"
            )
    if off == [CHECKERS, CHECKERS]:
        raise PositionError("only one player can have borne off all checkers")
    side = "XO?".index(form[3][0])
    dice = sorted(int(die) for die in (form[4] or "")[1:3])
    if dice and CHECKERS in off:
        raise PositionError("the game is over, so no dice are rolled: leave them out")
    if form[5] and dice[0] != dice[1]:
        raise PositionError(f"only doubles are played twice, not {dice[1]}{dice[0]}")
    low, high = dice or (0, 0)
    counts = [[off[0], *(max(n, 0) for n in places[1:])], [off[1], *(max(-n, 0) for n in places[24::-1])]]
    planes = [sum((n >> k & 1) << p for p, n in enumerate(own)) for own in counts for k in range(4)]
    pips = [sum(p * n for p, n in enumerate(own)) for own in counts]
    return {"planes": planes, "pips": pips, "low": low, "high": high, "again": bool(form[5]), "side": side}


def places_of(s: Any) -> list[int]:
    """The board from O's bar over X's points 1 to 24 to X's bar; X's checkers count above zero, O's below."""
    return [(count(s, 0, p) if p else 0) - (count(s, 1, 25 - p) if p < 25 else 0) for p in range(26)]


def _position_text(s: Any) -> str:
    board = "".join("-" if n == 0 else chr(64 + n) if n > 0 else chr(96 - n) for n in places_of(s))
    dice = f" {s.high}{s.low}" if s.low else ""
    return f"{board} {count(s, 0, 0)}-{count(s, 1, 0)} {'XO?'[s.side]}{dice}{' again' if s.again else ''}"


def _move_text(s: Any, move: int) -> str:
    """A roll as 52, the first one as X52; a move as 13/8/6 for one checker or 13/8+6/4 for two, with * for a hit."""
    if s.low == 0:
        starter = "" if s.side != NOBODY else "X" if move < _UNEQUAL else "O"
        low, high = _ROLLS[move % _UNEQUAL if starter else move]
        return f"{starter}{high}{low}"

    def name(point: int) -> str:
        return "bar" if point == 25 else "off" if point <= 0 else str(point)

    def hits(point: int) -> bool:
        return point > 0 and count(s, 1 - s.side, 25 - point) == 1

    halves = [(p, max(p - die, 0)) for p, die in ((move >> 5, s.low), (move & 31, s.high)) if p > 0]
    halves.sort(reverse=True)
    texts = [f"{name(p)}/{name(to)}{'*' if hits(to) else ''}" for p, to in halves]
    if len(halves) < 2:
        return texts[0] if texts else "pass"
    if halves[0] == halves[1]:
        return f"{texts[0]}(2)"
    if halves[0][1] == halves[1][0]:
        return texts[0] + texts[1][texts[1].index("/") :]
    if halves[0][1] == halves[1][1]:  # a blot is hit once
        texts[1] = texts[1].rstrip("*")
    return "+".join(texts)


def _draw(s: Any) -> Board:
    """The board as X sees it: points 13 to 24 above, 12 to 1 below, the bar between and what is off at the right."""

    def cell(n: int) -> str:
        return "." if n == 0 else f"{'X' if n > 0 else 'O'}{abs(n)}"

    places, off = places_of(s), [count(s, player, 0) for player in (0, 1)]
    above = [*map(cell, [*places[13:19], places[0], *places[19:25], -off[1]])]
    below = [*map(cell, [*places[12:6:-1], places[25], *places[6:0:-1], off[0]])]
    upper = [*map(str, range(13, 19)), "bar", *map(str, range(19, 25)), "off"]
    lower = [*map(str, range(12, 6, -1)), "bar", *map(str, range(6, 0, -1)), "off"]
    if CHECKERS in off:
        caption = f"{'XO'[off.index(CHECKERS)]} has won"
    elif s.side == NOBODY:
        caption = "the first roll decides who begins"
    else:
        dice = f"to play {s.high}{s.low}{' again' if s.again else ''}" if s.low else "to roll"
        caption = f"{'XO'[s.side]} {dice}"
    owners = {f"{name}{n}": number for number, name in enumerate("XO") for n in range(1, 16)}
    printed = Grid([upper, above, below], columns=lower, style="text", owners=owners, caption=caption).text()
    rolled = [(int(s.side), int(die)) for die in (s.high, s.low)] if s.low else []
    return points_and_checkers(places, off, rolled, caption, printed)
