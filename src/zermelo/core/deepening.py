"""Iterative deepening: depth 1, then 2, and so on, until the value is certain or time is up.

Each round fills the table with moves that make the next one faster, and its value centres the next round's
window (aspiration). Slate and Atkin 1977, "Chess 4.5"; Korf 1985. It goes around any method. A new round is not
begun when more than half of the time is gone, for it would take longer than all before it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.core.engine import Engine
from zermelo.core.selective import used
from zermelo.rules import Position

TIME_SHARE = 0.5
NODES_A_MOVE = {"compiled": 5000, "interpreted": 50}
"""What is told of a line is read by the interpreter, for which a move takes as long as a part of so many nodes."""


class Round(NamedTuple):
    """What the last finished round found. `certain`: no estimate can change the value."""

    value: Any
    move: int
    depth: int
    certain: bool


def deepen(engine: Engine, position: Position, deepest: int, aspiration: float | None) -> Round | None:
    """Search deeper and deeper; None if not even one ply could be finished. `aspiration` is the half width
    of the window around the last value, None for none."""
    watch = engine.watch
    low, high = engine.window(position)
    looks_far = engine.options.special is not None or bool(used(engine.options))
    last: Round | None = None
    for depth in range(1, deepest + 1):
        watch.depth = depth
        before = engine.estimated
        value = _aspire(engine, position, depth, last.value if last else None, aspiration)
        if engine.stopped:
            break
        certain = engine.estimated == before or (engine.strict and value in (low, high))
        lost = certain and value == low and last is not None and looks_far
        # what a mate far away refutes is refuted by few: the move that looked best before resists best
        last = Round(value, last.move if last is not None and lost else _move(engine, position), depth, certain)
        if watch.listener is not None:
            watch.improved(-value if position.turn == 1 else value, _line(engine, position, last))
        if certain:
            break
        if depth < deepest and watch.limits.seconds is not None and watch.seconds > TIME_SHARE * watch.limits.seconds:
            watch.met = "seconds"
            break
    return last


def _move(engine: Engine, position: Position) -> int:
    """The best move that was found; the table's, where it answered for the whole position."""
    move = engine.move if engine.move >= 0 else engine.remembered_move(position)
    return -1 if move is None else move


def _line(engine: Engine, position: Position, found: Round) -> list[str]:
    """The line of a round, no longer than is cheap beside the search."""
    most = 2 + engine.watch.nodes // NODES_A_MOVE[engine.mode.name]
    return engine.remembered_line(position, found.move, min(found.depth, most)) if found.move in position.codes else []


def _aspire(engine: Engine, position: Position, depth: int, guess: Any, aspiration: float | None) -> Any:
    """One round: first within a window around the guess, wider on the side where that fails."""
    low, high = engine.window(position)
    alpha, beta = low, high
    if guess is not None and aspiration is not None:
        alpha = max(low, engine.number(guess - aspiration))
        beta = min(high, engine.number(guess + aspiration))
    while True:
        value = engine.search(position, depth, alpha, beta, guess=float(guess or 0))
        if engine.stopped or alpha < value < beta:
            return value
        if value <= alpha and alpha > low:
            alpha = low
        elif value >= beta and beta < high:
            beta = high
        else:
            return value
