"""Go on boards of up to 64 points: the stones of each colour are the bits of one word.

A chain is found by letting a stone spread over its colour until nothing is added. A point with an empty neighbour may
be played by anybody; only the others are looked at more closely.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.games._reflections import reflections
from zermelo.games.go.board import BLACK, EMPTY, NOWHERE, WHITE, Board, Setup
from zermelo.rules import bit_index, i16, popcount, rule, struct, u8, u64
from zermelo.rules.hashing import mix
from zermelo.rules.language import Rule


class Bits(NamedTuple):
    """Rules about sets of points in a word."""

    board: Any  # all points
    touching: Rule  # (points) -> all that have one of these for a neighbour
    spread: Rule  # (points) -> these and their neighbours
    chain: Rule  # (stones, seed) -> those of the stones that are joined to the seed, which is among them
    lowest: Rule  # (points) -> one of them; there must be one


def bits(rows: int, cols: int) -> Bits:
    """The geometry of one board."""
    one, across = u64(1), u64(cols)
    board = u64((1 << rows * cols) - 1)
    column = sum(1 << (r * cols) for r in range(rows))
    not_first, not_last = u64(int(board) & ~column), u64(int(board) & ~(column << (cols - 1)))

    @rule
    def touching(points):
        beside = ((points & not_last) << one) | ((points & not_first) >> one)
        return beside | ((points << across) & board) | (points >> across)

    @rule
    def spread(points):
        return points | touching(points)

    @rule
    def chain(stones, seed):
        found = seed
        grown = spread(found) & stones
        while grown != found:
            found = grown
            grown = spread(found) & stones
        return found

    @rule
    def lowest(points):
        return points ^ (points & (points - one))

    return Bits(board, touching, spread, chain, lowest)


def small_board(rows: int, cols: int, suicide: bool, territory: bool, most_prisoners: int) -> Board:
    """The board and its rules. Prisoners are counted where they score, up to a lead of `most_prisoners`."""
    cells = rows * cols
    State = struct(black=u64, white=u64, region=u64, prisoners=i16, ko=u8, target=u8, passes=u8, turn=u8)
    board, touching, spread, chain, lowest = bits(rows, cols)
    zero, one = u64(0), u64(1)

    @rule
    def sides(s):  # the stones of the player to move, and the opponent's
        if s.turn == 0:
            return s.black, s.white
        return s.white, s.black

    @rule
    def breathes(mine, theirs, stone):  # whether a stone on a point without empty neighbours has a liberty in the end
        free = board & ~(mine | theirs | stone)
        if spread(chain(mine | stone, stone)) & free != zero:
            return True
        near = spread(stone) & theirs
        while near != zero:
            other = chain(theirs, lowest(near))
            near &= ~other
            if spread(other) & free == zero:
                return True
        return False

    @rule
    def legal(s, point):
        stone = one << u64(point)
        mine, theirs = sides(s)
        if (mine | theirs) & stone != zero or s.ko == point + 1:
            return False
        return suicide or breathes(mine, theirs, stone)

    @rule
    def moves(s, out):
        mine, theirs = sides(s)
        free = board & ~(mine | theirs)
        left = free
        if not suicide:
            crowded = free & ~touching(free)
            while crowded != zero:
                stone = lowest(crowded)
                crowded ^= stone
                if not breathes(mine, theirs, stone):
                    left ^= stone
        if s.ko != 0:
            left &= ~(one << u64(s.ko - 1))
        n = 0
        while left != zero:
            out[n] = bit_index(left)
            n += 1
            left &= left - one
        out[n] = cells
        return n + 1

    @rule
    def play(s, move):
        s.ko = 0
        if move == cells:
            s.passes += 1
            s.turn = 1 - s.turn
            return
        stone = one << u64(move)
        mine, theirs = sides(s)
        mine |= stone
        taken, lost = zero, zero
        near = spread(stone) & theirs
        while near != zero:
            other = chain(theirs, lowest(near))
            near &= ~other
            if spread(other) & ~(mine | theirs) & board == zero:
                taken |= other
        theirs &= ~taken
        own = chain(mine, stone)
        liberties = spread(own) & board & ~(mine | theirs)
        if liberties == zero:
            lost = own
            mine &= ~own
        elif own == stone and liberties == taken and popcount(taken) == 1:
            s.ko = bit_index(taken) + 1
        if s.turn == 0:
            s.black, s.white = mine, theirs
        else:
            s.black, s.white = theirs, mine
        if territory:
            gained = popcount(taken) - popcount(lost)
            s.prisoners = max(-most_prisoners, min(most_prisoners, s.prisoners + (gained if s.turn == 0 else -gained)))
        s.passes = 0
        s.turn = 1 - s.turn

    @rule
    def surrounded(stones, free):  # the empty points from which a way leads to these stones
        begin = spread(stones) & free
        return chain(free, begin) if begin != zero else zero

    @rule
    def margin(s):
        free = board & ~(s.black | s.white)
        by_black, by_white = surrounded(s.black, free), surrounded(s.white, free)
        empty = popcount(by_black & ~by_white) - popcount(by_white & ~by_black)
        if territory:
            return empty + s.prisoners
        return popcount(s.black) - popcount(s.white) + empty

    @rule
    def owner(s, point):
        if (s.black >> u64(point)) & one != zero:
            return BLACK
        return WHITE if (s.white >> u64(point)) & one != zero else EMPTY

    @rule
    def liberty(s, point, other, another):
        stone = one << u64(point)
        found = spread(chain(s.black if s.black & stone != zero else s.white, stone)) & board & ~(s.black | s.white)
        if other >= 0:
            found &= ~(one << u64(other))
        if another >= 0:
            found &= ~(one << u64(another))
        return bit_index(found) if found != zero else NOWHERE

    @rule
    def board_key(s):
        return mix(mix(zero, s.black), s.white)

    @rule
    def key(s):
        small = (s.turn & 1) | (s.passes & 3) << 1 | (s.ko & 127) << 3 | (s.target & 127) << 10
        return mix(mix(board_key(s), s.region), u64(small | (s.prisoners + 32768) << 20))

    def make(setup: Setup) -> Any:
        black, white = (sum(1 << i for i in range(cells) if setup.stones[i] == who) for who in (BLACK, WHITE))
        return State(
            black=black, white=white, region=sum(1 << point for point in setup.region), prisoners=setup.prisoners,
            ko=setup.ko + 1, target=setup.target + 1, passes=setup.passes, turn=setup.turn,
        )  # fmt: skip

    def told(s: Any) -> Setup:
        stones = [int(owner(s, point)) for point in range(cells)]
        region = frozenset(point for point in range(cells) if int(s.region) >> point & 1)
        return Setup(stones, int(s.turn), int(s.ko) - 1, int(s.passes), int(s.prisoners), int(s.target) - 1, region)

    return Board(State, moves, legal, play, margin, owner, liberty, board_key, key, make, told)


def symmetry_of(rows: int, cols: int) -> Rule:
    """A key that the images of a position share."""
    mirrored, flipped, pairs = reflections(rows, cols)
    one, zero = u64(1), u64(0)

    @rule
    def image(black, white, region, ko, target):
        return mix(mix(mix(mix(mix(zero, black), white), region), ko), target)

    @rule
    def point(number):  # a point or none, as a set
        return one << u64(number - 1) if number > 0 else zero

    @rule
    def symmetry(s):
        black, white, region, ko, target = s.black, s.white, s.region, point(s.ko), point(s.target)
        least = image(black, white, region, ko, target)
        for _ in range(pairs):
            black, white, region = mirrored(black), mirrored(white), mirrored(region)
            ko, target = mirrored(ko), mirrored(target)
            least = min(least, image(black, white, region, ko, target))
            black, white, region = flipped(black), flipped(white), flipped(region)
            ko, target = flipped(ko), flipped(target)
            least = min(least, image(black, white, region, ko, target))
        return mix(least, u64((s.turn & 1) | (s.passes & 3) << 1 | (s.prisoners + 32768) << 20))

    return symmetry
