"""Values that are fractions, or lie between bounds: how they are compared and how they read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from zermelo.positions.exact import Interval, Value

DIGITS = 12
LONG = 60
"""A fraction with more characters than this is shown as a decimal number."""


def middle(value: Value) -> Any:
    """A value as one number."""
    return value if isinstance(value, Fraction) else (value.low + value.high) / 2


def share(value: Value, low: float, high: float) -> Value:
    """Where a value lies between two scores, from 0 to 1; bounds are moved outwards for what rounding may do."""
    start, span = Fraction(low), Fraction(high) - Fraction(low)
    if isinstance(value, Fraction):
        return (value - start) / span
    least, most = (float((Fraction(end) - start) / span) for end in value)
    return Interval(math.nextafter(least, -math.inf), math.nextafter(most, math.inf))


def best_of(worth: Mapping[str, Value], turn: int) -> tuple[list[str], bool]:
    """The moves that may be best for the player to move, and whether it is certain that all of them are."""
    views = {text: _view(value, turn) for text, value in worth.items()}
    least, most = (max(view[side] for view in views.values()) for side in (0, 1))
    best = [text for text, view in views.items() if view[1] >= least]
    return best, len(best) == 1 or all(views[text][0] == most for text in best)


def _view(value: Value, turn: int) -> tuple[Any, Any]:
    low, high = (value, value) if isinstance(value, Fraction) else value
    return (low, high) if turn == 0 else (-high, -low)


def in_words(value: Value) -> str:
    """In full: a fraction with its decimal value; bounds rounded outwards."""
    if isinstance(value, Fraction):
        number = f"{float(value):.{DIGITS}g}"
        if value.denominator == 1:
            return str(value)
        text = str(value)
        if len(text) > LONG:
            return f"{number}, a fraction of {len(text):,} characters, which --json prints"
        return f"{text} {'≈' if float(number).is_integer() else '='} {number}"
    return f"between {_rounded(value.low, ROUND_FLOOR)} and {_rounded(value.high, ROUND_CEILING)}"


def short(value: Value) -> str:
    """In a list of moves."""
    if isinstance(value, Fraction):
        text = str(value)
        return text if len(text) <= LONG else f"{float(value):.9g}"
    number = f"{middle(value):.9g}"
    if abs(float(number) - value.low) + abs(value.high - float(number)) <= 1e-8 * max(map(abs, value)):
        return number
    return f"{_rounded(value.low, ROUND_FLOOR, 6)} to {_rounded(value.high, ROUND_CEILING, 6)}"


def _rounded(number: float, rounding: str, digits: int = DIGITS) -> str:
    rounded = Context(prec=digits, rounding=rounding).create_decimal(Decimal(number))
    return f"{rounded.normalize():f}" if abs(rounded) > 1e-6 or not rounded else f"{rounded.normalize():g}"
