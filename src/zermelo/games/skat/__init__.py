"""Skat with open hands: ten tricks, a declarer against two defenders who play as one, the score is card points.

The 32-card game after bidding and skat. `contract` names the trump suit, or grand (only jacks are trumps), or null (no
trumps; the declarer must take no trick). The first player is the declarer, the second player both defenders. The score
is what the declarer's tricks and the skat hold, of 120 (A 11, T 10, K 4, Q 3, J 2); in null it is 1 if the declarer
takes no trick, else 0. `deal` is the seed of the cards at the start; `dealt` gives further deals of the same game.
`sizes`: try moves that leave few replies first, all else being equal; off, to see what that is worth.

A position is written `declarer|left|right|skat`, cards as suit and rank (C S H D; J A T K Q 9 8 7), the declarer
leading. Three more fields, `|leader|table|taken`, are written where they differ from that: who led this trick (D, L
or R), the cards on the table in the order of play, and what the declarer has so far: points, the skat's included, or
in null tricks. Endings have fewer cards; what became of the others only `taken` tells.

Three facts make searches short. Cards next to each other among those still in play, in one hand, are equal but for
their points: where it is certain who takes the trick, only the one with the most (or fewest) points need be played,
else one for each number of points; what the other cards might bring later is never more than is lost now. The rest of
the game does not depend on the points so far, on the ranks that gone cards leave empty, or on the names of the suits
that are not trump. And tricks that a side can take whatever the other does bound the score.
"""

from __future__ import annotations

from zermelo.games.skat.cards import CARDS, POINTS, TRUMPS, Deck, State, shuffled, suits_of
from zermelo.games.skat.notation import Notation
from zermelo.games.skat.null import null_bounds, null_candidates
from zermelo.games.skat.points import point_bounds, point_candidates, point_order
from zermelo.games.skat.rest import null_rest, point_rest
from zermelo.games.skat.tricks import tricks
from zermelo.rules import Game, Position, Unsuitable, nearest

__all__ = ["CARDS", "POINTS", "dealt", "shuffled", "skat", "suits_of"]


def dealt(game: Game, seed: int) -> Position:
    """The start of another deal, searched by the same compiled code."""
    return game.position("|".join(" ".join(cards) for cards in shuffled(seed)))


def skat(contract: str = "clubs", deal: int = 0, sizes: bool = True) -> Game:
    """Tricks with trumps. The declarer leads; the score is the declarer's card points, the skat's included."""
    if contract not in TRUMPS:
        raise Unsuitable(f"skat: no contract is called {contract}, {nearest(contract, TRUMPS)}")
    deck = Deck(contract)
    played, null = tricks(deck), deck.null
    notation = Notation(deck, played.result)
    *hands, skat_cards = shuffled(deal)
    return Game(
        name="skat",
        State=State,
        start=notation.made(hands, skat_cards),
        moves=played.moves,
        play=played.play,
        result=played.result,
        turn=played.turn,
        max_moves=10,
        max_plies=30,
        values=(0, 1) if null else (0, 120),
        order=None if null else point_order(deck, played, sizes),
        rest=(null_rest if null else point_rest)(deck, played),
        bounds=(null_bounds if null else point_bounds)(deck, played),
        candidates=(null_candidates if null else point_candidates)(deck, played),
        move_text=lambda s, move: deck.cards[move],
        position_text=notation.position_text,
        read_position=notation.read_position,
        draw=notation.draw,
    )
