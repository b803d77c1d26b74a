"""Solving: the value of a position, certain, with every best move and a line of best play."""

from __future__ import annotations

from typing import Any

from zermelo.compile.diagnosis import blaming
from zermelo.compile.watch import Brake, Limits, Listener
from zermelo.core.answer import BOUND, HEURISTIC, PROVEN, UNKNOWN, Answer, Tally, report
from zermelo.core.claims import DIRECT_PLIES, pin_down
from zermelo.core.deepening import Round, deepen
from zermelo.core.engine import Engine
from zermelo.core.root import tell
from zermelo.rules import Game, Position


def has_few_values(game: Game) -> bool:
    """Win, loss and at most one value in between."""
    low, high = game.values
    return game.integral and high - low <= 2


def may_estimate(game: Game, limits: Limits) -> bool:
    """Whether a search to the end can meet positions that it has to estimate."""
    return limits.depth is not None or game.cyclic or game.horizon is not None


def solve_with(
    engine: Engine,
    position: Position,
    *,
    limits: Limits | None = None,
    at_least: float | None = None,
    why: str = "asked for",
    listener: Listener | None = None,
    value_only: bool = False,
    brake: Brake | None = None,
) -> Answer:
    """The value of a position, or whether it is `at_least` so much. The engine's table serves one position after
    another."""
    game, limits = position.game, limits or Limits()
    watch = engine.watched(limits, listener, brake)
    with blaming(game):
        watch.turn = position.turn
        watch.low, watch.high = engine.window(position)
        if position.result is not None:
            return report(engine, position, PROVEN, position.result, why="the game is over")
    if engine.deepest(position) < 1:
        watch.met = "max_plies"
        return report(engine, position, UNKNOWN, None, why=why)
    depth = min(limits.depth or engine.deepest(position), engine.deepest(position))
    if engine.method.answers_claims or at_least is not None:
        return watch.run(lambda: pin_down(engine, position, depth, at_least, why, value_only=value_only))
    return watch.run(lambda: _evaluate(engine, position, depth, why, value_only))


def _evaluate(engine: Engine, position: Position, depth: int, why: str, value_only: bool) -> Answer:
    """The value, then the best moves and the line."""
    game, watch = position.game, engine.watch
    to_the_end = watch.limits.depth is None
    low, high = engine.window(position)
    deepest = depth
    if game.cyclic and to_the_end and depth > DIRECT_PLIES:
        found = deepen(engine, position, depth, None)
        if found is not None and not found.certain and found.depth == depth and not engine.stopped:
            found = _afresh(engine, position, depth) or found
        if found is None or not found.certain:
            if not engine.stopped and watch.met is None:
                engine.give_up()
            return _cut_short(engine, position, why, found.value if found else None, found.move if found else -1)
        value, depth = found.value, found.depth
        certain = True
    else:
        guess = high if has_few_values(game) else (low + high) // 2
        alpha, beta = (low, high) if engine.options.knowledge else (engine.below(low), engine.above(high))
        value = engine.search(position, depth, alpha, beta, guess=float(guess))
        if engine.stopped:
            return _cut_short(engine, position, why)
        certain = engine.estimated == 0 or (engine.strict and value in (low, high))
        if not certain and to_the_end:
            engine.check_length()
            engine.give_up()
    tally = Tally.of(engine)
    watch.low = watch.high = value
    told = tell(
        engine, position, value, depth, deepest if to_the_end else depth,
        sure=certain, known=engine.move, wanted=not value_only,
    )  # fmt: skip
    for_first = value if position.turn == 0 else -value
    status = PROVEN if certain else HEURISTIC
    return report(engine, position, status, for_first, why=why, tally=tally, **told._asdict())


def _afresh(engine: Engine, position: Position, depth: int) -> Round | None:
    """One search of full depth with an empty table, if that makes the value certain: estimates of earlier rounds can
    keep each other alive in a table, where a position is met at several depths."""
    engine.memory.clear()
    low, high = engine.window(position)
    before = engine.estimated
    value = engine.search(position, depth, low, high, guess=float(high))
    certain = engine.estimated == before or (engine.strict and value in (low, high))
    return Round(value, engine.move, depth, certain) if certain and not engine.stopped else None


def _cut_short(engine: Engine, position: Position, why: str, value: Any = None, move: int = -1) -> Answer:
    """What is known when a limit ended the search before the value was certain."""
    best = [move] if move in position.codes else []
    if value is not None:
        for_first = value if position.turn == 0 else -value
        return report(engine, position, HEURISTIC, for_first, why=why, best=best)
    bounds = low, high = position.game.values if engine.estimated else engine.watch.bounds()
    lowest, highest = position.game.values
    mine = low if position.turn == 0 else -high
    if mine > engine.window(position)[0]:  # shown by a test that held, and so by a move
        best = [code for code in position.codes if code == engine.move]
    if low == high:
        return report(engine, position, PROVEN, low, why=why, best=best)
    if (low, high) == (lowest, highest):
        return report(engine, position, UNKNOWN, None, why=why)
    return report(engine, position, BOUND, low if low > lowest else high, why=why, bounds=bounds, best=best)
