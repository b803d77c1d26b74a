"""Synthetic trees: true values against plain minimax, draws against their distributions, graphs by merging."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from importlib import import_module
from itertools import pairwise
from statistics import fmean, pstdev
from xml.etree import ElementTree

import pytest

from marks import slow
from zermelo import games, solve
from zermelo.checking.conformance import check
from zermelo.core.method import PLAIN
from zermelo.rules import Position, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

prefix_tree, uniform_tree = (import_module(f"zermelo.games.{name}") for name in ("prefix_tree", "uniform_tree"))

SHAPES = [
    {},
    {"branching": "geometric", "edges": "geometric"},
    {"branching": "either", "edges": "real"},
    {"merge": 0.5},
    {"damage": 0},
    {"fewest": 1, "most": 1},
]


def children(position: Position) -> list[Position]:
    return [] if position.result is not None else [position.play(code) for code in position.codes]


@cache
def minimax(position: Position) -> float:
    """The first player's value, from the leaves alone."""
    below = children(position)
    if not below:
        assert position.result is not None
        return position.result
    return (min if position.turn else max)(map(minimax, below))


def everything(position: Position) -> list[Position]:
    return [position, *(found for child in children(position) for found in everything(child))]


@pytest.mark.parametrize("shape", SHAPES)
def test_true_values_are_minimax_values(shape):  # theorem 7.1
    game = games.prefix_tree(depth=4, **{"fewest": 1, "most": 4, **shape})
    for seed in range(12):
        for position in everything(prefix_tree.seeded(game, seed, depth=1 + seed % 4)):
            assert prefix_tree.true_value(position) == minimax(position)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_move_does_damage_and_one_does_none(shape):
    game = games.prefix_tree(depth=4, **{"fewest": 2, "most": 4, **shape})
    for position in everything(prefix_tree.seeded(game, 5)):
        sign = -1 if position.turn else 1
        costs = [sign * (position.state.value - child.state.value) for child in children(position)]
        assert all(0 <= cost <= game.parameters["damage"] for cost in costs)
        assert not costs or min(costs) == 0


def test_the_free_move_is_anywhere():
    game = games.prefix_tree(depth=2, fewest=4, most=4, edges="real")
    places = Counter(
        next(code for code in root.codes if root.play(code).state.value == root.state.value)
        for root in (prefix_tree.seeded(game, seed) for seed in range(400))
    )
    assert set(places) == {0, 1, 2, 3}
    assert min(places.values()) > 60


@pytest.mark.parametrize("shape", [{}, {"edges": "real"}, {"merge": 0.5}])
def test_incremental_leaves_are_what_was_collected(shape):
    game = games.prefix_tree(model="incremental", depth=4, fewest=2, most=3, **shape)
    root = prefix_tree.seeded(game, 3)
    forced = 0
    for position in everything(root):
        walked, sum_of_edges = root, root.state.value
        for code in position.text().split():
            after = walked.play(int(code))
            cost = (after.state.value - walked.state.value) * (1 if walked.turn else -1)
            assert 0 <= cost <= 6
            sum_of_edges += cost * (1 if walked.turn else -1)
            walked = after
        assert position.state.value == pytest.approx(sum_of_edges)
        if position.result is not None:
            assert position.result == position.state.value
        else:
            costs = [abs(child.state.value - position.state.value) for child in children(position)]
            forced += min(costs) == 0
    assert forced < len(everything(root)) / 3
    assert minimax(root) != root.state.value or shape
    with pytest.raises(Unsuitable, match="only the model prefix"):
        prefix_tree.true_value(root)


