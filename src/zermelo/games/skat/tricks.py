"""How tricks are played, and who will take one: the rules that points and null have in common."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.skat.cards import Deck
from zermelo.rules import ONGOING, bit_index, i64, rule, u32, u64
from zermelo.rules.language import Rule


class Tricks(NamedTuple):
    """The rules, and what hooks build on."""

    moves: Rule
    play: Rule
    result: Rule
    turn: Rule
    hand: Rule  # (s, player): the cards
    so_far: Rule  # (s): what the declarer has
    legal: Rule  # (s): the cards that may be played
    following: Rule  # (cards, lead): those that may be played to a lead
    beats: Rule  # (card, other)
    next_to: Rule  # (player)
    taker: Rule  # (leader, first, second, third): whose trick it is
    fate: Rule  # (s, move): who takes the trick if this is played: 1 the declarer, 0 the defenders, 2 that is open
    against: Rule  # (s): all cards that a card of the player's may have to beat
    apart: Rule  # (previous, card, others): whether a hand's two cards, next to each other there, are not in the game


def tricks(deck: Deck) -> Tricks:
    """The rules of a contract."""
    null, trump_base = deck.null, deck.trump_base
    fellows, beaters, suit_number, points = deck.fellows, deck.beaters, deck.suit_number, deck.points
    zero, one = u64(0), u64(1)

    @rule
    def hand(s, player):
        return u64(s.hands[player])

    @rule
    def so_far(s):  # with a sign, because it is subtracted: a byte would wrap
        return int(i64(s.taken))

    @rule
    def following(cards_held, lead):  # the cards that may be played to a lead
        same = cards_held & fellows[lead]
        return same if same != zero else cards_held

    @rule
    def beats(card, other):
        return card > other and (card >= trump_base or suit_number[card] == suit_number[other])

    @rule
    def best_on_table(s):  # the card that takes the trick so far; there is one
        if s.second != 0 and beats(s.second - 1, s.first - 1):
            return int(s.second) - 1
        return int(s.first) - 1

    @rule
    def legal(s):
        own = hand(s, s.player)
        return own if s.first == 0 else following(own, s.first - 1)

    @rule
    def next_to(player):
        return player + 1 if player < 2 else 0

    @rule
    def taker(leader, first, second, third):  # whose trick it is
        if beats(second, first):
            return next_to(leader) if not beats(third, second) else next_to(next_to(leader))
        return leader if not beats(third, first) else next_to(next_to(leader))

    @rule
    def moves(s, out):
        n = 0
        left = legal(s)
        while left != zero:
            out[n] = bit_index(left)
            left &= left - one
            n += 1
        return n

    @rule
    def play(s, move):
        player = int(s.player)
        s.hands[player] = u32(s.hands[player] ^ (1 << move))
        if s.first == 0:
            s.first = move + 1
            s.player = next_to(player)
        elif s.second == 0:
            s.second = move + 1
            s.player = next_to(player)
        else:
            first, second = s.first - 1, s.second - 1
            winner = taker(next_to(player), first, second, move)
            worth = points[first] + points[second] + points[move]
            s.live -= worth
            if winner == 0:
                s.taken += 1 if null else worth
            s.player = winner
            s.first = 0
            s.second = 0

    @rule
    def result(s):
        if null and s.taken != 0:
            return 0
        if s.hands[s.player] != 0:
            return ONGOING
        return 1 if null else so_far(s)

    @rule
    def turn(s):
        return 0 if s.player == 0 else 1

    @rule
    def fate(s, move):  # who takes the trick if this is played: 1 the declarer, 0 the defenders, 2 that is open
        player = int(s.player)
        side = 1 if player == 0 else 0
        after = next_to(player)
        last = next_to(after)
        if s.first == 0:
            second = following(hand(s, after), move)
            third = following(hand(s, last), move)
            second_beats, third_beats = second & beaters[move], third & beaters[move]
            if side == 1:
                if second_beats | third_beats == zero:
                    return 1
                if second_beats == second or third_beats == third:
                    return 0
                return 2
            if after == 0:  # the declarer is second
                if second_beats == zero:
                    return 0
                return 1 if second_beats == second and third_beats == zero else 2
            if third_beats == zero:
                return 0
            return 1 if third_beats == third and second_beats == zero else 2
        best = best_on_table(s)
        if s.second == 0:
            owner = 1 if last == 0 else 0
            if beats(move, best):
                best = move
                owner = side
            third_side = 1 if after == 0 else 0
            if third_side == owner:
                return owner
            third = following(hand(s, after), s.first - 1)
            third_beats = third & beaters[best]
            if third_beats == zero:
                return owner
            return third_side if third_beats == third else 2
        if beats(move, best):
            return side
        if best == s.first - 1:
            return 1 if after == 0 else 0
        return 1 if last == 0 else 0

    @rule
    def against(s):
        others = hand(s, next_to(s.player)) | hand(s, next_to(next_to(s.player)))
        if s.first != 0:
            others |= one << u64(best_on_table(s))
        return others

    @rule
    def apart(previous, card, others):
        return (
            previous < 0
            or suit_number[card] != suit_number[previous]
            or others & ((one << u64(card)) - (one << u64(previous))) != zero
        )

    return Tricks(
        moves, play, result, turn, hand, so_far, legal, following, beats, next_to, taker, fate, against, apart
    )
