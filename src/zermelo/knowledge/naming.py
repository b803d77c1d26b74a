"""Short names for the positions of a set: whole states as a few words of 64 bits, without what is the same in all.

A name has a bit for every bit that differs somewhere in the set; the others are compared, so that a position that is
not in the set never has the name of one that is. The order of the bits matters to who looks for what names have in
common: boards of 64 bits are interleaved, a cell of all of them next to each other, and small numbers follow as they
are. Where the game tells positions apart by a `key` that need not hold all of them, the key is the name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from zermelo.rules import Game, Struct, rule, u64
from zermelo.rules.hashing import as_word, float_word

WORD = 64
AT_ONCE = 1 << 16
"""How many states are taken apart at a time."""


class Element(NamedTuple):
    """One number of a state: its field, its place in an array (-1 if it is none), its type."""

    field: str
    place: int
    kind: type[Any]

    @property
    def expression(self) -> str:
        """Its bits as u64, in the words of a rule."""
        return as_word(f"s.{self.field}" + (f"[{self.place}]" if self.place >= 0 else ""), self.kind)

    def words(self, states: Any) -> Any:
        """The same for an array of states."""
        numbers = states[self.field] if self.place < 0 else states[self.field][:, self.place]
        kind = np.dtype(self.kind)
        if kind.kind == "f":
            numbers = numbers.astype(np.float64)
            return np.where(np.isnan(numbers), float_word(np.nan), numbers.view(np.uint64))
        return np.ascontiguousarray(numbers).view(f"u{kind.itemsize}").astype(np.uint64)


def elements_of(State: type[Struct]) -> list[Element]:
    """The numbers that a state is made of."""
    return [
        Element(name, place, kind[0] if isinstance(kind, tuple) else kind)
        for name, kind in State.fields.items()
        for place in (range(kind[1]) if isinstance(kind, tuple) else (-1,))
    ]


@dataclass(frozen=True)
class Naming:
    """How positions are named. by: `state` or `key`; varying: of each element of a state, the bits that differ within
    the set; fixed: what the others are."""

    by: str = "key"
    varying: tuple[int, ...] = ()
    fixed: tuple[int, ...] = ()

    @classmethod
    def of(cls, State: type[Struct], states: Any) -> Naming:
        """For all states of an array."""
        elements = elements_of(State)
        some, every = [0] * len(elements), [(1 << WORD) - 1] * len(elements)
        for chunk in _chunks(states):
            for place, element in enumerate(elements):
                words = element.words(chunk)
                some[place] |= int(np.bitwise_or.reduce(words))
                every[place] &= int(np.bitwise_and.reduce(words))
        varying = tuple(one ^ all_ for one, all_ in zip(some, every, strict=True))
        return cls("state", varying, tuple(every))

    @classmethod
    def told(cls, told: Mapping[str, Any], State: type[Struct]) -> Naming:
        """As `as_dict` wrote it. Raises ValueError if it is not about such states."""
        count = len(elements_of(State)) if told["by"] == "state" else 0
        varying, fixed = (tuple(int(word, 16) for word in told[name]) for name in ("varying", "fixed"))
        whole = all(0 <= word < 1 << WORD for word in varying + fixed)
        if not len(varying) == len(fixed) == count or not whole:
            raise ValueError("its names are not those of such positions")
        return cls(told["by"], varying, fixed)

    def as_dict(self) -> dict[str, Any]:
        varying, fixed = ([f"{word:x}" for word in words] for words in (self.varying, self.fixed))
        return {"by": self.by, "varying": varying, "fixed": fixed}

    def bits(self, State: type[Struct]) -> list[tuple[int, int]]:
        """Of a name by the state, from its first bit to its last: which element it comes from, and which bit there."""
        kinds = [np.dtype(element.kind).itemsize for element in elements_of(State)]
        each = [[bit for bit in reversed(range(WORD)) if word >> bit & 1] for word in self.varying]
        small = [(place, bit) for place, bits in enumerate(each) if kinds[place] < 8 for bit in bits]
        boards = [(place, bit) for place, bits in enumerate(each) if kinds[place] == 8 for bit in bits]
        boards.sort(key=lambda one: (-one[1], one[0]))
        return boards + small

    def length(self, State: type[Struct]) -> int:
        """How many bits a name has, at least 1."""
        return WORD if self.by == "key" else max(1, sum(word.bit_count() for word in self.varying))

    def words(self, State: type[Struct]) -> int:
        """In how many words a name stands: a number of so many bits, the highest word first."""
        return -(-self.length(State) // WORD)

    def names(self, State: type[Struct], states: Any) -> Any:
        """The names of all states of an array, a row each."""
        elements, names = elements_of(State), np.zeros((len(states), self.words(State)), np.uint64)
        for begin, chunk in zip(range(0, len(states), AT_ONCE), _chunks(states), strict=True):
            taken = [element.words(chunk) for element in elements]
            for word, runs in enumerate(self._runs(State)):
                row = np.zeros(len(chunk), np.uint64)
                for place, low, length in runs:
                    row = row << u64(length) | taken[place] >> u64(low) & u64((1 << length) - 1)
                names[begin : begin + len(chunk), word] = row
        return names

    def _runs(self, State: type[Struct]) -> list[list[tuple[int, int, int]]]:
        """For each word, neighbouring bits of an element: which, the lowest bit, and how many."""
        bits = self.bits(State)
        first = (len(bits) - 1) % WORD + 1
        cuts = [0, *range(first, len(bits) + 1, WORD)] if bits else [0, 0]
        words: list[list[tuple[int, int, int]]] = []
        for begin, end in pairwise(cuts):
            runs: list[tuple[int, int, int]] = []
            for place, bit in bits[begin:end]:
                if runs and runs[-1][:2] == (place, bit + 1) and runs[-1][2] < WORD - 1:
                    runs[-1] = (place, bit, runs[-1][2] + 1)
                else:
                    runs.append((place, bit, 1))
            words.append(runs)
        return words

    def rule(self, game: Game) -> Any:
        """`name(s)`: whether `s` can be one of the set, and its name, a tuple of words."""
        if self.by == "key":
            key: Any = game.key

            @rule
            def name(s):
                return True, (u64(key(s)),)

            return name
        assert game.State is not None
        return self._written_out(game.State)

    def _written_out(self, State: type[Struct]) -> Any:
        """Numbers, which may come from a file, are values of the rule's names and never part of its source."""
        full = (1 << WORD) - 1
        names: dict[str, Any] = {"u64": u64, "float_word": float_word}
        lines = ["def name(s):", "    inside = True"]
        for place, element in enumerate(elements_of(State)):
            lines.append(f"    e{place} = {element.expression}")
            if self.varying[place] != full:
                names[f"others{place}"] = u64(full ^ self.varying[place])
                names[f"fixed{place}"] = u64(self.fixed[place])
                lines += [f"    if e{place} & others{place} != fixed{place}:", "        inside = False"]
        words = self._runs(State)
        for word, runs in enumerate(words):
            lines.append(f"    w{word} = u64(0)")
            for number, (place, low, length) in enumerate(runs):
                run = f"{word}_{number}"
                names[f"length{run}"], names[f"low{run}"] = u64(length), u64(low)
                names[f"mask{run}"] = u64((1 << length) - 1)
                lines.append(f"    w{word} = (w{word} << length{run}) | ((e{place} >> low{run}) & mask{run})")
        lines.append(f"    return inside, ({', '.join(f'w{word}' for word in range(len(words)))},)")
        exec("\n".join(lines), names)
        return rule(names["name"])


def naming_of(game: Game) -> str:
    """What tells positions of a game apart: all of their state, unless the game has a key that need not hold it."""
    return "state" if game.key is None or game.exact_key else "key"


def in_order(names: Any) -> Any:
    """The numbers of names from the least to the greatest."""
    return np.argsort(names[:, 0]) if names.shape[1] == 1 else np.lexsort(names.T[::-1])


def _chunks(states: Any) -> Iterator[Any]:
    return (states[begin : begin + AT_ONCE] for begin in range(0, len(states), AT_ONCE))


