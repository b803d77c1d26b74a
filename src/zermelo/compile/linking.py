"""Parts of a kernel are linked into it and never loaded on their own.

Numba makes machine code of every function that it compiles and hands it to the loader, which looks through all that it
holds each time that something is added: a process that compiles many searches becomes slower and slower. A function
that has no wrapper, neither for Python nor for C, can only be called by those that it is linked into. For them its
intermediate code is enough.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any


@cache
def install() -> None:
    """Have Numba leave out the machine code of such functions. Others are not touched."""
    from numba.core.cpu import CPUContext

    load: Any = CPUContext.get_executable

    def load_or_link(context: Any, library: Any, description: Any, environment: Any) -> Any:
        wrappers = {description.llvm_cpython_wrapper_name, description.llvm_cfunc_wrapper_name}
        from_disk = library._finalized
        if from_disk or any(function.name in wrappers for function in library._final_module.functions):
            return load(context, library, description, environment)
        library._finalize_final_module = partial(_finish, library)
        return _stand_in(library, description, environment)

    CPUContext.get_executable = load_or_link  # type: ignore[method-assign]


def _finish(library: Any) -> None:
    """What Numba does with a library that is linked and optimised, but for making it machine code."""
    library._finalize_dynamic_globals()
    library._verify_declare_only_symbols()
    library._finalized = True


def _stand_in(library: Any, description: Any, environment: Any) -> Any:
    """The object by which Numba knows a compiled function; there is nothing in it to be called."""
    from numba import _dynfunc  # type: ignore[attr-defined]

    name = description.qualname.split(".")[-1]
    return _dynfunc.make_function(description.lookup_module(), name, "a part", 0, environment, (library,))
