"""`zermelo nboard`: an Othello engine for NBoard, Edax' GUI and others that speak its protocol, version 2.

Chris Welty, "NBoard protocol" (2014). The other side sends a whole game (GGF), then moves; `hint` asks for the best
moves, `go` for the one to play, which is not played before a `move` says so. `ping` ends whatever is being searched.
What is not understood is passed over.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from zermelo.compile.watch import Brake, Limits
from zermelo.play.formats import ggf
from zermelo.protocols.lines import Server, in_short
from zermelo.protocols.options import Choices
from zermelo.rules import Position
from zermelo.version import __version__

if TYPE_CHECKING:
    from zermelo.protocols.thinking import Line, Thinker

THINKING = Limits(seconds=1.0)
"""For a move where the depth is all that was said, this is how long it may take at most."""
MOST_HINTS = 60
_SQUARE = re.compile(r"(?:[a-h][1-8]|pa(?:ss)?)(?:/.*)?", re.IGNORECASE)


class NBoard(Server):
    """A talk with NBoard."""

    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self.choices = choices
        self.position = choices.game().position()
        self.depth: int | None = None
        self._thinker: Thinker | None = None
        self._brakes: list[Brake] = []

    def hear(self, line: str) -> bool:
        word, _, rest = line.strip().partition(" ")
        if word == "quit":
            return False
        if word == "ping":
            self.stop()
            self.later(lambda: self.voice.say(f"pong {rest.strip()}"))
        elif word == "nboard":
            self.voice.say(f"set myname Zermelo {__version__}")
        elif word == "set":
            self.later(lambda: self._set(rest))
        elif word == "move":
            self.later(lambda: self._move(rest))
        elif _SQUARE.fullmatch(line.strip()):  # as version 1 has it
            self.later(lambda: self._move(line))
        elif word in ("hint", "go"):
            brake = Brake()
            self._brakes.append(brake)
            self.later(lambda: self._think(word, rest, brake))
        elif word == "learn":
            self.later(lambda: self.voice.say("learned"))
        return True

    def complain(self, wrong: Exception) -> None:
        self.voice.say(f"status {in_short(wrong)}")

    def stop(self) -> None:
        for brake in [*self._brakes]:
            brake.pull()

    def close(self) -> None:
        if self._thinker is not None:
            self._thinker.close()

    # in the thread that works

    def _set(self, rest: str) -> None:
        name, _, value = rest.strip().partition(" ")
        if name == "game":
            self.position = ggf.read(value, self.choices.game())[0].position
        elif name == "depth" and value.strip().isascii() and value.strip().isdigit():
            self.depth = max(1, min(int(value[:6]), 120))

    def _move(self, text: str) -> None:
        square = text.strip().partition("/")[0].lower()
        self.position = self.position.play("pass" if square.startswith("pa") else square)

    def _think(self, word: str, rest: str, brake: Brake) -> None:
        try:
            if self.position.result is not None:
                self.voice.say("status the game is over")
                return
            count = min(int(rest), MOST_HINTS) if rest.strip().isdigit() else 1
            self.voice.say("status Zermelo is thinking")
            lines = self._lines(max(count, 1) if word == "hint" else 1, brake, word == "hint")
            if word == "go":
                best = lines[0]
                value = "" if best.value is None else f"{_mine(self.position, best.value):.2f}"
                self.voice.say(f"=== {_square(best.moves[0])}/{value}/{best.seconds:.2f}")
            self.voice.say("status")
        finally:
            self._brakes.remove(brake)

    def _lines(self, count: int, brake: Brake, analysing: bool) -> list[Line]:
        if self._thinker is None:
            from zermelo.protocols.thinking import Thinker

            self._thinker = Thinker(self.choices.game(), self.choices.request())
        limits = Limits(depth=self.depth) if self._thinker.request.method.deepens else Limits()
        if not analysing:
            limits = limits.within(THINKING)
        elif not limits.any:
            limits = replace(limits, seconds=math.inf if count > 1 else THINKING.seconds)
        position = self.position
        return self._thinker.think(position, limits, brake, lambda lines: self._tell(position, lines), count)

    def _tell(self, position: Position, lines: Sequence[Line]) -> None:
        for line in lines:
            if line.value is not None and line.moves:
                depth = "100%" if line.status == "proven" else str(line.depth)
                moves = "".join(map(_square, line.moves))
                self.voice.say(f"search {moves} {_mine(position, line.value):.2f} 0 {depth}")
        if lines:
            self.voice.say(f"nodestats {lines[0].nodes} {lines[0].seconds:.2f}")


def _square(move: str) -> str:
    return "PA" if move == "pass" else move.upper()


def _mine(position: Position, value: float) -> float:
    return -value if position.turn == 1 else value
