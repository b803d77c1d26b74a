"""Files that people name: written whole or not at all, and what goes wrong said in one sentence."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from zermelo.rules.errors import RuleError, UnknownName, Unsuitable, nearest


def read_text(file: str | Path, encoding: str = "utf-8") -> str:
    """What a text file holds, in UTF-8 or else in the encoding. If there is none of that name, one beside it may be
    meant."""
    data = read_bytes(file)
    for name in dict.fromkeys(("utf-8", encoding)):
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode(name).removeprefix("\ufeff").replace("\r\n", "\n")
    other = "" if encoding == "utf-8" else f" nor {encoding}"
    raise RuleError(f"{file} cannot be read: it is not UTF-8{other} text")


def read_bytes(file: str | Path, shown: str = "") -> bytes:
    """The bytes of a file, which the person may know by another name."""
    path = Path(file)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        alike = path.parent.glob(f"*{path.suffix}") if path.parent.is_dir() else ()
        names = [other.name for other in alike]
        hint = f": {nearest(path.name, names)}" if names else ""
        raise UnknownName(f"there is no file {shown or file}{hint}") from None
    except (OSError, ValueError) as unreadable:  # a name with a zero byte is no name
        reason = getattr(unreadable, "strerror", None) or unreadable
        raise RuleError(f"{shown or file} cannot be read: {reason}") from None


def size(bytes_: int) -> str:
    """A size as people write it."""
    for unit, scale in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if bytes_ >= scale:
            return f"{bytes_ / scale:,.1f} {unit}"
    return f"{bytes_} bytes"


def read_json(text: str, name: str) -> Any:
    """What a JSON text means; whatever is wrong with it is said in one sentence. `name`: of the file."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        if len(set(keys)) < len(keys):
            twice = next(key for key in keys if keys.count(key) > 1)
            raise RuleError(f"{name}: {twice} is named twice in one object")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as broken:
        raise RuleError(f"{name}: not JSON: {broken.msg} at line {broken.lineno}, column {broken.colno}") from None
    except RecursionError:
        raise RuleError(f"{name}: its brackets are nested too deeply") from None
    except ValueError:
        raise RuleError(f"{name}: it holds a number with too many digits") from None


def save(file: str | Path, data: bytes | memoryview | str) -> None:
    """Write a file, whole or not at all."""
    try:
        write_whole(Path(file), data)
    except OSError as refused:
        old = "; the file that was there is unchanged" if Path(file).is_file() else ""
        raise Unsuitable(f"{file} cannot be written: {refused.strerror or refused}{old}") from None


def write_whole(path: Path, data: bytes | memoryview | str, *, private: bool = False) -> None:
    """Write a file under a temporary name and rename it: whatever happens, what stood there before stays until then.
    A private file is for this user only, and takes the place of a link. Raises OSError as it comes."""
    content = data.encode() if isinstance(data, str) else data
    if not private:
        path = path.resolve()  # a link goes on pointing to the file
        if path.exists() and not path.is_file():  # a device or a pipe, to which a whole file means nothing
            path.write_bytes(content)
            return
    with write_temporary(path, private=private) as out:
        out.write(content)


@contextlib.contextmanager
def write_temporary(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A file to write into under a temporary name. It gets its own name when all is well and on the disk, and else is
    removed."""
    temporary = path.parent / f".{path.name}-{secrets.token_hex(4)}.part"
    rights = 0o600 if private else 0o666  # less what the umask forbids, which only the system can read without a change
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), rights)
    try:
        with os.fdopen(handle, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
