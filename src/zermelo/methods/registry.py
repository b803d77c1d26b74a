"""The methods by name: every file of a family that has a `METHOD`, and nothing that has to be kept by hand."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from zermelo import chance, minimax, opponent, pn, positions, sampling
from zermelo.core.method import Method
from zermelo.rules import Game, UnknownName, Unsuitable, nearest

FAMILIES = (minimax, chance, pn, positions, sampling, opponent)


@cache
def methods() -> dict[str, Method]:
    """All methods, by name."""
    found = []
    for family in FAMILIES:
        for file in pkgutil.iter_modules(family.__path__):
            module = importlib.import_module(f"{family.__name__}.{file.name}")
            found += [module.METHOD] if hasattr(module, "METHOD") else []
    return {method.name: method for method in sorted(found, key=lambda method: method.name)}


def method_named(name: str) -> Method:
    if name not in methods():
        raise UnknownName(f"no method is called {name}: {nearest(name, methods())}")
    return methods()[name]


def suitable(method: Method, game: Game) -> Method:
    """The method, unless it cannot serve this game at all."""
    if game.has_chance and not method.chance:
        others = ", ".join(name for name, m in methods().items() if m.chance and not m.plays)
        raise Unsuitable(f"{game.name} has chance positions, which {method.name} cannot search; these can: {others}")
    return method


def default_for(game: Game, purpose: str, deepening: bool = False) -> tuple[Method, str] | None:
    """The method that claims a game for a purpose (solve or search), and why; None if no family does. `deepening`: it
    must be one that can be told how deep to look."""
    able = [method for method in methods().values() if method.deepens or not deepening]
    claims = [(method, method.suits(game, purpose)) for method in able if method.suits is not None]
    return next((claim for claim in claims if claim[1]), None)
