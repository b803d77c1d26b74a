"""Plain Python classes as games, solved by the same searches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
import zermelo
from zermelo.rules import MoveError, RuleError, Unsuitable, from_object


class Nim:
    """Heaps of stones; a move takes some from one heap, who takes the last stone wins."""

    def __init__(self, heaps: tuple[int, ...], to_move: int = 0) -> None:
        self.heaps, self.to_move = heaps, to_move

    def turn(self) -> int:
        return self.to_move

    def moves(self) -> list[int]:
        return [10 * i + take for i, heap in enumerate(self.heaps) for take in range(1, heap + 1)]

    def play(self, move: int) -> Nim:
        heaps = list(self.heaps)
        heaps[move // 10] -= move % 10
        return type(self)(tuple(heaps), 1 - self.to_move)

    def result(self) -> int | None:
        return None if any(self.heaps) else 1 if self.to_move == 1 else -1


class KeyedNim(Nim):
    def key(self) -> Any:
        return self.heaps, self.to_move

    def move_text(self, move: int) -> str:
        return f"{move % 10} of {'abc'[move // 10]}"


KINDS = pytest.mark.parametrize("kind", [Nim, KeyedNim])
HEAPS = st.lists(st.integers(0, 3), min_size=1, max_size=3).filter(any).map(tuple)


def nim(kind: type[Nim], heaps: tuple[int, ...], to_move: int = 0, **more: Any) -> Any:
    return from_object(kind(heaps, to_move), name="nim", max_moves=30, max_plies=30, **more)


def xor(heaps: tuple[int, ...]) -> int:
    total = 0
    for heap in heaps:
        total ^= heap
    return total


@KINDS
@settings(max_examples=25)
@given(heaps=HEAPS, to_move=st.integers(0, 1))
def test_solved_as_theory_says(kind: type[Nim], heaps: tuple[int, ...], to_move: int) -> None:
    answer = zermelo.solve(nim(kind, heaps, to_move), memory="64KB")
    for_mover = answer.value if to_move == 0 else -answer.value
    assert answer.status == "proven"
    assert answer.mode == "interpreted"
    assert for_mover == (1 if xor(heaps) else -1)


@KINDS
@pytest.mark.parametrize("method", ["minimax", "negamax", "alphabeta", "negascout", "mtdf", "boolean"])
def test_every_method_agrees_with_the_definition(kind: type[Nim], method: str) -> None:
    for heaps in ((1, 2), (2, 2), (1, 1, 2)):
        game = nim(kind, heaps)
        answer = zermelo.solve(game, method=method, memory="64KB")
        assert answer.value == oracles.value(game.position())
        if answer.value == 1 or method != "boolean":
            assert answer.best == oracles.best_moves(game.position())


def test_texts_of_moves() -> None:
    assert nim(Nim, (1, 2)).position().moves() == ["1", "11", "12"]
    position = nim(KeyedNim, (1, 2)).position()
    assert position.moves() == ["1 of a", "1 of b", "2 of b"]
    assert position.play("2 of b").play(1).result == -1
    with pytest.raises(MoveError, match="'3 of b' is not a legal move here; legal: 1 of a 1 of b 2 of b"):
        position.play("3 of b")


@KINDS
def test_playing_leaves_the_object_alone(kind: type[Nim]) -> None:
    start = kind((1, 2))
    game = from_object(start, name="nim")
    position = game.position()
    after = position.play(12)
    assert start.heaps == position.state.heaps == (1, 2)
    assert after.state.heaps == (1, 0)
    assert after.previous is position


def test_equality_comes_from_the_key_or_from_the_moves() -> None:
    keyed = nim(KeyedNim, (1, 1, 1)).position()
    assert keyed.play(1).play(11).play(21) == keyed.play(21).play(11).play(1)
    unkeyed = nim(Nim, (1, 1, 1)).position()
    assert unkeyed.play(1) == unkeyed.play(1)
    assert unkeyed.play(1).play(11) != unkeyed.play(11).play(1)


def test_a_table_needs_a_key() -> None:
    with_key, without = (zermelo.solve(nim(kind, (3, 3, 2)), method="alphabeta") for kind in (KeyedNim, Nim))
    assert with_key.value == without.value == 1
    assert with_key.nodes < without.nodes
    assert "no key" in zermelo.solve(nim(Nim, (1, 2))).why


def test_objects_cannot_be_compiled() -> None:
    with pytest.raises(Unsuitable, match="nim is made of Python objects and can only be interpreted"):
        zermelo.solve(nim(Nim, (1, 2)), mode="compiled")


class Fork:
    """Two first moves to cells that a poor hash would take for each other; only the second one wins."""

    cells: tuple[Any, Any] = (-1, -2)

    def __init__(self, cell: Any = None, plies: int = 0) -> None:
        self.cell, self.plies = cell, plies

    def turn(self) -> int:
        return self.plies & 1

    def moves(self) -> list[int]:
        return [0, 1] if self.plies == 0 else [0]

    def play(self, move: int) -> Fork:
        return type(self)(self.cells[move] if self.plies == 0 else self.cell, self.plies + 1)

    def result(self) -> int | None:
        return None if self.plies < 2 else 1 if self.cell == self.cells[1] else -1

    def key(self) -> Any:
        return self.cell, self.plies


@pytest.mark.parametrize(
    "cells",
    [(-1, -2), ((0, -1), (0, -2)), (1 << 61, 1), (2**61 - 1, 0), (1.0, 1.5), ("a", "b"), (b"a", b"b"), (None, False)],
    ids=repr,
)
@pytest.mark.parametrize("method", ["alphabeta", "mtdf", "boolean"])
def test_different_keys_are_never_mixed_up(cells: tuple[Any, Any], method: str) -> None:
    class Here(Fork):
        pass

    Here.cells = cells
    game = from_object(Here(), name="fork", max_plies=3)
    answer = zermelo.solve(game, method=method, memory="64KB")
    assert answer.value == oracles.value(game.position()) == 1
    assert answer.best == ["1"]
    first, second = (game.position().play(move) for move in (0, 1))
    assert first != second


class Pursuit:
    """A token on a ring of three; who is to move steps or, on cell 2, may end the game."""

    def __init__(self, cell: int = 0, to_move: int = 0, score: int | None = None) -> None:
        self.cell, self.to_move, self.score = cell, to_move, score

    def turn(self) -> int:
        return self.to_move

    def moves(self) -> list[int]:
        return [0, 1] if self.cell == 2 else [0]

    def play(self, move: int) -> Pursuit:
        if move == 1:
            return Pursuit(self.cell, 1 - self.to_move, -1)
        return Pursuit((self.cell + 1) % 3, 1 - self.to_move)

    def result(self) -> int | None:
        return self.score

    def key(self) -> Any:
        return self.cell, self.to_move, self.score


@pytest.mark.parametrize("repetition", ["draw", "first", "second", "wins", "loses"])
def test_objects_that_come_back(repetition: str) -> None:
    game = from_object(Pursuit(), name="pursuit", max_moves=2, max_plies=10, repetition=repetition)
    assert zermelo.solve(game, memory="64KB").value == oracles.value(game.position())


def test_an_object_is_shown_as_it_prints_itself() -> None:
    class Shown(Nim):
        def __str__(self) -> str:
            return " | ".join("o" * heap for heap in self.heaps)

    position = nim(Shown, (1, 2)).position()
    assert str(position) == "o | oo"
    assert str(position.play("12")) == "o |"
    assert "o | oo" in str(position._repr_svg_())
    assert str(nim(Nim, (1, 2)).position().play("12")) == "12"
    assert nim(Nim, (1, 2)).position()._repr_svg_() is None


@pytest.mark.parametrize("move", [2.5, 1.0, np.float64(1), "a1", None])
def test_moves_of_objects_are_whole_numbers(move: Any) -> None:
    class Odd(Nim):
        def moves(self) -> list[Any]:
            return [1, move]

    position = nim(Odd, (2,)).position()
    with pytest.raises(RuleError, match="nim: rule moves lists .*, but moves are whole numbers"):
        position.moves()


def test_numbers_of_numpy_are_moves() -> None:
    class Numpy(Nim):
        def moves(self) -> list[Any]:
            return list(np.array(super().moves(), np.int16))

    position = nim(Numpy, (2,)).position()
    assert position.moves() == ["1", "2"]
    assert position.play(np.int64(2)).last_move == 2  # type: ignore[arg-type]
    for wrong in (1.0, 1.5, np.float64(1)):
        with pytest.raises(MoveError, match="is not a legal move here; legal: 1 2"):
            position.play(wrong)
