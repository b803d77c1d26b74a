"""Monte-Carlo tree search compiled: the very tree that the interpreter grows, proofs of larger games, and threads."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import oracles
from grown import grown, never_wrong
from marks import slow
from random_chance import random_chance
from random_games import random_game, seeded
from zermelo import games
from zermelo.core.answer import Answer
from zermelo.rules import Game, Position, Unsuitable
from zermelo.sampling import tree_engine

MEMORY = "12KB"
"""So little that two threads must make room again and again."""


@cache
def game_called(name: str) -> Game:
    if name == "dice":
        return random_chance()
    if name == "loops":
        return random_game(size=8, moves=3, repetition="draw")
    return games.connect_four(width=4, height=4)


def tree_of(answer: Answer) -> Any:
    """All that is told of the tree: counts, values to the last bit, bounds and lines."""
    return answer.status, answer.value, answer.bounds, answer.best, answer.nodes, answer.details


@pytest.mark.parametrize("name", ["dice", "connect four", *slow("loops")])
def test_both_modes_grow_the_same_tree(name: str) -> None:
    game = game_called(name)
    positions = [Position(game)] if name == "connect four" else [seeded(game, seed) for seed in range(12)]
    for number, position in enumerate(positions):
        for tiny in (False, True):
            how: dict[str, Any] = {"playouts": 150, "seed": number, "tiny": tiny}
            plain, compiled = (grown(position, mode=mode, **how) for mode in ("interpreted", "compiled"))
            assert tree_of(plain) == tree_of(compiled)


@pytest.mark.parametrize("name", ["dice", *slow("loops")])
@pytest.mark.parametrize("parallel", ["tree", "root"])
@pytest.mark.parametrize("tiny", [False, True])
def test_threads_prove_what_is_true(parallel: str, tiny: bool, name: str) -> None:
    game = game_called(name)
    truth = oracles.expected if game.has_chance else oracles.value
    for seed in range(12):
        how: dict[str, Any] = {"threads": 2, "parallel": parallel, "mode": "compiled", "playouts": 20_000}
        answer = grown(seeded(game, seed), memory=MEMORY if tiny else "1MB", **how)
        never_wrong(answer, truth, 1e-9 if game.has_chance else 0)
        assert answer.stopped is None
        if not tiny:
            assert (answer.status, answer.threads) == ("proven", 2)


def test_an_index_that_grows_still_finds_the_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    def size(**more: Any) -> int:
        answer = grown(Position(game_called("connect four")), mode="compiled", memory="64MB", playouts=50_000, **more)
        return int(answer.details["tree_bytes"])

    growing = size()
    monkeypatch.setattr(tree_engine, "FIRST_PLACES", 1 << 30)
    large = size()
    assert abs(growing - large) < 0.2 * (size(graph=False) - large)  # the tree is larger if they are not found


def test_little_memory_for_many_threads() -> None:
    game = game_called("dice")
    with pytest.raises(Unsuitable, match="a tree of random-chance for 64 threads needs more than"):
        grown(seeded(game, 1), mode="compiled", threads=64, tiny=True)


def test_connect_four_on_a_small_board_is_proven() -> None:
    answer = grown(Position(game_called("connect four")), mode="compiled", memory="64MB", playouts=2_000_000)
    assert (answer.status, answer.value) == ("proven", 0)


@pytest.mark.slow
def test_connect_four_on_a_larger_board_is_proven() -> None:
    answer = grown(games.connect_four(width=5, height=4).position(), mode="compiled", memory="256MB", playouts=10**8)
    assert (answer.status, answer.value) == ("proven", 0)
