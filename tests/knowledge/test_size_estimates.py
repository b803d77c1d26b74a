"""Estimates of how many positions and games there are, against what was counted: do their intervals hold?"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import pytest

import random_games
from tiny import tiny
from zermelo import games
from zermelo.compile.modes import mode_for
from zermelo.compile.watch import Limits, Watch
from zermelo.games.graph import graph_game
from zermelo.positions.all_positions import AllPositions, Wanted, all_positions
from zermelo.positions.estimating import Estimate, _poisson, estimate_positions
from zermelo.positions.game_counts import GameCount, count_games, estimate_games
from zermelo.positions.layers import spreader_for
from zermelo.rules import Game, Position, RuleError

KNOWN: list[tuple[Game, int]] = [
    (games.connect_four(width=4, height=4), 161_029),
    (games.connect_four(width=5, height=4), 3_945_711),
    (games.breakthrough(width=4, height=4), 3_212_224),
    (games.othello(rows=4, cols=4), 62_789),
    (games.domineering(rows=5, cols=5), 455_317),
    (games.kalah(pits=3, stones=3), 27_104),
    (games.hex(size=4), 9_386_235),
]
"""Found by the enumerator; those of Connect Four are also Tromp's."""


def watch_for(game: Game, mode: str) -> Watch:
    return Watch([spreader_for(game, mode)[0].workspace(game)], Limits())


def estimated(position: Position, mode: str, seed: int, widest: int = 1 << 30) -> Estimate:
    return estimate_positions(position, mode, watch_for(position.game, mode), 1e9, seed, widest)


def games_estimated(position: Position, mode: str, seed: int, widest: int = 1 << 30) -> GameCount:
    found = estimate_games(position, mode, watch_for(position.game, mode), 1e9, seed, widest)
    assert found is not None
    return found


def enumerated(position: Position, mode: str = "interpreted") -> AllPositions:
    way = mode_for(position.game, mode)
    watch = Watch([way.workspace(position.game)], Limits())
    found = watch.run(lambda: all_positions(position, Wanted(forward=True), way, watch, 1 << 30))
    assert found is not None
    return found


def holds(told: Estimate, count: int) -> bool:
    return told.low <= count <= told.high


# positions


def test_wide_walks_count_every_position() -> None:
    position = games.connect_four(width=3, height=3, run=3).position()
    count = enumerated(position).count
    assert estimated(position, "interpreted", 1) == Estimate(count, count, count, exact=True)


def test_both_modes_walk_alike() -> None:
    game = games.connect_four(width=4, height=4)
    plain, compiled = (estimated(game.position(), mode, 5, 32) for mode in ("interpreted", "compiled"))
    assert plain == compiled
    assert games_estimated(game.position(), "interpreted", 5, 64) == games_estimated(game.position(), "compiled", 5, 64)


def test_the_interval_holds_and_narrows() -> None:
    game, count = KNOWN[0]
    few, many = ([estimated(game.position(), "compiled", seed, widest) for seed in range(20)] for widest in (64, 512))
    assert sum(holds(told, count) for told in [*few, *many]) >= 38
    for told in many:
        assert told.count is not None
        assert 0.8 * count < told.count < 1.25 * count
        assert told.high / told.low < 5
    assert not any(told.exact for told in [*few, *many])


@cache
def random_game() -> Game:
    return random_games.random_game(size=1000, span=60, moves=6)


@pytest.mark.slow
def test_the_interval_holds_on_random_games() -> None:
    """In these, positions are met at many plies, by ways of very different length."""
    game, held = random_game(), 0
    assert game.State is not None
    for seed in range(20):
        position = Position(game, game.State(node=0, seed=seed))
        told = estimated(position, "compiled", seed, 32)
        assert not told.exact
        held += holds(told, enumerated(position).count)
    assert held >= 19


@pytest.mark.slow
@pytest.mark.parametrize(("game", "count"), KNOWN, ids=lambda value: getattr(value, "summary", str(value)))
def test_intervals_hold_on_games_that_were_counted(game: Game, count: int) -> None:
    told = [estimated(game.position(), "compiled", seed, widest) for widest in (64, 512, 1024) for seed in range(10)]
    assert sum(holds(one, count) for one in told) >= 28
    known = [one.count / count for one in told[20:] if one.count is not None]
    assert len(known) == 10
    assert min(known) > 0.6
    assert max(known) < 1.7