def test_estimates_are_off_by_the_noise_and_no_more():
    game = games.prefix_tree(depth=4)
    for noise in (4, 1, 0):
        positions = everything(prefix_tree.seeded(game, 1, depth=4, noise=noise))
        errors = Counter(game.evaluate(p.state) - p.state.value for p in positions)
        assert set(errors) == {float(error) for error in range(-noise, noise + 1)}
        share = [count / len(positions) for count in errors.values()]
        assert share == pytest.approx([1 / (2 * noise + 1)] * len(share), rel=0.2)
    normal = games.prefix_tree(depth=4, noise=2.5, errors="normal")
    positions = everything(normal.position())
    errors = [normal.evaluate(p.state) - p.state.value for p in positions]
    assert fmean(errors) == pytest.approx(0, abs=0.15)
    assert pstdev(errors) == pytest.approx(2.5, rel=0.05)
    assert fmean(abs(e) < 2.5 for e in errors) == pytest.approx(0.683, abs=0.03)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ({}, dict.fromkeys(range(4, 13), 1 / 9)),
        ({"branching": "either", "fewest": 3, "most": 5}, {3: 0.5, 5: 0.5}),
        ({"branching": "geometric", "fewest": 2, "most": 5}, {2: 0.5, 3: 0.25, 4: 0.125, 5: 0.125}),
    ],
)
def test_branching_is_distributed_as_asked(shape, expected):
    game = games.prefix_tree(depth=3, **shape)
    found = Counter(len(prefix_tree.seeded(game, seed).codes) for seed in range(3000))
    assert {n: count / 3000 for n, count in found.items()} == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ("uniform", {0: 0.25, 1: 0.25, 2: 0.25, 3: 0.25}),
        ("geometric", {0: 0.5, 1: 0.25, 2: 0.125, 3: 0.125}),
    ],
)
def test_damage_is_distributed_as_asked(edges, expected):
    game = games.prefix_tree(model="incremental", depth=4, edges=edges, damage=3)
    costs = [
        abs(child.state.value - parent.state.value)
        for parent in everything(prefix_tree.seeded(game, 8))
        for child in children(parent)
    ]
    assert {n: count / len(costs) for n, count in Counter(costs).items()} == pytest.approx(expected, abs=0.05)


def test_leaks_are_drawn_from_the_softmax():
    frequencies = {}
    for leak in (0.0, 0.3, 1e6):
        game = games.prefix_tree(depth=1, fewest=5, most=5, leak=leak)
        first, wanted = Counter(), Counter()
        for seed in range(1500):
            root = prefix_tree.seeded(game, seed)
            worth = [root.play(code).state.value - root.state.value for code in root.codes]
            chosen = max(root.codes, key=lambda code: game.order(root.state, code))
            first[worth[chosen]] += 1
            total = sum(math.exp(min(leak, 100) * value) for value in worth)
            for value in worth:
                wanted[value] += math.exp(min(leak, 100) * value) / total
        for value, count in wanted.items():
            assert first[value] == pytest.approx(count, abs=4 * math.sqrt(count) + 1)
        frequencies[leak] = first[0]
    assert frequencies[0.0] < frequencies[0.3] < frequencies[1e6] == 1500
    assert games.prefix_tree().order is None


@pytest.mark.parametrize("module", [prefix_tree, uniform_tree])
def test_merged_positions_are_the_same_whatever_the_path(module):
    shape = {"fewest": 3, "most": 3} if module is prefix_tree else {"branching": 3, "leaves": "range"}
    game = games.load(module.__name__.rpartition(".")[2].replace("_", "-"), {"depth": 6, **shape})
    distinct = []
    for merge in (0.0, 0.2, 0.6, 1.0):
        root = module.seeded(game, 7, merge=merge)
        states, paths = set(), 0
        looks: dict[int, object] = {}
        for position in everything(root):
            paths += 1
            states.add(position.state)
            look = (position.state, len(position.codes) if position.result is None else position.result)
            assert looks.setdefault(int(game.key(position.state)), look) == look
        assert paths == (3**7 - 1) // 2
        distinct.append(len(states))
        other = {position.state for position in everything(module.seeded(game, 8, merge=merge))}
        assert not states & other
    assert distinct[0] == (3**7 - 1) // 2
    assert distinct[0] > distinct[1] > distinct[2] > distinct[3]


def test_trees_that_differ_in_depth_alone_are_the_same_as_far_as_they_go():
    game = games.prefix_tree(depth=6)
    deep, flat = prefix_tree.seeded(game, 4), prefix_tree.seeded(game, 4, depth=2)
    keys = set()
    for code in flat.codes:
        a, b = deep.play(code), flat.play(code)
        assert (a.codes, a.state.value, game.evaluate(a.state)) == (b.codes, b.state.value, game.evaluate(b.state))
        keys |= {game.key(a.state), game.key(b.state)}
    assert len(keys) == 2 * len(flat.codes)
    other = prefix_tree.seeded(game, 4, merge=0.5), prefix_tree.seeded(game, 4, noise=2)
    assert len({game.key(position.state) for position in (deep, flat, *other)}) == 4


@pytest.mark.parametrize("mode", ["interpreted", *slow("compiled")])
def test_searches_find_the_true_value(mode):
    game = games.prefix_tree(depth=5, fewest=2, most=4)
    for seed in range(10):
        position = prefix_tree.seeded(game, seed)
        assert solve(position, mode=mode, memory="1MB").value == prefix_tree.true_value(position)


