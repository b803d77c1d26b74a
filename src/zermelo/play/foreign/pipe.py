"""A program of somebody else's, spoken to line by line: started, waited for, and ended whatever it does.

Everything that is said, by us (>), by it (<) and by it beside the protocol (!), is kept. What goes wrong is a `Broken`
with a sentence; the talk is then written into a file, and the sentence names it.
"""

from __future__ import annotations

import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing import parent_process
from typing import IO, TypeVar

from zermelo.compile.watch import Brake
from zermelo.rules import Unsuitable, ZermeloError

HANDSHAKE = 20.0
"""So many seconds a program may take to answer the first command: it may have to load a lot."""
FAREWELL = 0.5
"""So long it may take to leave before it is ended."""
MOST_LINES, LONGEST_LINE = 2000, 4000
"""What is kept of a talk: the last so many lines, and of each so many letters."""
LONGEST_NAME = 60
"""So much of a command is named where something goes wrong."""
GAMES_FOLDER = "/usr/games"
"""Where Debian puts such programs, which is not where every user's shell looks."""

T = TypeVar("T")


class Broken(ZermeloError):
    """A program that did not start, died, fell silent or spoke nonsense."""


class Hurried(Exception):
    """Somebody wants the answer at once."""


def command_line(command: str) -> list[str]:
    """The words of a command, the program found where the shell looks or among the games of the system."""
    try:
        words = shlex.split(command)
    except ValueError as wrong:
        raise Unsuitable(f"{command!r} is no command: {wrong}") from None
    if not words:
        raise Unsuitable("command is empty: name the program to start, such as command=fairy-stockfish")
    name = os.path.expanduser(words[0])
    found = shutil.which(name) or shutil.which(name, path=GAMES_FOLDER)
    if found is None:
        raise Unsuitable(f"there is no program {words[0]}: install it, or give its path in command")
    return [found, *words[1:]]


class Pipe:
    """A program at work. In a process of a match's crew it stays in that one's group, which is ended as a whole; else
    it leads its own, so that Ctrl-C is ours alone and whatever it started ends with it."""

    def __init__(self, command: str) -> None:
        words = command_line(command)
        self._program = os.path.basename(words[0])
        self.name = " ".join([self._program, *words[1:]])
        if len(self.name) > LONGEST_NAME:
            self.name = f"{self.name[: LONGEST_NAME - 1]}…"
        self._talk: deque[str] = deque(maxlen=MOST_LINES)
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._leads = parent_process() is None
        self.closed = False
        self._ears: list[threading.Thread] = []
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                start_new_session=self._leads,
            )  # fmt: skip
        except OSError as wrong:
            raise Broken(f"{self.name} does not start: {wrong.strerror or wrong}") from None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._listen(self._process.stdout, "<", self._lines)
        self._listen(self._process.stderr, "!", None)

    def _listen(self, stream: IO[bytes], mark: str, lines: queue.SimpleQueue[str | None] | None) -> None:
        def read() -> None:
            with suppress(OSError, ValueError):  # closed while it was read
                for raw in _lines_of(stream):
                    line = raw.decode(errors="replace").strip()
                    self._talk.append(f"{mark} {line[:LONGEST_LINE]}")
                    if lines is not None:
                        lines.put(line)
            if lines is not None:
                lines.put(None)

        self._ears.append(threading.Thread(target=read, daemon=True))
        self._ears[-1].start()

    def send(self, line: str) -> None:
        """Say one line. That nobody listens any more is noticed when the answer is waited for."""
        self._talk.append(f"> {line}")
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            self._process.stdin.write(line.encode() + b"\n")

    def hear(
        self, take: Callable[[str], T | None], seconds: float, what: str, brake: Brake | None = None
    ) -> T:
        """Listen until `take` makes something of a line, so many seconds at most. What it makes nothing of is passed
        over. `what`: what is waited for, in words. A brake that is pulled ends the waiting with `Hurried`."""
        deadline = time.monotonic() + seconds
        while True:
            if brake is not None and brake.reason is not None:
                raise Hurried
            left = deadline - time.monotonic()
            if left <= 0:
                raise self.broken(f"gave no {what} within {seconds:.3g} s")
            try:
                line = self._lines.get(timeout=min(left, 0.02 if brake is not None else left))
            except queue.Empty:
                continue
            if line is None:
                raise self.broken(f"ended{self._exit()} and gave no {what}")
            taken = take(line)
            if taken is not None:
                return taken

    def broken(self, reason: str) -> Broken:
        """What to raise when it does not do what it should: it is ended, and the talk is kept."""
        self.close()
        for ear in self._ears:  # what it said last may still be on its way
            ear.join(FAREWELL)
        return Broken(f"{self.name} {reason}; {self.keep()}")

    def keep(self) -> str:
        """Write the talk into a file, and say where it is."""
        plain = re.sub(r"[^\w.-]", "-", self._program)[:40]
        with tempfile.NamedTemporaryFile(
            "w", prefix=f"zermelo-{plain}-", suffix=".log", delete=False, encoding="utf-8"
        ) as file:
            file.write("\n".join([*self._talk, ""]))
        return f"the talk is in {file.name}"

    @property
    def talk(self) -> list[str]:
        """What was said so far, as far as it is kept."""
        return list(self._talk)

    def _exit(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(FAREWELL)
        code = self._process.returncode
        if code is None:
            return ""
        return f" (killed by signal {-code})" if code < 0 else f" (exit code {code})"

    def close(self, farewell: Iterable[str] = ()) -> None:
        """Say farewell and end the program, with whatever it has started. Closing twice does no harm."""
        if self.closed:
            return
        self.closed = True
        for line in farewell:
            self.send(line)
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            self._process.stdin.close()
        if farewell:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(FAREWELL)
        with suppress(ProcessLookupError, PermissionError):  # all of it is gone
            if self._leads:
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()


def _lines_of(stream: IO[bytes]) -> Iterable[bytes]:
    """Lines as they come, cut where a line would never end."""
    rest = b""
    while chunk := stream.read(65536):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole
        if len(rest) > 1 << 20:
            yield rest
            rest = b""
    if rest:
        yield rest
