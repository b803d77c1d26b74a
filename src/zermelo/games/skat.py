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

Cards are bits, and trump, jacks included, is a suit like the others: each suit is a run of bits from its lowest card
to its highest, trump above all, so that a card beats another if its bit is higher and it is of the same suit or trump.

Three facts make searches short. Cards next to each other among those still in play, in one hand, are equal but for
their points: where it is certain who takes the trick, only the one with the most (or fewest) points need be played,
else one for each number of points; what the other cards might bring later is never more than is lost now. The rest of
the game does not depend on the points so far, on the ranks that gone cards leave empty, or on the names of the suits
that are not trump. And tricks that a side can take whatever the other does bound the score.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from zermelo.rules import (
    ONGOING,
    Game,
    Grid,
    Position,
    PositionError,
    Struct,
    Unsuitable,
    bit_index,
    i64,
    nearest,
    popcount,
    rule,
    struct,
    u8,
    u32,
    u64,
)
from zermelo.rules.hashing import mix

SUITS = "CSHD"
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
CARDS = tuple(suit + rank for suit in SUITS for rank in "JATKQ987")
TRUMPS = {"clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D", "grand": "", "null": ""}
HANDS = ("declarer", "left", "right")
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


def dealt(game: Game, seed: int) -> Position:
    """The start of another deal, searched by the same compiled code."""
    return game.position("|".join(" ".join(cards) for cards in shuffled(seed)))


