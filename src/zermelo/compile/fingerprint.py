"""What a compiled kernel depends on, as one hash: change any of it and the kernel is compiled anew.

Numba's own cache looks at one file's date; a kernel here depends on rules in other files and on the
parameters that a factory froze into closures. So the hash walks from the kernel's code through everything
that it refers to: code, constants, closure cells, globals, and the rules and kernels it calls.
"""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_LIBRARIES = {"numpy", "math", "numba"}
"""Their versions are part of the platform."""


def fingerprint(function: Any) -> str:
    """A hash of a function's code and of everything that it reaches."""
    digest = hashlib.sha256(_platform().encode())
    seen: dict[int, int] = {}
    _walk(function, digest, seen)
    return digest.hexdigest()[:32]


@cache
def _platform() -> str:
    """The compiler, its versions, the processor, and the sources of this layer."""
    import llvmlite
    import llvmlite.binding as llvm
    import numba

    features = llvm.get_host_cpu_features().flatten()
    here = sorted(Path(__file__).parent.glob("*.py"))
    own = hashlib.sha256(b"".join(path.read_bytes() for path in here)).hexdigest()
    versions = (platform.python_version(), numba.__version__, llvmlite.__version__, np.__version__)
    return "|".join((*versions, llvm.get_host_cpu_name(), features, own))


def _walk(value: Any, digest: Any, seen: dict[int, int]) -> None:
    value = getattr(value, "py_func", value)  # a Numba dispatcher: what matters is the function behind it
    if isinstance(value, (FunctionType, CodeType, tuple, list, dict)):
        if id(value) in seen:
            digest.update(b"seen%d" % seen[id(value)])
            return
        seen[id(value)] = len(seen)
    if isinstance(value, FunctionType):
        digest.update(str(value.__module__).encode())
        _walk(value.__code__, digest, seen)
        _walk(value.__defaults__, digest, seen)
        for name, cell in zip(value.__code__.co_freevars, value.__closure__ or ()):
            digest.update(name.encode())
            if cell != CellType():  # an empty one has nothing to hash
                _walk(cell.cell_contents, digest, seen)
        names = sorted(_global_names(value.__code__))
        for name in names:
            if name in value.__globals__:
                digest.update(name.encode())
                _walk(value.__globals__[name], digest, seen)
                _walk_within(value.__globals__[name], names, digest, seen)
    elif isinstance(value, CodeType):
        digest.update(value.co_code)
        digest.update(repr((value.co_names, value.co_varnames, value.co_freevars)).encode())
        for constant in value.co_consts:
            _walk(constant, digest, seen)
    elif isinstance(value, (tuple, list)):
        digest.update(f"({len(value)} {getattr(value, '_fields', '')}".encode())
        for item in value:
            _walk(item, digest, seen)
    elif isinstance(value, frozenset):
        digest.update(repr(sorted(map(repr, value))).encode())
    elif isinstance(value, np.ndarray):
        digest.update(str((value.dtype, value.shape)).encode() + value.tobytes())
    elif isinstance(value, (np.generic, int, float, str, bytes, bool, type(None), np.dtype)):
        digest.update(f"{type(value).__name__}:{value!r}".encode())
    elif isinstance(value, ModuleType):
        digest.update(value.__name__.encode())
    elif isinstance(value, (type, BuiltinFunctionType)):
        digest.update(value.__qualname__.encode())
    else:  # an intrinsic or another opaque object: this layer's sources are hashed already
        digest.update(f"{type(value).__name__}:{getattr(value, '__name__', '')}".encode())


def _walk_within(value: Any, names: list[str], digest: Any, seen: dict[int, int]) -> None:
    """What a function may take out of a module or class by these names: constants, rules, members of an enumeration."""
    if isinstance(value, ModuleType) and value.__name__.partition(".")[0] in _LIBRARIES:
        return
    if isinstance(value, (ModuleType, type)):
        for name in names:
            if name in vars(value):
                inner = getattr(value, name)
                digest.update(name.encode())
                _walk(inner, digest, seen)
                if isinstance(inner, (ModuleType, type)) and inner is not value:
                    _walk_within(inner, names, digest, seen)


def _global_names(code: CodeType) -> set[str]:
    """The names that a code object and those nested in it may look up globally."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _global_names(constant)
    return names
