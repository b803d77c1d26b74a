"""Star1's arithmetic by itself, in whatever numbers it is given: for teaching, and for checking the kernels.

    >>> from fractions import Fraction as F
    >>> walk = walk_through([4, 2, 9], alpha=3, beta=7, low=0, high=10)
    >>> [(str(step.A), str(step.B)) for step in walk.steps], str(walk.value), walk.cut
    ([('-11', '21'), ('-5', '17'), ('3', '15')], '5', '')
    >>> walk = walk_through([2, 1, 9], alpha=5, beta=7, low=0, high=10)
    >>> len(walk.steps), str(walk.value), walk.cut
    (2, '13/3', 'II')

Two ways lead to the window (A, B) of the i-th outcome: the closed form, from the sum of all values so far, and the
incremental form, from the window before it. Hsu's closed forms carry a sign error; these are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.rules import Unsuitable

SUM_ERROR = 1e-9


class Step(NamedTuple):
    """One outcome: its window, its value, and the bounds of the node once it is known."""

    A: Any
    B: Any
    value: Any
    least: Any
    most: Any


class Walk(NamedTuple):
    """What Star1 does at a chance node: its steps, what it returns, and which cut-off ended it, if one did."""

    steps: list[Step]
    value: Any
    cut: str


def probabilities(weights: Sequence[Any]) -> list[Any]:
    """Weights as probabilities: positive whole numbers are divided by their sum, others must add up to 1."""
    if not weights:
        raise Unsuitable("a chance node needs at least one outcome")
    for weight in weights:
        if not weight > 0:
            raise Unsuitable(f"weights must be above 0, not {weight}; what cannot happen is no outcome")
    total = sum(weights)
    if all(isinstance(weight, int) for weight in weights):
        return [Fraction(weight, total) for weight in weights]
    if abs(total - 1) > SUM_ERROR:
        raise Unsuitable(f"probabilities must add up to 1, not {float(total):.12g}; whole numbers are taken as weights")
    return list(weights)


def closed_window(i: int, values: Sequence[Any], pr: Sequence[Any], alpha: Any, beta: Any, low: Any, high: Any) -> Any:
    """The window of outcome i, counted from 0, when all before it are known."""
    known = sum((p * v for p, v in zip(pr[:i], values)), 0 * pr[0])
    rest = sum(pr[i + 1 :], 0 * pr[0])
    return (alpha - known - high * rest) / pr[i], (beta - known - low * rest) / pr[i]


def next_window(window: Any, i: int, value: Any, pr: Sequence[Any], low: Any, high: Any) -> Any:
    """The window of outcome i + 1 from that of outcome i and its value: formulas (5) and (6) of the lecture notes."""
    (A, B), here, there = window, pr[i], pr[i + 1]
    return (here * A + there * high - here * value) / there, (here * B + there * low - here * value) / there


def walk_through(
    values: Sequence[Any], *, alpha: Any, beta: Any, low: Any, high: Any, weights: Sequence[Any] | None = None
) -> Walk:
    """Star1 on outcomes with these values (equally likely, if no weights are given)."""
    if not low < high:
        raise Unsuitable(f"the lowest value must be below the highest, not {low} and {high}")
    if not alpha < beta:
        raise Unsuitable(f"alpha must be below beta, not {alpha} and {beta}")
    for value in values:
        if not low <= value <= high:
            raise Unsuitable(f"the value {value} lies outside the bounds {low} and {high}")
    pr = probabilities([1] * len(values) if weights is None else weights)
    if len(pr) != len(values):
        raise Unsuitable(f"there are {len(values)} values and {len(pr)} weights; each outcome needs both")
    steps: list[Step] = []
    least, most = low, high
    window = closed_window(0, values, pr, alpha, beta, low, high)
    for i, value in enumerate(values):
        least, most = least + pr[i] * (value - low), most + pr[i] * (value - high)
        steps.append(Step(window[0], window[1], value, least, most))
        if value >= window[1]:
            return Walk(steps, least, "I")
        if value <= window[0]:
            return Walk(steps, most, "II")
        if i + 1 < len(values):
            window = next_window(window, i, value, pr, low, high)
    return Walk(steps, sum(p * v for p, v in zip(pr, values)), "")
