"""The crew of a match: processes that play its games, one each at a time, watched from here.

Processes, for two engines in one process would take turns at the interpreter's lock, and for a player that hangs or
crashes must take nobody with it. They are forked: whatever Python can make, a game of closures or a player from a
notebook, is there without being sent, and so is what was compiled before.

A worker tells which side is about to do something, every ply, and how the game ended. Who is silent for too long after
its flag has fallen is ended together with its process, and another process takes over. Players begin every game anew:
what they play does not depend on who else played in the same process before.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import NamedTuple

from zermelo.compile.process import deaf_to_interrupts
from zermelo.core import session
from zermelo.play.clock import Clock
from zermelo.play.ending import Ending, Why
from zermelo.play.player import Player
from zermelo.play.record import Note, Record
from zermelo.play.referee import Customs, Judge, Seat, play_out
from zermelo.play.schedule import Fixture, Schedule
from zermelo.rules import Game, RuleError, Unsuitable, ZermeloError

PATIENCE, PATIENCE_WITHOUT_CLOCK = 10.0, 300.0
"""How many seconds a player may be silent after its flag has fallen, and where it has none: it may be compiling."""
MOST_DEATHS = 3


class Entrant(NamedTuple):
    """Who takes part: what it is called, and what makes it for one game, given a seed. `seconds`: what it takes for a
    move where no clock runs, if that is known. `lasting`: it was there before the match and is not closed after a game.
    """

    label: str
    make: Callable[[int], Player]
    seconds: float | None = None
    lasting: bool = False


@dataclass(frozen=True)
class Terms:
    """What all games of a match have in common. patience: how long a player may be silent beyond its time; None for
    the usual."""

    game: Game
    entrants: tuple[Entrant, ...]
    schedule: Schedule
    clock: Clock
    customs: Customs
    patience: float | None = None

    def record(self, fixture: Fixture) -> Record:
        """A game of the match before its first move."""
        position = fixture.opening.position(self.game)
        names = (self.entrants[fixture.first].label, self.entrants[fixture.second].label)
        begun = Record.begin(position, fixture.opening.began, clock=self.clock, seed=fixture.seed)
        return replace(begun, players=names)

    def silence(self, who: int, flag: float | None) -> float:
        """After so many seconds of silence a player is given up, whose flag falls after `flag` seconds."""
        usual = PATIENCE_WITHOUT_CLOCK if flag is None else PATIENCE
        needed = self.entrants[who].seconds or 0 if flag is None else flag
        return needed + (usual if self.patience is None else self.patience)


def play_fixtures(
    terms: Terms, fixtures: Iterable[Fixture], workers: int
) -> Generator[tuple[Fixture, Record], None, None]:
    """The games as they end, in whatever order. Who closes this ends the processes and what they are playing."""
    waiting = iter(fixtures)
    desks: list[Desk] = []
    try:
        for fixture in islice(waiting, workers):
            desks.append(Desk(terms))
            desks[-1].give(fixture)
        while busy := [desk for desk in desks if desk.fixture is not None]:
            left = min(desk.deadline for desk in busy) - time.monotonic()
            wait([desk.connection for desk in busy], timeout=max(left, 0))
            for desk in busy:
                if desk.connection.poll():
                    desk.hear()
                elif time.monotonic() >= desk.deadline:
                    desk.give_up()
                if desk.ending is not None:
                    yield desk.take()
                    following = next(waiting, None)
                    if following is not None:
                        desk.give(following)
    finally:
        for desk in desks:
            desk.end()


class Desk:
    """Where one process plays: the game that it plays now, and the process, another one when it had to be ended."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.asked: int | None = None
        self.deaths = 0
        self.fixture: Fixture | None = None
        self.ending: Ending | None = None
        self._start()

    def _start(self) -> None:
        if "fork" not in multiprocessing.get_all_start_methods():
            raise Unsuitable("matches are played by forked processes, which this system lacks: take Linux or macOS")
        for thread in list(session.compiling):  # a fork in the middle of that would wait for the compiler for ever
            thread.join()
        fork = multiprocessing.get_context("fork")
        self.connection, theirs = fork.Pipe()
        self.process = fork.Process(target=_serve, args=(theirs, self.terms, os.getpid()), daemon=True)
        with deaf_to_interrupts(), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads: those of NumPy sleep, ours have ended
            self.process.start()
        theirs.close()

    def give(self, fixture: Fixture) -> None:
        """Have a game played."""
        self.fixture, self.begun = fixture, self.terms.record(fixture)
        self.position, self.notes = self.begun.position, [*self.begun.notes]
        self.names, self.ending = self.begun.players, None
        self.asked, self.flagged, self.deadline = None, False, time.monotonic() + PATIENCE_WITHOUT_CLOCK
        with suppress(OSError):  # it has died meanwhile, which is heard next
            self.connection.send(fixture)

    def take(self) -> tuple[Fixture, Record]:
        """The game that has ended; there is room for another."""
        assert self.fixture is not None
        fixture, self.fixture = self.fixture, None
        notes, ending, self.ending = tuple(self.notes), self.ending, None
        return fixture, replace(self.begun, position=self.position, notes=notes, players=self.names, ending=ending)

    def hear(self) -> None:
        """Take in what the process says."""
        try:
            what, *told = self.connection.recv()
        except (EOFError, OSError):
            self.process.join()
            code = self.process.exitcode
            self._kill()
            self._blame(Why.FAILED, f"its process ended with code {code}")
            return
        if what == "asked":
            side, flag = told
            assert self.fixture is not None
            who = (self.fixture.first, self.fixture.second)[side]
            self.asked, self.deaths = side, 0
            self.flagged, self.deadline = flag is not None, time.monotonic() + self.terms.silence(who, flag)
        elif what == "named":
            self.names = told[0]
        elif what == "ply":
            code, note = told
            self.position = self.position.play(code)
            self.notes.append(note)
            self.deadline = time.monotonic() + PATIENCE_WITHOUT_CLOCK
        elif what == "ended":
            self.ending = told[0]
        else:
            raise RuleError(f"a game of the match cannot be played: {told[0]}")

    def give_up(self) -> None:
        """The player who is asked has been silent for too long."""
        self._kill()
        self._blame(Why.TIME if self.flagged else Why.FAILED, "it never answered and was ended")

    def _blame(self, why: Why, detail: str) -> None:
        """The process is gone, and who was asked last has lost. If nobody was, it died of the game before."""
        self.connection.close()
        self._start()
        if self.asked is None:
            assert self.fixture is not None
            self.deaths += 1
            if self.deaths > MOST_DEATHS:
                raise Unsuitable("the processes that are to play die before they begin, perhaps for want of memory")
            self.give(self.fixture)
        else:
            self.ending = Ending.of(self.position, why, self.asked, detail)

    def end(self) -> None:
        self._kill()
        self.connection.close()

    def _kill(self) -> None:
        """End the process, and the programs that its players started."""
        assert self.process.pid is not None
        with suppress(ProcessLookupError):  # it has not come to lead a group, or all of the group are gone
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()


