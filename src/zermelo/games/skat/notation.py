"""How positions of Skat are written, read and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.games.skat.cards import CARDS, Deck, State
from zermelo.rules import ONGOING, Board, Grid, Piece, PositionError, Spot, Struct, Word
from zermelo.rules.language import Rule

HANDS = ("declarer", "left", "right")


class Notation:
    """Of one contract; `result` is the rule."""

    def __init__(self, deck: Deck, result: Rule) -> None:
        self.deck, self.result = deck, result

    def shown(self, bits: int) -> str:
        return " ".join(sorted(self.deck.names(bits), key=CARDS.index))

    def on_table(self, s: Any) -> list[str]:
        return [self.deck.cards[c - 1] for c in (s.first, s.second) if c]

    def leader(self, s: Any) -> int:
        return int(s.player - len(self.on_table(s))) % 3

    def position_text(self, s: Any) -> str:
        text = "|".join(self.shown(bits) for bits in (*s.hands, s.skat))
        if self.leader(s) or s.first or s.taken != self.deck.value_of(self.deck.names(s.skat)):
            text += f"|{'DLR'[self.leader(s)]}|{' '.join(self.on_table(s))}|{s.taken}"
        return text

    def read_position(self, text: str) -> Struct | None:
        if "|" not in text:
            return None
        fields = text.split("|")
        if len(fields) not in (4, 7):
            raise PositionError(
                "skat: a position is declarer|left|right|skat, or these and |leader|table|taken; "
                f"this has {len(fields)} fields: {text!r}"
            )
        hands, skat_cards = [_read_cards(field) for field in fields[:3]], _read_cards(fields[3])
        led, on_it, taken = (field.strip() for field in (fields[4:] or ("D", "", "")))
        table = _read_cards(on_it)
        all_cards = [card for pile in (*hands, skat_cards, table) for card in pile]
        twice = sorted({card for card in all_cards if all_cards.count(card) > 1}, key=CARDS.index)
        if twice:
            raise PositionError(f"skat: {twice[0]} is there twice, every card may be there only once")
        if len(skat_cards) != 2:
            raise PositionError(f"skat: two cards lie in the skat, not {len(skat_cards)}")
        if led.upper() not in ("D", "L", "R"):
            raise PositionError(f"skat: the leader is D, L or R, not {led!r}")
        first = "DLR".index(led.upper())
        if len(table) > 2:
            raise PositionError(f"skat: at most two cards lie on the table, not {len(table)}")
        sizes = [len(pile) for pile in hands]
        for place in range(len(table)):
            sizes[(first + place) % 3] += 1
        if len(set(sizes)) > 1:
            raise PositionError(
                "skat: the players must hold equally many cards, counting those on the table, not "
                + ", ".join(f"{name} {size}" for name, size in zip(HANDS, sizes))
            )
        return self.made(hands, skat_cards, first, table, taken)

    def made(
        self, hands: list[list[str]], skat_cards: list[str], first: int = 0, table: Sequence[str] = (), taken: str = ""
    ) -> Struct:
        """The state; if nobody says what the declarer has taken, it is the skat."""
        live = self.deck.value_of([card for pile in (*hands, table) for card in pile])
        gone = 0 if self.deck.null else 120 - live
        had = self.deck.value_of(skat_cards)
        limit = 1 if self.deck.null else gone
        if taken and not (taken.isdecimal() and had <= int(taken) <= limit):
            what = "tricks" if self.deck.null else "points, the skat's included,"
            raise PositionError(f"skat: the declarer's {what} so far must be from {had} to {limit}, not {taken}")
        played = [self.deck.cards.index(card) + 1 for card in table] + [0, 0]
        return State(
            hands=[self.deck.mask(pile) for pile in hands], skat=self.deck.mask(skat_cards),
            player=(first + len(table)) % 3, first=played[0], second=played[1],
            taken=int(taken) if taken else had, live=live,
        )  # fmt: skip

    def draw(self, s: Any) -> Board:
        """Each hand in a row; a card's spot is called by the card."""
        piles = [*(self.deck.names(bits)[::-1] for bits in (*s.hands, s.skat)), self.on_table(s)]
        across = max(map(len, piles))
        so_far = f"{s.taken} {'tricks' if self.deck.null else 'points'}"
        to_move = f"{HANDS[s.player]} to play, " if self.result(s) == ONGOING else ""
        caption, rows = f"{self.deck.contract}: {to_move}{so_far}", ["D", "L", "R", "skat", "table"]
        printed = Grid([pile + [""] * (across - len(pile)) for pile in piles], rows=rows, caption=caption).text()
        spots = {
            card: Spot(1.7 + 0.95 * i, 0.8 + 1.5 * row, "card", 0.95, 1.4)
            for row, pile in enumerate(piles)
            for i, card in enumerate(pile)
        }
        pieces = {card: Piece(card, None, "card") for card in spots}
        words = [Word(0.6, 0.8 + 1.5 * row, name) for row, name in enumerate(rows)]
        return Board(spots, pieces, (), words, caption, printed)


def _read_cards(field: str) -> list[str]:
    found = field.upper().replace(",", " ").split()
    for card in found:
        if card not in CARDS:
            raise PositionError(
                f"skat: {card} is no card; a card is a suit (C S H D) and a rank (J A T K Q 9 8 7), such as CJ"
            )
    return found
