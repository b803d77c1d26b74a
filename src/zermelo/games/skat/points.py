"""What is certain about points, which cards are worth trying, and in which order."""

from __future__ import annotations

import numpy as np

from zermelo.games.skat.cards import Deck
from zermelo.games.skat.tricks import Tricks
from zermelo.rules import bit_index, i64, popcount, rule, u64
from zermelo.rules.language import Rule

WEIGHTS = np.array([
    [[458, 23, -24, 196, 6, 2, -232, 24, -16, 10, -4, -31], [480, 16, -12, 166, -12, -49, -8, -4, -30, 27, -40, -64]],
    [[494, 18, -48, 190, -112, -24, 8, 72, -4, 11, 0, 0], [480, 16, -30, 160, 112, -32, 0, 0, -96, 0, 0, 0]],
    [[480, 13, -68, 0, 0, -29, 72, 88, -100, 6, 0, 0], [480, 88, -2, 0, 0, -72, 0, 15, -6, 0, 0, 0]],
], np.int64)  # fmt: skip
"""What the order of moves counts, for the first, second and third card of a trick, of a defender and of the declarer:
a trick that is sure, and each point then; each point if it is lost; a trick that is open, and each point then; a trump,
and one in a sure trick; each card left to the others that is higher; each card in hand and each with the others of the
same suit; and the size of what follows, each card that the next player and the one after may answer with. Found by
changing one at a time as long as random deals took fewer nodes."""


def point_bounds(deck: Deck, tricks: Tricks) -> Rule:
    """The hook: tricks that a side can take whatever the other does."""
    hand, so_far, taker = tricks.hand, tricks.so_far, tricks.taker
    trumps, suit_masks, plain_count = deck.trumps, deck.suit_masks, deck.plain_count
    aces, tens, kings, queens, jacks, small = (deck.ranked(ranks) for ranks in ("A", "T", "K", "Q", "J", "789"))
    counting, worths = np.array([jacks, queens, kings, tens, aces], np.uint64), np.array([2, 3, 4, 10, 11], np.int64)
    kept1, kept2, kept4, kept8 = (  # the bits into which a shift down by so many brings nothing of another suit
        deck.mask(card for suit in deck.suits for card in suit[: max(0, len(suit) - step)]) for step in (1, 2, 4, 8)
    )
    zero, one = u64(0), u64(1)

    @rule
    def spread_down(x):  # with every card, all lower ones of its suit
        x |= (x >> one) & kept1
        x |= (x >> u64(2)) & kept2
        x |= (x >> u64(4)) & kept4
        return x | ((x >> u64(8)) & kept8)

    @rule
    def worth_of(x):
        return (
            11 * popcount(x & aces) + 10 * popcount(x & tens) + 4 * popcount(x & kings)
            + 3 * popcount(x & queens) + 2 * popcount(x & jacks)
        )  # fmt: skip

    @rule
    def cheapest(x, count):  # the points of the so many cheapest cards
        total = 0
        count -= popcount(x & small)
        for i in range(5):
            if count <= 0:
                break
            some = min(count, popcount(x & counting[i]))
            total += worths[i] * some
            count -= some
        return total

    @rule
    def cashed(own, one_hand, other):  # the least that a leader and the leader's tricks hold, all led from the top
        top = own & ~spread_down(one_hand | other)
        drawn = popcount(top & trumps)
        their = popcount(one_hand & trumps)
        his = popcount(other & trumps)
        sure = top & trumps
        count = drawn
        if drawn >= their and drawn >= his:  # no trump is left against the others
            sure = own & trumps
            count = popcount(sure)
        for suit in range(plain_count):
            these = suit_masks[suit]
            winners = top & these
            if winners != zero:
                length, other_length = popcount(one_hand & these), popcount(other & these)
                n = popcount(winners)
                if n >= length and n >= other_length:
                    winners = own & these
                    n = popcount(winners)
                if their > drawn and length < n:
                    n = length
                if his > drawn and other_length < n:
                    n = other_length
                if n > 0:
                    count += n
                    for _ in range(popcount(winners) - n):
                        winners &= winners - one
                    sure |= winners
        if count == 0:
            return 0
        return worth_of(sure) + cheapest(one_hand, count) + cheapest(other, count)

    @rule
    def bounds(s):
        low, high = so_far(s), so_far(s) + int(i64(s.live))
        if s.first != 0 or low == high:
            return low, high
        declarer, left, right = hand(s, 0), hand(s, 1), hand(s, 2)
        if declarer & (declarer - one) == zero:  # the last trick plays itself
            lead, second, third = bit_index(declarer), bit_index(left), bit_index(right)
            if s.player == 1:
                lead, second, third = second, third, lead
            elif s.player == 2:
                lead, second, third = third, lead, second
            return (high, high) if taker(int(s.player), lead, second, third) == 0 else (low, low)
        masters_left = left & trumps & ~spread_down(declarer)
        masters_right = right & trumps & ~spread_down(declarer)
        tricks = max(popcount(masters_left), popcount(masters_right))
        lost = 0
        if tricks > 0:
            lost = worth_of(masters_left | masters_right) + cheapest(declarer, tricks)
        won = 0
        if s.player == 0:
            won = cashed(declarer, left, right)
        else:
            if s.player == 1:
                lost = max(lost, cashed(left, declarer, right))
            else:
                lost = max(lost, cashed(right, declarer, left))
            masters = declarer & trumps & ~spread_down(left | right)
            tricks = popcount(masters)
            if tricks > 0:
                won = worth_of(masters) + cheapest(left, tricks) + cheapest(right, tricks)
        return low + won, high - lost

    return bounds


