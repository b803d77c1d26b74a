"""What an engine could be set to: ranges and choices, as people type them, and candidates taken from them.

    c=0.5:3               any number from 0.5 to 3
    expand=1:8            any whole number, for the setting takes no other
    playout=light|decisive, reply=on|off, probes=1|3,2,1      one of these

Candidates are a Latin hypercube (McKay, Beckman and Conover 1979): of n candidates, each nth of every range has just
one. If there are no more than n different ones, they are all taken.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf, isfinite, prod
from types import UnionType
from typing import Any, get_args

from zermelo.core.method import Method
from zermelo.core.request import Request
from zermelo.methods.settings import option_kinds, with_settings
from zermelo.rules import UnknownName, Unsuitable, nearest

Settings = dict[str, Any]


@dataclass(frozen=True)
class Span:
    """A setting and the values that it may take: some, or all numbers from the first to the second one."""

    name: str
    values: tuple[Any, ...]
    every: bool = False

    @property
    def whole(self) -> bool:
        return self.every and isinstance(self.values[0], int)

    @property
    def number(self) -> float:
        """How many values there are."""
        if self.whole:
            return float(self.values[1] - self.values[0] + 1)
        return inf if self.every else float(len(self.values))

    def all(self) -> Sequence[Any]:
        """All values, where they can be counted."""
        return range(self.values[0], self.values[1] + 1) if self.whole else self.values

    def at(self, share: float) -> Any:
        """The value that lies so far up, from 0 to below 1. Three digits of a number are more than games tell."""
        if not self.every or self.whole:
            listed = self.all()
            return listed[int(share * len(listed))]
        low, high = self.values
        return min(max(float(f"{low + share * (high - low):.3g}"), low), high)

    def __str__(self) -> str:
        return f"{self.name}={(':' if self.every else '|').join(map(str, self.values))}"


def read_spans(texts: Sequence[str], engine: Request) -> list[Span]:
    """What is to be tuned of an engine, each given as a text; whatever it cannot be set to is refused."""
    spans: list[Span] = []
    for text in texts:
        span = _read(text, engine)
        if span.name in [other.name for other in spans]:
            raise Unsuitable(f"{span.name} is to be tuned twice: name all of its values at once")
        spans.append(span)
    if not spans:
        raise Unsuitable("nothing is to be tuned: name a setting and its values, such as --with c=0.5:3")
    return spans


def _read(text: str, engine: Request) -> Span:
    name, equals, told = (part.strip() for part in text.partition("="))
    if not name or not equals or not told:
        raise Unsuitable(f"--with takes NAME=LOW:HIGH or NAME=ONE|ANOTHER, such as --with c=0.5:3, not {text!r}")
    _check_name(name, engine.method)
    if "|" in told:
        values = tuple(_value(name, one.strip(), engine) for one in told.split("|"))
        if len(set(values)) < len(values):
            raise Unsuitable(f"{text!r} names a value twice")
        return Span(name, values)
    low, colon, high = told.partition(":")
    if not colon:
        raise Unsuitable(
            f"{text!r} leaves nothing to be tuned: give a range such as {name}=LOW:HIGH, choices such as "
            f"{name}=ONE|ANOTHER, or set it in the text of the engine"
        )
    kind = option_kinds(engine.method)[name]
    if not {int, float} & {kind, *(get_args(kind) if isinstance(kind, UnionType) else ())}:
        raise Unsuitable(f"{name} is no number and has no range: name its choices, such as {name}=ONE|ANOTHER")
    ends = (_value(name, low, engine), _value(name, high, engine))
    if None in ends or not all(map(isfinite, ends)) or not ends[0] < ends[1]:
        raise Unsuitable(f"a range goes from a lower number to a higher one, such as {name}=1:2, not {told}")
    return Span(name, ends, every=True)


def _check_name(name: str, method: Method) -> None:
    kinds = option_kinds(method)
    if name in ("seconds", "nodes", "depth", "memory", "threads", "mode", "seed"):
        raise Unsuitable(f"{name} says what {method.name} may use, and is not tuned: set it in the text of the engine")
    if name not in kinds:
        raise UnknownName(f"{method.name} has no setting {name}: {nearest(name, kinds)}")


def _value(name: str, text: str, engine: Request) -> Any:
    """One value, if the engine can be set to it."""
    made = with_settings(engine, {name: text})
    if with_settings(replace(engine, options=engine.method.options), {name: text}).options.limited:
        raise Unsuitable(f"{name} says how long {engine.method.name} thinks, and is not tuned: set it in its text")
    return getattr(made.options, name)


def candidates(spans: Sequence[Span], number: int, usual: Request, seed: int) -> list[Settings]:
    """So many settings to be tried, or all there are if they are fewer, in no particular order; none of them is what
    the engine is set to already."""
    names = [span.name for span in spans]
    dice = random.Random(f"candidates of tuning {seed}")
    if how_many(spans, usual) <= number:
        found = [dict(zip(names, values)) for values in product(*(span.all() for span in spans))]
    else:
        columns = []
        for span in spans:
            shares = [(place + dice.random()) / number for place in range(number)]
            dice.shuffle(shares)
            columns.append([span.at(share) for share in shares])
        found = [dict(zip(names, row)) for row in zip(*columns)]
    now = {name: getattr(usual.options, name) for name in names}
    different: list[Settings] = []
    for settings in found:
        if settings != now and settings not in different:
            different.append(settings)
    dice.shuffle(different)
    return different


def how_many(spans: Sequence[Span], usual: Request) -> float:
    """How many settings there are, not counting what the engine is set to already."""
    number = prod(span.number for span in spans)
    return number - (number < inf and all(getattr(usual.options, span.name) in span.all() for span in spans))
