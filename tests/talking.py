"""Talks with a protocol's server, in this process: what is said to it, and what it answers."""

from __future__ import annotations

import io
import threading
import time

from zermelo.play.foreign.dialect import DIALECTS
from zermelo.protocols.lines import Server, Voice
from zermelo.protocols.options import Choices
from zermelo.protocols.universal import Universal

INTERPRETED = {"mode": "interpreted"}
PATIENCE = 60.0


class Talk:
    """One talk. `ask` waits until everything is done that was asked for; `tell` does not."""

    def __init__(self, server: Server) -> None:
        self.server, self.out = server, io.StringIO()
        server.voice = Voice(self.out)
        self.heard, self.over = 0, False
        self._lock = threading.Lock()

    def tell(self, *lines: str) -> None:
        for line in lines:
            self.over = not self.server.hear(f"{line}\n")

    def ask(self, *lines: str) -> list[str]:
        self.tell(*lines)
        assert self.server.wait(PATIENCE)
        return self.news()

    def news(self) -> list[str]:
        """What was said since the last time."""
        lines = self.out.getvalue().split("\n")[:-1]
        fresh, self.heard = lines[self.heard :], len(lines)
        return fresh

    def await_line(self, beginning: str) -> list[str]:
        """Wait until a line begins so, and give what was said until then."""
        end, said = time.monotonic() + PATIENCE, []
        while time.monotonic() < end:
            said += self.news()
            if any(line.startswith(beginning) for line in said):
                return said
            time.sleep(0.01)
        raise AssertionError(f"no line begins with {beginning!r}: {said}")


def universal(protocol: str, game: str, method: str | None = None, **parameters: object) -> Talk:
    """A talk in UCI or a relative, interpreted."""
    told = {name: str(value) for name, value in parameters.items()}
    return Talk(Universal(DIALECTS[protocol], Choices(game, told, method, INTERPRETED)))
