"""Memory for tables: sizes as people write them, refused before they are taken if the machine has less."""

from __future__ import annotations

import mmap
import os
import re
from typing import Any

import numpy as np

from zermelo.compile.modes import Mode
from zermelo.core.buckets import BUCKET_WORDS
from zermelo.rules import Unsuitable

DEFAULT = "256MB"
LARGE = 1 << 30
BUCKET_BYTES = 8 * BUCKET_WORDS
_INTERPRETED_BUCKET_BYTES = 40 * BUCKET_WORDS  # a slot of a list and the integer in it
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


def _pages(size: int) -> mmap.mmap:
    """Zeroed memory, aligned to pages, that costs nothing until it is touched.

    Large pages serve a long search better (fewer misses when addresses are translated), but a short one would
    wait for two megabytes to be cleared at almost every store: only large tables get them.
    """
    try:
        pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError, ValueError) as refused:
        raise Unsuitable(f"a table of {size / 2**20:,.0f} MB cannot be had: {refused}") from None
    if size >= LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
        pages.madvise(mmap.MADV_HUGEPAGE)
    return pages


class TableMemory:
    """The buckets of one table: a block of native memory, or a list of integers."""

    def __init__(self, mode: Mode, size: str | int = DEFAULT) -> None:
        self.bytes = parse_size(size)
        if self.bytes > machine_bytes():
            raise Unsuitable(
                f"a table of {self.bytes / 2**30:.1f} GB does not fit: the machine has {machine_bytes() / 2**30:.1f} GB"
            )
        compiled = mode.name == "compiled"
        self.buckets = max(1, self.bytes // (BUCKET_BYTES if compiled else _INTERPRETED_BUCKET_BYTES))
        self.words: Any
        if compiled:
            self.words = np.frombuffer(_pages(self.buckets * BUCKET_BYTES), np.uint64)
            self.address: Any = np.uint64(self.words.ctypes.data)
        else:
            self.words = self.address = [0] * (self.buckets * BUCKET_WORDS)

    def clear(self) -> None:
        """Forget everything."""
        self.words[:] = 0 if isinstance(self.words, np.ndarray) else [0] * len(self.words)
