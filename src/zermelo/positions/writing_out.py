"""Every position that play can reach, each once, with the positions that its moves lead to.

Unlike `reachable`, which turns moves round and tells positions apart by their whole state only, this keeps moves as
they are and can take positions for one that the game's `symmetry` says are equivalent. It is for games small enough to
have every position named. A position that is over is one with another only if the scores are the same, for hooks need
not heed what the rules say there. Compiled, states lie in native memory with a hash set of their numbers; interpreted,
in a Python dictionary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from zermelo.compile.diagnosis import blaming, check_moves, no_move
from zermelo.compile.modes import Compiled, Kernel, mode_for
from zermelo.positions.reachable import sameness, steps_of
from zermelo.rules import ONGOING, Game, Position, Unsuitable
from zermelo.rules.hashing import key_of_fields

FIRST_ROOM = 1 << 12
FEW = 3000
CHUNK = 1 << 16
"""How many positions a kernel expands before it returns, so that Ctrl-C is heard."""
_DONE, _PAUSE, _MORE_ROOM = range(3)
_NOT_OVER = float(ONGOING)


@dataclass(frozen=True)
class WrittenOut:
    """Positions in the order in which they were found, the root first. children: one for each move, in their order.
    parents: the position from which each was found first."""

    turns: Sequence[int]
    children: Sequence[list[int]]
    scores: Sequence[float]
    parents: Sequence[int]
    estimated: int
    state: Callable[[int], Any]


def written_out(
    position: Position, symmetric: bool, most: int, mode: str | None, say: Callable[[int], None] | None
) -> WrittenOut:
    """All positions from this one on, at most so many. Few are soonest found by the interpreter, for to compile takes
    seconds; unless a mode is named."""
    if mode_for(position.game, mode).name == "compiled":
        if mode is None:
            try:
                return _plain(position, symmetric, min(most, FEW), say)
            except TooMany:
                pass
        return _compiled(position, symmetric, most, say)
    with blaming(position.game):
        return _plain(position, symmetric, most, say)


class TooMany(Unsuitable):
    """More positions than were allowed."""


def _too_many(game: Game, most: int) -> TooMany:
    return TooMany(
        f"{game.name} has more than {most:,} positions from here on, too many to write out; take a smaller board or a "
        "later position"
    )


# Interpreted


def _plain(position: Position, symmetric: bool, most: int, say: Callable[[int], None] | None) -> WrittenOut:
    game = position.game
    step = steps_of(game)
    name: Any = game.symmetry if symmetric else step.name
    states: list[Any] = []
    numbers: dict[Any, int] = {}
    turns: list[int] = []
    scores: list[float] = []
    parents: list[int] = []
    children: list[list[int]] = []
    estimated = 0

    def number_of(state: Any, parent: int) -> int:
        score = game.result(state)
        number = numbers.setdefault((score, name(state)), len(states))
        if number == len(states):
            states.append(state)
            scores.append(score)
            parents.append(parent)
        return number

    number_of(position.state, 0)
    here = 0
    while here < len(states):
        if len(states) > most:
            raise _too_many(game, most)
        if say is not None and here % 1000 == 0:
            say(len(states))
        state, below = states[here], []
        if scores[here] == ONGOING:
            scores[here] = 0
            if game.horizon is not None and game.horizon(state):
                scores[here] = game.evaluate(state)  # type: ignore[misc]
                estimated += 1
            else:
                below = [number_of(child, here) for child in step.children(state)]
                if not below:
                    raise no_move(game)
        turns.append(int(game.turn(state)))  # type: ignore[misc]
        scores[here] = int(scores[here]) if float(scores[here]).is_integer() else float(scores[here])
        children.append(below)
        here += 1
    return WrittenOut(turns, children, scores, parents, estimated, states.__getitem__)


# Compiled


def _compiled(position: Position, symmetric: bool, most: int, say: Callable[[int], None] | None) -> WrittenOut:
    game = position.game
    assert game.State is not None
    kernel = _kernel(game, symmetric)
    workspace = Compiled().workspace(game)
    workspace.reset()
    room = FIRST_ROOM + 2 * game.max_moves
    states = np.zeros(room, game.State.dtype)
    states[0] = np.frombuffer(position.state.tobytes(), game.State.dtype)[0]
    keys, results, turns = np.zeros(room, np.uint64), np.zeros(room), np.zeros(room, np.uint8)
    parents, degrees = np.zeros(room, np.int64), np.zeros(room, np.int64)
    edges = np.zeros(8 * room, np.int64)
    table = np.zeros(4 * FIRST_ROOM, np.int64)
    at = np.array([0, 0, 0, 0, 1], np.int64)
    while True:
        outcome = kernel(workspace.record, states, keys, results, turns, parents, degrees, edges, table, at, CHUNK)
        check_moves(game, [workspace])
        found = int(at[0])
        if say is not None:
            say(found)
        if found > most:
            raise _too_many(game, most)
        if outcome == _DONE:
            break
        if outcome == _MORE_ROOM:
            if 4 * (found + game.max_moves) > 3 * len(table) or len(table) < 2 * len(states):
                table, at[4] = np.zeros(2 * len(table), np.int64), 1
            if found + game.max_moves > len(states):
                states, keys, results, turns, parents, degrees = (
                    np.concatenate([array, np.zeros(len(array), array.dtype)])
                    for array in (states, keys, results, turns, parents, degrees)
                )
            if at[2] + game.max_moves > len(edges):
                edges = np.concatenate([edges, np.zeros(len(edges) + game.max_moves, np.int64)])
    ends = np.cumsum(degrees[:found]).tolist()
    flat = edges[: int(at[2])].tolist()
    scores = np.where(degrees[:found] > 0, 0.0, results[:found])
    for node in np.flatnonzero(scores == _NOT_OVER).tolist():  # the horizon
        scores[node] = game.evaluate(game.State.frombytes(states[node].tobytes()))  # type: ignore[misc]
    whole = bool(np.all(scores == np.floor(scores)))
    return WrittenOut(
        turns=turns[:found].tolist(),
        children=[flat[begin:end] for begin, end in zip([0, *ends], ends)],
        scores=scores.astype(np.int64).tolist() if whole else scores.tolist(),
        parents=parents[:found].tolist(),
        estimated=int(at[3]),
        state=lambda node: game.State.frombytes(states[node].tobytes()),  # type: ignore[union-attr]
    )


@lru_cache(maxsize=64)
def _kernel(game: Game, symmetric: bool) -> Kernel:
    """The kernel, compiled at most once in a process and kept on disk like every other."""
    import numba

    assert game.State is not None
    whole, real = numba.int64[::1], numba.float64[::1]
    states = numba.from_dtype(game.State.dtype)[::1]
    arrays = (states, numba.uint64[::1], real, numba.uint8[::1], whole, whole, whole, whole, whole)
    mode = Compiled()
    return mode.entry(_writer(game, mode, symmetric), game, (*arrays, int))


def _writer(game: Game, mode: Compiled, symmetric: bool) -> Any:
    """`at` holds how many positions are found and expanded, how many moves and estimates there are, and whether the
    hash set must be filled anew. A position is expanded wholly or not at all."""
    from zermelo.compile.native import native

    assert game.State is not None
    rules = mode.rules(game)
    generate, advance, result, turn = rules.generate, rules.advance, rules.result, rules.turn
    horizon, symmetry = rules.horizon, rules.symmetry
    hashed, same = native(key_of_fields(game.State)), native(sameness(game.State))
    most = game.max_moves

    @mode.inline
    def name(s):
        return np.uint64(symmetry(s)) if symmetric else np.uint64(hashed(s))

    @mode.inline
    def spread(key):  # a key may be the board itself, whose low bits say little
        mixed = key * np.uint64(0x9E3779B97F4A7C15)
        return mixed ^ (mixed >> np.uint64(32))

    @mode.kernel
    def write(ws, states, keys, results, turns, parents, degrees, edges, table, at, chunk):
        mask, one = np.uint64(len(table) - 1), np.uint64(1)
        found, here, moves = at[0], at[1], at[2]
        if found == 0:
            keys[0], results[0] = name(states[0]), float(result(states[0]))
            found = 1
        if at[4] != 0:
            at[4] = 0
            for i in range(found):
                slot = spread(keys[i]) & mask
                while table[slot] != 0:
                    slot = (slot + one) & mask
                table[slot] = i + 1
        outcome, last = _DONE, here + chunk
        while here < found:
            if here == last:
                outcome = _PAUSE
                break
            if found + most > len(states) or moves + most > len(edges) or 4 * (found + most) > 3 * len(table):
                outcome = _MORE_ROOM
                break
            ws.stack[0] = states[here]
            s = ws.stack[0]
            turns[here] = turn(s)
            n = 0
            if results[here] == _NOT_OVER:
                if horizon(s):
                    at[3] += 1
                else:
                    n = generate(ws, 0)
            degrees[here] = n
            for i in range(n):
                advance(ws, 0, ws.moves[0][i])
                child = ws.stack[1]
                key, score = name(child), float(result(child))
                slot = spread(key) & mask
                while table[slot] != 0:
                    other = table[slot] - 1
                    alike = keys[other] == key and results[other] == score
                    if alike and (symmetric or same(states[other], child)):
                        break
                    slot = (slot + one) & mask
                if table[slot] == 0:
                    states[found], keys[found], results[found], parents[found] = child, key, score, here
                    found += 1
                    table[slot] = found
                edges[moves] = table[slot] - 1
                moves += 1
            here += 1
        at[0], at[1], at[2] = found, here, moves
        return outcome

    return write
