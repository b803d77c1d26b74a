"""Kernels melted for the compiler do what the plain functions do, and are made of as few functions as pays."""

from __future__ import annotations

import copy
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
import pytest

from zermelo.compile import melted_native
from zermelo.compile.cache import ready
from zermelo.compile.melting import readable
from zermelo.compile.modes import Compiled
from zermelo.rules import bit_index, rule, u64

mode = Compiled()
KIND = np.dtype([("n", np.int64), ("small", np.int8), ("word", np.uint64), ("cells", np.int32, (4,))])
BONUS = 7


def record(n: int) -> Any:
    """A state that Python reads by names, as the compiler does."""
    rows = np.zeros(1, KIND).view(np.recarray)
    rows.n, rows.small, rows.word, rows.cells = n, n, 0b101100 + n, [1, 2, 2, n]
    return rows[0]


def compiled(kernel: Any, name: str = "melted") -> Callable[[Any], Any]:
    mark = np.random.default_rng().bytes(8)  # nothing that was kept before
    return ready(kernel, name, (numba.from_dtype(KIND),), (kernel, mark))  # type: ignore[no-any-return]


@rule
def bump(s):
    s.n += 1
    return s.n


@rule
def early(s, least):
    if s.n > least:
        return 1
    s.n += 10
    if s.n > 12:
        return 2
    return 3


@rule
def found(s, wanted):
    for i in range(4):
        if s.cells[i] == wanted:
            return i
    return -1


@rule
def told(s):
    if s.n > 2:
        return True, s.n, -s.n
    s.n += 5
    return False, s.n, 0


@rule
def cautious(s):
    if s.n > 1000:
        raise ValueError("too much")
    return s.n


@rule
def with_default(a, b=5):
    return a * b


@rule
def even(n):
    return 1 if n <= 0 else odd(n - 1)


@rule
def odd(n):
    return 0 if n <= 0 else even(n - 1)


on_one_line = rule(lambda s: s.n + 40)


@mode.kernel
def ways_out(s):
    a = early(s, 2)
    b = early(s, 100)
    early(s, 0)
    return a * 10000 + b * 100 + early(s, BONUS) * 1000 + s.n


@mode.kernel
def tuples(s):
    done, value, other = told(s)
    if done:
        return value
    return value + other + BONUS


@mode.kernel
def loops(s):
    total = 0
    for i in range(bump(s)):
        while s.n < 6:
            total += bump(s)
            if total > 30:
                break
        total += i * found(s, 2)
    return total + 100 * found(s, s.n)


@mode.kernel
def words(s):
    x = bit_index(s.word)
    return x + bit_index(s.word & ~u64(4))


@mode.kernel
def what_is_not_melted(s):
    return cautious(s) + with_default(s.n) + with_default(s.n, 2) + on_one_line(s) + even(s.n) + 10 * odd(4)


@mode.kernel
def integers_of_all_sizes(s):
    return even(s.small) + 10 * even(3) + 100 * even(s.n) + 1000 * even(s.cells[1]) + 10000 * even(s.cells[2] + s.n)


@mode.kernel
def down(s, depth):
    return up(s, depth - 1) + 1 if depth > 0 else bump(s)


@mode.kernel
def up(s, depth):
    return down(s, depth - 1) * 2 if depth > 0 else bump(s)


@mode.kernel
def there_and_back(s):
    return down(s, 5) + 1000 * up(s, 4)


KERNELS = [ways_out, tuples, loops, words, what_is_not_melted, integers_of_all_sizes, there_and_back]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_a_compiled_kernel_does_the_same(kernel: Any) -> None:
    native = compiled(kernel)
    for n in range(5):
        ours, theirs = record(n), record(n)
        assert native(theirs) == kernel(ours)
        assert theirs == ours


def test_constants_of_the_closure() -> None:
    def make(bonus: Any) -> Any:
        @rule
        def worth(s):
            return s.n + bonus if bonus else -1

        @mode.kernel
        def search(s):
            s.n = worth(s)
            return s.n

        return search

    for bonus in (0, 2.5, np.int64(3), np.float64(0.5), True):
        assert compiled(make(bonus))(record(4)) == make(bonus)(record(4))


def functions(kernel: FunctionType) -> set[str]:
    """The functions that the compiler gets, by the names that they were written under."""
    melting = melted_native._Native(melted_native._Counting(kernel))
    melting.alias(kernel)
    dispatchers = [value for value in melting.names.values() if hasattr(value, "py_func")]
    return {dispatcher.py_func.__name__.rpartition("_")[0] or dispatcher.py_func.__name__ for dispatcher in dispatchers}


def test_what_is_called_once_is_melted_and_what_is_large_is_not_copied() -> None:
    @mode.inline
    def tiny(s):
        return s.n + 1

    @mode.inline
    def large(s):
        for i in range(4):
            s.cells[i] = s.cells[i] * 3 + tiny(s) * i - s.small
            s.cells[i] = s.cells[i] * 5 + tiny(s) * i - s.small
        s.n += s.cells[0] + s.cells[1] + s.cells[2] + s.cells[3]

    @mode.kernel
    def once(s):
        large(s)
        return tiny(s) + tiny(s)

    @mode.kernel
    def twice(s):
        large(s)
        large(s)
        return tiny(s)

    never = False

    @mode.kernel
    def once_in_truth(s):
        large(s)
        if never:
            large(s)
        return once(s)

    assert functions(once) == {"once"}
    assert functions(twice) == {"twice", "large"}
    assert functions(once_in_truth) == {"once_in_truth", "once", "large"}


BEFORE = """
from zermelo.rules import rule

@rule
def worth(s):
    return s.n + 1

@rule
def kernel(s):
    return worth(s) * 2

kernel.is_kernel = True
"""


def test_a_file_that_was_changed_since_it_was_read(tmp_path: Path) -> None:
    file = tmp_path / "changing.py"
    file.write_text(BEFORE)
    spec = importlib.util.spec_from_file_location("changing", file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["changing"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    file.write_text(BEFORE.replace("+ 1", "+ 5"))
    assert readable(module.kernel)
    assert not readable(module.worth)
    assert compiled(module.kernel)(record(3)) == 8
    del sys.modules["changing"]


def test_the_originals_stay_plain() -> None:
    code = copy.copy(ways_out.__code__)
    compiled(ways_out)
    assert ways_out.__code__ == code
    assert isinstance(ways_out, FunctionType)
    assert isinstance(early, FunctionType)
