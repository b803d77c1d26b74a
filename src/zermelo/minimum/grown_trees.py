"""The smallest proof trees of trees that are grown, not stored, and whose true values are known without a search.

Furtak and Buro 2009, "Minimum proof graphs and fastest-cut-first search heuristics", figure 2. By theorem 3.3 a
position of a smallest proof tree is looked at in one of three ways: on the principal variation its value is
established; off it, it is proved to be at least, or at most, the root's value. For such a bound one side needs one good
move wherever it is to move, the cheapest, and all answers of the other side.

A tree of depth d and branching b has about b^(d/2) positions in its proof but many more candidates for it. These are
tried in the order of their number of answers, and a candidate is given up when it cannot become the cheapest: each
answer takes at least the proof that the fewest moves allow. Where the plies to the leaves are known, the last two cost
only counting.
"""

from __future__ import annotations

import math
import time
from functools import lru_cache
from typing import NamedTuple

from zermelo.compile.modes import Kernel, Mode, mode_for
from zermelo.compile.workspace import MOVES, PLIES
from zermelo.minimum.membership import Goal
from zermelo.rules import ONGOING, Game, Position, Unsuitable, i64, rule, wrapping
from zermelo.rules.language import Rule

_NO_LIMIT = 1 << 62


class Truth(NamedTuple):
    """What is known of a game's trees: the rule `score(s)`, the first player's true value of a position; if all leaves
    lie equally deep, the rule `left(s)`, how many plies away they are; and the fewest moves that any position has."""

    score: Rule
    left: Rule | None = None
    fewest: int = 1


@wrapping
def minimax_tree_size(position: Position, truth: Truth, mode: str | None = None) -> int:
    """How many positions the smallest tree has that proves the position's value."""
    return _call(position, truth, mode, float(truth.score(position.state)), 0)


@wrapping
def target_tree_size(
    position: Position,
    truth: Truth,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    mode: str | None = None,
) -> int:
    """How many positions the smallest tree has that proves the first player's score to be at least, or at most, so
    much."""
    value = truth.score(position.state)
    if (at_least is None) == (at_most is None):
        raise Unsuitable("a target proof needs a score to be at least or at most, one of them")
    if (at_least is not None and value < at_least) or (at_most is not None and value > at_most):
        claim = f"at least {at_least:g}" if at_least is not None else f"at most {at_most:g}"
        raise Unsuitable(f"the score is {value:g}: there is no proof that it is {claim}")
    if at_least is not None:
        return _call(position, truth, mode, float(at_least), 1)
    assert at_most is not None
    return _call(position, truth, mode, float(at_most), -1)


class Grown(NamedTuple):
    """The size of the smallest proof tree of what is true of a game that knows its values; never only a bound."""

    goal: Goal
    value: float
    size: int
    seconds: float
    stopped: str | None = None
    proven: bool = True

    @property
    def lower(self) -> int:
        return self.size


def minimum_of_grown(position: Position, target: float | None, mode: str | None = None) -> Grown:
    """For a game with the hook `truth`: what is true of a target, or the value without one, and its smallest proof."""
    assert position.game.truth is not None
    begun = time.perf_counter()
    truth = Truth(position.game.truth)
    value = float(truth.score(position.state))
    goal = Goal(target, target is None or value >= target)
    if target is None:
        size = minimax_tree_size(position, truth, mode)
    elif goal.at_least:
        size = target_tree_size(position, truth, at_least=target, mode=mode)
    else:
        below = math.ceil(target) - 1 if position.game.integral else math.nextafter(target, -math.inf)
        size = target_tree_size(position, truth, at_most=below, mode=mode)
    return Grown(goal, value, size, time.perf_counter() - begun)


def _call(position: Position, truth: Truth, mode: str | None, bound: float, kind: int) -> int:
    way, kernel = _entry(position.game, truth, mode_for(position.game, mode).name)
    workspace = way.workspace(position.game)
    workspace.place([position.state])
    size = kernel(workspace.record, 0, bound, kind, _NO_LIMIT)
    return int(size)


