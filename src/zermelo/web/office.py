"""One game and all that is asked about it: positions, what their moves are worth, searches, solutions, certificates.

An `Office` sits in the process of its game (see `worker`). Each question is a method whose name begins with `do_`; it
gets the question's fields as keywords and a `Desk`, by which it tells what it finds and hears that it should stop.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from zermelo import games
from zermelo.compile.process import start_thread
from zermelo.compile.watch import Brake, Limits, Progress
from zermelo.core.session import Session
from zermelo.methods.registry import methods, suitable
from zermelo.methods.requests import request
from zermelo.play.clock import NO_CLOCK
from zermelo.play.ending import Ending, Why
from zermelo.play.player import Act, Chosen, Turn, engine
from zermelo.play.record import Record, parse
from zermelo.rules import CHANCE, Game, Position, UnknownName, Unsuitable, ZermeloError
from zermelo.rules.settings import kinds_of, read_value
from zermelo.web.analysis import Analysis, Sessions
from zermelo.web.looking import DEEPEST, Looking
from zermelo.web.proofs import ProofReader
from zermelo.web.shelf import Shelf
from zermelo.web.view import plain, view
from zermelo.web.worker import Talk, sentence

LONGEST = 3600.0
"""So many seconds are the most that anything is searched."""
KEPT = 2
"""So many sets of sessions are kept for positions to come."""


@dataclass
class Desk:
    """Where one question is answered. `on_stop`: whom to tell that it should end."""

    number: int
    talk: Talk
    stopped: threading.Event = field(default_factory=threading.Event)
    brake: Brake = field(default_factory=Brake)
    on_stop: Callable[[], None] = lambda: None

    def tell(self, event: str, data: Any) -> None:
        self.talk({"id": self.number, "event": event, "data": data})

    def stop(self) -> None:
        self.stopped.set()
        self.brake.pull()
        self.on_stop()


class Office:
    """`named` says which game: `spec` and `parameters` as a person gave them on the command line, or `trusted` false
    for what a client of the server asks, which may only be a game that comes with Zermelo."""

    def __init__(self, named: dict[str, Any]) -> None:
        spec, parameters = named["spec"], named.get("parameters") or {}
        self.memory, self.mode = named.get("memory", "64MB"), named.get("mode")
        self.proofs = ProofReader(named, self.mode) if named.get("certificate") else None
        self.shelf: Shelf | None = None
        if self.proofs is not None:
            self.game: Game = self.proofs.game
        elif named.get("trusted"):
            self.shelf = Shelf(games.load(spec, parameters), named.get("tables") or (), named.get("book") or "")
            self.game = self.shelf.game
        else:
            self.game = _of_client(spec, parameters)
        self.engines: list[str] = named.get("engines") or []
        self.desks: dict[int, Desk] = {}
        self._free: list[Sessions] = []
        self._lock = threading.Lock()

    @property
    def about(self) -> dict[str, Any]:
        """What is to be known of the game before anything is asked."""
        game = self.game
        return {
            "game": game.name, "summary": game.summary, "parameters": plain(dict(game.parameters)),
            "values": plain(list(game.values)), "chance": game.has_chance, "engines": self._engines(),
            "reads": game.read_position is not None,
        }  # fmt: skip

    def _engines(self) -> list[dict[str, str]]:
        """The methods that can sit at the board, the one that suits the game first."""
        chosen = request(None, self.game, "play").method.name
        fitting = []
        for name, method in methods().items():
            try:
                suitable(method, self.game)
            except ZermeloError:
                continue
            if method.deepens or method.plays or name == chosen:
                fitting.append(name)
        fitting.sort(key=lambda name: (name != chosen, name))
        return [{"name": name} for name in [*fitting[:1], *self.engines, *fitting[1:]]]

    def receive(self, asked: dict[str, Any], talk: Talk) -> None:
        """A question as it comes in, answered in a thread of its own; or the wish that one should stop."""
        if asked.get("do") == "stop":
            desk = self.desks.get(asked.get("of", -1))
            if desk is not None:
                desk.stop()
            return
        desk = self.desks[asked["id"]] = Desk(asked["id"], talk)
        start_thread(lambda: self._answer(desk, asked))

    def _answer(self, desk: Desk, asked: dict[str, Any]) -> None:
        fields = {name: value for name, value in asked.items() if name not in ("id", "do")}
        try:
            answer = getattr(self, f"do_{asked['do']}")
            known = set(inspect.signature(answer).parameters) - {"desk"}
            unknown = next((name for name in fields if name not in known), None)
            if unknown is not None:
                raise UnknownName(f"{asked['do']} takes no {unknown}; it takes {', '.join(sorted(known))}")
            desk.tell("done", answer(desk, **fields))
        except BaseException as error:
            desk.tell("error", {"error": sentence(error)})
        finally:
            self.desks.pop(desk.number, None)

    # what can be asked

    def position(self, text: str, moves: list[str]) -> Position:
        """The position that a text and the moves from there describe."""
        position = self.game.position(text)
        for number, move in enumerate(moves, 1):
            if position.result is not None:
                raise Unsuitable(f"move {number}, {move!r}, cannot be played: the game is over")
            position = position.play(move)
        return position

    def do_position(self, desk: Desk, position: str = "", moves: list[str] | None = None) -> dict[str, Any]:
        """Everything that is needed to show a position."""
        return view(self.position(position, moves or []), position)

    def do_analysis(
        self, desk: Desk, position: str = "", moves: list[str] | None = None, seconds: float = LONGEST
    ) -> None:
        """What every move is worth, told as it is found."""
        sessions = self._take()
        try:
            analysis = Analysis(sessions, self.position(position, moves or []), desk.tell, min(seconds, LONGEST))
            desk.on_stop = analysis.stop
            if not desk.stopped.is_set():
                analysis.run()
        finally:
            self._give_back(sessions)

    def do_record(self, desk: Desk, position: str = "", moves: list[str] | None = None) -> dict[str, Any]:
        """The game so far as a text that `zermelo play` reads and writes."""
        played = self.position(position, moves or [])
        ending = None if played.result is None else Ending.of(played, Why.RULES)
        return {"text": replace(Record.begin(played, position), ending=ending).text()}

    def do_read_record(self, desk: Desk, text: str) -> dict[str, Any]:
        """The first game that a text holds, as the position where it began and the moves from there."""
        found = parse(text, self.game)
        if not found:
            raise Unsuitable("the text holds no game")
        return {"position": found[0].began, "moves": found[0].position.history()}

    def _take(self) -> Sessions:
        with self._lock:
            if self._free:
                return self._free.pop()
        return Sessions.of(self.game, self.memory, self.mode)

    def _give_back(self, sessions: Sessions) -> None:
        """Sessions are kept for the next question, but not many: their tables take room."""
        with self._lock:
            if len(self._free) < KEPT:
                self._free.append(sessions)
                return
        sessions.close()

    def do_solve(
        self, desk: Desk, position: str = "", moves: list[str] | None = None, method: str | None = None,
        seconds: float = LONGEST,
    ) -> dict[str, Any]:  # fmt: skip
        """The answer of `zermelo solve --json`."""
        start = self.position(position, moves or [])
        with self._session(method, "solve") as session:
            desk.on_stop = lambda: _stop(session)
            limits = Limits(seconds=min(seconds, LONGEST))
            return session.solve(start, limits=limits, listener=self._listener(desk)).as_dict()

    def do_search(
        self, desk: Desk, position: str = "", moves: list[str] | None = None, method: str | None = None,
        seconds: float | None = None, depth: int | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """The answer of `zermelo search --json`, and the move to play."""
        start = self.position(position, moves or [])
        if start.turn == CHANCE:
            raise Unsuitable("chance is to move: an outcome is rolled, not searched for")
        limits = Limits(seconds=None if seconds is None else min(seconds, LONGEST), depth=depth)
        if method in self.engines:
            return self._engine_move(desk, start, method, limits)
        with self._session(method, "play", depth=depth) as session:
            desk.on_stop = lambda: _stop(session)
            answer = session.search(start, limits, self._listener(desk), brake=desk.brake)
        return {**answer.as_dict(), "move": answer.move}

    def do_open_proof(self, desk: Desk, side: int | None = None) -> dict[str, Any]:
        """Check the proof that the server was started with, and show where it begins."""
        desk.tell("progress", {"state": "checking", "doing": "checking the proof"})
        return self.do_proof(desk, side)

    def do_proof(self, desk: Desk, side: int | None = None, moves: list[str] | None = None) -> dict[str, Any]:
        """One step of a walk through the proof."""
        if self.proofs is None:
            raise Unsuitable("there is no proof here: start the server with --certificate FILE")
        return self.proofs.at(side, moves or [])

    def do_shelf(self, desk: Desk, position: str = "", moves: list[str] | None = None) -> dict[str, Any]:
        """What tables and the book say of a position, if the server was started with any for this game."""
        start = self.position(position, moves or [])
        told = self.shelf.at(start) if self.shelf is not None else {"tables": [], "book": None}
        return told | {"view": view(start, position)}

    def do_tree(
        self, desk: Desk, position: str = "", moves: list[str] | None = None, depth: int = 3, low: float | None = None,
        high: float | None = None, seconds: float = LONGEST,
    ) -> dict[str, Any]:  # fmt: skip
        """What alpha-beta does at a position with a window, move by move."""
        start = self.position(position, moves or [])
        looking = Looking(self.game, self.memory, self.mode)
        limits = Limits(seconds=min(seconds, LONGEST))
        found = looking.at(start, min(depth, DEEPEST), low, high, limits, self._listener(desk), desk.brake)
        return plain(found | {"view": view(start, position)})  # type: ignore[no-any-return]

    def _engine_move(self, desk: Desk, start: Position, text: str, limits: Limits) -> dict[str, Any]:
        """The move of an engine that was named when the server began, which may be anybody's program."""
        with engine(text, self.game, limits=limits) as player:
            player.begin(start, NO_CLOCK)
            said = player.move(Turn(start, limits, listener=self._listener(desk), brake=desk.brake))
        if isinstance(said, Act):
            raise Unsuitable(f"{text} does not move: {said.value}")
        chosen = said if isinstance(said, Chosen) else Chosen(said)
        told = {} if chosen.answer is None else chosen.answer.as_dict()
        move = chosen.move if isinstance(chosen.move, str) else start.text_of(chosen.move)
        return {**told, "move": start.text_of(start.code_of(move))}

    def _session(self, method: str | None, purpose: str, **settings: Any) -> Session:
        """A session by the name of a method; settings are not for clients to choose."""
        if method is not None and method not in methods():
            raise UnknownName(f"no method is called {method[:60]}: take one of {', '.join(methods())}")
        told = {name: value for name, value in settings.items() if value is not None}
        return request(method, self.game, purpose, memory=self.memory, mode=self.mode, **told).open(self.game)

    def _listener(self, desk: Desk) -> Callable[[Progress], None]:
        def listen(progress: Progress) -> None:
            state = "compiling" if progress.doing.startswith("compiling") else "running"
            told = {"nodes": progress.nodes, "seconds": progress.seconds, "depth": progress.depth}
            known = {"bounds": [progress.low, progress.high], "value": progress.value, "line": list(progress.line)}
            desk.tell("progress", plain({"state": state, "doing": progress.doing, **told, **known}))

        return listen


def _of_client(name: str, parameters: dict[str, Any]) -> Game:
    """The game that somebody asks for who may only choose among those that come with Zermelo, with plain parameters;
    these may be texts, as they stand in an address."""
    kinds = kinds_of(games.factory(name)) if name in games.names() else {}
    typed = {
        key: read_value(f"{name}: {key}", value, kinds[key]) if isinstance(value, str) and key in kinds else value
        for key, value in parameters.items()
    }
    return games.from_file(name, typed)


def _stop(session: Session) -> None:
    try:
        session.stop()
    except Unsuitable:  # it has just ended
        return
