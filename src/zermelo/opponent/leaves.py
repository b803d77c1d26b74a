"""What a search sees at its end, feature by feature: the evaluations of the leaf that minimax leads to.

An evaluation that is a weighted sum of others makes the value of a move such a sum too: of what each says at the leaf
to which best play leads. So when weights are fitted, the leaves of the present weights take the place of the
search, until other weights lead to other leaves (as in comparison training, Tesauro 2001). At a chance node it is the
mean of the leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from zermelo.chance.outcomes import outcomes
from zermelo.compile.modes import Kernel, Mode, mode_for
from zermelo.compile.workspace import MOVES, PLIES
from zermelo.core.engine import Engine
from zermelo.core.evaluation import evaluator
from zermelo.core.method import Method, Options, fit
from zermelo.opponent.eyes import eyes
from zermelo.opponent.models import rule_of
from zermelo.rules import CHANCE, Game, Position, f64

Vectors = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def leaves(mode: Mode, game: Game, features: Sequence[str]) -> Kernel:
    """`(ws, ply, depth, …)`: what each evaluation says at the leaf behind every move, and last the score if the game is
    over there, into ws.behind; by minimax with the weights ws.mix. All in the first player's view."""
    parts = eyes(game, mode, fit(Options(table=False, order=()), game), rule_of(game, features[0]), 0)
    visit, advance, mover = parts.nodes.visit, parts.nodes.advance, parts.nodes.mover
    generate, has_chance = parts.nodes.rules.generate, game.has_chance
    count = len(features) + 1
    score = count - 1
    write = _writing(mode, [evaluator(mode, rule_of(game, name)) for name in features])
    mode.needs(mix=(f64, count), leaf=(f64, PLIES, count), behind=(f64, MOVES, count))

    @mode.inline
    def worth(ws, ply):
        total = 0.0
        for k in range(count):
            total += ws.mix[k] * ws.leaf[ply][k]
        return total

    @mode.inline
    def take_over(ws, ply):
        for k in range(count):
            ws.leaf[ply][k] = ws.leaf[ply + 1][k]

    @mode.kernel
    def look(ws, ply, depth, alpha, beta):
        before = ws.horizon
        done, value, _ = visit(ws, ply, depth)
        who = mover(ws, ply)
        if done:
            for k in range(count):
                ws.leaf[ply][k] = 0.0
            if ws.horizon > before:
                write(ws, ply)
            else:
                ws.leaf[ply][score] = -value if who == 1 else value
            return worth(ws, ply)
        if has_chance and who == CHANCE:
            chances(ws, ply, depth)
            return worth(ws, ply)
        best = 0.0
        for i in range(generate(ws, ply)):
            advance(ws, ply, ws.moves[ply][i])
            value = look(ws, ply + 1, depth - 1, alpha, beta)
            if i == 0 or (value < best if who == 1 else value > best):
                best = value
                take_over(ws, ply)
            if who == 1:
                beta = min(beta, best)
            else:
                alpha = max(alpha, best)
            if alpha >= beta or ws.stop != 0:
                break
        return best

    if has_chance:
        toss, share, _ = outcomes(mode, parts)
        mode.needs(sums=(f64, PLIES, count))

        @mode.kernel
        def chances(ws, ply, depth):
            n, whole = toss(ws, ply, depth, -np.inf, np.inf, -1)
            for k in range(count):
                ws.sums[ply][k] = 0.0
            for i in range(n):
                advance(ws, ply, ws.moves[ply][i])
                look(ws, ply + 1, depth, -np.inf, np.inf)
                for k in range(count):
                    ws.sums[ply][k] += share(ws, ply, i) * ws.leaf[ply + 1][k]
            for k in range(count):
                ws.leaf[ply][k] = ws.sums[ply][k] / whole

    else:

        @mode.inline
        def chances(ws, ply, depth):
            return

    @mode.kernel
    def all_moves(ws, ply, depth, alpha, beta):
        n = generate(ws, ply)
        for i in range(n):
            advance(ws, ply, ws.moves[ply][i])
            look(ws, ply + 1, depth - 1, alpha, beta)
            for k in range(count):
                ws.behind[i][k] = ws.leaf[ply + 1][k]
        return float(n)

    return all_moves


def _writing(mode: Mode, evaluators: Sequence[Kernel]) -> Kernel:
    """`(ws, ply)`: what every evaluation says of the position at ply, into ws.leaf[ply]."""

    @mode.inline
    def nothing(ws, ply):
        return

    def calling(number: int, evaluate: Kernel, rest: Kernel) -> Kernel:
        @mode.inline
        def write(ws, ply):
            ws.leaf[ply][number] = float(evaluate(ws, ply))
            rest(ws, ply)

        return write

    chain: Kernel = nothing
    for number, evaluate in reversed(list(enumerate(evaluators))):
        chain = calling(number, evaluate, chain)
    return chain


@lru_cache(maxsize=16)
def _entry(game: Game, mode: str, features: tuple[str, ...]) -> tuple[Mode, Kernel]:
    way = mode_for(game, mode)
    return way, way.entry(leaves(way, game, features), game, (int, int, float, float))


class LeafEngine(Engine):
    """Sees positions feature by feature."""

    def __init__(self, game: Game, features: Sequence[str], mode: str | None = None) -> None:
        self.features = tuple(features)
        method = Method(name="leaves", summary="", source="", kernel=None)
        super().__init__(game, method, Options(table=False, order=()), estimates=True, mode=mode)
        self.number = float

    def _kernel(self, mode: str, options: Options) -> tuple[Mode, Kernel]:
        return _entry(self.game, mode, self.features)

    def behind(self, position: Position, depth: int, mix: Sequence[float]) -> Vectors:
        """A row for each move: what the features say at the leaf behind it."""
        self.workspaces[0].fill(mix=list(mix))
        count = int(self.search(position, depth, -np.inf, np.inf))
        rows: Any = self.workspaces[0].rows("behind")
        return np.array([[rows[i][k] for k in range(len(self.features) + 1)] for i in range(count)])
