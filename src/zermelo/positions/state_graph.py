"""All positions that can be reached, as a graph: what the exact solver works on.

Positions are numbered in the order in which a breadth-first search meets them, the root being 0. Two positions are the
same if their keys are: the game's symmetry hook where it has one, else its key; a false match among n positions has
a probability of about n² / 2^65. Compiled, a position takes its state, 8 bytes of key, about 30 bytes of bookkeeping
and 12 bytes for each of its moves. Arrays grow as they are needed, until memory or a limit ends the exploration.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from zermelo.chance.outcomes import BAD_WEIGHT
from zermelo.compile.arrays import on_arrays
from zermelo.compile.diagnosis import check_moves
from zermelo.compile.modes import Compiled, Kernel, hooks_of, mode_for
from zermelo.compile.watch import Watch
from zermelo.rules import CHANCE, ONGOING, Game, Position, RuleError, Unsuitable

OVER = 3
"""The turn of a position where the game is over."""
FIRST_ROOM = 1 << 12
_SPREAD, _HIGH = np.uint64(0x9E3779B97F4A7C15), np.uint64(20)


@dataclass(frozen=True)
class StateGraph:
    """Positions and moves. The moves of position n are those from `offsets[n]` up to `offsets[n + 1]`, in the order in
    which the rules list them; at chance positions they carry weights."""

    turns: Any
    scores: Any  # of the first player, where the game is over
    offsets: Any
    children: Any
    weights: Any
    keys: Any = None  # by which positions were told apart

    def ended(self, numbers: Any, score: float) -> StateGraph:
        """The graph in which play is over at these positions, with this score."""
        over = np.zeros(len(self), np.bool_)
        over[numbers] = True
        counts = np.diff(self.offsets)
        kept = np.repeat(~over, counts)
        offsets = np.concatenate([[0], np.cumsum(np.where(over, 0, counts))])
        turns, scores = np.where(over, OVER, self.turns).astype(np.int8), np.where(over, score, self.scores)
        return StateGraph(turns, scores, offsets, self.children[kept], self.weights[kept], self.keys)

    def __len__(self) -> int:
        return len(self.turns)


def explore(position: Position, watch: Watch, mode: str | None) -> StateGraph | None:
    """Everything that can be reached from a position; None if a limit was met first."""
    chosen = mode_for(position.game, mode)
    if isinstance(chosen, Compiled):
        return _explore_compiled(position, watch)
    return _explore_plainly(position, watch)


def make_ready(game: Game, mode: str | None) -> None:
    """Compile what exploring a game takes, before any clock runs."""
    if isinstance(mode_for(game, mode), Compiled):
        _explorer(game)


class _Arrays:
    """What the compiled exploration fills, and how it grows."""

    def __init__(self, game: Game) -> None:
        assert game.State is not None
        self.states = np.zeros(FIRST_ROOM, game.State.dtype)
        self.keys = np.zeros(FIRST_ROOM, np.uint64)
        self.turns = np.zeros(FIRST_ROOM, np.int8)
        self.scores = np.zeros(FIRST_ROOM, np.float64)
        self.offsets = np.zeros(FIRST_ROOM + 1, np.int64)
        self.slots = np.zeros(2 * FIRST_ROOM, np.int32)  # an open hash table of numbers plus one
        self.children = np.zeros(4 * FIRST_ROOM, np.int32)
        self.weights = np.zeros(4 * FIRST_ROOM, np.int64)
        self.counts = np.zeros(3, np.int64)  # positions looked at, positions known, moves

    def everything(self) -> tuple[Any, ...]:
        return (
            self.states, self.keys, self.turns, self.scores, self.offsets, self.slots, self.children, self.weights,
            self.counts,
        )  # fmt: skip

    def grow(self, most: int) -> None:
        """Twice the room where less than `most` more fit."""
        if self.counts[1] + most > len(self.keys):
            size = 2 * len(self.keys) + most
            if size >= 2**31:
                raise Unsuitable("the game has more than 2^31 positions: it is too large to be solved exactly")
            for name in ("states", "keys", "turns", "scores"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate([old, np.zeros(size - len(old), old.dtype)]))
            self.offsets = np.concatenate([self.offsets, np.zeros(size + 1 - len(self.offsets), np.int64)])
            self.slots = np.zeros(1 << (2 * size - 1).bit_length(), np.int32)
            _enter_all(self.slots, self.keys, int(self.counts[1]))
        if self.counts[2] + most > len(self.children):
            for name in ("children", "weights"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate([old, np.zeros(len(old) + most, old.dtype)]))


def _explore_compiled(position: Position, watch: Watch) -> StateGraph | None:
    game = position.game
    kernel = _explorer(game)
    workspace = watch.workspaces[0]
    arrays = _Arrays(game)
    data = position.state.tobytes()
    arrays.states[0] = np.frombuffer(data, dtype=type(position.state).dtype)[0]
    key: Any = identity(game)
    arrays.keys[0] = int(key(position.state))
    arrays.counts[1] = 1
    _enter_all(arrays.slots, arrays.keys, 1)
    while arrays.counts[0] < arrays.counts[1]:
        arrays.grow(game.max_moves)
        kernel(workspace.record, *arrays.everything())
        check_moves(game, [workspace])
        if watch.stopped or workspace["stop"] != 0:
            return None
    known, moves = int(arrays.counts[1]), int(arrays.counts[2])
    arrays.offsets[known] = moves
    return StateGraph(
        arrays.turns[:known], arrays.scores[:known], arrays.offsets[: known + 1], arrays.children[:moves],
        arrays.weights[:moves], arrays.keys[:known],
    )  # fmt: skip


def identity(game: Game) -> Kernel:
    """What tells positions apart: where they must not come back, mirror images do not count as one."""
    key = hooks_of(game)["key" if game.cyclic else "symmetry"]
    if key is None:
        raise Unsuitable(f"{game.name}: its positions have no key, so they cannot be told apart")
    return key


@lru_cache(maxsize=16)
def _explorer(game: Game) -> Kernel:
    import numba

    mode = Compiled()
    rules = mode.rules(game)
    generate, advance, result, turn, weight = rules.generate, rules.advance, rules.result, rules.turn, rules.weight
    name: Any = rules.key if game.cyclic else rules.symmetry
    most = game.max_moves

    @mode.kernel
    def explore(ws, states, keys, turns, scores, offsets, slots, children, weights, counts):
        """Look at one position after another until there is no more, or no more room."""
        done, known, edges = counts[0], counts[1], counts[2]
        mask = np.uint64(len(slots) - 1)
        one = np.uint64(1)
        while done < known and known + most <= len(keys) and edges + most <= len(children):
            ws.nodes += 1
            if ws.nodes > ws.node_limit:
                ws.stop = 1
                break
            ws.stack[0] = states[done]
            offsets[done] = edges
            score = result(ws.stack[0])
            if score != ONGOING:
                ws.leaves += 1
                turns[done], scores[done] = OVER, score
                done += 1
                continue
            side = turn(ws.stack[0])
            turns[done] = side
            n = generate(ws, 0)
            for i in range(n):
                move = ws.moves[0][i]
                advance(ws, 0, move)
                this = np.uint64(name(ws.stack[1]))
                at = ((this * _SPREAD) >> _HIGH) & mask
                while slots[at] != 0 and keys[slots[at] - 1] != this:
                    at = (at + one) & mask
                if slots[at] == 0:
                    keys[known] = this
                    states[known] = ws.stack[1]
                    known += 1
                    slots[at] = known
                children[edges] = slots[at] - 1
                if side == CHANCE:
                    weights[edges] = weight(ws.stack[0], move)
                    if weights[edges] <= 0:
                        ws.fault, ws.stop = BAD_WEIGHT, 1
                edges += 1
            done += 1
            if ws.stop != 0:
                break
        counts[0], counts[1], counts[2] = done, known, edges

    arrays = [numba.typeof(array) for array in _Arrays(game).everything()]
    return mode.entry(explore, game, arrays)


@on_arrays
def _enter_all(slots, keys, known):
    """Enter the numbers of all known positions into the hash table."""
    mask, one = np.uint64(len(slots) - 1), np.uint64(1)
    for number in range(known):
        at = ((keys[number] * _SPREAD) >> _HIGH) & mask
        while slots[at] != 0:
            at = (at + one) & mask
        slots[at] = number + 1


def _explore_plainly(position: Position, watch: Watch) -> StateGraph | None:
    """The same by the rules as they are, for games made of objects and for small graphs."""
    game, workspace = position.game, watch.workspaces[0]
    key = identity(game)
    waiting = [Position(game, position.state)]
    numbers = {int(key(position.state)): 0}
    turns: list[int] = []
    scores: list[float] = []
    offsets, children, weights = [0], [], []
    for here in waiting:
        workspace["nodes"] += 1
        if watch.stopped or workspace["nodes"] > workspace["node_limit"]:
            return None
        score = game.result(here.state)
        if score != ONGOING:
            turns.append(OVER)
            scores.append(float(score))
        elif game.horizon is not None and game.horizon(here.state):
            raise Unsuitable(
                f"{game.name}: in {here.text()!r} there is an estimate and nothing behind it, so that no exact value "
                "can be had; star1 searches up to there"
            )
        else:
            turns.append(here.turn)
            scores.append(0.0)
            codes = here.codes
            if not codes:
                raise RuleError(f"{game.name}: a position has no move although its result is ONGOING")
            for move in codes:
                after = here.play(move)
                this = int(key(after.state))
                if this not in numbers:
                    numbers[this] = len(numbers)
                    waiting.append(Position(game, after.state))
                children.append(numbers[this])
                weight = int(game.weight(here.state, move)) if here.turn == CHANCE and game.weight else 0
                if here.turn == CHANCE and weight <= 0:
                    raise RuleError(f"{game.name}: rule weight gives {weight} for an outcome; weights are positive")
                weights.append(weight)
        offsets.append(len(children))
    return StateGraph(
        np.array(turns, np.int8), np.array(scores), np.array(offsets, np.int64), np.array(children, np.int32),
        np.array(weights, np.int64), np.array(list(numbers), np.uint64),
    )  # fmt: skip
