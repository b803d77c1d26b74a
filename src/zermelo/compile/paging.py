"""Large arrays that rules read by number, a page at a time: how endgame tables get into searches.

A rule is a function of a position and nothing else, and its compiled form is kept on disk; where a table lies in memory
cannot be part of it. So there is one block of words that compiled code knows by name (`CONTROL`), and in it, for each
of a few places, where the pages of an array are. `read_whole(place, group, number)` and `read_real` are what rules
call, interpreted as well as compiled: the entry at a number of a group (a tier of a table), or `ABSENT` (NaN, of real
numbers) if there is no such group, or no such number in it.

A page that is not in memory is fetched by calling back into Python, which unpacks it. A page has a stamp while it is
in memory; whoever reads takes the stamp before and after, and reads again if the page went away in between, so that
threads need no lock.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from zermelo.rules import Unsuitable

SHIFT = 14
PAGE = 1 << SHIFT
"""How many entries a page has."""
PLACES = 8
ABSENT = -1
PAGES, STAMPS, OFFSETS, GROUPS, WIDTH, FETCH, WORDS = range(7)
"""The words of a place: addresses of the pages, of their stamps and of where each group begins, followed by how many
entries each has; how many groups there are, how many bytes an entry has (negative, if it is a whole number), and what
fetches a page."""
SHELF, SHELF_PLACES = PLACES * WORDS, 64
"""Behind them, the addresses of arrays that are in memory as a whole: see `shelf`."""
CONTROL = np.zeros(SHELF + SHELF_PLACES, np.int64)
FETCHER = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)

_pagers: list[Pager | None] = [None] * PLACES


class Pager:
    """Pages of one array. sizes: how many entries each group has, 0 if it is not there. fetch: the entries of a page of
    a group. memory: how many bytes of pages are kept at most."""

    def __init__(
        self, sizes: Sequence[int], dtype: np.dtype[Any], fetch: Callable[[int, int], Any], memory: int
    ) -> None:
        self.fetch, self.dtype = fetch, dtype
        each = [-(-size // PAGE) for size in sizes]
        first = np.concatenate([[0], np.cumsum(each)])
        self.first = first
        self.offsets = np.array([f << SHIFT if size else -1 for f, size in zip(first, sizes)], np.int64)
        self.where = np.concatenate([self.offsets, np.array(sizes, np.int64)])
        count = int(first[-1])
        self.room = max(1, min(count, memory // (PAGE * dtype.itemsize)))
        self.pages = np.zeros(self.room * PAGE, dtype)
        self.stamps = np.zeros(max(count, 1), np.int64)  # version << 32 | slot + 1, or 0
        self.holds = np.full(self.room, -1, np.int64)
        self.hand, self.version, self.fetched = 0, 0, 0
        self.failure: Exception | None = None
        self._lock = threading.Lock()
        self._callback = FETCHER(self._bring)
        self.place: int | None = None

    def settle(self) -> int:
        """Take one of the places that rules can read from."""
        if self.place is not None:
            return self.place
        if None not in _pagers:
            raise Unsuitable(f"at most {PLACES} tables can be open at a time: close one")
        self.place = place = _pagers.index(None)
        _pagers[place] = self
        whole = -1 if self.dtype.kind in "ui" else 1
        address = ctypes.cast(self._callback, ctypes.c_void_p).value or 0
        CONTROL[place * WORDS : (place + 1) * WORDS] = (
            self.pages.ctypes.data, self.stamps.ctypes.data, self.where.ctypes.data, len(self.offsets),
            whole * self.dtype.itemsize, address,
        )  # fmt: skip
        return place

    def close(self) -> None:
        """Leave the place to another."""
        if self.place is not None:
            CONTROL[self.place * WORDS : (self.place + 1) * WORDS] = 0
            _pagers[self.place], self.place = None, None

    def _bring(self, page: int) -> int:
        """Fetch a page into memory; the first one that is due gives way. 0 if that failed."""
        with self._lock:
            if self.stamps[page] == 0:
                try:
                    group = int(np.searchsorted(self.first, page, side="right")) - 1
                    entries = self.fetch(group, page - int(self.first[group]))
                except Exception as broken:
                    self.failure = broken
                    return 0
                slot = self.hand
                self.hand = (slot + 1) % self.room
                if self.holds[slot] >= 0:
                    self.stamps[self.holds[slot]] = 0
                self.pages[slot * PAGE : slot * PAGE + len(entries)] = entries
                self.holds[slot] = page
                self.version += 1
                self.fetched += 1
                self.stamps[page] = self.version << 32 | slot + 1
        return 1

    def read(self, group: int, number: int) -> Any:
        """The entry at a number, `ABSENT` if its group is not there, or has no such number."""
        groups = len(self.offsets)
        if not 0 <= group < groups or self.offsets[group] < 0 or not 0 <= number < self.where[groups + group]:
            return ABSENT
        place = int(self.offsets[group]) + number
        page = place >> SHIFT
        while self.stamps[page] == 0:
            if not self._bring(page):
                return ABSENT
        slot = (int(self.stamps[page]) & 0xFFFFFFFF) - 1
        return self.pages[slot * PAGE + (place & PAGE - 1)].item()

    def check(self) -> None:
        """Raise what went wrong while a page was fetched."""
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure


def read_whole(place: int, group: int, number: int) -> int:
    """The whole number at a place. Rules call it; compiled, it is what `paging_native` says."""
    pager = _pagers[place]
    return ABSENT if pager is None else int(pager.read(group, number))


def read_real(place: int, group: int, number: int) -> float:
    """The same for a table of real numbers, where what is not there is no number (NaN)."""
    pager = _pagers[place]
    found = ABSENT if pager is None else pager.read(group, number)
    return math.nan if found is ABSENT else float(found)
