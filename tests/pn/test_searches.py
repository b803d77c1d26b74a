"""Proof searches against minimax by definition and the enumeration of all paths, and on what is known."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from marks import slow
from random_games import random_game, seeded
from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.core.claims import next_claim
from zermelo.core.engine import Engine
from zermelo.core.method import PLAIN
from zermelo.core.solving import solve_with
from zermelo.games.graph import graph_game
from zermelo.methods.asking import solve
from zermelo.methods.registry import method_named
from zermelo.pn.options import ProofOptions
from zermelo.rules import Game, Position, UnknownName, Unsuitable, from_object, rule

SEEDS = st.integers(0, 2**40)
WHOLE = random_game()
RULES = ("draw", "first", "second", "wins", "loses")
VARIANTS: dict[str, tuple[str, ProofOptions, str | int]] = {
    "dfpn": ("dfpn", ProofOptions(), "64KB"),
    "dfpn colliding": ("dfpn", ProofOptions(), 320),
    "dfpn weak": ("dfpn", ProofOptions(weak=True), 640),
    "dfpn mobility": ("dfpn", ProofOptions(leaves="mobility"), 640),
    "dfpn estimate": ("dfpn", ProofOptions(leaves="estimate"), "64KB"),
    "pn": ("pn", ProofOptions(order=(), knowledge=False), "64KB"),
    "pn leftmost": ("pn", ProofOptions(selection="leftmost"), "64KB"),
    "pn weak": ("pn", ProofOptions(weak=True, leaves="mobility"), "64KB"),
    "pn graph": ("pn", ProofOptions(graph=True), "64KB"),
    "pn2": ("pn2", ProofOptions(order=(), knowledge=False), "64KB"),
    "mopn": ("mopn", ProofOptions(), "256KB"),
}


@cache
def engine(variant: str, game: Game = WHOLE, mode: str = "interpreted") -> Engine:
    method, options, memory = VARIANTS[variant]
    return Engine(game, method_named(method), options, mode=mode, memory=memory)


def agrees(one: Engine, position: Position) -> None:
    """A solved game has the oracle's value, moves that reach it, and a line that leads to it."""
    answer = solve_with(one, position)
    assert (answer.status, answer.value) == ("proven", oracles.value(position))
    assert set(answer.best) <= set(oracles.best_moves(position))
    for move in answer.line:
        position = position.play(move)
    assert position.result == answer.value


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=25)
@given(seed=SEEDS)
def test_values(variant: str, seed: int) -> None:
    agrees(engine(variant), seeded(WHOLE, seed))


@pytest.mark.parametrize("variant", ["dfpn colliding", *slow("pn2", "pn graph", "mopn")])
@settings(max_examples=60)
@given(seed=SEEDS)
def test_values_compiled(variant: str, seed: int) -> None:
    agrees(engine(variant, mode="compiled"), seeded(WHOLE, seed))


@cache
def cyclic(repetition: Any, size: int = 7, moves: int = 2, folds: int = 2) -> Game:
    return random_game(size=size, moves=moves, repetition=repetition, folds=folds)


@pytest.mark.parametrize("repetition", RULES)
@pytest.mark.parametrize("variant", ["dfpn", "dfpn colliding", "dfpn weak", "pn", "pn graph", "pn2", "mopn"])
@settings(max_examples=12)
@given(seed=SEEDS)
def test_cycles(variant: str, repetition: str, seed: int) -> None:
    agrees(engine(variant, cyclic(repetition)), seeded(cyclic(repetition), seed))


@settings(max_examples=60)
@given(seed=SEEDS)
def test_cycles_compiled(seed: int) -> None:
    game = cyclic("draw", size=8)
    agrees(engine("dfpn colliding", game, mode="compiled"), seeded(game, seed))


@rule
def by_what_was_passed(path, earliest, latest, end):
    total = 0
    for ply in range(latest, end):
        total += path[ply].node
    return total % 3 - 1


@pytest.mark.parametrize(("repetition", "folds", "size"), [(by_what_was_passed, 2, 7), ("draw", 3, 4), ("wins", 3, 4)])
@pytest.mark.parametrize("variant", ["dfpn", "dfpn colliding", "pn"])
@settings(max_examples=15)
@given(seed=SEEDS)
def test_loops_that_count_later_or_by_a_rule(variant: str, repetition: Any, folds: int, size: int, seed: int) -> None:
    game = cyclic(repetition, size=size, folds=folds)
    agrees(engine(variant, game), seeded(game, seed))


