"""Machine code kept on disk between runs: one file a kernel, named by its fingerprint.

Any number of processes may start cold at once: each writes under a temporary name and renames, and whoever
comes last replaces a file by an equal one. A folder that cannot be written, or a file that was cut or changed,
means compiling again, never an error. So does a folder or a file that another user could have written (`trust.py`).
`ZERMELO_CACHE` names another folder than the user's cache directory.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.compile import numba_private
from zermelo.compile.fingerprint import fingerprint
from zermelo.compile.native import entry_of, native
from zermelo.compile.trust import distrust, read_own
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
    return refusal() is None and any(path.name.startswith(f"{_readable(name)}-") for path in _files())


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
    path = path_of(f"{name}-{kernel.__name__}", fingerprint(tuple(marks)))
    kept = _fetch(path)
    if kept is None and getattr(kernel, "is_kernel", False):
        from zermelo.compile.melted_native import melted_native

        entry = entry_of(kernel, melted_native(kernel))
    else:  # as it is; where something is kept that proves to be of no use, that takes longer to compile
        entry = entry_of(kernel, native(kernel))
    numba_private.keep(entry, lambda: kept, partial(_store, path))
    with numba_private.remembering():
        entry.compile(tuple(types))
    numba_private.check_calls(entry)
    entry.disable_compile()
    return entry


def path_of(name: str, mark: str) -> Path:
    """The file of a kernel: a name that a person can read, and the fingerprint."""
    return folder() / f"{_readable(name)}-{mark}{_SUFFIX}"


def _fetch(path: Path) -> bytes | None:
    """What a file keeps, None if it is not there, not whole, or could be somebody else's."""
    data = None if _refused(path.parent) else read_own(path)
    if data is None:
        return None
    checksum, payload = data[:32], data[32:]
    return payload if hashlib.sha256(payload).digest() == checksum else None


def _store(path: Path, payload: bytes) -> None:
    with contextlib.suppress(OSError):  # a read-only or full disk: go on with what is in memory
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _refused(path.parent):  # looked at now: somebody else may have made it a moment ago
            write_whole(path, hashlib.sha256(payload).digest() + payload, private=True)


def refusal() -> str | None:
    """Why nothing is fetched from the folder, nor kept there; None if all is well."""
    return distrust(folder())


def _refused(place: Path) -> bool:
    """Whether another user could have put something there; said once."""
    reason = distrust(place)
    if reason is not None:
        _say(reason)
    return reason is not None


@cache
def _say(reason: str) -> None:
    warnings.warn(f"compiled kernels are not kept: {reason}", stacklevel=2)
