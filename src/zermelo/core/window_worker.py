"""The usual worker: a kernel that searches one position within a window, or decides one claim about it.

Values of whole numbers and estimates are searched by different kernels where they are of different types; each is made
when it is first needed, with a table of its own.
"""

from __future__ import annotations

from zermelo.compile.watch import Limits
from zermelo.core.answer import Answer
from zermelo.core.engine import Engine
from zermelo.core.node import number_of
from zermelo.core.question import Question, Worker
from zermelo.core.searching import search_with
from zermelo.core.solving import may_estimate, solve_with


class WindowWorker(Worker):
    """A search of the minimax family, or one for claims."""

    def __init__(self, *whatever: object) -> None:
        super().__init__(*whatever)  # type: ignore[arg-type]
        self._engines: dict[type, Engine] = {}

    def engine(self, estimates: bool = False) -> Engine:
        game, request = self.game, self.request
        estimates = estimates and not request.method.answers_claims
        number = number_of(game, estimates)
        if number not in self._engines:
            self._engines[number] = Engine(
                game, request.method, request.options, estimates=estimates, mode=self.mode, memory=request.memory,
                threads=request.threads,
            )  # fmt: skip
        return self._engines[number]

    def prepare(self, purpose: str, limits: Limits) -> None:
        self.engine(self.estimates_for(purpose, limits))

    def estimates_for(self, purpose: str, limits: Limits) -> bool:
        """Whether a question may meet estimates."""
        return purpose == "search" or may_estimate(self.game, limits)

    def solve(self, question: Question) -> Answer:
        engine = self.engine(self.estimates_for("solve", question.limits))
        return solve_with(
            engine, question.position, limits=question.limits, at_least=question.at_least, why=self.request.why,
            listener=question.listener, value_only=question.value_only, brake=question.brake,
        )  # fmt: skip

    def search(self, question: Question) -> Answer:
        if self.request.method.answers_claims:
            return self.solve(question)
        return search_with(self.engine(estimates=True), question, self.request.why)
