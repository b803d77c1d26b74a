"""One line on the terminal that tells what is going on while a person waits."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.compile.watch import Listener, Progress

MOST_MOVES = 6
"""So much of a line is shown while a search runs."""


class LiveLine:
    """A line on stderr, written over again and again and wiped out at the end. It stays silent where nobody
    could see it: when stderr is no terminal, or when the output is for a machine."""

    def __init__(self, wanted: bool = True) -> None:
        self.on = wanted and sys.stderr.isatty()
        self.length = 0

    def __enter__(self) -> LiveLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.wipe()

    @property
    def listener(self) -> Listener | None:
        """What to hand to a search."""
        return self.follow if self.on else None

    def say(self, text: str) -> None:
        if not self.on:
            return
        text = text[: _width() - 1]
        sys.stderr.write("\r" + text.ljust(self.length))
        sys.stderr.flush()
        self.length = len(text)

    def wipe(self) -> None:
        if self.length:
            self.say("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def follow(self, progress: Progress) -> None:
        self.say(describe(progress))


def describe(progress: Progress) -> str:
    """Progress in a few words, what matters most first."""
    parts = [f"{progress.doing} {progress.seconds:.1f} s"]
    if progress.doing.startswith("compiling"):
        return " | ".join([*parts, "kept for next time", "Ctrl-C stops"])
    if progress.depth is not None:
        parts.append(f"depth {progress.depth}")
    parts.append(f"{count(progress.nodes)} nodes, {speed(progress.nodes, progress.seconds)}")
    if progress.low > -float("inf") and progress.high < float("inf"):
        same = progress.low == progress.high
        parts.append(f"value {progress.low:g}" if same else f"value {progress.low:g} to {progress.high:g}")
    if progress.value is not None and progress.low != progress.high:
        parts.append(f"about {progress.value:g}")
    if progress.line:
        parts.append(" ".join(progress.line[:MOST_MOVES]))
    return " | ".join([*parts, "Ctrl-C stops"])


def count(number: float) -> str:
    """A large number as people say it: 950, 12.3 thousand, 4.6 million."""
    if number < 1e4:
        return f"{number:.0f}"
    scale, word = next(pair for pair in ((1e9, "billion"), (1e6, "million"), (1e3, "thousand")) if number >= pair[0])
    return f"{number / scale:.1f} {word}"


def speed(nodes: int, seconds: float) -> str:
    return f"{count(nodes / max(seconds, 1e-6))}/s"


def _width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        return 80
