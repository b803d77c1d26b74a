"""Searches that may not go to the end: what they say, what they refuse, and that they always have a move."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import oracles
from random_games import random_game, seeded
from zermelo import Limits, Options, best_move, games, request, search, solve
from zermelo.core.engine import Engine
from zermelo.core.memory import machine_bytes, parse_size
from zermelo.core.method import PLAIN
from zermelo.core.solving import solve_with
from zermelo.methods.registry import method_named, methods
from zermelo.rules import MoveError, UnknownName, Unsuitable

LARGE = games.connect_four()
TIC_TAC_TOE = games.tic_tac_toe()
RANDOM = random_game()
SEEDS = st.integers(0, 2**40)
INTERPRETED: dict[str, Any] = {"mode": "interpreted", "memory": "1MB"}


@cache
def engine(method: str = "alphabeta", options: Options = PLAIN) -> Engine:
    return Engine(RANDOM, method_named(method), options, estimates=True, mode="interpreted", memory="64KB")


@pytest.mark.parametrize("method", ["minimax", "negamax", "alphabeta", "negascout", "mtdf", "boolean"])
def test_seconds(method: str) -> None:
    answer = solve(LARGE, method=method, limits=Limits(seconds=0.2), **INTERPRETED)
    assert answer.stopped == "seconds"
    assert answer.status in ("unknown", "bound")
    assert answer.bounds[0] <= 1 <= answer.bounds[1]


@pytest.mark.parametrize("method", ["minimax", "negamax", "alphabeta", "negascout", "mtdf", "boolean"])
def test_nodes(method: str) -> None:
    answer = solve(LARGE, method=method, limits=Limits(nodes=500), **INTERPRETED)
    assert answer.stopped == "nodes"
    assert 500 <= answer.nodes <= 500 + LARGE.max_plies * LARGE.max_moves  # the moves left on the way back are seen too
    assert answer.status in ("unknown", "bound")


def test_a_limit_reached_after_the_value_keeps_the_value() -> None:
    needed = solve(TIC_TAC_TOE, **INTERPRETED)
    assert needed.extra_nodes > 2
    cut = solve(TIC_TAC_TOE, limits=Limits(nodes=needed.nodes + 2), **INTERPRETED)
    assert cut.stopped == "nodes"
    assert (cut.status, cut.value) == ("proven", 0)
    assert set(cut.best) <= set(needed.best)


def test_depth() -> None:
    answer = solve(LARGE, limits=Limits(depth=3), **INTERPRETED)
    assert (answer.status, answer.depth, answer.stopped) == ("heuristic", 3, None)
    assert answer.bounds == (-1, 1)
    assert len(answer.line) == 3
    deeper = solve(TIC_TAC_TOE, limits=Limits(depth=100), **INTERPRETED)
    assert (deeper.status, deeper.value) == ("proven", 0)


def test_a_claim_within_a_depth() -> None:
    assert solve(TIC_TAC_TOE, at_least=1, limits=Limits(depth=3), **INTERPRETED).status == "unknown"
    near = TIC_TAC_TOE.position("XX-OO----")
    answer = solve(near, at_least=1, limits=Limits(depth=1), **INTERPRETED)
    assert (answer.status, answer.value, answer.best) == ("proven", 1, ["c1"])


@pytest.mark.parametrize(("claim", "bounds"), [(1, (-1, 0)), (0.5, (-1, 0)), (0, (0, 1)), (-0.5, (0, 1))])
def test_claims_about_a_draw(claim: float, bounds: tuple[int, int]) -> None:
    answer = solve(TIC_TAC_TOE, at_least=claim, **INTERPRETED)
    assert answer.bounds == bounds
    assert answer.status == "bound"
    assert answer.best
    assert not answer.complete  # some of the moves that secure a draw might win


def test_claims_that_cannot_be() -> None:
    with pytest.raises(Unsuitable, match="tic-tac-toe: scores lie between -1 and 1, not at 2"):
        solve(TIC_TAC_TOE, at_least=2, **INTERPRETED)


@settings(max_examples=60)
@given(seed=SEEDS, depth=st.integers(1, 5))
def test_best_moves_and_line_within_a_depth(seed: int, depth: int) -> None:
    position = seeded(RANDOM, seed)
    value = oracles.value(position, depth)
    answer = solve_with(engine(), position, limits=Limits(depth=depth))
    assert answer.value == pytest.approx(value)
    best = [m for m in position.moves() if oracles.value(position.play(m), depth - 1) == pytest.approx(value)]
    assert answer.best == best
    assert answer.line[0] == best[0]
    assert len(answer.line) <= depth
    for move in answer.line:
        position = position.play(move)
    if len(answer.line) < depth:
        assert position.result is not None
    assert oracles.value(position, 0) == pytest.approx(value)


@example(seed=85)
@example(seed=620)
@settings(max_examples=40)
@given(seed=SEEDS)
def test_deepening_proves_small_games(seed: int) -> None:
    """The value is certain, and so is every move that is called best, even if others need a deeper look."""
    position = seeded(RANDOM, seed)
    session = request(None, RANDOM, "search", mode="interpreted", memory="16KB").open(RANDOM)
    answer = session.search(position, Limits(depth=RANDOM.max_plies))
    assert answer.status == "proven"
    assert answer.value == oracles.value(position)
    assert answer.best
    assert set(answer.best) <= set(oracles.best_moves(position))
    assert answer.line[0] in answer.best


def test_deepening_stops_when_the_value_is_certain() -> None:
    near = TIC_TAC_TOE.position("XX-OO----")
    answer = search(near, depth=9, **INTERPRETED)
    assert (answer.status, answer.value, answer.best, answer.depth) == ("proven", 1, ["c1"], 1)
    whole = search(TIC_TAC_TOE, depth=9, **INTERPRETED)
    assert (whole.status, whole.value, len(whole.best)) == ("proven", 0, 9)


@pytest.mark.parametrize("name", [name for name, m in methods().items() if m.worker is None or m.plays])
@pytest.mark.parametrize("text", ["", "a1", "b2 a1 c3", "XX-OO----", "XOXXOO-X-"])
def test_every_engine_has_a_legal_move(name: str, text: str) -> None:
    position = TIC_TAC_TOE.position(text)
    for limits in ({"depth": 2}, {"nodes": 1}, {"nodes": 40}):
        answer = search(position, name, seed=3, **limits, **INTERPRETED)
        assert answer.best
        assert set(answer.best) <= set(position.moves())
        assert answer.method == name
        if name != "random":
            for move in answer.line:
                assert move in position.moves()
                position = position.play(move)
            position = TIC_TAC_TOE.position(text)


@pytest.mark.slow
def test_a_compiled_engine_within_seconds() -> None:
    answer = search(TIC_TAC_TOE, "alphabeta", seconds=100)
    assert (answer.status, answer.value, answer.stopped, answer.mode) == ("proven", 0, None, "compiled")
    assert answer.best


def test_seconds_that_are_not_enough_leave_a_mark() -> None:
    answer = search(LARGE, seconds=0.3, **INTERPRETED)
    assert (answer.status, answer.stopped) == ("heuristic", "seconds")
    assert set(answer.best) <= set(LARGE.position().moves())


@pytest.mark.parametrize("limits", [{"seconds": 1000}, {"nodes": 10**9}, {"seconds": 1000, "nodes": 10**9}])
def test_a_depth_that_comes_first_is_not_taken_for_another_limit(limits: dict[str, float]) -> None:
    free = search(LARGE, depth=3, **INTERPRETED)
    answer = search(LARGE, depth=3, **limits, **INTERPRETED)
    assert answer.stopped is None
    assert (answer.depth, answer.value) == (3, free.value)
    assert answer.best
    assert set(answer.best) <= set(free.best)


def test_the_random_engine_is_repeatable() -> None:
    def played(seed: int) -> list[str]:
        session = request("random", LARGE, "play", seed=seed).open(LARGE)
        return [session.search(LARGE.position()).best[0] for _ in range(20)]

    assert played(1) == played(1)
    assert len({tuple(played(seed)) for seed in range(5)}) == 5
    assert set(played(1)) <= set(LARGE.position().moves())
    assert best_move(LARGE, "random", seed=7) == best_move(LARGE, "random", seed=7)


def test_best_move() -> None:
    assert best_move(TIC_TAC_TOE.position("XX-OO----"), depth=2, mode="interpreted") == "c1"
    assert best_move(TIC_TAC_TOE.position("X-O-X----"), depth=3, mode="interpreted") == "c3"


def test_an_engine_that_does_not_exist() -> None:
    with pytest.raises(UnknownName, match=r"no method is called alfabeta: did you mean alphabeta\?"):
        search(TIC_TAC_TOE, "alfabeta")
    with pytest.raises(UnknownName, match=r"no method is called minmax: did you mean minimax\?"):
        solve(TIC_TAC_TOE, method="minmax")


def test_a_finished_game_is_not_searched() -> None:
    over = TIC_TAC_TOE.position("XXXOO----")
    answer = solve(over, **INTERPRETED)
    assert (answer.status, answer.value, answer.best, answer.line, answer.nodes) == ("proven", 1, [], [], 0)
    for name in ("alphabeta", "random"):
        with pytest.raises(MoveError, match="there is nothing to search in 'XXXOO----': the game is over"):
            search(over, name, **INTERPRETED)


@pytest.mark.parametrize("limits", [{"nodes": 0}, {"depth": 0}, {"seconds": 0}, {"seconds": -1}])
def test_impossible_limits(limits: dict[str, int]) -> None:
    (name,) = limits
    with pytest.raises(Unsuitable, match=f"the limit of {name} must be"):
        search(TIC_TAC_TOE, **limits, **INTERPRETED)


@pytest.mark.parametrize("threads", [0, -1])
def test_threads_below_one(threads: int) -> None:
    for ask in (solve, search):
        with pytest.raises(Unsuitable, match=f"the number of threads must be at least 1, not {threads}"):
            ask(TIC_TAC_TOE, threads=threads, **INTERPRETED)


def test_a_mode_that_does_not_exist() -> None:
    with pytest.raises(Unsuitable, match="mode must be compiled or interpreted, not fast"):
        solve(TIC_TAC_TOE, mode="fast")


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("512MB", 512 * 2**20), ("2GB", 2 * 2**30), ("2 gb", 2 * 2**30), ("1.5GB", 3 * 2**29), ("64KB", 2**16),
        ("64k", 2**16), ("1GiB", 2**30), (" 100 ", 100), ("100B", 100), (4096, 4096), ("0.5 MB", 2**19),
    ],
)  # fmt: skip
def test_memory_sizes(text: str | int, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "much", "MB", "-5MB", "5 XB", "1e3MB", "1,5GB", "5MBs", None])
def test_sizes_that_cannot_be_read(text: Any) -> None:
    with pytest.raises(Unsuitable, match="a memory size is a number and a unit such as 512MB or 2GB, not "):
        parse_size(text)


@pytest.mark.parametrize("memory", [machine_bytes() + 2**30, "1000TB", "9" * 30 + "TB"])
@pytest.mark.parametrize("mode", ["interpreted", "compiled"])
def test_more_memory_than_the_machine_has(memory: str | int, mode: str) -> None:
    with pytest.raises(Unsuitable, match="does not fit: the machine has"):
        Engine(TIC_TAC_TOE, method_named("alphabeta"), Options(), mode=mode, memory=memory)


@pytest.mark.parametrize("memory", [0, 1, 64, "1KB"])
def test_almost_no_memory_is_enough(memory: str | int) -> None:
    answer = solve(TIC_TAC_TOE.position("b2"), mode="interpreted", memory=memory)
    assert (answer.status, answer.value) == ("proven", 0)
