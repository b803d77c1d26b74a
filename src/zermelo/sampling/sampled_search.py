"""How searches of samples are driven: as the Star family is, with a seed, and a word on how far off they may be."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from zermelo.chance.driver import StarWorker
from zermelo.chance.engine import ChanceEngine
from zermelo.compile.modes import UNLIMITED
from zermelo.core.answer import Answer
from zermelo.core.memory import DEFAULT
from zermelo.core.method import Method
from zermelo.core.question import Question
from zermelo.rules import CHANCE, Game, Position, Unsuitable
from zermelo.sampling.guarantee import Guarantee, guarantee
from zermelo.sampling.samples import SampledOptions

EPSILON_SHARE = 0.1
"""The error that is spoken of if nobody says, as a share of the range of scores."""


def sampled(name: str, summary: str, source: str, kernel: Any, options: SampledOptions) -> Method:
    """A method that samples: its drivers are the same for all. It finds moves; its values are not certain."""
    return Method(
        name=name, summary=summary, source=source, kernel=kernel, options=options, chance=True, plays=True,
        worker=SampledWorker,
    )  # fmt: skip


class SampledEngine(ChanceEngine):
    """A search of a game's samples: those that belong to a seed, 0 if nobody says."""

    def __init__(
        self,
        game: Game,
        method: Method,
        options: SampledOptions | None = None,
        *,
        seed: int | None = None,
        mode: str | None = None,
        memory: str | int = DEFAULT,
        threads: int = 1,
    ) -> None:
        asked = options or method.options
        assert isinstance(asked, SampledOptions)
        asked.check(game)
        super().__init__(game, method, asked, mode=mode, memory=memory, threads=threads)
        self.width, self.seed = asked.width, seed or 0
        for workspace in self.workspaces:
            workspace.tell(width=min(self.width, UNLIMITED), seed=self.seed % 2**64)
        low, high = game.values
        self.epsilon = (high - low) * EPSILON_SHARE if asked.epsilon is None else asked.epsilon

    @property
    def approximates(self) -> bool:
        """Whether outcomes were left out since the table was empty."""
        return any(workspace.count("sampled") for workspace in self.workspaces)

    def guarantee(self, position: Position, depth: int) -> Guarantee:
        """How far off the value of a position can be that was searched to this depth."""
        return guarantee(
            self.game.values, moves=self.game.max_moves, depth=depth, width=self.width, epsilon=self.epsilon,
            tossing=position.turn == CHANCE, row=max(workspace.count("longest_row") for workspace in self.workspaces),
        )  # fmt: skip


class SampledWorker(StarWorker):
    """A search of samples at work. The same seed gives the same answers."""

    @cached_property
    def star(self) -> SampledEngine:
        request = self.request
        assert isinstance(request.options, SampledOptions)
        return SampledEngine(
            self.game, request.method, request.options, seed=request.seed, mode=self.mode, memory=request.memory,
            threads=request.threads,
        )  # fmt: skip

    def solve(self, question: Question) -> Answer:
        raise Unsuitable(f"{self.request.method.name} finds moves, not values: take it to search or to play")

    def _doubts(self, position: Position, depth: int) -> dict[str, Any]:
        """What an answer must say that rests on samples."""
        engine = self.star
        if not engine.approximates:
            return {"details": {"width": engine.width, "seed": engine.seed, "sampled": False}}
        found = engine.guarantee(position, depth)
        details = {"epsilon": found.epsilon, "probability": found.probability, "vacuous": found.vacuous}
        return {
            "details": {"width": engine.width, "seed": engine.seed, "sampled": True, "guarantee": details},
            "notes": (
                ("samples", f"{engine.width} outcomes of a chance node where there are more, seed {engine.seed}"),
                ("guarantee", str(found)),
            ),
        }
