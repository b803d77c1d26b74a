"""Dice on cycles: exact values against every pair of strategies, bounds that hold, limits that hold while solving."""

from __future__ import annotations

import signal
import threading
import time
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

import oracles
from dice_loops import random_loops, values_of
from random_chance import random_chance, seeded
from zermelo.compile.watch import Limits
from zermelo.core.answer import Answer
from zermelo.games.graph import graph_game
from zermelo.methods.asking import solve
from zermelo.positions import interval_bounds as bounds
from zermelo.positions.exact import solve_graph
from zermelo.positions.exploring import OVER
from zermelo.positions.interval_bounds import Bounds
from zermelo.positions.move_graph import MoveGraph
from zermelo.positions.tiers import cut
from zermelo.rules import CHANCE, ONGOING, Game, equal_weight, rule, struct, u8, u16

TURNS = {"max": 0, "min": 1, "chance": CHANCE}


def move_graph(data: dict[str, Any]) -> MoveGraph:
    """A graph file's content as the solver sees it, its nodes in the order of the file."""
    number = {name: i for i, name in enumerate(data["nodes"])}
    nodes = data["nodes"].values()
    moves = [node.get("moves", ()) for node in nodes]
    return MoveGraph(
        np.array([TURNS[node["turn"]] if "moves" in node else OVER for node in nodes], np.int8),
        np.array([float(node.get("value", 0)) for node in nodes]),
        np.cumsum([0, *map(len, moves)]),
        np.array([number[child] for row in moves for child in row], np.int32),
        np.array([row[child] if isinstance(row, dict) else 0 for row in moves for child in row], np.int64),
    )


def wrong_answers(seeds: range) -> list[int]:
    """The seeds of the random games that `solve` gets wrong: value, values of moves, or best moves."""
    wrong = []
    for seed in seeds:
        data = random_loops(seed)
        truth = values_of(data)
        answer = solve(graph_game(data), mode="interpreted")
        root = data["nodes"][data["root"]]
        below = {child: truth[child] for child in root["moves"]}
        best = [c for c, v in below.items() if root["turn"] != "chance" and v == truth[data["root"]]]
        what = answer.details["outcomes" if root["turn"] == "chance" else "moves"]
        right = (
            answer.status == "proven"
            and F(answer.details["fraction"]) == truth[data["root"]]
            and {text: F(value) for text, value in what.items()} == below
            and answer.best == best
        )
        if not right:
            wrong.append(seed)
    return wrong


def false_bounds(seeds: range) -> list[int]:
    """The seeds of the random games whose bounds, at any position, do not hold; with endless play worth anything."""
    wrong = []
    for seed in seeds:
        data, endless = random_loops(seed), F(seed % 7 - 3, 2)
        truth = values_of(data, endless)
        graph = move_graph(data)
        found = Bounds(graph, cut(graph, bool), float(endless), bool)
        assert found.run()
        for i, name in enumerate(data["nodes"]):
            low, high = found.bounds(i)
            if not low <= truth[name] <= high or found.exact.get(i, truth[name]) != truth[name]:
                wrong.append(seed)
    return wrong


def test_random_games_have_their_exact_value() -> None:
    assert wrong_answers(range(120)) == []


@pytest.mark.slow
def test_many_random_games_have_their_exact_value() -> None:
    assert wrong_answers(range(120, 10_300)) == []


