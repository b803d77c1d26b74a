"""A search that has second thoughts: if it takes longer than all positions at once would, they are taken instead.

Nobody knows how long a search will take, but what all positions take can be told beforehand (`forecast`). So the search
goes on until it has used up the time that they would have needed, and gives way then. Whatever the game is like, that
takes at most twice as long as the better of both (this is renting skis until they could have been bought: Karlin,
Manasse, Rudolph and Sleator 1988, "Competitive snoopy caching").

Nothing is forecast in the first seconds, and then beside the search, in a thread of its own: a search that is not given
up visits the nodes that it would have visited anyway.
"""

from __future__ import annotations

import threading
from dataclasses import replace

from zermelo.compile.process import start_thread
from zermelo.compile.watch import STOP, Brake, Listener, Progress
from zermelo.core.answer import PROVEN, Answer
from zermelo.core.engine import Engine
from zermelo.core.question import Question
from zermelo.core.session import compiling
from zermelo.core.window_worker import WindowWorker
from zermelo.positions.all_positions import make_ready
from zermelo.positions.fixpoint import WANTED, FixpointWorker
from zermelo.positions.forecast import WALKING, Forecast, forecast
from zermelo.positions.layers import spreader_for
from zermelo.positions.whole import FEW, Account, room_for
from zermelo.rules import Game, TooLarge, ZermeloError

PATIENCE = 5.0
"""The seconds that a search gets before anybody looks what else could be done."""
GIVEN_UP = "given up"
"""What stopped a search that gave way."""


def may_give_way(game: Game) -> bool:
    """Whether all positions at once can take the place of a search that ends by itself."""
    told_apart = game.compilable or game.key is not None
    return told_apart and not game.cyclic and not game.has_chance and game.horizon is None and not game.rests_on


class SecondThoughts(WindowWorker):
    """A search of the minimax family that gives way to all positions at once."""

    def solve(self, question: Question) -> Answer:
        limits = question.limits
        bound = question.at_least is not None or limits.nodes is not None or limits.depth is not None
        if bound:
            return super().solve(question)
        room = room_for(self.request, self.mode)
        thought = _Thought(self.engine(self.estimates_for("solve", limits)), question, room)
        try:
            answer = super().solve(replace(question, listener=thought.listener))
        finally:
            thought.end()
        if answer.stopped != GIVEN_UP:
            return answer
        account = Account(limits)
        before = account.add(answer)
        why = f"{self.request.method.name} had searched for {answer.seconds:.0f} s: {thought.words}"
        everything = FixpointWorker(self.game, replace(self.request, why=why), self.mode)
        try:
            found = everything.solve_within(replace(question, limits=account.left(1.0)), room)
        except TooLarge as large:
            account.spend(large.nodes, large.seconds)
            return account.add(super().solve(replace(question, limits=account.left(1.0))))
        found = account.add(found)
        if found.status == PROVEN:
            return found
        return replace(before, nodes=found.nodes, seconds=found.seconds, stopped=found.stopped)


class _Thought:
    """What goes on beside a search. `ahead` is what all positions would take, once that is known."""

    def __init__(self, engine: Engine, question: Question, room: int) -> None:
        self.engine, self.question, self.room = engine, question, room
        self.earlier = engine.watch  # that of an earlier question, until the search begins
        self.ahead: Forecast | None = None
        self.over, self.brake = threading.Event(), Brake()
        self.thread = start_thread(self._think)

    def end(self) -> None:
        """The search has ended: think no more."""
        self.over.set()
        self.brake.pull(STOP)

    @property
    def words(self) -> str:
        assert self.ahead is not None
        return f"all positions at once, about {self.ahead.positions.count:,.0f} in {self.ahead.seconds:.0f} s"

    @property
    def listener(self) -> Listener | None:
        """Tells whoever listens to the search what else could be done."""
        listener = self.question.listener

        def listen(progress: Progress) -> None:
            assert listener is not None
            fits = self.ahead is not None and self._fits(self.ahead)
            doing = f"{progress.doing}, or else {self.words}" if fits else progress.doing
            listener(replace(progress, doing=doing))

        return None if listener is None else listen

    def _fits(self, ahead: Forecast) -> bool:
        return ahead.positions.count is not None and ahead.bytes <= self.room

    def _think(self) -> None:
        if self.over.wait(PATIENCE):
            return
        position, limits, mode = self.question.position, self.question.limits, self.engine.mode.name
        compiling.add(threading.current_thread())
        try:
            make_ready(position.game, WANTED, self.engine.mode)
            spreader_for(position.game, mode)
        except ZermeloError:
            return
        finally:
            compiling.discard(threading.current_thread())
        try:
            ahead = forecast(position, WANTED, mode, min(FEW[mode], self.room), WALKING, brake=self.brake)
        except ZermeloError:  # the search will say what is wrong with the game
            return
        self.ahead, watch = ahead, self.engine.watch
        in_time = limits.seconds is None or ahead.seconds + max(ahead.seconds, watch.seconds) < limits.seconds
        if not self._fits(ahead) or not in_time or watch is self.earlier:
            return
        if not self.over.wait(max(ahead.seconds - watch.seconds, 0)):
            watch.stop(GIVEN_UP)
