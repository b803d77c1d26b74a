"""Mutual recursion that is called directly and can be kept on disk.

Numba compiles `child` before the `search` that it calls back, so it leaves in `child` a cell to be filled with
the address of `search` when that is loaded. The cell costs an indirect call at every node, and code that comes from
the disk finds it empty. By the time the outer function is put together both are in one module: there, the cell
can be a constant, which the optimiser replaces by the function itself.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_OPEN = ".numba.unresolved$"
_CELL = re.compile(r'^@"\.numba\.unresolved\$(?P<name>[^"]+)" = external (?:\w+ )*global ptr\b.*$', re.MULTILINE)


@cache
def install() -> None:
    """Have Numba's libraries tie such cells before they are optimised. Others are not touched."""
    from numba.core.codegen import CPUCodeLibrary

    optimise: Any = CPUCodeLibrary._optimize_final_module

    def tie_and_optimise(library: Any) -> None:
        library._final_module = tied(library._final_module)
        optimise(library)

    CPUCodeLibrary._optimize_final_module = tie_and_optimise  # type: ignore[method-assign]


def check(library: Any) -> None:
    """See that a kernel has no cell left open: kept on disk, it would jump to nowhere."""
    module = getattr(library, "_final_module", None)  # code from the disk was checked before it went there
    left = [v.name for v in module.global_variables if v.name.startswith(_OPEN)] if module is not None else []
    assert not left, f"a kernel calls itself with other types than it was called with: {left[0]}"


def tied(module: Any) -> Any:
    """The module with every cell made constant whose function it defines."""
    from llvmlite import binding

    if not any(variable.name.startswith(_OPEN) for variable in module.global_variables):
        return module
    defined = {function.name for function in module.functions if not function.is_declaration}
    text = str(module)
    for found in list(_CELL.finditer(text)):
        name = found["name"]
        if name in defined:
            text = text.replace(found[0], f'@".tied${name}" = internal constant ptr @{name}')
            text = text.replace(f'@".numba.unresolved${name}"', f'@".tied${name}"')
    result = binding.parse_assembly(text)
    result.name = module.name
    return result
