"""Numbers that are known: node counts that pin the searches down, and values that others have published."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import oracles
from marks import slow
from zermelo import Limits, Options, games, solve
from zermelo.core.engine import Engine
from zermelo.core.method import PLAIN
from zermelo.core.solving import solve_with
from zermelo.games.graph import graph_game
from zermelo.methods.registry import method_named, methods

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
KERNELS = {name: method.kernel for name, method in methods().items() if method.kernel is not None}
FAMILY = [name for name, kernel in KERNELS.items() if kernel.__module__.startswith("zermelo.minimax.")]
MODES = pytest.mark.parametrize("mode", ["interpreted", "compiled"])


@MODES
def test_nodes_of_plain_alphabeta_on_tic_tac_toe(mode: str) -> None:
    answer = solve(games.tic_tac_toe(), method="alphabeta", options=PLAIN, mode=mode)
    assert (answer.value, answer.nodes) == (0, 18_297)


def test_nodes_of_minimax_on_tic_tac_toe() -> None:
    answer = solve(games.tic_tac_toe(), method="minimax", mode="compiled")
    assert (answer.value, answer.nodes) == (0, 549_946)
    assert len(answer.best) == 9


@cache
def depth_13() -> tuple[int, int, int]:
    """Value, nodes and leaves of Connect Four to depth 13 with a table of one megabyte, moves in the given order
    but for the table's, by the generic kernel."""
    one = Engine(
        games.connect_four(), method_named("alphabeta"), Options(order=("hash",), knowledge=False), estimates=True,
        mode="compiled", memory="1MB",
    )  # fmt: skip
    watch = one.watched(Limits(depth=13), None)
    value = one.search(one.game.position(), 13, -1, 1)
    return value, watch.nodes, one.workspaces[0]["leaves"]


@pytest.mark.slow
def test_nodes_of_connect_four_to_depth_13() -> None:
    assert depth_13()[:2] == (0, 1_389_477)


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs a C++ compiler")
def test_nodes_are_those_of_the_same_search_in_cpp(tmp_path: Path) -> None:
    program = tmp_path / "connect_four"
    subprocess.run(["g++", "-O2", "-o", str(program), str(BENCHMARKS / "connect_four.cpp")], check=True)
    printed = subprocess.run([str(program), "13", "1"], check=True, capture_output=True, text=True).stdout
    theirs = json.loads(printed)
    assert depth_13() == (theirs["value"], theirs["nodes"], theirs["leaves"])


INTERPRETED: dict[str, Any] = {"mode": "interpreted", "memory": "8MB"}


@pytest.mark.parametrize(
    ("width", "height", "value", "how"),
    [
        (4, 4, 0, INTERPRETED),
        *slow((5, 4, 0, {}), (6, 4, -1, {}), (5, 5, 0, {}), (6, 5, 0, {})),  # README.md solves the first of them
    ],
)  # fmt: skip
def test_connect_four(width: int, height: int, value: int, how: dict[str, Any]) -> None:
    answer = solve(games.connect_four(width=width, height=height), **how)
    assert (answer.status, answer.value) == ("proven", value)


@pytest.mark.parametrize("mode", ["interpreted", *slow("compiled")])
def test_othello(mode: str) -> None:
    answer = solve(games.othello(rows=4, cols=4), mode=mode, memory="8MB")
    assert (answer.status, answer.value) == ("proven", -8)


@pytest.mark.parametrize(
    ("width", "height", "value", "how"),
    [(4, 4, -1, INTERPRETED), *slow((3, 6, 1, {}))],
)
def test_breakthrough(width: int, height: int, value: int, how: dict[str, Any]) -> None:
    answer = solve(games.breakthrough(width=width, height=height, pawn_rows=2), **how)
    assert (answer.status, answer.value) == ("proven", value)


def test_hex_openings() -> None:
    game = games.hex(size=3)
    answer = solve(game, **INTERPRETED)
    assert (answer.status, answer.value) == ("proven", 1)
    openings = "".join("W" if move in answer.best else "l" for move in game.position().moves())
    assert openings == "llW" + "WWW" + "Wll"


