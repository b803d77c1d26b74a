"""Tables that begin small against tables that have their full size from the start: they hold the same at every moment,
so that searches visit the same nodes."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marks import slow
from random_games import random_game, seeded
from zermelo import games
from zermelo.compile.modes import UNLIMITED, Interpreted
from zermelo.compile.watch import Limits
from zermelo.core import growth
from zermelo.core.buckets import NOWHERE, Buckets, buckets
from zermelo.core.engine import Engine
from zermelo.core.growth import BUCKET_WORDS, FIRST, FULL_SIZE, GROUP, first_room, first_shift
from zermelo.core.method import Options
from zermelo.core.solving import solve_with
from zermelo.methods.registry import method_named
from zermelo.rules import Game, Position

SEEDS = st.integers(0, 2**40)
TREES = random_game(size=400, moves=3, span=20)
FRACTIONS = random_game(size=400, moves=3, span=20, fractional=True)
CYCLES = {repetition: random_game(size=100, moves=3, repetition=repetition) for repetition in ("draw", "first", "wins")}
UNSPREAD = pow(0x9E3779B97F4A7C15, -1, 2**64)
"""What undoes the spreading of keys."""


def workspace(size: int, shift: int) -> Any:
    """All that the kernels of a table use, with no entry in it."""
    table = [0] * ((size + GROUP) * BUCKET_WORDS)
    return SimpleNamespace(
        table=table, buckets=size, shift=shift, room=first_room(size, shift), age=0, nodes=0, begun=[0]
    )


def held(kernels: Buckets, ws: Any, words: int, keys: list[int]) -> dict[int, list[int]]:
    """What a table knows of these keys."""
    places = {key: kernels.find(ws, key) for key in keys}
    return {key: ws.table[at + 1 : at + words] for key, at in places.items() if at != NOWHERE}


def laid_out(ws: Any, words: int) -> list[list[int]]:
    """Places and contents of a table's entries, as they lie."""
    entries = [[at, *ws.table[at : at + words]] for at in range(0, ws.buckets * BUCKET_WORDS, words)]
    return [entry for entry in entries if entry[2] != 0]


@pytest.mark.parametrize("words", [2, 4])
@pytest.mark.parametrize("size", [4 * GROUP, 133, 17 * GROUP - 1, 64 * GROUP])
@settings(max_examples=10)
@given(seed=SEEDS, crowds=st.integers(1, 200), puts=st.integers(1, 800))
def test_a_small_table_holds_what_a_large_one_would(words: int, size: int, seed: int, crowds: int, puts: int) -> None:
    chance = Random(seed)
    with patch.object(growth, "FIRST", GROUP):
        shift = first_shift(size)
    assert shift > FULL_SIZE
    kernels = buckets(Interpreted(), words)
    small, full = workspace(size, shift), workspace(size, FULL_SIZE)
    crowded = [chance.randrange(2**32) for _ in range(crowds)]  # many keys in few buckets
    keys: list[int] = []
    for number in range(puts):
        if not keys or chance.random() < 0.7:
            high = chance.choice(crowded) if chance.random() < 0.5 else chance.randrange(2**32)
            keys.append(((high << 32) + chance.randrange(2**32)) * UNSPREAD % 2**64)
        key, nodes, second = chance.choice(keys[-50:]), 1 << chance.randrange(6), number if words == 4 else 0
        for ws in (small, full):
            ws.age, ws.nodes = number // 300, nodes
            kernels.put(ws, 0, key, number % 255, 1 + number % 3, number % 1000, 0, second, second)
        if number % 100 == 0:
            assert held(kernels, small, words, keys) == held(kernels, full, words, keys)
    assert held(kernels, small, words, keys) == held(kernels, full, words, keys)
    for ws in (small, full):
        kernels.put(ws, 0, keys[0], 1, 1, 1, 0, 0, 0)
        while ws.shift != FULL_SIZE:
            ws.room = 0
            kernels.put(ws, 0, keys[0], 1, 1, 1, 0, 0, 0)
    assert laid_out(small, words) == laid_out(full, words)  # in the same order too: ties are broken by it
    assert small.room > UNLIMITED // 2  # it will not grow any more


