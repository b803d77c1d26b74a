"""Uniform trees with independent leaves: every position has the same number of moves, every path the same length.

The trees for which Knuth and Moore 1975 counted what alpha-beta must look at: b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves.

- `leaves`: `distinct` ones are the numbers from 0 to branching^depth − 1 in a random order; `range` ones are whole
  numbers drawn from `low` to `high`, each for itself.
- `merge`: the share of moves that lead to a position which others lead to as well; only for leaves from a range.

Trees are grown from hashes of the path and never stored. Seed, depth and rate of merging are
part of the position: `seeded(game, seed, …)` is the root of another tree for the same compiled search.
"""

from __future__ import annotations

from typing import Any

from zermelo.games._growth import (
    FULL,
    LONGEST,
    STEP,
    WIDEST,
    another_root,
    child,
    draw,
    first_fields,
    meeting,
    scatter,
)
from zermelo.rules import ONGOING, Game, Grid, Position, Unsuitable, rule, struct, u8, u32, u64

LEAVES = ("distinct", "range")
MOST_LEAVES = 2**48
BUCKETS = 64
"""How many positions that several moves lead to there are at each depth."""
ROUNDS = 4
_LEAF, _MERGE, _BUCKET = u64(0xB0A3DA85E9CB9B5B), u64(0x6D2C5A29F0B1C7D3), u64(0x510E527FADE682D1)
_TWO = u64(2)


@rule
def shuffled(index: Any, seed: Any, total: Any) -> Any:
    """Where a random order of the numbers below `total` has put this one: a Feistel cipher of the next power of four,
    walked on until it comes back into the range (Black and Rogaway 2002)."""
    half = 1
    while (1 << (2 * half)) < total:
        half += 1
    mask = (1 << half) - 1
    while True:
        left, right = index >> half, index & mask
        for turn in range(ROUNDS):
            mixed = 0 + int(scatter((u64(seed) << _TWO) + u64(turn) + STEP * u64(right)))
            left, right = right, left ^ (mixed & mask)
        index = (left << half) | right
        if index < total:
            return index


def uniform_tree(
    branching: int = 3,
    depth: int = 6,
    leaves: str = "distinct",
    low: int = -100,
    high: int = 100,
    merge: float = 0.0,
    seed: int = 0,
) -> Game:
    """Random trees of one branching and depth with independent leaves, the same for the same seed."""
    if not 1 <= branching <= WIDEST:
        raise Unsuitable(f"uniform-tree: branching must be 1 to {WIDEST}, not {branching}")
    if not 1 <= depth <= LONGEST:
        raise Unsuitable(f"uniform-tree: depth must be 1 to {LONGEST}, not {depth}")
    if leaves not in LEAVES:
        raise Unsuitable(f"uniform-tree: leaves must be one of {', '.join(LEAVES)}, not {leaves}")
    distinct = leaves == "distinct"
    if distinct and branching**depth > MOST_LEAVES:
        raise Unsuitable(f"uniform-tree: distinct leaves must be at most 2^48, not {branching}^{depth}")
    if not distinct and not -(2**30) <= low < high <= 2**30:
        raise Unsuitable(f"uniform-tree: low must be below high, both within 2^30 of 0, not {low} and {high}")
    _check_merge(merge, distinct)
    State = struct(path=u64, index=u64, seed=u32, merge=u32, plies=u8, depth=u8)
    span = high - low + 1

    @rule
    def moves(s, out):
        for i in range(branching):
            out[i] = i
        return branching

    @rule
    def play(s, move):
        below = child(s.path, move)
        s.plies += 1
        if distinct:
            s.index = s.index * u64(branching) + u64(move)
        elif s.merge > 0 and draw(below, _MERGE, FULL) < s.merge:
            below = meeting((s.plies << 16) | draw(below, _BUCKET, BUCKETS), s.seed)
        s.path = below

    @rule
    def result(s):
        if s.plies < s.depth:
            return ONGOING
        if distinct:
            total = 1
            for _ in range(s.depth):
                total *= branching
            return shuffled(0 + int(s.index), s.seed, total)
        return low + draw(s.path, _LEAF, span)

    @rule
    def key(s):
        return s.path ^ (((u64(s.merge) << _TWO) | u64(s.depth << 34)) * STEP)

    def drawing(s: Any) -> Grid:
        """The moves; what they are worth shows only at the leaves."""
        if s.plies == s.depth:
            return Grid([[f"{result(s):g}"]], caption="a leaf")
        caption = f"{('MAX', 'MIN')[s.plies & 1]} to move, ply {s.plies} of {s.depth}"
        return Grid([["·" for _ in range(branching)]], columns=[*map(str, range(branching))], caption=caption)

    return Game(
        name="uniform-tree",
        State=State,
        start=State(**first_fields(seed, depth, merge)),
        moves=moves,
        play=play,
        result=result,
        values=(0, max(branching**depth - 1, 1)) if distinct else (low, high),
        max_moves=branching,
        max_plies=depth,
        key=key,
        draw=drawing,
    )


def seeded(game: Game, seed: int, depth: int | None = None, merge: float | None = None) -> Position:
    """The root of another tree of the same branching, not deeper than the game allows."""
    if merge is not None:
        _check_merge(merge, game.parameters["leaves"] == "distinct")
    return another_root(game, seed, depth, merge)


def _check_merge(merge: float, distinct: bool) -> None:
    if not 0 <= merge <= 1:
        raise Unsuitable(f"uniform-tree: merge must be 0 to 1, not {merge:g}")
    if merge > 0 and distinct:
        raise Unsuitable("uniform-tree: positions cannot merge where every leaf has a value of its own: leaves=range")
