"""From a game's rules to functions that Numba can call: every rule that a rule refers to is compiled too."""

from __future__ import annotations

import secrets
from functools import cache
from itertools import count
from types import CellType, FunctionType
from typing import Any

from zermelo.compile import linking, recursion
from zermelo.rules.errors import RuleError
from zermelo.rules.language import Rule


def jit(function: Any, **more: Any) -> Any:
    """The project's one way to compile: no interpreter lock, C division, nothing hidden."""
    import numba

    linking.install()
    recursion.install()
    _name_apart()
    return numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, **more)(function)  # type: ignore[call-overload]


def jit_part(function: Any, **more: Any) -> Any:
    """The same for what only kernels call: to wrap all the parts of a search for Python would be a third of the time
    that it takes to compile."""
    part = jit(function, no_cpython_wrapper=True, **more)
    part._insert, part._compile_for_args = _forget, _refuse
    return part


def _forget(*_: Any) -> None:
    """In the place of Numba's note of what Python may call: with no wrapper that would be a jump to nowhere."""


def _refuse(*_: Any) -> None:
    raise TypeError("this is a part of a kernel, which Python cannot call")


def jit_inline(function: Any) -> Any:
    """The same for the parts that searches are put together from: always melted into their caller."""
    return jit_part(function, forceinline=True)


@cache
def _name_apart() -> None:
    """Numba numbers functions from 1 in every process and makes the number part of their names. Kernels that different
    processes kept can then hold different functions of the same name, and whoever loads both would run the first for
    both. Counting from a random number keeps them apart."""
    from numba.core.bytecode import FunctionIdentity

    FunctionIdentity._unique_ids = count(secrets.randbits(60))


def native(function: Rule, known: dict[Rule, Any] | None = None) -> Any:
    """A compiled twin of a rule. The original stays plain Python; in the twin, closure cells and globals
    that hold rules hold their twins instead. `known` remembers the twins made so far."""
    known = {} if known is None else known
    if function in known:
        return known[function]
    if not isinstance(function, FunctionType):
        raise RuleError(f"{function!r} is not a plain function: write the rule with def and mark it @rule")
    cells = tuple(CellType() for _ in function.__closure__ or ())
    scope = dict(function.__globals__)
    twin = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells)
    twin.__qualname__, twin.__module__ = function.__qualname__, function.__module__
    known[function] = dispatcher = jit_part(twin)  # before its references, so that rules may be recursive
    for cell, original in zip(cells, function.__closure__ or ()):
        if original == CellType():  # a name without a value: the compiler will ask for it, or never look
            continue
        value = original.cell_contents
        cell.cell_contents = native(value, known) if getattr(value, "is_rule", False) else value
    for name in function.__code__.co_names:
        held: Any = scope.get(name)
        if getattr(held, "is_rule", False):
            scope[name] = native(held, known)
    return dispatcher
