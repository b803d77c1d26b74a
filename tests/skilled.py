"""A method for tests of tuning: as strong as it is set, and done in no time."""

from __future__ import annotations

import random
from dataclasses import dataclass

from zermelo.core.answer import HEURISTIC, Answer
from zermelo.core.method import Method, Options
from zermelo.core.question import Worker
from zermelo.rules import UnknownName, Unsuitable


@dataclass(frozen=True)
class Skill(Options):
    """level: how often, of ten times, it looks at wins and threats; never in a clumsy style. thoughts: a budget."""

    level: int = 0
    share: float = 0.0
    style: str = "plain"
    thoughts: int | None = None

    def __post_init__(self):
        if not 0 <= self.level <= 10:
            raise Unsuitable(f"level must be from 0 to 10, not {self.level}")
        if self.style not in ("plain", "clumsy", "fancy"):
            raise UnknownName(f"style cannot be {self.style}")

    @property
    def limited(self):
        return self.thoughts is not None


def wins(position):
    """The moves that win at once."""
    return [] if position.result is not None else [m for m in position.moves() if position.play(m).result]


class SkilledWorker(Worker):
    def __init__(self, game, request, mode):
        super().__init__(game, request, mode)
        self.dice = random.Random(request.seed)

    def solve(self, question):
        raise NotImplementedError

    def search(self, question):
        position, skill = question.position, self.request.options
        move = self.dice.choice(position.moves())
        if self.dice.random() < skill.level / 10 and skill.style != "clumsy":
            quiet = [m for m in position.moves() if not wins(position.play(m))]
            move = next(iter([*wins(position), *quiet]), move)
        return Answer(
            position=position, value=None, status=HEURISTIC, bounds=position.game.values, best=[move], line=[move],
            nodes=0, leaves=0, extra_nodes=0, seconds=0.0, method="skilled", depth=0, why=self.request.why,
            mode="interpreted",
        )  # fmt: skip


SKILLED = Method(
    "skilled", "sees wins", "this test", kernel=None, options=Skill(table=False), plays=True, worker=SkilledWorker
)
