"""Walks from ply to ply with a random part of the positions, by a kernel that is one source for both modes.

The kernel is given some positions of one ply and looks at all that they lead to. Those that this walk meets for the
first time are counted, and of those where play goes on it keeps as many as there is room for, each with the same
probability (reservoir sampling, Vitter 1985, "Random sampling with a reservoir"). As long as nothing is thrown away the
walk sees every position, as `exploring` does.

Several walks, up to `WALKS`, share one table that says of every position at which ply each of them met it. An entry has
two words: the key, and in byte w of the other one more than the ply of walk w, 0 if it has not met it. Interpreted, the
table is a dictionary. Keys are hashes of the whole state and are believed: two of n positions share one by chance with
a probability of n² / 2^65. Without a
table every path counts as a position of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.diagnosis import check_moves
from zermelo.compile.modes import Compiled, Kernel, Mode, mode_for
from zermelo.compile.watch import Watch
from zermelo.positions.identity import name_of
from zermelo.rules import ONGOING, Game, Position, RuleError
from zermelo.rules.hashing import key_of_fields
from zermelo.sampling.dice import dice

WALKS = 8
LAST_PLY = 253
"""The plies that a table tells apart; what comes later counts as this one."""
(
    MET,  # how many entries the table has
    NEW,  # how many positions of the next ply the walk has met for the first time
    OVER,  # at how many of these play is over, or the game's horizon is reached
    MOVES,  # how many moves there were
    WALK,  # which walk it is, 0 to WALKS - 1
    PLY,  # the ply that is made
    WIDTH,  # how many positions are kept
    MERGING,  # whether positions are looked up, or paths counted
    AT_WORDS,
) = range(9)
DONE, STOPPED, CROWDED = range(3)
"""How the kernel returns: it is finished, or told to stop; the table is too small."""


def _native_meet(game: Game, mode: Mode) -> Kernel:
    """`(ws, table, at)`: whether the walk meets the position at ply 1 for the first time; the table notes it."""
    assert game.State is not None
    hashed = key_of_fields(game.State)
    zero, one, byte, eight = np.uint64(0), np.uint64(1), np.uint64(255), np.uint64(8)

    @mode.inline
    def meet(ws, table, at):
        word = np.uint64(hashed(ws.stack[1])) | one
        mask = np.uint64(len(table) // 2 - 1)
        shift = np.uint64(at[WALK]) * eight
        slot = (word >> eight) & mask
        while table[slot + slot] != zero and table[slot + slot] != word:
            slot = (slot + one) & mask
        plies = table[slot + slot + one]
        if (plies >> shift) & byte != zero:
            return False
        if table[slot + slot] == zero:
            table[slot + slot] = word
            at[MET] += 1
        table[slot + slot + one] = plies | (np.uint64(min(at[PLY], LAST_PLY) + 1) << shift)
        return True

    return meet


def _plain_meet(game: Game, mode: Mode) -> Kernel:
    name: Any = name_of(game) if game.compilable or game.key is not None else id  # for paths any will do

    @mode.inline
    def meet(ws, table, at):
        word, shift = name(ws.stack[1]), 8 * at[WALK]
        plies = table.get(word, 0)
        if (plies >> shift) & 255:
            return False
        table[word] = plies | ((min(at[PLY], LAST_PLY) + 1) << shift)
        at[MET] = len(table)
        return True

    return meet


def _spreader(game: Game, mode: Mode) -> Kernel:
    """`spread(ws, layer, count, following, table, at)`: from the first `count` positions of a layer to the next, which
    is put into `following`."""
    rules, native = mode.rules(game), isinstance(mode, Compiled)
    generate, advance, over, horizon = rules.generate, rules.advance, rules.over, rules.horizon
    below, ends_early = dice(mode).below, game.horizon is not None
    meet = _native_meet(game, mode) if native else _plain_meet(game, mode)

    @mode.inline
    def crowded(table, at, n):
        return native and at[MERGING] != 0 and 8 * (at[MET] + n) > 3 * len(table)

    @mode.kernel
    def spread(ws, layer, count, following, table, at):
        if at[PLY] == 1 and at[MERGING] != 0:  # play may come back to where it began
            ws.stack[1] = layer[0]
            at[PLY] = 0
            meet(ws, table, at)
            at[PLY] = 1
        for i in range(count):
            ws.nodes += 1
            if ws.nodes > ws.node_limit:
                ws.stop = 1
                return STOPPED
            ws.stack[0] = layer[i]
            n = generate(ws, 0)
            if ws.fault != 0:
                return STOPPED
            if crowded(table, at, n):
                return CROWDED
            at[MOVES] += n
            for m in range(n):
                advance(ws, 0, ws.moves[0][m])
                if at[MERGING] != 0 and not meet(ws, table, at):
                    continue
                at[NEW] += 1
                s = ws.stack[1]
                if over(ws, 1) != ONGOING or (ends_early and horizon(s)):
                    at[OVER] += 1
                    continue
                place = at[NEW] - at[OVER] - 1
                if place >= at[WIDTH]:
                    place = below(ws, place + 1)
                if place < at[WIDTH]:
                    following[place] = s
        return DONE

    return spread


@lru_cache(maxsize=64)
def spreader_for(game: Game, mode: str) -> tuple[Mode, Kernel]:
    """The kernel with the mode that it was made in, made ready at most once in a process."""
    way = mode_for(game, mode)
    kernel = _spreader(game, way)
    if not isinstance(way, Compiled):
        return way, way.entry(kernel, game, ())
    import numba

    assert game.State is not None
    states = numba.from_dtype(game.State.dtype)[::1]
    return way, way.entry(kernel, game, (states, int, states, numba.uint64[::1], numba.int64[::1]))


class Layer(NamedTuple):
    """One ply of a walk: how many positions it met for the first time, where play is over in how many of them, and how
    many of the others it goes on with."""

    ply: int
    met: int
    over: int
    kept: int

    @property
    def thinned(self) -> bool:
        return self.met - self.over > self.kept


class Walker:
    """Walks that keep at most `width` positions of a ply. With `slots` they share a table of so many entries, without
    they go along paths. `outcome` is other than DONE once one was stopped, or the table was too small."""

    def __init__(
        self, position: Position, mode: str, watch: Watch, width: int, seed: int, slots: int | None = None
    ) -> None:
        self.position, self.width, self.watch, self.outcome = position, width, watch, DONE
        way, self._spread = spreader_for(position.game, mode)
        self.compiled = isinstance(way, Compiled)
        watch.workspaces[0]["random"] = seed
        words = 2 * (slots or 1)
        self.table: Any = np.zeros(words, np.uint64) if self.compiled else {}
        self.at: Any = np.zeros(AT_WORDS, np.int64) if self.compiled else [0] * AT_WORDS
        self.at[WIDTH], self.at[MERGING] = width, slots is not None

    def layers(self, walk: int = 0) -> Iterator[Layer]:
        """One walk, ply by ply, until nothing new is met; where play can go round, while plies are told apart."""
        at, workspace, game = self.at, self.watch.workspaces[0], self.position.game
        layer, following, state = self._places(), self._places(), self.position.state
        layer[0] = np.frombuffer(state.tobytes(), layer.dtype)[0] if self.compiled else state
        kept, at[WALK] = 1, walk
        goes_round = game.cyclic or game.endless
        for ply in range(1, 1 + (LAST_PLY if goes_round else game.max_plies)):
            at[PLY], at[NEW], at[OVER] = ply, 0, 0
            self.outcome = self._spread(workspace.record, layer, kept, following, self.table, at)
            check_moves(game, [workspace])
            if self.outcome != DONE:
                return
            met, over = int(at[NEW]), int(at[OVER])
            kept = min(met - over, self.width)
            yield Layer(ply, met, over, kept)
            if kept == 0:
                return
            layer, following = following, layer
        if not goes_round:
            raise RuleError(
                f"{game.name}: a game went on beyond the declared max_plies = {game.max_plies}; raise max_plies, or "
                "set repetition if play can go round in circles"
            )

    def _places(self) -> Any:
        State = self.position.game.State
        return np.zeros(self.width, State.dtype) if self.compiled and State is not None else [None] * self.width
