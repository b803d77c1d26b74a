"""Values as people type them: a text read as the kind of value that is asked for, and a value written as such a text.

A kind is a type as it stands in an annotation. What each takes:

    bool             on, true, yes or 1; off, false, no or 0; small or capital letters
    int              12, -4, 1_000; 1e6, for it is whole
    float            0.25, 1, 1e-3, inf
    str              any text, as it is; so sizes such as 512MB are left to who wants them
    Literal[…]       one of the choices
    tuple[int, ...]  3,2,1, in brackets or not; () is the empty one
    … | None         none as well
    int | str        whatever fits first; a text comes last

Kinds that this file does not know take any text and leave it to their owner.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from numbers import Integral, Real
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from zermelo.rules.errors import Unsuitable

_SWITCHES = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}
_WHOLE_FLOATS = 2.0**53
"""Up to here a float is the number that was typed."""


def read_value(name: str, given: Any, kind: Any) -> Any:
    """What a person gave for `name` as a value of this kind. A text is read; what is a value already must fit."""
    try:
        return _read(given, kind)
    except (ValueError, TypeError, OverflowError):
        raise Unsuitable(f"{name} takes {_in_words(kind)}, not {given!r}") from None


def write_value(value: Any) -> str:
    """The text that `read_value` reads as this value, given its kind. There is none for a text `none` where None may
    stand too, nor for texts with commas in a tuple."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return repr(float(value))
    if isinstance(value, (tuple, list)):
        return ",".join(map(write_value, value)) or "()"
    return str(value)


def kind_of(value: Any) -> Any:
    """The kind that a default value stands for where nobody said more."""
    if value is None:
        return str | None
    if isinstance(value, tuple):
        parts = {kind_of(part) for part in value}
        return tuple[parts.pop(), ...] if len(parts) == 1 else tuple[str, ...]  # type: ignore[misc]
    return type(value)


def kinds_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The kind of every parameter of a function: its annotation, else what its default shows, else a text."""
    kinds = {}
    for name, parameter in inspect.signature(function).parameters.items():
        kind = _annotated(function, parameter.annotation)
        if kind is parameter.empty:
            kind = str if parameter.default is parameter.empty else kind_of(parameter.default)
        kinds[name] = kind
    return kinds


def _annotated(function: Callable[..., Any], annotation: Any) -> Any:
    """What an annotation means; empty if it names what is not there while the program runs."""
    home = getattr(inspect.unwrap(function), "__globals__", {})
    try:
        return get_type_hints(SimpleNamespace(__annotations__={"it": annotation}), home)["it"]
    except (NameError, AttributeError, TypeError, SyntaxError):
        return inspect.Parameter.empty


def _read(given: Any, kind: Any) -> Any:
    origin, text = get_origin(kind), given.strip().lower() if isinstance(given, str) else None
    if origin in (Union, UnionType):
        return _read_any(given, get_args(kind))
    if origin is Literal:
        return _chosen(given, get_args(kind))
    if origin is tuple:
        return _read_tuple(given, get_args(kind))
    if kind in (None, NoneType):
        if given is None or text == "none":
            return None
        raise ValueError
    if kind is bool:
        return _switch(given, text)
    if kind is int:
        return _whole(given)
    if kind is float:
        return _number(given)
    return given


def _read_any(given: Any, kinds: tuple[Any, ...]) -> Any:
    """The first of several kinds that fits: none before all others, for it is a text, and texts, which always fit,
    after them."""
    if type(given) in kinds and not isinstance(given, str):
        return given
    for kind in sorted(kinds, key=lambda kind: (kind is not NoneType, kind is str)):
        try:
            return _read(given, kind)
        except (ValueError, TypeError, OverflowError):
            continue
    raise ValueError


def _chosen(given: Any, choices: tuple[Any, ...]) -> Any:
    for choice in choices:
        if given == choice or (isinstance(given, str) and given.strip() == write_value(choice)):
            return choice
    raise ValueError


def _read_tuple(given: Any, kinds: tuple[Any, ...]) -> tuple[Any, ...]:
    if isinstance(given, str):
        inside = given.strip()
        if inside.startswith("(") and inside.endswith(")"):
            inside = inside[1:-1].strip()
        given = [part.strip() for part in inside.removesuffix(",").split(",")] if inside else []
        if "" in given:
            raise ValueError
    if kinds[-1] is Ellipsis:
        kinds = kinds[:1] * len(given)
    return tuple(_read(part, kind) for part, kind in zip(given, kinds, strict=True))


def _switch(given: Any, text: str | None) -> bool:
    if text in _SWITCHES:
        return _SWITCHES[text]
    if isinstance(given, bool):
        return given
    raise ValueError


def _whole(given: Any) -> int:
    if isinstance(given, bool):
        raise ValueError
    if isinstance(given, str):
        try:
            return int(given)
        except ValueError:
            given = float(given)
            if abs(given) > _WHOLE_FLOATS:
                raise
    number = int(given)
    if number != given:
        raise ValueError
    return number


def _number(given: Any) -> float:
    number = float(given)
    if isinstance(given, bool) or math.isnan(number):
        raise ValueError
    return number


_WORDS = {bool: "on or off", int: "a whole number", float: "a number", str: "a text", NoneType: "none", None: "none"}
_SEVERAL = {int: "whole numbers such as 3,2,1", float: "numbers such as 0.5,1", str: "names such as a,b"}


def _in_words(kind: Any) -> str:
    """What a kind takes, as a person would say it."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _either([_in_words(part) for part in parts])
    if origin is Literal:
        return _either([write_value(choice) for choice in parts])
    if origin is tuple:
        if parts[-1] is Ellipsis:
            return _SEVERAL.get(parts[0], "values with commas between them")
        return f"{len(parts)} values with commas between them"
    return _WORDS[kind]


def _either(words: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