@settings(max_examples=30)
@given(seed=SEEDS, choices=st.lists(st.integers(0, 1), max_size=4), repetition=st.sampled_from(RULES))
def test_what_was_played_before_counts(seed: int, choices: list[int], repetition: str) -> None:
    game = cyclic(repetition)
    position = seeded(game, seed)
    for choice in choices:
        agrees(engine("dfpn", game), position)
        after = position.play(position.codes[choice % len(position.codes)])
        if after.result is not None:
            return
        position = after


@pytest.mark.parametrize("variant", ["dfpn", "pn", "pn2"])
@settings(max_examples=25)
@given(seed=SEEDS, depth=st.integers(1, 6), target=st.integers(-3, 3))
def test_unknown_is_never_taken_for_a_verdict(variant: str, seed: int, depth: int, target: int) -> None:
    position = seeded(WHOLE, seed)
    answer = solve_with(engine(variant), position, at_least=target, limits=Limits(depth=depth))
    low, high = answer.bounds
    assert low <= oracles.value(position) <= high
    boolean = Engine(WHOLE, method_named("boolean"), PLAIN, mode="interpreted")
    known = solve_with(boolean, position, at_least=target, limits=Limits(depth=depth)).bounds
    assert known[0] <= low
    assert high <= known[1]


@pytest.mark.parametrize("mode", ["interpreted", "compiled"])
@pytest.mark.parametrize(
    ("game", "target", "created", "expanded"),
    [
        (games.tic_tac_toe(), 1, 13950, 3323),
        (games.tic_tac_toe(), 0, 2510, 474),
        *slow((games.connect_four(width=4, height=3, run=3), 1, 703, 218)),
    ],
    ids=["first wins", "at least a draw", "connect three"],
)
def test_nodes_created_and_expanded(mode: str, game: Game, target: int, created: int, expanded: int) -> None:
    answer = solve(game, method="pn", at_least=target, mode=mode)
    assert (answer.nodes, answer.details["expanded"]) == (created, expanded)


@pytest.mark.parametrize("method", ["dfpn", *slow("mopn")])
def test_known_value_of_othello(method: str) -> None:
    assert solve(games.othello(rows=4, cols=4), method=method, mode="interpreted", memory="8MB").value == -8


def test_known_openings_of_hex() -> None:
    won = solve(games.hex(size=3), method="dfpn", mode="interpreted", memory="1MB").best
    assert won == ["c1", "a2", "b2", "c2", "a3"]


def graph_history(order: tuple[str, ...], repetition: str) -> Position:
    below = {"A": "BC", "B": "DE", "D": "GH"}
    nodes: dict[str, Any] = {
        name: {"turn": "max" if name in "ADFI" else "min", "moves": list(moves)}
        for name, moves in {**below, "C": "F", "F": "J", "G": "I", "I": "J", "J": "D"}.items()
    }
    for name in order:
        nodes[name]["moves"].reverse()
    nodes |= {"E": {"value": -1}, "H": {"value": 1}}
    return graph_game({"root": "A", "repetition": repetition, "nodes": nodes}).position()


@pytest.mark.parametrize("repetition", ["draw", *slow("wins", "loses")])
@pytest.mark.parametrize("method", ["dfpn", "pn", "pn2", "mopn"])
def test_the_graph_history_example(method: str, repetition: str) -> None:
    for order in ((), ("A",), ("B",), ("D",), ("A", "B"), ("A", "D"), ("B", "D"), ("A", "B", "D")):
        answer = solve(graph_history(order, repetition), method=method, mode="interpreted", memory="16KB")
        assert (answer.value, answer.status) == (1, "proven")


def test_memory_that_runs_out_is_told() -> None:
    for method in ("pn", "mopn"):
        answer = solve(games.tic_tac_toe(), method=method, memory="20KB", mode="interpreted")
        assert (answer.status, answer.stopped) == ("unknown", "memory")
        notes = dict(answer.notes)
        assert method == "mopn" or notes["numbers"].startswith("proof number 8, disproof number 63 when")


