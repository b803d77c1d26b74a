"""Arrays that rules read by place: how the index of an endgame table gets into searches.

As with pages (see `paging`), where an array lies in memory cannot be part of a rule that is compiled and kept on disk.
A rule knows the number of a place on the shelf, and compiled code finds there the address of the array. `word_at` reads
a 64-bit word, `state_at` fills a position; interpreted, both look into the array itself. Neither checks anything:
whoever puts an array there makes sure that rules stay within it.
"""

from __future__ import annotations

import weakref
from typing import Any

from zermelo.compile.paging import CONTROL, SHELF, SHELF_PLACES
from zermelo.rules import Unsuitable


class _Shelf:
    """An object, and not a list: what kernels are known by on disk does not look into it."""

    def __init__(self) -> None:
        self.arrays: list[Any] = [None] * SHELF_PLACES


_shelf = _Shelf()


def shelve(array: Any, owner: Any) -> int:
    """Put an array into a free place, for as long as its owner lives."""
    place = next((place for place, there in enumerate(_shelf.arrays) if there is None), None)
    if place is None:
        raise Unsuitable(f"at most {SHELF_PLACES} indexes of tables can be open at a time: close one")
    _shelf.arrays[place] = array
    CONTROL[SHELF + place] = array.ctypes.data
    weakref.finalize(owner, _clear, place)
    return place


def _clear(place: int) -> None:
    _shelf.arrays[place], CONTROL[SHELF + place] = None, 0


def word_at(place: int, number: Any) -> Any:
    """A word of an array of u64."""
    return _shelf.arrays[place][number]


def state_at(place: int, number: int, s: Any) -> None:
    """Make `s` the position that stands at a number of an array of states."""
    record = _shelf.arrays[place][number]
    for name, field in s.fields.items():
        if isinstance(field, tuple):
            getattr(s, name)[:] = record[name].tolist()
        else:
            setattr(s, name, record[name].item())
