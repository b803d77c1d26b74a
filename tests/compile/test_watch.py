"""Searches under observation: limited, listened to, interrupted, and always answering."""

from __future__ import annotations

import _thread
import math
import signal
from collections.abc import Callable
from functools import cache

import pytest

from marks import slow
from random_games import random_game, seeded
from zermelo import games, perft, search, solve
from zermelo.compile.modes import Interpreted
from zermelo.compile.watch import Limits, Progress, Watch
from zermelo.core.engine import Engine
from zermelo.core.method import PLAIN
from zermelo.core.solving import solve_with
from zermelo.methods.registry import method_named
from zermelo.rules import Unsuitable

LARGE = games.connect_four()  # far too large to be solved by interpreted rules


def pressing(interrupt: Callable[[], None], times: int = 1) -> Callable[[Progress], None]:
    """A listener that presses Ctrl-C when it first hears of the search, which is then surely under way."""
    left = [interrupt] * times

    def listener(progress: Progress) -> None:
        if left:
            left.pop()()

    return listener


@pytest.mark.parametrize(
    ("name", "value"),
    [("nodes", 0), ("nodes", -5), ("depth", 0), ("depth", -1), ("seconds", 0), ("seconds", -1), ("seconds", math.nan)],
)
def test_impossible_limits(name: str, value: float) -> None:
    with pytest.raises(Unsuitable, match=f"the limit of {name} must be .*, not {value}"):
        Limits(**{name: value})


def test_no_limits() -> None:
    assert Limits() == Limits(nodes=None, seconds=None, depth=None)


@pytest.mark.usefixtures("heeding_interrupts")
@pytest.mark.parametrize("interrupt", [lambda: signal.raise_signal(signal.SIGINT), _thread.interrupt_main])
@pytest.mark.parametrize("method", ["minimax", "alphabeta", "mtdf", "boolean"])
def test_an_interrupted_search_answers(interrupt: Callable[[], None], method: str) -> None:
    answer = solve(LARGE, method=method, mode="interpreted", memory="1MB", listener=pressing(interrupt))
    assert answer.stopped == "interrupt"
    assert answer.status in ("unknown", "bound")
    assert answer.nodes > 0
    low, high = answer.bounds
    assert low <= 1 <= high  # the first player is known to win


@pytest.mark.usefixtures("heeding_interrupts")
def test_an_interrupted_analysis_has_a_move() -> None:
    answer = search(
        LARGE, depth=40, mode="interpreted", memory="1MB", listener=pressing(_thread.interrupt_main)
    )
    assert answer.stopped == "interrupt"
    assert answer.status == "heuristic"
    assert set(answer.best) <= set(LARGE.position().moves())
    assert answer.best


@pytest.mark.usefixtures("heeding_interrupts")
def test_an_interrupted_count_says_so() -> None:
    count = perft(LARGE, 40, mode="interpreted", listener=pressing(_thread.interrupt_main))
    assert count.stopped == "interrupt"


@pytest.mark.usefixtures("heeding_interrupts")
def test_interrupted_twice() -> None:
    press_again = pressing(_thread.interrupt_main, times=2)
    answer = solve(LARGE, mode="interpreted", method="alphabeta", memory="1MB", listener=press_again)
    assert answer.stopped == "interrupt"


def test_a_listener_hears_how_far_the_search_is() -> None:
    heard: list[Progress] = []
    limits = Limits(seconds=0.5)
    answer = solve(LARGE, method="mtdf", mode="interpreted", limits=limits, memory="1MB", listener=heard.append)
    assert answer.stopped == "seconds"
    assert heard
    assert [p.nodes for p in heard] == sorted(p.nodes for p in heard)
    assert [p.seconds for p in heard] == sorted(p.seconds for p in heard)
    for progress in heard:
        assert -1 <= progress.low <= progress.high <= 1
        assert progress.doing == "searching"


def test_a_listener_hears_the_depth() -> None:
    heard: list[Progress] = []
    search(LARGE, "alphabeta", seconds=0.5, mode="interpreted", memory="1MB", listener=heard.append)
    depths = [p.depth for p in heard]
    assert all(depths)
    assert depths == sorted(depths)


def test_a_listener_that_fails_is_not_hidden() -> None:
    def listener(progress: Progress) -> None:
        raise OSError("nobody is there to read")

    with pytest.raises(OSError, match="nobody is there to read"):
        solve(LARGE, mode="interpreted", memory="1MB", limits=Limits(seconds=2), listener=listener)


def test_a_search_can_be_stopped_from_another_thread() -> None:
    one = Engine(LARGE, method_named("alphabeta"), PLAIN, mode="interpreted")
    answer = solve_with(one, LARGE.position(), listener=lambda progress: one.watch.stop("enough"))
    assert answer.stopped == "enough"
    assert answer.status == "unknown"


def test_the_first_reason_stays() -> None:
    watch = Watch([Interpreted().workspace(LARGE)])
    watch.stop("one")
    watch.stop("other")
    assert watch.reason == "one"
    assert watch.stopped


def test_what_a_job_returns_and_raises() -> None:
    watch = Watch([Interpreted().workspace(LARGE)])
    assert watch.run(lambda: 17) == 17

    def failing() -> None:
        raise LookupError("lost")

    with pytest.raises(LookupError, match="lost"):
        watch.run(failing)


def test_bounds_are_the_first_players() -> None:
    workspace = Interpreted().workspace(LARGE)
    for turn, expected in ((0, (-1, 0)), (1, (0, 1))):
        watch = Watch([workspace], turn=turn, low=-1, high=1)
        workspace["upper"] = 0
        assert watch.bounds() == expected


@cache
def engine(mode: str, threads: int = 1) -> Engine:
    table = threads > 1
    options = None if table else PLAIN
    return Engine(GAME, method_named("alphabeta"), options, mode=mode, memory="64KB", threads=threads)


GAME = random_game(size=25)


@pytest.mark.parametrize("mode", ["interpreted", *slow("compiled")])
@pytest.mark.parametrize("nodes", [1, 2, 10, 100])
def test_a_node_limit_is_kept(mode: str, nodes: int) -> None:
    answer = solve_with(engine(mode), seeded(GAME, 5), limits=Limits(nodes=nodes))
    assert answer.stopped == "nodes"
    assert answer.status == "unknown"
    assert nodes <= answer.nodes <= nodes + 1


def test_a_limit_that_is_not_reached_changes_nothing() -> None:
    one = engine("compiled")
    free = solve_with(one, seeded(GAME, 5))
    limited = solve_with(one, seeded(GAME, 5), limits=Limits(nodes=10**9, seconds=1000))
    assert (free.value, free.best, free.line, free.nodes) == (limited.value, limited.best, limited.line, limited.nodes)
    assert limited.stopped is None


@pytest.mark.parametrize("nodes", [100, *slow(1, 2, 5, 20, 300)])
def test_a_node_limit_shared_by_threads_proves_nothing_false(nodes: int) -> None:
    for seed in range(20):
        position = seeded(GAME, seed)
        truth = solve_with(engine("compiled"), position).value
        answer = solve_with(engine("compiled", threads=2), position, limits=Limits(nodes=nodes))
        low, high = answer.bounds
        assert low <= truth <= high
        if answer.status == "proven":
            assert answer.value == truth
        if answer.nodes > nodes:
            assert answer.stopped == "nodes"
