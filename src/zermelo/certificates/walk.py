"""Python's side of a walk: the lists that it works on, where it begins, and what was found when it ends."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from zermelo.certificates import walk_kernel as w
from zermelo.compile.diagnosis import check_moves
from zermelo.compile.modes import Kernel, Mode, Workspace
from zermelo.rules import Game, Position

FIRST_ROOM = 1 << 12


class Walk:
    """A walk from a position. `run` goes on with it and returns how it ended; lists grow as they must."""

    def __init__(
        self,
        position: Position,
        mode: Mode,
        kernel: Kernel,
        workspace: Workspace,
        *,
        claimant: int,
        loops_hold: int = w.YES,
        keep: bool = False,
        base: int = 0,
    ) -> None:
        game = self.game = position.game
        self.position, self.kernel, self.workspace = position, kernel, workspace
        self.compiled = mode.name == "compiled"
        self.keep = keep
        self.states: Any
        self.slots: Any
        self.notes: Any
        self.edges: Any
        self.frames: Any
        self.starts: Any
        self.stream: Any
        self.at: Any
        if self.compiled:
            assert game.State is not None
            room = max(FIRST_ROOM, 2 * game.max_moves + 2)
            self.states = np.zeros(room, game.State.dtype)
            self.slots = np.zeros(_slots_for(room), np.uint64)
            self.notes, self.edges, self.frames, self.starts, self.stream, self.at = (
                np.zeros(n, np.int64)
                for n in (room, room, room * w.FRAME, w.START * room if keep else 1, 0, w.AT_WORDS)
            )
        else:
            self.states, self.slots = [], {}
            self.notes, self.edges, self.frames, self.starts, self.stream = (_Growing() for _ in range(5))
            self.at = [0] * w.AT_WORDS
        at = self.at
        at[w.CLAIMANT], at[w.LOOPS_HOLD], at[w.KEEP] = claimant, loops_hold, int(keep)
        for state in loop_ends(position):
            self.notes[self._add(state)] = w.LOOP
        at[w.BASE] = base
        self.root = self._add(position.state)
        self.edges[0] = self.root
        for i, number in enumerate((-1, 0, 1, 0, 0)):  # the way to the root
            self.frames[i] = number
        at[w.DEPTH] = at[w.TOP] = 1
        if base:
            workspace.place(position.path())

    def _add(self, state: Any) -> int:
        if self.at[w.COUNT] + self.game.max_moves + 1 >= len(self.notes) and self.compiled:
            self._grow()
        base, self.at[w.BASE] = self.at[w.BASE], 0
        self.workspace.place([state])
        self.at[w.ADD] = 1
        self._call(0.0)
        self.at[w.BASE] = base
        return int(self.at[w.HERE])

    def _call(self, target: float) -> int:
        lists = self.states, self.slots, self.notes, self.frames, self.edges, self.starts, self.stream, self.at
        outcome = self.kernel(self.workspace.record, *lists, target)
        check_moves(self.game, [self.workspace])
        return int(outcome)

    def run(self, target: float = 0.0) -> int:
        """On until the walk is finished, or cannot go on without whoever called."""
        while True:
            outcome = self._call(target)
            if outcome != w.MORE_ROOM:
                return outcome
            self._grow()

    def _grow(self) -> None:
        """Twice the room for what is more than half full, so that no list is copied too often."""
        at, moves = self.at, self.game.max_moves
        if 2 * (at[w.COUNT] + moves) >= len(self.notes):
            room = 2 * len(self.notes)
            self.states, self.notes = _longer(self.states, room), _longer(self.notes, room)
            if self.keep:
                self.starts = _longer(self.starts, w.START * room)
            self.slots = np.zeros(_slots_for(room), np.uint64)
            at[w.REFILL] = 1
        if 2 * (at[w.TOP] + moves) >= len(self.edges):
            self.edges = _longer(self.edges, 2 * len(self.edges) + moves)
        if 2 * (at[w.DEPTH] + 1) * w.FRAME >= len(self.frames):
            self.frames = _longer(self.frames, 2 * len(self.frames))

    def widen(self, numbers: Any) -> None:
        """Go back to some positions once the walk is finished, and take all moves there that hold."""
        at, count = self.at, len(numbers)
        if self.compiled and at[w.TOP] + count > len(self.edges):
            self.edges = _longer(self.edges, 2 * (len(self.edges) + count))
        self.frames[1], self.frames[2] = at[w.TOP], at[w.TOP] + count
        for number in numbers:
            self.notes[number] = w.WIDE
            self.edges[int(at[w.TOP])] = number
            at[w.TOP] += 1

    def offer(self, length: int) -> None:
        """Room for this many of the claimant's moves, to be written by the walk."""
        self.stream = np.zeros(length, np.int64) if self.compiled else [0] * length
        self.at[w.READ], self.at[w.LENGTH] = 0, length

    def written(self) -> Any:
        """The claimant's moves since room was offered."""
        return np.array(self.stream[: int(self.at[w.READ])], np.int64)

    def feed(self, moves: Any) -> None:
        """The next part of the claimant's moves, given as an array."""
        self.stream = moves.astype(np.int64) if self.compiled else moves.tolist()
        self.at[w.READ], self.at[w.LENGTH] = 0, len(moves)

    @property
    def entered(self) -> int:
        return int(self.at[w.ENTERED])

    @property
    def ours(self) -> int:
        return int(self.at[w.OURS])

    @property
    def longest(self) -> int:
        """The length of the longest line from the root, once the walk is finished."""
        return int(self.notes[self.root]) >> 2

    def state(self, number: int) -> Any:
        if not self.compiled:
            return self.states[number]
        assert self.game.State is not None
        return self.game.State.frombytes(self.states[number].tobytes())

    def trail(self) -> Position:
        """The position at which the walk stopped, with the path that led there."""
        position = self.position
        depth, here = int(self.at[w.DEPTH]), int(self.at[w.HERE])
        entered = int(self.frames[(depth - 1) * w.FRAME]) == here
        for frame in range(1, depth - 1 if entered else depth):
            beyond = 1 if frame < depth - 1 else 0  # where the walk has gone down, the next edge is the one after
            edge = int(self.edges[int(self.frames[frame * w.FRAME + 1]) - beyond])
            position = position.play(position.codes[edge >> w.INDEX_BITS])
        return position


def loop_ends(position: Position) -> list[Any]:
    """The states of the history that end the game by repetition when they are reached once more."""
    game: Game = position.game
    if not game.cyclic:
        return []
    name = w.identity(game)
    before = position.path()[:-1]
    times = Counter(map(name, before))
    kept = {name(state): state for state in before if times[name(state)] + 1 >= game.folds}
    kept.pop(name(position.state), None)  # it is open from the beginning
    return list(kept.values())


def _slots_for(room: int) -> int:
    return 1 << (2 * room - 1).bit_length()


def _longer(array: Any, length: int) -> Any:
    longer = np.zeros(length, array.dtype)
    longer[: len(array)] = array
    return longer


class _Growing(list[int]):
    """A list that may be written one place behind its end."""

    def __setitem__(self, index: Any, value: Any) -> None:
        if index == len(self):
            self.append(value)
        else:
            super().__setitem__(index, value)
