"""Work for the tests of gathering, in a module of its own: other processes must be able to import it."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from zermelo.lab.experiment import Settings
from zermelo.lab.gather import gather
from zermelo.rules import Unsuitable


def square(task: tuple[str, int]) -> dict[str, Any]:
    """The square of a number, noted in a folder so that a test sees who was asked; 13 takes for ever, or as
    long as whoever asked is there."""
    folder, number = task
    parent = os.getppid()
    while number == 13 and os.getppid() == parent:
        time.sleep(0.02)
    (Path(folder) / f"{number}.{time.monotonic_ns()}").write_text(str(os.getpid()))
    return {"square": number * number, "pair": (number, None)}


def fail(task: int) -> int:
    if task == 3:
        raise Unsuitable("three is not to my liking")
    return task


def die(task: int) -> int:
    os._exit(9)


if __name__ == "__main__":  # tasks.py FOLDER CORES COUNT: a run that a test kills or interrupts
    folder, cores, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    settings = Settings(count, cores=cores, folder=Path(folder))
    tasks = [(folder, number) for number in range(count)]
    try:
        gather(settings, "squares", tasks, square, lambda words: print(words, file=sys.stderr, flush=True))
    except KeyboardInterrupt as stopped:
        print(stopped, file=sys.stderr)
        sys.exit(130)
