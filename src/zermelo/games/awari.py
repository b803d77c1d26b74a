"""Awari, also called oware: sow counter-clockwise, capture pits of two or three; the score is the difference.

A move sows all stones of an own pit, one a pit, leaving out the pit that they came from. If the last one makes two or
three in a pit of the opponent's, that pit is captured, and so are those before it on that side, back to the first that
does not hold two or three. Who finds the other side empty must play a stone over there, if one reaches. Who has no
move ends the game, and both keep what lies on their sides. A position that comes back ends the game with the points so
far: what is left on the board counts for nobody.

`slam` is what a capture of all the opponent's stones means: it is one like any other (`capture`), it takes nothing
(`keep`), or it may not be played (`forbidden`). OpenSpiel's oware has the moves of `keep`, but ends with the majority
of the stones and lets a repetition share out what is on the board, so its players do not know this game.

`mine` and `theirs` are the pits of the player to move and of the other one, a byte each in the order of sowing; they
change places with every move. How a handful of stones falls is then the sum of two words, which are looked up.
"""

from __future__ import annotations

import re
from math import comb
from typing import Any

import numpy as np

from zermelo.games._pits import pit_name, pits_and_stores
from zermelo.rules import ONGOING, Board, Game, PositionError, Tier, Unsuitable, rule, struct, u8, u64
from zermelo.rules.hashing import mix

SLAMS = ("capture", "keep", "forbidden")


