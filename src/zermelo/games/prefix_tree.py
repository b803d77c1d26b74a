"""Prefix-value game trees: grown from a seed, never stored, the true value of every position known without a search.

Furtak and Buro 2009, "Minimum proof graphs and fastest-cut-first search heuristics", section 7. Every move costs its
player something, a damage from −`damage` to 0. What a position is worth is the value of the root and all the damage on
the way. In the model `prefix` every position has at least one move that costs nothing, at a random place, and so the
value so far is the minimax value (theorem 7.1). In the older model `incremental` (Scheucher and Kaindl 1998) no such
move is forced: the value so far is only what has been collected, and what it is worth shows at the leaves.

- `depth` moves lie on every path; the leaves' scores are exact. The root's value is drawn from −damage to damage.
- `branching`: how many moves a position has, from `fewest` to `most`: `uniform`, `geometric` (each more half as likely
  as the one before) or `either` (one of the two ends).
- `edges`: the damages: `uniform` or `geometric` whole numbers, or `real` ones.
- `noise`: an estimate is the value so far plus an error, a whole number from −noise to noise (`errors=uniform`) or one
  normally distributed with that deviation (`normal`).
- `leak`: if it is not negative, the order in which moves are tried knows something: move k comes first with the
  probability exp(leak·f(k)) / Σ exp(leak·f(i)), f being what moves are worth to the player, and the others follow as
  drawn in the same way from the rest. 0 is a random order, a large leak a perfect one.
- `merge`: the share of moves that lead to a position which others lead to as well, so that the tree becomes a graph.

Positions follow from a 64-bit hash of the path: children, damages, errors and the like are drawn by hashing it on.
Seed, depth, noise and rate of merging are part of the position, so one compiled search serves all trees of a shape:
`seeded(game, seed, …)` is the root of another one. Trees that differ in depth alone are the same as far as they go.
"""

from __future__ import annotations

import math
from typing import Any

from zermelo.games._growth import (
    FULL,
    HALF,
    LONGEST,
    ROOT,
    WIDEST,
    another_root,
    child,
    draw,
    first_fields,
    halving,
    meeting,
    part,
    path_of,
)
from zermelo.rules import ONGOING, Game, Grid, Position, Unsuitable, f32, f64, i32, rule, struct, u8, u32, u64
from zermelo.rules.structs import wrapping

MODELS = ("prefix", "incremental")
BRANCHINGS = ("uniform", "geometric", "either")
EDGES = ("uniform", "geometric", "real")
ERRORS = ("uniform", "normal")
WORST, STRONGEST = 10000, 1e6
TAIL = 6
"""Normal errors beyond this many deviations are cut off, so that estimates have bounds."""
BUCKETS = 16
"""How many positions that several moves lead to there are for each depth and value."""

_COUNT, _FREE, _DAMAGE, _ERROR, _ANGLE, _LEAK, _MERGE, _BUCKET = (
    u64(2 * salt + 1) for salt in (
        0x5851F42D4C957F2D, 0x2545F4914F6CDD1D, 0x369DEA0F31A53F85, 0x3C6EF372FE94F82B, 0x510E527FADE682D1,
        0x1F83D9ABFB41BD6B, 0x1B05688C2B3E6C1F, 0x3F84D5B5B5470917,
    )
)  # fmt: skip
"""What draws are for; see `growth`."""
_KEY = u64(0xD1342543DE82EF95)


@rule
def true_score(s: Any) -> Any:
    """The first player's minimax value, in the model `prefix`."""
    return s.value


