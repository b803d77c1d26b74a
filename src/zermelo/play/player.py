"""Players: whoever sits at a board. An engine by its text, a person, a program of somebody else's.

    class Timid(Player):
        name = "timid"

        def move(self, turn):
            return turn.position.moves()[0]

A player is asked for a move with a `Turn`, in which all is that it may want to know, and answers with the text of a
move, with a move and what it thinks of it, or with an `Act`. Everything else that it can do is optional.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from zermelo.compile.modes import mode_name
from zermelo.compile.watch import Brake, Limits, Listener
from zermelo.methods.requests import request
from zermelo.play.clock import Clock
from zermelo.rules import Game, Position, Unsuitable

if TYPE_CHECKING:
    from zermelo.core.answer import Answer
    from zermelo.core.request import Request
    from zermelo.core.session import Session
    from zermelo.play.ending import Ending


@dataclass(frozen=True)
class Turn:
    """What a player is asked. limits: what to use for this move, by its clock. left: the seconds that the first and the
    second player have for the game, None without such a clock. listener: who wants to be told of progress.
    brake: who has it pulled wants the move at once, also from another thread, also before thinking has begun."""

    position: Position
    limits: Limits = field(default_factory=Limits)
    left: tuple[float | None, float | None] = (None, None)
    listener: Listener | None = None
    brake: Brake = field(default_factory=Brake)

    @property
    def hurried(self) -> bool:
        """Whether the move is wanted at once."""
        return self.brake.reason is not None


class Chosen(NamedTuple):
    """A move, as a text or as the rules number it, and what the player says of it."""

    move: str | int
    answer: Answer | None = None


class Act(Enum):
    """What a player may do instead of making a move."""

    RESIGN = "resign"
    LEAVE = "leave"
    UNDO = "undo"
    """Go back to where the same player moved last."""


Said = str | int | Chosen | Act


class Player(ABC):
    """Who sits at a board. `name`: what a record says of it; for an engine, the text that makes it again."""

    name: str = "player"

    @abstractmethod
    def move(self, turn: Turn) -> Said:
        """What the player does at a position where it is to move."""

    def begin(self, position: Position, clock: Clock) -> None:
        """A game begins: what takes time is done now, before any clock runs."""
        return

    def ponder(self, position: Position) -> None:
        """The other side is thinking about this position: think as well, without waiting, until asked for a move."""
        return

    def played(self, position: Position) -> None:
        """A move was made by anyone, the dice included, or taken back; this is the position now."""
        return

    def ended(self, position: Position, ending: Ending) -> None:
        """The game is over."""
        return

    def opinion(self) -> str | None:
        """Who it has found out that it plays against, if it tries to."""
        return None

    def close(self) -> None:
        """Stand up, and let go of whatever is held. Closing twice does no harm."""
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Person(Player):
    """A player whose moves come from a function: one that reads a terminal, or waits for a click."""

    def __init__(self, ask: Callable[[Turn], Said], name: str = "person") -> None:
        self.ask, self.name = ask, name

    def move(self, turn: Turn) -> Said:
        return self.ask(turn)


class Engine(Player):
    """A request at the board. Its session, and so its table, lasts from the first game until it is closed."""

    def __init__(self, game: Game, made: Request) -> None:
        self.game, self.request = game, made
        self.name = str(made) if made.book is None else f"{made} with {made.book}"
        self._session: Session | None = None
        self._opinion: str | None = None

    def begin(self, position: Position, clock: Clock) -> None:
        """Under a clock all is compiled beforehand, for compiling would take longer than most moves."""
        if position.game is not self.game:
            raise Unsuitable(f"{self.name} was opened for {self.game.summary}, not for {position.game.summary}")
        if self._session is None:
            made = self.request
            if clock.timed and made.mode is None:
                made = replace(made, mode=mode_name(self.game))
            self._session = made.open(self.game)
        self._session.begin(position)
        if clock.timed:
            self._session.prepare("search")

    @property
    def session(self) -> Session:
        """What answers for it, and can be stopped."""
        if self._session is None:
            self._session = self.request.open(self.game)
        return self._session

    def move(self, turn: Turn) -> Chosen:
        answer = self.session.search(turn.position, turn.limits, turn.listener, value_only=True, brake=turn.brake)
        if self.request.method.learns:
            self._opinion = dict(answer.notes).get("opponent")
        return Chosen(answer.move or answer.best[0], answer)

    def opinion(self) -> str | None:
        return self._opinion

    def ponder(self, position: Position) -> None:
        self.session.ponder(position)

    def ended(self, position: Position, ending: Ending) -> None:
        with suppress(Unsuitable):  # it is not pondering
            self.session.stop()

    def close(self) -> None:
        if self._session is not None:
            self._session.close()


def engine(
    text: str | Request | None, game: Game, *, seed: int | None = None, limits: Limits | None = None, **settings: Any
) -> Player:
    """The engine that a text names, the one that suits the game if there is none, with `settings` on top, a `book`
    among them. `seed` is for one that has none of its own, `limits` hold beside its own. A text may also name a program
    of somebody else's, as `zermelo.play.programs` describes, which takes no settings from here."""
    from zermelo.play.programs import is_program, program  # here, for programs are players

    if isinstance(text, str) and is_program(text):
        return program(text, game, seed, limits)
    if text is None and limits is not None and limits.depth is not None:
        settings = {"depth": limits.depth, **settings}
    made = request(text, game, "play", **settings)
    if made.seed is None:
        made = replace(made, seed=seed)
    return Engine(game, replace(made, limits=made.limits.within(limits or Limits())))
