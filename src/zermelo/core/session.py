"""A session: what a request opens for a game. It answers for one position after another and keeps its table in between.

    with request.open(game) as session:
        answer = session.search(position, Limits(seconds=1), listener)     # session.stop() from anywhere

Any thread, or task of an event loop, may stop it: the question at work is then answered with the best so far. While the
other side thinks, a session can think on (`ponder`), and its table knows more when the next question comes.

**How it runs**, if nobody says. Most first questions are small: the interpreter has answered them before the compiler
would have been loaded. So a question is first put to an interpreted worker; if it takes longer than half a second (a
tenth, where compiled code is likely to lie on the disk), the search is compiled and begins again, and from then on this
session, and every later one for the same search, is compiled. The other way round, compiling while the interpreter
works, was tried: both need the interpreter's lock, and each takes twice as long.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from zermelo.compile.cache import may_be_kept
from zermelo.compile.modes import mode_name
from zermelo.compile.process import start_thread
from zermelo.compile.watch import STOP, TICK, Brake, Limits, Listener, Progress
from zermelo.core.answer import BOUND, HEURISTIC, PROVEN, UNKNOWN, Answer
from zermelo.core.audit import checked
from zermelo.core.batch import Batch, solve_batch
from zermelo.core.engine import Engine
from zermelo.core.method import check_keyed
from zermelo.core.question import Question, Worker
from zermelo.core.request import Request
from zermelo.core.views import draw_for, placed, restored, seen
from zermelo.core.window_worker import WindowWorker
from zermelo.rules import CHANCE, Game, MoveError, Position, Unsuitable, ZermeloError

DEFAULT_SECONDS = 1.0
"""How long a search within limits takes if none are given."""
PATIENCE, PATIENCE_IF_KEPT = 0.5, 0.1
"""How long the interpreter may try, where nothing is compiled yet and where it may lie on the disk."""
REPORT_EVERY = 0.1

_compiled: set[tuple[Any, ...]] = set()
"""The searches that this process has compiled or loaded."""

compiling: set[threading.Thread] = set()
"""Threads that are compiling, also for sessions that were stopped meanwhile."""

T = TypeVar("T")


@dataclass(frozen=True)
class Job(Generic[T]):
    """What a worker is to do with a question. prepare: compile what that takes. settled: whether what the interpreter
    found need not be looked for again by compiled code."""

    name: str
    run: Callable[[Worker, Question], T]
    prepare: Callable[[Worker, Question], None]
    settled: Callable[[T, Question], bool]


class Session:
    """One request at work on one game. Close it, or use it in a `with` block; it answers one question at a time."""

    def __init__(self, game: Game, request: Request) -> None:
        check_keyed(game)
        self.game, self.request = game, request
        self._workers: dict[tuple[str, Game], Worker] = {}
        self._lock = threading.Lock()
        self._brake: Brake | None = None  # that of the question at work
        self._pondering: threading.Thread | None = None
        self._closed = False
        self._since = 0

    # asking

    def begin(self, position: Position) -> None:
        """A game begins at a position: nobody who sits here chose the moves that led to it."""
        self._check_game(position)
        self._since = len(position.line()) - 1

    def solve(
        self,
        what: Position | None = None,
        *,
        at_least: float | None = None,
        value_only: bool = False,
        limits: Limits | None = None,
        listener: Listener | None = None,
    ) -> Answer:
        """The value of a position, certain; or only whether the first player scores `at_least` so much. Limits may cut
        it short: the answer then says what is known."""
        asked = self.question(what, limits, listener, at_least=at_least, value_only=value_only)
        known = self._known(asked.position) if at_least is None else None
        if known is not None:
            return known
        truly = replace(self.request.options, contempt=0.0, rating=None)  # a draw is what it is
        seen_so = replace(asked, position=placed(asked.position, seen(self.game, truly, 0)))
        found = restored(self._answered(SOLVE, seen_so), asked.position, None)
        answer = checked(found, line=not value_only and self._is_usual)
        finish = self.request.finish
        return self._resting(answer if finish is None else finish(self.request, asked, answer))

    def search(
        self,
        what: Position | None = None,
        limits: Limits | None = None,
        listener: Listener | None = None,
        *,
        value_only: bool = False,
        brake: Brake | None = None,
    ) -> Answer:
        """The best move that can be found within limits, for one second if there are none. `value_only`: other moves
        that are as good are not looked for. `brake`: who may have to stop it before it has begun pulls this."""
        asked = self.question(what, limits, listener, value_only=value_only, brake=brake or Brake())
        if asked.position.result is not None:
            raise MoveError(f"there is nothing to search in {asked.position.text()!r}: the game is over")
        known = None if self.request.book is None else self.request.book.answer(asked.position, self.request.seed)
        if known is not None:
            return known
        if not asked.limits.any and not self.request.options.limited:
            asked = replace(asked, limits=Limits(seconds=DEFAULT_SECONDS))
        known = self._known(asked.position)
        if known is not None:
            return known
        us = asked.position.turn
        answer = self._answered(SEARCH, self._as_seen(asked, us))
        answer = restored(answer, asked.position, draw_for(self.game, self.request.options, us))
        return self._resting(checked(answer, line=not value_only and self._is_usual))

    def _as_seen(self, question: Question, us: int) -> Question:
        """A question about the game as the player who asks sees it."""
        game = seen(self.game, self.request.options, us)
        return replace(question, position=placed(question.position, game))

    def solve_many(
        self, positions: Sequence[Position], *, best_moves: bool = False, listener: Listener | None = None
    ) -> Batch:
        """The values of many positions, with all best moves if wanted: inside compiled code where the method can."""
        self._end_pondering()
        brake = Brake()
        for position in positions:
            self._check_game(position)
        with self._at_work(brake):
            worker = self._worker(self._mode or "compiled")
            return solve_batch(worker, positions, best_moves, self.request.limits, listener, brake)

    def ponder(self, what: Position | None = None, listener: Listener | None = None) -> None:
        """Think about a position in the background until the next question, `stop` or `close`."""
        asked = self.question(what, None, listener)
        asked = replace(asked, limits=Limits(depth=self.request.limits.depth))
        if asked.position.result is not None:
            raise MoveError(f"there is nothing to ponder in {asked.position.text()!r}: the game is over")
        begun = threading.Event()

        def think() -> None:
            with self._at_work(asked.brake):
                begun.set()
                self._run(SEARCH, self._as_seen(asked, 1 - asked.position.turn if asked.position.turn < 2 else 2))

        self._pondering = start_thread(think)
        begun.wait()

    def stop(self) -> None:
        """Have the question at work answered with the best so far; also ends pondering."""
        with self._lock:
            brake = self._brake
            if brake is None:
                raise Unsuitable("nothing is being searched in this session: stop ends a search that is under way")
            if brake.reason is not None:
                raise Unsuitable("the search was told to stop already: its answer is on its way")
            brake.pull(STOP)
        self._end_pondering()

    @property
    def running(self) -> bool:
        """Whether a question is at work."""
        return self._brake is not None

    def prepare(self, purpose: str = "solve") -> None:
        """Compile now what a question takes, if it would be compiled at all."""
        for game in dict.fromkeys(seen(self.game, self.request.options, us) for us in (0, 1)):
            self._worker(self._mode or "compiled", game).prepare(purpose, self.request.limits)

    def engine(self, estimates: bool = False) -> Engine:
        """The kernel with its table, for who measures searches: it is called, and counts, as the kernel itself does."""
        return self._worker(self._mode or "compiled").engine(estimates)

    def close(self) -> None:
        """Stop whatever is at work and let go of the memory. Closing twice does no harm."""
        with self._lock:
            self._closed = True
            if self._brake is not None:
                self._brake.pull(STOP)
        self._end_pondering()
        self._workers.clear()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # how it is answered

    def question(
        self, what: Position | None, limits: Limits | None = None, listener: Listener | None = None, **more: Any
    ) -> Question:
        """A question about a position of the game, the start if none is given, within the request's limits too."""
        self._end_pondering()
        position = Position(self.game) if what is None else what
        self._check_game(position)
        self.request.check(limits or Limits())
        allowed = self.request.limits.within(limits or Limits())
        return Question(position, limits=allowed, listener=listener, since=self._since, **more)

    def _check_game(self, position: Position) -> None:
        if position.game is not self.game and position.game != self.game:
            raise Unsuitable(f"this session searches {self.game.summary}, not {position.game.summary}")

    @property
    def _is_usual(self) -> bool:
        return self.request.method.worker is None

    @contextmanager
    def _at_work(self, brake: Brake) -> Iterator[None]:
        with self._lock:
            if self._closed:
                raise Unsuitable("this session is closed: open another one")
            if self._brake is not None:
                raise Unsuitable(
                    "this session is searching already: wait for its answer, stop it, or open another session"
                )
            self._brake = brake
        try:
            yield
        finally:
            with self._lock:
                self._brake = None

    def _end_pondering(self) -> None:
        thread = self._pondering
        if thread is not None and thread is not threading.current_thread():
            with self._lock:
                if self._brake is not None:
                    self._brake.pull(STOP)
            thread.join()
            self._pondering = None

    def _known(self, position: Position) -> Answer | None:
        """The answer for a position that is looked up, without a search."""
        if self.game.rests_on is None:
            return None
        began = time.perf_counter()
        entry = self.game.rests_on.entry(position)
        if entry is None:
            return None
        answer = replace(
            self._nothing(self.question(position)), value=entry.score, status=PROVEN, bounds=(entry.score, entry.score),
            best=entry.best, complete=entry.complete, line=entry.line, seconds=time.perf_counter() - began,
            method="table", why="the position is in a table", details={"plies": entry.plies},
        )  # fmt: skip
        return self._resting(answer)

    def _resting(self, answer: Answer) -> Answer:
        """An answer that says what it rests on, and is not called certain where history may matter to that."""
        known = self.game.rests_on
        if known is None:
            return answer
        known.check()
        sure = answer.status not in (PROVEN, BOUND) or known.certain(answer.position)
        notes = [("rests on", ", ".join(known.names))]
        if not sure:
            notes.append(("doubt", "what was played before may come back, of which a table knows nothing"))
        return replace(
            answer, status=answer.status if sure else HEURISTIC, notes=(*answer.notes, *notes),
            details={**answer.details, "rests_on": list(known.names)},
        )  # fmt: skip

    def _answered(self, job: Job[Answer], question: Question) -> Answer:
        return self.carry_out(job, question) or replace(self._nothing(question), stopped=question.brake.reason)

    def carry_out(self, job: Job[T], question: Question) -> T | None:
        """Any job, in the mode asked for; interpreted and, if that takes too long, compiled, if none was. None if it
        was stopped before there was anything to tell."""
        with self._at_work(question.brake):
            return self._run(job, question)

    def _run(self, job: Job[T], question: Question) -> T | None:
        mode = self._mode
        if mode is None and (self._name(job, question) in _compiled or self.request.threads > 1):
            mode = "compiled"
        if mode == "compiled" and self._name(job, question) not in _compiled and not self._compile(job, question):
            return None
        if mode is not None:
            return job.run(self._worker(mode, question.position.game), question)
        began = time.perf_counter()
        first = self._try(job, question)
        tried = time.perf_counter() - began
        if first is not None and job.settled(first, question):
            return first
        if not self._compile(job, question):
            return replace(first, stopped=question.brake.reason) if isinstance(first, Answer) else None
        compiling = time.perf_counter() - began - tried
        outcome = job.run(self._worker("compiled", question.position.game), question)
        if isinstance(outcome, Answer):
            outcome = replace(outcome, prelude=f"{tried:.1f} s interpreted and {compiling:.1f} s compiling before")
        return outcome

    @property
    def _mode(self) -> str | None:
        """The mode that is certain from the beginning, if one is."""
        if self.request.mode is not None:
            return self.request.mode
        return None if mode_name(self.game) == "compiled" else "interpreted"

    def _name(self, job: Job[Any], question: Question) -> tuple[Any, ...]:
        return question.position.game, self.request.method.name, self.request.options, job.name

    def _worker(self, mode: str, game: Game | None = None) -> Worker:
        """Who works in a mode, on the game as it is seen."""
        game = game or seen(self.game, replace(self.request.options, contempt=0.0, rating=None), 0)
        if (mode, game) not in self._workers:
            make: Callable[..., Worker] = self.request.worker or self.request.method.worker or WindowWorker
            self._workers[mode, game] = make(game, self.request, mode)
        return self._workers[mode, game]

    def _try(self, job: Job[T], question: Question) -> T | None:
        """What the interpreter finds in a short time; None if it fails, which compiled code may not, or says better."""
        patience = PATIENCE_IF_KEPT if may_be_kept(self.game.name) else PATIENCE
        limits = question.limits.within(Limits(seconds=patience))
        try:
            return job.run(self._worker("interpreted", question.position.game), replace(question, limits=limits))
        except ZermeloError:
            return None

    def _compile(self, job: Job[Any], question: Question) -> bool:
        """Make the compiled worker ready, in a thread of its own so that a stop need not wait for it: False then."""
        failure: list[BaseException] = []
        done = threading.Event()

        def work() -> None:
            compiling.add(threading.current_thread())
            try:
                job.prepare(self._worker("compiled", question.position.game), question)
            except BaseException as error:
                failure.append(error)
            finally:
                compiling.discard(threading.current_thread())
                done.set()

        start_thread(work)
        began = told = time.perf_counter()
        low, high = self.game.values
        try:
            while not done.wait(TICK):
                if question.brake.reason is not None:
                    return False
                if question.listener is not None and time.perf_counter() - told >= REPORT_EVERY:
                    told = time.perf_counter()
                    doing = f"compiling {self.game.name} for {self.request.method.name}"
                    question.listener(Progress(0, told - began, None, low, high, doing))
        except KeyboardInterrupt:
            question.brake.pull("interrupt")
            return False
        if failure:
            raise failure[0]
        _compiled.add(self._name(job, question))
        return question.brake.reason is None

    def _nothing(self, question: Question) -> Answer:
        """What is known of a position before anything was searched."""
        position = question.position
        low, high = self.game.values
        moves = [] if position.turn == CHANCE or position.result is not None else position.moves()[:1]
        return Answer(
            position=position, value=None, status=UNKNOWN, bounds=(low, high), best=moves, line=[], nodes=0, leaves=0,
            extra_nodes=0, seconds=0.0, method=self.request.method.name, depth=None, why=self.request.why,
            mode="interpreted",
        )  # fmt: skip


def _is_settled(answer: Answer, question: Question) -> bool:
    """Whether compiled code could find out no more than the interpreter has: it was not stopped but by a person or by
    what stops both alike, and has left nothing open that a larger allowance would decide."""
    if answer.stopped in ("interrupt", STOP):
        return True
    alike = answer.stopped is None or answer.stopped in ("max_plies", "horizon")
    alike = alike or (answer.stopped == "nodes" and question.limits.nodes is not None)
    return alike and (answer.status in (HEURISTIC, PROVEN) or question.at_least is not None) and (
        answer.status == HEURISTIC or answer.complete or question.value_only or question.at_least is not None
    )


def _prepare(purpose: str) -> Callable[[Worker, Question], None]:
    return lambda worker, question: worker.prepare(purpose, question.limits)


SOLVE = Job("solve", lambda worker, question: worker.solve(question), _prepare("solve"), _is_settled)
SEARCH = Job("search", lambda worker, question: worker.search(question), _prepare("search"), _is_settled)
