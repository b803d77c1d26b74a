"""A search leaves the settings of the process as it found them, however many run at once."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tiny import tiny
from zermelo import check, games, perft, solve
from zermelo.compile.modes import Interpreted
from zermelo.compile.process import recursion_limit, start_thread
from zermelo.compile.watch import Watch
from zermelo.rules.files import save


def settings() -> tuple[Any, ...]:
    mask = os.umask(0o22)
    os.umask(mask)
    return sys.getrecursionlimit(), np.geterr(), threading.stack_size(), mask


@pytest.fixture(autouse=True)
def _unchanged() -> Iterator[None]:
    before = settings()
    yield
    assert settings() == before


@pytest.mark.parametrize("mode", ["compiled", "interpreted"])
def test_after_a_search(mode: str) -> None:
    before = settings()
    assert perft(tiny(), 3, mode=mode).paths > 0
    assert settings() == before


def test_the_room_that_a_search_has() -> None:
    usual = sys.getrecursionlimit()
    watch = Watch([Interpreted().workspace(games.connect_four())])
    assert watch.run(sys.getrecursionlimit) > usual
    assert watch.run(np.geterr)["over"] == "ignore"


def test_after_a_file_is_written(tmp_path: Path) -> None:
    os.umask(before := os.umask(0o27))
    save(tmp_path / "usual", "text")
    os.umask(0o27)
    try:
        save(tmp_path / "narrow", "text")
    finally:
        os.umask(before)
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("usual", "narrow")] == [0o666 & ~before, 0o640]


def test_numpy_is_as_the_caller_wants_it() -> None:
    """Rules wrap around wherever they are run, and the caller's own overflow is still told."""
    with np.errstate(over="raise"):
        game = games.hex(size=2)
        assert solve(game, mode="interpreted").value == 1
        assert perft(game, 2, mode="interpreted").paths == 12
        assert not check(game, games=3, modes=("interpreted",)).problems
        position = game.position().play(game.position().moves()[0])
        assert str(position)
        assert {position: 1}[position] == 1
        with pytest.raises(FloatingPointError):
            np.float64(1e308) * np.float64(10)


@pytest.mark.parametrize("name", [name for name in games.names() if name not in ("graph", "openspiel")])
def test_games_are_made_and_played_where_overflow_is_an_error(name: str) -> None:
    with np.errstate(over="raise"):
        position = games.load(name).position()
        for _ in range(8):
            if position.codes:
                position = position.play(position.codes[-1])
        assert str(position)
        assert hash(position) == hash(position)


def test_threads_that_start_at_once_leave_the_usual_stack() -> None:
    def start_some() -> None:
        for _ in range(20):
            start_thread(lambda: None).join()

    starters = [threading.Thread(target=start_some) for _ in range(8)]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join()


def test_the_deepest_of_several_decides_about_recursion() -> None:
    usual = sys.getrecursionlimit()
    entered, leave = [threading.Event() for _ in range(2)], [threading.Event() for _ in range(2)]

    def hold(number: int, frames: int) -> None:
        with recursion_limit.at_least(frames):
            entered[number].set()
            leave[number].wait()

    threads = [threading.Thread(target=hold, args=(n, usual + 1000 * (n + 1))) for n in range(2)]
    for number, thread in enumerate(threads):
        thread.start()
        entered[number].wait()
    assert sys.getrecursionlimit() == usual + 2000
    leave[0].set()  # the first to come is the first to go
    threads[0].join()
    assert sys.getrecursionlimit() == usual + 2000
    leave[1].set()
    threads[1].join()
    assert sys.getrecursionlimit() == usual


def test_a_limit_of_recursion_that_somebody_else_sets_stays() -> None:
    usual = sys.getrecursionlimit()
    try:
        with recursion_limit.at_least(usual + 1000):
            sys.setrecursionlimit(usual + 5)
        assert sys.getrecursionlimit() == usual + 5
    finally:
        sys.setrecursionlimit(usual)


def test_a_failure_gives_the_room_back() -> None:
    with pytest.raises(LookupError), recursion_limit.at_least(sys.getrecursionlimit() + 1000):
        raise LookupError


CHILDREN = """
import os, sys, threading
from pathlib import Path
from zermelo.compile.process import in_a_child

def work():
    Path(sys.argv[1], str(os.getpid() == parent)).touch()
    raise ValueError("nobody hears this")

parent = os.getpid()
in_a_child(work)
others = threading.Event()
threading.Thread(target=others.wait).start()
in_a_child(lambda: Path(sys.argv[1], "beside threads").touch())
others.set()
print("goes on")
"""


def test_a_child_works_alone_and_its_errors_are_its_own(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", CHILDREN, str(tmp_path)], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("goes on\n", "")
    assert [path.name for path in tmp_path.iterdir()] == (["False"] if hasattr(os, "fork") else [])