def test_less_memory_is_enough_in_two_levels() -> None:
    how: dict[str, Any] = {"at_least": 0, "memory": "20KB", "mode": "interpreted"}
    assert solve(games.tic_tac_toe(), method="pn", **how).stopped == "memory"
    assert solve(games.tic_tac_toe(), method="pn2", **how).bounds == (0, 1)


def test_a_budget_too_small_for_the_root() -> None:
    with pytest.raises(Unsuitable, match="pn needs at least 272 bytes to look at one position of tic-tac-toe, not 100"):
        solve(games.tic_tac_toe(), method="pn", memory=100)


def test_options_that_do_not_exist() -> None:
    with pytest.raises(UnknownName, match=r"no leaf cost is called mobilty: did you mean mobility\?"):
        ProofOptions(leaves="mobilty")
    with pytest.raises(Unsuitable, match="tic-tac-toe has no hook for the leaf cost effort"):
        solve(games.tic_tac_toe(), method="dfpn", options=ProofOptions(leaves="effort"))


def test_the_effort_that_a_game_expects_is_heeded() -> None:
    from dataclasses import replace

    @rule
    def effort(s):
        return 1 + s.node % 3

    game = replace(WHOLE, effort=effort)
    one = Engine(game, method_named("pn"), ProofOptions(leaves="effort"), mode="interpreted", memory="64KB")
    counts = set()
    for seed in range(15):
        agrees(one, seeded(game, seed))
        for options in (ProofOptions(leaves="effort"), ProofOptions()):
            how: dict[str, Any] = {"method": "pn", "mode": "interpreted", "memory": "64KB"}
            counts.add((seed, solve(seeded(game, seed), options=options, at_least=1, **how).nodes))
    assert len(counts) > 15


@given(low=st.integers(-40, 40), span=st.integers(1, 60), data=st.data())
def test_doubling_and_halving_find_every_value(low: int, span: int, data: st.DataObject) -> None:
    high = low + span
    value = data.draw(st.integers(low, high))
    lower, upper, asked = low, high, 0
    while lower < upper:
        target = next_claim(lower, upper, low, high)
        assert lower < target <= upper
        lower, upper = (target, upper) if value >= target else (lower, target - 1)
        asked += 1
    assert lower == value
    assert asked <= 2 * span.bit_length() + 2 + max(low, 0) + max(-high, 0)


class Heaps:
    """Nim without a key: whoever takes the last one wins."""

    def __init__(self, heaps: tuple[int, ...], player: int = 0) -> None:
        self.heaps, self.player = heaps, player

    def turn(self) -> int:
        return self.player

    def moves(self) -> list[int]:
        return [10 * heap + n for heap, size in enumerate(self.heaps) for n in range(1, size + 1)]

    def play(self, move: int) -> Heaps:
        heaps = list(self.heaps)
        heaps[move // 10] -= move % 10
        return Heaps(tuple(heaps), 1 - self.player)

    def result(self) -> int | None:
        return None if any(self.heaps) else 1 if self.player == 1 else -1


@pytest.mark.parametrize("heaps", [(1, 2, 3), (1, 3), (2, 1), (1, 2, 4)])
def test_games_without_keys(heaps: tuple[int, ...]) -> None:
    game = from_object(Heaps(heaps), name="nim", max_moves=20)
    truth = -1 if heaps == (1, 2, 3) else 1
    for method in ("pn", "pn2", "mopn"):
        assert solve(game, method=method, memory="1MB").value == truth
    with pytest.raises(Unsuitable, match="dfpn lives on its table, which needs positions with a key"):
        solve(game, method="dfpn")
    with pytest.raises(Unsuitable, match="nim: its positions have no key, so no graph can tell them apart"):
        solve(game, method="pn", options=ProofOptions(graph=True))


def test_no_proof_without_a_table() -> None:
    with pytest.raises(Unsuitable, match="dfpn lives on its table"):
        solve(games.tic_tac_toe(), method="dfpn", options=ProofOptions(table=False), mode="interpreted")


def test_a_tree_is_grown_by_one_thread() -> None:
    answer = solve(games.tic_tac_toe(), method="pn", at_least=1, threads=2)
    assert (answer.threads, answer.nodes) == (1, 13950)