def prefix_tree(
    model: str = "prefix",
    depth: int = 10,
    fewest: int = 4,
    most: int = 12,
    branching: str = "uniform",
    damage: int = 6,
    edges: str = "uniform",
    noise: float = 4,
    errors: str = "uniform",
    leak: float = -1.0,
    merge: float = 0.0,
    seed: int = 0,
) -> Game:
    """Random trees whose true values are known without a search, the same for the same seed."""
    _one_of("model", model, MODELS)
    _one_of("branching", branching, BRANCHINGS)
    _one_of("edges", edges, EDGES)
    _one_of("errors", errors, ERRORS)
    if not 1 <= depth <= LONGEST:
        raise Unsuitable(f"prefix-tree: depth must be 1 to {LONGEST}, not {depth}")
    if not 1 <= fewest <= most <= WIDEST:
        raise Unsuitable(f"prefix-tree: fewest and most moves must be 1 to {WIDEST}, not {fewest} to {most}")
    if not 0 <= damage <= WORST:
        raise Unsuitable(f"prefix-tree: damage must be 0 to {WORST}, not {damage}")
    if not leak <= STRONGEST:
        raise Unsuitable(f"prefix-tree: leak must be at most {STRONGEST:g} (below 0: none), not {leak}")
    _check_noise(noise, WORST, errors == "uniform")
    _check_merge(merge, edges == "real")

    real, forced = edges == "real", model == "prefix"
    State = struct(path=u64, value=f64 if real else i32, seed=u32, merge=u32, noise=f32, plies=u8, depth=u8)
    spread, choices = most - fewest, most - fewest + 1
    bound = damage * (1 + (depth + 1) // 2) + math.ceil(noise * (TAIL if errors == "normal" else 1)) + 1
    turning = 2 * math.pi

    @rule
    def count(path):
        if branching == "uniform":
            return fewest + draw(path, _COUNT, choices)
        if branching == "geometric":
            return fewest + halving(path, _COUNT, spread)
        return fewest + spread * draw(path, _COUNT, 2)

    @rule
    def cost(path, move, below):  # what a move costs its player, from 0 up; `below` is the child's hash
        free = forced and draw(path, _FREE, count(path)) == move
        if real:
            return 0.0 if free else damage * part(below, _DAMAGE)
        if free:
            return 0
        if edges == "geometric":
            return halving(below, _DAMAGE, damage)
        return draw(below, _DAMAGE, damage + 1)

    @rule
    def moves(s, out):
        n = count(s.path)
        for i in range(n):
            out[i] = i
        return n

    @rule
    def play(s, move):
        below = child(s.path, move)
        lost = cost(s.path, move, below)
        s.value = s.value + lost if s.plies & 1 else s.value - lost
        s.plies += 1
        if not real and s.merge > 0 and draw(below, _MERGE, FULL) < s.merge:
            bucket = draw(below, _BUCKET, BUCKETS)
            below = meeting((u64(s.value & 0xFFFFFFFF) << HALF) | u64((s.plies << 16) | bucket), s.seed)
        s.path = below

    @rule
    def result(s):
        return s.value if s.plies == s.depth else ONGOING

    @rule
    def real_result(s):
        return s.value if s.plies == s.depth else float(ONGOING)

    @rule
    def evaluate(s):
        if errors == "uniform":
            return float(s.value + draw(s.path, _ERROR, 2 * int(s.noise) + 1) - int(s.noise))
        deviates = math.sqrt(-2.0 * math.log(part(s.path, _ERROR))) * math.cos(turning * part(s.path, _ANGLE))
        return s.value + s.noise * max(-6.0, min(6.0, deviates))

    @rule
    def order(s, move):
        # The largest of leak·f + Gumbel noise is a draw from the softmax of leak·f.
        below = child(s.path, move)
        return -leak * cost(s.path, move, below) - math.log(-math.log(part(below, _LEAK)))

    @rule
    def key(s):
        return s.path ^ (((u64(s.merge) << HALF) | u64((int(s.noise * 256.0) << 8) | s.depth)) * _KEY)

    def drawing(s: Any) -> Grid:
        """The moves, with what each is worth to the first player as far as is known."""
        if s.plies == s.depth:
            return Grid([[f"{s.value:g}"]], caption="a leaf")
        after = [s.copy() for _ in range(count(s.path))]
        for move, state in enumerate(after):
            play(state, move)
        cells = [f"{state.value:.4g}" for state in after]
        room = max(map(len, [*cells, str(len(cells) - 1)]))
        caption = f"{('MAX', 'MIN')[s.plies & 1]} to move, ply {s.plies} of {s.depth}, value so far {s.value:.4g}"
        return Grid([[cell.rjust(room) for cell in cells]], columns=[*map(str, range(len(cells)))], caption=caption)

    return Game(
        name="prefix-tree",
        State=State,
        start=State(**first_fields(seed, depth, merge), value=_root_value(path_of(seed), damage), noise=noise),
        moves=moves,
        play=play,
        result=real_result if real else result,
        values=(-float(bound), float(bound)) if real else (-bound, bound),
        max_moves=most,
        max_plies=depth,
        evaluate=evaluate,
        order=order if leak >= 0 else None,
        truth=true_score if model == "prefix" else None,
        key=key,
        draw=drawing,
    )


def seeded(
    game: Game, seed: int, depth: int | None = None, noise: float | None = None, merge: float | None = None
) -> Position:
    """The root of another tree of the same shape: not deeper, and no worse estimated, than the game allows."""
    shape, own = game.parameters, {}
    if noise is not None:
        _check_noise(noise, shape["noise"], shape["errors"] == "uniform")
        own["noise"] = noise
    if merge is not None:
        _check_merge(merge, shape["edges"] == "real")
    value = _root_value(path_of(seed), shape["damage"])
    return another_root(game, seed, depth, merge, value=value, **own)


@wrapping
def true_value(position: Position) -> float:
    """The first player's minimax value of a position, known without a search."""
    if position.game.parameters.get("model") != "prefix":
        raise Unsuitable("only the model prefix knows its true values; search for those of the incremental one")
    return true_score(position.state)  # type: ignore[no-any-return]


@wrapping
def _root_value(path: Any, damage: int) -> int:
    return int(draw(path, ROOT, 2 * damage + 1)) - damage


def _one_of(name: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        raise Unsuitable(f"prefix-tree: {name} must be one of {', '.join(known)}, not {given}")


def _check_noise(noise: float, most: float, whole: bool) -> None:
    if not 0 <= noise <= most or (whole and noise != int(noise)):
        kind = "a whole number" if whole else "a number"
        raise Unsuitable(f"prefix-tree: noise must be {kind} from 0 to {most:g}, not {noise:g}")


def _check_merge(merge: float, real: bool) -> None:
    if not 0 <= merge <= 1:
        raise Unsuitable(f"prefix-tree: merge must be 0 to 1, not {merge:g}")
    if merge > 0 and real:
        raise Unsuitable("prefix-tree: positions merge where values are equal, which real edges never are")
