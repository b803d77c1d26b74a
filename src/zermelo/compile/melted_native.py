"""Kernels melted for the compiler: it gets a few functions in the place of sixty.

What the compiler does with a function takes time for every statement, so a part that is called in many places is only
melted in if it is small: elsewhere it stays a function of its own. How often parts are called is counted first, in the
kernel as it will be, without the branches that cannot be taken.
"""

from __future__ import annotations

import ast
from collections import Counter
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from zermelo.compile.melting import Melting, raises, readable
from zermelo.compile.native import jit_part, marked, native
from zermelo.compile.numba_private import lean

COPIES = 60
"""How much of the source may be written more than once for the sake of one part, in nodes of the syntax tree: about
what takes as long to compile as a function of its own and the call of it."""


_made: WeakKeyDictionary[FunctionType, Any] = WeakKeyDictionary()
"""Rules that were compiled for one kernel serve the next that calls them."""


def melted_native(kernel: FunctionType) -> Any:
    """A kernel for others to call, compiled with all that it calls."""
    melting = _Native(_Counting(kernel))
    return melting.names[melting.alias(kernel)]


def _can_be_melted(function: Any) -> bool:
    """Whether a function may be rewritten; one that raises may not, for its own lines tell where it did."""
    return readable(function) and not raises(function)


class _Counting(Melting):
    """How large the functions are that a kernel is put together from, and how often each is called."""

    def __init__(self, kernel: FunctionType) -> None:
        super().__init__()
        self.uses: Counter[Any] = Counter()
        self.sizes: dict[Any, int] = {}
        self.calls: dict[Any, Counter[Any]] = {}
        self.within: list[Any] = []
        self.decided: dict[Any, bool] = {}
        self.alias(kernel)

    def alias(self, value: Any) -> str:
        if marked(value):
            self.uses[value] += 1
            if self.within:
                self.calls[self.within[-1]][value] += 1
        return super().alias(value)

    def prepared(self, name: str, value: Any) -> Any:
        if marked(value) and _can_be_melted(value) and value not in _made:
            self.within.append(value)
            self.calls[value] = Counter()
            self.sizes[value] = sum(1 for _ in ast.walk(self.rewritten(name, value)))
            self.within.pop()
        return value

    def melts(self, part: FunctionType) -> bool:
        return False

    def spare(self, part: Any) -> bool:
        """Whether a part is small enough to be written wherever it is called."""
        if part not in self.decided:
            self.decided[part] = False  # for whoever calls itself
            if part in self.sizes and not getattr(part, "is_kernel", False):
                self.decided[part] = (self.uses[part] - 1) * self.whole(part) <= COPIES
        return self.decided[part]

    def whole(self, part: Any) -> int:
        """The size of a part with what is melted into it."""
        inner = sum(times * self.whole(called) for called, times in self.calls[part].items() if self.spare(called))
        return self.sizes[part] + inner


class _Native(Melting):
    """Kernels, and parts and rules that stay functions, as Numba's functions."""

    def __init__(self, counting: _Counting) -> None:
        super().__init__()
        self.counting = counting
        self.twins: dict[Any, Any] = {}

    def prepared(self, name: str, value: Any) -> Any:
        if not marked(value):
            return value
        if value in _made:
            return _made[value]
        if not _can_be_melted(value):
            return native(value, self.twins)
        self.names["__name__"] = value.__module__
        apart, inline = (getattr(value, mark, False) for mark in ("is_kernel", "is_part"))
        made = jit_part(self.defined(name, value), inline=inline, **lean(apart=apart))
        if getattr(value, "is_rule", False):
            _made[value] = made
        return made

    def melts(self, part: FunctionType) -> bool:
        return self.counting.spare(part)

    def fills_in(self, argument: ast.expr) -> bool:
        return isinstance(argument, ast.Name | ast.Constant)  # what is computed is computed once
