"""Sessions: one question after another, stopped, pondered, closed; in whichever mode is there first."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import zermelo as z
from zermelo.core import session as sessions

TIC_TAC_TOE = z.games.tic_tac_toe()
LARGE = z.games.connect_four()
PLAIN: dict[str, Any] = {"mode": "interpreted", "memory": "1MB"}


def opened(game: z.Game = LARGE, method: str | None = "alphabeta", purpose: str = "search", **more: Any) -> z.Session:
    return z.request(method, game, purpose, **{**PLAIN, **more}).open(game)


def later(act: Callable[[], None], session: z.Session) -> threading.Thread:
    """Do something as soon as a session is at work."""

    def work() -> None:
        while not session.running:
            time.sleep(0.001)
        time.sleep(0.05)
        act()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_one_question_after_another() -> None:
    with opened(TIC_TAC_TOE, None, "solve") as session:
        first = session.solve()
        again = session.solve()
        assert (first.value, first.best) == (again.value, again.best)
        assert again.nodes < first.nodes  # the table was kept
        assert session.solve(TIC_TAC_TOE.position("XX-OO----")).value == 1
        assert session.search(TIC_TAC_TOE.position("XX-OO----"), z.Limits(depth=2)).best == ["c1"]


@pytest.mark.parametrize("ask", ["solve", "search"])
def test_a_search_is_stopped_from_another_thread(ask: str) -> None:
    with opened() as session:
        thread = later(session.stop, session)
        answer = session.solve() if ask == "solve" else session.search(limits=z.Limits(seconds=600))
        thread.join()
        assert answer.stopped == "stop"
        assert set(answer.best) <= set(LARGE.position().moves())
        assert answer.best
        assert not session.running
        assert session.search(limits=z.Limits(depth=2)).depth == 2  # it goes on answering


@pytest.mark.parametrize("method", ["star2.5", "expectation"])
def test_searches_with_dice_are_stopped_too(method: str) -> None:
    game = z.games.einstein()
    with opened(game, method, "solve", memory="1GB") as session:
        thread = later(session.stop, session)
        assert session.solve().stopped == "stop"
        thread.join()


def test_a_search_of_all_positions_is_stopped_too() -> None:
    with opened(LARGE, "fixpoint", "solve", memory="1GB") as session:
        thread = later(session.stop, session)
        assert session.solve().stopped == "stop"
        thread.join()


def test_a_task_stops_a_search() -> None:
    async def both() -> z.Answer:
        with opened() as session:
            thinking = asyncio.create_task(asyncio.to_thread(session.search, None, z.Limits(seconds=600)))
            while not session.running:
                await asyncio.sleep(0.001)
            session.stop()
            return await thinking

    assert asyncio.run(both()).stopped == "stop"


def test_stop_before_start_and_stop_twice() -> None:
    session = opened()
    with pytest.raises(z.Unsuitable, match="nothing is being searched in this session"):
        session.stop()
    said: list[str] = []

    def twice() -> None:
        session.stop()
        try:
            session.stop()
        except z.Unsuitable as error:
            said.append(str(error))

    thread = later(twice, session)
    session.search(limits=z.Limits(seconds=600))
    thread.join()
    assert said[0].startswith(("the search was told to stop already", "nothing is being searched"))
    with pytest.raises(z.Unsuitable, match="nothing is being searched"):
        session.stop()


def test_two_questions_at_once() -> None:
    session = opened()
    said: list[str] = []

    def second() -> None:
        try:
            session.search(limits=z.Limits(depth=1))
        except z.Unsuitable as error:
            said.append(str(error))
        session.stop()

    thread = later(second, session)
    session.search(limits=z.Limits(seconds=600))
    thread.join()
    assert said == ["this session is searching already: wait for its answer, stop it, or open another session"]


def test_a_session_that_is_closed() -> None:
    session = opened()
    session.close()
    session.close()
    with pytest.raises(z.Unsuitable, match="this session is closed: open another one"):
        session.search(limits=z.Limits(depth=1))


def test_a_position_of_another_game() -> None:
    with pytest.raises(z.Unsuitable, match=r"this session searches connect-four\(.*, not tic-tac-toe"):
        opened().search(TIC_TAC_TOE.position())


def test_pondering_fills_the_table() -> None:
    position = LARGE.position("4444")
    with opened() as session:
        fresh = session.search(position, z.Limits(depth=5)).nodes
    with opened() as session:
        session.ponder(LARGE.position("444"))
        assert session.running
        time.sleep(0.3)
        assert session.search(position, z.Limits(depth=5)).nodes < fresh  # and it ended by itself
        session.ponder(position)
        session.stop()
        assert not session.running
        session.ponder(position)
    assert not session.running


def test_every_improvement_is_told() -> None:
    told: list[z.Progress] = []
    with opened() as session:
        answer = session.search(LARGE.position("44"), z.Limits(depth=6), told.append)
    rounds = [progress for progress in told if progress.value is not None]
    assert [progress.depth for progress in rounds if progress.line][-1] == answer.depth == 6
    assert {progress.depth for progress in rounds} >= {1, 2, 3, 4, 5, 6}
    assert rounds[-1].value == answer.value
    assert rounds[-1].line[0] in answer.best


def test_limits_of_the_request_and_of_the_question() -> None:
    with opened(depth=3) as session:
        assert session.search().depth == 3
        assert session.search(limits=z.Limits(depth=2)).depth == 2
        assert session.search(limits=z.Limits(depth=9)).depth == 3


# which mode

QUICK = {"memory": "1MB"}


def test_small_questions_are_answered_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "_compiled", set())
    monkeypatch.setattr(sessions, "PATIENCE", 60.0)
    monkeypatch.setattr(sessions, "PATIENCE_IF_KEPT", 60.0)
    answer = z.solve(TIC_TAC_TOE, **QUICK)
    assert (answer.mode, answer.value, answer.complete, answer.prelude) == ("interpreted", 0, True, "")
    assert answer.memory == "1MB"


def test_large_ones_are_compiled_and_begin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "_compiled", set())
    monkeypatch.setattr(sessions, "PATIENCE", 0.001)
    monkeypatch.setattr(sessions, "PATIENCE_IF_KEPT", 0.001)
    told: list[z.Progress] = []
    answer = z.solve(TIC_TAC_TOE, listener=told.append)
    assert (answer.mode, answer.value, answer.complete) == ("compiled", 0, True)
    assert "interpreted" in answer.prelude
    assert "compiling" in answer.prelude
    same = z.solve(TIC_TAC_TOE, mode="compiled")
    assert (same.nodes, same.best, same.line, same.prelude) == (answer.nodes, answer.best, answer.line, "")
    assert z.solve(TIC_TAC_TOE).prelude == ""  # from then on it is compiled at once


def test_a_stop_does_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "_compiled", set())
    monkeypatch.setattr(sessions, "PATIENCE", 0.05)
    monkeypatch.setattr(sessions, "PATIENCE_IF_KEPT", 0.05)
    release = threading.Event()
    session = z.request("alphabeta", LARGE, "search", memory="1MB").open(LARGE)
    usual = session._worker

    def worker(mode: str, game: object = None) -> Any:
        if mode == "compiled":
            release.wait()
        return usual(mode)

    monkeypatch.setattr(session, "_worker", worker)
    told: list[z.Progress] = []

    def listen(progress: z.Progress) -> None:
        told.append(progress)
        if progress.doing.startswith("compiling"):
            session.stop()

    answer = session.search(limits=z.Limits(seconds=600), listener=listen)
    release.set()
    assert (answer.stopped, answer.mode) == ("stop", "interpreted")
    assert answer.best
    assert told[-1].doing == "compiling connect-four for alphabeta"