def test_distinct_leaves_are_a_permutation():
    game = games.uniform_tree(branching=3, depth=5)
    orders = set()
    for seed in range(5):
        for depth in (1, 4, 5):
            leaves = [p.result for p in everything(uniform_tree.seeded(game, seed, depth)) if p.result is not None]
            assert sorted(leaves) == [*range(3**depth)]
        orders.add(tuple(leaves))
        assert abs(fmean(a < b for a, b in pairwise(leaves)) - 0.5) < 0.15
    assert len(orders) == 5


def test_leaves_from_a_range():
    game = games.uniform_tree(branching=4, depth=6, leaves="range", low=-2, high=3)
    leaves = Counter(p.result for p in everything(game.position()) if p.result is not None)
    assert set(leaves) == {*range(-2, 4)}
    assert min(leaves.values()) > 0.8 * 4**6 / 6
    root = uniform_tree.seeded(game, 2, depth=4)
    assert solve(root, method="alphabeta", options=PLAIN, mode="interpreted").value == minimax(root)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("prefix-tree", {"depth": 5, "edges": "real", "errors": "normal", "leak": 0.5, "branching": "either"}),
        ("uniform-tree", {"depth": 5, "leaves": "range", "merge": 0.5}),
        *slow(
            ("prefix-tree", {"depth": 5}),
            ("prefix-tree", {"depth": 5, "model": "incremental", "edges": "geometric", "merge": 0.5, "leak": 0.0}),
            ("uniform-tree", {"depth": 5}),
        ),
    ],
)
def test_rules_run_alike_in_both_modes(name, parameters):
    assert check(games.load(name, parameters)).problems == []


def test_drawing():
    game = games.prefix_tree(depth=2, fewest=3, most=3, damage=9)
    position = game.position()
    worth = [str(position.play(code).state.value) for code in position.codes]
    assert str(position).split()[:3] == worth
    assert str(position).endswith(f"MAX to move, ply 0 of 2, value so far {position.state.value}")
    leaf = position.play(0).play(0)
    assert str(leaf) == f"{leaf.state.value}\na leaf"
    for shown in (position, leaf):
        assert ElementTree.fromstring(shown._repr_svg_()).tag.endswith("svg")


@pytest.mark.parametrize(
    ("name", "parameters", "complaint"),
    [
        ("prefix-tree", {"model": "postfix"}, "prefix, incremental"),
        ("prefix-tree", {"branching": "odd"}, "uniform, geometric, either"),
        ("prefix-tree", {"edges": "odd"}, "uniform, geometric, real"),
        ("prefix-tree", {"errors": "odd"}, "uniform, normal"),
        ("prefix-tree", {"depth": 0}, "depth must be 1 to 250"),
        ("prefix-tree", {"fewest": 0}, "fewest and most moves"),
        ("prefix-tree", {"fewest": 5, "most": 4}, "fewest and most moves"),
        ("prefix-tree", {"damage": -1}, "damage must be"),
        ("prefix-tree", {"noise": 1.5}, "a whole number"),
        ("prefix-tree", {"noise": -1}, "noise must be"),
        ("prefix-tree", {"leak": 1e9}, "leak must be at most"),
        ("prefix-tree", {"merge": 1.5}, "merge must be 0 to 1"),
        ("prefix-tree", {"merge": 0.5, "edges": "real"}, "real edges never are"),
        ("uniform-tree", {"branching": 0}, "branching must be"),
        ("uniform-tree", {"depth": 300}, "depth must be"),
        ("uniform-tree", {"leaves": "green"}, "distinct, range"),
        ("uniform-tree", {"branching": 100, "depth": 10}, "at most 2\\^48"),
        ("uniform-tree", {"leaves": "range", "low": 3, "high": 3}, "low must be below high"),
        ("uniform-tree", {"merge": 0.5}, "leaves=range"),
    ],
)
def test_impossible_parameters(name, parameters, complaint):
    with pytest.raises(Unsuitable, match=complaint):
        games.load(name, parameters)


def test_other_trees_of_a_game_stay_within_its_bounds():
    game, flat = games.prefix_tree(depth=4), games.uniform_tree(depth=4)
    for wrong in ({"depth": 5}, {"depth": 0}, {"noise": 5}, {"noise": 0.5}, {"merge": 2.0}):
        with pytest.raises(Unsuitable):
            prefix_tree.seeded(game, 1, **wrong)
    for wrong in ({"depth": 5}, {"merge": 0.5}):
        with pytest.raises(Unsuitable):
            uniform_tree.seeded(flat, 1, **wrong)
