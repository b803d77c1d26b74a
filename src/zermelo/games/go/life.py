"""Stones that nobody can take, even if their owner passes for ever, and what they say about the score.

Benson 1976, "Life in the game of Go". A region is what is joined together of the points without stones of one colour.
It is *vital* to a chain of that colour if it lies beside it with every point; a chain with two vital regions whose
borders are all such chains cannot be taken. (Benson asks that of the empty points alone. With all points, a region
stays vital whatever is played in it.)

Who passes for ever keeps such stones and the single empty points among them, where the opponent may not play: that
holds on every path, also where superko forbids moves. Who goes on instead can also take every stone in a region that
lies wholly beside safe chains, for what is played there is joined to them; so the whole region is theirs, unless
superko could forbid a move in it.
"""

from __future__ import annotations

from zermelo.games.go.small import bits
from zermelo.rules import popcount, rule, u64
from zermelo.rules.language import Rule


def living(rows: int, cols: int) -> Rule:
    """`alive(stones)`: the safe ones among stones of one colour, and the regions that only they border."""
    board, _, spread, chain, lowest = bits(rows, cols)
    zero = u64(0)

    @rule
    def closed(regions, stones, safe):  # those of the regions that only safe chains border
        kept = zero
        while regions != zero:
            region = chain(regions, lowest(regions))
            regions &= ~region
            if spread(region) & stones & ~safe == zero:
                kept |= region
        return kept

    @rule
    def has_two_eyes(members, regions):
        beside = spread(members)
        near, vital = beside & regions, 0
        while near != zero:
            region = chain(regions, lowest(near))
            near &= ~region
            if region & ~beside == zero:
                vital += 1
                if vital == 2:
                    return True
        return False

    @rule
    def alive(stones):
        safe, regions = stones, board & ~stones
        before = zero
        while safe != before:
            before = safe
            regions = closed(regions, stones, safe)
            left = safe
            while left != zero:
                members = chain(stones, lowest(left))
                left &= ~members
                if not has_two_eyes(members, regions):
                    safe &= ~members
        return safe, closed(regions, stones, safe)

    return alive


def bounds_by_life(rows: int, cols: int, komi: float, superko: bool) -> Rule:
    """The lowest and the highest score of Black that safe stones leave, by area, without suicide."""
    cells = rows * cols
    _, _, spread, chain, lowest = bits(rows, cols)
    alive = living(rows, cols)
    zero, one = u64(0), u64(1)
    lowest_score, highest_score = -cells - komi, cells - komi

    @rule
    def held(stones, others, must_be_empty):  # how many points will be theirs in the end
        if popcount(stones) < 2:
            return 0
        safe, regions = alive(stones)
        if safe == zero:
            return 0
        n, beside = popcount(safe), spread(safe)
        while regions != zero:
            region = chain(regions, lowest(regions))
            regions &= ~region
            if superko:
                theirs = region & others == zero and region & (region - one) == zero
            else:
                theirs = region & ~beside == zero and not (must_be_empty and region & others != zero)
            if theirs:
                n += popcount(region)
        return n

    @rule
    def bounds(s):
        last = s.passes == 1  # who is to move may end the game, before a stone is taken that cannot live
        black = held(s.black, s.white, last and s.turn == 1)
        white = held(s.white, s.black, last and s.turn == 0)
        least = lowest_score + 2 * black if black > 0 else lowest_score
        most = highest_score - 2 * white if white > 0 else highest_score
        return least, most

    return bounds
