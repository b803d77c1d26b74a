"""Running kernels so that they can be watched, limited and interrupted.

A kernel holds no interpreter lock, so it runs in a worker thread while the calling thread looks at its
counters, keeps the clock, tells whoever listens, and on Ctrl-C asks it to stop. What stopped it is kept in
`Watch.reason`, so that the search can say that its answer is the best so far.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from zermelo.compile.diagnosis import blaming
from zermelo.compile.modes import UNLIMITED, Workspace
from zermelo.rules import Unsuitable

T = TypeVar("T")
STACK_BYTES = 512 << 20
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


@dataclass(frozen=True)
class Progress:
    """What is known while a search runs. `low` and `high` bound the first player's value so far."""

    nodes: int
    seconds: float
    depth: int | None
    low: float
    high: float
    doing: str


Listener = Callable[[Progress], None]


@dataclass
class Watch:
    """One search under observation."""

    workspaces: Sequence[Workspace]
    limits: Limits = field(default_factory=Limits)
    listener: Listener | None = None
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

    def __post_init__(self) -> None:
        for workspace in self.workspaces:
            workspace.reset()
        self.allow()

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

        def work() -> None:
            np.seterr(over="ignore")  # as the rules expect; NumPy keeps this for each thread
            try:
                outcome.append(job())
            except BaseException as error:
                failure.append(error)
            finally:
                done.set()

        deepest = max((len(w.record.stack) for w in self.workspaces if not w.compiled), default=0)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 6 * deepest + 1000))
        start_thread(work)
        told = time.perf_counter()
        while not outcome and not failure:
            try:
                while not done.wait(TICK):  # not the thread's own join, which an interrupt leaves in disorder
                    if self.limits.seconds is not None and self.seconds >= self.limits.seconds:
                        self.stop("seconds")
                    if self.listener is not None and time.perf_counter() - told >= REPORT_EVERY:
                        told = time.perf_counter()
                        self.listener(self.progress())
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
        return Progress(self.nodes, self.seconds, self.depth, *self.bounds(), self.doing)


def start_thread(work: Callable[[], None]) -> threading.Thread:
    """A thread with room for deep recursion; the memory is only taken as it is used."""
    before = threading.stack_size(STACK_BYTES)
    try:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
    finally:
        threading.stack_size(before)
    return thread
