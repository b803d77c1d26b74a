"""Monte-Carlo tree search at work: questions are answered by what the tree says when a limit is met."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from zermelo.compile.watch import Limits
from zermelo.core.answer import BOUND, HEURISTIC, PROVEN, UNKNOWN, Answer, Verdict, plain, report
from zermelo.core.question import Question, Worker
from zermelo.rules import CHANCE, Position
from zermelo.sampling.options import TreeOptions
from zermelo.sampling.tree_engine import Branch, Root, TreeEngine, favourite

SHOWN = 5
"""How many moves are told of in words."""


class TreeWorker(Worker):
    """It keeps its tree from one question to the next, as far as it lies below the new position."""

    @cached_property
    def grown(self) -> TreeEngine:
        request = self.request
        assert isinstance(request.options, TreeOptions)
        return TreeEngine(
            self.game, request.method, request.options, mode=self.mode, memory=request.memory,
            threads=request.threads, seed=request.seed,
        )  # fmt: skip

    def engine(self, estimates: bool = False) -> TreeEngine:
        return self.grown

    def prepare(self, purpose: str, limits: Limits) -> None:
        self.engine()

    def search(self, question: Question) -> Answer:
        return self._ask(question, HEURISTIC)

    def solve(self, question: Question) -> Answer:
        """What the tree has proven by the time a limit is met."""
        if question.position.result is not None:
            engine = self.grown
            engine.watched(question.limits, question.listener, question.brake)
            return report(engine, question.position, PROVEN, question.position.result, why="the game is over")
        return self._ask(question, UNKNOWN)

    def _ask(self, question: Question, otherwise: str) -> Answer:
        engine, position = self.grown, question.position
        watch = engine.watched(question.limits, question.listener, question.brake)
        watch.turn = position.turn
        watch.low, watch.high = engine.window(position)
        if engine.deepest(position) < 1:  # play goes on beyond what the game declares: any move will do
            watch.met = "max_plies"
            return report(engine, position, HEURISTIC, None, why=self.request.why)

        def work() -> Answer:
            for _ in engine.grow(position, often=question.listener is not None):
                root = engine.root(position)
                watch.low, watch.high = (-root.upper, -root.lower) if position.turn == 1 else (root.lower, root.upper)
                watch.improved(plain(root.value), self._line(position, root))
            return self._answer(position, engine.root(position), otherwise)

        return watch.run(work)

    def _line(self, position: Position, root: Root) -> list[str]:
        best = favourite(root, position.turn)
        if best is None or position.turn == CHANCE:
            return []
        return _texts(position, self.grown.line(position, best))

    def _answer(self, position: Position, root: Root, otherwise: str) -> Answer:
        engine = self.grown
        narrower = root.lower > engine.low or root.upper < engine.high
        status = PROVEN if root.proven else otherwise
        if status == UNKNOWN and narrower:
            status = BOUND
        sampled = engine.simulations > 0 or root.visits > 0
        value = root.lower if root.proven else root.value if sampled and otherwise == HEURISTIC else None
        best: list[int] = []
        chosen = favourite(root, position.turn)
        if position.turn != CHANCE and chosen is not None:
            best = _best(root, chosen, position.turn)
        answer = report(
            engine, position, status, value, why=self.request.why, best=best, line=self._line(position, root),
            complete=root.proven and _all_known(root, position.turn), bounds=(root.lower, root.upper),
            verdicts=tuple(_verdict(position, branch) for branch in root.branches)
            if position.turn != CHANCE else (),
        )  # fmt: skip
        told = sorted(root.branches, key=lambda branch: -branch.visits)
        details = {
            **answer.details,
            "playouts": engine.simulations,
            "tree_bytes": engine.tree_bytes,
            "moves": [self._told(position, branch) for branch in told],
        }
        notes = (*answer.notes, ("playouts", self._words(position, told)))
        return replace(answer, details=details, notes=notes)

    def _told(self, position: Position, branch: Branch) -> dict[str, object]:
        line = [] if position.turn == CHANCE else _texts(position, self.grown.line(position, branch))
        return {
            "move": position.text_of(branch.move),
            "visits": branch.visits,
            "value": plain(branch.value) if branch.visits else None,
            "bounds": [plain(branch.lower), plain(branch.upper)],
            "line": line,
        }

    def _words(self, position: Position, told: list[Branch]) -> str:
        shown = ", ".join(
            f"{position.text_of(branch.move)} {branch.visits:,} ({branch.value:+.3g})" for branch in told[:SHOWN]
        )
        rest = f", {len(told) - SHOWN} more moves" if len(told) > SHOWN else ""
        return f"{self.grown.simulations:,}; visits and value of {shown}{rest}"


def _texts(position: Position, moves: list[int]) -> list[str]:
    texts = []
    for move in moves:
        texts.append(position.text_of(move))
        position = position.play(move)
    return texts


def _best(root: Root, chosen: Branch, turn: int) -> list[int]:
    """The moves that are proven to be best, the chosen one first; or that one alone."""
    if not root.proven:
        return [chosen.move]
    equal = [b.move for b in root.branches if (b.upper if turn == 1 else b.lower) == root.lower and b is not chosen]
    return [chosen.move, *equal]


def _all_known(root: Root, turn: int) -> bool:
    """Whether every other move is proven to be worse than the best ones, or as good."""
    value = root.lower
    if turn == 1:
        return all(b.upper == value or b.lower > value for b in root.branches)
    return all(b.lower == value or b.upper < value for b in root.branches)


def _verdict(position: Position, branch: Branch) -> Verdict:
    low, high = (-branch.upper, -branch.lower) if position.turn == 1 else (branch.lower, branch.upper)
    return Verdict.of(position, branch.move, low, high)
