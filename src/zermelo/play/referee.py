"""The referee: plays one game of a match, and ends it where nothing is left to be found out.

A game ends by its rules; or before, where they show the score (their bounds meet) or, if wanted, where a solver proves
it with few nodes. What a player claims of its position decides nothing. A game that goes on for too long is a draw.
Whatever a player does that is not a move loses the game for it, with the reason told, and never stops the match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

from zermelo.compile.watch import Limits
from zermelo.core.answer import PROVEN, Answer
from zermelo.methods.requests import request
from zermelo.play.clock import Clock
from zermelo.play.ending import Ending, Why, decided
from zermelo.play.player import Act, Chosen, Player, Said, Turn
from zermelo.play.record import Note, Record
from zermelo.play.sitting import Sitting
from zermelo.rules import Game, Position, Unsuitable, ZermeloError

if TYPE_CHECKING:
    from zermelo.core.session import Session

PROOF_NODES = 10_000
"""So much work a solver may put into the proof that ends a game."""
LONGEST = 2000
"""Plies after which a game that may never end is a draw, if nobody says otherwise."""

Announce = Callable[[int, float | None], None]
"""Told which side is about to do something, and by when its flag falls: None where it may take its time."""


@dataclass(frozen=True)
class Customs:
    """How games are ended early. adjudicate: None by the bounds of the rules, True also by a solver, False not at all.
    max_plies: the longest game; None for the usual."""

    adjudicate: bool | None = None
    max_plies: int | None = None

    def __post_init__(self) -> None:
        if self.max_plies is not None and self.max_plies < 1:
            raise Unsuitable(f"a game has at least 1 ply, so max_plies cannot be {self.max_plies}")

    def longest(self, game: Game) -> int | None:
        """After so many plies a game is a draw; None where the rules see to it that it ends."""
        return self.max_plies or (LONGEST if game.cyclic or game.endless else None)


class Judge:
    """Who tells early how a game ends."""

    def __init__(self, game: Game, customs: Customs) -> None:
        self.game, self.customs = game, customs
        self.longest = customs.longest(game)
        self._solver: Session | None = None

    def verdict(self, position: Position, plies: int) -> Ending | None:
        """How a game ends at a position, after so many plies; None if it goes on."""
        if position.result is not None or not position.codes:
            return None
        if self.customs.adjudicate is not False:
            score = decided(position)
            if score is not None:
                return Ending.of(position, Why.DECIDED, detail="the rules leave no other score", score=score)
        if self.customs.adjudicate:
            found = self._proven(position)
            if found is not None:
                detail = f"proven by {found.method} with {found.nodes} nodes"
                return Ending.of(position, Why.DECIDED, detail=detail, score=found.value)
        if self.longest is not None and plies >= self.longest:
            return Ending.of(position, Why.TOO_LONG, detail=f"a draw after {plies} plies")
        return None

    def _proven(self, position: Position) -> Answer | None:
        """The answer of a solver that is certain of the score. With dice only the worst and the best score are one:
        any other value is a mean, which no game ends with."""
        if self._solver is None:
            self._solver = request(None, self.game, "solve").open(self.game)
        with suppress(ZermeloError):
            answer = self._solver.solve(position, value_only=True, limits=Limits(nodes=PROOF_NODES))
            certain = not self.game.has_chance or answer.value in self.game.values
            if answer.status == PROVEN and certain:
                return answer
        return None


class Seat(Player):
    """A player in a match: whatever it is about to do is announced, and whatever it does is a move or costs the game.
    `make` opens it; what goes wrong there counts as a failure at its first move."""

    def __init__(self, make: Callable[[], Player], label: str, side: int, announce: Announce) -> None:
        self.name, self.side, self.announce = label, side, announce
        self.player: Player | None = None
        self.broken: Exception | None = None
        self._clock = Clock()
        announce(side, None)
        try:
            self.player = make()
            self.name = self.player.name
        except Exception as error:
            self.broken = error

    def begin(self, position: Position, clock: Clock) -> None:
        self._clock = clock
        self.announce(self.side, None)
        try:
            if self.player is not None:
                self.player.begin(position, clock)
        except Exception as error:
            self.broken = error

    def move(self, turn: Turn) -> Said:
        if self.player is None or self.broken is not None:
            raise self.broken or Unsuitable("it was never there")
        times = (turn.left[self.side], self._clock.per_move)
        self.announce(self.side, min((seconds for seconds in times if seconds is not None), default=None))
        said: Any = self.player.move(turn)
        if said is Act.LEAVE:
            return Act.RESIGN
        if said is Act.UNDO:
            raise Unsuitable("it takes back a move, which a match does not allow")
        move, answer = said if isinstance(said, Chosen) else (said, None)
        if isinstance(move, bool) or not isinstance(move, str | Integral | Act):
            raise Unsuitable(f"it answers {move!r:.100}, which is no move")
        if isinstance(move, Act):
            return move
        told = answer if isinstance(answer, Answer) else None
        return Chosen(move if isinstance(move, str) else int(move), told)

    def played(self, position: Position) -> None:
        if self.player is not None and type(self.player).played is not Player.played:
            self.announce(self.side, None)
            self.player.played(position)

    def ended(self, position: Position, ending: Ending) -> None:
        with suppress(Exception):
            if self.player is not None:
                self.player.ended(position, ending)


def play_out(record: Record, first: Seat, second: Seat, judge: Judge) -> Iterator[tuple[int, Note] | Ending]:
    """Play a game to its end: each ply as the rules number the move, with its note, and last the ending."""
    sitting = Sitting(record, first, second, clock=record.clock)  # which starts now, not with the opening
    position, plies = sitting.position, len(record.notes)
    steps = sitting.plies()
    while True:
        verdict = judge.verdict(position, plies)
        if verdict is not None:
            sitting.end(verdict)
        ply = next(steps, None)
        if ply is None:
            break
        position, plies = ply.position, plies + 1
        assert position.last_move is not None
        yield position.last_move, ply.note
    assert sitting.ending is not None
    yield sitting.ending
