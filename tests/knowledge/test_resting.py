"""Searches on games that rest on tables: the same values, fewer nodes, and no more certainty than there is."""

from __future__ import annotations

from pathlib import Path

import pytest

import oracles
from marks import slow
from numbered import numbered
from random_chance import random_chance
from random_games import random_game
from zermelo import search, solve
from zermelo.knowledge.building import build_table
from zermelo.knowledge.resting import with_tables
from zermelo.rules import Game, Position

SIZE = 24


@pytest.fixture(scope="module")
def resting(tmp_path_factory: pytest.TempPathFactory) -> tuple[Game, Game]:
    """A game, and the same game resting on a table of its lower half."""
    game = numbered(random_game(size=SIZE, moves=3, span=3), 3, SIZE, 4)
    folder = tmp_path_factory.mktemp("tables") / "t"
    build_table(game, folder, highest="tier 1", mode="interpreted")
    return game, with_tables(game, [folder])


@pytest.mark.parametrize("method", ["alphabeta", "dfpn", "mcts", *slow("mtdf", "negascout", "boolean", "pn", "mopn")])
def test_every_family_asks_the_table(resting: tuple[Game, Game], method: str) -> None:
    game, known = resting
    settings = {"mode": "interpreted", "playouts": 500} if method == "mcts" else {"mode": "interpreted"}
    plain, helped = solve(game, method=method, **settings), solve(known, method=method, **settings)
    assert helped.value == plain.value == oracles.value(Position(game))
    assert helped.status == "proven"
    assert helped.nodes < plain.nodes
    assert helped.details["rests_on"] == list(known.rests_on.names)
    assert "rests_on" not in plain.details


@pytest.mark.parametrize("method", ["star1", "star2.5", "star-negascout", "mcts"])
def test_expectations(tmp_path: Path, method: str) -> None:
    game = numbered(random_chance(size=14), 5, 14, 4)
    build_table(game, tmp_path / "t", highest="tier 2", mode="interpreted", wide=True)
    known = with_tables(game, [tmp_path / "t"])
    settings = {"playouts": 4000} if method == "mcts" else {}
    answer = solve(known, method=method, mode="interpreted", **settings)
    assert answer.value == pytest.approx(float(oracles.expected(Position(game))), abs=1e-9)
    known.rests_on.close()


def test_compiled(resting: tuple[Game, Game]) -> None:
    known = resting[1]
    one, other = (solve(known, method="alphabeta", mode=mode) for mode in ("interpreted", "compiled"))
    assert (one.value, one.nodes) == (other.value, other.nodes)


def test_history_takes_the_certainty_away(tmp_path: Path) -> None:
    game = numbered(random_game(size=9, spread=1, repetition="draw"), 4, 9)
    build_table(game, tmp_path / "t", mode="interpreted")
    known = with_tables(game, [tmp_path / "t"])
    fresh = solve(known, method="alphabeta", mode="interpreted")
    assert fresh.method == "table"
    assert (fresh.status, fresh.value) == ("proven", oracles.value(Position(game)))
    position = Position(known)
    later = position.play(position.codes[0])
    if later.result is None:
        assert search(later, method="alphabeta", mode="interpreted").status == "heuristic"
    known.rests_on.close()


def test_what_is_in_a_table_is_answered_at_once(tmp_path: Path) -> None:
    game = numbered(random_game(size=12, spread=1, repetition="draw"), 6, 12)
    build_table(game, tmp_path / "t", mode="interpreted")
    known = with_tables(game, [tmp_path / "t"])
    won = 0
    for node in range(12):
        state = known.start.copy()
        state.node = node
        position = Position(known, state)
        if position.result is not None:
            continue
        answer = search(position, mode="interpreted")
        assert (answer.method, answer.nodes, answer.value) == ("table", 0, oracles.value(position))
        assert set(answer.best) <= set(oracles.best_moves(position))
        assert answer.best
        assert not answer.complete or set(answer.best) == set(oracles.best_moves(position))
        if answer.value:
            won += 1
            for move in answer.line:
                position = position.play(move)
            assert position.result == answer.value
            assert len(answer.line) == answer.details["plies"]
    assert won > 0
    known.rests_on.close()
