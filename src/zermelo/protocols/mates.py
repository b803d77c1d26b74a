"""How far away a win is, for protocols that tell it, and what of it was found out in this game.

The distance is looked for by full width (see `core.soonest`), with a kernel and a small table of its own: what makes a
search within limits selective would hide wins, and its table knows them without their distance. Most wins that a search
comes upon are near, and take milliseconds. Where it takes too long, what is certain is used: that the win is further
away than what was looked at, and what was said of it before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zermelo.compile.watch import Brake, Limits
from zermelo.core.engine import Engine
from zermelo.core.request import Request
from zermelo.core.soonest import Round, Soonest, soonest
from zermelo.methods.requests import request
from zermelo.rules import Game, Position, ZermeloError

MEMORY = "64MB"
MOST = {"compiled": 1_000_000, "interpreted": 5_000}
"""The nodes that are spent on the distance of a win that a search has come upon."""


class End(NamedTuple):
    """What is known of the end of a game: the plies to it, the line if that is certain, and how many plies it certainly
    takes more than."""

    plies: int | None = None
    line: tuple[str, ...] = ()
    beyond: int = 0
    nodes: int = 0


class Mates:
    """The distances of wins in one game."""

    def __init__(self, game: Game, mode: str) -> None:
        self.game, self.mode = game, mode
        self.ready = mode == "interpreted"
        self._known: dict[Position, End] = {}
        self._engine: Engine | None = None
        try:
            self._request: Request | None = request(
                "alphabeta", game, "solve", mode=mode, memory=MEMORY, knowledge=False
            )
        except ZermeloError:  # as with dice: nobody forces anything
            self._request = None

    @property
    def possible(self) -> bool:
        """Whether the game is one in which distances can be looked for."""
        return self._request is not None

    def prepare(self) -> None:
        """Compile what it takes."""
        if self._request is not None and self._engine is None:
            self._engine = self._request.open(self.game).engine(estimates=True)
            self.ready = True

    def forget(self) -> None:
        """Another game begins."""
        self._known.clear()

    def find(
        self,
        position: Position,
        winner: int,
        limits: Limits,
        brake: Brake,
        only: Sequence[int] | None = None,
        after_round: Round | None = None,
    ) -> Soonest:
        """The soonest win, as far as limits allow."""
        self.prepare()
        assert self._engine is not None
        found = soonest(self._engine, position, winner, limits, only=only, brake=brake, after_round=after_round)
        if found.plies is not None and only is None:
            self._keep(position, found)
        return found

    def end(self, position: Position, winner: int, left: Limits | None, brake: Brake, share: int = 1) -> End:
        """How a game ends that is won, from what is known, or by what is left of the limits."""
        known = self._known.get(position, End())
        if known.line or left is None or self._request is None:
            return known
        within = Limits(nodes=MOST[self.mode] // share).within(left)
        found = self.find(position, winner, within, brake)
        if found.plies is None or not found.line:
            return known._replace(beyond=max(known.beyond, found.beyond), nodes=found.nodes)
        return self._known.get(position, End(found.plies, beyond=found.beyond))._replace(nodes=found.nodes)

    def note(self, position: Position, plies: int) -> None:
        """What was said of a win whose distance was not found."""
        self._known[position] = End(plies, beyond=self._known.get(position, End()).beyond)

    def _keep(self, position: Position, found: Soonest) -> None:
        """The end of the game, from here and from all positions that lead to it."""
        along = [position]
        for move in found.line:
            along.append(along[-1].play(move))
        if along[-1].result is None:
            self._known[position] = End(found.plies, beyond=found.beyond)
            return
        for done, each in enumerate(along[:-1]):
            line = found.line[done:]
            self._known[each] = End(len(line), line, len(line) - 1)