@pytest.mark.parametrize("empty_capture", [False, True])
@pytest.mark.parametrize(("pits", "stones"), [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)])
def test_kalah_by_definition(pits: int, stones: int, empty_capture: bool) -> None:
    game = games.kalah(pits=pits, stones=stones, empty_capture=empty_capture)
    answer = solve(game, **INTERPRETED)
    assert (answer.status, answer.value) == ("proven", oracles.value(game.position()))
    assert answer.best == oracles.best_moves(game.position())


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 3), (3, 2), (3, 3), (1, 4), (4, 1), (2, 4)])
def test_domineering_by_definition(rows: int, cols: int) -> None:
    game = games.domineering(rows=rows, cols=cols)
    answer = solve(game, **INTERPRETED)
    assert (answer.status, answer.value) == ("proven", oracles.value(game.position()))


# Published by Breuker, Uiterwijk and van den Herik 2000.
@pytest.mark.parametrize(
    ("size", "value", "how"),
    [
        (2, 1, INTERPRETED), (3, 1, INTERPRETED), (4, 1, INTERPRETED), (5, -1, INTERPRETED),
        *slow((6, 1, {})),
    ],
)  # fmt: skip
def test_domineering_squares(size: int, value: int, how: dict[str, Any]) -> None:
    answer = solve(games.domineering(rows=size, cols=size), **how)
    assert (answer.status, answer.value) == ("proven", value)


# A → B, C; B → D, E; C → F; D → G, H; F → J; G → I; I → J; J → D: a table that ignores the path gets it wrong.
HISTORY = {
    "A": ("max", "BC"), "B": ("min", "DE"), "C": ("min", "F"), "D": ("max", "GH"), "F": ("max", "J"),
    "G": ("min", "I"), "I": ("max", "J"), "J": ("min", "D"),
}  # fmt: skip
ORDERS = list(itertools.product(*(map("".join, itertools.permutations(moves)) for _, moves in HISTORY.values())))


def history_example(order: tuple[str, ...], repetition: str) -> Any:
    nodes: dict[str, Any] = {
        name: {"turn": turn, "moves": list(moves)} for (name, (turn, _)), moves in zip(HISTORY.items(), order)
    }
    nodes |= {"E": {"value": -1}, "H": {"value": 1}}
    return graph_game({"root": "A", "repetition": repetition, "nodes": nodes})


@pytest.mark.parametrize("repetition", ["draw", *slow("wins", "loses", "first", "second")])
@pytest.mark.parametrize("method", FAMILY)
def test_the_graph_history_example(method: str, repetition: str) -> None:
    assert len(ORDERS) == 8
    for order in ORDERS:
        game = history_example(order, repetition)
        truth = oracles.value(game.position())
        answer = solve(game, method=method, memory="64KB")
        assert (answer.status, answer.value) == ("proven", truth)
        assert truth == 1 or repetition in ("first", "second")
        assert set(answer.best) <= set(oracles.best_moves(game.position()))


@pytest.mark.parametrize("repetition", ["wins", *slow("draw", "loses")])
def test_every_position_of_the_graph_history_example(repetition: str) -> None:
    """The value of a position depends on the path to it, and every path is answered for."""
    for order in ORDERS:
        waiting = [history_example(order, repetition).position()]
        while waiting:
            position = waiting.pop()
            assert solve(position, memory="64KB").value == oracles.value(position)
            if position.result is None:
                waiting += [position.play(move) for move in position.moves()]


@pytest.mark.slow
def test_the_graph_history_example_compiled() -> None:
    game = history_example(ORDERS[0], "wins")
    one = Engine(game, method_named("alphabeta"), mode="compiled")
    for path in ("", "C", "B D", "C F J", "C F J D", "B D G I"):
        position = game.position(path)
        assert solve_with(one, position).value == oracles.value(position)
