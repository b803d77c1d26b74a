"""The cards of a contract as bits, and what is known of each.

Trump, jacks included, is a suit like the others: each suit is a run of bits from its lowest card to its highest, trump
above all, so that a card beats another if its bit is higher and it is of the same suit or trump.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from zermelo.rules import struct, u8, u32, u64

SUITS = "CSHD"
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
CARDS = tuple(suit + rank for suit in SUITS for rank in "JATKQ987")
TRUMPS = {"clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D", "grand": "", "null": ""}
State = struct(hands=(u32, 3), skat=u32, player=u8, first=u8, second=u8, taken=u8, live=u8)
"""The hands of declarer, left and right; who plays the next card; those on the table, each plus 1; what the declarer
has, and what is still to be had. Points, or in null tricks."""


def suits_of(contract: str) -> list[list[str]]:
    """The suits of a contract, the trumps last, each from its lowest card to its highest."""
    if contract == "null":
        return [[suit + rank for rank in "789TJQKA"] for suit in SUITS]
    own = {suit: [suit + rank for rank in "789QKTA"] for suit in SUITS}
    trump = own.pop(TRUMPS[contract], []) + [suit + "J" for suit in reversed(SUITS)]
    return [*own.values(), trump]


def shuffled(seed: int) -> list[list[str]]:
    """The hands and the skat of a deal, the same for every contract."""
    cards = list(CARDS)
    random.Random(seed).shuffle(cards)
    return [cards[:10], cards[10:20], cards[20:30], cards[30:]]


class Deck:
    """The cards of a contract: `cards` lists them by their bits, arrays are indexed by card or suit."""

    def __init__(self, contract: str) -> None:
        self.contract, self.null = contract, contract == "null"
        self.suits = suits_of(contract)
        self.cards = [card for suit in self.suits for card in suit]
        self.plain_count, self.width = (4, 8) if self.null else (len(self.suits) - 1, 7)
        self.trump_base = self.plain_count * self.width  # in null, where there are none, above all cards
        self.trumps = u64(0) if self.null else self.mask(self.suits[-1])
        self.suit_number = np.array([number for number, suit in enumerate(self.suits) for _ in suit], np.int64)
        self.suit_masks = np.array([self.mask(suit) for suit in self.suits], np.uint64)
        self.points = np.array([self.value_of([card]) for card in self.cards], np.int64)
        own = [self.suits[number] for number in self.suit_number.tolist()]
        self.fellows = np.array([self.mask(suit) for suit in own], np.uint64)  # the cards of its suit
        self.beaters = np.array([
            self.mask(other for at, other in enumerate(self.cards)
                      if at > card and (other in own[card] or at >= self.trump_base))
            for card in range(32)
        ], np.uint64)  # fmt: skip

    def mask(self, chosen: Any) -> Any:
        """The bits of these cards."""
        return u64(sum(1 << self.cards.index(card) for card in chosen))

    def ranked(self, ranks: str) -> Any:
        """The bits of all cards of these ranks."""
        return self.mask(card for card in self.cards if card[1] in ranks)

    def value_of(self, chosen: Any) -> int:
        """The points of these cards."""
        return 0 if self.null else sum(POINTS[card[1]] for card in chosen)

    def names(self, bits: int) -> list[str]:
        return [card for i, card in enumerate(self.cards) if int(bits) >> i & 1]


def squeezing(bits: int) -> Any:
    """[those in play, some of them]: the same without the places of the others."""

    def close_up(live: int, x: int) -> int:
        return sum(1 << bin(live & ((1 << i) - 1)).count("1") for i in range(bits) if x & live & (1 << i))

    return np.array([[close_up(live, x) for x in range(1 << bits)] for live in range(1 << bits)], np.uint64)