@lru_cache(maxsize=16)
def _entry(game: Game, truth: Truth, mode: str) -> tuple[Mode, Kernel]:
    way = mode_for(game, mode)
    return way, way.entry(measuring(game, way, truth), game, (int, float, int, int))


def measuring(game: Game, mode: Mode, truth: Truth) -> Kernel:
    """The kernel `(ws, ply, bound, kind, no_limit) -> size`. `kind`: 1 to prove at least the bound, -1 at most the
    bound, 0 that it is the value."""
    rules = mode.rules(game)
    generate, advance, over, turn = rules.generate, rules.advance, rules.over, rules.turn
    score, left = truth.score, truth.left or _unknown
    signed, counted, fewest = mode.signed, truth.left is not None, truth.fewest
    mode.needs(scores=(i64, PLIES, MOVES))  # how many answers a move leaves

    @mode.inline
    def least(height):
        """The fewest positions that prove a bound where the side that must hold it is to move."""
        size = 1
        for below in range(1, height + 1 if counted else 1):
            size = 1 + (size if below % 2 == height % 2 else fewest * size)
        return size

    @mode.inline
    def chooses(ws, ply, kind):
        """Whether one good move is enough here."""
        return (turn(ws.stack[ply]) == 0) == (kind > 0)

    @mode.inline
    def holds(ws, ply, bound, kind):
        return score(ws.stack[ply]) >= bound if kind > 0 else score(ws.stack[ply]) <= bound

    @mode.inline
    def ended(ws, ply, height):
        return height == 0 if counted else over(ws, ply) != ONGOING

    @mode.kernel
    def prove(ws, ply, height, bound, kind, limit):
        """The size of the smallest proof of a bound, or anything from the limit on if it is not below that."""
        if ended(ws, ply, height):
            return 1
        if chooses(ws, ply, kind):
            if height == 1:
                return 2
            n = generate(ws, ply)
            for i in range(n):  # how many answers each move leaves; none that fails to hold the bound
                advance(ws, ply, ws.moves[ply][i])
                ws.scores[ply][i] = -1
                if holds(ws, ply + 1, bound, kind):
                    finished = ended(ws, ply + 1, height - 1)
                    ws.scores[ply][i] = 0 if finished else generate(ws, ply + 1)
            best, each = limit - 1, least(height - 2)
            while True:
                at = -1
                for i in range(n):
                    if ws.scores[ply][i] >= 0 and (at < 0 or ws.scores[ply][i] < ws.scores[ply][at]):
                        at = i
                if at < 0 or 1 + ws.scores[ply][at] * each >= best:
                    return 1 + best
                if height == 2:
                    return 2 + ws.scores[ply][at]
                ws.scores[ply][at] = -1
                advance(ws, ply, ws.moves[ply][at])
                best = min(best, prove(ws, ply + 1, height - 1, bound, kind, best))
        n = generate(ws, ply)
        if height == 1:
            return 1 + n
        if height == 2:
            return 1 + 2 * n
        each = least(height - 1)
        size = 1 + n * each
        for i in range(n):
            if size >= limit:
                break
            advance(ws, ply, ws.moves[ply][i])
            size += prove(ws, ply + 1, height - 1, bound, kind, limit - size + each) - each
        return size

    @mode.kernel
    def establish(ws, ply, height, value, no_limit):
        """The size of the smallest proof of the value."""
        if ended(ws, ply, height):
            return 1
        n = generate(ws, ply)
        if height == 1:
            return 1 + n
        kind = -1 if turn(ws.stack[ply]) == 0 else 1
        size, extra = 1, no_limit
        for i in range(n):
            advance(ws, ply, ws.moves[ply][i])
            bounded = prove(ws, ply + 1, height - 1, value, kind, no_limit)
            size += bounded
            if score(ws.stack[ply + 1]) == value:
                extra = min(extra, establish(ws, ply + 1, height - 1, value, no_limit) - bounded)
        return size + extra

    @mode.kernel
    def measure(ws, ply, bound, kind, no_limit):
        height = signed(left(ws.stack[ply]))
        if kind == 0:
            return establish(ws, ply, height, bound, no_limit)
        return prove(ws, ply, height, bound, kind, no_limit)

    return measure


@rule
def _unknown(s):
    return 1 << 20
