"""Rules that refer to rules become functions that call each other, and the originals stay what they were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tiny import smaller, tiny
from twins import twin
from zermelo.compile.native import jit, native
from zermelo.rules import RuleError, rule

LIMIT = 7


@rule
def limited(n):
    return smaller(n, LIMIT)


@rule
def triangle(n):
    if n <= 0:
        return 0
    return n + triangle(n - 1)


@rule
def even(n):
    if n == 0:
        return True
    return odd(n - 1)


@rule
def odd(n):
    if n == 0:
        return False
    return even(n - 1)


def test_a_rule_calls_rules_and_reads_constants() -> None:
    assert [twin(limited)(n) for n in (3, 9)] == [3, 7]
    assert limited(9) == 7
    assert limited.__globals__["smaller"] is smaller


def test_recursive_rules() -> None:
    assert twin(triangle)(100) == triangle(100) == 5050


def test_rules_that_call_each_other() -> None:
    twins: dict[Any, Any] = {}
    is_even = twin(even, twins)
    is_odd = twin(odd, twins)
    assert set(twins) == {even, odd}
    assert [is_even(n) for n in range(4)] == [True, False, True, False]
    assert [is_odd(n) for n in range(4)] == [False, True, False, True]


def test_recursion_inside_a_factory() -> None:
    def make(base: int) -> Any:
        @rule
        def power(n):
            if n == 0:
                return 1
            return base * power(n - 1)

        return power

    two, three = make(2), make(3)
    assert (twin(two)(10), twin(three)(4)) == (1024, 81)
    assert (two(10), three(4)) == (1024, 81)


def test_twins_are_made_once() -> None:
    twins: dict[Any, Any] = {}
    first = native(limited, twins)
    assert native(limited, twins) is first
    assert set(twins) == {limited, smaller}


def test_captured_arrays_and_defaults() -> None:
    squares = np.arange(5) ** 2

    @rule
    def square(n, add=100):
        return squares[n] + add

    assert twin(square)(3) == square(3) == 109


def test_a_games_own_rules_stay_plain() -> None:
    game = tiny()
    twin(game.moves)(np.zeros(1, game.State.dtype)[0], np.zeros(2, np.int32))
    out = [0, 0]
    assert game.moves(game.start, out) == 2
    assert out == [1, 2]
    assert game.moves.__globals__["smaller"] is smaller


@pytest.mark.parametrize("wrong", [max, print, 3, native(smaller)], ids=["max", "print", "number", "twin"])
def test_only_plain_functions_are_rules(wrong: Any) -> None:
    with pytest.raises(RuleError, match="plain function"):
        native(wrong)


def test_python_cannot_call_a_part_even_when_it_is_compiled() -> None:
    part = native(triangle)
    whole = jit(lambda n: part(n))
    with pytest.raises(TypeError, match="part of a kernel"):
        part(3)
    assert whole(3) == 6
    with pytest.raises(TypeError, match="part of a kernel"):
        part(3)
