"""The games: one file or folder each, found by looking in here and at the entry points `zermelo.games`.

A file `connect_four.py` holds a factory `connect_four(...)` and is listed as `connect-four`. From Python,
`zermelo.games.connect_four(width=5)` builds it; `load` takes whatever a person may write on a command line.
"""

from __future__ import annotations

import functools
import importlib
import os
import pkgutil
import sys
from collections.abc import Callable, Mapping
from importlib import metadata
from types import ModuleType
from typing import Any

from zermelo.rules import Game, UnknownName, ZermeloError, build, nearest

Factory = Callable[..., Game]


def names() -> list[str]:
    """The listed games, alphabetically."""
    here = [m.name.replace("_", "-") for m in pkgutil.iter_modules(__path__)]
    return sorted({*here, *_plugins()})


def _plugins() -> dict[str, metadata.EntryPoint]:
    return {point.name: point for point in metadata.entry_points(group="zermelo.games")}


def factory(name: str) -> Factory:
    """The factory of a listed game."""
    module = name.replace("-", "_")
    if name in names():
        if name in _plugins():
            return _plugins()[name].load()  # type: ignore[no-any-return]
        return getattr(importlib.import_module(f"{__name__}.{module}"), module)  # type: ignore[no-any-return]
    raise UnknownName(f"no game is called {name}: {nearest(name, names())}")


def load(spec: str, parameters: Mapping[str, Any] | None = None) -> Game:
    """The game that a person names: a listed one, `module:factory`, a graph file, or `openspiel:…`."""
    parameters = dict(parameters or {})
    if spec.startswith("openspiel:"):
        return build(factory("openspiel"), {"game": spec.partition(":")[2], **parameters})
    if spec.endswith(".json") or os.sep in spec:
        return build(factory("graph"), {"file": spec, **parameters})
    if ":" in spec:
        return build(_from_module(spec), parameters)
    return build(factory(spec), parameters)


def _from_module(spec: str) -> Factory:
    """`module:factory`, looked for where Python looks and in the current folder."""
    module_name, _, attribute = spec.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ZermeloError:
        raise
    except ModuleNotFoundError as missing:
        if missing.name == module_name:
            raise UnknownName(f"no module {module_name} here: {module_name}.py must be in this folder") from None
        raise UnknownName(f"{module_name} cannot be imported: {missing}") from None
    except Exception as broken:
        raise UnknownName(f"{module_name} cannot be imported: {type(broken).__name__}: {broken}") from broken
    made = getattr(module, attribute, None)
    if not callable(made):
        known = [n for n, value in vars(module).items() if callable(value) and not n.startswith("_")]
        raise UnknownName(f"{module_name} has no factory {attribute}: {nearest(attribute, known)}")
    return made  # type: ignore[no-any-return]


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
