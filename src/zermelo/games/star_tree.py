"""Synthetic trees for experiments with chance: MAX, chance, MIN, chance, MAX, … grown from a seed, never stored.

Every position follows from its path: a 64-bit hash of the seed and of the moves so far. What an outcome weighs and what
a leaf scores come from hashing that path further, so a tree of any depth takes the memory of its current line only,
and the same seed always gives the same tree.

- `depth` decisions lie on every path, with a chance node between each two of them. The moves of the last decision
  lead to leaves. Depth 2 is MAX → chance → MIN → leaf: branching · outcomes · branching leaves.
- `weights` of the outcomes: `equal` (all 1), `integer` (1 to 10) or `arbitrary` (1 to 2^20, which stands for any real
  number).
- `leaves` are drawn from [`low`, `high`]: `independent` ones evenly; `correlated` ones as base + U(−spread, spread)
  times the width of the interval, cut off at its ends, with one base for all that lies below a root move, itself drawn
  evenly. Good root moves are then good whatever the dice say, as in real games, and only then do Star1 and Star2
  find much to cut. `whole` rounds the leaves to whole numbers.

The seed is part of the start position alone: all trees of one shape have the same rules, and one compiled search serves
them all. `seeded(game, seed)` is the root of another tree.
"""

from __future__ import annotations

import math
from typing import Any

from zermelo.rules import CHANCE, ONGOING, Game, Grid, Position, Unsuitable, equal_weight, f64, i32, rule, struct, u64
from zermelo.rules.hashing import mix
from zermelo.rules.structs import wrapping

WEIGHTS = {"equal": 1, "integer": 10, "arbitrary": 1 << 20}
LEAVES = ("correlated", "independent")
_SEED, _BASE, _LEAF, _WEIGHT = u64(0x5354), u64(1 << 32), u64(2 << 32), u64(3 << 32)
"""What a path is hashed with for each purpose: moves are below 2^16, so none of these is a move."""
SHOWN = 20
"""How many moves a drawing shows."""
_MANTISSA, _UNIT = u64(11), 2.0**-53


def star_tree(
    seed: int = 1,
    branching: int = 20,
    outcomes: int = 20,
    depth: int = 2,
    weights: str = "equal",
    leaves: str = "correlated",
    spread: float = 0.5,
    low: float = 0.0,
    high: float = 1.0,
    whole: bool = False,
) -> Game:
    """Random MAX/chance/MIN trees of any depth, the same for the same seed."""
    if not (1 <= branching <= 10000 and 1 <= outcomes <= 10000):
        raise Unsuitable(f"star-tree: branching and outcomes are 1 to 10000, not {branching} and {outcomes}")
    if depth < 1:
        raise Unsuitable(f"star-tree: depth counts the decisions on a path and must be at least 1, not {depth}")
    if weights not in WEIGHTS:
        raise Unsuitable(f"star-tree: weights must be one of {', '.join(WEIGHTS)}, not {weights}")
    if leaves not in LEAVES:
        raise Unsuitable(f"star-tree: leaves must be one of {', '.join(LEAVES)}, not {leaves}")
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise Unsuitable(f"star-tree: low must be below high, not {low} and {high}")
    if whole and (low != int(low) or high != int(high)):
        raise Unsuitable(f"star-tree: whole leaves need whole bounds, not {low} and {high}")
    if not 0 <= spread < math.inf:
        raise Unsuitable(f"star-tree: spread must be at least 0, not {spread}")
    low, high = float(low), float(high)
    State = struct(path=u64, base=f64, ply=i32)
    end = 2 * depth - 1
    correlated = leaves == "correlated"
    heaviest = u64(WEIGHTS[weights])
    width, reach, lowest = high - low, spread * (high - low), int(low)
    middle = (low + high) / 2

    @rule
    def even(h):  # a number from 0 up to 1, from a hash
        return float(h >> _MANTISSA) * _UNIT

    @rule
    def moves(s, out):
        n = outcomes if s.ply & 1 else branching
        for i in range(n):
            out[i] = i
        return n

    @rule
    def play(s, move):
        s.path = mix(s.path, u64(move))
        if correlated and s.ply == 0:
            s.base = low + width * even(mix(s.path, _BASE))
        s.ply += 1

    @rule
    def turn(s):
        return CHANCE if s.ply & 1 else (s.ply >> 1) & 1

    @rule
    def weight(s, outcome):
        if heaviest == u64(1):
            return 1
        return 1 + int((mix(mix(s.path, _WEIGHT), u64(outcome)) >> _MANTISSA) % heaviest)

    @rule
    def leaf(s):  # a second hash of the path: the first hardly parts siblings, whose moves differ by a few bits
        x = even(mix(s.path, _LEAF))
        if correlated:
            return min(max(s.base + reach * (2 * x - 1), low), high)
        return low + width * x

    @rule
    def result(s):
        return leaf(s) if s.ply == end else float(ONGOING)

    @rule
    def whole_result(s):
        return lowest + int(leaf(s) - low + 0.5) if s.ply == end else ONGOING

    @rule
    def evaluate(s):  # what the leaves below a root move gather around, drawn in a little to stay inside
        return middle + (s.base - middle) * 0.999 if s.ply > 0 else middle

    @rule
    def key(s):
        return s.path

    final = whole_result if whole else result

    def draw(s: Any) -> Grid:
        """The moves, with what is known of each: the weight of an outcome, the score of a leaf."""
        if s.ply == end:
            return Grid([[f"{final(s):g}"]], caption="a leaf")

        def known(move: int) -> str:
            after = s.copy()
            play(after, move)
            return str(weight(s, move)) if turn(s) == CHANCE else f"{final(after):.3g}" if after.ply == end else "."

        n = outcomes if turn(s) == CHANCE else branching
        cells = [known(move) for move in range(min(n, SHOWN))]
        room = max(map(len, [*cells, str(len(cells) - 1)]))
        more = f", {n - SHOWN} more moves" if n > SHOWN else ""
        caption = f"{('MAX', 'MIN', 'chance')[turn(s)]} to move, ply {s.ply} of {end}{more}"
        return Grid([[cell.rjust(room) for cell in cells]], columns=[*map(str, range(len(cells)))], caption=caption)

    return Game(
        name="star-tree",
        State=State,
        start=State(path=_path_of(seed)),
        moves=moves,
        play=play,
        result=final,
        turn=turn,
        weight=equal_weight if weights == "equal" else weight,
        values=(int(low), int(high)) if whole else (low, high),
        max_moves=max(branching, outcomes),
        max_outcomes=outcomes,
        max_plies=end,
        evaluate=evaluate if correlated else None,
        key=key,
        draw=draw,
    )


@wrapping
def _path_of(seed: int) -> Any:
    """The hash that the root of a tree begins with."""
    return mix(_SEED, u64(seed & 0xFFFFFFFFFFFFFFFF))


def seeded(game: Game, seed: int) -> Position:
    """The root of the tree that a seed stands for, in the shape of this game."""
    assert game.State is not None
    return Position(game, game.State(path=_path_of(seed)))
