"""Star trees: the same seed is the same tree, in both modes, and its leaves and weights are spread as declared."""

from __future__ import annotations

import random
from statistics import fmean, pvariance
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from marks import slow
from twins import twin
from zermelo import games
from zermelo.checking.conformance import check
from zermelo.games.star_tree import seeded
from zermelo.rules import CHANCE, Game, Position, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")


def expectimax(position: Position) -> float:
    """The value of a tree by looking at all of it."""
    if position.result is not None:
        return position.result
    values = [expectimax(position.play(code)) for code in position.codes]
    if position.turn != CHANCE:
        return (max, min)[position.turn](values)
    weights = [position.game.weight(position.state, code) for code in position.codes]  # type: ignore[misc]
    return sum(w * v for w, v in zip(weights, values)) / sum(weights)


def leaves_below(position: Position) -> list[float]:
    if position.result is not None:
        return [position.result]
    return [leaf for code in position.codes for leaf in leaves_below(position.play(code))]


def native_leaves(game: Game, seed: int) -> list[Any]:
    """The leaves of a tree as the compiled rules see them, weights of the outcomes included."""
    known: dict[Any, Any] = {}
    moves, play, result, weight, turn = (
        twin(rule, known) for rule in (game.moves, game.play, game.result, game.weight, game.turn)
    )

    def walk(record: Any, ply: int) -> list[Any]:
        if ply == game.max_plies:
            return [result(record)]
        out = np.zeros(game.max_moves, np.int32)
        found: list[Any] = []
        for i in range(moves(record, out)):
            if turn(record) == CHANCE:
                found.append(weight(record, out[i]))
            after = np.array([record])
            play(after[0], out[i])
            found += walk(after[0], ply + 1)
        return found

    return walk(np.frombuffer(seeded(game, seed).state.tobytes(), game.State.dtype)[0], 0)  # type: ignore[union-attr]


def plain_leaves(position: Position) -> list[Any]:
    """The same as the interpreted rules see it."""
    if position.result is not None:
        return [position.result]
    found: list[Any] = []
    for code in position.codes:
        if position.turn == CHANCE:
            found.append(position.game.weight(position.state, code))  # type: ignore[misc]
        found += plain_leaves(position.play(code))
    return found


SHAPES: list[dict[str, Any]] = [
    {"branching": 3, "outcomes": 4, "weights": "integer"},
    {"branching": 2, "outcomes": 3, "depth": 3, "weights": "arbitrary", "leaves": "independent", "low": -2.0},
    {"branching": 4, "outcomes": 2, "low": -3.0, "high": 4.0, "whole": True},
]


@pytest.mark.parametrize("shape", [SHAPES[1], *slow(SHAPES[0], SHAPES[2])])
def test_same_tree_in_both_modes(shape):
    game = games.star_tree(**shape)
    for seed in (1, 2, -1):
        assert native_leaves(game, seed) == plain_leaves(seeded(game, seed))
    assert check(game, games=20).problems == []


def test_layers_alternate_max_chance_min():
    position = games.star_tree(branching=2, outcomes=3, depth=4).position()
    turns, counts = [], []
    while position.result is None:
        turns.append(position.turn)
        counts.append(len(position.codes))
        position = position.play(0)
    assert turns == [0, CHANCE, 1, CHANCE, 0, CHANCE, 1]
    assert counts == [2, 3, 2, 3, 2, 3, 2]
    assert position.moves() == []
    assert position.game.position("1 2 0").history() == ["1", "2", "0"]
    single = games.star_tree(branching=5, depth=1)
    assert len(leaves_below(single.position())) == 5


def test_seed_makes_the_tree():
    shape = {"branching": 3, "outcomes": 3, "depth": 2}
    game, again, other = (games.star_tree(seed=seed, **shape) for seed in (7, 7, 8))
    leaves = leaves_below(game.position())
    assert leaves == leaves_below(again.position()) == leaves_below(seeded(other, 7))
    assert leaves != leaves_below(other.position())
    assert leaves_below(seeded(game, 8)) == leaves_below(other.position())
    assert seeded(game, 8).game is game
    assert len({expectimax(seeded(game, seed)) for seed in range(50)}) == 50


