"""How the tests talk to the command line: in this process where they can, as a process where they must."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from zermelo.cli import main


class Outcome(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """What stands on stdout, which must be one object and nothing else."""
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found


Runner = Callable[..., Outcome]


@pytest.fixture
def zermelo(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Run a command in this process; `typed` is what the person types."""

    def run(*arguments: object, typed: str = "") -> Outcome:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        code = ended.value.code
        return Outcome(int(code or 0), *capsys.readouterr())

    return run


def as_process(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    """Python in a process of its own, which heeds Ctrl-C even if the tests were started in the background."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
    )


COMMAND = "from zermelo.cli import main; main()"


@pytest.fixture
def process() -> Runner:
    """Run Python code (the command line if none is given) in a process of its own, to its end."""

    def run(*arguments: str, code: str = COMMAND, env: dict[str, str] | None = None) -> Outcome:
        started = as_process("-c", code, *arguments, env={**os.environ, **(env or {})})
        out, err = started.communicate(timeout=120)
        return Outcome(started.returncode, out, err)

    return run


class Terminal:
    """The command line with a terminal for its stderr and a pipe for its stdout."""

    PATIENCE = 90

    def __init__(self, *arguments: str, env: dict[str, str] | None = None) -> None:
        self.master, slave = pty.openpty()
        self.process = as_process("-c", COMMAND, *arguments, stderr=slave, env={**os.environ, **(env or {})})
        os.close(slave)
        self.seen = ""

    def wait_for(self, text: str) -> None:
        deadline = time.monotonic() + self.PATIENCE
        while text not in self.seen:
            assert time.monotonic() < deadline, f"{text!r} was never shown in {self.seen!r}"
            self.seen += os.read(self.master, 4096).decode()

    def finish(self) -> Outcome:
        out, _ = self.process.communicate(timeout=self.PATIENCE)
        with contextlib.suppress(OSError):  # which is how a terminal says that nobody writes to it any more
            while True:
                self.seen += os.read(self.master, 4096).decode()
        return Outcome(self.process.returncode, out, self.seen)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    """Start a command in a terminal."""
    started: list[Terminal] = []

    def start(*arguments: str, env: dict[str, str] | None = None) -> Terminal:
        started.append(Terminal(*arguments, env=env))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.communicate()
        os.close(one.master)


@pytest.fixture
def graph(tmp_path: Path) -> Callable[..., str]:
    """Write a graph file; returns its name."""

    def write(content: object, name: str = "small.json") -> str:
        file = tmp_path / name
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(file)

    return write


NIM = '''
from zermelo.rules import from_object

class Heap:
    def __init__(self, stones, player=0):
        self.stones, self.player = stones, player
    def turn(self):
        return self.player
    def moves(self):
        return [n for n in (1, 2, 3) if n <= self.stones]
    def play(self, move):
        return Heap(self.stones - move, 1 - self.player)
    def result(self):
        return None if self.stones else SCORE * (1 if self.player == 1 else -1)
    def key(self):
        return self.stones, self.player

def nim(stones: int = 5):
    """Take one, two or three; who takes the last wins."""
    return from_object(Heap(stones), name="nim", max_plies=stones)
'''


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], str]:
    """Write a module with a game of plain Python objects into the current folder; returns GAME."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])

    def write(name: str, extra: str = "SCORE = 1\n") -> str:
        (tmp_path / f"{name}.py").write_text(extra + NIM)
        monkeypatch.delitem(sys.modules, name, raising=False)
        return f"{name}:nim"

    return write
