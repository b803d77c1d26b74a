"""Running kernels so that they can be watched, limited, interrupted and stopped from outside.

A kernel holds no interpreter lock, so it runs in a worker thread while the calling thread looks at its
counters, keeps the clock, tells whoever listens, and on Ctrl-C asks it to stop. Another thread stops it by a `Brake`.
What stopped it is kept in `Watch.reason`, so that the search can say that its answer is the best so far.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from zermelo.compile.diagnosis import blaming
from zermelo.compile.modes import UNLIMITED, Workspace
from zermelo.compile.process import recursion_limit, start_thread
from zermelo.rules import Unsuitable

T = TypeVar("T")
TICK, REPORT_EVERY = 0.01, 0.1


@dataclass(frozen=True)
class Limits:
    """Where a search must stop: positions visited, seconds, plies ahead. None is no limit."""

    nodes: int | None = None
    seconds: float | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name in ("nodes", "depth"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise Unsuitable(f"the limit of {name} must be at least 1, not {value}")
        if self.seconds is not None and not self.seconds > 0:
            raise Unsuitable(f"the limit of seconds must be above 0, not {self.seconds}")


    @property
    def any(self) -> bool:
        """Whether there is a limit at all."""
        return self != Limits()

    def within(self, other: Limits) -> Limits:
        """The stricter of both, limit by limit."""
        return Limits(*(min((n for n in pair if n is not None), default=None) for pair in zip(self, other)))  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[float | None]:
        return iter((self.nodes, self.seconds, self.depth))


@dataclass(frozen=True)
class Progress:
    """What is known while a search runs. `low` and `high` bound the first player's value so far; `value` is the best
    guess at it, an estimate maybe, and `line` the play that goes with it, as far as they are known."""

    nodes: int
    seconds: float
    depth: int | None
    low: float
    high: float
    doing: str
    value: float | None = None
    line: tuple[str, ...] = ()


Listener = Callable[[Progress], None]

STOP = "stop"
"""Why a search ended that was stopped from outside."""


class Brake:
    """By which a search is stopped from another thread. One serves all the searches that a question takes: who comes
    after it was pulled does not even begin."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self._lock = threading.RLock()  # who holds it may be interrupted by a signal that pulls
        self._watches: list[Watch] = []

    def pull(self, reason: str = STOP) -> None:
        with self._lock:
            self.reason = self.reason or reason
            for watch in self._watches:
                watch.stop(self.reason)

    def attach(self, watch: Watch) -> None:
        with self._lock:
            self._watches = [*self._watches[-1:], watch]  # an earlier one is over
            if self.reason is not None:
                watch.stop(self.reason)


