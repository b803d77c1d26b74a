"""Playing: the best move that can be found within a limit."""

from __future__ import annotations

import random
from typing import Any

from zermelo.compile.watch import Limits, Listener
from zermelo.core.answer import HEURISTIC, PROVEN, Answer, Tally, report
from zermelo.core.audit import checked
from zermelo.core.deepening import deepen
from zermelo.core.engine import Engine
from zermelo.core.memory import DEFAULT
from zermelo.core.method import Options, default_for, method_named, methods, suitable
from zermelo.core.root import tell
from zermelo.rules import Game, MoveError, Position, UnknownName, nearest

DEFAULT_SECONDS = 1.0
ASPIRATION_SHARE = 1 / 16
"""The half width of the aspiration window, as a share of the range of values."""


def engines() -> list[str]:
    """The names that `analyse` takes: every method that finds values within limits, and one that plays anything."""
    solve_only = {name for name, m in methods().items() if m.answers_claims or (m.solver and not m.analyst)}
    return sorted([*(methods().keys() - solve_only), "random"])


def default_engine(game: Game) -> tuple[str, str]:
    """The engine for a game when nobody asks for another, and why."""
    claimed = default_for(game, "search")
    return (claimed[0].name, claimed[1]) if claimed else ("alphabeta", "iterative deepening suits any game")


class Analyst:
    """An engine that looks at one position after another of a game and keeps its table in between."""

    def __init__(
        self,
        game: Game,
        engine: str | None = None,
        *,
        options: Options | None = None,
        memory: str | int = DEFAULT,
        threads: int = 1,
        mode: str | None = None,
        seed: int | None = None,
    ) -> None:
        self.game = game
        self.chance = random.Random(seed)
        usual, why = default_engine(game)
        self.name = engine or usual
        if self.name not in engines():
            raise UnknownName(f"no engine is called {self.name}: {nearest(self.name, engines())}")
        self.why = why if engine is None else "asked for"
        self.own: Any = None
        if self.name != "random":
            method = suitable(method_named(self.name), game)
            if method.analyst is not None:
                self.own = method.analyst(
                    method, game, options=options, memory=memory, threads=threads, mode=mode, seed=seed, why=self.why
                )
                return
            self.engine = Engine(
                game, method, options or method.options, estimates=True, mode=mode, memory=memory, threads=threads
            )

    def analyse(
        self,
        position: Position,
        limits: Limits | None = None,
        listener: Listener | None = None,
        value_only: bool = False,
    ) -> Answer:
        """The best move of a position by iterative deepening, as far as the limits allow. `value_only`: do not look for
        other moves that are as good."""
        if position.result is not None:
            raise MoveError(f"there is nothing to search in {position.text()!r}: the game is over")
        if self.name == "random":
            return self._anything(position)
        limits = limits or Limits(seconds=DEFAULT_SECONDS)
        if self.own is not None:
            answer: Answer = self.own.analyse(position, limits, listener, value_only)
            return checked(answer, line=False)
        watch = self.engine.watched(limits, listener)
        watch.turn = position.turn
        watch.low, watch.high = self.engine.window(position)
        if self.engine.deepest(position) < 1:  # play goes on beyond what the game declares: any move will do
            watch.met = "max_plies"
            return report(self.engine, position, HEURISTIC, None, why=self.why)
        return checked(watch.run(lambda: self._deepen(position, value_only)), line=not value_only)

    def _deepen(self, position: Position, value_only: bool) -> Answer:
        engine, watch = self.engine, self.engine.watch
        low, high = engine.window(position)
        aspiration = (high - low) * ASPIRATION_SHARE if engine.number is float or high - low > 16 else None
        deepest = engine.deepest(position)
        wanted = min(watch.limits.depth or deepest, deepest)
        found = deepen(engine, position, wanted, aspiration)
        tally = Tally.of(engine)
        if found is None:  # not even one ply: any move is better than none
            return report(engine, position, HEURISTIC, None, why=self.why)
        timed = watch.limits.seconds is not None or watch.limits.nodes is not None
        depth = wanted if found.certain and not timed else found.depth
        watch.low = watch.high = found.value
        told = tell(
            engine, position, found.value, depth, depth,
            sure=found.certain, known=found.move, lead=found.move, wanted=not value_only,
        )  # fmt: skip
        value = found.value if position.turn == 0 else -found.value
        status = PROVEN if found.certain else HEURISTIC
        return report(engine, position, status, value, why=self.why, tally=tally, **told._asdict())

    def _anything(self, position: Position) -> Answer:
        text = position.text_of(self.chance.choice(position.codes))
        low, high = position.game.values
        return Answer(
            position=position, value=None, status=HEURISTIC, bounds=(low, high), best=[text], line=[text], nodes=0,
            leaves=0, extra_nodes=0, seconds=0.0, method="random", depth=0, why="asked for", mode="interpreted",
        )  # fmt: skip


def analyse(
    what: Game | Position,
    engine: str | None = None,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    options: Options | None = None,
    memory: str | int = DEFAULT,
    threads: int = 1,
    mode: str | None = None,
    seed: int | None = None,
    listener: Listener | None = None,
) -> Answer:
    """Search a position within limits (one second if none is given) and say what was found."""
    position = what if isinstance(what, Position) else Position(what)
    if depth is None and seconds is None and nodes is None:
        seconds = DEFAULT_SECONDS
    limits = Limits(nodes=nodes, seconds=seconds, depth=depth)
    analyst = Analyst(
        position.game, engine, options=options, memory=memory, threads=threads, mode=mode, seed=seed
    )
    return analyst.analyse(position, limits, listener)


def best_move(what: Game | Position, engine: str | None = None, **limits: float) -> str:
    """The best move that an engine finds within limits, as a text."""
    answer = analyse(what, engine, **limits)  # type: ignore[arg-type]
    if answer.move is None:
        worth = "" if answer.value is None else f"; its expected value is {answer.value:+.6g} for the first player"
        raise MoveError(f"no player is to move in {answer.position.text()!r}{worth}")
    return answer.move
