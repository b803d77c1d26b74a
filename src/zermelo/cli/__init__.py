"""The command line. `main` runs one command and turns whatever ends it into one line and an exit code.

    0    done                                1    `check` or `bench` found something wrong
    2    bad input, said in one line         130  stopped by Ctrl-C, the best so far printed

Nothing that takes time is imported before a command needs it, so that `--help` answers at once.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import sysconfig
import threading
import traceback
import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

BAD_INPUT, INTERRUPTED = 2, 130
LONGEST = 1000
"""A sentence that quotes more than this from a file would be read by nobody."""


leaving = ExitStack()
"""What is let go of when a command ends."""


class Interrupted(Exception):
    """Ctrl-C where no search was running that could have answered it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that the arguments name, and exit."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without the letter … still shows the rest
    usual, sys.unraisablehook = sys.unraisablehook, _press_again
    shown, warnings.showwarning = warnings.showwarning, _warn
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except (Interrupted, KeyboardInterrupt):
        code = _say("interrupted", INTERRUPTED)
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    finally:
        leaving.close()
        sys.unraisablehook, warnings.showwarning = usual, shown
    _leave_if_compiling(code)
    sys.exit(code)


def _leave_if_compiling(code: int) -> None:
    """Whoever stopped a search need not wait for the compiler, which cannot be stopped: the process ends at once."""
    session = sys.modules.get("zermelo.core.session")
    if session is not None and session.compiling:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _press_again(lost: sys.UnraisableHookArgs) -> None:
    """Ctrl-C can hit code that may not raise, a destructor or a callback of the compiler, and be lost there:
    let it come again a moment later."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        threading.Timer(0.05, signal.raise_signal, (signal.SIGINT,)).start()
    else:
        sys.__unraisablehook__(lost)


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning is one line too, without the place in the code that gave it."""
    _say(str(message), 0)


def _run(arguments: Sequence[str] | None) -> int:
    from zermelo.cli.app import command
    from zermelo.cli.choices import spelled_out

    words = spelled_out(sys.argv[1:] if arguments is None else arguments)
    try:
        code = command().main(words, prog_name="zermelo", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except (Interrupted, BrokenPipeError):
        raise
    except Exception as error:
        if hasattr(error, "format_message"):  # typer's own complaint about the arguments
            return _say(_usage(error), BAD_INPUT)
        sentence = _sentence(error)
        if sentence is None:
            raise
        return _say(sentence, BAD_INPUT)


def _say(sentence: str, code: int) -> int:
    words = " ".join(sentence.split())
    print(f"zermelo: {words[:LONGEST]}{'…' if len(words) > LONGEST else ''}", file=sys.stderr)
    return code


def _usage(error: Exception) -> str:
    """Typer's complaint as one sentence, and where to read what would be right."""
    message = str(error.format_message()).replace("Value error, ", "").strip(" .")  # type: ignore[attr-defined]
    for kind, wanted in (("integer", "a whole number"), ("number", "a number")):
        message = re.sub(f"Input should be a valid {kind}.*", f"{wanted} is wanted", message)
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "zermelo"
    advice = " See" if message.endswith("?") else "; see"
    return f"{message[:1].lower()}{message[1:]}{advice} {path} --help"


def _sentence(error: Exception) -> str | None:
    """What to tell the person who can mend it; None if it is a mistake of this program."""
    from zermelo.rules.errors import ZermeloError

    if isinstance(error, ZermeloError):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory left on this machine; a smaller --memory may do"
    line = _line_of_theirs(error)
    return line and f"{type(error).__name__}: {error} ({line})"


def _line_of_theirs(error: Exception) -> str | None:
    """The line of the user's own game in which an exception arose, if it did."""
    ours = Path(__file__).parents[1]
    installed = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        if file == ours / "rules" / "structs.py":  # a field that their rule wrote
            continue
        if ours in file.parents:
            return None
        if file.exists() and not any(folder in file.parents for folder in installed):
            return f"{file.name}, line {frame.lineno}"
    return None
