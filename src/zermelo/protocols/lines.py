"""What all protocols have in common: commands come line by line, and nothing but answers goes out.

The main thread reads and never waits for a search, so that `stop` is heard at once; what takes time is done by another
one, in the order in which it was asked for. Whatever else is printed meanwhile, by a library or a game of somebody's
own, goes to stderr.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from zermelo.rules import ZermeloError

LINGER = 5.0
"""Seconds that work may still take after the last command, when nobody said that we should quit."""
FAREWELL = 1.0
LONGEST = 300
"""What is quoted of a sentence at most."""


class Voice:
    """Where answers are said, one whole line at a time, by any thread. Once nobody listens, `gone` is set."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._lock = out, threading.Lock()
        self.gone = threading.Event()

    def say(self, *lines: str) -> None:
        with self._lock:
            try:
                for line in lines:
                    self._out.write(f"{line}\n")
                self._out.flush()
            except (OSError, ValueError):
                self.gone.set()


class Server(ABC):
    """One talk. `hear` takes in a command; what it gives to `later` is done by another thread."""

    def __init__(self) -> None:
        self.voice = Voice(sys.stdout)
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._idle = threading.Event()
        self._idle.set()
        self._thread: threading.Thread | None = None
        self._pending, self._lock = 0, threading.Lock()

    @abstractmethod
    def hear(self, line: str) -> bool:
        """Take in a command; False if it was the last."""

    @abstractmethod
    def complain(self, wrong: Exception) -> None:
        """Say what went wrong, in the protocol's words."""

    def stop(self) -> None:
        """End the search that is under way."""
        return

    def expect_no_more(self) -> None:
        """No command will come any more: what would wait for one must not."""
        return

    def close(self) -> None:
        """Let go of what is held."""
        return

    @property
    def busy(self) -> bool:
        """Whether something that was asked for is not done yet."""
        return not self._idle.is_set()

    def later(self, task: Callable[[], None]) -> None:
        """Have something done after whatever was asked for before."""
        with self._lock:
            self._pending += 1
            self._idle.clear()
        if self._thread is None:
            from zermelo.compile.process import start_thread

            self._thread = start_thread(self._work)
        self._tasks.put(task)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until everything is done that was asked for; False if it takes longer."""
        return self._idle.wait(seconds)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            self.guarded(task)
            with self._lock:
                self._pending -= 1
                if not self._pending:
                    self._idle.set()

    def guarded(self, task: Callable[[], object]) -> None:
        """Do something; what goes wrong is said, and the talk goes on."""
        try:
            task()
        except ZermeloError as wrong:
            self.complain(wrong)
        except Exception as wrong:  # a mistake of ours or in somebody's rules: the client should not hang for it
            print(f"zermelo: {type(wrong).__name__}: {wrong}", file=sys.stderr)
            self.complain(wrong)


def serve(server: Server) -> None:
    """Talk until the other side quits, says nothing more or is gone."""
    with _only_answers() as out:
        server.voice = Voice(out)
        told = False
        try:
            for line in _lines(sys.stdin):
                if server.voice.gone.is_set() or not server.hear(line):
                    told = True
                    break
            if not told:
                server.expect_no_more()
                end = time.monotonic() + LINGER
                while not server.wait(0.05) and time.monotonic() < end and not server.voice.gone.is_set():
                    pass
        finally:
            server.stop()
            server.wait(FAREWELL)
            server.close()


def _lines(stream: TextIO) -> Iterator[str]:
    """Lines as they come, whatever bytes they hold."""
    raw = getattr(stream, "buffer", None)
    if raw is None:
        yield from stream
        return
    while line := raw.readline():
        yield line.decode(errors="replace")


@contextmanager
def _only_answers() -> Iterator[TextIO]:
    """What was stdout, for answers alone; everything else that is printed goes to stderr."""
    usual = sys.stdout
    if usual is not sys.__stdout__ or usual is None:  # somebody has taken its place, who wants the answers
        sys.stdout = sys.stderr
        try:
            yield usual or sys.stderr
        finally:
            sys.stdout = usual
        return
    usual.flush()
    kept = os.dup(usual.fileno())
    os.dup2(sys.stderr.fileno(), usual.fileno())
    sys.stdout = sys.stderr
    out = os.fdopen(os.dup(kept), "w", encoding="utf-8", errors="replace")
    try:
        yield out
    finally:
        with suppress(OSError, ValueError):
            out.close()
        sys.stdout = usual
        os.dup2(kept, usual.fileno())
        os.close(kept)


def in_short(wrong: Exception) -> str:
    """What went wrong, on one line."""
    return " ".join((str(wrong) or type(wrong).__name__).split())[:LONGEST]
