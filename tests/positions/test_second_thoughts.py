"""A search that takes longer than all positions at once would gives way to them, and otherwise is what it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zermelo import games
from zermelo.compile import watch
from zermelo.compile.modes import mode_for
from zermelo.compile.watch import Limits, Progress
from zermelo.core.question import Question
from zermelo.core.request import Request
from zermelo.methods.choice import choose
from zermelo.methods.requests import request
from zermelo.positions import second_thoughts, whole
from zermelo.positions.all_positions import TooLarge, make_ready
from zermelo.positions.estimating import Estimate
from zermelo.positions.fixpoint import WANTED, solve_by_fixpoint
from zermelo.positions.forecast import Forecast, forecast
from zermelo.positions.second_thoughts import SecondThoughts, may_give_way
from zermelo.rules import Game

SLOW = "minimax(table=off, order=none, knowledge=off)"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even on a machine that has other things to do."""
    monkeypatch.setattr(second_thoughts, "PATIENCE", 0.01)
    monkeypatch.setattr(second_thoughts, "WALKING", 60.0)
    monkeypatch.setattr(watch, "REPORT_EVERY", 0.0)  # a search that gives way at once is told of, too


def thinking_twice(game: Game, text: str = SLOW, mode: str = "interpreted") -> Request:
    return replace(request(text, game, "solve", mode=mode), worker=SecondThoughts)


def test_a_slow_search_gives_way(impatient: None) -> None:
    game = games.tic_tac_toe()
    told: list[Progress] = []
    with thinking_twice(game).open(game) as session:
        answer = session.solve(listener=told.append)
    assert (answer.value, answer.status, answer.method, answer.stopped) == (0, "proven", "fixpoint", None)
    assert answer.complete
    assert len(answer.best) == 9
    assert "minimax had searched for" in answer.why
    assert "5,478" in answer.why
    assert any("or else all positions at once, about 5,478" in progress.doing for progress in told)
    assert answer.nodes > 5478  # what both took


def test_nothing_changes_for_a_search_that_ends(impatient: None) -> None:
    game = games.tic_tac_toe()
    usual = request("mtdf", game, "solve", mode="interpreted")
    with usual.open(game) as plain, replace(usual, worker=SecondThoughts).open(game) as other:
        once, twice = plain.solve(), other.solve()
    assert (once.nodes, once.leaves, once.best, once.method) == (twice.nodes, twice.leaves, twice.best, twice.method)


@pytest.mark.parametrize("limits", [Limits(nodes=2000), Limits(depth=2), Limits(seconds=0.3)], ids=str)
def test_limits_are_the_searchs_own(impatient: None, limits: Limits) -> None:
    game = games.connect_four(width=4, height=4)
    with thinking_twice(game).open(game) as session:
        answer = session.solve(limits=limits)
    assert answer.method == "minimax"
    assert answer.status != "proven"


def test_a_game_that_does_not_fit_is_searched_on(impatient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the forecast was too low, the search begins again with what its table has kept."""
    game = games.tic_tac_toe()
    few = Estimate(10, 10, 10, exact=True)
    monkeypatch.setattr(second_thoughts, "forecast", lambda *_, **__: Forecast(few, 1.0, 0.0))
    refused: list[int] = []

    def too_large(*_: object) -> None:
        refused.append(1)
        monkeypatch.setattr(second_thoughts, "PATIENCE", 1e9)
        raise TooLarge("too large")

    monkeypatch.setattr(second_thoughts.FixpointWorker, "solve_within", too_large)
    with thinking_twice(game, "alphabeta(table=off, order=none)").open(game) as session:
        answer = session.solve(value_only=True)
    assert refused
    assert (answer.value, answer.status, answer.method) == (0, "proven", "alphabeta")


def test_who_gives_way() -> None:
    assert choose(games.connect_four()).worker is SecondThoughts
    assert choose(games.connect_four(), "prove").worker is None
    assert choose(games.connect_four(), claim=1).worker is None
    assert not may_give_way(games.dobutsu())
    assert not may_give_way(games.pig())
    assert request("mtdf", games.connect_four(), "solve").worker is None
    assert request(None, games.connect_four(), "solve", table=False).worker is None


def test_what_is_forecast_is_what_it_takes() -> None:
    game = games.connect_four(width=4, height=4)
    position = game.position()
    ahead = forecast(position, WANTED, "compiled", 1 << 20, 1.0)
    assert ahead.positions.low <= 161_029 <= ahead.positions.high
    whole_game = replace(ahead, positions=Estimate(161_029, 161_029, 161_029, exact=True))
    way = mode_for(game, "compiled")
    make_ready(game, WANTED, way)
    with pytest.raises(TooLarge):
        solve_by_fixpoint(position, memory=int(0.6 * whole_game.bytes), mode="compiled")
    assert solve_by_fixpoint(position, memory=int(1.7 * whole_game.bytes), mode="compiled").status == "proven"
    assert forecast(position, WANTED, "compiled", 1 << 30, 60.0).positions.count == 161_029


def test_where_play_goes_round_nothing_is_tried_that_cannot_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.dobutsu()
    position = game.position("g1e/E1C/2l/1L1[Cg] b")
    many = Estimate(None, 1e12, float("inf"))
    monkeypatch.setattr(whole, "forecast", lambda *_, **__: Forecast(many, 100.0, 1e-6))
    monkeypatch.setattr(whole, "FEW", {"interpreted": 1 << 16})
    monkeypatch.setattr(whole, "EASY", {"interpreted": 1})
    worker = whole.WholeWorker(game, request("whole", game, "solve", mode="interpreted"), "interpreted")
    budgets: list[int] = []
    tried = worker.all.solve_within
    monkeypatch.setattr(worker.all, "solve_within", lambda q, budget: budgets.append(budget) or tried(q, budget))  # type: ignore[func-returns-value]
    answer = worker.solve(Question(position, value_only=True))
    assert budgets == [1 << 16]
    assert (answer.status, answer.method) == ("proven", "dfpn")
