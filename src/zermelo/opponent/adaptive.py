"""Adaptive search: PrOM against an opponent that is found out on the way.

Every move of the opponent changes how likely each type is (see `posterior`); the next move is PrOM's against these.
What was learned lasts as long as the session: over all games of a match. Types that have become unlikely are left out.
Until it is known who it is, and if it is nobody that is known, the guard keeps the loss small: its limit grows with the
share of the moves that were foreseen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from zermelo.compile.watch import Limits
from zermelo.core.answer import Answer
from zermelo.core.engine import Engine
from zermelo.core.method import Method
from zermelo.core.question import Question
from zermelo.opponent.engine import ModelEngine
from zermelo.opponent.models import OWN, Model
from zermelo.opponent.options import OmOptions, PromOptions
from zermelo.opponent.plain import minimax_engine, view_by, worths_of_moves
from zermelo.opponent.posterior import Posterior
from zermelo.opponent.worker import ModelWorker
from zermelo.rules import Game, Position

DEPTH = 2
"""How deep an opponent is believed to look whose depth is not known, while it is found out who it is."""
NEGLIGIBLE = 0.02
"""An opponent that is less likely than this is not looked at; nor are changes that are smaller."""
RISK_SHARE = 0.05
"""The risk limit if nobody says, as a share of the range of scores."""
MEMORY = "16MB"


@dataclass(frozen=True)
class AdaptiveOptions(PromOptions):
    """Options of adaptive search. opponents: models; none are all evaluations that the game names, and its own.
    probabilities: how likely they are before anything is known. risk: the limit while nothing is known; None is a
    twentieth of the range of scores, inf is no limit. It widens as moves are foreseen."""

    def models(self, game: Game) -> tuple[Model, ...]:
        if self.opponents:
            return super().models(game)
        named = game.evaluations
        own = (OWN,) if game.evaluate not in named.values() else ()
        return replace(self, opponents=(*named, *own)).models(game)


class AdaptiveWorker(ModelWorker):
    """Adaptive search at work: it remembers whom it has met."""

    def __init__(self, *whatever: Any) -> None:
        super().__init__(*whatever)
        low, high = self.game.values
        self.posterior = Posterior(self.options.shares(self.game), float(high - low))
        self._path: list[Any] = []

    @cached_property
    def eyes(self) -> list[Engine]:
        """What sees a position as each of the opponents does."""
        return [self._eyes_of(model) for model in self.models]

    def _eyes_of(self, model: Model) -> Engine:
        view = view_by(self.game, model.evaluation)
        if model.of_us is None:
            return minimax_engine(view, self.mode, MEMORY)
        believing = OmOptions(opponent=str(model.of_us))
        return ModelEngine(view, self.request.method, believing, mode=self.mode, memory=MEMORY)

    @property
    def risk(self) -> float | None:
        """The limit for one move: the better the opponent's moves are foreseen, the more may be ventured."""
        low, high = self.game.values
        limit = RISK_SHARE * (high - low) if self.options.risk is None else self.options.risk
        return limit * 0.5 / (1 - self.posterior.foreseen)

    def prepare(self, purpose: str, limits: Limits) -> None:
        super().prepare(purpose, limits)
        _ = self.eyes

    def search(self, question: Question) -> Answer:
        self.options.check(self.game, question.limits.depth)
        self._learn(question)
        shares = [share if share >= NEGLIGIBLE else 0.0 for share in self.posterior.shares]
        shares = [share / sum(shares) for share in shares]
        if max(abs(new - old) for new, old in zip(shares, self.modelling.shares)) > NEGLIGIBLE:
            self.modelling.suppose(shares)
        answer = super().search(question)
        details = {**answer.details, "temperature": self.posterior.temperature, "moves_seen": self.posterior.moves}
        return replace(answer, details=details)

    def opponents(self) -> dict[str, float]:
        return {str(model): round(share, 6) for model, share in zip(self.models, self.posterior.shares)}

    def _learn(self, question: Question) -> None:
        """Take in the moves of the opponent that were made since the last question."""
        line = question.position.line()
        path = [position.state for position in line]
        known = 0
        while known < min(len(path), len(self._path)) and path[known] is self._path[known]:
            known += 1
        them = 1 - question.position.turn
        for before, after in zip(line[max(known - 1, question.since) :], line[max(known, question.since + 1) :]):
            if before.turn == them and len(before.codes) > 1:
                assert after.last_move is not None
                self._see(before, after.last_move)
        self._path = path

    def _see(self, position: Position, move: int) -> None:
        worths = [
            _worths(engine, position, min(model.depth or DEPTH, engine.deepest(position)))
            for model, engine in zip(self.models, self.eyes)
        ]
        self.posterior.see(move, worths)


def _worths(engine: Engine, position: Position, depth: int) -> dict[int, float]:
    """What all moves are worth to the player who makes one."""

    def work() -> dict[int, float] | None:
        if isinstance(engine, ModelEngine):
            return engine.worths(position, depth)
        return worths_of_moves(engine, position, depth, float("inf"))

    return engine.watched(Limits()).run(work) or {}


METHOD = Method(
    name="adaptive",
    summary="against an opponent that is found out by its moves",
    source="Donkers 2003; Carmel and Markovitch 1996",
    kernel=None,
    prunes=False,
    options=AdaptiveOptions(),
    chance=True,
    plays=True,
    learns=True,
    worker=AdaptiveWorker,
)
