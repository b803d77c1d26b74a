"""What is around the kernels: attitudes, depth rules, symmetry, approximate probes, iterative deepening."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import oracles
from random_chance import random_chance, seeded
from zermelo import games
from zermelo.chance.engine import ChanceEngine
from zermelo.chance.options import ChanceOptions
from zermelo.chance.risk import profile
from zermelo.chance.symmetry import distinct_outcomes
from zermelo.compile.watch import Limits
from zermelo.games.graph import graph_game
from zermelo.methods.asking import best_move, search
from zermelo.methods.registry import method_named
from zermelo.rules import Game, MoveError, Unsuitable

GAME = random_chance()


def bet(sure: int, lucky: int, unlucky: int) -> Game:
    """A sure score, in tenths, or a gamble."""
    return graph_game(
        {
            "root": "A",
            "values": [-10, 10],
            "nodes": {
                "A": {"turn": "max", "moves": ["sure", "gamble"]},
                "sure": {"value": sure},
                "gamble": {"turn": "chance", "moves": {"win": lucky, "loss": unlucky}},
                "win": {"value": 10},
                "loss": {"value": -10},
            },
        }
    )


@pytest.mark.parametrize(
    ("game", "attitude", "tolerance", "best"),
    [
        (bet(1, 11, 9), "expected", None, ["sure", "gamble"]),
        (bet(1, 56, 44), "expected", None, ["gamble"]),
        (bet(1, 56, 44), "safe", 0.5, ["sure"]),
        (bet(1, 56, 44), "safe", 0.1, ["gamble"]),
        (bet(1, 54, 46), "hope", 0.5, ["sure"]),
        (bet(-1, 44, 56), "hope", 0.5, ["gamble"]),
        (bet(-1, 44, 56), "hope", 0.1, ["sure"]),
        (bet(-1, 46, 54), "safe", 0.5, ["gamble"]),
    ],
)
def test_attitudes(game: Game, attitude: str, tolerance: float | None, best: list[str]) -> None:
    options = ChanceOptions(attitude=attitude, tolerance=tolerance)
    assert search(game, "star2.5", depth=5, options=options).best == best


def test_random_choice_stays_within_the_tolerance() -> None:
    options = ChanceOptions(attitude="random", tolerance=0.5)
    game = bet(1, 56, 44)

    def chosen(seed: int, options: ChanceOptions) -> str:
        return search(game, "star1", depth=5, options=options, seed=seed, mode="interpreted").best[0]

    assert {chosen(seed, options) for seed in range(20)} == {"sure", "gamble"}
    assert {chosen(seed, replace(options, tolerance=0.01)) for seed in range(5)} == {"gamble"}


def test_a_profile_adds_up() -> None:
    engine = ChanceEngine(GAME, method_named("star1"), mode="interpreted", memory="64KB")
    for seed in range(15):
        position = seeded(GAME, seed)
        engine.watched(Limits(), None)
        found = profile(engine, position, 20)
        assert found is not None
        assert found.win + found.draw + found.loss == pytest.approx(1)
        assert found.open == 0
        assert found.mean == pytest.approx(float(oracles.expected(position)))


def test_the_opening_of_dark_chess_has_56_outcomes() -> None:
    found = distinct_outcomes(games.dark_chess().position())
    assert len(found) == 7 * 8
    assert len({outcome.move for outcome in found}) == 8
    assert all(outcome.moves == 4 and outcome.whole == 32 for outcome in found)
    with pytest.raises(Unsuitable, match="no symmetry"):
        distinct_outcomes(games.pig().position())


def test_merged_outcomes_do_not_change_the_value() -> None:
    game = games.dark_chess(rows=2, cols=3, pieces="KGPkgp")
    values, nodes = [], []
    for merge in (True, False):
        engine = ChanceEngine(game, method_named("star1"), ChanceOptions(merge=merge), mode="interpreted")
        watch = engine.watched(Limits(), None)
        values.append(engine.search(game.position(), 3, -1.0, 1.0))
        nodes.append(watch.nodes)
    assert values[0] == pytest.approx(values[1], abs=1e-9)
    assert nodes[0] < nodes[1]


@pytest.mark.parametrize(
    "rules", [{"max_chance": 1}, {"chance_margin": 1}, {"chance_gap": 2}, {"chance_charge": 1}, {"chance_last": True}]
)
def test_depth_rules_search_less_and_say_so(rules: dict[str, Any]) -> None:
    fewer = 0
    for seed in range(6):
        position = seeded(GAME, seed)
        plain = search(position, "star0", depth=6, options=ChanceOptions(table=False), mode="interpreted")
        ruled = search(position, "star0", depth=6, options=ChanceOptions(table=False, **rules), mode="interpreted")
        again = search(position, "star1", depth=6, options=ChanceOptions(**rules), mode="interpreted", memory="64KB")
        assert ruled.value == pytest.approx(again.value, abs=1e-8)  # the table tells paths apart
        fewer += ruled.nodes < plain.nodes
        if rules == {"chance_last": True}:
            assert ruled.value == pytest.approx(plain.value, abs=1e-8)
    assert fewer or rules == {"chance_last": True}


def test_rules_that_forbid_every_move_are_refused() -> None:
    start = games.dark_chess(rows=2, cols=2, pieces="KPkp").position()
    with pytest.raises(Unsuitable, match="forbids every move"):
        search(start, "star1", depth=2, options=ChanceOptions(max_chance=0), mode="interpreted")
    with pytest.raises(Unsuitable, match="must be below the depth"):
        search(start, "star1", depth=2, options=ChanceOptions(chance_margin=2), mode="interpreted")


@pytest.mark.parametrize("name", ["star-promising", "star-estimate"])
@pytest.mark.parametrize("estimator", ["static", "shallow", "sampled"])
def test_approximate_probes_are_heuristic_and_exact_when_they_trust_nothing(name: str, estimator: str) -> None:
    method = method_named(name)
    doubting = replace(method.options, estimator=estimator, error=100.0, confidence=0.999)
    for seed in range(8):
        position = seeded(GAME, seed)
        answer = search(position, name, depth=5, options=doubting, mode="interpreted", memory="64KB")
        assert answer.status == "heuristic"
        assert answer.details["confidence"] == 0.999
        exact = search(position, "star1", depth=5, mode="interpreted", memory="64KB")
        assert answer.value == pytest.approx(exact.value, abs=1e-8)


def test_a_chance_position_has_a_value_and_no_move() -> None:
    start = games.einstein(size=3, stones=2).position()
    answer = search(start, "star2.5", depth=3, mode="interpreted")
    assert answer.best == []
    assert answer.value is not None
    with pytest.raises(MoveError, match="expected value is"):
        best_move(start, "star2.5", depth=3, mode="interpreted")
    assert best_move(start.play("1"), "star2.5", depth=3, mode="interpreted") in start.play("1").moves()


def test_deepening_ends_when_the_value_is_certain() -> None:
    answer = search(seeded(GAME, 3), "star2.5", seconds=60, mode="interpreted", memory="64KB")
    assert answer.status == "proven"
    assert answer.stopped is None
