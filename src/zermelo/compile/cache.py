"""Machine code kept on disk between runs: one file a kernel, named by its fingerprint.

Any number of processes may start cold at once: each writes under a temporary name and renames, and whoever
comes last replaces a file by an equal one. A folder that cannot be written, or a file that was cut or changed,
means compiling again, never an error. `ZERMELO_CACHE` names another folder than the user's cache directory.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.compile import recursion
from zermelo.compile.fingerprint import fingerprint
from zermelo.rules.files import write_whole

_SUFFIX = ".kernel"


def folder() -> Path:
    """Where compiled kernels are kept."""
    chosen = os.environ.get("ZERMELO_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", "~")).expanduser()
    elif sys.platform == "darwin":
        base = Path("~/Library/Caches").expanduser()
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    return base / "zermelo"


def may_be_kept(name: str) -> bool:
    """Whether some kernel of a game is kept: a look at file names, which loads no compiler."""
    return any(path.name.startswith(f"{_readable(name)}-") for path in _files())


def _readable(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:60]


class Usage(NamedTuple):
    folder: Path
    kernels: int
    bytes: int


def usage() -> Usage:
    sizes = [path.stat().st_size for path in _files()]
    return Usage(folder(), len(sizes), sum(sizes))


def clear() -> int:
    """Delete every kept kernel; returns how many there were."""
    removed = 0
    for path in list(_files()):
        with contextlib.suppress(OSError):
            path.unlink()
            removed += 1
    return removed


def _files() -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from folder().glob(f"*{_SUFFIX}")


def ready(kernel: Any, name: str, types: Sequence[Any], marks: Sequence[Any]) -> Any:
    """A kernel that Python can call with these types: fetched from the disk, or compiled now and kept. `marks`: what
    it depends on, so that other code is never taken for it."""
    kernel._cache = KernelCache(f"{name}-{kernel.__name__}", fingerprint(tuple(marks)))
    kernel.compile(tuple(types))
    kernel.disable_compile()
    return kernel


class KernelCache:
    """What Numba's dispatcher asks for kept code; it duck-types `numba.core.caching._Cache`."""

    def __init__(self, name: str, mark: str) -> None:
        self.path = folder() / f"{_readable(name)}-{mark}{_SUFFIX}"

    @property
    def cache_path(self) -> str:
        return str(self.path.parent)

    def enable(self) -> None: ...
    def disable(self) -> None: ...
    def flush(self) -> None: ...

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The kept compile result, or None if there is none that is whole."""
        from numba.core.compiler import CompileResult
        from numba.core.runtime.nrt import rtsys

        try:
            data = self.path.read_bytes()
        except OSError:
            return None
        checksum, payload = data[:32], data[32:]
        if hashlib.sha256(payload).digest() != checksum:
            return None
        # Numba's own cache would first load all that can be compiled, which takes longer than the rest of the start;
        # code that is compiled already needs only the runtime that it links to.
        rtsys.initialize(target_context)
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(payload))  # type: ignore[no-untyped-call]
        except Exception:  # it refers to something that is no longer there, such as a file that was renamed
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        from numba.core.serialize import dumps

        recursion.check(result.library)
        payload = dumps(result._reduce())  # type: ignore[no-untyped-call]
        with contextlib.suppress(OSError):  # a read-only or full disk: go on with what is in memory
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, hashlib.sha256(payload).digest() + payload)
