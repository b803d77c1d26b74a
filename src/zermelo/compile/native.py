"""From a game's rules to functions that Numba can call: every rule that a rule refers to is compiled too."""

from __future__ import annotations

from types import CellType, FunctionType
from typing import Any

from zermelo.compile import numba_private
from zermelo.rules.errors import RuleError
from zermelo.rules.language import Rule


def jit(function: Any, *, part: bool = False, inline: bool = False, **lean: Any) -> Any:
    """The project's one way to compile: no interpreter lock, C division, nothing hidden. `lean`: see `numba_quick`."""
    import numba

    more = {**numba_private.options(part=part, inline=inline), **lean}
    return numba.njit(nogil=True, error_model="numpy", **more)(function)


def jit_part(function: Any, *, inline: bool = False, **lean: Any) -> Any:
    """The same for what only kernels call; Python cannot."""
    return numba_private.as_part(jit(function, part=True, inline=inline, **lean))


def entry_of(kernel: FunctionType, part: Any) -> Any:
    """What Python calls: a function under the kernel's name that does nothing but call the kernel, compiled as a part.
    Kernels that call each other must be compiled in the same way, and this one has a wrapper."""
    given = ", ".join(kernel.__code__.co_varnames[: kernel.__code__.co_argcount])
    scope = {"__name__": kernel.__module__, "part": part}
    exec(f"def {kernel.__name__}({given}): return part({given})", scope)
    return jit(scope[kernel.__name__])


def marked(value: Any) -> bool:
    """Whether something is a function that is meant to be compiled."""
    return any(getattr(value, mark, False) for mark in ("is_rule", "is_part", "is_kernel"))


def native(function: Rule, known: dict[Rule, Any] | None = None) -> Any:
    """A compiled twin of a rule, of a kernel or of a part of one. The original stays plain Python; in the twin, closure
    cells and globals that hold such functions hold their twins instead. `known` remembers the twins made so far."""
    known = {} if known is None else known
    if function in known:
        return known[function]
    if not isinstance(function, FunctionType):
        raise RuleError(f"{function!r} is not a plain function: write the rule with def and mark it @rule")
    cells = tuple(CellType() for _ in function.__closure__ or ())
    scope = dict(function.__globals__)
    twin = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells)
    twin.__qualname__, twin.__module__ = function.__qualname__, function.__module__
    inline = getattr(function, "is_part", False)
    known[function] = dispatcher = jit_part(twin, inline=inline)  # before its references: rules may be recursive
    for cell, original in zip(cells, function.__closure__ or ()):
        if original == CellType():  # a name without a value: the compiler will ask for it, or never look
            continue
        value = original.cell_contents
        cell.cell_contents = native(value, known) if marked(value) else value
    for name in function.__code__.co_names:
        held: Any = scope.get(name)
        if marked(held):
            scope[name] = native(held, known)
    return dispatcher