# in the other process


def _serve(connection: Connection, terms: Terms, parent: int) -> None:
    """The life of a process: games come in, plies and endings go out, until nobody is there any more."""
    os.setpgid(0, 0)  # so that it is ended together with what its players start
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # what players print is nobody's business, and nothing is typed for them
        os.dup2(nowhere, stream)
    sys.stdout = sys.stderr = os.fdopen(nowhere, "w")
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    judge = Judge(terms.game, terms.customs)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            fixture = connection.recv()
            try:
                _play(connection, fixture, terms, judge)
            except ZermeloError as broken:
                connection.send(("broken", str(broken)))
            except (BrokenPipeError, ConnectionResetError):
                raise
            except Exception as broken:
                connection.send(("broken", f"{type(broken).__name__}: {broken}"))


def _end_with(parent: int) -> None:
    """No process plays on when the one that started it is gone, nor do the programs of its players."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os.killpg(0, signal.SIGKILL)


def _play(connection: Connection, fixture: Fixture, terms: Terms, judge: Judge) -> None:
    def announce(side: int, flag: float | None) -> None:
        connection.send(("asked", side, flag))

    def say(step: tuple[int, Note] | Ending) -> None:
        connection.send(("ended", step) if isinstance(step, Ending) else ("ply", *step))

    record = terms.record(fixture)
    with ExitStack() as stack:
        seats: list[Seat] = []
        for side, who in enumerate((fixture.first, fixture.second)):
            entrant, seed = terms.entrants[who], terms.schedule.seed_of(fixture, side)
            seat = Seat(partial(entrant.make, seed), entrant.label, side, announce)
            if seat.player is not None and not entrant.lasting:
                stack.callback(_close, seat.player)
            seats.append(seat)
        connection.send(("named", (seats[0].name, seats[1].name)))
        for step in play_out(record, seats[0], seats[1], judge):
            say(step)


def _close(player: Player) -> None:
    with suppress(Exception):
        player.close()
