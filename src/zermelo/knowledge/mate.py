"""A sub-game by itself: is it won, in how many plies at the least, and by which moves?

df-pn over the forcing moves finds a win (see `zermelo.pn.forcing`). Then the same search, with ever more plies to win
in, finds the shortest one, and that there is no shorter: a win within 1 ply, 2, 3 and so on is disproved until one is
proved. The line is played out by the same questions: the attacker takes a move that wins in time, the defender the one
that holds out longest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.certificates.certificate import Certificate
from zermelo.certificates.proving import prove
from zermelo.compile.diagnosis import blaming
from zermelo.compile.watch import STOP, Brake, Limits, Listener
from zermelo.core.engine import Engine
from zermelo.core.memory import DEFAULT
from zermelo.core.question import Question, Worker
from zermelo.core.request import Request
from zermelo.core.session import Job
from zermelo.core.truth import UNKNOWN
from zermelo.pn.forcing import forcing_method, target_of
from zermelo.rules import Game, MoveBuffer, MoveError, Position, Unsuitable
from zermelo.rules.subgame import subgame_named, winning_subgame


@dataclass(frozen=True)
class Mate:
    """What is known of a sub-game. won: the player to move wins it; otherwise nothing is known of the game, and
    `stopped` says whether a limit ended the search before all forcing moves were tried. plies: the length of the
    shortest win, proved; None if it is not known. best: the first moves of such wins. line: one of them, played out.
    nodes: what it took to find a win, every position that was looked at; entered: how often the search went into one of
    them; extra_nodes: what it then took to find the shortest win."""

    position: Position
    subgame: str
    won: bool
    plies: int | None
    best: list[str]
    line: list[str]
    nodes: int
    entered: int
    extra_nodes: int
    seconds: float
    stopped: str | None
    mode: str

    @property
    def status(self) -> str:
        return "won" if self.won else "unknown"

    def as_dict(self) -> dict[str, Any]:
        """As the command line prints it with --json."""
        game = self.position.game
        return {
            "game": game.name,
            "parameters": dict(game.parameters),
            "position": self.position.text(),
            "turn": self.position.turn,
            "subgame": self.subgame,
            "status": self.status,
            "plies": self.plies,
            "best": self.best,
            "line": self.line,
            "nodes": self.nodes,
            "entered": self.entered,
            "extra_nodes": self.extra_nodes,
            "seconds": round(self.seconds, 6),
            "stopped": self.stopped,
            "mode": self.mode,
        }


def mate(
    what: Game | Position,
    subgame: str | None = None,
    *,
    limits: Limits | None = None,
    memory: str = DEFAULT,
    mode: str | None = None,
    listener: Listener | None = None,
    brake: Brake | None = None,
) -> Mate:
    """Whether the player to move wins a sub-game, the only one if none is named; how soon, and how. Limits hold for all
    of it: a win may be found whose length is not. `brake`: who may have to stop it pulls this."""
    position, name, made = _asked(what, subgame, memory, mode)
    with made.open(position.game) as session:
        question = session.question(position, limits, listener, brake=brake or Brake())
        found = session.carry_out(Job("mate", _find(name), _prepare, _is_settled), question)
    return found or Mate(position, name, False, None, [], [], 0, 0, 0, 0.0, question.brake.reason, "interpreted")


def prove_mate(
    what: Game | Position,
    subgame: str | None = None,
    *,
    limits: Limits | None = None,
    memory: str = DEFAULT,
    mode: str | None = None,
    listener: Listener | None = None,
    spec: str | None = None,
) -> Certificate:
    """A certificate that the player to move wins the whole game, because it wins a sub-game. Anyone can check it by the
    rules of the game alone."""
    position, name, made = _asked(what, subgame, memory, mode)
    winning_subgame(position.game, name)
    low, high = position.game.values
    at_least, at_most = (high, None) if position.turn == 0 else (None, low)
    return prove(
        position, at_least=at_least, at_most=at_most, method=made, limits=limits, listener=listener, spec=spec
    )  # fmt: skip


def _asked(
    what: Game | Position, subgame: str | None, memory: str, mode: str | None
) -> tuple[Position, str, Request]:
    position = what if isinstance(what, Position) else Position(what)
    name = subgame_named(position.game, subgame)
    if position.result is not None:
        raise MoveError(f"there is nothing to win in {position.text()!r}: the game is over")
    lacks = position.game.subgames[name].lacks
    if lacks is not None and (missing := lacks(position.state)):
        raise Unsuitable(f"{position.game.name}: {name} {missing}")
    method = forcing_method(name, position.turn, position.game.subgames[name].may_repeat)
    return position, name, Request(method, method.options, memory=memory, mode=mode)


def _prepare(worker: Worker, question: Question) -> None:
    worker.engine()


def _is_settled(found: Mate, question: Question) -> bool:
    by_nodes = found.stopped == "nodes" and question.limits.nodes is not None
    return by_nodes or found.stopped in (None, "interrupt", STOP)


def _find(name: str) -> Any:
    def run(worker: Worker, question: Question) -> Mate:
        engine, position = worker.engine(), question.position
        watch = engine.watched(question.limits, question.listener, question.brake)
        watch.turn = position.turn
        with blaming(position.game):
            return watch.run(_Search(engine, position, name).run)

    return run


class _Search:
    """One position and the engine that searches its sub-game."""

    def __init__(self, engine: Engine, position: Position, name: str) -> None:
        self.engine, self.position, self.name = engine, position, name
        self.attacker, self.subgame = position.turn, position.game.subgames[name]
        self.target = target_of(self.attacker, engine.above(engine.low), engine.high)

    def run(self) -> Mate:
        engine, position, watch = self.engine, self.position, self.engine.watch
        watch.doing = "looking for a win"
        self._clock(False)
        won = self.wins(position, engine.deepest(position))
        nodes, plies = watch.nodes, None
        entered = sum(workspace.count("entered") for workspace in engine.workspaces)
        best: list[int] = []
        line: list[str] = []
        if won:
            watch.doing = "looking for the shortest win"
            self._clock(True)
            plies = self._shortest()
            if plies is not None:
                best = [move for move in self._attacks(position) if self.wins(position.play(move), plies - 1)]
                line = self._line(plies)
        return Mate(
            position, self.name, won, plies, [position.text_of(move) for move in best], line, nodes, entered,
            watch.nodes - nodes, watch.seconds, watch.reason or watch.met, engine.mode.name,
        )  # fmt: skip

    def _clock(self, timed: bool) -> None:
        for workspace in self.engine.workspaces:
            workspace.tell(timed=int(timed))

    def wins(self, position: Position, depth: int) -> bool:
        """Whether the attacker wins from here; within so many plies, where the clock runs."""
        engine = self.engine
        if position.result is not None or self.subgame.goal is not None:
            reached = self._end(position)
            if reached is not None:
                return reached
        if depth < 1 or engine.deepest(position) < 1:
            return False
        found = engine.search(position, depth, self.target)
        return not engine.stopped and found != UNKNOWN

    def _end(self, position: Position) -> bool | None:
        """Whether an end of the sub-game is a win; None if it is no end."""
        if self.subgame.goal is not None and self.subgame.goal(position.state) in (-1, 1):
            return bool(self.subgame.goal(position.state) == 1)
        if position.result is None:
            return None
        low, high = position.game.values
        return self.subgame.wins and position.result == (high if self.attacker == 0 else low)

    def _attacks(self, position: Position) -> list[int]:
        game = position.game
        out = MoveBuffer(game.max_moves, game.name)
        return out[: self.subgame.attack(position.state, out)]

    def _shortest(self) -> int | None:
        """The fewest plies in which the attacker wins, None if a limit was met before they are known."""
        for plies in range(1, self.engine.deepest(self.position) + 1):
            self.engine.watch.depth = plies
            if self.wins(self.position, plies):
                return plies
            if self.engine.stopped:
                return None
        return None

    def _line(self, plies: int) -> list[str]:
        """A shortest win against the longest resistance; as far as limits allow."""
        position, texts = self.position, []
        while plies > 0:
            ours = position.turn == self.attacker
            move = self._winning(position, plies) if ours else self._longest(position, plies)
            if move is None:
                break
            texts.append(position.text_of(move))
            position, plies = position.play(move), plies - 1
            if self._end(position) is not None:
                break
        return texts

    def _winning(self, position: Position, plies: int) -> int | None:
        return next((move for move in self._attacks(position) if self.wins(position.play(move), plies - 1)), None)

    def _longest(self, position: Position, plies: int) -> int | None:
        """A reply after which the attacker needs all of the plies that are left; the longest there is, if none does."""
        replies: Sequence[int] = position.codes
        for left in range(plies - 2, -1, -1):
            holding = next((move for move in replies if not self.wins(position.play(move), left)), None)
            if self.engine.stopped:
                return None
            if holding is not None:
                return holding
        return replies[0]
