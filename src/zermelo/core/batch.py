"""Many positions at once: a loop around a search inside compiled code, for people who label data or run test suites.

A call of a search from Python costs more than a thousand small searches take. Here the positions go into one array, and
one kernel solves them one after the other, each from the table that the ones before have filled: the value, by the
search's own window, and, if wanted, for each move whether it keeps the value, by an empty one. Where that cannot be
done (dice, loops, searches for claims, objects of Python's) a worker is asked position by position.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from zermelo.compile.modes import Kernel, Mode, mode_for
from zermelo.compile.watch import Brake, Limits, Listener
from zermelo.core.answer import PROVEN, plain
from zermelo.core.engine import Engine
from zermelo.core.method import Method, Options, bind, build
from zermelo.core.question import Question, Worker
from zermelo.core.solving import has_few_values
from zermelo.core.window_worker import WindowWorker
from zermelo.rules import ONGOING, Game, Position, RuleError, f64

ROOT = 0
"""The ply of each position. Kernels get it as an argument: a constant would be another type to the compiler."""


@dataclass(frozen=True)
class Batch:
    """What many positions are worth: the first player's values, None where nothing is certain; with `best`, all best
    moves of each. stopped: what ended the work before all were solved."""

    positions: Sequence[Position]
    values: list[float | None]
    best: list[list[str]] | None
    nodes: int
    seconds: float
    method: str
    mode: str
    stopped: str | None = None

    def __len__(self) -> int:
        return len(self.positions)


def solve_batch(
    worker: Worker,
    positions: Sequence[Position],
    best_moves: bool,
    limits: Limits,
    listener: Listener | None,
    brake: Brake,
) -> Batch:
    """Solve all positions with one worker."""
    method, game = worker.request.method, worker.game
    plain_search = isinstance(worker, WindowWorker) and not method.answers_claims and method.kernel is not None
    if plain_search and worker.mode == "compiled" and not (game.cyclic or game.horizon or limits.depth):
        engine = BatchEngine(game, method, worker.request.options, mode=worker.mode, memory=worker.request.memory)
        return engine.solve_all(positions, best_moves, limits, listener, brake)
    return _one_by_one(worker, positions, best_moves, limits, listener, brake)


def _one_by_one(
    worker: Worker,
    positions: Sequence[Position],
    best_moves: bool,
    limits: Limits,
    listener: Listener | None,
    brake: Brake,
) -> Batch:
    values: list[float | None] = []
    best: list[list[str]] = []
    nodes, seconds, stopped = 0, 0.0, None
    for position in positions:
        if stopped is None:
            left = _left(limits, nodes, seconds)
            answer = worker.solve(
                Question(position, value_only=not best_moves, limits=left, listener=listener, brake=brake)
            )
            nodes, seconds = nodes + answer.nodes + answer.extra_nodes, seconds + answer.seconds
            stopped = answer.stopped if answer.stopped not in ("max_plies", "horizon") else None
            values.append(answer.value if answer.status == PROVEN else None)
            best.append(answer.best if answer.complete else [])
        else:
            values.append(None)
            best.append([])
    name, mode = worker.request.method.name, worker.mode
    return Batch(positions, values, best if best_moves else None, nodes, seconds, name, mode, stopped)


def _left(limits: Limits, nodes: int, seconds: float) -> Limits:
    """What is left of the limits for all."""
    return replace(
        limits,
        nodes=None if limits.nodes is None else max(limits.nodes - nodes, 1),
        seconds=None if limits.seconds is None else max(limits.seconds - seconds, 1e-3),
    )


class BatchEngine(Engine):
    """A search of the minimax family whose kernel takes an array of positions."""

    def _kernel(self, mode: str, options: Options) -> tuple[Mode, Kernel]:
        return _entry(self.method, self.game, mode, options, self.number)

    def solve_all(
        self,
        positions: Sequence[Position],
        best_moves: bool,
        limits: Limits,
        listener: Listener | None,
        brake: Brake,
    ) -> Batch:
        game, count = self.game, len(positions)
        assert game.State is not None
        states = np.frombuffer(b"".join([p.state.tobytes() for p in positions]), game.State.dtype)
        values = np.zeros(count, np.float64)
        keeps = np.zeros((count, game.max_moves) if best_moves else (1, 1), np.uint8)
        done = np.zeros(1, np.int64)
        few = 1 if has_few_values(game) else 0
        low, high = (self.low, self.high) if self.options.knowledge else (self.below(self.low), self.above(self.high))
        watch = self.watched(limits, listener, brake)
        watch.doing = f"solving {count:,} positions"
        workspace = self.workspaces[0]
        workspace["lower"], workspace["upper"] = -math.inf, math.inf
        watch.run(
            lambda: self._call(
                states, values, keeps, done, ROOT, game.max_plies, self.number(low), self.number(high), few,
                int(best_moves),
            )
        )
        self.check_length()
        known = int(done[0])
        found: list[float | None] = [plain(v) for v in values[:known].tolist()] if self.number is float else [
            int(v) for v in values[:known].tolist()
        ]  # fmt: skip
        found += [None] * (count - known)
        best = None
        if best_moves:
            best = [
                [p.text_of(c) for c, kept in zip(p.codes, row) if kept] if p.result is None and n < known else []
                for n, (p, row) in enumerate(zip(positions, keeps.tolist()))
            ]
        stopped = watch.reason if known < count else None
        return Batch(positions, found, best, watch.nodes, watch.seconds, self.method.name, self.mode.name, stopped)


@lru_cache(maxsize=16)
def _entry(method: Method, game: Game, mode: str, options: Options, number: type) -> tuple[Mode, Kernel]:
    import numba

    way = mode_for(game, mode)
    if game.State is None:
        raise RuleError(f"{game.name} is made of Python objects: its positions cannot lie in an array")
    states, values = numba.from_dtype(game.State.dtype), numba.float64[::1]
    readonly = numba.types.Array(states, 1, "C", readonly=True)
    arrays = (readonly, values, numba.uint8[:, ::1], numba.int64[::1])
    kernel = _solving(method, game, way, options, number)
    return way, way.entry(kernel, game, (*arrays, int, int, number, number, int, int))


def _solving(method: Method, game: Game, mode: Mode, options: Options, number: type) -> Kernel:
    """The kernel that solves an array of positions by a method's own kernel."""
    parts = bind(game, mode, options, number)
    search = build(method, game, mode, options, number)
    note, descend = parts.table.note, parts.table.descend
    mover, opposes, below = parts.nodes.mover, parts.nodes.opposes, parts.nodes.below
    over, generate = parts.nodes.rules.over, parts.nodes.rules.generate
    mode.needs(guess=f64)  # MTD(f)'s

    @mode.kernel
    def best_of(ws, root, depth, value, keeps):
        """Which moves keep the value of the root, in the order of the rules."""
        n = generate(ws, root)
        for k in range(n):
            descend(ws, root, ws.moves[root][k], depth)
            ws.guess = 0.0
            if opposes(ws, root):
                kept = -search(ws, root + 1, depth - 1, -value, -below(value)) >= value
            else:
                kept = search(ws, root + 1, depth - 1, below(value), value) >= value
            if ws.stop != 0:
                break
            keeps[k] = 1 if kept else 0

    @mode.kernel
    def solve_all(ws, states, values, keeps, done, root, depth, low, high, few, wanted):
        for i in range(len(states)):
            ws.stack[root] = states[i]
            score = over(ws, root)
            if score != ONGOING:
                values[i] = score
            else:
                note(ws, root)
                second = mover(ws, root) == 1
                alpha, beta = (-high, -low) if second else (low, high)
                ws.guess = float(beta) if few != 0 else float((alpha + beta) // 2)
                value = search(ws, root, depth, alpha, beta)
                if ws.stop == 0 and wanted != 0:
                    best_of(ws, root, depth, value, keeps[i])
                if ws.stop != 0:
                    break
                values[i] = -value if second else value
            done[0] = i + 1
        return 0

    return solve_all
