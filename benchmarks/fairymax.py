"""Fairy-Max (Debian's fairymax), which speaks the protocol of xboard alone, as a player for matches:

    zermelo match chess "alphabeta(seconds=1)" benchmarks/fairymax.py:FairyMax --games 24 --random-plies 4 --seed 2
"""

from __future__ import annotations

import subprocess

import zermelo as z
from zermelo.play.clock import Clock
from zermelo.play.foreign.pipe import command_line
from zermelo.play.player import Said, Turn


class FairyMax(z.Player):
    """It thinks so many seconds a move. It is told moves from the start of the game: it knows no FEN."""

    def __init__(self, seconds: int = 1) -> None:
        self.name, self.seconds = f"fairymax at {seconds} s a move", seconds
        self.process: subprocess.Popen[str] | None = None
        self.told = 0

    def begin(self, position: z.Position, clock: Clock) -> None:
        self.close()
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command_line("fairymax"), stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.told = 0
        self._say("xboard", "protover 2", "new", "easy", f"st {self.seconds}")

    def move(self, turn: Turn) -> Said:
        assert self.process is not None
        assert self.process.stdout is not None
        played = turn.position.history()
        self._say("force", *played[self.told :], "go")
        self.told = len(played) + 1
        for line in self.process.stdout:
            if line.startswith("move "):
                return line.split()[1]
            if line.startswith(("Illegal", "Error", "1-0", "0-1", "1/2", "resign")):
                raise RuntimeError(f"fairymax said {line.strip()}")
        raise RuntimeError("fairymax ended")

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def _say(self, *lines: str) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
