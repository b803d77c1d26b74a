"""Null: whoever can be made to take a trick will be."""

from __future__ import annotations

from zermelo.games.skat.cards import Deck
from zermelo.games.skat.tricks import Tricks
from zermelo.rules import bit_index, popcount, rule, u64
from zermelo.rules.language import Rule


def null_bounds(deck: Deck, tricks: Tricks) -> Rule:
    """The hook: hands that are safe, and tricks that cannot be escaped."""
    hand, legal, fate = tricks.hand, tricks.legal, tricks.fate
    fellows, zero, one = deck.fellows, u64(0), u64(1)

    @rule
    def bounds(s):
        declarer = hand(s, 0)
        left = legal(s)
        if s.player == 0:
            while left != zero:
                if fate(s, bit_index(left)) == 0:
                    return 0, 1
                left &= left - one
            return 0, 0
        if s.first != 0:
            while left != zero:
                if fate(s, bit_index(left)) == 1:
                    return 0, 0
                left &= left - one
            return 0, 1
        others = hand(s, 1) | hand(s, 2)
        left = declarer
        while left != zero:  # safe if below each card of a suit there are more of the declarer's than of the others
            lower = (left & (zero - left)) - one
            these = lower & fellows[bit_index(left)]
            if popcount(others & these) > popcount(declarer & these):
                return 0, 1
            left &= left - one
        return 1, 1

    return bounds


def null_candidates(deck: Deck, tricks: Tricks) -> Rule:
    """The hook: one of those cards that are equal, and of the declarer's only what does not lose at once."""
    legal, fate, against, apart = tricks.legal, tricks.fate, tricks.against, tricks.apart
    suit_number, zero, one = deck.suit_number, u64(0), u64(1)

    @rule
    def candidates(s, out):
        left = legal(s)
        n, previous = 0, -1
        if s.player == 0:  # the highest safe card of each suit: to keep lower ones is never worse
            while left != zero:
                card = bit_index(left)
                left &= left - one
                if fate(s, card) == 0:
                    if previous < 0 or suit_number[card] != suit_number[previous]:
                        n += 1
                    out[n - 1] = card
                    previous = card
            return n
        others = against(s)
        while left != zero:
            card = bit_index(left)
            left &= left - one
            if apart(previous, card, others):
                out[n] = card
                n += 1
            previous = card
        return n

    return candidates
