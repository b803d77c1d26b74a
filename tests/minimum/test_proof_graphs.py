"""Proof graphs: what is one, how small the smallest is; everything against the definitions on small random games."""

from __future__ import annotations

import importlib.util
import random
from itertools import chain, combinations

import pytest
from proof_oracles import (
    all_values,
    by_orders,
    fewest_visits,
    random_dag,
    shows_target,
    smallest,
    uniform,
    value_of,
)

from zermelo import games
from zermelo.games.graph import graph_game
from zermelo.minimum.cost_sharing import shared_cost
from zermelo.minimum.greedy import small_proof
from zermelo.minimum.integer_programs import Found, highs, relaxed
from zermelo.minimum.membership import Goal, is_minimax_proof, is_proof, is_target_proof, proven_bounds, true_goal
from zermelo.minimum.requirements import reduce, system_of
from zermelo.minimum.smallest_graph import Progress, minimum_of, minimum_proof_graph
from zermelo.minimum.smallest_tree import minimum_tree, minimum_tree_size
from zermelo.minimum.written_game import WrittenGame, from_nodes, write_out
from zermelo.rules import Unsuitable
from zermelo.studies.perfection import search_all

QUICK = {"mode": "interpreted"}


def subsets(graph: WrittenGame) -> list[set[int]]:
    nodes = range(len(graph))
    return [set(some) for some in chain.from_iterable(combinations(nodes, n) for n in range(len(graph) + 1))]


# what is a proof graph


@pytest.mark.parametrize("seed", range(60))
def test_bounds_decide_what_orders_of_moves_decide(seed: int) -> None:
    graph = random_dag(seed, 8, scores=1 + seed % 3, alternating=seed % 4 == 0)
    values = all_values(graph)
    assert graph.values == values
    for inside in subsets(graph):
        assert is_minimax_proof(graph, inside) == by_orders(graph, inside, values), inside


@pytest.mark.parametrize("seed", range(60))
def test_target_proofs_are_what_the_definition_says(seed: int) -> None:
    graph = random_dag(seed, 8)
    for inside in subsets(graph):
        for target in (-1, 0, 1, 2):
            for first in (True, False):
                found = is_target_proof(graph, inside, Goal(target, first))
                assert found == shows_target(graph, inside, target, first), (inside, target, first)


def test_everything_is_a_proof_and_nothing_is_none() -> None:
    for seed in range(100):
        graph = random_dag(seed, 12)
        goal = true_goal(graph, None)
        assert is_proof(graph, range(len(graph)), goal)
        assert not is_proof(graph, (), goal)
        assert not is_proof(graph, range(1, len(graph)), goal)
        low, high = proven_bounds(graph, range(len(graph)))
        assert low == high == value_of(graph)


def test_nodes_that_are_none() -> None:
    with pytest.raises(Unsuitable, match="numbered from 0 to"):
        is_minimax_proof(random_dag(3, 5), {0, 99})


def test_the_true_direction_of_a_target() -> None:
    graph = from_nodes([0, 1, 1], [[1, 2], [], []], [0, 3, 5])
    assert true_goal(graph, 5) == Goal(5, True)
    assert true_goal(graph, 6) == Goal(6, False)
    assert true_goal(graph, None) == Goal()
    assert minimum_of(graph, Goal(6, False), None, "highs").size == 3
    assert minimum_of(graph, Goal(4, True), None, "highs").nodes == {0, graph.children[0][1]}


# smallest proof trees


@pytest.mark.parametrize("part", range(4))
def test_smallest_trees_are_those_of_all_sets(part: int) -> None:
    for seed in range(part * 500, part * 500 + 500):
        graph = random_dag(seed, 9, tree=True, scores=1 + seed % 3)
        assert graph.is_tree
        for target in (None, seed % 3 - 1):
            goal = true_goal(graph, target)
            found = minimum_tree(graph, goal)
            assert found.size == len(found.nodes) == smallest(graph, target)
            assert is_proof(graph, found.nodes, goal)


def test_smallest_trees_are_those_of_the_best_orders() -> None:
    for seed in range(1500):
        graph = random_dag(seed, 11, tree=True, scores=1 + seed % 4)
        if max(map(len, graph.children)) <= 4:
            assert minimum_tree_size(graph, Goal()) == fewest_visits(graph, all_values(graph))