@pytest.fixture(params=["iteration", "floats", "fractions"])
def means(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the three ways to bound a tier, alone."""
    if request.param != "fractions":
        monkeypatch.setattr(Bounds, "_in_fractions", lambda self, tier: False)
    if request.param == "iteration":
        monkeypatch.setattr(Bounds, "_in_floats", lambda self, tier: False)
    else:
        monkeypatch.setattr(bounds, "FIRST_ROUNDS", 1)
    monkeypatch.setattr(bounds, "MORE_ROUNDS", (500,))


def test_bounds_hold_however_they_are_found(means: None) -> None:
    assert false_bounds(range(80)) == []


@pytest.mark.slow
def test_many_bounds_hold_however_they_are_found(means: None) -> None:
    assert false_bounds(range(80, 3500)) == []


def test_both_modes_and_the_compiled_family_agree() -> None:
    game = random_chance(endless=True)
    for seed in range(10):
        one, two = (solve(seeded(game, seed), mode=mode) for mode in ("interpreted", "compiled"))
        assert one.status == two.status == "proven"
        assert one.details == two.details


def value(nodes: dict[str, Any], root: str = "A", **more: Any) -> Answer:
    ends = {"W": {"value": 1}, "L": {"value": -1}, "D": {"value": 0}}
    return solve(graph_game({"root": root, "nodes": {**nodes, **ends}, **more}), mode="interpreted")


@pytest.mark.parametrize("back", [1, 10**6, 10**12])
def test_dice_that_throw_back_nearly_always(back: int) -> None:
    """Thrown back to where one is, or to somebody who has to throw again."""
    toss = {"turn": "chance", "moves": {"A": back, "W": 2, "L": 1}}
    assert value({"A": toss}).details["fraction"] == "1/3"
    answer = value({"A": {"turn": "max", "moves": ["R", "L"]}, "R": toss})
    assert (answer.details["fraction"], answer.best, answer.bounds) == ("1/3", ["R"], (1 / 3, 1 / 3))


def walk(cells: int, left: int, right: int) -> dict[str, Any]:
    inner = range(1, cells)
    nodes: dict[str, Any] = {
        f"c{i}": {"turn": "chance", "moves": {f"c{i - 1}": left, f"c{i + 1}": right}} for i in inner
    }
    return {**nodes, "c0": {"value": -1}, f"c{cells}": {"value": 1}}


def ruin(cells: int, at: int, left: int, right: int) -> F:
    """The value of a walk by the formula of the gambler's ruin."""
    if left == right:
        return F(2 * at, cells) - 1
    ratio = F(left, right)
    return 2 * (1 - ratio**at) / (1 - ratio**cells) - 1


@pytest.mark.parametrize(
    ("cells", "left", "right"), [(3000, 1, 1), (300, 2, 1), (300, 49, 51), (60, 10**12, 10**12 + 1)]
)
def test_walks(cells: int, left: int, right: int) -> None:
    answer = value(walk(cells, left, right), f"c{cells // 4}")
    assert F(answer.details["fraction"]) == ruin(cells, cells // 4, left, right)


def test_a_walk_whose_fractions_are_too_long_is_proven_by_bounds() -> None:
    answer = value(walk(2000, 999, 1001), "c500")
    low, high = answer.bounds
    assert answer.status == "proven"
    assert low < ruin(2000, 500, 999, 1001) < high < low + 2e-9
    assert answer.details["fraction"] is None
    assert answer.notes[0][0] == "bounds"


def test_a_walk_where_players_choose_the_direction() -> None:
    """MAX pulls to the right on even cells, MIN to the left on odd ones: as good as a fair coin on two cells."""
    nodes = walk(400, 1, 1)
    for i in range(1, 400):
        nodes[f"c{i}"] = {"turn": "max" if i % 2 == 0 else "min", "moves": [f"l{i}", f"r{i}"]}
        nodes[f"l{i}"] = {"turn": "chance", "moves": {f"c{i - 1}": 2, f"c{i + 1}": 1}}
        nodes[f"r{i}"] = {"turn": "chance", "moves": {f"c{i - 1}": 1, f"c{i + 1}": 2}}
    answer = value(nodes, "c100")
    assert (answer.details["fraction"], answer.best) == ("-1/2", ["r100"])


def test_a_trap_scores_nothing() -> None:
    trap = {"A": {"turn": "chance", "moves": {"B": 1, "W": 1}}, "B": {"turn": "chance", "moves": {"C": 1, "B": 1}}}
    answer = value({**trap, "C": {"turn": "min", "moves": ["B"]}})
    assert answer.details["fraction"] == "1/2"
    assert "winning_chance" not in answer.details  # half of the games never end


def test_players_go_round_where_it_pays() -> None:
    """MIN would lose by each way out, and so stays with the dice that always come back; MAX does likewise."""
    ways = {"B": {"turn": "chance", "moves": {"A": 1, "C": 3}}, "C": {"turn": "min", "moves": ["A", "W"]}}
    assert value({"A": {"turn": "min", "moves": ["B", "W"]}, **ways}, endless=True).details["fraction"] == "0"
    loss = {"B": {"turn": "chance", "moves": {"A": 1, "C": 3}}, "C": {"turn": "max", "moves": ["A", "L"]}}
    answer = value({"A": {"turn": "max", "moves": ["L", "B"]}, **loss}, endless=True)
    assert (answer.details["fraction"], answer.best) == ("0", ["B"])


def test_scores_of_any_size() -> None:
    nodes = {"A": {"turn": "max", "moves": ["R", "S"]}, "R": {"turn": "chance", "moves": {"A": 5, "P": 1, "Q": 2}}}
    ends = {"S": {"value": 2.25}, "P": {"value": 7}, "Q": {"value": 0.5}}
    answer = value({**nodes, **ends}, endless=True)
    assert (answer.details["fraction"], answer.best) == ("8/3", ["R"])


def grid(size: int) -> Game:
    """A lost sheep on a meadow: it is found at two sides, and gone at the two others."""
    State = struct(x=u16, y=u16, turn=u8)

    @rule
    def moves(s, out):
        for i in range(4):
            out[i] = i
        return 4

    @rule
    def play(s, move):
        s.x = s.x + (1 if move == 0 else -1 if move == 1 else 0)
        s.y = s.y + (1 if move == 2 else -1 if move == 3 else 0)

    @rule
    def result(s):
        if s.x == 0 or s.x == size:
            return 1
        if s.y == 0 or s.y == size:
            return -1
        return ONGOING

    return Game(
        name="sheep", State=State, start=State(x=size // 2, y=size // 2, turn=CHANCE), moves=moves, play=play,
        result=result, weight=equal_weight, max_moves=4, max_plies=1000, endless=True,
    )  # fmt: skip


MEADOW = grid(600)


def test_limits_hold_while_solving() -> None:
    """The value is 0, by symmetry. Nothing false is said when there is too little time to find it out."""
    solve(MEADOW, limits=Limits(nodes=10))  # compiled now, so that the clock is for the search
    for seconds in (0.05, 0.5, 1.0):
        started = time.perf_counter()
        answer = solve(MEADOW, limits=Limits(seconds=seconds))
        assert time.perf_counter() - started < seconds + 4
        assert answer.stopped == "seconds"
        assert answer.status in ("unknown", "bound")
        assert answer.bounds[0] <= 0 <= answer.bounds[1]


@pytest.mark.usefixtures("heeding_interrupts")
def test_ctrl_c_holds_while_solving() -> None:
    solve(MEADOW, limits=Limits(nodes=10))
    seen: list[float] = []

    def press() -> None:
        seen.append(time.perf_counter())
        signal.raise_signal(signal.SIGINT)

    threading.Timer(1.0, press).start()
    answer = solve(MEADOW, limits=Limits(seconds=30))
    assert time.perf_counter() - seen[0] < 4
    assert answer.stopped == "interrupt"
    assert answer.bounds[0] <= 0 <= answer.bounds[1]


def test_whoever_stops_early_gets_bounds_that_hold() -> None:
    """Stopped after any number of looks at the clock."""
    data = {"nodes": walk(200, 3, 4)}
    graph = move_graph(data)
    tiers = cut(graph, bool)
    truth = [ruin(200, int(name[1:]), 3, 4) for name in data["nodes"]]
    for patience in range(12):
        looks = iter(range(patience))
        found = solve_graph(graph, tiers, 0.0, lambda looks=looks: next(looks, None) is None)
        assert found is not None
        for i, true in enumerate(truth):
            known = found.of(i)
            low, high = (known, known) if isinstance(known, F) else known
            assert low <= true <= high


def test_a_fraction_that_is_almost_whole_is_not_taken_for_it() -> None:
    nodes = {
        "A": {"turn": "chance", "moves": {"W": 10**14, "L": 1}},
        "W": {"value": 1},
        "L": {"value": -1},
    }
    answer = solve(graph_game({"root": "A", "nodes": nodes}))
    assert answer.details["fraction"] == f"{10**14 - 1}/{10**14 + 1}"
    assert 1 - 1e-13 < answer.value < 1
    tiny = {
        "A": {"turn": "chance", "moves": {"B": 10**9, "L": 1}},
        "B": {"turn": "chance", "moves": {"W": 10**14, "A2": 1}},
        "A2": {"turn": "chance", "moves": {"W": 10**14, "L": 1}},
        "W": {"value": 1},
        "L": {"value": -1},
    }
    answer = solve(graph_game({"root": "B", "nodes": tiny}))
    assert F(answer.details["fraction"]) < 1
    assert 0.999 < answer.value < 1
    assert answer.bounds == (answer.value, answer.value)


@pytest.mark.parametrize(("rule", "loop"), [("draw", 0), ("first", 1), ("second", -1)])
def test_who_comes_back_gets_what_the_repetition_rule_says(rule: str, loop: int) -> None:
    """Dice lie behind the cycle, not on it: moves that lead back are worth a loop, wherever they go on."""
    nodes = {
        "A": {"turn": "max", "moves": ["W", "A", "B"]},
        "B": {"turn": "min", "moves": ["A", "C"]},
        "C": {"turn": "max", "moves": ["A"]},
        "W": {"turn": "chance", "moves": {"X": 7, "Y": 1}},
        "X": {"value": 1},
        "Y": {"value": -1},
    }
    game = graph_game({"root": "A", "repetition": rule, "values": [-1, 1], "nodes": nodes})
    for position in (game.position(), game.position("B"), game.position("B C")):
        answer = solve(position)
        values = {move: oracles.expected(position.play(move)) for move in position.moves()}
        assert {move: F(v) for move, v in answer.details["moves"].items()} == values
        assert answer.best == oracles.best_expected(position)
        assert F(answer.details["fraction"]) == oracles.expected(position)
