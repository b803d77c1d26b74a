"""Zeroed memory that costs nothing until it is touched: the system hands it out page by page.

What is laid out for the longest path that a game can have, or for a table that may never fill, then takes as much as a
search has reached.
"""

from __future__ import annotations

import mmap

from zermelo.rules import Unsuitable


def zeroed_pages(size: int, what: str) -> mmap.mmap:
    """So many bytes, aligned to pages; `what` they are for is named where they cannot be had."""
    try:
        return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError, ValueError) as refused:
        raise Unsuitable(f"{what} of {size / 2**20:,.0f} MB cannot be had: {refused}") from None


def small_pages(pages: mmap.mmap) -> mmap.mmap:
    """The same memory, never handed out in large pages: who touches a few places of each of many rows takes little."""
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        pages.madvise(mmap.MADV_NOHUGEPAGE)
    return pages
