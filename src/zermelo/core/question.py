"""What a search is asked, and who answers: a question about one position, and a method at work on one game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from zermelo.compile.watch import Brake, Limits, Listener
from zermelo.core.answer import Answer
from zermelo.rules import Game, Position, Unsuitable

if TYPE_CHECKING:
    from zermelo.core.engine import Engine
    from zermelo.core.request import Request


@dataclass(frozen=True)
class Question:
    """A position, and what is wanted to be known of it.

    at_least: only whether the first player reaches that score. value_only: the value, without all best moves and a
    line. limits: where to stop. listener: who is told of progress. brake: by which it can be stopped from outside.
    since: how many of the plies up to here were there before the game began.
    """

    position: Position
    at_least: float | None = None
    value_only: bool = False
    limits: Limits = field(default_factory=Limits)
    listener: Listener | None = None
    brake: Brake = field(default_factory=Brake)
    since: int = 0

    def __post_init__(self) -> None:
        low, high = self.position.game.values
        if self.at_least is not None and not low <= self.at_least <= high:
            name = self.position.game.name
            raise Unsuitable(f"{name}: scores lie between {low:g} and {high:g}, not at {self.at_least:g}")


class Worker(ABC):
    """A method at work on one game, in one mode; it keeps its table and its tree from one question to the next."""

    def __init__(self, game: Game, request: Request, mode: str) -> None:
        self.game, self.request, self.mode = game, request, mode

    @abstractmethod
    def solve(self, question: Question) -> Answer:
        """The value, certain, as far as the limits allow."""

    def search(self, question: Question) -> Answer:
        """The best move that can be found within limits. Who has no use for estimates solves as far as they allow."""
        return self.solve(question)

    def prepare(self, purpose: str, limits: Limits) -> None:
        """Compile now what a question takes, before any clock runs. Who has nothing to compile does nothing."""
        return

    def engine(self, estimates: bool = False) -> Engine:
        """The kernel with its table, for who measures searches; not every method has one."""
        raise Unsuitable(f"{self.request.method.name} has no kernel that searches one position")
