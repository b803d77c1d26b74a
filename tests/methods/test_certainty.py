"""What is called proven in games with loops: values, bounds, best moves, verdicts and lines, by every method, with
limits of plies from far too small to ample, against the enumeration of all paths."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import oracles
from marks import slow, some_slow
from random_games import random_game, seeded
from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.core.answer import Answer
from zermelo.core.engine import Engine
from zermelo.core.solving import solve_with
from zermelo.games.graph import graph_game
from zermelo.methods.asking import search, solve
from zermelo.methods.registry import method_named
from zermelo.rules import Game, Position

RULES = ("draw", "first", "second", "wins", "loses")
PLIES = (2, 3, 4, 5, 8)  # a path of seven positions is as long as one can be
AMPLE = 8
SEARCHES = ("minimax", "negamax", "alphabeta", "negascout", "mtdf", "boolean", "pn", "pn2", "mopn", "dfpn")


@cache
def loopy(repetition: str, plies: int, size: int = 7) -> Game:
    return replace(random_game(size=size, moves=2, repetition=repetition, spread=2), max_plies=plies)


@cache
def engine(method: str, game: Game, mode: str) -> Engine:
    chosen = method_named(method)
    memory = "40KB" if chosen.least_memory is None else "200KB"  # so small that entries collide
    return Engine(game, chosen, estimates=not chosen.answers_claims, mode=mode, memory=memory)


def agrees(answer: Answer, value: float, values: dict[str, float]) -> None:
    """Whatever an answer claims must be true of the position's value and of the values of its moves."""
    best = [move for move, worth in values.items() if worth == value]
    assert answer.best
    if answer.status in ("proven", "bound"):
        assert answer.bounds[0] <= value <= answer.bounds[1]
    for verdict in answer.verdicts:
        if verdict.status in ("proven", "bound"):
            assert verdict.low <= values[verdict.move] <= verdict.high
    if answer.status != "proven":
        return
    assert answer.value == value
    assert answer.best == best if answer.complete else set(answer.best) <= set(values)
    if answer.line and answer.stopped is None:
        position = answer.position
        for move in answer.line:
            position = position.play(move)
        ample = position.game.max_plies >= AMPLE
        assert position.result == value or (position.result is None and not ample)


def by_all_paths(position: Position) -> tuple[float, dict[str, float]]:
    values = {position.text_of(move): oracles.value(position.play(move)) for move in position.codes}
    return (max if position.turn == 0 else min)(values.values()), values


def compare(seeds: range, methods: tuple[str, ...], mode: str, games: list[Game]) -> None:
    for seed in seeds:
        chance = Random(seed)
        game = chance.choice(games)
        position = seeded(game, chance.randrange(2**40))
        value, values = by_all_paths(position)
        for method in methods:
            limits = Limits(nodes=chance.choice([None, None, 3, 30]))
            agrees(solve_with(engine(method, game, mode), position, limits=limits), value, values)
        if game.loop_value is not None:
            agrees(solve(position, method="fixpoint", mode=mode), value, values)
        agrees(solve(position, mode=mode, limits=Limits(nodes=chance.choice([None, 3, 300]))), value, values)


@pytest.mark.slow
def test_every_method_with_every_limit_of_plies() -> None:
    compare(range(300), SEARCHES, "interpreted", [loopy(rule, plies) for rule, plies in zip(RULES, (3, 5, 2, 4, 8))])


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_games(part: int) -> None:
    games = [loopy(rule, plies) for rule in RULES for plies in PLIES]
    compare(range(1000 * part, 1000 * (part + 1)), SEARCHES, "interpreted", games)


@pytest.mark.slow
def test_compiled() -> None:
    compare(range(300), ("dfpn",), "compiled", [loopy("draw", 5)])


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["first", "loses"])
def test_ten_thousand_games_compiled(rule: str) -> None:
    compare(range(10_000), SEARCHES, "compiled", [loopy(rule, 4), loopy(rule, 8)])


