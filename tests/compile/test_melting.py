"""A melted kernel does what the plain functions do: the same result, the same changes, in the same order."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from zermelo.compile.melting import melt
from zermelo.compile.modes import Interpreted
from zermelo.rules import bit_index, popcount, rule, u64

mode = Interpreted()
LIMIT, NOTHING, DEEP = 7, 0, -math.inf


@rule
def bump(s):
    s.n = s.n + 1
    return s.n


@rule
def late(s, to):
    s.before = s.n
    s.n = to


@rule
def fill(s, value):
    for i in range(3):
        s.cells[i] = value


@rule
def ignoring(s, value):
    return s.n


@rule
def choosing(flag, value):
    return value if flag else 0


@rule
def backwards(first, second):
    return second * 10 - first


@rule
def pair(s):
    return s.n, s.n + 1


@rule
def told(s):
    return s.n > 2, s.n, -s.n


@rule
def found(s, wanted):
    for i in range(3):
        if s.cells[i] == wanted:
            return i
    return -1


@rule
def nested(s):
    for i in range(3):
        for j in range(3):
            if i == j:
                continue
            if s.cells[i] == s.cells[j]:
                return i * 10 + j
        if i == 1:
            break
    else:
        return -2
    return -1


@rule
def countdown(n):
    """A parameter that is changed, and a loop that ends in else."""
    steps = 0
    while n > 0:
        n -= 2
        steps += 1
    else:
        steps += 100
    return steps


@rule
def triangle(n):
    if n <= 0:
        return 0
    return n + triangle(n - 1)


@rule
def even(n):
    return True if n == 0 else odd(n - 1)


@rule
def odd(n):
    return False if n == 0 else even(n - 1)


@rule
def with_default(a, b=5):
    return a * b


@rule
def silent(s):
    s.n += 1


@rule
def documented(s):
    """Nothing but words."""


@rule
def early(s):
    if s.n > 2:
        return 1
    s.n += 10
    if s.n > 12:
        return 2
    s.n += 100
    return 3


@rule
def swapped(a, b):
    return b, a


@rule
def catching(s):
    try:
        return 10 // (s.n - 3)
    except ZeroDivisionError as error:
        return len(str(error))


@rule
def importing(s):
    import operator

    return operator.add(s.n, 1)


@rule
def matching(s):
    match (s.n, s.cells[0]):
        case (3, x):
            return x
        case (y, _):
            return -y


@rule
def comprehending(s):
    return sum([c * s.n for c in s.cells])


@rule
def undefined_elsewhere(s):
    if s.n > 1000:
        return no_such_name  # noqa: F821
    return s.n


@rule
def naming(s):
    if (m := s.n + 1) > 3:
        return m
    return -m


def without_a_value() -> Any:
    if LIMIT == 0:
        missing = 1

    @rule
    def uses(s):
        return missing if s.n > 1000 else s.n

    return uses


empty_cell = without_a_value()
on_one_line = rule(lambda s: s.n + 40)


def kernels() -> dict[str, Callable[[Any], Any]]:
    """Functions of a state that call rules in every way that may go wrong."""
    every: dict[str, Callable[[Any], Any]] = {}

    def kernel(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        every[function.__name__] = function
        return mode.kernel(function)

    @kernel
    def argument_used_after_a_change(s):
        late(s, s.n + s.before)
        return s.n

    @kernel
    def argument_used_in_a_loop(s):
        fill(s, s.cells[0] + 1)
        return 0

    @kernel
    def argument_not_used(s):
        return ignoring(s, bump(s))

    @kernel
    def argument_used_sometimes(s):
        x = choosing(False, bump(s))
        return x + choosing(s.n > 100, bump(s))

    @kernel
    def arguments_used_backwards(s):
        return backwards(bump(s), bump(s))

    @kernel
    def either_number(s):
        return [s.zero or LIMIT, s.n or LIMIT, s.zero or NOTHING, s.n or NOTHING, s.none or NOTHING, s.zero or s.n]

    @kernel
    def both_numbers(s):
        return [s.n and LIMIT, s.zero and LIMIT, s.n and NOTHING, s.n and True, s.zero and s.n, LIMIT and s.n]

    @kernel
    def either_of_three(s):
        return [s.zero or s.none or LIMIT, NOTHING or s.zero or 0.5, LIMIT or s.n, s.n and 2 and s.n]

    @kernel
    def negations(s):
        return [not LIMIT, not NOTHING, -LIMIT, not s.zero, -s.n, not DEEP, ~LIMIT, +LIMIT]

    @kernel
    def tuple_then_another_flag(s):
        over = s.n > 2
        score = 17
        low, high = pair(s)
        if over:
            return score
        return low + high

    @kernel
    def tuple_with_its_flag(s):
        done, lower, _upper = told(s)
        if done:
            return lower
        return -1

    @kernel
    def tuple_with_its_flag_reversed(s):
        done, _lower, upper = told(s)
        if done:
            return upper
        return s.n

    @kernel
    def returns_in_loops(s):
        a = found(s, 2)
        b = found(s, 99)
        return [a, b, found(s, 1), nested(s)]

    @kernel
    def changed_parameters(s):
        n = 5
        x = countdown(n)
        return [n, x, countdown(n), countdown(s.n)]

    @kernel
    def recursion(s):
        total = triangle(s.n)
        return [total, triangle(4), even(s.n), odd(s.n)]

    @kernel
    def defaults_and_keywords(s):
        return [with_default(s.n), with_default(s.n, 2), with_default(b=s.n, a=3), backwards(second=1, first=s.n)]

    @kernel
    def unpacked_arguments(s):
        both = (s.n, 4)
        return [backwards(*both), ignoring(s, *[1])]

    @kernel
    def nothing_returned(s):
        x = silent(s)
        silent(s)
        y = documented(s)
        documented(s)
        return [x, y, documented(s)]

    @kernel
    def several_ways_out(s):
        x = early(s)
        y = early(s)
        early(s)
        return [x, y, early(s)]

    @kernel
    def swapping(s):
        a, b = 1, s.n
        a, b = swapped(a, b)
        a, b = swapped(b, a)
        a, b = swapped(a, b)
        return [a, b]

    @kernel
    def names_used_on_both_sides(s):
        value, first, second, i, n, to = 1, 2, 3, 4, 5, 6
        x = backwards(second, first)
        late(s, to)
        fill(s, value)
        y = found(s, 1)
        return [value, first, second, i, n, to, x, y]

    @kernel
    def target_of_its_own_argument(s):
        x = 3
        x = countdown(x)
        x = backwards(x, x)
        s.n = backwards(s.n, s.before)
        s.cells[s.n % 3] = found(s, s.cells[0])
        return x

    @kernel
    def statements_that_do_not_compile(s):
        return [catching(s), importing(s), matching(s), comprehending(s), naming(s)]

    @kernel
    def results_of_statements_that_do_not_compile(s):
        a = catching(s)
        b = importing(s)
        c = matching(s)
        d = naming(s)
        return [a, b, c, d]

    @kernel
    def names_without_a_value_that_are_not_reached(s):
        a = undefined_elsewhere(s)
        b = empty_cell(s)
        return [a, b]

    @kernel
    def lambdas(s):
        return on_one_line(s) + on_one_line(s)

    @kernel
    def words(s):
        x = popcount(s.word)
        y = bit_index(s.word)
        return [x, y, popcount(s.word ^ u64(1)), bit_index(s.word & ~u64(2))]

    @kernel
    def conditions(s):
        if choosing(True, s.n) > 2 and not choosing(False, 1):
            return 1 if even(s.n) else 2
        elif found(s, s.n) >= 0:
            return 3
        return 4

    @kernel
    def in_conditions_and_ranges(s):
        total = 0
        for i in range(bump(s)):
            while s.n < 6:
                total += bump(s)
                if total > 30:
                    break
            total += i
        return total

    @kernel
    def calls_a_kernel(s):
        x = several_ways_out(s)
        return [x, recursion(s)]

    return every


KERNELS = kernels()


def state(n: int) -> SimpleNamespace:
    return SimpleNamespace(n=n, before=20, zero=0, none=None, cells=[1, 2, 2], word=np.uint64(0b101100 + n))


@pytest.mark.parametrize("n", [0, 2, 3, 4])
@pytest.mark.parametrize("name", KERNELS)
def test_a_melted_kernel_does_the_same(name: str, n: int) -> None:
    kernel: Any = KERNELS[name]
    ours, theirs = state(n), state(n)
    expected = kernel(ours)
    returned = melt(kernel)(theirs)
    assert returned == expected
    assert repr(returned) == repr(expected)  # True is not 1
    assert vars(theirs) == vars(ours)


def test_what_is_melted_stays_as_it_was() -> None:
    kernel: Any = KERNELS["several_ways_out"]
    code = kernel.__code__
    melt(kernel)
    assert kernel.__code__ is code
    assert early(copy.copy(state(0))) == 3


def test_the_same_rules_with_other_constants() -> None:
    def make(bonus: Any) -> Any:
        @rule
        def worth(s):
            return s.n + bonus if bonus else -1

        @mode.kernel
        def search(s):
            s.n = worth(s)
            return s.n

        return search

    for bonus in (0, 1, 2.5, np.int64(3), np.float64(0.5), math.inf, None, True):
        assert melt(make(bonus))(state(4)) == make(bonus)(state(4))


def test_kernels_that_call_each_other() -> None:
    @mode.kernel
    def down(s, depth):
        return up(s, depth - 1) + 1 if depth > 0 else bump(s)

    @mode.kernel
    def up(s, depth):
        return down(s, depth - 1) * 2 if depth > 0 else bump(s)

    for depth in range(6):
        ours, theirs = state(1), state(1)
        assert melt(down)(theirs, depth) == down(ours, depth)
        assert vars(theirs) == vars(ours)


def test_a_loop_of_which_nothing_is_left() -> None:
    never = False

    @mode.kernel
    def kernel(s):
        for _ in range(3):
            if never:
                s.n = 1
        return s.n

    assert melt(kernel)(SimpleNamespace(n=5)) == 5
