"""How large a game is: what is counted, what random play shows, what solving would take, and what is refused."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from tiny import tiny
from zermelo import games
from zermelo.core.answer import Answer
from zermelo.games.graph import graph_game
from zermelo.knowledge import size as size_module
from zermelo.knowledge.size import TOO_LARGE, size
from zermelo.knowledge.size_play import play_at_random
from zermelo.knowledge.size_trials import Climb, Rung, _told, climb, proof_costs
from zermelo.methods.asking import solve
from zermelo.methods.requests import request
from zermelo.rules import RuleError, Unsuitable, from_object

LONG = 20.0
"""Seconds enough to count a small game, also where others want the machine."""


@pytest.fixture(scope="module")
def small() -> size_module.Size:
    return size(games.tic_tac_toe(), seconds=LONG, mode="interpreted", seed=1)


def test_a_small_game_is_counted(small: size_module.Size) -> None:
    assert (small.positions.exact, small.positions.count) == (True, 5478)
    assert small.games is not None
    assert (small.games.count, small.games.longest) == (255_168, 9)
    assert small.stopped is None


def test_what_it_would_take(small: size_module.Size) -> None:
    told = {outlook.task: outlook for outlook in small.outlooks}
    assert list(told) == ["solve", "prove", "all positions", "table"]
    assert told["solve"].note == "done while trying"
    assert told["table"].bytes == 5478
    assert told["all positions"].bytes is not None
    for outlook in told.values():
        assert outlook.low is not None
        assert outlook.seconds is not None
        assert outlook.high is not None
        assert 0 < outlook.low <= outlook.seconds <= outlook.high


def test_it_can_be_written_as_json(small: size_module.Size) -> None:
    told = json.loads(json.dumps(small.as_dict(), allow_nan=False))
    assert told["positions"] == {"exact": True, "count": 5478, "low": 5478, "high": 5478, "why": ""}
    assert told["games"]["count"] == 255_168
    assert told["plies"] == {"longest": 9, "most": 9}


def test_what_is_too_large_is_not_called_counted() -> None:
    told = size(games.connect_four(), seconds=0.3, mode="interpreted", seed=1)
    assert not told.positions.exact
    assert 1 <= told.positions.low < 4_531_985_219_092 < told.positions.high
    assert json.dumps(told.as_dict(), allow_nan=False)
    whole = next(outlook for outlook in told.outlooks if outlook.task == "all positions")
    assert whole.low is not None


@pytest.mark.slow
def test_what_does_not_fit_is_said() -> None:
    told = {one.task: one for one in size(games.pig(goal=20), seconds=LONG, mode="interpreted", memory="1MB").outlooks}
    assert told["all positions"].note == TOO_LARGE
    assert told["solve"].seconds is None
    assert "star2.5" in told["solve"].note


def test_dice_and_loops() -> None:
    pig = size(games.pig(goal=3), seconds=LONG, mode="interpreted", seed=1)
    assert pig.positions.exact
    assert pig.games is None
    assert [outlook.task for outlook in pig.outlooks] == ["solve", "all positions", "table"]
    assert {outlook.method for outlook in pig.outlooks} == {"expectation", "chance"}
    loop = graph_game({"root": "a", "repetition": "wins", "nodes": {
        "a": {"turn": "max", "moves": ["b", "c"]}, "b": {"turn": "min", "moves": ["a"]}, "c": {"value": 1},
    }})  # fmt: skip
    told = size(loop, seconds=LONG, seed=1)
    assert told.positions.count == 3
    assert next(outlook for outlook in told.outlooks if outlook.task == "all positions").seconds is None


class Countdown:
    """Take one or two; it has no key."""

    def __init__(self, left: int = 4, mover: int = 0) -> None:
        self.left, self.mover = left, mover

    def turn(self) -> int:
        return self.mover

    def moves(self) -> list[int]:
        return [1, 2][: self.left]

    def play(self, move: int) -> Countdown:
        return Countdown(self.left - move, 1 - self.mover)

    def result(self) -> int | None:
        return None if self.left else (1 if self.mover else -1)


def test_positions_that_cannot_be_told_apart() -> None:
    told = size(from_object(Countdown(), name="countdown", max_moves=2, max_plies=4), seconds=LONG, seed=1)
    assert told.positions.count is None
    assert "no key" in told.positions.why
    assert told.games is not None
    assert told.games.count == 5
    assert told.positions.high == pytest.approx(10**told.games.nodes)


# random play


def test_random_play() -> None:
    play = play_at_random(games.tic_tac_toe().position(), 0.2, seed=4)
    assert abs(play.plies - 7.65) < 3 * play.plies_error / 1.96 + 0.05
    assert (play.most_moves, play.longest, play.unfinished, play.decided) == (9, 9, 0, 0)
    assert play.over == pytest.approx(play.games / (play.games * (play.plies + 1)))
    board = play_at_random(games.connect_four(width=4, height=4).position(), 0.2, seed=4)
    assert 0 < board.decided < 0.5
    assert all(len(path) <= 17 for path in board.paths)


def test_dice_fall_by_their_weights() -> None:
    game = graph_game({"root": "a", "nodes": {
        "a": {"turn": "chance", "moves": {"b": 9, "c": 1}}, "b": {"value": 1}, "c": {"turn": "max", "moves": ["b"]},
    }})  # fmt: skip
    play = play_at_random(game.position(), 1.0, seed=1)
    assert play.games == 1000
    assert 1.05 < play.plies < 1.16


# how searches grow


def rungs(*nodes: float, ply: int = 20) -> list[Rung]:
    return [Rung(ply - number, nodes, 1.0, tiny().position()) for number, nodes in enumerate(nodes)]


def unfinished(nodes: int) -> Answer:
    answer = solve(tiny(), mode="interpreted")
    object.__setattr__(answer, "nodes", nodes)
    object.__setattr__(answer, "seconds", 2.0)
    return answer


def test_a_straight_line_is_drawn_on() -> None:
    told = _told(rungs(*(10.0 * 2**n for n in range(10)), ply=20), unfinished(4000), False)
    assert told.nodes == pytest.approx(10 * 2**20)
    assert told.low is not None
    assert told.high is not None
    assert told.low < 10 * 2**20 / 2 < 10 * 2**21 < told.high
    assert told.rate == 2000


def test_a_search_takes_no_less_than_it_took_already() -> None:
    told = _told(rungs(*([100.0] * 6), ply=6), unfinished(10**9), False)
    assert told.nodes == told.low == told.high == 10**9


def test_too_few_solved_tell_nothing() -> None:
    assert _told(rungs(10.0, 100.0, 1000.0), unfinished(5), False).nodes is None


def test_trials_reach_the_first_position() -> None:
    game = games.tic_tac_toe()
    play = play_at_random(game.position(), 0.1, seed=1)
    made = request("mtdf", game, "solve", mode="interpreted")
    done = climb(game.position(), made, play.paths, LONG, seed=1)
    assert done.solved
    assert done.nodes == solve(game, method="mtdf", mode="interpreted", value_only=True).nodes
    factor = proof_costs(done, LONG, "interpreted")
    assert factor is not None
    assert 1 < factor < 20


def test_trials_of_a_long_search() -> None:
    game = games.othello(rows=4, cols=6)
    play = play_at_random(game.position(), 0.3, seed=1)
    told = climb(game.position(), request("negascout", game, "solve", mode="interpreted"), play.paths, 0.6, seed=1)
    assert not told.solved
    plies = [rung.ply for rung in told.rungs]
    assert plies == sorted(plies, reverse=True)
    assert told.rate > 0


# what is refused, and what is left half done


@pytest.mark.parametrize("seconds", [0, -1, math.nan, math.inf])
def test_seconds_must_be_some(seconds: float) -> None:
    with pytest.raises(Unsuitable, match="above 0"):
        size(games.tic_tac_toe(), seconds=seconds)


def test_a_game_that_is_over() -> None:
    with pytest.raises(Unsuitable, match="the game is over"):
        size(tiny().position("2 2"))


def test_a_game_that_breaks_its_promises() -> None:
    with pytest.raises(RuleError, match="max_plies = 3"):
        size(replace(tiny(left=9), max_plies=3), seconds=LONG, mode="interpreted")
    with pytest.raises(RuleError, match="max_moves"):
        size(replace(tiny(left=9), max_moves=1), seconds=LONG, mode="interpreted")


def test_ctrl_c_keeps_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> Climb:
        raise KeyboardInterrupt

    monkeypatch.setattr(size_module, "climb", interrupted)
    told = size(games.tic_tac_toe(), seconds=LONG, mode="interpreted", seed=1)
    assert told.stopped == "interrupt"
    assert told.positions.count == 5478
    assert [outlook.task for outlook in told.outlooks] == ["all positions"]


# tables, and what goes on and on


def test_a_table_where_loops_depend_on_the_path_or_are_for_the_players_to_judge() -> None:
    """What all positions at once cannot solve, a table may."""
    told = {one.task: one for one in size(games.awari(pits=2, stones=2), seconds=LONG, mode="interpreted").outlooks}
    assert told["all positions"].seconds is None
    assert (told["table"].method, told["table"].note) == ("score", "")
    assert told["table"].seconds is not None
    chess = {one.task: one for one in size(games.chess(), seconds=0.2, mode="interpreted").outlooks}
    assert "loop_key" in chess["table"].note
    assert chess["table"].seconds is None


def test_no_table_of_python_objects() -> None:
    told = size(from_object(Keyed(), name="keyed", max_moves=2, max_plies=4), seconds=LONG)
    table = next(outlook for outlook in told.outlooks if outlook.task == "table")
    assert (table.seconds, table.note) == (None, "a table needs states made by struct, and these are Python objects")


class Keyed(Countdown):
    def play(self, move: int) -> Keyed:
        return Keyed(self.left - move, 1 - self.mover)

    def key(self) -> tuple[int, int]:
        return self.left, self.mover


def test_what_a_table_needs_in_memory() -> None:
    small = size(games.tic_tac_toe(), seconds=LONG, mode="interpreted", memory="1kB").outlooks
    assert small[-1].note == size_module.TOO_LARGE_TO_FIND
    tiers = size(games.awari(pits=2, stones=2), seconds=LONG, mode="interpreted", memory="100B").outlooks
    assert tiers[-1].note == size_module.TOO_LARGE_TIER


def test_a_repetition_that_ends_play_ends_a_random_game() -> None:
    game = games.awari(pits=2, stones=2)
    play = play_at_random(game.position(), 0.2, seed=1)
    assert play.unfinished == 0
    assert play.longest <= game.max_plies


def test_seconds_beyond_a_year_are_null() -> None:
    told = size_module.Outlook("solve", "mtdf", 6e11, 4e8, 9e12, 3.0).as_dict()
    assert (told["seconds"], told["low"], told["high"]) == (None, size_module.YEAR, None)
