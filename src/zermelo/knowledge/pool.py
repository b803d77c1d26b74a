"""A pool: workers that do jobs, on this machine or on a cluster, and who looks after them.

    with open_pool("processes:2") as pool:
        pool.submit(Job("a", "solve", {…}))
        name, result = pool.take()              # whichever is done first

There are two back ends: processes here, and Ray (`ray_pool`). Jobs are names and texts (see `jobs`). A worker that
dies, killed or out of memory, has its job done again by another; a job that has ended three workers is an error that
names it. Results come in whatever order, and who puts them together must not depend on it.

Processes here are spawned: they share nothing with this one, and are gone when it is, however it ended. A script that
opens a pool must do so under `if __name__ == "__main__":`, for the processes read it too.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import threading
from abc import ABC, abstractmethod
from collections import Counter, deque
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from zermelo.compile.process import deaf_to_interrupts
from zermelo.knowledge.jobs import Failed, Job, carry_out, outcome
from zermelo.rules import Unsuitable

MOST_DEATHS = 3
MOST_PROCESSES = 1024
_TEXT = re.compile(r"(?P<kind>processes|ray)(?::(?P<count>\d{1,9}))?|(?P<here>\d{1,9})|(?P<cluster>ray://.+)")


class Done(NamedTuple):
    """The name of a job, and what came of it."""

    name: str
    result: Any


class Pool(ABC):
    """Workers who do jobs. `workers`: how many jobs are done at a time; `name`: what people call the pool."""

    workers: int
    name: str

    def __init__(self) -> None:
        self._deaths: Counter[str] = Counter()
        self._submitted = 0

    def submit(self, job: Job) -> None:
        """Have a job done. Its name is no other's that is not done yet."""
        self._submitted += 1
        self._give(job)

    def take(self) -> Done:
        """Wait for the next job that is done. One that cannot be done raises what is wrong with it."""
        if not self._submitted:
            raise Unsuitable("nothing was submitted to the pool that is not done")
        job, text = self._wait()
        self._submitted -= 1
        result = outcome(text)
        if isinstance(result, Failed):
            raise Unsuitable(f"{job.name}: {result.why}")
        return Done(job.name, result)

    def drop(self) -> None:
        """Give up all jobs that are not done."""
        self._submitted = 0
        self._deaths.clear()
        self._give_up()

    @property
    def free(self) -> int:
        """How many more jobs would be begun at once."""
        return max(self.workers - self._submitted, 0)

    def _died(self, job: Job, how: str) -> None:
        """A worker died of a job, perhaps: another one shall try, unless that was tried often enough."""
        self._deaths[job.name] += 1
        if self._deaths[job.name] >= MOST_DEATHS:
            raise Unsuitable(
                f"{job.name}: {MOST_DEATHS} workers died of this job, the last one {how}, perhaps for want of memory"
            )
        self._give(job)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def _give(self, job: Job) -> None:
        """Take a job in."""

    @abstractmethod
    def _wait(self) -> tuple[Job, str]:
        """A job that is done, and the text of what came of it."""

    @abstractmethod
    def _give_up(self) -> None:
        """Forget all jobs, and end the workers that are at one."""

    @abstractmethod
    def close(self) -> None:
        """End the workers and whatever they do."""


def open_pool(text: str) -> Pool:
    """The pool that a person names: `2` or `processes:2`, `ray` or `ray:2` for Ray on this machine, `ray://HOST:PORT`
    for a cluster."""
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        raise Unsuitable(
            f"a pool is a number of processes (2, or processes:2), ray for Ray on this machine, or ray://HOST:PORT for "
            f"a cluster, not {text!r}"
        )
    given = found["here"] or found["count"]
    count = os.cpu_count() or 1 if given is None else int(given)
    if not 1 <= count <= MOST_PROCESSES:
        raise Unsuitable(f"a pool has 1 to {MOST_PROCESSES} workers, not {count}")
    if found["cluster"] or found["kind"] == "ray":
        from zermelo.knowledge.ray_pool import RayPool

        return RayPool(found["cluster"], count)
    return Processes(count)


class Processes(Pool):
    """Workers that are processes on this machine, started when they are first needed."""

    def __init__(self, workers: int) -> None:
        super().__init__()
        self.workers, self.name = workers, f"processes:{workers}"
        self._waiting: deque[Job] = deque()
        self._desks: list[_Desk] = []

    def _give(self, job: Job) -> None:
        self._waiting.append(job)
        self._hand_out()

    def _hand_out(self) -> None:
        """Give waiting jobs to who has none."""
        while self._waiting:
            desk = next((desk for desk in self._desks if desk.job is None), None)
            if desk is None and len(self._desks) < self.workers:
                desk = _Desk()
                self._desks.append(desk)
            if desk is None:
                return
            desk.give(self._waiting.popleft())

    def _wait(self) -> tuple[Job, str]:
        while True:
            busy = {desk.connection: desk for desk in self._desks if desk.job is not None}
            ready = wait(list(busy))[0]
            assert isinstance(ready, Connection)
            desk = busy[ready]
            job = desk.job
            assert job is not None
            try:
                text = ready.recv_bytes().decode()
            except (EOFError, OSError):
                self._desks.remove(desk)
                self._died(job, desk.end(patience=1))
                continue
            desk.job = None
            self._hand_out()
            return job, text

    def _give_up(self) -> None:
        self._waiting.clear()
        for desk in self._desks:
            if desk.job is not None:
                desk.end()
        self._desks = [desk for desk in self._desks if desk.job is None]

    def close(self) -> None:
        self._waiting.clear()
        for desk in self._desks:
            desk.end()
        self._desks.clear()


class _Desk:
    """A process, and the job that it does."""

    def __init__(self) -> None:
        fresh = multiprocessing.get_context("spawn")
        self.job: Job | None = None
        self.connection, theirs = fresh.Pipe()
        self.process = fresh.Process(target=_serve, args=(theirs,), daemon=True)
        with deaf_to_interrupts():
            self.process.start()
        theirs.close()

    def give(self, job: Job) -> None:
        self.job = job
        with suppress(OSError):  # it has died meanwhile, which is noticed next
            self.connection.send_bytes(job.text().encode())

    def end(self, patience: float = 0) -> str:
        """End the process, unless it ends by itself within some seconds; how it ended."""
        self.process.join(patience)
        self.process.kill()
        self.process.join()
        self.connection.close()
        code = self.process.exitcode or 0
        return f"by signal {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"


# in the other process


def _serve(connection: Connection) -> None:
    """The life of a process: texts come in and texts go out, until nobody is there any more."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):  # what rules print is no part of any answer
        os.dup2(nowhere, stream)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            connection.send_bytes(carry_out(connection.recv_bytes().decode()).encode())


def _end_with_parent() -> None:
    """Nobody works on for a process that is gone."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
