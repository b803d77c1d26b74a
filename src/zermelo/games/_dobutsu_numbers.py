"""All positions of Dobutsu shogi by number, for an endgame table: one tier, 249,442,767 numbers, all of them used.

A position is kept as the player to move sees it, mirrored so that its lion stands on the a-file, or on the b-file and
the other one not on the c-file: there are 21 ways for two lions to stand apart with neither on its last row. Elsewhere
the rules decide: next to each other one takes the other, on the last row a lion has won or is taken. With both lions on
the b-file a position and its mirror image have a number each.

The other pieces are two of each kind, each on one of the ten cells left or in hand. How many of each kind are on the
board makes 27 *materials*; in one of them, a number is made of whose the pieces are (with which chicks are hens), of
the lions, and of the cells of the chicks, the elephants and the giraffes, which change fastest: of all orders, this
one makes a table that compresses best.

All twelve squares are worked on at once. `planes` turns 4 bits a square into four masks of 12 bits: the three bits of
the kinds (chick 1, elephant 2, giraffe 3, lion 4, hen 5) and the owner.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np

from zermelo.rules import Tier, bit_index, popcount, rule, u64

_CHICK, _LION, _HEN = 1, 4, 5
_CELLS = 10  # that are left by the lions
_LIONS = 21
_ABSENT = 15
_HANDS, _TURN = 48, 60
_FROM, _CAUGHT, _PROMOTED, _DROPPED, _MIRRORED = 4, 8, 12, 13, 14  # where in a code these are, after the square
_MIDDLE, _RIGHT = 0o2222, 0o4444  # files, as masks of squares

Table = np.ndarray[Any, np.dtype[np.int64]]


@rule
def planes(packed):
    """Four masks of 12 squares, 16 bits apart. A matrix is transposed by exchanging bits, pairs, nibbles and bytes."""
    x = packed & 0xFFFFFFFFFFFF
    t = (x ^ (x >> 3)) & 0x0A0A0A0A0A0A
    x ^= t ^ (t << 3)
    t = (x ^ (x >> 6)) & 0x00CC00CC00CC
    x ^= t ^ (t << 6)
    t = (x ^ (x >> 12)) & 0xF0F00000F0F0
    x ^= t ^ (t << 12)
    t = (x ^ (x >> 24)) & 0xFF00FF00
    return x ^ t ^ (t << 24)


def numbering(reach: Table, back: Table) -> dict[str, Any]:
    """The hooks. `reach`: for each piece on each square the squares it can step to, at 12 × piece + square; `back`:
    those that it can come from."""
    lions, free, places = _lion_pairs()
    base, ways, elephant_ways, giraffe_ways, cells_at, owners_at = _materials()
    cells, owners = _cells(), _owners()
    size = int(base[-1])
    shifted = base[:-1] - _surplus(elephant_ways, giraffe_ways)
    whole = 0o7777
    last_row = (0o7000, 0o0007)
    near = [(1 << square) | int(reach[12 * _LION + square]) for square in range(12)]
    apart = np.array([whole & ~last_row[side] & ~near[square] for side in range(2) for square in range(12)])
    left = sum(0xF << (12 * row) for row in range(4))

    @rule
    def upside_down(x):  # rows exchanged in all four masks
        outer, inner = 0x0007000700070007, 0x0038003800380038
        return ((x & outer) << 9) | ((x & inner) << 3) | ((x >> 3) & inner) | ((x >> 9) & outer)

    @rule
    def mirrored(x):  # files exchanged
        outer, inner = 0x0249024902490249, 0x0492049204920492
        return ((x & outer) << 2) | (x & inner) | ((x >> 2) & outer)

    @rule
    def pair_rank(lower, upper, among):  # of one or two cells among these; of none, a constant
        first = popcount(u64(among & (lower - 1)))
        second = popcount(u64(among & (upper - 1)))
        return ((second * (second - 1)) >> 1) + first

    @rule
    def whose(lower, upper, theirs, held, count):  # the owners of two pieces, `held` of them in the other's hand
        number = held << (1 if count == 1 else 0)
        if lower & theirs != 0:
            number += 1
        if upper & theirs != 0:
            number += 2
        return number

    @rule
    def index(s):
        packed = s.packed
        x = planes(packed)
        turn = (packed >> _TURN) & 1
        if turn == 1:
            x = upside_down(x)
            x ^= ((x | (x >> 16) | (x >> 32)) & whole) << 48
        found = (x >> 32) & ~x & whole
        other = found & (x >> 48)
        mine = found ^ other
        if mine == 0 or other == 0:
            return -1, 0, 1
        pair = int(lions[12 * bit_index(u64(mine)) + bit_index(u64(other))])
        if pair < 0:
            return -1, 0, 1
        if pair >= _LIONS:
            pair -= _LIONS
            x = mirrored(x)
        first, second, third, theirs = x & whole, (x >> 16) & whole, (x >> 32) & whole, x >> 48
        chicks, elephants, giraffes, hens = first & ~second, second & ~first, first & second, first & third
        c, e, g = popcount(u64(chicks)), popcount(u64(elephants)), popcount(u64(giraffes))
        hands = (packed >> _HANDS) & 0xFFF
        held = hands >> 6 if turn == 0 else hands & 63
        if (hands & 63) + (hands >> 6) + c + 4 * e + 16 * g != 42:  # a piece is missing
            return -1, 0, 1
        among = int(free[pair])
        lower = chicks & -chicks
        upper = chicks ^ lower
        chick_cells = pair_rank(lower, upper, among)
        owner = whose(lower, upper, theirs, held & 3, c)
        if lower & hens != 0:
            owner += 4
        if upper & hens != 0:
            owner += 8
        among ^= chicks
        lower = elephants & -elephants
        upper = elephants ^ lower
        elephant_cells = pair_rank(lower, upper, among)
        owner = owner * (3 if e == 0 else 4) + whose(lower, upper, theirs, (held >> 2) & 3, e)
        among ^= elephants
        lower = giraffes & -giraffes
        upper = giraffes ^ lower
        giraffe_cells = pair_rank(lower, upper, among)
        owner = owner * (3 if g == 0 else 4) + whose(lower, upper, theirs, held >> 4, g)
        m = c + 3 * e + 9 * g
        placed = (chick_cells * int(elephant_ways[m]) + elephant_cells) * int(giraffe_ways[m]) + giraffe_cells
        return 0, int(shifted[m]) + (owner * _LIONS + pair) * int(ways[m]) + placed, 1 - 2 * turn

    @rule
    def unindex(s, tier, number):
        m = 26
        while number < base[m]:
            m -= 1
        number -= int(base[m])
        rest = number // int(ways[m])
        owner = rest // _LIONS
        pair = rest - owner * _LIONS
        cell = int(cells[int(cells_at[m]) + number - rest * int(ways[m])])
        held = int(owners[int(owners_at[m]) + owner])
        packed = (held >> 24 << _HANDS) | int(places[16 * pair + _ABSENT])
        for _ in range(6):
            packed |= (held & 15) << int(places[16 * pair + (cell & 15)])
            held >>= 4
            cell >>= 4
        s.packed = packed
        return True

    @rule
    def earlier(packed, code):  # the position before the move that a code stands for
        packed ^= 1 << _TURN
        hand = _HANDS + 6 * ((packed >> _TURN) & 1)
        square = 4 * (code & 15)
        p = (packed >> square) & 15
        packed ^= p << square
        if (code >> _DROPPED) & 1 == 1:
            return packed + (1 << (hand + 2 * (p & 7) - 2))
        packed |= (p - (_HEN - _CHICK) * ((code >> _PROMOTED) & 1)) << (4 * ((code >> _FROM) & 15))
        caught = (code >> _CAUGHT) & 15
        if caught != 0:
            kind = caught & 7
            packed |= caught << square
            packed -= 1 << (hand + (2 * kind - 2 if kind < _LION else 0))
        return packed

    @rule
    def reflected(packed):
        return (packed & ~(left | left << 8)) | ((packed & left) << 8) | ((packed >> 8) & left)

    @rule
    def unplay(s, code):
        packed = earlier(s.packed, code)
        s.packed = reflected(packed) if (code >> _MIRRORED) & 1 == 1 else packed

    @rule
    def write(code, hand, side, out, n):  # nothing was caught, or something that is in hand now
        out[n] = code
        n += 1
        for kind in range(1, 4):
            if (hand >> (2 * kind - 2)) & 3 != 0:
                out[n] = code | ((kind + 8 - 8 * side) << _CAUGHT)
                n += 1
        if hand & 3 != 0:
            out[n] = code | ((_HEN + 8 - 8 * side) << _CAUGHT)
            n += 1
        return n

    @rule
    def write_twins(packed, origins, out, first, n):  # the mirror images of what was written for these origins
        for i in range(first, n):
            code = int(out[i])
            if (origins >> ((code >> _FROM) & 15)) & 1 == 1:
                before = earlier(packed, code)
                if reflected(before) != before:
                    out[n] = code | (1 << _MIRRORED)
                    n += 1
        return n

    @rule
    def checks(packed, pieces, lion):  # those of the pieces that could take the lion
        found = 0
        while pieces != 0:
            square = bit_index(u64(pieces))
            pieces &= pieces - 1
            if (int(reach[12 * ((packed >> (4 * square)) & 15) + square]) >> lion) & 1 == 1:
                found |= 1 << square
        return found

    @rule
    def unmoves(s, out):
        packed = s.packed
        side = 1 - ((packed >> _TURN) & 1)  # who moved last
        x = planes(packed)
        taken = (x | (x >> 16) | (x >> 32)) & whole
        owned = (x >> 48) & whole
        theirs = owned if side == 1 else taken ^ owned
        lion = bit_index(u64((x >> 32) & ~x & whole & ~theirs))
        checking = checks(packed, theirs, lion)
        if checking != 0:  # it did not take the lion before, so it is this move that gave check
            theirs = checking if checking & (checking - 1) == 0 else 0
        hand = (packed >> (_HANDS + 6 * side)) & 63
        in_middle = (_MIDDLE >> lion) & 1 == 1
        n = 0
        while theirs != 0:
            square = bit_index(u64(theirs))
            theirs &= theirs - 1
            p = (packed >> (4 * square)) & 15
            kind = p & 7
            promotes = (last_row[side] >> square) & 1 == 1
            origins = int(back[12 * p + square]) & ~int(back[12 * p + lion]) & ~taken
            twins, first = 0, n
            if kind == _LION:
                origins &= int(apart[12 * side + lion])
                if in_middle and (_MIDDLE >> square) & 1 == 1:
                    origins &= ~_RIGHT  # these are kept as mirror images, and lead to that of this position
                elif in_middle:
                    twins = origins & _MIDDLE  # their mirror images lead to that of this position, which is the same
            if kind != _CHICK or not promotes:
                while origins != 0:
                    n = write(square | (bit_index(u64(origins)) << _FROM), hand, side, out, n)
                    origins &= origins - 1
            if kind == _HEN and promotes:
                chick = p - _HEN + _CHICK
                origins = int(back[12 * chick + square]) & ~int(back[12 * chick + lion]) & ~taken
                if origins != 0:
                    code = square | (bit_index(u64(origins)) << _FROM) | (1 << _PROMOTED)
                    n = write(code, hand, side, out, n)
            if kind < _LION:
                out[n] = square | (1 << _DROPPED)
                n += 1
            if twins != 0:
                n = write_twins(packed, twins, out, first, n)
        return n

    def tiers() -> list[Tier]:
        return [Tier(0, size, "all")]

    return {
        "index": index, "unindex": unindex, "tiers": tiers, "unmoves": unmoves, "unplay": unplay,
        # the lion, an elephant, a giraffe and a hen from 8 squares (3 of them twice), 4, 4 and 7, each having taken
        # nothing, a chick, a hen, an elephant or a giraffe; and two drops
        "max_unmoves": 26 * 5 + 2,
    }  # fmt: skip


def _lion_pairs() -> tuple[Table, Table, Table]:
    """For the lion of the player to move and the other, as 12 × square + square: which pair it is, 21 more if the board
    must be mirrored, -1 if it is not kept. For each pair: the mask of the other cells; and for each of these cells how
    far to the left its 4 bits are, with the bits of the two lions themselves at the end."""
    lions = np.full(144, -1, np.int64)
    free: list[int] = []
    places: list[int] = []
    for mine, other in product(range(9), range(3, 12)):
        (row, file), (far, beside) = divmod(mine, 3), divmod(other, 3)
        if max(abs(row - far), abs(file - beside)) < 2 or file == 2 or (file == 1 and beside == 2):
            continue
        lions[12 * (mine + 2 - 2 * file) + other + 2 - 2 * beside] = len(free) + _LIONS
        lions[12 * mine + other] = len(free)
        left = [square for square in range(12) if square not in (mine, other)]
        free.append(sum(1 << square for square in left))
        both = (_LION << 4 * mine) | ((_LION + 8) << 4 * other)
        places += [*(4 * square for square in left), *[0] * (_ABSENT - _CELLS), both]
    assert len(free) == _LIONS
    return lions, np.array(free, np.int64), np.array(places, np.int64)


def _counts() -> list[tuple[int, int, int]]:
    """How many chicks, elephants and giraffes are on the board, by material."""
    return [(c, e, g) for g, e, c in product(range(3), repeat=3)]


def _materials() -> tuple[Table, ...]:
    """By material: its first number, and after the last how many there are; the ways to place all pieces, the elephants
    after the chicks, and the giraffes after both; and where its part of `_cells` and of `_owners` begins."""
    rows, number, cells, owners = [], 0, 0, 0
    for c, e, g in _counts():
        chicks, elephants, giraffes = _ways(c, e, g)
        ways = chicks * elephants * giraffes
        rows.append((number, ways, elephants, giraffes, cells, owners))
        kept = len(_held(c, True)) * len(_held(e)) * len(_held(g))
        number, cells, owners = number + kept * _LIONS * ways, cells + ways, owners + kept
    columns = np.array(rows, np.int64).T
    return np.append(columns[0], number), *map(np.ascontiguousarray, columns[1:])


def _ways(c: int, e: int, g: int) -> tuple[int, int, int]:
    """How many ways there are to place the chicks, then the elephants, then the giraffes."""
    return math.comb(_CELLS, c), math.comb(_CELLS - c, e), math.comb(_CELLS - c - e, g)


def _surplus(elephant_ways: Table, giraffe_ways: Table) -> Table:
    """By material: what `pair_rank` gives too much where there are fewer than two pieces of a kind, as part of a
    number."""
    surplus = np.zeros(27, np.int64)
    for m, (c, e, g) in enumerate(_counts()):
        left = (_CELLS, _CELLS - c, _CELLS - c - e)
        more = [(0 if n == 2 else math.comb(room, 2)) + (room if n == 0 else 0) for n, room in zip((c, e, g), left)]
        surplus[m] = (more[0] * int(elephant_ways[m]) + more[1]) * int(giraffe_ways[m]) + more[2]
    return surplus


def _held(count: int, chicks: bool = False) -> list[tuple[int, int]]:
    """All ways for two pieces of a kind to belong to the players, `count` of them on the board, in the order of their
    numbers: 4 bits for the piece on the lower cell and 4 for that on the upper one (without their kinds), and how many
    the other player has in hand."""
    if count == 0:
        return [(0, held) for held in range(3)]
    hens = range(2**count) if chicks else range(1)
    upper = range(2)  # whose the upper piece is; with one on the board, whose the one in hand is
    found = []
    for hen, last, first in product(hens, upper, range(2)):
        low, high = 8 * first + 4 * (hen & 1), 8 * last + 4 * (hen >> 1)
        found.append((low | high << 4, 0) if count == 2 else (low, last))
    return found


def _owners() -> Table:
    """For each material and each way for the pieces to belong to the players: the six pieces on the board, 4 bits each,
    and then what is in hand as a position holds it."""
    found = []
    for c, e, g in _counts():
        for chick, elephant, giraffe in product(_held(c, True), _held(e), _held(g)):
            pieces = hands = 0
            for place, (count, (whose, theirs)) in enumerate(zip((c, e, g), (chick, elephant, giraffe))):
                kinds = (place + 1) * (0, 0x01, 0x11)[count]
                pieces |= (kinds | whose) << 8 * place
                hands |= (2 - count - theirs) << 2 * place | theirs << (6 + 2 * place)
            found.append(pieces | hands << 24)
    return np.array(found, np.int64)


def _cells() -> Table:
    """For each material and each way to place the pieces: which of the ten cells they are on, 4 bits each, first the
    lower and then the upper of a kind."""
    return np.concatenate([_placed(*counts) for counts in _counts()])


def _placed(*counts: int) -> Table:
    ways = _ways(*counts)
    each = np.unravel_index(np.arange(math.prod(ways)), ways)
    pairs = np.array([(low, high) for high in range(_CELLS) for low in range(high)]).T
    taken = np.zeros((0, math.prod(ways)), np.int64)
    packed = np.zeros(math.prod(ways), np.int64)
    for kind, (count, number) in enumerate(zip(counts, each)):
        chosen = pairs[:, number] if count == 2 else number[None, :] if count == 1 else taken[:0]
        for cell in np.sort(taken, axis=0):  # cells are counted without those that are taken
            chosen = chosen + (chosen >= cell)
        taken = np.concatenate([taken, chosen])
        for upper in range(2):
            packed |= (chosen[upper] if upper < count else _ABSENT) << (8 * kind + 4 * upper)
    return packed


def transposed(reach: Table) -> Table:
    """For each piece on each square the squares from which it can step there."""
    back = np.zeros_like(reach)
    for at, squares in enumerate(reach):
        piece, square = divmod(at, 12)
        for target in range(12):
            if int(squares) >> target & 1:
                back[12 * piece + target] |= 1 << square
    return back
