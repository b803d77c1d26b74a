"""The process in which one game is at work: it reads questions, one JSON object a line, and writes what it finds.

    → {"id": 7, "do": "position", "position": "", "moves": ["a1"]}
    ← {"id": 7, "event": "done", "data": {…}}
    → {"id": 8, "do": "analysis", "moves": [], "seconds": 60}
    ← {"id": 8, "event": "move", "data": {…}}  …  {"id": 8, "event": "done", "data": null}
    → {"id": 9, "do": "stop", "of": 8}

The first line names the game. Every question is answered by `done` or `error`, in a thread of its own. Rules may
print, raise, or never end: what they print goes elsewhere, what they raise becomes a sentence, and a process that does
not answer is ended by who started it. KataGo's analysis engine speaks in the same way.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import IO, Any

Talk = Callable[[dict[str, Any]], None]


def main() -> None:
    """Serve one game until the questions end."""
    talk = _speaker(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)  # whatever else is printed is not for who asks
    asked = sys.stdin
    try:
        office = _open(json.loads(asked.readline()))
    except BaseException as error:
        talk({"id": 0, "event": "error", "data": {"error": sentence(error)}})
        return
    talk({"id": 0, "event": "done", "data": office.about})
    for line in asked:
        office.receive(json.loads(line), talk)
    os._exit(0)  # whoever asked is gone: nobody waits for what still runs


def _open(named: dict[str, Any]) -> Any:
    from zermelo.web.office import Office

    return Office(named)


def _speaker(stream: IO[str]) -> Talk:
    lock = threading.Lock()

    def talk(said: dict[str, Any]) -> None:
        from zermelo.web.view import plain

        with lock:
            stream.write(json.dumps(plain(said), allow_nan=False) + "\n")
            stream.flush()

    return talk


def sentence(error: BaseException) -> str:
    """What went wrong, for people: a rule's own exception with the line where it arose."""
    from zermelo.rules.errors import ZermeloError

    words = " ".join(str(error).split())[:600]
    if isinstance(error, ZermeloError):
        return words
    if isinstance(error, MemoryError):
        return "there is not enough memory left on this machine"
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__}: {words} ({place})" if place else f"{type(error).__name__}: {words}"


def watch_parent(parent: int) -> None:
    """End when whoever started this process is gone, however that happened."""

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    threading.Thread(target=look, daemon=True).start()


if __name__ == "__main__":
    watch_parent(os.getppid())
    main()
