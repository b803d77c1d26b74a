"""Tic-tac-toe whose rules stop the worker that reads them: for tests of what a pool does then."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from zermelo import games
from zermelo.rules import Game


def fragile(home: int, note: str, deaths: int = 0, naps: int = 0) -> Game:
    """The first workers die, so many, and the next ones go to sleep; each leaves a mark in a file first. `home`: the
    process that does not."""
    if os.getpid() != home:
        with Path(note).open("a") as file:
            file.write("x")
        times = len(Path(note).read_text())
        if times <= deaths:
            os.kill(os.getpid(), signal.SIGKILL)
        if times <= deaths + naps:
            time.sleep(600)
    made: Game = games.tic_tac_toe()
    return made
