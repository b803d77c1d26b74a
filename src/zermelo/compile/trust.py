"""Whether what lies on the disk may be run: nobody else could have written it.

Kept kernels are machine code and are run as they are. So the folder and each file in it must belong to this user or
to root, and neither the group nor others may write to them. A link to a folder is followed, and the folder behind it
looked at; a link in the place of a file is not followed. Where files have no such owners (Windows), all is trusted.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path


def distrust(folder: Path) -> str | None:
    """Why a folder is not trusted and what would be right, in one sentence; None if it is trusted, or is not there."""
    try:
        found = folder.stat()
    except OSError:
        return None
    if _is_safe(found):
        return None
    other = "name another folder with ZERMELO_CACHE"
    if not _is_own(found):
        return f"{folder} belongs to another user, who could put anything there: {other}"
    return f"{folder} can be written by others, who could put anything there: empty it and chmod go-w it, or {other}"


def read_own(path: Path) -> bytes | None:
    """The bytes of a file that only this user or root could have written; None if there is no such file."""
    at_once = getattr(os, "O_NONBLOCK", 0)  # a pipe in its place would have us wait
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | at_once)
        try:
            found = os.fstat(handle)  # of what was opened, whatever takes its name meanwhile
            if stat.S_ISREG(found.st_mode) and _is_safe(found):
                with os.fdopen(handle, "rb", closefd=False) as file:
                    return file.read()
        finally:
            os.close(handle)
    return None


def _is_safe(found: os.stat_result) -> bool:
    """Whether nobody but this user and root can write there."""
    return os.name != "posix" or (_is_own(found) and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _is_own(found: os.stat_result) -> bool:
    return found.st_uid in (0, os.geteuid())
