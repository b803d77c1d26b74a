"""Rules that do not compile: always an error that says which rule, which line and what is wrong."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from heap import NIM, result
from marks import slow
from zermelo import solve
from zermelo.compile.diagnosis import explain
from zermelo.core.engine import Engine
from zermelo.core.method import PLAIN
from zermelo.methods.registry import method_named
from zermelo.rules import ONGOING, RuleError, rule, u64

WEIGHTS, NAMES, BOXES = {1: 2}, ["a", "b"], {1, 2}
SEEN = np.zeros(4, np.int64)


def unmarked(number: int) -> int:
    return number + 1


# Each of these makes one rule that cannot be compiled; the line to blame ends with "here".


def undefined_name() -> Any:
    @rule
    def result(s):
        if s.heap == 0:
            return heap_of_all  # noqa: F821  here
        return ONGOING

    return result


def unassigned_name() -> Any:
    if NIM is None:
        limit = 3

    @rule
    def result(s):
        return limit if s.heap == 0 else ONGOING  # here

    return result


def dict_from_outside() -> Any:
    @rule
    def order(s, move):
        return WEIGHTS[move]  # here

    return order


def list_from_outside() -> Any:
    @rule
    def order(s, move):
        return 1 if NAMES[0] == "a" else 0  # here

    return order


def set_from_outside() -> Any:
    @rule
    def order(s, move):
        return 1 if move in BOXES else 0  # here

    return order


def text_returned() -> Any:
    @rule
    def order(s, move):
        return "high"  # here

    return order


def text_added() -> Any:
    @rule
    def result(s):
        return s.heap + "1"  # here

    return result


def text_in_the_buffer() -> Any:
    @rule
    def moves(s, out):
        found = ["take one"]
        out[0] = found[0]  # here
        return 1

    return moves


def try_statement() -> Any:
    @rule
    def result(s):
        try:  # here
            return 1 // s.heap
        except ZeroDivisionError:
            return ONGOING

    return result


def with_statement() -> Any:
    @rule
    def result(s):
        with open("scores") as scores:  # here
            return len(scores.read())

    return result


def import_statement() -> Any:
    @rule
    def result(s):
        import math  # here

        return math.floor(s.heap)

    return result


def yield_statement() -> Any:
    @rule
    def moves(s, out):
        yield 1  # here

    return moves


def unmarked_helper() -> Any:
    @rule
    def result(s):
        return unmarked(s.heap)  # here

    return result


def unmarked_helper_inside() -> Any:
    def helper(number):
        return number + 1

    @rule
    def play(s, move):
        s.heap -= helper(move)  # here

    return play


def field_read() -> Any:
    @rule
    def result(s):
        if s.haep == 0:  # here
            return 1
        return ONGOING

    return result


def field_written() -> Any:
    @rule
    def play(s, move):
        s.heap -= move
        s.ply += 1  # here

    return play


def field_read_in_a_helper() -> Any:
    @rule
    def empty(state):
        return state.stones == 0  # here

    @rule
    def result(s):
        return 1 if empty(s) else ONGOING

    return result


def method_of_the_state() -> Any:
    @rule
    def result(s):
        after = s.copy()  # here
        return after.heap

    return result


def changing_type() -> Any:
    @rule
    def result(s):
        last = 0
        for i in range(3):
            if s.board[i] > 0:
                last = s.board
        return last[0]  # here

    return result


def changing_choice() -> Any:
    @rule
    def play(s, move):
        taken = move if s.heap > 3 else (move, 1)  # here
        s.heap -= taken

    return play


def different_returns() -> Any:
    @rule
    def result(s):
        if s.heap == 0:
            return (1, 0)  # here
        return ONGOING  # here

    return result


def nothing_returned() -> Any:
    @rule
    def moves(s, out):  # here
        out[0] = 1

    return moves


def one_bound() -> Any:
    @rule
    def bounds(s):
        return 1  # here

    return bounds


def three_bounds() -> Any:
    @rule
    def bounds(s):
        return -1, 0, 1  # here

    return bounds


def too_many_arguments() -> Any:
    @rule
    def play(s, move, player):  # here
        s.heap -= move

    return play


def too_few_arguments() -> Any:
    @rule
    def order(s):  # here
        return s.heap

    return order


def array_from_outside() -> Any:
    @rule
    def play(s, move):
        SEEN[0] += 1  # here
        s.heap -= move

    return play


def number_over_an_array() -> Any:
    @rule
    def play(s, move):
        s.board = move  # here

    return play


def length_of_the_state() -> Any:
    @rule
    def result(s):
        return len(s)  # here

    return result


def float_shifted() -> Any:
    @rule
    def key(s):
        return u64(1) << (s.heap / 2)  # here

    return key


CASES: list[tuple[Callable[[], Any], str]] = [
    (undefined_name, "the name heap_of_all is not defined"),
    (unassigned_name, "the name limit is not defined"),
    (dict_from_outside, "WEIGHTS is a dict: rules read numbers, tuples of numbers and NumPy arrays"),
    (list_from_outside, "NAMES is a list: rules read numbers, tuples of numbers and NumPy arrays"),
    (set_from_outside, "BOXES is a set: rules read numbers, tuples of numbers and NumPy arrays"),
    (text_returned, "it returns a text, but must return a whole number"),
    (text_added, "+ does not work with a whole number and a text: rules work on numbers, fields and arrays only"),
    (text_in_the_buffer, "a text cannot be written into an array: rules work on numbers, fields and arrays only"),
    (try_statement, "it uses try, which has no compiled form"),
    (with_statement, "it uses with, which has no compiled form"),
    (import_statement, "it uses import, which has no compiled form"),
    (yield_statement, "it uses yield, which has no compiled form"),
    (unmarked_helper, "unmarked is a function that is not marked @rule"),
    (unmarked_helper_inside, "helper is a function that is not marked @rule"),
    (field_read, "the state has no field haep: did you mean heap?"),
    (field_written, "the state has no field ply: did you mean plies?"),
    (field_read_in_a_helper, "the state has no field stones: known: board, heap, plies"),
    (method_of_the_state, "the state has no field copy: known: board, heap, plies"),
    (changing_type, "the variable last is sometimes a whole number and sometimes an array: keep one type"),
    (changing_choice, "a value on this line is sometimes a whole number and sometimes a tuple: keep one type"),
    (different_returns, "it returns sometimes a tuple and sometimes a whole number: keep one type"),
    (nothing_returned, "it returns nothing, but must return how many moves it wrote"),
    (one_bound, "it returns a whole number, but must return two numbers, the lowest and the highest score"),
    (three_bounds, "it returns a tuple, but must return two numbers, the lowest and the highest score"),
    (too_many_arguments, "it takes (s, move, player), but is called with (s, move)"),
    (too_few_arguments, "it takes (s), but is called with (s, move)"),
    (array_from_outside, "it writes into an array from outside: a rule changes its state and its buffer only"),
    (number_over_an_array, "it writes a number over a whole array field: write its elements, or all with [:]"),
    (length_of_the_state, "len does not take a state"),
    (float_shifted, "<< does not work with a u64 and a float"),
]


def blames(message: str, case: Callable[[], Any]) -> bool:
    """Whether a message names the line to blame, or one of them."""
    lines, first = inspect.getsourcelines(case)
    marked = [first + i for i, line in enumerate(lines) if line.rstrip().endswith("here")]
    return any(f" at line {line} of {__file__} (" in message for line in marked)


SOONER = {
    changing_type: "a whole number cannot be indexed with a whole number",
    changing_choice: "a value on this line is sometimes a tuple and sometimes a whole number: keep one type",
}
"""What newer versions of Numba meet first, and say instead."""


def says(message: str, case: Callable[[], Any]) -> bool:
    """Whether a message ends with the cause of a case."""
    return message.endswith((f": {dict(CASES)[case]}", f": {SOONER.get(case, dict(CASES)[case])}"))


@pytest.mark.parametrize("case", [case for case, _ in CASES], ids=[case.__name__ for case, _ in CASES])
def test_why_a_rule_cannot_be_compiled(case: Callable[[], Any]) -> None:
    bad = case()
    message = str(explain(replace(NIM, **{bad.__name__: bad}), Exception("the search cannot be compiled")))
    assert f"nim: rule {'empty, which result calls,' if case is field_read_in_a_helper else bad.__name__} " in message
    assert " cannot be compiled at line " in message
    assert blames(message, case)
    assert says(message, case)
    assert "\n" not in message
    for jargon in ("umba", "nopython", "Literal[", "Record(", "Function(", "int64", "typing", " at 0x", "$"):
        assert jargon not in message


@pytest.mark.parametrize(
    "case",
    [
        undefined_name, import_statement, with_statement, field_read, changing_type,
        *slow(unassigned_name, list_from_outside, nothing_returned),
        *slow(one_bound, too_many_arguments, number_over_an_array),
    ],
)  # fmt: skip
def test_a_search_asks_why(case: Callable[[], Any]) -> None:
    """Whatever way Numba refuses the whole search, the rule is found."""
    bad = case()
    options = replace(PLAIN, order=("order",), knowledge=True)
    with pytest.raises(RuleError) as refused:
        Engine(replace(NIM, **{bad.__name__: bad}), method_named("alphabeta"), options, mode="compiled")
    assert f"nim: rule {bad.__name__} cannot be compiled at line " in str(refused.value)
    assert blames(str(refused.value), case)
    assert says(str(refused.value), case)


@pytest.mark.parametrize("bad", [functools.partial(result), max], ids=["partial", "builtin"])
def test_a_rule_must_be_a_plain_function(bad: Any) -> None:
    with pytest.raises(RuleError, match="plain function"):
        solve(replace(NIM, result=bad), mode="compiled")


def test_interpreted_rules_may_use_anything() -> None:
    @rule
    def order(s, move):
        try:
            return {1: 5, 2: 3}[move]
        except KeyError:
            return len("none")

    assert solve(replace(NIM, order=order), mode="interpreted").value == 1
