"""Memory for tables: sizes as people write them, refused before they are taken if the machine has less."""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Sequence

import numpy as np

from zermelo.compile.modes import Workspace
from zermelo.compile.pages import zeroed_pages
from zermelo.core.growth import BUCKET_WORDS, FULL_SIZE, GROUP, first_room, first_shift
from zermelo.rules import Unsuitable

DEFAULT = "256MB"
LARGE = 1 << 30
LARGE_PAGE = 1 << 21
BUCKET_BYTES = 8 * BUCKET_WORDS
_UNITS = {"": 1, "B": 1, "KB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40}


def parse_size(text: str | int) -> int:
    """`512MB`, `2 GB` or a number of bytes, as bytes."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?I?B?)\s*", str(text).upper())
    if not found:
        raise Unsuitable(f"a memory size is a number and a unit such as 512MB or 2GB, not {text!r}")
    unit = found[2].replace("I", "")
    return int(float(found[1]) * _UNITS[unit if unit.endswith("B") or not unit else unit + "B"])


def machine_bytes() -> int:
    """How much memory the machine has."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _pages(size: int, growing: bool, tree: bool) -> mmap.mmap:
    """Memory that nobody has touched yet.

    Large pages are had faster, and fewer addresses have to be translated. But who touches a few places of a large page
    waits until all of it is cleared: the first one of a table that grows, and a table of full size, are not made of
    them, unless that is so large that only a long search can want it. A tree is filled from its beginning on.
    """
    pages = zeroed_pages(size, "a table")
    small = LARGE_PAGE if growing else 0
    if size > small and (growing or tree or size >= LARGE) and hasattr(mmap, "MADV_HUGEPAGE"):
        pages.madvise(mmap.MADV_HUGEPAGE, small)
    return pages


class TableMemory:
    """The buckets of one table, or room for a tree: a block of native memory. `growing`: it is a table that only one
    thread uses, and begins small."""

    def __init__(self, size: str | int = DEFAULT, *, growing: bool = False, tree: bool = False) -> None:
        self.bytes = parse_size(size)
        if self.bytes > machine_bytes():
            raise Unsuitable(
                f"a table of {self.bytes / 2**30:.1f} GB does not fit: the machine has {machine_bytes() / 2**30:.1f} GB"
            )
        self.buckets = max(1, self.bytes // BUCKET_BYTES)
        self.first = first_shift(self.buckets) if growing else FULL_SIZE
        pages = _pages((self.buckets + GROUP) * BUCKET_BYTES, growing, tree)
        self.words = np.frombuffer(pages, np.uint64)
        self.plain = memoryview(pages).cast("Q")
        self.users: Sequence[Workspace] = ()

    def serve(self, workspaces: Sequence[Workspace]) -> None:
        """Have it used by the kernels that work here. How large a table has grown, they alone know."""
        self.users = workspaces
        room = first_room(self.buckets, self.first)
        for workspace in workspaces:
            table = self.words.ctypes.data if workspace.compiled else self.plain
            workspace.tell(table=table, buckets=self.buckets, shift=self.first, room=room)

    @property
    def shift(self) -> int:
        """How much smaller the table is than at its full size."""
        return self.users[0].count("shift") or FULL_SIZE

    def show(self, reader: Workspace) -> None:
        """Have it read by an interpreted kernel."""
        reader.tell(table=self.plain, buckets=self.buckets, shift=self.shift)

    def clear(self) -> None:
        """Forget everything, and begin small again."""
        in_use = (self.buckets >> (self.shift - FULL_SIZE)) + GROUP
        self.words[: in_use * BUCKET_WORDS] = 0
        self.serve(self.users)
