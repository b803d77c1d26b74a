"""What stays the same from one question to the next: seeds, and the tree below what was played."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from grown import grown, never_wrong, worth
from random_games import random_game, seeded
from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.core.answer import Answer
from zermelo.core.session import Session
from zermelo.methods.requests import request
from zermelo.play.sitting import play_game
from zermelo.rules import Game, Position, rule
from zermelo.sampling.mcts import least_memory
from zermelo.sampling.tree_engine import TreeEngine

TIC_TAC_TOE = games.tic_tac_toe()
GAME = random_game(size=40)


def opened(game: Game, **settings: Any) -> Session:
    return request("mcts", game, "search", **{"mode": "interpreted", "seed": 1, "memory": "1MB", **settings}).open(game)


def visits(answer: Answer) -> int:
    return sum(told["visits"] for told in answer.details["moves"])


def test_nodes_that_went_do_not_all_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree that was full makes nodes only where visits are so many that they will stay."""
    times, make_room = [], TreeEngine._make_room

    def counted(self: TreeEngine, ply: int) -> None:
        make_room(self, ply)
        times.append(self.workspaces[0]["expand"])

    monkeypatch.setattr(TreeEngine, "_make_room", counted)
    board = games.tic_tac_toe(rows=4, cols=4, run=4)
    with opened(board, playouts=2000, memory="64KB", playout="light") as session:
        session.search(board.position())
        assert 1 < len(times) < 10
        assert times == sorted(times)
        assert times[-1] > 2 * times[0]


def test_a_seed_makes_a_tree() -> None:
    first, again, another = (
        grown(TIC_TAC_TOE.position(), playouts=100, seed=seed).details for seed in (5, 5, 6)
    )  # fmt: skip
    assert first == again != another


def test_the_tree_below_what_was_played_is_kept() -> None:
    start = TIC_TAC_TOE.position()
    with opened(TIC_TAC_TOE, playouts=60, solver=False) as session:  # no proof ends the search early
        first = session.search(start)
        assert visits(first) == 60
        after = start.play(first.line[0]).play(first.line[1])
        second = session.search(after)
        assert second.details["playouts"] == 60
        assert visits(second) > 60
        third = session.search(after)
        assert visits(third) == visits(second) + 60


@pytest.mark.parametrize("where", ["elsewhere", "back", "beyond the tree"])
def test_another_position_starts_anew(where: str) -> None:
    start = TIC_TAC_TOE.position()
    begin, then = {
        "elsewhere": (start.play("a1"), start.play("b2")),
        "back": (start.play("a1").play("b2"), start),
        "beyond the tree": (start, start.play("a1").play("a2").play("a3").play("b1").play("b3").play("b2")),
    }[where]
    with opened(TIC_TAC_TOE, playouts=60) as session:
        session.search(begin)
        second = session.search(then)
    assert visits(second) == second.details["playouts"]


@settings(max_examples=10)
@given(game_seed=st.integers(0, 2**40), seed=st.integers(0, 99), playouts=st.integers(5, 60), tiny=st.booleans())
def test_a_tree_that_is_kept_is_never_wrong(game_seed: int, seed: int, playouts: int, tiny: bool) -> None:
    """Whole games by one session: also where nodes went, and where much is known of the root before it is one."""
    position = seeded(BOUNDED, game_seed)
    memory = least_memory(BOUNDED) if tiny else "1MB"
    with opened(BOUNDED, playouts=playouts, seed=seed, memory=memory) as session:
        while position.result is None:
            answer = session.search(position)
            never_wrong(answer, worth)
            likely = answer.details["moves"][: 2]
            position = position.play(likely[seed % len(likely)]["move"])


@rule
def at_least_the_truth(s):
    """Bounds that are right and tell more than the moves below do: only to be interpreted."""
    low, high = GAME.values
    return (worth(Position(GAME, s)) if s.node % 2 else low), high


BOUNDED = replace(GAME, bounds=at_least_the_truth)


def test_loops_and_tiny_memory_from_move_to_move() -> None:
    game = random_game(size=7, moves=2, repetition="wins")
    for seed in range(8):
        position = seeded(game, seed)
        with opened(game, playouts=40, memory=least_memory(game)) as session:
            while position.result is None:
                answer = session.search(position)
                never_wrong(answer, oracles.value)
                position = position.play(answer.best[0])


def test_pondering_grows_the_tree_that_is_asked_next() -> None:
    start = TIC_TAC_TOE.position()
    with opened(TIC_TAC_TOE, playouts=100) as session:
        session.ponder(start)
        time.sleep(0.01)  # it may have done nothing yet, or all it is allowed
        while session.running:
            time.sleep(0.01)
        assert visits(session.search(start)) == 200


def test_stopped_from_outside() -> None:
    with opened(TIC_TAC_TOE) as session:
        timer = threading.Timer(0.3, session.stop)
        timer.start()
        answer = session.search(TIC_TAC_TOE.position(), Limits(seconds=100))
        timer.join()
    assert (answer.stopped, answer.status) == ("stop", "heuristic")
    assert answer.best[0] in TIC_TAC_TOE.position().moves()


def test_limits() -> None:
    answer = grown(TIC_TAC_TOE.position(), nodes=500)
    assert (answer.stopped, answer.status) == ("nodes", "heuristic")
    assert 500 <= answer.nodes < 520


def test_two_of_them_play_a_game() -> None:
    asked = request("mcts", TIC_TAC_TOE, "play", mode="interpreted", playouts=150, seed=3)
    record = play_game(TIC_TAC_TOE, asked, asked)
    assert record.position.result is not None
