"""What belongs to the whole process: settings, changed while they are needed and put back, by any number of threads;
and its memory, which a child spares.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

STACK_BYTES = 512 << 20

_starting = threading.Lock()


def start_thread(work: Callable[[], None]) -> threading.Thread:
    """A thread with room for deep recursion, whose memory is only taken as it is used, and in which unsigned numbers
    wrap in silence, as the rules expect: NumPy keeps this for each thread."""

    def wrapping() -> None:
        with np.errstate(over="ignore"):
            work()

    thread = threading.Thread(target=wrapping, daemon=True)
    with _starting:
        before = threading.stack_size(STACK_BYTES)
        try:
            thread.start()
        finally:
            threading.stack_size(before)
    return thread


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes that start meanwhile ignore Ctrl-C: a terminal sends it to all, and only the first should answer."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def in_a_child(work: Callable[[], None]) -> None:
    """Do something for what it leaves on the disk, in a process that ends with it and gives its memory back; nowhere,
    if threads run that a child would be without. What goes wrong there is not told."""
    if threading.active_count() > 1 or not hasattr(os, "fork"):
        return
    child = os.fork()
    if child == 0:
        try:
            with contextlib.suppress(Exception):
                work()
        finally:
            os._exit(0)
    os.waitpid(child, 0)


class _RecursionLimit:
    """Python's limit of recursion, which all threads share: the highest that anybody needs now, and the one that was
    there before when nobody needs more."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.needed: list[int] = []
        self.usual = self.ours = 0

    def _set(self) -> None:
        self.ours = max([self.usual, *self.needed])
        sys.setrecursionlimit(self.ours)

    @contextmanager
    def at_least(self, frames: int) -> Iterator[None]:
        with self.lock:
            if not self.needed or sys.getrecursionlimit() != self.ours:  # somebody else has set it meanwhile
                self.usual = sys.getrecursionlimit()
            self.needed.append(frames)
            self._set()
        try:
            yield
        finally:
            with self.lock:
                self.needed.remove(frames)
                if sys.getrecursionlimit() == self.ours:
                    self._set()


recursion_limit = _RecursionLimit()
