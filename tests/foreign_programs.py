"""Programs of others that tests ask for, and small ones that misbehave on purpose."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import pytest

from zermelo.play.foreign.pipe import GAMES_FOLDER


def installed(name: str, package: str | None = None) -> str:
    """The path of a program; without it the test is skipped, and says what to install."""
    found = shutil.which(name) or shutil.which(name, path=GAMES_FOLDER)
    if found is None:
        pytest.skip(f"needs {name}, from Debian's package {package or name}")
    return found


_GREETING = """
import sys, time
def say(line):
    print(line, flush=True)
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        say("id name Fake"); say("uciok")
    elif words == ["isready"]:
        say("readyok")
    elif words == ["quit"]:
        break
    elif words[:1] == ["go"]:
        print("thinking hard", file=sys.stderr, flush=True)
"""


def fake(folder: Path, answer: str) -> str:
    """The command of an engine that greets as UCI wants it, and does `answer` when it is asked for a move."""
    return written(folder, _GREETING + f"        {answer}\n")


def written(folder: Path, program: str) -> str:
    """The command of a program."""
    file = folder / "engine.py"
    file.write_text(program)
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(file))}"


def engine(protocol: str, command: str, **settings: object) -> str:
    """The text of an engine that is a program."""
    told = "".join(f", {name}={value}" for name, value in settings.items())
    quoted = command.replace("\\", "\\\\").replace('"', '\\"')
    return f'{protocol}(command="{quoted}"{told})'
