"""Random games by name, as workers find them: the seed is a parameter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from random_chance import random_chance
from random_games import random_game
from zermelo.rules import Game


def wandering(seed: int = 1, repetition: str = "none") -> Game:
    loops: dict[str, Any] = {"none": {}}.get(repetition, {"size": 7, "moves": 3, "repetition": repetition})
    return _started(random_game(**loops), seed)


def rolling(seed: int = 1) -> Game:
    return _started(random_chance(size=9, moves=3), seed)


def _started(game: Game, seed: int) -> Game:
    assert game.State is not None
    return replace(game, start=game.State(seed=seed))
