"""Merging books: what others know of a game, in one book.

Of a position that several books have, proofs are put together, the search counts that proved something or took more
nodes, and games are added up. Where two books have learned some of the same games, the larger numbers are taken
instead, for the games cannot be told apart any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zermelo.knowledge.book_file import BookFile, Entry
from zermelo.knowledge.book_graph import Graph
from zermelo.rules import Unsuitable

_COUNTS = ("games", "first", "drawn", "second", "total")


def merge_books(book: BookFile, others: Sequence[BookFile]) -> int:
    """Take what other books know into one that is open for writing. Returns how many of its positions are new."""
    fresh = 0
    for other in others:
        if other.path.resolve() == book.path.resolve():
            raise Unsuitable(f"{other.path} cannot be merged with itself: name another book")
        shared = bool(book.games_learned() & other.games_learned())
        for entry in other.entries():
            known = next((one for one in book.look_up([entry.word]) if _are_one(one, entry)), None)
            fresh += known is None
            book.put(entry if known is None else _together(book, known, entry, shared))
        book.note_learned(other.games_learned())
    Graph(book).back_up()
    book.commit()
    return fresh


def _are_one(one: Entry, other: Entry) -> bool:
    return one.state == other.state or one.family == other.family


def _together(book: BookFile, ours: Entry, theirs: Entry, shared: bool) -> Entry:
    low, high = max(ours.low, theirs.low), min(ours.high, theirs.high)
    if low > high:
        raise Unsuitable(
            f"{book.path} holds a proof of a score of {ours.low:g} to {ours.high:g} where another book holds one of "
            f"{theirs.low:g} to {theirs.high:g}: one of them is wrong, and they cannot be merged"
        )
    better = max(ours, theirs, key=lambda entry: (entry.proven, entry.searched is not None, entry.nodes))
    counted = theirs if theirs.games > ours.games else ours
    counts = {name: getattr(counted, name) for name in _COUNTS}
    if not shared:
        counts = {name: getattr(ours, name) + getattr(theirs, name) for name in _COUNTS}
    return replace(
        ours, low=low, high=high, searched=better.searched, best=better.best, nodes=better.nodes,
        tried=max(ours.tried, theirs.tried), source=better.source or ours.source or theirs.source, **counts,
    )  # fmt: skip
