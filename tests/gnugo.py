"""GNU Go as an oracle: a process that is asked over GTP. Debian has it as the package gnugo."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def program() -> str:
    """Where GNU Go is; the test is skipped if it is nowhere."""
    found = shutil.which("gnugo", path=os.environ.get("PATH", "") + ":/usr/games")
    if found is None:
        pytest.skip("gnugo is not installed: it is in Debian's package gnugo")
    return found


class GnuGo:
    """A running GNU Go."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def ask(self, command: str) -> str:
        """What it answers to a command, without the `=` in front."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = list(iter(self.process.stdout.readline, "\n"))
        answer = "".join(lines).strip()
        assert answer.startswith("="), f"{command}: {answer}"
        return answer[1:].strip()

    def set_up(self, board: str) -> None:
        """An empty board on which stones are placed, rows from the top as in the text of a position."""
        rows = board.split("/")
        self.ask(f"boardsize {len(rows)}")
        self.ask("clear_board")
        for r, row in enumerate(rows):
            for c, mark in enumerate(row):
                if mark in "XO":
                    self.ask(f"play {'black' if mark == 'X' else 'white'} {'ABCDEFGHJ'[c]}{len(rows) - r}")


@contextmanager
def gnugo(*options: str) -> Iterator[GnuGo]:
    """GNU Go with some options, ended afterwards."""
    command = [program(), "--mode", "gtp", *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path("/"))
    try:
        yield GnuGo(process)
    finally:
        process.kill()
        process.communicate()
