"""Requests are made here, and nowhere else: from a game, a purpose, a claim if there is one, and what a person set.

    request("star2.5(depth=5, probes=3)", game)          by its text
    request(None, game, "search", memory="1GB")          what suits the game, with more memory
    request("mtdf", game, table=False)                   settings by name, as values or as texts

Settings of all requests are memory, threads, mode, seed and the limits depth, nodes and seconds; the others are the
options of the method. In a text they stand in brackets, `NAME=VALUE` with commas between them; a value may hold commas
itself (`probes=3,2,1`), and one that holds settings stands in brackets of its own (`cut=(form=share, size=2)`).
"""

from __future__ import annotations

import re
from dataclasses import fields, replace
from functools import cache
from typing import Any, get_type_hints

from zermelo.core.fastest_cut import CutFirst, read_cut
from zermelo.core.memory import DEFAULT
from zermelo.core.method import Method, Options, fit
from zermelo.core.request import Request
from zermelo.methods.choice import PURPOSES, choose
from zermelo.methods.finishing import finish
from zermelo.methods.registry import method_named, suitable
from zermelo.rules import Game, UnknownName, Unsuitable, nearest
from zermelo.rules.settings import read_value

_TEXT = re.compile(r"\s*(?P<name>[^\s(),=]+)\s*(?:\((?P<settings>.*)\)\s*)?", re.DOTALL)
_OWN: dict[str, Any] = {"memory": str, "threads": int, "mode": str | None, "seed": int | None}
_LIMITS: dict[str, Any] = {"nodes": int | None, "seconds": float | None, "depth": int | None}


def request(
    text: str | Request | None = None,
    game: Game | None = None,
    purpose: str = "solve",
    *,
    claim: float | None = None,
    options: Options | None = None,
    **settings: Any,
) -> Request:
    """The request that a text names, or the one that suits a game for a purpose (solve, search, prove or play) and a
    claim, with `settings` on top. `options` are all options of the method at once. Whatever the game cannot be
    served with is refused."""
    if purpose not in PURPOSES:
        raise UnknownName(f"no purpose is called {purpose}: {nearest(purpose, PURPOSES)}")
    if isinstance(text, Request):
        made = text
    elif text is not None:
        name, told = name_and_settings(text)
        method = method_named(name)
        made = _with(Request(method, method.options, finish=finish), told)
    elif game is not None:
        deepening = settings.get("depth") is not None
        choice = choose(game, purpose, claim, deepening)
        made = Request(choice.method, choice.method.options, why=choice.why, finish=finish)
        if options is not None or set(settings) - {*_OWN, *_LIMITS}:
            alone = "prove" if purpose == "solve" else purpose  # one search, as the person set it
            choice = choose(game, alone, claim, deepening)
            made = replace(made, method=choice.method, options=choice.method.options, why=choice.why)
    else:
        raise Unsuitable("a request needs a method, or a game for which to choose one")
    if options is not None:
        made = replace(made, options=_of_family(options, made.method))
    made = _with(made, {name: value for name, value in settings.items() if value is not None or name not in _OWN})
    if game is not None:
        suitable(made.method, game)
        fit(made.options, game)
        if made.method.plays and purpose in ("solve", "prove"):
            raise Unsuitable(f"{made.method.name} finds moves, not values: take it to search or to play")
        if made.mode == "compiled" and not game.compilable:
            raise Unsuitable(f"{game.name} is made of Python objects and can only be interpreted")
    return made


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
        told[name], last = value, name
    return found["name"], told


def _parts(text: str, settings: str) -> list[str]:
    """What stands between commas that are in no inner brackets."""
    parts, depth = [""], 0
    for letter in settings:
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


def _with(made: Request, settings: dict[str, Any]) -> Request:
    """A request with other settings, each a value or the text of one."""
    kinds = option_kinds(made.method)
    known = {**_LIMITS, **_OWN, **kinds}
    for name in settings:
        if name not in known:
            raise UnknownName(f"{made.method.name} has no setting {name}: {nearest(name, known)}")
    values = {name: _value(name, value, known[name]) for name, value in settings.items()}
    own = {name: value for name, value in values.items() if name in _OWN}
    if own.get("memory", "") is None:
        own["memory"] = DEFAULT
    limits = {name: value for name, value in values.items() if name in _LIMITS}
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


def _of_family(options: Options, method: Method) -> Options:
    """Options of another family as far as this one has them."""
    if isinstance(options, type(method.options)):
        return options
    known = {field.name for field in fields(method.options)}
    shared = {field.name: getattr(options, field.name) for field in fields(options) if field.name in known}
    return replace(method.options, **shared)
