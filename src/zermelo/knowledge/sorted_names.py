"""The names of a set in their order: the number of a name is its place, which a search by halves finds.

In a file stands how far each name is from the one before it, as planes of bytes, most of which are empty. A name of
several words is told from the first word on that differs; those behind it stand there as they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.shelf import shelve, word_at
from zermelo.rules import rule


class SortedNames:
    """names: a row of words each, in their order."""

    def __init__(self, names: Any) -> None:
        self.names = np.ascontiguousarray(names)
        self.count = len(names)

    @property
    def bytes(self) -> int:
        """What they take in memory."""
        return int(self.names.nbytes)

    def planes(self) -> Any:
        """What stands in a file."""
        steps = np.empty(self.names.shape[::-1], "<u8")
        same = np.zeros(self.count, bool)
        same[1:] = True  # as the name before, up to here
        for word, row in enumerate(self.names.T):
            before = np.concatenate([row[:1], row[:-1]])
            steps[word] = np.where(same, row - before, row)
            same &= row == before
        return steps.view(np.uint8).reshape(-1, 8).T.reshape(-1)

    @classmethod
    def from_planes(cls, planes: Any, count: int, words: int) -> SortedNames:
        """Raises ValueError for what is none."""
        if len(planes) != 8 * count * words:
            raise ValueError(f"it has {len(planes):,} bytes, not {8 * count * words:,}")
        steps = np.ascontiguousarray(planes.reshape(8, -1).T).view("<u8").reshape(words, count)
        names = np.empty((count, words), np.uint64)
        same = np.zeros(count, bool)
        same[1:] = True
        for word in range(words):
            sums = np.cumsum(steps[word], dtype=np.uint64)
            begins = np.maximum.accumulate(np.where(same, 0, np.arange(count)))  # where words are told as they are
            row = sums - sums[begins] + steps[word][begins]
            names[:, word] = row
            same[1:] &= row[1:] == row[:-1]
        return cls(names)

    def ranker(self, owner: Any) -> Any:
        """`rank(words)`: the number of a name, -1 if it has none. owner: for as long as it lives."""
        place, count, width = shelve(self.names.reshape(-1), owner), self.count, self.names.shape[1]

        @rule
        def compare(words, number):
            """Below 0 if the name is less than the one at a number, above 0 if it is greater."""
            at = number * width
            for word in words:
                there = word_at(place, at)
                if word != there:
                    return -1 if word < there else 1
                at += 1
            return 0

        @rule
        def rank(words):
            low, high = 0, count - 1
            while low <= high:
                middle = (low + high) // 2
                side = compare(words, middle)
                if side == 0:
                    return middle
                if side < 0:
                    high = middle - 1
                else:
                    low = middle + 1
            return -1

        return rank


