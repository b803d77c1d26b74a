"""The settings of a request: taken from its text, and read as the values that they stand for.

Settings of all requests are memory, threads, mode, seed and the limits depth, nodes and seconds; the others are the
options of the method. In a text they stand in brackets, `NAME=VALUE` with commas between them; a value may hold commas
itself (`probes=3,2,1`), and one that holds settings stands in brackets of its own (`cut=(form=share, size=2)`). A value
in double quotes is taken as it is, whatever it holds, with a backslash before a quote (`command="gnugo --mode gtp"`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any, get_type_hints

from zermelo.core.fastest_cut import CutFirst, read_cut
from zermelo.core.memory import DEFAULT
from zermelo.core.method import Method
from zermelo.core.request import Request
from zermelo.rules import UnknownName, Unsuitable, nearest
from zermelo.rules.settings import read_value

_TEXT = re.compile(r"\s*(?P<name>[^\s(),=]+)\s*(?:\((?P<settings>.*)\)\s*)?", re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
OWN: dict[str, Any] = {"memory": str, "threads": int, "mode": str | None, "seed": int | None}
LIMITS: dict[str, Any] = {"nodes": int | None, "seconds": float | None, "depth": int | None}


def name_and_settings(text: str) -> tuple[str, dict[str, str]]:
    """A text such as `alphabeta(depth=6)` as a name and its settings."""
    found = _TEXT.fullmatch(text)
    if found is None:
        raise Unsuitable(f"{text!r} is no request: write a method and its settings, such as alphabeta(depth=6)")
    told: dict[str, str] = {}
    last = ""
    for part in _parts(text, found["settings"] or ""):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals and last:  # the next number of a list
            told[last] += f",{name}"
            continue
        if not equals or not name or not value:
            raise Unsuitable(f"in {text!r} a setting is NAME=VALUE, such as depth=6, not {part.strip()!r}")
        if name in told:
            raise Unsuitable(f"{text!r} sets {name} twice")
        told[name], last = _unquoted(text, value), name
    return found["name"], told


def _unquoted(text: str, value: str) -> str:
    if not value.startswith('"'):
        return value
    found = _QUOTED.fullmatch(value)
    if found is None:
        raise Unsuitable(f"in {text!r} something follows the quotes of {value}")
    return re.sub(r"\\(.)", r"\1", found[0][1:-1], flags=re.DOTALL)


def _parts(text: str, settings: str) -> list[str]:
    """What stands between commas that are in no inner brackets and no quotes."""
    parts, depth, at = [""], 0, 0
    while at < len(settings):
        quoted = _QUOTED.match(settings, at)
        if settings[at] == '"' and quoted is None:
            raise Unsuitable(f"the quotes in {text!r} do not match")
        if quoted is not None:
            parts[-1] += quoted[0]
            at = quoted.end()
            continue
        letter, at = settings[at], at + 1
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    if depth != 0:
        raise Unsuitable(f"the brackets in {text!r} do not match")
    return parts if parts != [""] and settings.strip() else []


def with_settings(made: Request, settings: Mapping[str, Any]) -> Request:
    """A request with other settings, each a value or the text of one."""
    kinds = option_kinds(made.method)
    known = {**LIMITS, **OWN, **kinds}
    for name in settings:
        if name not in known:
            raise UnknownName(f"{made.method.name} has no setting {name}: {nearest(name, known)}")
    values = {name: _value(name, value, known[name]) for name, value in settings.items()}
    own = {name: value for name, value in values.items() if name in OWN}
    if own.get("memory", "") is None:
        own["memory"] = DEFAULT
    limits = {name: value for name, value in values.items() if name in LIMITS}
    chosen = {name: value for name, value in values.items() if name in kinds}
    built = replace(made.options, **chosen) if chosen else made.options
    return replace(made, **own, options=built, limits=replace(made.limits, **limits) if limits else made.limits)


def option_kinds(method: Method) -> dict[str, Any]:
    """What the options of a method are called, and which values they take."""
    family: Any = type(method.options)
    return _kinds(family)


@cache
def _kinds(options: Any) -> dict[str, Any]:
    hints = get_type_hints(options)
    return {field.name: hints[field.name] for field in fields(options)}


def _value(name: str, given: Any, kind: Any) -> Any:
    if kind == CutFirst | None and isinstance(given, str):
        inner = given.strip()
        return read_cut(inner[1:-1] if inner.startswith("(") and inner.endswith(")") else inner)
    if "tuple" in str(kind) and given == "none":  # nothing at all, where None would be what is usual
        return ()
    if name == "memory":
        return str(given)
    return read_value(name, given, kind)
