"""Models of an opponent: by which evaluation it goes, how deep it looks, and what it believes of us.

    mobility               it maximises what the game's evaluation `mobility` says, as deep as our own search looks
    mobility:2             two plies deep, wherever it is to move, also beyond our own horizon
    mobility:2>material    so does this one, and takes us for somebody who goes by `material` (a recursive model)
    own                    the evaluation of the search itself
    beginner.json          what `zermelo model` has fitted to records

Without a `>` an opponent believes that we go by its own evaluation: it searches by minimax.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.opponent.fitted import FILE_ENDING, read_fitted
from zermelo.rules import Game, Unsuitable
from zermelo.rules.hooks import HOOKS

OWN = "own"
DEEPEST_CHAIN = 4
"""How many models of models there may be: what each of them takes multiplies."""
_FORM = re.compile(r"(?P<name>[^:>]+?)\s*(?::\s*(?P<depth>[0-9]+))?")
ROUNDING = 1e-6


@dataclass(frozen=True)
class Model:
    """An opponent. depth: None is as deep as our own search looks. of_us: what it believes of us; None: that we think
    as it does."""

    evaluation: str
    depth: int | None = None
    of_us: Model | None = None

    @classmethod
    def read(cls, text: str) -> Model:
        model: Model | None = None
        parts = text.split(">")
        if len(parts) > DEEPEST_CHAIN:
            raise Unsuitable(f"{text} has {len(parts)} models inside each other, at most {DEEPEST_CHAIN} are possible")
        for part in reversed(parts):
            found = _FORM.fullmatch(part.strip())
            if found is None or found["depth"] == "0":
                raise Unsuitable(
                    f"{text!r} is no model of an opponent: write an evaluation and, if it is known, a depth from 1 on, "
                    "such as mobility:2"
                )
            model = cls(found["name"].strip(), int(found["depth"]) if found["depth"] else None, model)
        assert model is not None
        return model

    def __str__(self) -> str:
        depth = "" if self.depth is None else f":{self.depth}"
        return f"{self.evaluation}{depth}" + (f">{self.of_us}" if self.of_us else "")

    @property
    def chain(self) -> list[Model]:
        """The model, what it believes of us, what we believe of it in its eyes, and so on."""
        return [self, *(self.of_us.chain if self.of_us else ())]

    def settled(self, game: Game) -> Model:
        """The model with the depth that was fitted, where it comes from a file and nobody says another one."""
        of_us = None if self.of_us is None else self.of_us.settled(game)
        known = self.depth is not None or not self.evaluation.endswith(FILE_ENDING)
        return Model(self.evaluation, self.depth if known else read_fitted(self.evaluation, game).depth, of_us)

    def check(self, game: Game, depth: int | None) -> None:
        """Refuse a model that the game does not know, or one that looks deeper than the search."""
        for model in self.chain:
            rule_of(game, model.evaluation)
            if depth is not None and model.depth is not None and model.depth > depth:
                raise Unsuitable(
                    f"the opponent {model} looks {model.depth} plies ahead, but the search only {depth}: give it a "
                    f"depth of at least {model.depth}"
                )


def rule_of(game: Game, name: str) -> Any:
    """The rule that an evaluation stands for; a game without one of its own takes the middle of all scores."""
    if name == OWN and OWN not in game.evaluations:
        return HOOKS["evaluate"].of(game)
    if name.endswith(FILE_ENDING):
        return read_fitted(name, game).rule(game)
    return game.evaluation(name)


def usual_opponent(game: Game) -> str:
    """Who sits opposite if nobody says: the second evaluation that a game names, as in graph files; else we do."""
    names = list(game.evaluations)
    return names[1] if len(names) > 1 else OWN


def shares_of(probabilities: Sequence[float], opponents: Sequence[str]) -> tuple[float, ...]:
    """How likely each opponent is: as told, else all alike."""
    if not probabilities:
        return (1 / len(opponents),) * len(opponents)
    if len(probabilities) != len(opponents):
        raise Unsuitable(f"there are {len(opponents)} opponents and {len(probabilities)} probabilities: give each one")
    for share in probabilities:
        if not share >= 0:
            raise Unsuitable(f"a probability is 0 or more, not {share:g}")
    total = sum(probabilities)
    if abs(total - 1) > ROUNDING:
        raise Unsuitable(f"the probabilities {', '.join(f'{p:g}' for p in probabilities)} sum to {total:g}, not to 1")
    return tuple(share / total for share in probabilities)
