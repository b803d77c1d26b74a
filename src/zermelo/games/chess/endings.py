"""All positions of an ending by number, for endgame tables: `material="KPvK"` and whatever it can become.

Each material is a tier: what can come of it by captures and promotions stands before it. A position with the colours
exchanged has the same number and the other sign, so that KvKQ is read in KQvK. In a tier, a number is made of who is to
move, how the two kings stand, and for each kind of piece on which of the squares left its pieces stand. Where there are
no pawns, turned and mirrored boards are one; with pawns every position has its own number.

Positions in which a pawn can be captured en passant are not kept: their value is that of their best move. Nor are
positions with castling rights, which no ending here has.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import numpy as np

from zermelo.games.chess.attacks import KING, ONE, PAWN, ZERO, attackers, ray, upside_down
from zermelo.games.chess.boards import LETTERS, Board
from zermelo.games.chess.playing import BLACK_MOVES, Playing, State
from zermelo.rules import Struct, Tier, Unsuitable, bit_index, popcount, rule, u64
from zermelo.rules.language import Rule
from zermelo.rules.ranking import Mirrors, subset_rank, subset_unrank, subsets

MOST_PIECES = 6
Side = tuple[int, ...]
"""How many pawns, knights, bishops, rooks and queens."""
Material = tuple[Side, Side]
_STRENGTH = (1, 3, 3, 5, 9)


class Endings(NamedTuple):
    index: Rule
    unindex: Rule
    tiers: list[Tier]
    start: Struct  # some position of the material, the stronger side White and to move


def read_material(text: str) -> Material:
    """The material of a text such as KRPvKR."""
    if not re.fullmatch("K[QRBNP]*vK[QRBNP]*", text):
        raise Unsuitable(f"chess: material is written like KPvK or KRPvKR, White's before Black's, not {text!r}")
    if len(text) - 1 > MOST_PIECES:
        raise Unsuitable(f"chess: tables are for at most {MOST_PIECES} pieces, kings included, and {text} has more")
    white, black = (tuple(side.lower().count(letter) for letter in LETTERS[:KING]) for side in text.split("v"))
    return white, black


def _name(material: Material) -> str:
    sides = ["K" + "".join(LETTERS[kind].upper() * side[kind] for kind in reversed(range(KING))) for side in material]
    return "v".join(sides)


def _ordered(material: Material) -> Material:
    """The stronger side first."""

    def strength(side: Side) -> tuple[int, Side]:
        return sum(map(math.prod, zip(side, _STRENGTH))), side[::-1]

    white, black = material
    return material if strength(white) >= strength(black) else (black, white)


def _changed(side: Side, kind: int, by: int) -> Side:
    return tuple(count + by * (place == kind) for place, count in enumerate(side))


def _closure(material: Material, becomes: tuple[int, ...]) -> list[Material]:
    """All materials that play can come to, each after those that it can become."""
    found: list[Material] = []

    def visit(now: Material) -> None:
        now = _ordered(now)
        if now in found:
            return
        for number, side in enumerate(now):
            other = now[1 - number]
            for kind in range(KING):
                if side[kind]:
                    visit((_changed(side, kind, -1), other))
            if side[PAWN]:
                for kind in becomes:
                    visit((_changed(_changed(side, PAWN, -1), kind, 1), other))
        found.append(now)

    visit(material)
    return found


def _symmetries(board: Board) -> list[list[int]]:
    """Where turning and mirroring takes each of 64 squares; those beyond the board stay."""
    top, right = board.rows - 1, board.cols - 1
    maps = []
    for across in (False, True):
        for along in (False, True):
            for turned in (False, True) if board.rows == board.cols else (False,):
                one = list(range(64))
                for row in range(board.rows):
                    for column in range(board.cols):
                        r, c = (top - row if along else row), (right - column if across else column)
                        one[8 * row + column] = 8 * c + r if turned else 8 * r + c
                maps.append(one)
    return maps[1:]


class _Kings(NamedTuple):
    """place, map: by 64 · stronger king + other king, the number of their standing and the map that takes them there,
    -1 if they touch; pairs: by number, 64 · king + king."""

    place: Any
    map: Any
    pairs: Any


def _kings(board: Board, maps: list[list[int]]) -> _Kings:
    """The ways for two kings to stand, of those that maps take to each other only the first."""
    place, by = np.full(4096, -1, np.int64), np.zeros(4096, np.int64)
    pairs: list[int] = []
    squares = [square for square in range(64) if int(board.squares) >> square & 1]
    near = {(a, ray(a, step)[0]) for a in squares for step in _AROUND if ray(a, step)}
    every = [list(range(64)), *maps]
    for a in squares:
        for b in squares:
            if a == b or (a, b) in near:
                continue
            images = [64 * one[a] + one[b] for one in every]
            first = min(images)
            if first == 64 * a + b:
                place[first] = len(pairs)
                pairs.append(first)
            by[64 * a + b] = images.index(first)
            place[64 * a + b] = place[first]
    return _Kings(place, by, np.array(pairs, np.int64))


_AROUND = tuple((a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0))


def endings(board: Board, material: str, playing: Playing) -> Endings:
    """The hooks that number the positions of a material and of all that it can become."""
    materials = _closure(read_material(material), board.becomes)
    signs = {one: (number, 0) for number, one in enumerate(materials)}
    for number, (white, black) in enumerate(materials):
        signs.setdefault((black, white), (number, 1))
    room = int(board.squares).bit_count()
    maps = _symmetries(board)
    mirrors = Mirrors(64, maps)
    image, place = mirrors.image, playing.place
    plain, turned = _kings(board, []), _kings(board, maps)
    pawnless = np.array([sum(side[PAWN] for side in one) == 0 for one in materials])
    counts = np.array([[*white, *black] for white, black in materials], np.int64)
    standings = np.array([len((turned if free else plain).pairs) for free in pawnless], np.int64)
    ways = np.array([_ways(room, row) for row in counts.tolist()], np.int64)
    # materials by their counts, 3 bits for each kind and side
    codes = np.array([_code(*one) for one in signs], np.int64)
    tier_of = np.array([number for number, _ in signs.values()], np.int64)
    exchanged = np.array([swap for _, swap in signs.values()], np.int64)
    known, squares = len(codes), board.squares
    ends = board.row(0) | board.row(board.rows - 1)
    turning_shift = u64(8 * (8 - board.rows))
    turned_place, turned_map, turned_pairs = turned
    plain_place, plain_pairs = plain.place, plain.pairs

    @rule
    def seen(mask, swap, free, by):  # a mask as the entry sees it: upside down if colours are exchanged, then mapped
        if swap == 1:
            mask = upside_down(mask) >> turning_shift
        return image(mask, by) if free else mask

    @rule
    def index(s):
        if s.castling != 0 or s.passed != 0:
            return -1, 0, 1
        code = 0
        for side in range(2):
            for kind in range(KING):
                code = (code << 3) | min(7, popcount(s.kinds[kind] & s.sides[side]))
        at = 0
        while at < known and codes[at] != code:
            at += 1
        if at == known:
            return -1, 0, 1
        tier, swap = int(tier_of[at]), int(exchanged[at])
        free = bool(pawnless[tier])
        mine = seen(s.kinds[KING] & s.sides[swap], swap, False, 0)
        other = seen(s.kinds[KING] & s.sides[1 - swap], swap, False, 0)
        pair = 64 * bit_index(mine) + bit_index(other)
        standing = int(turned_place[pair]) if free else int(plain_place[pair])
        by = int(turned_map[pair]) if free else 0
        kings = seen(s.kinds[KING], swap, free, by)
        number = (int(s.turn) ^ swap) * int(standings[tier]) + standing
        left = squares & ~kings
        room_left = room - 2
        for side in range(2):
            for kind in range(KING):
                pieces = s.kinds[kind] & s.sides[side ^ swap]
                n = popcount(pieces)
                if n != 0:
                    pieces = seen(pieces, swap, free, by)
                    number = number * subsets(room_left, n) + subset_rank(pieces, left)
                    left ^= pieces
                    room_left -= n
        return tier, number, 1 - 2 * swap

    @rule
    def clear(s):
        for kind in range(6):
            s.kinds[kind] = ZERO
        s.sides[0], s.sides[1], s.hash = ZERO, ZERO, ZERO
        s.middle, s.ending, s.clock, s.castling, s.passed, s.turn = 0, 0, 0, 0, 0, 0

    @rule
    def unindex(s, tier, number):
        clear(s)
        rest = int(ways[tier])
        standing = number // rest
        number -= standing * rest
        if standing >= standings[tier]:
            standing -= int(standings[tier])
            s.turn = 1
            s.hash ^= BLACK_MOVES
        pair = int(turned_pairs[standing]) if pawnless[tier] else int(plain_pairs[standing])
        place(s, 0, KING, pair >> 6, 1)
        place(s, 1, KING, pair & 63, 1)
        left, room_left = squares & ~s.kinds[KING], room - 2
        for at in range(2 * KING):
            n = int(counts[tier, at])
            if n != 0:
                rest //= subsets(room_left, n)
                pieces = subset_unrank(number // rest, n, left)
                number %= rest
                left ^= pieces
                room_left -= n
                side = 1 if at >= KING else 0
                while pieces != ZERO:
                    place(s, side, at - KING * side, bit_index(pieces), 1)
                    pieces &= pieces - ONE
        if s.kinds[PAWN] & ends != ZERO:
            return False
        waiting = 1 - s.turn
        king = bit_index(s.kinds[KING] & s.sides[waiting])
        return attackers(s, king, s.turn, s.sides[0] | s.sides[1]) == ZERO

    tiers = [
        Tier(number, int(2 * standings[number] * ways[number]), _name(one)) for number, one in enumerate(materials)
    ]
    return Endings(index, unindex, tiers, _start(unindex, tiers[-1]))


def _start(unindex: Rule, tier: Tier) -> Struct:
    """The first position with White to move, from a third of the numbers on, that there is."""
    s = State().copy()
    half = tier.size // 2
    return next(s.copy() for step in range(half) if unindex(s, tier.tier, (half // 3 + step) % half))


def _code(white: Side, black: Side) -> int:
    code = 0
    for count in (*white, *black):
        code = code << 3 | min(7, count)
    return code


def _ways(room: int, row: list[int]) -> int:
    """In how many ways the pieces besides the kings can stand."""
    found, left = 1, room - 2
    for count in row:
        found *= math.comb(left, count)
        left -= count
    return found
