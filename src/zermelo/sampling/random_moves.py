"""Any legal move, each as likely as another: the opponent that everybody should beat."""

from __future__ import annotations

import random

from zermelo.core.answer import HEURISTIC, Answer
from zermelo.core.method import Method, Options
from zermelo.core.question import Question, Worker
from zermelo.core.request import Request
from zermelo.rules import CHANCE, Game, Unsuitable


class RandomWorker(Worker):
    """It looks at nothing. The same seed gives the same moves."""

    def __init__(self, game: Game, request: Request, mode: str) -> None:
        super().__init__(game, request, mode)
        self.dice = random.Random(request.seed)

    def solve(self, question: Question) -> Answer:
        raise Unsuitable("random finds moves, not values: take it to search or to play")

    def search(self, question: Question) -> Answer:
        position = question.position
        moves = [] if position.turn == CHANCE else [position.text_of(self.dice.choice(position.codes))]
        low, high = position.game.values
        return Answer(
            position=position, value=None, status=HEURISTIC, bounds=(low, high), best=moves, line=moves, nodes=0,
            leaves=0, extra_nodes=0, seconds=0.0, method="random", depth=0, why=self.request.why, mode="interpreted",
        )  # fmt: skip


METHOD = Method(
    name="random",
    summary="any legal move",
    source="as old as play",
    kernel=None,
    options=Options(table=False),
    chance=True,
    plays=True,
    worker=RandomWorker,
)
