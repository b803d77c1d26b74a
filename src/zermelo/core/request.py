"""A request: which search, built how, with what memory, threads, mode and seed. One small value, and a text.

    star2.5(depth=5, probes=3)      mtdf(memory=1GB)      random(seed=7)

The text of a request names what differs from the method's usual settings, and reading it gives the request back:
`zermelo.methods.requests` does that, for it knows the methods.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Protocol

from zermelo.compile.watch import Limits
from zermelo.core.answer import Answer
from zermelo.core.memory import DEFAULT, parse_size
from zermelo.core.method import Method, Options
from zermelo.core.question import Question, Worker
from zermelo.rules import Game, Position, Unsuitable
from zermelo.rules.settings import write_value

if TYPE_CHECKING:
    from zermelo.core.session import Session

MODES = ("compiled", "interpreted")
Finish = Callable[["Request", Question, Answer], Answer]


class Adviser(Protocol):
    """Who knows some positions without a search, as a book does."""

    def answer(self, position: Position, seed: int | None = None) -> Answer | None:
        """What to play there, and what is known of it; None if it is not known."""

    def check(self, game: Game) -> None:
        """Refuse a game that is not the one whose positions are known."""


@dataclass(frozen=True)
class Request:
    """What to search with.

    options: how the method's kernel is built. mode: None begins interpreted and compiles what takes longer. limits:
    those that belong to whoever is asked, such as the depth of an engine; a question may set stricter ones. why: how
    the method was chosen. spelled: settings that the text names even where they are usual, for something else was tuned
    for the game. finish: what is done with a solved answer before it is handed over. book: who is asked before a search
    within limits begins. worker: who works by it, if not the method's own.
    """

    method: Method
    options: Options
    memory: str = DEFAULT
    threads: int = 1
    mode: str | None = None
    seed: int | None = None
    limits: Limits = field(default_factory=Limits)
    why: str = field(default="asked for", compare=False)
    spelled: tuple[str, ...] = field(default=(), compare=False)
    finish: Finish | None = field(default=None, compare=False, repr=False)
    book: Adviser | None = field(default=None, compare=False, repr=False)
    worker: Callable[..., Worker] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.threads < 1:
            raise Unsuitable(f"the number of threads must be at least 1, not {self.threads}")
        if self.mode not in (None, *MODES):
            raise Unsuitable(f"mode must be compiled or interpreted, not {self.mode}")
        parse_size(self.memory)
        self.check(self.limits)

    def check(self, limits: Limits) -> None:
        """Refuse limits that the method cannot heed."""
        if limits.depth is not None and not self.method.deepens:
            name = self.method.name
            raise Unsuitable(f"{name} looks as far as play goes and knows no depth: give it seconds, nodes or playouts")

    def open(self, game: Game) -> Session:
        """A session that answers questions about a game's positions."""
        from zermelo.core.session import Session

        return Session(game, self)

    @property
    def settings(self) -> dict[str, Any]:
        """What differs from the usual, and what is spelled out, by name."""
        usual = self.method.options
        changed = {
            f.name: getattr(self.options, f.name)
            for f in fields(self.options)
            if f.name in self.spelled or getattr(self.options, f.name) != getattr(usual, f.name, None)
        }
        own = {"memory": self.memory, "threads": self.threads, "mode": self.mode, "seed": self.seed}
        plain: dict[str, Any] = {"memory": DEFAULT, "threads": 1, "mode": None, "seed": None}
        told = {name: value for name, value in own.items() if value != plain[name]}
        limits = {f.name: getattr(self.limits, f.name) for f in fields(Limits)}
        return {**{n: v for n, v in limits.items() if v is not None}, **changed, **told}

    def __str__(self) -> str:
        told = ", ".join(f"{name}={written(value)}" for name, value in self.settings.items())
        return f"{self.method.name}({told})" if told else self.method.name


def written(value: Any) -> str:
    """A setting as a text; what holds settings itself stands in brackets."""
    text = "none" if value == () else write_value(value)
    return f"({text})" if "=" in text else text
