"""Answers from claims: yes-or-no questions about the first player's score, as many as it takes.

Some searches are made for claims (boolean, proof numbers). To all others a claim is a window that holds no value.
"""

from __future__ import annotations

import math
from typing import Any

from zermelo.core.answer import BOUND, PROVEN, UNKNOWN, Answer, Tally, report
from zermelo.core.engine import Engine
from zermelo.core.root import Told, tell
from zermelo.core.truth import FAILS, HOLDS
from zermelo.core.truth import UNKNOWN as UNKNOWN_YET
from zermelo.rules import Position, Unsuitable

DIRECT_PLIES = 24
"""Games with cycles that are no longer than this are searched to the end at once; others by deepening."""


def pin_down(
    engine: Engine, position: Position, depth: int, at_least: float | None, why: str, *, value_only: bool = False
) -> Answer:
    """Decide one claim, or as many as pin down the value: see `next_claim`."""
    lowest, highest = (engine.number(v) for v in position.game.values)
    low, high, known = lowest, highest, None
    if at_least is not None:
        target = math.ceil(at_least) if engine.number is int else float(at_least)
        low, high, depth, known = _decide(engine, position, depth, target, low, high)
        decided = low >= target or high < target
    elif engine.number is not int:
        raise Unsuitable(f"{position.game.name}: scores are not whole numbers; name one claim with at_least")
    else:
        open_range: tuple[Any, Any] | None = None
        while low < high and (low, high) != open_range:
            open_range = (low, high)
            target = next_claim(low, high, lowest, highest)
            low, high, _, move = _decide(engine, position, depth, target, low, high)
            known = known if move is None else move
        decided = low == high
    if not decided and not engine.stopped:
        engine.give_up()
    tally = Tally.of(engine)
    mine, most = (low, high) if position.turn == 0 else (-high, -low)
    engine.watch.low, engine.watch.high = mine, most
    nothing_shown = mine < most and mine <= engine.window(position)[0]
    told = Told() if nothing_shown else tell(
        engine, position, mine, depth, engine.deepest(position),
        sure=True, known=known, most=most, wanted=not value_only,
    )  # fmt: skip
    if (low, high) == (lowest, highest):
        return report(engine, position, UNKNOWN, None, why=why, tally=tally)
    status = PROVEN if low == high else BOUND
    value = low if low == high or low > lowest else high
    return report(engine, position, status, value, why=why, tally=tally, bounds=(low, high), **told._asdict())


def next_claim(low: int, high: int, lowest: int, highest: int) -> int:
    """The score to ask for when the value is known to lie between low and high, bounds included.

    While one side is open the steps double, first upwards from 1 and then downwards from 0; once there is a bound on
    either side the range is halved (Hsu's lecture notes, "multi-valued PN-search", for scores of any sign).
    """
    if low > lowest and high < highest:
        return (low + high + 1) // 2
    if high == highest:
        step = 1 if low == lowest else 2 * low if low > 0 else low + 1
        return min(max(step, low + 1), high)
    return max(high - (1 - high) // 2, low + 1) if high < 1 else (low + high + 1) // 2


def _decide(
    engine: Engine, position: Position, depth: int, target: Any, low: Any, high: Any
) -> tuple[Any, Any, int, int | None]:
    """The bounds of the score once it is asked whether the first player reaches `target`, how far that took, and the
    move that secures it, where one does."""
    if target <= low:
        return low, high, depth, None
    found = UNKNOWN_YET
    for plies in depths(engine, position, depth):
        found = verdict(engine, position, plies, target)
        if engine.stopped or found != UNKNOWN_YET:
            depth = plies
            break
    if not engine.stopped and engine.watch.limits.depth is None:
        engine.check_length()
    if engine.stopped or found == UNKNOWN_YET:
        return low, high, depth, None
    move = engine.move if (found == HOLDS) == (position.turn == 0) else None
    if found == HOLDS:
        return max(low, target), high, depth, move
    return low, min(high, engine.below(target)), depth, move


def depths(engine: Engine, position: Position, most: int) -> list[int]:
    """How far to look ahead: so far at once, but in steps where play could go round for long."""
    if not position.game.cyclic or most <= DIRECT_PLIES or engine.method.answers_claims:
        return [most]
    return [*range(4, most, 4), most]


def verdict(engine: Engine, position: Position, depth: int, target: Any) -> int:
    """Whether the first player reaches the target: HOLDS, FAILS or neither, where the search met its horizon."""
    if position.result is not None:
        return HOLDS if position.result >= target else FAILS
    if engine.method.answers_claims:
        return int(engine.search(position, depth, target))
    first, below, before = position.turn == 0, engine.below(target), engine.estimated
    window = (below, target) if first else (-target, -below)
    value = engine.search(position, depth, *window, guess=float(window[0]))
    if engine.estimated > before and not (engine.strict and value in engine.window(position)):
        return UNKNOWN_YET
    return HOLDS if (value if first else -value) >= target else FAILS
