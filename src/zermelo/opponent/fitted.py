"""A fitted opponent: how much each of a game's evaluations weighs in its eyes, and how deep it looks; kept as a file.

    {"game": "othello(rows=6, cols=6)", "weights": {"mobility": 0.1, "discs": 0.9}, "depth": 2, "temperature": 0.4}

A file holds names and numbers, nothing that is run.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from zermelo.rules import Game, Unsuitable, ZermeloError, rule
from zermelo.rules.files import read_json, read_text, save

FILE_ENDING = ".json"
_KEYS = {"game", "weights", "depth", "temperature"}


@dataclass(frozen=True)
class Fitted:
    """An opponent as it was fitted. temperature: how far moves may be from its best one, in its own values."""

    game: str
    weights: Mapping[str, float]
    depth: int
    temperature: float

    def rule(self, game: Game) -> Any:
        """Its evaluation: the weighted mean of the game's own, so that it stays within their range."""
        total = sum(map(abs, self.weights.values())) or 1.0
        mixed: Any = None
        for name, weight in self.weights.items():
            if weight:
                mixed = _adding(game.evaluation(name), weight / total, mixed)
        if mixed is None:
            raise Unsuitable(f"a fitted opponent of {game.name} needs a weight that is not 0")
        return mixed

    def save(self, file: Path) -> None:
        save(file, json.dumps(asdict(self), indent=2) + "\n")


def _adding(evaluation: Any, weight: float, rest: Any) -> Any:
    if rest is None:

        @rule
        def first(s):
            return weight * float(evaluation(s))

        return first

    @rule
    def sum_of(s):
        return weight * float(evaluation(s)) + rest(s)

    return sum_of


def read_fitted(file: str | Path, game: Game) -> Fitted:
    """The opponent that a file holds, which must be one of this game."""
    path = Path(file)
    try:
        told = read_json(read_text(path), path.name)
        if not isinstance(told, dict) or set(told) != _KEYS:
            raise Unsuitable(f"it is an object of {', '.join(sorted(_KEYS))}")
        weights, depth, temperature = told["weights"], told["depth"], told["temperature"]
        if not isinstance(weights, dict) or not weights or not all(map(_is_number, weights.values())):
            raise Unsuitable("weights are numbers by the names of evaluations")
        if type(depth) is not int or depth < 1 or not _is_number(temperature) or temperature <= 0:
            raise Unsuitable("depth is a whole number from 1 on and temperature a number above 0")
    except ZermeloError as broken:
        raise Unsuitable(f"{path} holds no fitted opponent ({broken}); zermelo model writes one") from None
    if told["game"] != game.summary:
        raise Unsuitable(f"{path} holds an opponent at {told['game']}, not at {game.summary}")
    return Fitted(told["game"], weights, depth, float(temperature))


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)
