"""Smallest proof trees of generated trees: figure 2 of the paper done literally, and the formulas of uniform trees."""

from __future__ import annotations

import math
from functools import cache
from importlib import import_module

import pytest

from marks import slow
from zermelo import games
from zermelo.games._growth import plies_left
from zermelo.minimum.grown_trees import Truth, minimax_tree_size, target_tree_size
from zermelo.rules import Position, Unsuitable

prefix_tree, uniform_tree = (import_module(f"zermelo.games.{name}") for name in ("prefix_tree", "uniform_tree"))




def children(position: Position) -> list[Position]:
    return [] if position.result is not None else [position.play(code) for code in position.codes]


class Literal:
    """Figure 2 as it is printed, f being found by looking at all leaves."""

    def __init__(self) -> None:
        self.f, self.children = cache(self.f), cache(children)  # type: ignore[method-assign]
        self.size = cache(self.size)  # type: ignore[method-assign]

    def f(self, v: Position) -> float:
        below = self.children(v)
        if not below:
            assert v.result is not None
            return -v.result if v.turn else v.result
        return max(-self.f(w) for w in below)

    def size(self, v: Position, alpha: float, beta: float) -> int:
        if alpha >= beta:
            return 0
        below = self.children(v)
        if not below:
            return 1

        def t(w: Position, a: float, b: float) -> int:
            return self.size(w, -b, -a)

        f = self.f(v)
        if f <= alpha:
            return 1 + sum(t(w, alpha, beta) for w in below)
        if f >= beta:
            return 1 + min(t(w, alpha, beta) for w in below if -self.f(w) >= beta)
        total = sum(t(x, f, beta) for x in below)
        return 1 + min(t(w, alpha, beta) + total - t(w, f, beta) for w in below if -self.f(w) == f)

    def target(self, v: Position, sign: int, bound: float, chooser: int) -> int:
        """Section 5.1: one child that holds the target where the player who claims it moves, all children elsewhere."""
        below = self.children(v)
        if not below:
            return 1
        if v.turn == chooser:
            good = [w for w in below if sign * prefix_tree.true_value(w) >= bound]
            return 1 + min(self.target(w, sign, bound, chooser) for w in good)
        return 1 + sum(self.target(w, sign, bound, chooser) for w in below)


SHAPES = [
    {"fewest": 1, "most": 3},
    {"fewest": 2, "most": 4, "damage": 1},
    {"fewest": 1, "most": 4, "edges": "real", "branching": "either"},
    {"fewest": 2, "most": 3, "merge": 0.5},
]


@pytest.mark.parametrize(
    ("shape", "mode"),
    [
        *((shape, "interpreted") for shape in SHAPES),
        (SHAPES[2], "compiled"),
        *slow(*((SHAPES[number], "compiled") for number in (0, 1, 3))),
    ],
)
def test_sizes_are_those_of_figure_2(shape, mode):
    game = games.prefix_tree(depth=6, **shape)
    known = Truth(prefix_tree.true_score, plies_left, shape["fewest"])
    cut_short = Truth(prefix_tree.true_score)
    for seed in range(250 if mode == "compiled" else 25):
        root = prefix_tree.seeded(game, seed, depth=1 + seed % 5)
        expected = Literal().size(root, -math.inf, math.inf)
        assert minimax_tree_size(root, known, mode) == expected
        assert minimax_tree_size(root.play(0), known, mode) == Literal().size(root.play(0), -math.inf, math.inf)
        if shape is SHAPES[0]:
            assert minimax_tree_size(root, cut_short, mode) == expected


@pytest.mark.parametrize("shape", [SHAPES[0], *slow(SHAPES[1])])
def test_target_sizes_are_those_of_section_5(shape):
    game = games.prefix_tree(depth=6, **shape)
    truth = Truth(prefix_tree.true_score, plies_left, shape["fewest"])
    for seed in range(150):
        root = prefix_tree.seeded(game, seed, depth=1 + seed % 5)
        if seed % 3 == 0:
            root = root.play(0)
        value = prefix_tree.true_value(root)
        for slack in (0, 1, 3):
            for sign, chooser, claim in ((1, 0, "at_least"), (-1, 1, "at_most")):
                bound = sign * value - slack
                found = target_tree_size(root, truth, **{claim: sign * bound})
                assert found == Literal().target(root, sign, bound, chooser)


def test_uniform_trees_have_the_sizes_that_formulas_say():
    for b, d in [(1, 3), (2, 2), (2, 4), (3, 3), (3, 5), (2, 8)]:
        game = games.uniform_tree(branching=b, depth=d)

        @cache
        def value(s, game=game, b=b):
            result = game.result(s)
            if s.plies == s.depth:
                return result
            below = [s.copy() for _ in range(b)]
            for move, state in enumerate(below):
                game.play(state, move)
            return (min if s.plies & 1 else max)(map(value, below))

        truth = Truth(value, plies_left, b)
        for seed in range(3):
            root = uniform_tree.seeded(game, seed)
            expected = sum(b ** -(-k // 2) + b ** (k // 2) - 1 for k in range(d + 1))
            assert minimax_tree_size(root, truth, "interpreted") == expected
            target = target_tree_size(root, truth, at_least=value(root.state), mode="interpreted")
            assert target == sum(b ** (k // 2) for k in range(d + 1))
    assert expected == 98


@pytest.mark.slow
def test_deep_trees_are_measured_without_being_stored():
    game = games.prefix_tree(depth=10)
    truth = Truth(prefix_tree.true_score, plies_left, 4)
    sizes = [minimax_tree_size(prefix_tree.seeded(game, seed), truth) for seed in range(10)]
    assert all(5_000 < size < 100_000 for size in sizes)
    loose = Truth(prefix_tree.true_score, plies_left)  # less to prune by, the same answer
    assert minimax_tree_size(prefix_tree.seeded(game, 0), loose) == sizes[0]


def test_claims_that_do_not_hold_have_no_proof():
    root = games.prefix_tree(depth=2).position()
    truth, value = Truth(prefix_tree.true_score), prefix_tree.true_value(root)
    with pytest.raises(Unsuitable, match=f"the score is {value}: there is no proof that it is at least {value + 1}"):
        target_tree_size(root, truth, at_least=value + 1, mode="interpreted")
    with pytest.raises(Unsuitable, match="there is no proof that it is at most"):
        target_tree_size(root, truth, at_most=value - 1, mode="interpreted")
    for wrong in ({}, {"at_least": 0, "at_most": 0}):
        with pytest.raises(Unsuitable, match="at least or at most, one of them"):
            target_tree_size(root, truth, **wrong)