def awari(pits: int = 6, stones: int = 4, slam: str = "capture") -> Game:
    """Sow and capture twos and threes; the score is the difference of the stones captured and kept."""
    total = 2 * pits * stones
    if not 1 <= pits <= 8 or stones < 1:
        raise Unsuitable("awari needs 1 to 8 pits on each side and at least 1 stone in each")
    if total > 255:
        raise Unsuitable(
            f"awari: {stones} stones in each of 2·{pits} pits make {total}, at most 255 are possible "
            f"({255 // (2 * pits)} in each of so many pits)"
        )
    if slam not in SLAMS:
        raise Unsuitable(f"awari: slam is {', '.join(SLAMS[:-1])} or {SLAMS[-1]}, not {slam!r}")
    State = struct(mine=u64, theirs=u64, first=u8, second=u8, turn=u8)
    keeps, forbids = slam == "keep", slam == "forbidden"
    hands = total + 1
    fits = 1 + total + 2 * pits + 2 + 1 <= 64  # a key in unary: a first one, stones, pits and captures, the turn
    near, far, last = _falls(pits, total)
    countable = comb(total + 2 * pits - 1, total) < 1 << 63
    bars = _bars(pits, total) if countable else np.zeros((0, 0), dtype=np.int64)
    one, zero, byte, high_bits, two_each = u64(1), u64(0), u64(255), u64(0xFEFEFEFEFEFEFEFE), u64(0x0202020202020202)
    one_each, top = u64(0x0101010101010101), u64(56)

    @rule
    def stones_in(row):
        return int((row * one_each) >> top)

    @rule
    def stones_at(s, pit):  # the player to move has the first pits
        return int(((s.mine if pit < pits else s.theirs) >> u64(8 * (pit % pits))) & byte)

    @rule
    def captured(row, end):  # the twos and threes from this pit back, as a mask; none if there is no such pit
        others = (row ^ two_each) & high_bits
        mask = zero
        while end >= 0:
            pit = byte << u64(8 * end)
            if others & pit != zero:
                break
            mask |= pit
            end -= 1
        return mask

    @rule
    def sown(s, move):  # both rows after sowing, and which of the opponent's pits could be captured
        fall = move * hands + stones_at(s, move)
        mine = (s.mine & ~(byte << u64(8 * move))) + near[fall]
        theirs = s.theirs + far[fall]
        return mine, theirs, captured(theirs, int(last[fall]))

    @rule
    def is_slam(theirs, mask):
        return mask != zero and theirs & ~mask == zero

    @rule
    def is_legal(s, move):
        hand = stones_at(s, move)
        if hand == 0 or (s.theirs == zero and hand < pits - move):
            return False
        if forbids:
            _, theirs, mask = sown(s, move)
            return not is_slam(theirs, mask)
        return True

    @rule
    def moves(s, out):
        n = 0
        for move in range(pits):
            if is_legal(s, move):
                out[n] = move
                n += 1
        return n

    @rule
    def play(s, move):
        mine, theirs, mask = sown(s, move)
        if not (keeps and is_slam(theirs, mask)):
            caught = stones_in(theirs & mask)
            theirs &= ~mask
            if s.turn == 0:
                s.first += caught
            else:
                s.second += caught
        s.mine, s.theirs, s.turn = theirs, mine, 1 - s.turn

    @rule
    def points(s):
        return 0 + s.first - s.second

    @rule
    def result(s):
        for move in range(pits):
            if is_legal(s, move):
                return ONGOING
        kept = stones_in(s.mine) - stones_in(s.theirs)
        return points(s) + (kept if s.turn == 0 else -kept)

    @rule
    def bounds(s):
        left = stones_in(s.mine) + stones_in(s.theirs)
        return points(s) - left, points(s) + left

    @rule
    def evaluate(s):
        return 0.0 + points(s)

    @rule
    def order(s, move):  # the greatest capture, then the pit nearest to the opponent
        _, theirs, mask = sown(s, move)
        if keeps and is_slam(theirs, mask):
            return move
        return 16 * stones_in(theirs & mask) + move

    @rule
    def in_unary(ones, count):  # each count as so many zeros and a one
        return (ones << u64(count + 1)) | one

    @rule
    def rows_key(s):
        if not fits:
            return mix(mix(zero, s.mine), s.theirs)
        ones = one
        for pit in range(2 * pits):
            ones = in_unary(ones, stones_at(s, pit))
        return ones

    @rule
    def key(s):
        return (in_unary(in_unary(rows_key(s), s.first), s.second) << one) | u64(s.turn)

    @rule
    def rest(s):  # the same for both players, each seen from its own side
        return rows_key(s), points(s)

    @rule
    def index(s):  # a tier for every number of stones; seen from the side of the player to move
        number = count = 0
        for pit in range(2 * pits - 1):
            count += stones_at(s, pit)
            number += int(bars[pit, count])
        return count + stones_at(s, 2 * pits - 1), number, 1 - 2 * s.turn

    @rule
    def lay(s, pit, count):
        here = u64(count) << u64(8 * (pit % pits))
        if pit < pits:
            s.mine |= here
        else:
            s.theirs |= here

    @rule
    def unindex(s, tier, number):
        s.mine, s.theirs, s.first, s.second, s.turn = zero, zero, 0, 0, 0
        count = tier
        for pit in range(2 * pits - 1, 0, -1):
            before = count
            while bars[pit - 1, before] > number:
                before -= 1
            number -= int(bars[pit - 1, before])
            lay(s, pit, count - before)
            count = before
        lay(s, 0, count)
        return True

    def tiers() -> list[Tier]:
        return [Tier(n, comb(n + 2 * pits - 1, n), str(n)) for n in range(total + 1)]

    def rows(s: Any) -> list[list[int]]:
        """The first player's pits and the second's."""
        both = [[int(row) >> 8 * i & 255 for i in range(pits)] for row in (s.mine, s.theirs)]
        return both[::-1] if s.turn else both

    def position_text(s: Any) -> str:
        first, second = (",".join(map(str, row)) for row in rows(s))
        return f"{first}|{s.first}|{second}|{s.second} {s.turn + 1}"

    def read_position(text: str) -> Any:
        if "|" not in text:
            return None
        form = re.fullmatch(r"([\d,\s]+)\|\s*(\d+)\s*\|([\d,\s]+)\|\s*(\d+)\s+([12])", text)
        if form is None:
            raise PositionError(
                "an awari position is pits|captured|pits|captured and the side to move (1 or 2), such as "
                + position_text(start)
            )
        both = [[int(n) for n in form[i].replace(",", " ").split()] for i in (1, 3)]
        if any(len(row) != pits for row in both):
            raise PositionError(f"{text!r} must give {pits} pits on each side")
        first, second, turn = int(form[2]), int(form[4]), int(form[5]) - 1
        count = sum(both[0]) + sum(both[1]) + first + second
        if count > total:
            raise PositionError(f"the stones in {text!r} add up to {count}, there are only {total}")
        mine, theirs = (sum(n << 8 * i for i, n in enumerate(both[side])) for side in (turn, 1 - turn))
        return State(mine=mine, theirs=theirs, first=first, second=second, turn=turn)

    def draw(s: Any) -> Board:
        near_row, far_row = rows(s)
        to_move = ("first player (below, to the right)", "second player (above, to the left)")[s.turn]
        caption = f"{to_move} to move" if result(s) == ONGOING else "the game is over"
        return pits_and_stores(near_row, far_row, (int(s.first), int(s.second)), caption)

    row = sum(stones << 8 * i for i in range(pits))
    start = State(mine=row, theirs=row)
    return Game(
        name="awari",
        State=State,
        start=start,
        moves=moves,
        play=play,
        result=result,
        max_moves=pits,
        max_plies=200 + 20 * total,
        values=(-total, total),
        repetition="points",
        alternating=True,
        exact_key=fits,
        key=key if fits else None,
        rest=rest,
        order=order,
        bounds=bounds,
        evaluate=evaluate,
        index=index if countable else None,
        unindex=unindex if countable else None,
        tiers=tiers if countable else None,
        move_text=lambda s, move: str(move + 1),
        position_text=position_text,
        read_position=read_position,
        draw=draw,
        spots=lambda s, move: [pit_name(s.turn, move)],
    )


def _bars(pits: int, total: int) -> np.ndarray[Any, Any]:
    """Stars and bars: the ways to lay out what comes first, where a bar behind pit i has so many stones before it."""
    ways = [[comb(n + i, i + 1) for n in range(total + 1)] for i in range(2 * pits - 1)]
    return np.array(ways, dtype=np.int64)


def _falls(pits: int, total: int) -> tuple[np.ndarray[Any, Any], ...]:
    """How a hand of so many stones falls, at pit × (total + 1) + stones: what is added to the own row and to the
    opponent's, and the pit over there where the last one falls, -1 if that is on the own side."""
    near, far = (np.zeros(pits * (total + 1), dtype=np.uint64) for _ in range(2))
    last = np.full(pits * (total + 1), -1, dtype=np.int64)
    for pit in range(pits):
        added, at = [0, 0], pit
        for hand in range(1, total + 1):
            at = (at + 1) % (2 * pits)
            if at == pit:
                at = (at + 1) % (2 * pits)
            added[at // pits] += 1 << 8 * (at % pits)
            fall = pit * (total + 1) + hand
            near[fall], far[fall] = added
            last[fall] = at - pits if at >= pits else -1
    return near, far, last