@cache
def large(plies: int, size: int = 2000) -> Game:
    return replace(random_game(size=size, moves=3, repetition="draw", spread=1), max_plies=plies)


def check_large(seed: int, methods: tuple[str | None, ...], mode: str, nodes: int) -> None:
    for plies in (9, 200):
        position = seeded(large(plies), seed)
        values = oracles.values_by_sweeps(position)
        value = (max if position.turn == 0 else min)(values.values())
        for method in methods:
            answer = solve(position, method=method, mode=mode, limits=Limits(nodes=nodes))
            agrees(answer, value, values)
            if method in (None, "fixpoint"):
                assert answer.status == "proven"
                assert answer.complete


@pytest.mark.parametrize("seed", [0, *slow(1, 2, 3)])
def test_games_of_two_thousand_positions(seed: int) -> None:
    check_large(seed, ("fixpoint", None, "dfpn", "alphabeta"), "interpreted", 20_000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_more_of_them(seed: int) -> None:
    check_large(seed, ("fixpoint", None, *SEARCHES[2:]), "interpreted", 40_000)


def play_out(position: Position, method: str | None, value: float, path: int = 0) -> None:
    """The move to play, against every defence, until the game is over."""
    assert path < 40
    if position.result is not None:
        assert position.result == value
        return
    winner = 0 if value > 0 else 1
    if position.turn != winner:
        for move in position.codes:
            play_out(position.play(move), method, value, path + 1)
        return
    answer = solve(position, method=method, mode="interpreted")
    assert (answer.status, answer.value) == ("proven", value)
    assert answer.move is not None
    play_out(position.play(answer.move), method, value, path + 1)


@pytest.mark.parametrize("method", ["fixpoint", "dfpn", "mtdf", None])
def test_proven_wins_are_won_against_every_defence(method: str | None) -> None:
    game = replace(random_game(size=30, moves=3, repetition="draw", spread=1), max_plies=60)
    won = 0
    for seed in range(30):
        position = seeded(game, seed)
        answer = solve(position, method=method, mode="interpreted")
        if answer.status == "proven" and answer.value != 0:
            play_out(position, method, answer.value or 0)
            won += 1
    assert won > 3


@pytest.mark.parametrize("method", [*SEARCHES, "fixpoint", None])
def test_limits_hold_for_the_whole_answer(method: str | None) -> None:
    position = seeded(large(400, size=200_000), 3)
    started = time.perf_counter()
    answer = solve(position, method=method, mode="interpreted", limits=Limits(seconds=0.1))
    assert time.perf_counter() - started < 5
    assert answer.best
    assert answer.status == "proven" or answer.stopped == "seconds"


@pytest.mark.parametrize("plies", [8, 9, *slow(3, 4, 20)])
def test_a_win_in_nine_plies(plies: int, tmp_path: Path) -> None:
    """The winner could also go round. A search that may not look so far knows less, never the opposite."""
    nodes: dict[str, Any] = {
        f"p{n}": {"turn": ("max", "min")[n % 2], "moves": [f"p{n + 1}", "a"][: 2 - n % 2]} for n in range(9)
    }
    nodes |= {"p9": {"value": 1}, "a": {"turn": "min", "moves": ["b"]}, "b": {"turn": "max", "moves": ["p0"]}}
    file = tmp_path / "nine.json"
    file.write_text(json.dumps({"root": "p0", "repetition": "draw", "values": [-1, 1], "nodes": nodes}))
    game = replace(games.load(str(file)), max_plies=plies)
    for method in SEARCHES:
        answer = solve(game, method=method, mode="interpreted")
        if plies >= 9:
            assert (answer.status, answer.value, answer.best, len(answer.line)) == ("proven", 1, ["p1"], 9)
        else:
            assert answer.status in ("unknown", "heuristic")
            assert answer.stopped == "max_plies"
    assert solve(game, mode="interpreted").value == 1


def graph_with_loops(chance: Random, repetition: str, folds: int) -> Game:
    """A graph whose nodes are numbered from 0, which are their keys: a key may be 0, and any node the root."""
    names = [f"n{number}" for number in range(chance.randint(3, 5))]
    leaves = {f"e{score}": {"value": score} for score in (-1, 0, 1)[: chance.randint(0, 3)]}
    nodes = {
        name: {
            "turn": chance.choice(["max", "min"]),
            "moves": chance.sample([*names, *leaves], 2),
            "estimate": chance.choice([-0.9, -0.6, 0.0, 0.4, 0.9]),
        }
        for name in names
    }
    data = {"root": chance.choice(names), "repetition": repetition, "values": [-1, 1], "nodes": nodes | leaves}
    return replace(graph_game(data), folds=folds, max_plies=40)


def check_graphs(repetition: str, folds: int, count: int) -> None:
    chance = Random(f"{repetition} {folds}")
    for _ in range(count):
        position = graph_with_loops(chance, repetition, folds).position()
        for _ in range(chance.randint(0, 3)):
            after = position.play(chance.choice(position.codes))
            position = position if after.result is not None else after
        value, values = by_all_paths(position)
        for method in SEARCHES:
            agrees(solve(position, method=method, mode="interpreted", memory="200KB"), value, values)
            agrees(search(position, depth=chance.randint(1, 5), mode="interpreted", memory="200KB"), value, values)


@pytest.mark.parametrize("repetition", some_slow(RULES, ("first", "second", "loses")))
def test_graphs_after_some_moves(repetition: str) -> None:
    check_graphs(repetition, 3, 1)


@pytest.mark.slow
@pytest.mark.parametrize("folds", [2, 3, 4])
@pytest.mark.parametrize("repetition", RULES)
def test_many_graphs_after_some_moves(repetition: str, folds: int) -> None:
    check_graphs(repetition, folds, 40)


def test_paths_differ_by_a_position_whose_key_is_zero() -> None:
    nodes = {
        "n0": {"turn": "min", "moves": ["n2", "n1"]},
        "n1": {"turn": "min", "moves": ["n2"]},
        "n2": {"turn": "max", "moves": ["n0", "n1"]},
    }
    game = graph_game({"root": "n0", "repetition": "loses", "values": [-1, 1], "nodes": nodes})
    position = replace(game, folds=3, max_plies=20).position("n1 n2")
    for method in SEARCHES:
        answer = solve(position, method=method, mode="interpreted", memory="200KB")
        assert (answer.status, answer.value, answer.best) == ("proven", 1, ["n1"])


def test_an_estimate_rounded_to_a_bound_is_none() -> None:
    nodes = {
        "A": {"turn": "max", "moves": ["B", "C"]},
        "B": {"turn": "min", "moves": ["D", "A"], "estimate": 0.9},
        "C": {"turn": "min", "moves": ["D", "L"], "estimate": 0.2},
        "D": {"turn": "max", "moves": ["W", "L"], "estimate": -0.8},
        "L": {"value": -1},
        "W": {"value": 1},
    }
    game = graph_game({"root": "A", "repetition": "draw", "values": [-1, 1], "nodes": nodes})
    for depth in range(1, 6):
        answer = search(game, "mopn", depth=depth, mode="interpreted", memory="200KB")
        assert answer.value == 0 or answer.status == "heuristic"


@pytest.mark.parametrize("method", SEARCHES)
def test_a_limit_between_the_value_and_its_moves(method: str) -> None:
    """Wherever a limit falls, what is proven is true, and so is the best move beside it."""
    position = games.tic_tac_toe().position("a1 b1 a2 b2")
    one = engine(method, position.game, "interpreted")
    for nodes in range(1, 60):
        one.memory.clear()
        answer = solve_with(one, position, limits=Limits(nodes=nodes))
        if answer.status == "proven":
            assert (answer.value, answer.best) == (1, ["a3"])


def test_the_value_alone() -> None:
    position = seeded(large(200), 1)
    answer = solve(position, method="dfpn", mode="interpreted", value_only=True)
    assert answer.status == "proven"
    assert answer.extra_nodes == 0
    assert answer.best
    assert not answer.complete
