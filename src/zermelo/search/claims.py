"""Answers from claims: yes-or-no questions about the first player's score, as many as it takes."""

from __future__ import annotations

import math
from typing import Any

from zermelo.rules import Position, Unsuitable
from zermelo.search.answer import BOUND, PROVEN, UNKNOWN, Answer, Tally, report
from zermelo.search.boolean import FAILS, HOLDS
from zermelo.search.engine import Engine


def pin_down(engine: Engine, position: Position, depth: int, at_least: float | None, why: str) -> Answer:
    """Decide one claim, or halve the range of scores until the value is pinned down."""
    lowest, highest = (engine.number(v) for v in position.game.values)
    low, high = lowest, highest
    if at_least is not None:
        target = math.ceil(at_least) if engine.number is int else float(at_least)
        low, high = _decide(engine, position, depth, target, low, high)
    elif engine.number is not int:
        raise Unsuitable(f"{position.game.name}: scores are not whole numbers; name one claim with at_least")
    else:
        open_range: tuple[Any, Any] | None = None
        while low < high and (low, high) != open_range:
            open_range = (low, high)
            target = high if high - low <= 2 else (low + high + 1) // 2
            low, high = _decide(engine, position, depth, target, low, high)
    tally = Tally.of(engine)
    if (low, high) == (lowest, highest):
        return report(engine, position, UNKNOWN, None, why=why, tally=tally)
    best = _securing(engine, position, depth, low, high)
    if low == high:
        return report(engine, position, PROVEN, low, why=why, best=best, tally=tally)
    value = low if low > lowest else high
    return report(engine, position, BOUND, value, why=why, best=best, tally=tally, bounds=(low, high))


def _decide(engine: Engine, position: Position, depth: int, target: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """The bounds of the score once it is asked whether the first player reaches `target`."""
    if target <= low:
        return low, high
    verdict = engine.search(position, depth, target)
    if not engine.stopped and engine.watch.limits.depth is None:
        engine.check_length()
    if engine.stopped or verdict not in (HOLDS, FAILS):
        return low, high
    return (max(low, target), high) if verdict == HOLDS else (low, min(high, engine.below(target)))


def _securing(engine: Engine, position: Position, depth: int, low: Any, high: Any) -> list[int]:
    """The moves that secure what was shown: the lower bound for the first player, the upper for the second.
    None where nothing was shown for the player to move."""
    first = position.turn == 0
    if (low <= engine.low) if first else (high >= engine.high):
        return []
    target = low if first else engine.above(high)
    wanted = HOLDS if first else FAILS
    best = []
    for move in position.codes:
        verdict = _verdict(engine, position.play(move), depth - 1, target)
        if engine.stopped:
            break
        if verdict == wanted:
            best.append(move)
    return best


def _verdict(engine: Engine, position: Position, depth: int, target: Any) -> int:
    if position.result is not None:
        return HOLDS if position.result >= target else FAILS
    return int(engine.search(position, depth, target))