def test_independent_leaves_are_even():
    game = games.star_tree(leaves="independent", branching=20, outcomes=20, low=-1.0, high=3.0)
    leaves = leaves_below(game.position())
    assert len(leaves) == 8000
    assert all(-1 <= leaf < 3 for leaf in leaves)
    shares = np.histogram(leaves, bins=20, range=(-1, 3))[0] / len(leaves)
    assert shares == pytest.approx(np.full(20, 0.05), abs=0.01)
    grid = np.array(leaves).reshape(20, 20, 20)
    assert fmean(leaves) == pytest.approx(1, abs=0.05)
    for axis in range(3):  # neighbours have nothing in common, nor do the means of groups
        neighbours = np.corrcoef(grid.ravel(), np.roll(grid, 1, axis=axis).ravel())[0, 1]
        assert abs(neighbours) < 0.05
        assert pvariance(grid.mean(axis=axis).ravel()) == pytest.approx(16 / 12 / 20, rel=0.3)


def test_correlated_leaves_gather_around_their_base():
    game = games.star_tree(spread=0.25, low=2.0, high=6.0)
    root, bases = game.position(), []
    for code in root.codes:
        child = root.play(code)
        base = child.state.base
        leaves = leaves_below(child)
        assert len(leaves) == 400
        assert all(max(2, base - 1) <= leaf <= min(6, base + 1) for leaf in leaves)
        if 3 < base < 5:
            assert fmean(leaves) == pytest.approx(base, abs=0.15)
        assert 2 < game.evaluate(child.state) < 6
        bases.append(base)
    assert min(bases) < 3 < 5 < max(bases)


@pytest.mark.parametrize(("weights", "most"), [("equal", 1), ("integer", 10), ("arbitrary", 1 << 20)])
def test_weights(weights, most):
    game = games.star_tree(weights=weights, branching=50, outcomes=40, depth=3)
    root = game.position()
    drawn = [game.weight(s, code) for s in (root.play(move).state for move in root.codes) for code in range(40)]
    assert all(1 <= weight <= most and weight == int(weight) for weight in drawn)
    assert fmean(drawn) == pytest.approx((1 + most) / 2, rel=0.05)
    assert weights == "equal" or max(drawn) > 0.95 * most


def test_whole_leaves():
    game = games.star_tree(branching=6, outcomes=6, low=-3.0, high=4.0, whole=True, leaves="independent")
    assert game.integral
    assert set(leaves_below(game.position())) == set(range(-3, 5))


def test_deep_trees_are_walked_without_being_stored():
    game = games.star_tree(branching=1000, outcomes=1000, depth=2000, weights="arbitrary")
    position, rng = game.position(), random.Random(4)
    state = position.state.copy()
    while game.result(state) == -(2**31):
        game.play(state, rng.randrange(1000))
    assert state.ply == 3999
    assert 0 <= game.result(state) <= 1


def test_drawing():
    game = games.star_tree(branching=3, outcomes=2, weights="integer", low=0.0, high=9.0, whole=True)
    position = game.position()
    assert str(position) == ". . .\n0 1 2\nMAX to move, ply 0 of 3"
    chance = position.play(1)
    shown = [str(game.weight(chance.state, outcome)) for outcome in (0, 1)]
    assert str(chance).split()[:4] == [*shown, "0", "1"]
    assert str(chance).endswith("chance to move, ply 1 of 3")
    last = chance.play(0)
    scores = [str(last.play(move).result) for move in range(3)]
    assert str(last).split()[:3] == scores
    assert str(last.play(2)) == f"{scores[2]}\na leaf"
    assert "80 more moves" in str(games.star_tree(branching=100).position())
    for shown_position in (position, chance, last, last.play(0)):
        assert ElementTree.fromstring(shown_position._repr_svg_()).tag.endswith("svg")


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"branching": 0}, "branching and outcomes are 1 to 10000"),
        ({"outcomes": 100000}, "branching and outcomes are 1 to 10000"),
        ({"depth": 0}, "at least 1, not 0"),
        ({"weights": "odd"}, "equal, integer, arbitrary"),
        ({"leaves": "green"}, "correlated, independent"),
        ({"low": 1.0, "high": 1.0}, "low must be below high"),
        ({"high": float("inf")}, "low must be below high"),
        ({"spread": -0.1}, "spread must be at least 0"),
        ({"whole": True, "high": 1.5}, "whole bounds"),
    ],
)
def test_impossible_parameters(parameters, complaint):
    with pytest.raises(Unsuitable, match=complaint):
        games.star_tree(**parameters)
