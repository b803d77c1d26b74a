"""The games: one file or folder each, found by looking in here and at the entry points `zermelo.games`.

A file `connect_four.py` holds a factory `connect_four(...)` and is listed as `connect-four`. From Python,
`zermelo.games.connect_four(width=5)` builds it. `load` takes whatever a person may write on a command line; what a
*file* says goes through `from_file`, which runs nothing that its author chose.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import pkgutil
import re
import sys
from collections.abc import Callable, Mapping
from importlib import metadata
from types import ModuleType
from typing import Any

from zermelo.rules import Game, UnknownName, Unsuitable, build, nearest
from zermelo.rules.modules import factory_in, module_in, module_named

Factory = Callable[..., Game]


_PYTHON_FILE = re.compile(r"(?P<file>.+\.py)(?::(?P<factory>.*))?", re.DOTALL)
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")
_PLAIN_TEXT = re.compile(r"[\w ,+=-]{0,200}")
_LARGEST = 1 << 63


def names() -> list[str]:
    """The listed games, alphabetically."""
    return sorted({*_own(), *_plugins()})


def _own() -> list[str]:
    """The games of this package. A file that begins with _ is a part of one, or of several."""
    return [m.name.replace("_", "-") for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")]


def _plugins() -> dict[str, metadata.EntryPoint]:
    return {point.name: point for point in metadata.entry_points(group="zermelo.games")}


def factory(name: str) -> Factory:
    """The factory of a listed game."""
    if name in _plugins():
        return _plugins()[name].load()  # type: ignore[no-any-return]
    if name in _own():
        return _factory_here(name)
    if os.path.isfile(f"{name}.py"):
        raise UnknownName(f"no game is called {name}; did you mean the file {name}.py?")
    raise UnknownName(f"no game is called {name}: {nearest(name, names())}")


def usual_parameters(game: Game) -> dict[str, Any]:
    """The parameters of a listed game that nobody has set; nothing for a game of somebody's own."""
    if game.name not in names():
        return {}
    wanted = inspect.signature(factory(game.name)).parameters.values()
    return {each.name: each.default for each in wanted if each.default is not inspect.Parameter.empty}


def _factory_here(name: str) -> Factory:
    module = name.replace("-", "_")
    return getattr(importlib.import_module(f"{__name__}.{module}"), module)  # type: ignore[no-any-return]


def load(spec: str, parameters: Mapping[str, Any] | None = None) -> Game:
    """The game that a person names: a listed one, a file `nim.py` or `nim.py:factory`, `module:factory`, a graph file,
    or `openspiel:…`."""
    parameters = dict(parameters or {})
    if spec.startswith("openspiel:"):
        return build(factory("openspiel"), {"game": spec.partition(":")[2], **parameters})
    if spec.endswith(".json"):
        return build(factory("graph"), {"file": os.path.expanduser(spec), **parameters})
    if python := _PYTHON_FILE.fullmatch(spec):
        return build(factory_in(module_in(python["file"]), python["factory"] or "", python["file"]), parameters)
    if os.sep in spec or os.path.isfile(spec):
        raise UnknownName(
            f"{spec} is no game: a file is a Python file (nim.py, or nim.py:factory) or a graph file (nim.json)"
        )
    if ":" in spec:
        module, _, name = spec.partition(":")
        return build(factory_in(module_named(module), name, module), parameters)
    return build(factory(spec), parameters)


def from_file(name: Any, parameters: Any = None, graph: Any = None) -> Game:
    """The game that a file means, of which anybody may be the author; so it is not `load` that reads it.

    A file may name a game of this package, with numbers, switches and plain words for its parameters, or a game of
    OpenSpiel by its plain name, or carry the content of a graph. Nothing else is looked for, imported or opened:
    modules, paths, options of OpenSpiel and games that others have installed are for the person to name.
    """
    if graph is not None:
        from zermelo.games.graph import graph_game

        return graph_game(graph)
    if name is None:
        raise Unsuitable("the file does not say which game it is about: name it yourself with --game")
    given = {} if parameters is None else parameters
    if not isinstance(name, str) or not isinstance(given, Mapping):
        raise _refused(name)
    kind, _, inner = name.partition(":")
    if kind == "openspiel":
        return _openspiel_from_file(given.get("game", inner), given)
    if not _PLAIN_NAME.fullmatch(name) or name == "graph" or name in _plugins():
        raise _refused(name)
    if name not in _own():
        raise UnknownName(f"no game is called {name}: {nearest(name, _own())}")
    made = _factory_here(name)
    wanted = inspect.signature(made).parameters
    for key, value in given.items():
        if key not in wanted:
            raise UnknownName(f"{name} has no parameter {_shown(key)}: {nearest(str(key)[:60], wanted)}")
        if not _fits(str(wanted[key].annotation), value):
            raise Unsuitable(f"{name}: the file gives {key} as {_shown(value)}, which is no {wanted[key].annotation}")
    return build(made, given)


def _openspiel_from_file(name: Any, given: Mapping[str, Any]) -> Game:
    from zermelo.games.openspiel import needs_no_file

    plain = isinstance(name, str) and _PLAIN_NAME.fullmatch(name) and set(given) <= {"game"}
    if not plain or not needs_no_file(name):
        raise _refused(name)
    return build(_factory_here("openspiel"), {"game": name})


def _refused(name: Any) -> Unsuitable:
    return Unsuitable(
        f"the file names {_shown(name)} as its game, but a file may only name games that come with Zermelo: if you "
        "know the game, name it yourself with --game, and its parameters with --set"
    )


def _fits(kind: str, value: Any) -> bool:
    """Whether a value from a file is of the kind that a factory declares, and a plain one."""
    if kind == "str":
        return isinstance(value, str) and _PLAIN_TEXT.fullmatch(value) is not None
    if kind == "bool":
        return type(value) is bool
    kinds = {"int": (int,), "float": (int, float)}.get(kind, ())
    return type(value) in kinds and abs(value) < _LARGEST


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


class _Shelf(ModuleType):
    """This package as a shelf of factories: `games.connect_four(width=5)` is always the factory, with its
    parameters checked and remembered, also after the import system has bound the file of that name here."""

    def __getattr__(self, name: str) -> Factory:
        listed = name.replace("_", "-")
        if name.startswith("_") or listed not in names():
            raise AttributeError(f"no game is called {name}")
        return _remembering(factory(listed))

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, ModuleType):
            super().__setattr__(name, value)


def _remembering(made: Factory) -> Factory:
    @functools.wraps(made)
    def call(**parameters: Any) -> Game:
        return build(made, parameters)

    return call


sys.modules[__name__].__class__ = _Shelf
