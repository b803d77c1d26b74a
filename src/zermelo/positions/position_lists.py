"""What the exploring kernel fills: arrays that take memory only as they are filled, or Python's lists.

Both know how to begin with the first positions, how to find more slots, and what to hand over when all is found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.compile.arrays import on_arrays
from zermelo.positions import exploring as e
from zermelo.positions.exploring import MOST_MOVES, OVER, SLOT_BYTES, Choice, degree_type, score_type, scored_by
from zermelo.positions.identity import name_of
from zermelo.rules import Game, Unsuitable, wrapping
from zermelo.rules.hashing import key_of_fields

FIRST_SLOTS = 1 << 12
AT_ONCE = 1 << 20
"""How many positions or moves are gone through between two looks at the clock."""


class Arrays:
    """Native memory. All of it is reserved at once, which costs nothing: only what is touched is taken."""

    def __init__(self, game: Game, choice: Choice, path: list[Any], at: list[int]) -> None:
        assert game.State is not None
        self.game, self.choice, self.first = game, choice, len(path)
        self.at: Any = np.array(at, np.int64)
        budget, per_move = at[e.BUDGET], at[e.PER_MOVE]
        room = max(min(budget // at[e.EACH], at[e.MOST] + game.max_moves), len(path))
        noted = 0 if choice.counting else room
        moves = 0 if choice.counting else min(budget // per_move, MOST_MOVES, room * game.max_moves)
        try:
            self.states = np.empty(room, game.State.dtype)
            self.keys = np.empty(0 if choice.by == "state" else room, np.uint64)
            self.turns = np.empty(noted, np.int8)
            self.scores = np.empty(noted, score_type(game, choice))
            self.degrees = np.empty(noted, degree_type(game))
            self.children = np.empty(moves, np.int32)
            self.weights = np.empty(moves if choice.weighing else 0, np.int64)
        except MemoryError:
            raise Unsuitable(f"{budget / 2**20:,.0f} MB cannot be had on this machine; give less memory") from None
        self.slots = np.zeros(FIRST_SLOTS, np.uint32)
        while 4 * len(path) > 3 * len(self.slots):
            self.slots = np.zeros(2 * len(self.slots), np.uint32)
        for number, state in enumerate(path):
            self.states[number] = np.frombuffer(state.tobytes(), game.State.dtype)[0]

    def begin(self, names: list[Any], scores: list[Any]) -> None:
        """The first positions, the last of which is the root: what they are called and what they score."""
        if self.choice.by != "state":
            self.keys[: len(names)] = np.array(names, np.uint64)
        if not self.choice.counting:
            self.scores[: len(scores)] = scores
            self.turns[: len(scores) - 1], self.degrees[: len(scores) - 1] = OVER, 0

    def everything(self) -> tuple[Any, ...]:
        return (
            self.states, self.keys, self.slots, self.turns, self.scores, self.degrees, self.children, self.weights,
            self.at,
        )  # fmt: skip

    def more_slots(self) -> bool:
        """Twice as many, unless they do not fit beside what is there. The old ones are let go before the new are
        touched."""
        at = self.at
        taken = at[e.FOUND] * at[e.EACH] + at[e.MOVES] * at[e.PER_MOVE]
        if taken + 2 * SLOT_BYTES * len(self.slots) > at[e.BUDGET]:
            return False
        self.slots = np.zeros(2 * len(self.slots), np.uint32)
        at[e.REFILL] = 1
        return True

    @property
    def bytes(self) -> int:
        at = self.at
        return int(at[e.FOUND] * at[e.EACH] + at[e.MOVES] * at[e.PER_MOVE]) + self.slots.nbytes

    def cut(self) -> None:
        """Leave out what was not filled."""
        found, moves = int(self.at[e.FOUND]), int(self.at[e.MOVES])
        self.states, self.keys, self.turns = self.states[:found], self.keys[:found], self.turns[:found]
        self.scores, self.degrees = self.scores[:found], self.degrees[:found]
        self.children, self.weights = self.children[:moves], self.weights[:moves]

    def offsets(self) -> Any:
        """Where the moves of each position begin."""
        offsets = np.zeros(len(self.degrees) + 1, np.int64)
        np.cumsum(self.degrees, out=offsets[1:])
        return offsets

    def turned(self, stopped: Callable[[], bool]) -> tuple[Any, Any] | None:
        """Where the positions begin that lead to each, and these; None if it was stopped."""
        entries = np.zeros(len(self.degrees) + 1, np.uint32)
        for begin in range(0, len(self.children), AT_ONCE):
            _count_compiled(self.children[begin : begin + AT_ONCE], entries)
            if stopped():
                return None
        np.cumsum(entries, out=entries)
        parents = np.empty(len(self.children), np.int32)
        at = np.array([self.at[e.ROOT], 0], np.int64)
        while at[0] < len(self.degrees):
            _turn_round_compiled(self.degrees, self.children, entries, parents, at, AT_ONCE)
            if stopped():
                return None
        return entries, parents

    def finders(self) -> tuple[Callable[[int], Any], Callable[[Any], int]]:
        """The state of a number, and the number of a state."""
        State, states, slots, found = self.game.State, self.states, self.slots, int(self.at[e.FOUND])
        assert State is not None
        hashed, name = key_of_fields(State), name_of(self.game)

        def state(number: int) -> Any:
            if not 0 <= number < found:
                raise IndexError(f"there are {found} positions")
            return State.frombytes(states[number].tobytes())

        @wrapping
        def number_of(wanted: Any) -> int:
            slot, told = int(hashed(wanted)) & (len(slots) - 1), name(wanted)
            while slots[slot] != 0:
                number = int(slots[slot]) - 1
                if name(state(number)) == told:
                    return number
                slot = (slot + 1) & (len(slots) - 1)
            raise KeyError(wanted)

        return state, number_of


class Lists:
    """The same as Python's objects, for any game."""

    def __init__(self, game: Game, choice: Choice, path: list[Any], at: list[int]) -> None:
        self.game, self.choice = game, choice
        self.at: Any = at
        self.states = list(path)
        self.slots: dict[Any, int] = {}
        self.keys: list[int] = []
        self.turns: list[int] = []
        self.scores: list[Any] = []
        self.degrees: list[int] = []
        self.children: list[int] = []
        self.weights: list[int] = []

    def begin(self, names: list[Any], scores: list[Any]) -> None:
        """The first positions, the last of which is the root: what they are called and what they score."""
        self.slots = {name: number for number, name in enumerate(names)}
        if not self.choice.counting:
            before = len(scores) - 1
            self.turns, self.degrees = [OVER] * before, [0] * before
            self.scores = scores if scored_by(self.game, self.choice) else scores[:before]

    def everything(self) -> tuple[Any, ...]:
        return (
            self.states, self.keys, self.slots, self.turns, self.scores, self.degrees, self.children, self.weights,
            self.at,
        )  # fmt: skip

    def more_slots(self) -> bool:
        return True  # a dictionary grows by itself

    @property
    def bytes(self) -> int:
        return int(self.at[e.FOUND] * self.at[e.EACH] + self.at[e.MOVES] * self.at[e.PER_MOVE])

    def cut(self) -> None:
        if self.choice.by != "state":
            self.keys = list(self.slots)

    def offsets(self) -> list[int]:
        return [0, *np.cumsum(self.degrees).tolist()]

    def turned(self, stopped: Callable[[], bool]) -> tuple[Any, Any] | None:
        entries = [0] * (len(self.degrees) + 1)
        count(self.children, entries)
        entries = np.cumsum(entries).tolist()
        parents = [0] * len(self.children)
        turn_round(self.degrees, self.children, entries, parents, [self.at[e.ROOT], 0], len(self.degrees))
        return None if stopped() else (entries, parents)

    def finders(self) -> tuple[Callable[[int], Any], Callable[[Any], int]]:
        name, slots = name_of(self.game), self.slots
        return self.states.__getitem__, lambda state: slots[name(state)]


def count(children, entries):
    """Add up how many moves lead to each position."""
    for child in children:
        entries[child] += 1


def turn_round(degrees, children, entries, parents, at, at_once):
    """Sort moves by where they lead. On entry entries[i] is where the parents of i end, on return where they begin.
    `at` holds the next position and its first move; works on some positions at once."""
    move = at[1]
    last = min(at[0] + at_once, len(degrees))
    for i in range(at[0], last):
        for _ in range(degrees[i]):
            child = children[move]
            entries[child] -= 1
            parents[entries[child]] = i
            move += 1
    at[0], at[1] = last, move


_count_compiled, _turn_round_compiled = on_arrays(count), on_arrays(turn_round)