def skat(contract: str = "clubs", deal: int = 0, sizes: bool = True) -> Game:
    """Tricks with trumps. The declarer leads; the score is the declarer's card points, the skat's included."""
    if contract not in TRUMPS:
        raise Unsuitable(f"skat: no contract is called {contract}, {nearest(contract, TRUMPS)}")
    null = contract == "null"
    suits = suits_of(contract)
    cards = [card for suit in suits for card in suit]
    plain_count, width = (4, 8) if null else (len(suits) - 1, 7)
    trump_base = plain_count * width  # in null, where there are none, above all cards
    State = struct(hands=(u32, 3), skat=u32, player=u8, first=u8, second=u8, taken=u8, live=u8)
    zero, one, byte = u64(0), u64(1), u64(8)
    whole_suit, base, jack_at = u64((1 << width) - 1), u64(trump_base), u64(28)

    def mask(chosen: Any) -> Any:
        return u64(sum(1 << cards.index(card) for card in chosen))

    def ranked(ranks: str) -> Any:
        return mask(card for card in cards if card[1] in ranks)

    aces, tens, kings, queens, jacks, small = (ranked(ranks) for ranks in ("A", "T", "K", "Q", "J", "789"))
    counting, worths = np.array([jacks, queens, kings, tens, aces], np.uint64), np.array([2, 3, 4, 10, 11], np.int64)
    trumps = zero if null else mask(suits[-1])
    sevens, eights = mask(s[0] for s in suits if s[0][1] == "7"), mask(s[1] for s in suits if s[1][1] == "8")
    suit_number = np.array([number for number, suit in enumerate(suits) for _ in suit], np.int64)
    suit_masks = np.array([mask(suit) for suit in suits], np.uint64)
    points = np.array([0 if null else POINTS[card[1]] for card in cards], np.int64)
    fellows = np.array([mask(suits[int(suit_number[c])]) for c in range(32)], np.uint64)  # the cards of its suit
    beaters = np.array([
        mask(other for i, other in enumerate(cards)
             if i > c and (other in suits[int(suit_number[c])] or i >= trump_base))
        for c in range(32)
    ], np.uint64)  # fmt: skip
    kept1, kept2, kept4, kept8 = (  # the bits into which a shift down by so many brings nothing of another suit
        mask(card for suit in suits for card in suit[: max(0, len(suit) - step)]) for step in (1, 2, 4, 8)
    )
    squeeze_bits = 8 if null else 4
    squeezed = np.array([  # [those in play, some of them]: the same without the places of the others
        [sum(1 << bin(live & ((1 << i) - 1)).count("1") for i in range(squeeze_bits) if x & live & (1 << i))
         for x in range(1 << squeeze_bits)] for live in range(1 << squeeze_bits)
    ], np.uint64)  # fmt: skip

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

    # ---- what is certain

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
    def point_bounds(s):
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
    def point_candidates(s, out):
        player = int(s.player)
        side = 1 if player == 0 else 0
        others = hand(s, next_to(player)) | hand(s, next_to(next_to(player)))
        if s.first != 0:
            others |= one << u64(best_on_table(s))
        left = legal(s)
        n, begin, previous, decided = 0, 0, -1, 2
        while left != zero:
            card = bit_index(left)
            left &= left - one
            if (
                previous < 0
                or suit_number[card] != suit_number[previous]
                or others & ((one << u64(card)) - (one << u64(previous))) != zero
            ):
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

    @rule
    def point_order(s, move):
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

    # ---- null: whoever can be made to take a trick will be

    @rule
    def null_bounds(s):
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

    @rule
    def null_candidates(s, out):
        player = int(s.player)
        left = legal(s)
        n, previous = 0, -1
        if player == 0:  # the highest safe card of each suit: to keep lower ones is never worse
            while left != zero:
                card = bit_index(left)
                left &= left - one
                if fate(s, card) == 0:
                    if previous < 0 or suit_number[card] != suit_number[previous]:
                        n += 1
                    out[n - 1] = card
                    previous = card
            return n
        others = hand(s, next_to(player)) | hand(s, next_to(next_to(player)))
        if s.first != 0:
            others |= one << u64(best_on_table(s))
        while left != zero:
            card = bit_index(left)
            left &= left - one
            if (
                previous < 0
                or suit_number[card] != suit_number[previous]
                or others & ((one << u64(card)) - (one << u64(previous))) != zero
            ):
                out[n] = card
                n += 1
            previous = card
        return n

    # ---- what the rest of the game depends on

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
    def hashed(a, b, c, d, trump, where):  # suits other than trump have no names: sorted
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
        return mix(mix(mix(a, b), mix(c, d)), trump | (where << u64(48)))

    @rule
    def suit_code(declarer, left, right, on_table, suit, led):
        at = u64(suit * width)
        code = (declarer >> at) & whole_suit
        code |= ((left >> at) & whole_suit) << byte
        code |= ((right >> at) & whole_suit) << u64(16)
        code |= ((on_table >> at) & whole_suit) << u64(24)
        return code | (one << u64(32) if suit == led else zero)

    @rule
    def moved_down(x, above):  # these cards one place down
        return (x & ~above) | ((x & above) >> one)

    @rule
    def jacks_closed_up(x, live):
        return (x & ~jacks) | (squeezed[live >> jack_at, x >> jack_at] << jack_at)

    @rule
    def point_rest(s):
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
        return hashed(a, b, c, d, trump, situation(s)), so_far(s)

    @rule
    def closed_up(x, live):  # every suit without the places of gone cards
        y = zero
        for suit in range(4):
            at = u64(8 * suit)
            y |= squeezed[(live >> at) & whole_suit, (x >> at) & whole_suit] << at
        return y

    @rule
    def null_rest(s):
        declarer, left, right, on_table = hand(s, 0), hand(s, 1), hand(s, 2), table_bits(s)
        live = declarer | left | right | on_table
        declarer, left = closed_up(declarer, live), closed_up(left, live)
        right, on_table = closed_up(right, live), closed_up(on_table, live)
        led = int(suit_number[s.first - 1]) if s.first != 0 else -1
        a = suit_code(declarer, left, right, on_table, 0, led)
        b = suit_code(declarer, left, right, on_table, 1, led)
        c = suit_code(declarer, left, right, on_table, 2, led)
        d = suit_code(declarer, left, right, on_table, 3, led)
        return hashed(a, b, c, d, zero, situation(s)), 0

    # ---- texts and pictures

    def names(bits: int) -> list[str]:
        return [card for i, card in enumerate(cards) if int(bits) >> i & 1]

    def shown(bits: int) -> str:
        return " ".join(sorted(names(bits), key=CARDS.index))

    def value_of(chosen: Any) -> int:
        return 0 if null else sum(POINTS[card[1]] for card in chosen)

    def on_table(s: Any) -> list[str]:
        return [cards[c - 1] for c in (s.first, s.second) if c]

    def leader(s: Any) -> int:
        return int(s.player - len(on_table(s))) % 3

    def position_text(s: Any) -> str:
        text = "|".join(shown(bits) for bits in (*s.hands, s.skat))
        if leader(s) or s.first or s.taken != value_of(names(s.skat)):
            text += f"|{'DLR'[leader(s)]}|{' '.join(on_table(s))}|{s.taken}"
        return text

    def read_cards(field: str) -> list[str]:
        found = field.upper().replace(",", " ").split()
        for card in found:
            if card not in CARDS:
                raise PositionError(
                    f"skat: {card} is no card; a card is a suit (C S H D) and a rank (J A T K Q 9 8 7), such as CJ"
                )
        return found

    def read_position(text: str) -> Struct | None:
        if "|" not in text:
            return None
        fields = text.split("|")
        if len(fields) not in (4, 7):
            raise PositionError(
                "skat: a position is declarer|left|right|skat, or these and |leader|table|taken; "
                f"this has {len(fields)} fields: {text!r}"
            )
        hands, skat_cards = [read_cards(field) for field in fields[:3]], read_cards(fields[3])
        led, on_it, taken = (field.strip() for field in (fields[4:] or ("D", "", "")))
        table = read_cards(on_it)
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
        return made(hands, skat_cards, first, table, taken)

    def made(hands: list[list[str]], skat_cards: list[str], first: int, table: list[str], taken: str) -> Struct:
        live = value_of([card for pile in (*hands, table) for card in pile])
        gone = 0 if null else 120 - live
        had = value_of(skat_cards)
        limit = 1 if null else gone
        if taken and not (taken.isdecimal() and had <= int(taken) <= limit):
            what = "tricks" if null else "points, the skat's included,"
            raise PositionError(f"skat: the declarer's {what} so far must be from {had} to {limit}, not {taken}")
        played = [cards.index(card) + 1 for card in table] + [0, 0]
        return State(
            hands=[mask(pile) for pile in hands], skat=mask(skat_cards), player=(first + len(table)) % 3,
            first=played[0], second=played[1], taken=int(taken) if taken else had, live=live,
        )  # fmt: skip

    def draw(s: Any) -> Grid:
        piles = [*(names(bits)[::-1] for bits in (*s.hands, s.skat)), on_table(s)]
        across = max(map(len, piles))
        so_far = f"{s.taken} {'tricks' if null else 'points'}"
        to_move = f"{HANDS[s.player]} to play, " if result(s) == ONGOING else ""
        return Grid(
            [pile + [""] * (across - len(pile)) for pile in piles],
            rows=["D", "L", "R", "skat", "table"],
            caption=f"{contract}: {to_move}{so_far}",
        )

    hands_dealt = shuffled(deal)
    return Game(
        name="skat",
        State=State,
        start=made(hands_dealt[:3], hands_dealt[3], 0, [], ""),
        moves=moves,
        play=play,
        result=result,
        turn=turn,
        max_moves=10,
        max_plies=30,
        values=(0, 1) if null else (0, 120),
        order=None if null else point_order,
        rest=null_rest if null else point_rest,
        bounds=null_bounds if null else point_bounds,
        candidates=null_candidates if null else point_candidates,
        move_text=lambda s, move: cards[move],
        position_text=position_text,
        read_position=read_position,
        draw=draw,
    )
