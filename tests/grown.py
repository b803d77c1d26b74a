"""Monte-Carlo tree search under test: one line to ask it, and what no answer may ever get wrong."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from zermelo.core.answer import Answer
from zermelo.methods.asking import search
from zermelo.rules import CHANCE, Position, wrapping
from zermelo.sampling.mcts import least_memory

Truth = Callable[[Position], Any]

OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "tree": {"graph": False, "playout": "decisive", "reply": True, "unprune": 1},
    "puct": {"select": "puct", "rave": 5.0, "length": 2, "minimax": 0.3, "chance": "even"},
    "widened": {"widen": "both", "bias": 1.0, "playout": "decisive"},
    "all": {"chance": "all", "widen": "moves", "rave": 20.0, "reply": True, "knowledge": False},
    "unsolved": {"solver": False, "chance": "all", "widen": "outcomes", "minimax": 0.1},
}
"""What a kernel is built for: each choice of every option somewhere, beside other ones."""


@cache
@wrapping
def worth(position: Position) -> Fraction:
    """The first player's value by definition, each position looked at once: where none comes back."""
    if position.result is not None:
        return Fraction(position.result)
    values = [worth(position.play(move)) for move in position.codes]
    if position.turn == CHANCE:
        weights = [position.game.weight(position.state, outcome) for outcome in position.codes]  # type: ignore[misc]
        return sum((w * v for w, v in zip(weights, values)), Fraction(0)) / sum(weights)
    return max(values) if position.turn == 0 else min(values)


def grown(position: Position, options: str = "plain", *, tiny: bool = False, **settings: Any) -> Answer:
    """An answer, interpreted unless told otherwise; with the least memory that is accepted if `tiny`."""
    memory = least_memory(position.game) if tiny else "1MB"
    told = {"mode": "interpreted", "seed": 1, "memory": memory, **OPTIONS[options], **settings}
    return search(position, "mcts", **told)


def never_wrong(answer: Answer, truth: Truth, slack: float = 0.0) -> None:
    """All bounds hold the true values, up to `slack`; what is proven is true, and so are the moves that reach it; and
    lines can be played."""
    position = answer.position
    value = truth(position)
    low, high = answer.bounds
    assert low - slack <= value <= high + slack
    if answer.status == "proven":
        assert answer.value is not None
        assert abs(answer.value - value) <= slack
        for move in answer.best:
            assert abs(truth(position.play(move)) - value) <= slack
    if answer.complete and slack == 0 and position.turn != CHANCE:
        assert set(answer.best) == {position.text_of(m) for m in position.codes if truth(position.play(m)) == value}
    for verdict in answer.verdicts:
        assert verdict.low - slack <= truth(position.play(verdict.move)) <= verdict.high + slack
    for told in answer.details["moves"]:
        end = position
        for move in told["line"]:
            end = end.play(move)
