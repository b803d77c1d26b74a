"""Searching: the best move that can be found within limits, by iterative deepening."""

from __future__ import annotations

from zermelo.core.answer import HEURISTIC, PROVEN, Answer, Tally, report
from zermelo.core.deepening import deepen
from zermelo.core.engine import Engine
from zermelo.core.question import Question
from zermelo.core.root import tell
from zermelo.rules import Position

ASPIRATION_SHARE = 1 / 16
"""The half width of the aspiration window, as a share of the range of values."""


def search_with(engine: Engine, question: Question, why: str) -> Answer:
    """The best move of a position, as deep as the limits allow; the engine's table serves one position after another.
    Where only the value is wanted, other moves that are as good are not looked for."""
    position = question.position
    watch = engine.watched(question.limits, question.listener, question.brake)
    watch.turn = position.turn
    watch.low, watch.high = engine.window(position)
    if engine.deepest(position) < 1:  # play goes on beyond what the game declares: any move will do
        watch.met = "max_plies"
        return report(engine, position, HEURISTIC, None, why=why)
    return watch.run(lambda: _deepen(engine, position, why, question.value_only))


def _deepen(engine: Engine, position: Position, why: str, value_only: bool) -> Answer:
    watch = engine.watch
    low, high = engine.window(position)
    aspiration = (high - low) * ASPIRATION_SHARE if engine.number is float or high - low > 16 else None
    deepest = engine.deepest(position)
    wanted = min(watch.limits.depth or deepest, deepest)
    found = deepen(engine, position, wanted, aspiration)
    tally = Tally.of(engine)
    if found is None:  # not even one ply: any move is better than none
        return report(engine, position, HEURISTIC, None, why=why)
    timed = watch.limits.seconds is not None or watch.limits.nodes is not None
    deeper = found.certain and not timed and engine.options.special is None  # whose leaves depend on the depth
    depth = wanted if deeper else found.depth
    watch.low = watch.high = found.value
    told = tell(
        engine, position, found.value, depth, depth,
        sure=found.certain, known=found.move, lead=found.move, wanted=not value_only,
    )  # fmt: skip
    value = found.value if position.turn == 0 else -found.value
    status = PROVEN if found.certain else HEURISTIC
    return report(engine, position, status, value, why=why, tally=tally, **told._asdict())
