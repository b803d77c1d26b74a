"""Searches with opponent models at work: a move for whoever is to move, by what the other is believed to answer.

**The guard.** A model that is wrong can be a disaster: a move that wins if the opponent answers as foreseen may lose if
it does not (Iida, Uiterwijk, van den Herik and Herschberg 1994, "Potential applications of opponent-model search, part
2: risks and strategies"). With a risk limit r only moves are played whose minimax value, by our own evaluation and to
the same depth, is at most r below the best one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from zermelo.compile.watch import Limits
from zermelo.core.answer import HEURISTIC, Answer, Tally, Verdict, report
from zermelo.core.deepening import TIME_SHARE
from zermelo.core.engine import Engine
from zermelo.core.question import Question, Worker
from zermelo.opponent.engine import ModelEngine
from zermelo.opponent.models import Model
from zermelo.opponent.options import ModelOptions
from zermelo.opponent.plain import minimax_engine, worths_of_moves
from zermelo.rules import Position, Unsuitable

SHOWN = 3
"""How many opponents are told of in words."""

Notes = tuple[tuple[str, str], ...]


class ModelWorker(Worker):
    """A search with models; it keeps its table from one question to the next."""

    @property
    def options(self) -> ModelOptions:
        assert isinstance(self.request.options, ModelOptions)
        return self.request.options

    @property
    def risk(self) -> float | None:
        """How much of the minimax value may be given up; None is all of it."""
        return self.options.risk

    @cached_property
    def models(self) -> tuple[Model, ...]:
        return self.options.models(self.game)

    @cached_property
    def modelling(self) -> ModelEngine:
        request = self.request
        return ModelEngine(self.game, request.method, self.options, mode=self.mode, memory=request.memory)

    @cached_property
    def plain(self) -> Engine:
        """Minimax with our own evaluation, for the guard."""
        return minimax_engine(self.game, self.mode, self.request.memory)

    def engine(self, estimates: bool = False) -> Engine:
        return self.modelling

    def prepare(self, purpose: str, limits: Limits) -> None:
        self.options.check(self.game, limits.depth)
        self.engine()
        if self.risk is not None:
            _ = self.plain

    def solve(self, question: Question) -> Answer:
        raise Unsuitable(f"{self.request.method.name} finds moves, not values: take it to search or to play")

    def search(self, question: Question) -> Answer:
        self.options.check(self.game, question.limits.depth)
        engine, position = self.modelling, question.position
        watch = engine.watched(question.limits, question.listener, question.brake)
        watch.turn = position.turn
        watch.low, watch.high = engine.window(position)
        if engine.deepest(position) < 1:
            watch.met = "max_plies"
            return report(engine, position, HEURISTIC, None, why=self.request.why)
        found, depth = watch.run(lambda: self._deepen(position, question.limits))
        allowed: Sequence[int] = list(found)
        notes: Notes = ()
        if found and self.risk is not None:
            allowed, notes = self._guarded(question, found, depth, self.risk)
        return self._answer(position, found, allowed, notes)

    def _deepen(self, position: Position, limits: Limits) -> tuple[dict[int, float], int]:
        """What the moves are worth, as deep as limits allow, and how deep that was."""
        engine = self.modelling
        watch = engine.watch
        deepest = min(limits.depth or engine.deepest(position), engine.deepest(position))
        timed = limits.seconds is not None or limits.nodes is not None
        found: dict[int, float] = {}
        reached = 0
        for depth in range(1 if timed else deepest, deepest + 1):
            watch.depth = depth
            before = engine.estimated
            worths = engine.worths(position, depth)
            if worths is None:
                break
            found, reached = worths, depth
            if engine.estimated == before:  # nothing was estimated: it cannot be known better
                break
            if limits.seconds is not None and depth < deepest and watch.seconds > TIME_SHARE * limits.seconds:
                watch.met = "seconds"
                break
        return found, reached

    def _guarded(
        self, question: Question, found: dict[int, float], depth: int, risk: float
    ) -> tuple[list[int], Notes]:
        """The moves that give up at most `risk` of the minimax value; all of them if there was no time to find out."""
        position, plain = question.position, self.plain
        watch = plain.watched(Limits(seconds=question.limits.seconds), None, question.brake)
        worths = watch.run(lambda: worths_of_moves(plain, position, depth, risk))
        if worths is None:
            return list(found), (("guard", "there was no time to look at the risk"),)
        bar = max(worths.values()) - risk - plain_rounding(plain)
        wanted = max(found, key=lambda move: found[move])
        allowed = [move for move in found if worths[move] >= bar]
        if wanted in allowed:
            return allowed, ()
        words = f"{position.text_of(wanted)} would give up more than {risk:g} of the minimax value, and is not played"
        return allowed, (("guard", words),)

    def _answer(self, position: Position, found: dict[int, float], allowed: Sequence[int], notes: Notes) -> Answer:
        engine = self.modelling
        tally = Tally.of(engine)
        if not found:
            return report(engine, position, HEURISTIC, None, why=self.request.why, tally=tally)
        value = max(found[move] for move in allowed)
        best = [move for move in allowed if found[move] == value]
        verdicts = tuple(Verdict.of(position, move, worth, worth, sure=False) for move, worth in found.items())
        answer = report(
            engine, position, HEURISTIC, -value if position.turn == 1 else value, why=self.request.why, best=best,
            line=[position.text_of(best[0])], verdicts=verdicts, tally=tally,
        )  # fmt: skip
        notes = (*answer.notes, *notes, ("opponent", self.words()))
        return replace(answer, details={**answer.details, "opponents": self.opponents()}, notes=notes)

    def opponents(self) -> dict[str, float]:
        """How likely each opponent is believed to be."""
        return {str(model): round(share, 6) for model, share in zip(self.models, self.modelling.shares)}

    def words(self) -> str:
        """The same for people, the likeliest first."""
        told = [(name, share) for name, share in self.opponents().items() if share >= 0.005]
        ranked = sorted(told, key=lambda one: -one[1])
        shown = ", ".join(name if len(ranked) == 1 else f"{name} {share:.0%}" for name, share in ranked[:SHOWN])
        return shown + (f", {len(ranked) - SHOWN} more" if len(ranked) > SHOWN else "")


def plain_rounding(engine: Engine) -> float:
    """Values that are closer than this are equal, as sums in another order differ in their last bits."""
    return 1e-9 * float(engine.high - engine.low)