@dataclass
class Watch:
    """One search under observation."""

    workspaces: Sequence[Workspace]
    limits: Limits = field(default_factory=Limits)
    listener: Listener | None = None
    brake: Brake | None = None
    reason: str | None = None
    met: str | None = None  # a limit that left a question open without stopping anything
    depth: int | None = None
    low: float | None = None  # bounds of the value for the player to move, as the job knows them
    high: float | None = None
    turn: int = 0
    doing: str = "searching"
    started: float = field(default_factory=time.perf_counter)
    _allowed: int | None = field(default=None, init=False)  # the count of nodes at which an allowance is used up
    _spent: bool = field(default=False, init=False)
    _value: float | None = field(default=None, init=False)
    _line: tuple[str, ...] = field(default=(), init=False)
    _news: deque[Progress] = field(default_factory=deque, init=False)

    def __post_init__(self) -> None:
        for workspace in self.workspaces:
            workspace.reset()
        self.allow()
        if self.brake is not None:
            self.brake.attach(self)

    def allow(self) -> None:
        """Let kernels run, each up to its share of the nodes that are left to it."""
        most = min((n for n in (self.limits.nodes, self._allowed) if n is not None), default=None)
        for workspace in self.workspaces:
            workspace["stop"] = 0
            workspace["node_limit"] = UNLIMITED if most is None else -(-most // len(self.workspaces))
        if self.reason is not None:  # the clock or a person came in between
            self.stop(self.reason)

    @property
    def nodes(self) -> int:
        return sum(workspace["nodes"] for workspace in self.workspaces)

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started

    @property
    def stopped(self) -> bool:
        """Whether the search was told to stop, or ran out of nodes."""
        if self.limits.nodes is not None and self.nodes >= self.limits.nodes:
            self.reason = self.reason or "nodes"
        if self._allowed is not None and self.nodes >= self._allowed:
            self._spent = True
        return self.reason is not None or self._spent

    def run_out(self) -> None:
        """Each thread has used up its share of the nodes."""
        if self._allowed is not None and (self.limits.nodes is None or self._allowed < self.limits.nodes):
            self._spent = True
        else:
            self.reason = self.reason or "nodes"

    def stop(self, reason: str) -> None:
        self.reason = self.reason or reason
        for workspace in self.workspaces:
            workspace.stop()

    @contextmanager
    def allowance(self, nodes: int | None) -> Iterator[None]:
        """Let a piece of work visit at most so many more positions: it sees `stopped` when they are used up, what
        comes after it does not. None is no bound."""
        self._allowed = None if nodes is None else self.nodes + nodes
        self.allow()
        try:
            yield
        finally:
            self._allowed, self._spent = None, False
            self.allow()

    def run(self, job: Callable[[], T]) -> T:
        """Run a job in a worker thread until it returns. Ctrl-C and the clock stop its kernels, not the job:
        it sees `stopped` and returns what it has."""
        done = threading.Event()
        outcome: list[T] = []
        failure: list[BaseException] = []

        deepest = max((len(w.record.stack) for w in self.workspaces if not w.compiled), default=0)

        def work() -> None:
            try:
                with recursion_limit.at_least(6 * deepest + 1000):
                    result = job()
                outcome.append(result)
            except BaseException as error:
                failure.append(error)
            finally:
                done.set()

        start_thread(work)
        told, known = time.perf_counter(), self.bounds()
        while not outcome and not failure:
            try:
                while not done.wait(TICK):  # not the thread's own join, which an interrupt leaves in disorder
                    if self.limits.seconds is not None and self.seconds >= self.limits.seconds:
                        self.stop("seconds")
                    if self.reason is not None:  # once more: a kernel may just have lifted a limit of its own
                        self.stop(self.reason)
                    if self.listener is None:
                        continue
                    self._tell()
                    if time.perf_counter() - told >= REPORT_EVERY or self.bounds() != known:
                        told, known = time.perf_counter(), self.bounds()
                        self.listener(self.progress())
                self._tell()
            except KeyboardInterrupt:
                self.stop("interrupt")
        if failure:
            with blaming(self.workspaces[0].game):
                raise failure[0]
        return outcome[0]

    def bounds(self) -> tuple[float, float]:
        """Bounds of the first player's value: what the job noted, narrowed by what kernels have shown."""
        if self.low is not None and self.low == self.high:  # it is known: kernels now look at other positions
            return (-self.low, -self.low) if self.turn == 1 else (self.low, self.low)
        low = max([w["lower"] for w in self.workspaces] + ([] if self.low is None else [self.low]))
        high = min([w["upper"] for w in self.workspaces] + ([] if self.high is None else [self.high]))
        return (-high, -low) if self.turn == 1 else (low, high)

    def progress(self) -> Progress:
        return Progress(
            self.nodes, self.seconds, self.depth, *self.bounds(), self.doing, self._value, self._line
        )

    def improved(self, value: float, line: Sequence[str]) -> None:
        """The job has found something better, or looked deeper: the first player's value and the line. Whoever listens
        is told of every improvement, in the thread that waits for the answer."""
        self._value, self._line = value, tuple(line)
        self._news.append(self.progress())

    def _tell(self) -> None:
        while self.listener is not None and self._news:
            self.listener(self._news.popleft())