@pytest.mark.slow
def test_the_usual_connect_four() -> None:
    """Tromp's 4,531,985,219,092 positions; so few walks can only tell that there are many."""
    told = estimated(games.connect_four().position(), "compiled", 1, 2048)
    assert told.count is None
    assert 10**9 < told.low < 4_531_985_219_092


def test_walks_that_never_meet_tell_the_least() -> None:
    game = games.uniform_tree(branching=4, depth=9)
    told = estimated(game.position(), "interpreted", 1, 32)
    assert told.count is None
    assert "hardly ever meet" in told.why
    assert 1000 < told.low < (4**10 - 1) // 3


def test_where_play_goes_round_only_the_least_is_told() -> None:
    names = [f"n{i}" for i in range(400)]
    nodes = {name: {"turn": "max", "moves": [names[(7 * i + 3 * k) % 400] for k in range(3)]}
             for i, name in enumerate(names)}  # fmt: skip
    nodes["n399"] = {"value": 1}  # type: ignore[dict-item]
    game = graph_game({"root": "n0", "repetition": "draw", "nodes": nodes})
    count = enumerated(game.position()).count
    assert estimated(game.position(), "interpreted", 3).count == count
    thin = estimated(game.position(), "interpreted", 3, 32)
    assert thin.count is None
    assert "come back" in thin.why
    assert 1 < thin.low <= count


def test_a_game_longer_than_it_says_is_named() -> None:
    game = replace(tiny(left=9), max_plies=4)
    with pytest.raises(RuleError, match="beyond the declared max_plies = 4"):
        estimated(game.position(), "interpreted", 1)


@pytest.mark.parametrize(("count", "low", "high"), [(0, 0.0, 3.689), (10, 4.795, 18.39), (100, 81.36, 121.63)])
def test_limits_of_counts(count: int, low: float, high: float) -> None:
    """Garwood's exact limits, where all weights are 1."""
    assert _poisson(count, count, 1.0) == pytest.approx((low, high), rel=1e-3, abs=1e-9)


# games


def all_games(position: Position) -> list[int]:
    """The plies of every game, one after the other."""
    if position.result is not None:
        return [0]
    return [1 + plies for move in position.moves() for plies in all_games(position.play(move))]


@pytest.mark.parametrize("game", [games.kalah(pits=2, stones=2), tiny(left=8)], ids=["kalah", "tiny"])
def test_games_are_counted_from_all_positions(game: Game) -> None:
    told, played = count_games(enumerated(game.position()), bool), all_games(game.position())
    assert told is not None
    assert (told.count, told.longest) == (len(played), max(played))
    assert told.log10 == pytest.approx(math.log10(len(played)))


def test_the_games_of_tic_tac_toe() -> None:
    told = count_games(enumerated(games.tic_tac_toe().position()), bool)
    assert told is not None
    assert (told.count, told.longest, round(10**told.nodes)) == (255_168, 9, 549_946)


def test_all_paths_are_counted_where_there_are_few() -> None:
    told = games_estimated(tiny(left=12).position(), "interpreted", 1)
    assert (told.count, told.longest) == (233, 12)  # Fibonacci's
    assert told.low == told.high == told.log10


def test_estimates_of_games_hold() -> None:
    game = games.connect_four(width=4, height=4)
    told = [games_estimated(game.position(), "compiled", seed, 256) for seed in range(20)]
    assert sum(one.low <= math.log10(47_982_540) <= one.high for one in told) >= 19
    assert all(one.high - one.low < 0.15 for one in told)


def test_games_without_end_are_not_counted() -> None:
    game = graph_game({"root": "a", "repetition": "draw", "nodes": {
        "a": {"turn": "max", "moves": ["b", "c"]}, "b": {"turn": "min", "moves": ["a"]}, "c": {"value": 1},
    }})  # fmt: skip
    assert count_games(enumerated(game.position()), bool) is None
    assert estimate_games(game.position(), "interpreted", watch_for(game, "interpreted"), 1.0) is None
