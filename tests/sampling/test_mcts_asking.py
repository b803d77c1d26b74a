"""How Monte-Carlo tree search is asked and how it answers: settings that make no sense, games of objects, `policy`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from grown import grown, never_wrong
from tiny import tiny
from zermelo import games
from zermelo.checking.conformance import check
from zermelo.methods.requests import request
from zermelo.rules import ONGOING, Game, ZermeloError, rule

START = games.tic_tac_toe().position()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"playouts": 0}, "playouts must be at least 1, not 0"),
        ({"c": -1}, "c must be a number from 0 on, not -1"),
        ({"c": float("nan")}, "c takes a number, not nan"),
        ({"select": "ucb"}, "select cannot be ucb: did you mean uct"),
        ({"widen_alpha": 2}, "widen_alpha must be from 0 to 1, not 2"),
        ({"widen_c": float("inf")}, "widen_c must be a number above 0, not inf"),
        ({"minimax": 1.5}, "minimax must be from 0 to 1, not 1.5"),
        ({"expand": 0}, "expand must be at least 1, not 0"),
        ({"threads": 0}, "the number of threads must be at least 1, not 0"),
        ({"memory": 100}, "mcts needs at least .* bytes to look at one position of tic-tac-toe, not 100"),
        ({"threads": 65}, "a tree can be grown by at most 64 threads, not 65"),
        ({"playouts": "many"}, "playouts"),
        ({"bais": 1}, "mcts has no setting bais"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ZermeloError, match=sentence):
        grown(START, **settings)


def test_every_move_is_told_of() -> None:
    answer = grown(START, playouts=60)
    moves = answer.details["moves"]
    assert {told["move"] for told in moves} == set(START.moves())
    assert [told["visits"] for told in moves] == sorted((told["visits"] for told in moves), reverse=True)
    for told in moves:
        low, high = told["bounds"]
        assert -1 <= low <= told["value"] <= high <= 1
        assert told["line"][0] == told["move"]
    assert (answer.status, answer.best) == ("heuristic", [moves[0]["move"]])


def test_a_game_of_objects_without_a_key_is_a_plain_tree() -> None:
    game = Game(
        name="pile", State=None, start=(7, 0), max_moves=2, max_plies=7, turn=lambda s: s[1],
        moves=lambda s: [n for n in (1, 2) if n <= s[0]], play=lambda s, n: (s[0] - n, 1 - s[1]),
        result=lambda s: (1 if s[1] else -1) if s[0] == 0 else ONGOING,
    )  # fmt: skip
    answer = grown(game.position(), playouts=300, mode=None)
    assert (answer.status, answer.value, answer.best) == ("proven", 1, ["1"])


@pytest.mark.parametrize("bounds", [(-1, 1), (-50, 50), (-1, 99)])
def test_doubt_is_measured_by_what_results_are(bounds: tuple[int, int]) -> None:
    """However far results could lie apart: the move that wins is the one that is looked at."""
    game = replace(tiny(left=8), values=bounds)
    answer = grown(game.position(), playouts=1000, solver=False)
    best, other = answer.details["moves"]
    assert best["move"] == "2"
    assert best["visits"] > 5 * other["visits"]


def with_policy(*likely: float) -> Game:
    """Take one or two: how likely each is."""
    one, two = likely

    @rule
    def policy(s, move):
        return one if move == 1 else two

    return replace(tiny(left=40), policy=policy)


def test_policy_in_playouts() -> None:
    """Who always takes two ends a game of 40 after 20 plies."""
    game = with_policy(0.0, 1.0)
    playing, not_playing = (grown(game.position(), playouts=1, playout=kind).nodes for kind in ("policy", "light"))
    assert playing in (20, 21)
    assert not_playing > 21


def test_policy_in_the_tree() -> None:
    answers = [
        grown(game.position(), select="puct", playouts=30, c=3.0)
        for game in (with_policy(0.02, 0.98), with_policy(1.0, 1.0))
    ]
    liked, even = ({told["move"]: told["visits"] for told in answer.details["moves"]} for answer in answers)
    assert liked["2"] > 2 * liked["1"]
    assert liked["2"] > even["2"]


@pytest.mark.parametrize("likely", [(-1.0, 2.0), (float("nan"), 1.0), (0.0, 0.0)])
def test_policies_that_say_nothing_do_no_harm(likely: tuple[float, float]) -> None:
    answer = grown(with_policy(*likely).position(), select="puct", playout="policy", playouts=100)
    never_wrong(answer, lambda after: 1 if (after.state.left % 3 > 0) != bool(after.state.plies % 2) else -1)


def test_check_finds_a_policy_that_is_negative() -> None:
    assert not check(with_policy(0.0, 2.0), games=2, seed=1, modes=("interpreted",)).problems
    found = check(with_policy(-1.0, 2.0), games=2, seed=1, modes=("interpreted",))
    assert "policy must give numbers from 0 on: -1 2" in found.text()


def test_moves_that_are_picked() -> None:
    """Whoever takes one at a time from five leaves the last to who began with one, and from four after two, too."""
    game = replace(tiny(left=5), pick=rule(lambda s, number: 1))
    for mode in ("compiled", "interpreted"):
        asked = request(f"mcts(playouts=2, playout=light, seed=1, mode={mode})", game, "search")
        with asked.open(game) as session:
            moves = {move["move"]: move["value"] for move in session.search(game.position()).details["moves"]}
        assert moves == {"1": 1, "2": -1}


@pytest.mark.parametrize(
    ("pick", "sentence"),
    [
        (lambda s, number: 3, "pick must give legal moves: 3, but legal are [1, 2]"),
        (lambda s, number: 1 + (s.left > 1 and number > 2**31 + 2**30), "pick must give all moves equally often"),
        (lambda s, number: 1, "equally often, and outcomes by their weights: 1 256 times and not about 128"),
    ],
)
def test_moves_that_are_badly_picked(pick: Any, sentence: str) -> None:
    found = check(replace(tiny(), pick=rule(pick)), games=2, seed=1, modes=("interpreted",))
    assert sentence in found.text()


def test_moves_that_are_picked_well() -> None:
    game = replace(tiny(), pick=rule(lambda s, number: 1 + (number * (2 if s.left > 1 else 1) >> 32)))
    assert check(game, games=5, seed=1).problems == []


def test_a_request_in_words() -> None:
    asked = request("mcts(playouts=10, select=puct, c=1.5, widen=both)", START.game, "search")
    with asked.open(START.game) as session:
        assert session.search(START).details["playouts"] == 10
