"""How the Star family is driven: a search within limits, and a search to the end.

Iterative deepening is the minimax family's. What differs is the root: moves are compared with a tolerance, because sums
in another order differ in their last bits; at a chance position there is no move, only the expected value; and among
moves that are close to each other a stated attitude may choose (see `risk`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

from zermelo.chance.engine import ChanceEngine
from zermelo.chance.options import ChanceOptions
from zermelo.compile.diagnosis import blaming
from zermelo.compile.watch import Limits
from zermelo.core.answer import HEURISTIC, PROVEN, UNKNOWN, Answer, Tally, Verdict, report
from zermelo.core.deepening import deepen
from zermelo.core.method import Method
from zermelo.core.question import Question, Worker
from zermelo.core.request import Request
from zermelo.core.root import Finding
from zermelo.rules import CHANCE, Game, Position

ASPIRATION_SHARE = 1 / 16
"""The half width of the aspiration window, as a share of the range of values."""

ATTITUDE_NODES = 1_000_000


def star(name: str, summary: str, source: str, kernel: Any, options: ChanceOptions, **more: Any) -> Method:
    """A method of the family: its drivers are the same for all."""
    return Method(
        name=name, summary=summary, source=source, kernel=kernel, options=options, chance=True,
        worker=StarWorker, **more,
    )  # fmt: skip


class StarWorker(Worker):
    """A search of the family at work; it keeps its table from one question to the next."""

    def __init__(self, game: Game, request: Request, mode: str) -> None:
        super().__init__(game, request, mode)
        self.dice = random.Random(request.seed)
        self.why = request.why

    @cached_property
    def star(self) -> ChanceEngine:
        request = self.request
        assert isinstance(request.options, ChanceOptions)
        return ChanceEngine(
            self.game, request.method, request.options, mode=self.mode, memory=request.memory, threads=request.threads
        )

    def engine(self, estimates: bool = False) -> ChanceEngine:
        return self.star

    def prepare(self, purpose: str, limits: Limits) -> None:
        self.engine()

    def _begin(self, question: Question) -> int:
        """Everything ready for a question; how deep to look."""
        engine, position = self.star, question.position
        deepest = engine.deepest(position)
        wanted = min(question.limits.depth or deepest, deepest)
        engine.check(position, wanted)
        watch = engine.watched(question.limits, question.listener, question.brake)
        with blaming(position.game):
            watch.turn = position.turn
            watch.low, watch.high = engine.window(position)
        return wanted

    def search(self, question: Question) -> Answer:
        """The best move of a position by iterative deepening, or what a chance position is worth."""
        wanted = self._begin(question)
        return self.star.watch.run(lambda: self._deepen(question.position, wanted, question.value_only))

    def _deepen(self, position: Position, wanted: int, value_only: bool) -> Answer:
        engine = self.star
        low, high = engine.window(position)
        found = deepen(engine, position, wanted, (high - low) * ASPIRATION_SHARE)
        if found is None:  # not even one ply: any move is better than none
            first = [] if position.turn == CHANCE else position.codes[:1]
            return report(engine, position, HEURISTIC, None, why=self.why, best=first)
        status = PROVEN if found.certain and not engine.approximates else HEURISTIC
        return self._report(position, status, found.value, found.move, found.depth, value_only)

    def solve(self, question: Question) -> Answer:
        """The value by one search of full depth, as far as the limits allow. A value decides any claim."""
        engine, position, limits = self.star, question.position, question.limits
        wanted = self._begin(question)
        if position.result is not None:
            return report(engine, position, PROVEN, position.result, why="the game is over")

        def search() -> Answer:
            value = engine.search(position, wanted, *engine.open_window(position))
            if engine.stopped:
                return report(engine, position, UNKNOWN, None, why=self.why)
            certain = engine.estimated == 0
            if not (certain or limits.depth or engine.game.endless or engine.asked.forbids or engine.approximates):
                engine.check_length()
            status = PROVEN if certain and not engine.approximates else HEURISTIC
            return self._report(position, status, value, engine.move, wanted, question.value_only)

        return engine.watch.run(search)

    def _report(
        self, position: Position, status: str, value: float, move: int, depth: int, value_only: bool
    ) -> Answer:
        from zermelo.chance import risk

        engine, watch = self.star, self.star.watch
        tally = Tally.of(engine)
        watch.low = watch.high = value
        watch.doing = "finding all best moves"
        for_first = -value if position.turn == 1 else value
        if position.turn == CHANCE:
            answer = report(engine, position, status, for_first, why=self.why, tally=tally)
            return replace(answer, **self._doubts(position, depth))
        known = move if move in position.codes else engine.remembered_move(position)
        if engine.asked.attitude != "expected" and watch.reason != "interrupt":
            with self._more_time():
                choice = risk.choose(engine, position, value, depth, self.dice)
            if choice is not None:
                answer = report(
                    engine, position, status, for_first, why=self.why, best=choice.best, complete=True, tally=tally
                )
                return replace(answer, line=answer.best[:1], details=choice.details, notes=choice.notes)
        found: dict[int, Finding] = {}
        if not (engine.stopped or value_only):
            found = self._near(position, value, depth)
        proven = status == PROVEN
        best = [move for move, finding in found.items() if finding.low >= value and (finding.sure or not proven)]
        best = best or [position.codes[0] if known is None else known]
        answer = report(
            engine, position, status, for_first, why=self.why, best=best, line=[position.text_of(best[0])],
            complete=len(found) == len(position.codes) and (not proven or all(f.sure for f in found.values())),
            verdicts=tuple(Verdict.of(position, move, *finding) for move, finding in found.items()), tally=tally,
        )  # fmt: skip
        return replace(answer, **self._doubts(position, depth))

    def _doubts(self, position: Position, depth: int) -> dict[str, Any]:
        """What an answer must say that rests on approximate probes, the position being searched to this depth."""
        asked = self.star.asked
        if not asked.approximate:
            return {}
        words = f"each cut-off by {asked.estimator} estimates holds with {asked.confidence:.3g}, if their errors do"
        return {"details": {"confidence": asked.confidence}, "notes": (("confidence", words),)}

    @contextmanager
    def _more_time(self) -> Iterator[None]:
        """An attitude has to look at the moves that are close: about as much again as the search itself may cost."""
        watch = self.star.watch
        limits, reason = watch.limits, watch.reason
        watch.limits, watch.reason = Limits(nodes=2 * watch.nodes + ATTITUDE_NODES), None
        watch.allow()
        try:
            yield
        finally:
            watch.limits, watch.reason = limits, watch.reason if watch.reason == "interrupt" else reason

    def _near(self, position: Position, value: float, depth: int) -> dict[int, Finding]:
        """All moves, asked whether they come as close to the best value as rounding lets them, as far as the search is
        not stopped."""
        engine = self.star
        lowest, bar = engine.window(position)[0], value - engine.rounding
        found: dict[int, Finding] = {}
        for move in position.codes:
            before = engine.estimated
            reached = engine.value_of_move(position, move, depth, engine.below(bar), bar)
            if engine.stopped:
                break
            sure = engine.estimated == before and not engine.approximates
            found[move] = Finding(value, value, sure) if reached >= bar else Finding(lowest, reached, sure)
        return found