def engines(game: Game, method: str, memory: str | int, mode: str = "interpreted") -> tuple[Engine, Engine]:
    """One whose table begins as small as can be, and one whose table does not grow."""
    with patch.object(growth, "FIRST", GROUP):
        small = Engine(game, method_named(method), mode=mode, memory=memory)
    with patch.object(growth, "FIRST", 1 << 40):
        full = Engine(game, method_named(method), mode=mode, memory=memory)
    assert small.memory.shift > full.memory.shift == FULL_SIZE
    return small, full


def same_nodes(small: Engine, full: Engine, position: Position, limit: int | None = None) -> None:
    found = []
    for engine in (small, full):
        answer = solve_with(engine, position, limits=Limits(nodes=limit), value_only=True)
        found.append((answer.value, answer.bounds, answer.nodes, answer.leaves))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("game", "method", "memory"),
    [
        (TREES, "mtdf", "128KB"), (TREES, "dfpn", "12KB"), (FRACTIONS, "negascout", "8KB"),
        *slow((TREES, "alphabeta", "12KB")),
    ],
    ids=["mtdf", "dfpn", "fractions", "alphabeta"],
)
@settings(max_examples=3)
@given(seed=SEEDS)
def test_the_same_nodes(game: Game, method: str, memory: str, seed: int) -> None:
    small, full = engines(game, method, memory)
    begun = small.memory.shift
    for more in range(2):  # the second search finds what the first one left
        same_nodes(small, full, seeded(game, seed + more), limit=1000)
    assert small.memory.shift < begun
    assert small.remembered_move(seeded(game, seed)) == full.remembered_move(seeded(game, seed))


@pytest.mark.parametrize("repetition", CYCLES)
@pytest.mark.parametrize("method", ["alphabeta", "dfpn"])
@settings(max_examples=3)
@given(seed=SEEDS)
def test_the_same_nodes_in_cycles(method: str, repetition: str, seed: int) -> None:
    same_nodes(*engines(CYCLES[repetition], method, "8KB"), seeded(CYCLES[repetition], seed), limit=500)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["mtdf", "dfpn"])
@pytest.mark.parametrize("memory", ["32KB", "2MB"])
def test_compiled(method: str, memory: str) -> None:
    game = games.connect_four(width=5, height=4)
    small, full = engines(game, method, memory, mode="compiled")
    same_nodes(small, full, Position(game))
    assert small.memory.shift == FULL_SIZE if memory == "32KB" else small.memory.shift < first_shift(2**15)
    if method == "mtdf":
        assert small.remembered_move(Position(game)) == full.remembered_move(Position(game)) is not None


@pytest.mark.parametrize("mode", ["interpreted", "compiled"])
def test_a_cleared_table_is_as_new(mode: str) -> None:
    game = games.connect_four(width=5, height=4)
    one, other = engines(game, "mtdf", "64KB", mode)
    start = one.memory.shift
    for engine in (one, other):
        answers = []
        for _ in range(2):
            answer = solve_with(engine, game.position("111222333"), limits=Limits(nodes=2000), value_only=True)
            answers.append(answer.value)
            words = engine.memory.plain[: engine.memory.buckets * BUCKET_WORDS]
            assert any(words)
            engine.memory.clear()
            assert not any(words)
            assert engine.memory.shift == (start if engine is one else FULL_SIZE)
        assert answers[0] == answers[1]


def test_where_tables_begin() -> None:
    assert first_shift(1) == first_shift(4 * FIRST - 1) == FULL_SIZE
    assert first_shift(4 * FIRST) == FULL_SIZE + 2
    for size in (4 * FIRST, 2**22, 10**6, 2**32 - 1):
        assert FIRST <= size >> (first_shift(size) - FULL_SIZE) < 4 * FIRST


def test_several_threads_have_the_full_size_at_once() -> None:
    game = games.connect_four(width=5, height=4)
    for threads in (1, 2):
        engine = Engine(game, method_named("mtdf"), Options(), mode="compiled", memory="4MB", threads=threads)
        assert (engine.memory.shift == FULL_SIZE) == (threads > 1)
        assert solve_with(engine, Position(game), value_only=True).value == 0
