"""Files that people name: written whole or not at all, and what goes wrong said in one sentence."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from zermelo.rules.errors import RuleError, UnknownName, Unsuitable, nearest


def read_text(file: str | Path) -> str:
    """What a text file holds. If there is none of that name, one beside it may be meant."""
    path = Path(file)
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        alike = path.parent.glob(f"*{path.suffix}") if path.parent.is_dir() else ()
        raise UnknownName(f"there is no file {file}: {nearest(path.name, (other.name for other in alike))}") from None
    except (OSError, UnicodeDecodeError) as unreadable:
        reason = getattr(unreadable, "strerror", None) or "it is not UTF-8 text"
        raise RuleError(f"{file} cannot be read: {reason}") from None


def save(file: str | Path, data: bytes | str) -> None:
    """Write a file, whole or not at all."""
    try:
        write_whole(Path(file), data)
    except OSError as refused:
        old = "; the file that was there is unchanged" if Path(file).is_file() else ""
        raise Unsuitable(f"{file} cannot be written: {refused.strerror or refused}{old}") from None


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file under a temporary name and rename it: whatever happens, what stood there before stays until then.
    Raises OSError as it comes."""
    content = data.encode() if isinstance(data, str) else data
    path = path.resolve()  # a link goes on pointing to the file
    if path.exists() and not path.is_file():  # a device or a pipe, to which a whole file means nothing
        path.write_bytes(content)
        return
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    """What new files may not allow; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
