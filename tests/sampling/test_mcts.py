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
from grown import OPTIONS, grown, never_wrong
from random_chance import random_chance
from random_games import random_game, seeded
from zermelo.methods.asking import solve
from zermelo.rules import ONGOING, Game, Position, rule

SEEDS = st.integers(0, 2**40)
ENOUGH = 4000
NUMBERS = st.fixed_dictionaries(
    {
        "playouts": st.integers(1, 150),
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
def by_what_was_passed(path, begin, end):
    """A loop is worth what the positions on it add up to."""
    total = 0
    for ply in range(begin, end):
        total += path[ply].node
    return total % 3 - 1


@rule
def third_time(path, begin, end):
    """A loop counts when its position comes for the third time."""
    times = 0
    for ply in range(end):
        if path[ply].node == path[end].node:
            times += 1
    return ONGOING if times < 2 else end % 3 - 1


@cache
def game_called(name: str) -> Game:
    if name == "acyclic":
        return random_game(size=9)
    if name == "fractional":
        return random_game(size=9, fractional=True)
    if name == "bounded":
        return bounded(random_game(size=9))
    if name == "dice":
        return random_chance(size=9)
    rules: dict[str, tuple[Any, int, int]] = {
        "own": (by_what_was_passed, 2, 7), "third": (third_time, 3, 4), "threefold": ("draw", 3, 4),
    }  # fmt: skip
    repetition, folds, size = rules.get(name, (name, 2, 7))
    return random_game(size=size, moves=2, repetition=repetition, folds=folds)


def bounded(game: Game) -> Game:
    """The same game with bounds that are right, and tell more than the moves do."""
    from dataclasses import replace

    lowest, highest = game.values

    @rule
    def bounds(s):
        end = s.node
        return (lowest, highest - 1) if end % 2 else (lowest + 1, highest)

    return replace(game, bounds=bounds)


PAIRS = [
    *(("acyclic", options) for options in OPTIONS),
    *(("dice", options) for options in OPTIONS if options != "tree"),
    ("fractional", "plain"), ("draw", "plain"), ("wins", "tree"), ("own", "plain"), ("third", "widened"),
]  # fmt: skip
OTHERS = [
    (game, options)
    for game in ("acyclic", "fractional", "dice", "draw", "first", "second", "wins", "loses", "own", "third", "threefold")
    for options in OPTIONS
    if (game, options) not in PAIRS
]


def truth(position: Position) -> Any:
    return oracles.expected(position) if position.game.has_chance else oracles.value(position)


@pytest.mark.parametrize(
    ("name", "options"), [*PAIRS, *(pytest.param(*pair, marks=pytest.mark.slow) for pair in OTHERS)]
)
@settings(max_examples=30)
@given(game_seed=SEEDS, numbers=NUMBERS)
def test_never_wrong(name: str, options: str, game_seed: int, numbers: dict[str, Any]) -> None:
    game = game_called(name)
    answer = grown(seeded(game, game_seed), options, **numbers)
    never_wrong(answer, truth, 1e-9 if game.has_chance else 0)
