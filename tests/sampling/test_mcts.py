"""Monte-Carlo tree search never claims what is not so: bounds and proofs against the definitions, on random games.

However few the simulations, whatever the options, and with so little memory that nodes go all the time.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from grown import OPTIONS, grown, never_wrong, worth
from marks import slow
from random_chance import random_chance
from random_games import random_game, seeded
from zermelo import games
from zermelo.games.graph import graph_game
from zermelo.rules import ONGOING, Game, Position, rule
from zermelo.sampling.mcts import least_memory

SEEDS = st.integers(0, 2**40)
ENOUGH = 4000
NUMBERS = st.fixed_dictionaries(
    {
        "playouts": st.integers(1, 250),
        "c": st.sampled_from([0.0, 0.7, 5.0]),
        "expand": st.sampled_from([1, 2, 5]),
        "widen_c": st.sampled_from([0.5, 1.0, 3.0]),
        "widen_alpha": st.sampled_from([0.0, 0.5, 1.0]),
        "tiny": st.booleans(),
        "seed": st.integers(0, 99),
    }
)
"""What is read while a search runs: another number needs no other kernel."""


@rule
def by_what_was_passed(path, earliest, latest, end):
    """A loop is worth what the positions on it add up to."""
    total = 0
    for ply in range(latest, end):
        total += path[ply].node
    return total % 3 - 1


@rule
def third_time(path, earliest, latest, end):
    """A loop counts when its position comes for the third time."""
    times = 0
    for ply in range(end):
        if path[ply].node == path[end].node:
            times += 1
    return ONGOING if times < 2 else end % 3 - 1


@cache
def game_called(name: str) -> Game:
    if name == "acyclic":
        return random_game(size=40)
    if name == "fractional":
        return random_game(size=40, fractional=True)
    if name == "dice":
        return random_chance(size=30)
    rules: dict[str, tuple[Any, int, int]] = {
        "own": (by_what_was_passed, 2, 7), "third": (third_time, 3, 4), "threefold": ("draw", 3, 4),
    }  # fmt: skip
    repetition, folds, size = rules.get(name, (name, 2, 7))
    return random_game(size=size, moves=2, repetition=repetition, folds=folds)


GAMES = ("acyclic", "fractional", "dice", "draw", "first", "second", "wins", "loses", "own", "third", "threefold")
PAIRS = [
    ("acyclic", "plain"), ("dice", "widened"), ("dice", "all"), ("fractional", "unsolved"), ("draw", "plain"),
    ("wins", "tree"), ("own", "plain"), ("third", "puct"),
]  # fmt: skip
"""Those that are tried at once: each kernel takes half a second to make."""
OTHERS = [(game, options) for game in GAMES for options in OPTIONS if (game, options) not in PAIRS]


def truth(position: Position) -> Any:
    return oracles.value(position) if position.game.cyclic else worth(position)


@pytest.mark.parametrize(("name", "options"), [*PAIRS, *slow(*OTHERS)])
@settings(max_examples=12)
@given(game_seed=SEEDS, numbers=NUMBERS)
def test_never_wrong(name: str, options: str, game_seed: int, numbers: dict[str, Any]) -> None:
    game = game_called(name)
    answer = grown(seeded(game, game_seed), options, **numbers)
    never_wrong(answer, truth, 1e-9 if game.has_chance else 0)


@pytest.mark.parametrize(
    ("name", "options"), [("acyclic", "plain"), ("acyclic", "puct"), ("draw", "plain"), ("dice", "plain")]
)
@settings(max_examples=5)
@given(game_seed=SEEDS)
def test_small_games_are_proven(name: str, options: str, game_seed: int) -> None:
    game = game_called(name)
    position = seeded(game, game_seed)
    answer = grown(position, options, playouts=ENOUGH)
    assert (answer.status, answer.bounds[0]) == ("proven", answer.bounds[1])
    never_wrong(answer, truth, 1e-9 if game.has_chance else 0)


@settings(max_examples=12)
@given(game_seed=SEEDS, numbers=NUMBERS)
def test_without_a_solver_only_rules_decide(game_seed: int, numbers: dict[str, Any]) -> None:
    """Bounds are what the moves at the root lead to at once, no matter how long the search is."""
    position = seeded(game_called("fractional"), game_seed)
    answer = grown(position, "unsolved", **numbers)
    low, high = position.game.values
    for verdict in answer.verdicts:
        result = position.play(verdict.move).result
        assert (verdict.low, verdict.high) in ((low, high), (result, result))


@settings(max_examples=15)
@given(game_seed=SEEDS, choices=st.lists(st.integers(0, 2), max_size=3), numbers=NUMBERS)
def test_what_was_played_before_counts(game_seed: int, choices: list[int], numbers: dict[str, Any]) -> None:
    position = seeded(game_called("draw"), game_seed)
    for choice in choices:
        after = position.play(position.codes[choice % len(position.codes)])
        if after.result is not None:
            break
        position = after
    never_wrong(grown(position, **numbers), truth)


@pytest.mark.parametrize(("game_seed", "value"), [(3, -1), (4, 1.4)])
def test_play_that_can_go_on_without_end(game_seed: int, value: float) -> None:
    """Positions that come back share their nodes, so that the tree leads back into itself."""
    position = seeded(random_endless(), game_seed)
    answer = grown(position, playouts=150, length=3, tiny=game_seed == 4)
    low, high = answer.bounds
    assert low - 1e-9 <= value <= high + 1e-9  # by `expectation`


@cache
def random_endless() -> Game:
    return random_chance(endless=True)


def test_players_that_can_go_round_without_end() -> None:
    nodes = {
        "a": {"turn": "max", "moves": ["b", "dice"]}, "b": {"turn": "min", "moves": ["a", "lost"]},
        "dice": {"turn": "chance", "moves": {"won": 1, "lost": 3}}, "won": {"value": 1}, "lost": {"value": -1},
    }  # fmt: skip
    answer = grown(Position(graph_game({"root": "a", "endless": True, "nodes": nodes})), playouts=200)
    assert answer.bounds[0] <= -0.5 <= answer.bounds[1]
    assert len(answer.line) < 200


@pytest.mark.parametrize("options", ["plain", "puct"])
def test_with_next_to_no_memory_the_search_goes_on(options: str) -> None:
    position = Position(games.tic_tac_toe())
    answer = grown(position, options, tiny=True, playouts=700)
    assert answer.details["playouts"] == 700
    assert answer.stopped is None
    assert answer.details["tree_bytes"] < least_memory(position.game)
    assert answer.bounds[0] <= 0 <= answer.bounds[1]
    assert sum(told["visits"] for told in answer.details["moves"]) == 700
