"""The usual worker: a kernel that searches one position within a window, or decides one claim about it.

Values of whole numbers and estimates are searched by different kernels where they are of different types, and so are
positions that are to be solved and those that may be searched selectively; each kernel is made when it is first needed,
with a table of its own.
"""

from __future__ import annotations

from zermelo.compile.watch import Limits
from zermelo.core.answer import Answer
from zermelo.core.engine import Engine
from zermelo.core.method import Options
from zermelo.core.node import number_of
from zermelo.core.question import Question, Worker
from zermelo.core.searching import search_with
from zermelo.core.selective import exact, selective
from zermelo.core.solving import may_estimate, solve_with


class WindowWorker(Worker):
    """A search of the minimax family, or one for claims."""

    def __init__(self, *whatever: object) -> None:
        super().__init__(*whatever)  # type: ignore[arg-type]
        self._engines: dict[tuple[type, Options], Engine] = {}

    def engine(self, estimates: bool = False, within_limits: bool = False) -> Engine:
        """Who searches. `within_limits`: the search may leave out what is not likely to matter."""
        game, request = self.game, self.request
        estimates = estimates and not request.method.answers_claims
        number = number_of(game, estimates)
        options = selective(request.options, request.method, game) if within_limits else exact(request.options)
        if (number, options) not in self._engines:
            self._engines[number, options] = Engine(
                game, request.method, options, estimates=estimates, mode=self.mode, memory=request.memory,
                threads=request.threads,
            )  # fmt: skip
        return self._engines[number, options]

    def prepare(self, purpose: str, limits: Limits) -> None:
        self.engine(self.estimates_for(purpose, limits), within_limits=purpose == "search")

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
        return search_with(self.engine(estimates=True, within_limits=True), question, self.request.why)
