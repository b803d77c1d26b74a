"""The processes in which games are at work: started when asked for, few at a time, ended when they hang.

A rule that never ends, or takes its process down, takes nobody along: the process is killed and the next question
starts another. At most `MOST` games are kept, the one that was asked longest ago goes first; whoever is idle for long
goes too. At most as many searches run as there are cores, the others wait their turn.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
MOST = 4
STARTING, PATIENCE, GRACE = 60.0, 10.0, 1.0
"""How many seconds a process may take to start, a quick question, and to stop a search that nobody wants any more."""
IDLE = 600.0
ENDING = "the server is about to end"
_LINE = 32 << 20
"""The longest line that a process may say."""


class Failed(Exception):
    """A question that was not answered: the sentence says why. `status`: the HTTP status that fits."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


async def unless_ending(task: asyncio.Future[T]) -> T:
    """What a task of the server brings, which goes on if who waits for it leaves; a failure where the server ends."""
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if task.cancelled():
            raise Failed(ENDING, 503) from None
        raise


class Named(NamedTuple):
    """A game that may be asked for: what to load, its parameters, and whether a person on this machine named it. Only
    such a game has a `certificate`: the file that it is read from, which may say itself what to load; and `tables` and
    a `book`, by their folders and file."""

    spec: str
    parameters: tuple[tuple[str, Any], ...] = ()
    trusted: bool = False
    certificate: str = ""
    tables: tuple[str, ...] = ()
    book: str = ""


class Told(NamedTuple):
    """One thing that a process says about a question."""

    event: str
    data: Any


class Worker:
    """One process and the questions that wait for it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.about: dict[str, Any] = {}
        self.over = False
        self.used = time.monotonic()
        self._waiting: dict[int, asyncio.Queue[Told]] = {}
        self._numbers = count(1)
        self._reader = asyncio.ensure_future(self._read())

    @classmethod
    async def start(cls, named: Named, settings: Mapping[str, Any]) -> Worker:
        """A process with the game in it."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "zermelo.web.worker", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            limit=_LINE, start_new_session=True,
        )  # fmt: skip
        worker = cls(process)
        opened = worker._listen(0)
        worker._say({**named._asdict(), "parameters": dict(named.parameters), **settings})
        try:
            told = await asyncio.wait_for(opened.get(), STARTING)
        except TimeoutError:
            told = Told("error", {"error": f"{named.spec} was not ready after {STARTING:g} seconds"})
        except BaseException:
            worker.kill()
            raise
        if told.event == "error":
            worker.kill()
            raise Failed(told.data["error"])
        worker.about = told.data
        return worker

    @property
    def alive(self) -> bool:
        return not self.over and self.process.returncode is None

    @property
    def busy(self) -> bool:
        return bool(self._waiting)

    async def ask(self, do: str, fields: Mapping[str, Any], patience: float = PATIENCE) -> Any:
        """The answer to a quick question; who does not answer in time is killed."""
        number, heard = self._put(do, fields)
        try:
            while True:
                told = await asyncio.wait_for(heard.get(), patience)
                if told.event == "done":
                    return told.data
                if told.event == "error":
                    raise Failed(told.data["error"])
        except TimeoutError:
            self.kill()
            raise Failed(
                f"the rules did not answer within {patience:g} seconds, so their process was ended; does one of them "
                "never return?", 504,
            ) from None  # fmt: skip
        finally:
            self._waiting.pop(number, None)

    async def listen(self, do: str, fields: Mapping[str, Any]) -> AsyncIterator[Told]:
        """Everything that is said about a question, to its end; who stops listening stops the work."""
        number, heard = self._put(do, fields)
        over = False
        try:
            while not over:
                told = await heard.get()
                over = told.event in ("done", "error")
                yield told
        finally:
            if not over:
                asyncio.ensure_future(self._give_up(number, heard))  # noqa: RUF006  it ends by itself
            else:
                self._waiting.pop(number, None)

    async def _give_up(self, number: int, heard: asyncio.Queue[Told]) -> None:
        """Have a search end; who has not ended it in time is killed."""
        self._say({"do": "stop", "of": number})
        try:
            async with asyncio.timeout(GRACE):
                while (await heard.get()).event not in ("done", "error"):
                    continue
        except TimeoutError:
            self.kill()
        finally:
            self._waiting.pop(number, None)

    def kill(self) -> None:
        """End the process at once. Not by `process.kill`, which may take the exit code away from who waits for it."""
        self._shoot()
        self._end("the process of the game was ended")

    def _shoot(self) -> None:
        if self.process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)
        self.over = True

    def _put(self, do: str, fields: Mapping[str, Any]) -> tuple[int, asyncio.Queue[Told]]:
        self.used = time.monotonic()
        number = next(self._numbers)
        heard = self._listen(number)
        self._say({"id": number, "do": do, **fields})
        return number, heard

    def _listen(self, number: int) -> asyncio.Queue[Told]:
        heard: asyncio.Queue[Told] = asyncio.Queue()
        self._waiting[number] = heard
        return heard

    def _say(self, words: Mapping[str, Any]) -> None:
        assert self.process.stdin is not None
        with suppress(ConnectionError, RuntimeError):  # it is gone, and _read tells so
            self.process.stdin.write((json.dumps(words) + "\n").encode())

    async def _read(self) -> None:
        assert self.process.stdout is not None
        with suppress(ValueError, ConnectionError):  # a line that is too long, or a broken pipe
            async for line in self.process.stdout:
                told = json.loads(line)
                heard = self._waiting.get(told["id"])
                if heard is not None:
                    heard.put_nowait(Told(told["event"], told["data"]))
                if told["id"] == 0:
                    self._waiting.pop(0, None)
        self.over = True
        with suppress(TimeoutError):
            await asyncio.wait_for(self.process.wait(), GRACE)
        self._shoot()  # if it only closed its mouth
        code = await self.process.wait()
        self._end(f"the process of the game ended by itself (exit code {code}); ask again to start another")

    def _end(self, why: str) -> None:
        for heard in self._waiting.values():
            heard.put_nowait(Told("error", {"error": why}))

    async def gone(self) -> None:
        """Wait until the process has ended."""
        await self._reader