def point_candidates(deck: Deck, tricks: Tricks) -> Rule:
    """The hook: of cards that are equal but for their points, those that can be best."""
    legal, fate, against, apart = tricks.legal, tricks.fate, tricks.against, tricks.apart
    points, zero, one = deck.points, u64(0), u64(1)

    @rule
    def candidates(s, out):
        side = 1 if s.player == 0 else 0
        others, left = against(s), legal(s)
        n, begin, previous, decided = 0, 0, -1, 2
        while left != zero:
            card = bit_index(left)
            left &= left - one
            if apart(previous, card, others):
                begin = n
                decided = fate(s, card)
            previous = card
            if n == begin:
                out[n] = card
                n += 1
            elif decided == 2:
                if points[card] != points[out[n - 1]]:
                    out[n] = card
                    n += 1
            elif (points[card] > points[out[begin]]) == (decided == side):
                out[begin] = card
        return n

    return candidates


def point_order(deck: Deck, tricks: Tricks, sizes: bool) -> Rule:
    """The hook."""
    hand, next_to, following, fate = tricks.hand, tricks.next_to, tricks.following, tricks.fate
    points, trump_base, beaters, fellows = deck.points, deck.trump_base, deck.beaters, deck.fellows

    @rule
    def order(s, move):
        player = int(s.player)
        after = next_to(player)
        one_hand, other = hand(s, after), hand(s, next_to(after))
        w = WEIGHTS[(0 if s.first == 0 else 1 if s.second == 0 else 2), (1 if player == 0 else 0)]
        decided, worth = fate(s, move), points[move]
        if decided == 2:
            score = w[3] + w[4] * worth
        elif (decided == 1) == (player == 0):
            score = w[0] + w[1] * worth + (w[6] if move >= trump_base else 0)
        else:
            score = w[2] * worth
        if move >= trump_base:
            score += w[5]
        score += w[7] * popcount((one_hand | other) & beaters[move])
        score += w[8] * popcount(hand(s, player) & fellows[move])
        score += w[9] * popcount((one_hand | other) & fellows[move])
        if sizes and s.first == 0:
            score += w[10] * popcount(following(one_hand, move)) + w[11] * popcount(following(other, move))
        return score

    return order
