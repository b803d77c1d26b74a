"""Games as searches are told to see them: other evaluations, and draws that count more or less."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
import random_chance
import random_games
import zermelo as z
from zermelo.checking.conformance import check
from zermelo.games.graph import graph_game
from zermelo.rules import Game, Position

pytestmark = pytest.mark.usefixtures("calling_rules")
SEEDS = st.integers(0, 2**40)
NAMED = {
    "othello": {"rows": 4, "cols": 4},
    "breakthrough": {"width": 4, "height": 5},
    "connect-four": {"width": 5, "height": 4},
    "einstein": {"size": 4, "stones": 3},
    "dark-chess": {"rows": 2, "cols": 4, "pieces": "KGCPkgcp", "quiet_plies": 20},
}


@pytest.mark.parametrize("name", NAMED)
def test_games_have_several_evaluations_that_differ(name: str) -> None:
    game = z.games.load(name, NAMED[name])
    assert len(game.evaluations) >= 3
    assert check(game, games=5, modes=("interpreted",)).problems == []
    seen: dict[str, list[float]] = {evaluation: [] for evaluation in game.evaluations}
    position = game.position()
    while position.result is None:
        for evaluation, rule in game.evaluations.items():
            seen[evaluation].append(float(rule(position.state)))
        position = position.play(position.codes[len(position.codes) // 2])
    assert len({tuple(numbers) for numbers in seen.values()}) == len(seen)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED)
def test_evaluations_are_the_same_in_both_modes(name: str) -> None:
    assert check(z.games.load(name, NAMED[name]), games=20).problems == []


@pytest.mark.slow
def test_a_search_by_another_evaluation_is_that_of_another_game() -> None:
    game = z.games.load("othello", NAMED["othello"])
    other = replace(game, evaluate=game.evaluations["discs"])
    for method in ("alphabeta", "negascout", "minimax"):
        told = z.search(game, f"{method}(depth=3, evaluation=discs)", mode="interpreted")
        assert told.value == z.search(other, f"{method}(depth=3)", mode="interpreted").value
        assert told.position.game is game


PLAIN = random_games.random_game(spread=1)
DICE = random_chance.random_chance(spread=1, dyadic=True)
ROUND = random_games.random_game(size=7, spread=1, repetition="draw")


@cache
def with_draws(game: Game, drawn: float) -> Game:
    """By hand: a draw scores something else, at the end and by repetition."""
    result = game.result

    def other(s):
        return drawn if result(s) == 0 else float(result(s))

    return replace(game, result=other, drawn=drawn, values=(-1.0, 1.0))


@pytest.mark.parametrize("game", [PLAIN, ROUND], ids=["plain", "round"])
@pytest.mark.parametrize("method", ["alphabeta", "mtdf"])
@settings(max_examples=20)
@given(seed=SEEDS, contempt=st.sampled_from([-0.5, 0.25]))
def test_contempt_proves_what_is_true(game: Game, method: str, seed: int, contempt: float) -> None:
    position = random_games.seeded(game, seed)
    answer = z.search(position, f"{method}(contempt={contempt}, depth=30, mode=interpreted)")
    if answer.status == "proven":
        assert answer.value == oracles.value(position)
        assert set(answer.best) <= set(oracles.best_moves(position))


@pytest.mark.parametrize("game", [PLAIN, ROUND, DICE], ids=["plain", "round", "dice"])
@settings(max_examples=20)
@given(seed=SEEDS, contempt=st.sampled_from([-0.5, 0.25]))
def test_contempt_is_a_draw_of_another_score(game: Game, seed: int, contempt: float) -> None:
    position = random_games.seeded(game, seed)
    if position.turn == 2:
        return
    method, definition = ("star1", oracles.expected) if game is DICE else ("alphabeta", oracles.value)
    answer = z.search(position, f"{method}(contempt={contempt}, depth=2, mode=interpreted)")
    drawn = -contempt if position.turn == 0 else contempt
    seen = float(definition(Position(with_draws(game, drawn), position.state), 2))
    if answer.status == "heuristic":
        assert answer.value == pytest.approx(seen)
    else:
        assert answer.value == (0 if seen == drawn else seen)


def test_solving_knows_no_contempt() -> None:
    answer = z.solve(z.games.tic_tac_toe(), method="alphabeta(contempt=0.5)", mode="interpreted")
    assert (answer.value, answer.status) == (0, "proven")


def test_tree_search_avoids_a_draw_by_repetition() -> None:
    nodes = {
        "A": {"turn": "max", "moves": ["B", "L"]}, "B": {"turn": "min", "moves": ["A"]}, "L": {"estimate": -0.3}
    }  # fmt: skip
    game = graph_game({"root": "A", "repetition": "draw", "values": [-1, 1], "nodes": nodes})
    for contempt, best in ((0, "B"), (0.5, "L")):
        answer = z.search(game, f"mcts(playouts=200, seed=1, contempt={contempt})", mode="interpreted")
        assert answer.best == [best]


def test_ratings_become_contempt() -> None:
    game = z.games.tic_tac_toe()
    notes = dict(z.search(game, "alphabeta(rating=200, depth=3)", mode="interpreted").notes)
    assert notes["contempt"] == "a draw counts as -0.519 for the first player"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("alphabeta(contempt=1)", "tic-tac-toe: contempt must lie between -1 and 1, not at 1"),
        ("boolean(contempt=0.5)", "boolean decides claims about scores, and knows no contempt"),
        ("alphabeta(contempt=0.2, rating=100)", "leave out contempt or rating"),
    ],
)
def test_what_is_refused(text: str, words: str) -> None:
    with pytest.raises(z.ZermeloError, match=words):
        z.search(z.games.tic_tac_toe(), text, mode="interpreted")