class Workers:
    """All processes of a server. `settings` go to each: memory, mode."""

    def __init__(self, settings: Mapping[str, Any], most: int = MOST, patience: float = PATIENCE) -> None:
        self.settings, self.most, self.patience = settings, most, patience
        self.cores = os.cpu_count() or 1
        self.searching, self.queued = 0, 0
        self._turn = asyncio.Semaphore(self.cores)
        self._workers: dict[Named, Worker] = {}
        self._starting: dict[Named, asyncio.Lock] = {}
        self._opening: set[asyncio.Future[Worker]] = set()
        self._closed = False

    async def of(self, named: Named) -> Worker:
        """The process of a game, started if there is none."""
        async with self._starting.setdefault(named, asyncio.Lock()):
            if self._closed:
                raise Failed(ENDING, 503)
            worker = self._workers.get(named)
            if worker is None or not worker.alive:
                self._workers.pop(named, None)
                self._make_room()
                starting = asyncio.ensure_future(Worker.start(named, self.settings))
                self._opening.add(starting)
                starting.add_done_callback(self._opening.discard)
                worker = self._workers[named] = await unless_ending(starting)
            worker.used = time.monotonic()
            return worker

    async def open(self, named: Named) -> None:
        """Have the process of a game ready before anybody asks; what is wrong with it is said when somebody does."""
        with suppress(Failed):
            await self.of(named)

    async def sweep(self) -> None:
        """End, now and then, processes that nobody has asked for long; for ever, until it is cancelled."""
        while True:
            await asyncio.sleep(IDLE / 10)
            self._end_idle()

    def _end_idle(self) -> None:
        now = time.monotonic()
        for named, worker in list(self._workers.items()):
            if not worker.alive or (not worker.busy and now - worker.used > IDLE):
                worker.kill()
                del self._workers[named]

    def _make_room(self) -> None:
        self._end_idle()
        while len(self._workers) >= self.most:
            idle = [(worker.used, named) for named, worker in self._workers.items() if not worker.busy]
            if not idle:
                raise Failed(f"{self.most} games are at work already: close the page of one of them", 503)
            self._workers.pop(min(idle, key=lambda each: each[0])[1]).kill()

    async def ask(self, named: Named, do: str, fields: Mapping[str, Any]) -> Any:
        """A quick question."""
        return await (await self.of(named)).ask(do, fields, self.patience)

    async def search(self, named: Named, do: str, fields: Mapping[str, Any]) -> AsyncIterator[Told]:
        """A question that takes time: what is said about it, the wait for its turn included."""
        worker = await self.of(named)
        self.queued += 1
        try:
            if self._turn.locked():
                yield Told("state", {"state": "queued", "waiting": self.queued})
            await self._turn.acquire()
        finally:
            self.queued -= 1
        self.searching += 1
        heard = worker.listen(do, fields)
        try:
            async for told in heard:
                yield told
        finally:
            self.searching -= 1
            self._turn.release()
            await heard.aclose()  # type: ignore[attr-defined]

    async def close(self) -> None:
        """End all processes."""
        self._closed = True
        opening, workers = list(self._opening), list(self._workers.values())
        self._workers.clear()
        for starting in opening:
            starting.cancel()
        await asyncio.gather(*opening, return_exceptions=True)
        for worker in workers:
            worker.kill()
        await asyncio.gather(*(worker.gone() for worker in workers), return_exceptions=True)
