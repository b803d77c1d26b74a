"""What the rest of the game depends on: neither on the points so far, nor on the ranks that gone cards leave empty, nor
on the names of the suits that are not trump."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.skat.cards import Deck, squeezing
from zermelo.games.skat.tricks import Tricks
from zermelo.rules import rule, u64
from zermelo.rules.hashing import mix
from zermelo.rules.language import Rule


class _Parts(NamedTuple):
    table_bits: Rule  # (s): the cards on the table
    suit_code: Rule  # (declarer, left, right, on_table, suit, led): who has what of a suit
    hashed: Rule  # (a, b, c, d, trump, s): suits other than trump have no names: sorted


def _parts(deck: Deck, tricks: Tricks) -> _Parts:
    beats, width = tricks.beats, deck.width
    zero, one, byte, whole_suit = u64(0), u64(1), u64(8), u64((1 << deck.width) - 1)

    @rule
    def table_bits(s):
        on_table = zero
        if s.first != 0:
            on_table |= one << u64(s.first - 1)
        if s.second != 0:
            on_table |= one << u64(s.second - 1)
        return on_table

    @rule
    def situation(s):  # who is to move, and whether the second card takes the trick so far
        ahead = one if s.second != 0 and beats(s.second - 1, s.first - 1) else zero
        return u64(s.player) | (ahead << u64(2))

    @rule
    def hashed(a, b, c, d, trump, s):
        if a > b:
            a, b = b, a
        if c > d:
            c, d = d, c
        if a > c:
            a, c = c, a
        if b > d:
            b, d = d, b
        if b > c:
            b, c = c, b
        return mix(mix(mix(a, b), mix(c, d)), trump | (situation(s) << u64(48)))

    @rule
    def suit_code(declarer, left, right, on_table, suit, led):
        at = u64(suit * width)
        code = (declarer >> at) & whole_suit
        code |= ((left >> at) & whole_suit) << byte
        code |= ((right >> at) & whole_suit) << u64(16)
        code |= ((on_table >> at) & whole_suit) << u64(24)
        return code | (one << u64(32) if suit == led else zero)

    return _Parts(table_bits, suit_code, hashed)


def point_rest(deck: Deck, tricks: Tricks) -> Rule:
    """The hook. Jacks and small cards close up; between others there are points."""
    hand, so_far = tricks.hand, tricks.so_far
    table_bits, suit_code, hashed = _parts(deck, tricks)
    suits, suit_number, plain_count = deck.suits, deck.suit_number, deck.plain_count
    sevens, eights = (deck.mask(s[i] for s in suits if s[i][1] == rank) for i, rank in enumerate("78"))
    small, jacks, squeezed = deck.ranked("789"), deck.ranked("J"), squeezing(4)
    zero, one, base, jack_at = u64(0), u64(1), u64(deck.trump_base), u64(28)

    @rule
    def moved_down(x, above):  # these cards one place down
        return (x & ~above) | ((x & above) >> one)

    @rule
    def jacks_closed_up(x, live):
        return (x & ~jacks) | (squeezed[live >> jack_at, x >> jack_at] << jack_at)

    @rule
    def rest(s):
        declarer, left, right, on_table = hand(s, 0), hand(s, 1), hand(s, 2), table_bits(s)
        live = declarer | left | right | on_table
        if small & ~live != zero:
            for step in range(3):  # twice for the sevens, because the eight may be gone as well
                gone = (sevens if step < 2 else eights) & ~live
                above = (gone << one) | (gone << u64(2)) if step < 2 else gone << one
                declarer, left = moved_down(declarer, above), moved_down(left, above)
                right, on_table = moved_down(right, above), moved_down(on_table, above)
                live = moved_down(live, above)
        if jacks & ~live != zero:
            declarer, left = jacks_closed_up(declarer, live), jacks_closed_up(left, live)
            right, on_table = jacks_closed_up(right, live), jacks_closed_up(on_table, live)
        led = int(suit_number[s.first - 1]) if s.first != 0 else -1
        trump = (declarer >> base) | ((left >> base) << u64(11)) | ((right >> base) << u64(22))
        trump |= (on_table >> base) << u64(33)
        if led == plain_count:
            trump |= one << u64(44)
        a = suit_code(declarer, left, right, on_table, 0, led)
        b = suit_code(declarer, left, right, on_table, 1, led)
        c = suit_code(declarer, left, right, on_table, 2, led)
        d = suit_code(declarer, left, right, on_table, 3, led) if plain_count == 4 else zero
        return hashed(a, b, c, d, trump, s), so_far(s)

    return rest


def null_rest(deck: Deck, tricks: Tricks) -> Rule:
    """The hook. All cards close up."""
    hand, suit_number = tricks.hand, deck.suit_number
    table_bits, suit_code, hashed = _parts(deck, tricks)
    zero, whole_suit, squeezed = u64(0), u64(0xFF), squeezing(8)

    @rule
    def closed_up(x, live):  # every suit without the places of gone cards
        y = zero
        for suit in range(4):
            at = u64(8 * suit)
            y |= squeezed[(live >> at) & whole_suit, (x >> at) & whole_suit] << at
        return y

    @rule
    def rest(s):
        declarer, left, right, on_table = hand(s, 0), hand(s, 1), hand(s, 2), table_bits(s)
        live = declarer | left | right | on_table
        declarer, left = closed_up(declarer, live), closed_up(left, live)
        right, on_table = closed_up(right, live), closed_up(on_table, live)
        led = int(suit_number[s.first - 1]) if s.first != 0 else -1
        a = suit_code(declarer, left, right, on_table, 0, led)
        b = suit_code(declarer, left, right, on_table, 1, led)
        c = suit_code(declarer, left, right, on_table, 2, led)
        d = suit_code(declarer, left, right, on_table, 3, led)
        return hashed(a, b, c, d, zero, s), 0

    return rest