@pytest.mark.parametrize(("branching", "depth", "nodes"), [(2, 2, 6), (2, 4, 18), (3, 3, 20), (3, 5, 72), (2, 8, 98)])
def test_uniform_trees(branching: int, depth: int, nodes: int) -> None:
    graph = uniform(branching, depth)
    tree = minimum_tree(graph, Goal())
    assert tree.size == nodes
    leaves = sum(not graph.children[node] for node in tree.nodes)
    assert leaves == branching ** -(-depth // 2) + branching ** (depth // 2) - 1
    target = minimum_tree(graph, Goal(value_of(graph)))
    assert sum(not graph.children[node] for node in target.nodes) == branching ** (depth // 2)
    below = minimum_tree(uniform(branching, depth, turn=1), true_goal(uniform(branching, depth, turn=1), 10**6))
    assert below.size == target.size  # the second player's proof is the mirror image


@pytest.mark.slow
def test_deep_trees_need_no_recursion() -> None:
    depth = 100_000
    graph = from_nodes([n % 2 for n in range(depth)], [[n + 1] for n in range(depth - 1)] + [[]], [0] * depth)
    assert minimum_tree(graph, Goal()).size == depth
    assert is_minimax_proof(graph, range(depth))


def test_a_graph_unfolded_can_have_more_nodes_than_a_word_counts() -> None:
    layers = 120  # two nodes a layer, each leading to both of the next
    children = [[1, 2]] + [[2 * (n // 2 + 1) + 1, 2 * (n // 2 + 1) + 2] for n in range(2 * layers)] + [[], []]
    turns = [1] * len(children)
    graph = from_nodes(turns, [[c for c in below if c < len(children)] for below in children], [1] * len(children))
    assert minimum_tree(graph, Goal(1)).size > 2**100
    assert minimum_of(graph, Goal(1), None, "highs").size == len(graph)


# smallest proof graphs


@pytest.mark.parametrize("seed", range(120))
def test_smallest_graphs_are_those_of_all_sets(seed: int) -> None:
    graph = random_dag(seed, 10 if seed % 6 else 14, scores=1 + seed % 2, alternating=seed % 3 == 0)
    value = value_of(graph)
    for target in (None, value, value + 1):
        goal = true_goal(graph, target)
        found = minimum_of(graph, goal, None, "highs")
        assert found.proven
        assert found.size == smallest(graph, target)
        assert is_proof(graph, found.nodes, goal)
        assert found.size <= len(minimum_tree(graph, goal).nodes) <= found.tree


@pytest.mark.skipif(importlib.util.find_spec("ortools") is None, reason="OR-Tools is not installed (an extra)")
def test_both_solvers_agree() -> None:
    for seed in range(12):
        graph = random_dag(seed, 60)
        sizes = {solver: minimum_of(graph, Goal(), None, solver) for solver in ("highs", "cpsat")}
        assert sizes["highs"].size == sizes["cpsat"].size
        assert sizes["cpsat"].proven


@pytest.mark.skipif(importlib.util.find_spec("ortools") is not None, reason="OR-Tools is installed")
def test_a_solver_that_is_not_there() -> None:
    with pytest.raises(Unsuitable, match="cpsat needs the package ortools"):
        minimum_proof_graph(games.tic_tac_toe(), solver="cpsat")


def test_quick_sets_are_closed_and_quick_bounds_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.minimum.cost_sharing.SMALL", 0)
    for seed in range(40):
        graph = random_dag(seed, 40, scores=1)
        goal = true_goal(graph, None if seed % 2 else value_of(graph))
        reduced = reduce(system_of(graph, goal))
        sets = [small_proof(part, 0.01, seed=seed) for part in reduced.parts]
        whole = reduced.forced.union(*(part.whole(taken) for part, taken in zip(reduced.parts, sets)))
        assert is_proof(graph, reduced.system.proof(whole), goal)
        forced = reduced.system.cost(reduced.forced)
        lower = forced + sum(shared_cost(part, 0.01) for part in reduced.parts)
        assert lower <= minimum_of(graph, goal, None, "highs").size <= reduced.system.cost(whole)


@pytest.mark.slow
def test_a_solver_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = write_out(games.tic_tac_toe().position(), **QUICK)
    part = max(reduce(system_of(graph, Goal())).parts, key=len)  # more than a pipe holds at once
    here = relaxed(part, 4, lambda: False)
    monkeypatch.setattr("zermelo.minimum.solver_process.MOMENT", 0)
    assert relaxed(part, 60, lambda: False) == here
    assert here.lower > 30
    assert highs(part, 10**6, 60, lambda: True) == Found(0, None, False)  # nobody waits for it
    few = random_dag(7, 40, scores=1)
    for small in reduce(system_of(few, Goal())).parts:
        found = highs(small, len(small), 60, lambda: False)
        assert found.finished
        assert found.items is not None
        assert small.cost(found.items) == found.lower


@pytest.mark.slow
def test_tic_tac_toe() -> None:
    told: list[Progress] = []
    found = minimum_proof_graph(games.tic_tac_toe(), target=0, seconds=300, listener=told.append, **QUICK)
    assert (found.size, found.lower, len(found.graph), found.stopped) == (41, 41, 765, None)
    assert all(one.lower <= 41 <= one.upper for one in told)


def test_time_runs_out() -> None:
    found = minimum_proof_graph(games.hex(size=3), seconds=1, **QUICK)
    assert (found.stopped, found.proven) == ("seconds", False)
    assert 1 < found.lower < found.size < 486 == found.tree
    assert is_proof(found.graph, found.nodes, found.goal)


# writing games out


@pytest.mark.slow
def test_positions_are_counted_as_known() -> None:
    start = games.tic_tac_toe().position()
    assert [len(write_out(start, symmetric=s, **QUICK)) for s in (True, False)] == [765, 5478]
    compiled = write_out(start, mode="compiled")
    plain = write_out(start, **QUICK)
    assert sorted(map(compiled.name, range(765))) == sorted(map(plain.name, range(765)))
    assert (compiled.children, compiled.values) == (plain.children, plain.values)


def test_names_lead_to_their_positions() -> None:
    start = games.connect_four(width=3, height=3, run=3).position("1")
    graph = write_out(start, **QUICK)
    for node in range(0, len(graph), 7):
        position = start.game.position(graph.name(node))
        assert (position.result is not None) == (not graph.children[node])
        assert position.result is None or position.result == graph.scores[node]


def test_graph_files() -> None:
    game = graph_game(
        {
            "root": "A",
            "nodes": {
                "A": {"turn": "max", "moves": ["B", "C"]},
                "B": {"turn": "min", "moves": ["D", "E"]},
                "C": {"turn": "min", "moves": ["D"]},
                "D": {"value": 1},
                "E": {"value": 2},
                "unreachable": {"value": 5},
            },
        }
    )
    found = minimum_proof_graph(game, target=1)
    assert (found.names[0], found.size, len(found.graph)) == ("A", 3, 5)
    assert found.nodes == found.graph.numbered(["A", "C", "D"])
    assert minimum_proof_graph(game).size == 4  # B is shown to be no better by D alone
    with pytest.raises(Exception, match="there is no node F"):
        found.graph.numbered(["F"])


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (games.pig(), "pig has chance positions"),
        (games.dobutsu(), "dobutsu can come back to a position"),
        (games.connect_four(), "connect-four has more than 2,000 positions"),
    ],
)
def test_games_that_have_no_proof_graph(game, sentence: str) -> None:
    with pytest.raises(Unsuitable, match=sentence):
        minimum_proof_graph(game, most=2000, mode="interpreted")


def test_bad_requests() -> None:
    with pytest.raises(Unsuitable, match="scores lie between -1 and 1, so 2 can be no target"):
        minimum_proof_graph(games.tic_tac_toe(), target=2)
    with pytest.raises(Unsuitable, match="seconds must be above 0"):
        minimum_proof_graph(games.tic_tac_toe(), seconds=0)
    with pytest.raises(Exception, match="no solver is called hihgs: did you mean highs"):
        minimum_proof_graph(games.tic_tac_toe(), solver="hihgs")
    with pytest.raises(Unsuitable, match="not true"):
        minimum_tree(random_dag(1, 5), Goal(99))


# how far from perfect


@pytest.mark.parametrize("target", [None, 0, 1])
def test_no_search_does_with_less_than_the_smallest_proof(target: float | None) -> None:
    position = games.tic_tac_toe().position("XOX-O----")
    proof = minimum_proof_graph(position, target, **QUICK)
    how = {"symmetric": proof.graph.symmetric, "shared": not proof.graph.is_tree}
    done = list(search_all(position, proof.goal, memory="1MB", **how, **QUICK))
    assert [one.method for one in done] == ["alphabeta", "negascout", "mtdf", "pn"]
    assert all(one.nodes is not None and one.nodes >= proof.size for one in done)


@pytest.mark.slow
def test_no_search_does_with_less_on_random_graphs() -> None:
    for seed in range(0, 30, 10):
        graph = random_dag(seed, 14)
        nodes = {
            str(node): {"turn": ("max", "min")[graph.turns[node]], "moves": [str(c) for c in graph.children[node]]}
            if graph.children[node]
            else {"value": graph.scores[node]}
            for node in range(len(graph))
        }
        position = graph_game({"root": "0", "nodes": nodes}).position()
        for target in (None, random.Random(seed).randint(0, 1)):
            if target is not None and not position.game.values[0] <= target <= position.game.values[1]:
                continue
            proof = minimum_proof_graph(position, target)
            how = {"symmetric": proof.graph.symmetric, "shared": not proof.graph.is_tree, "mode": "interpreted"}
            for one in search_all(position, proof.goal, memory="1MB", **how):
                assert one.nodes is not None
                assert one.nodes >= proof.size, (seed, target, one)
