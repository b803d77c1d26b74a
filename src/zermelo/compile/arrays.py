"""Functions on arrays as machine code: what large tables of numbers are worked on with, apart from any game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any


def on_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a plain function of NumPy arrays and numbers when it is first called, and keep it on disk."""

    @wraps(function)
    def call(*arguments: Any) -> Any:
        import numba

        return _ready(function, tuple(map(numba.typeof, arguments)))(*arguments)

    return call


@cache
def _ready(function: Callable[..., Any], types: tuple[Any, ...]) -> Any:
    from zermelo.compile.cache import ready

    return ready(function, "arrays", types, (function, str(types)))
