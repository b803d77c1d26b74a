"""Engines that were measured for a game, kept in a file beside its rules.

The rules in `connect_four.py` have theirs in `connect_four.engines.json`, a list of entries of two kinds:

    {"game": "connect-four", "engine": "mcts(playout=decisive)", "why": "won 85 % of 40 games at 0.2 s a move"}
    {"game": "connect-four", "engine": "mcts(playout=decisive)", "tuned": {"c": 1.3}, "why": "+35 Elo in 60 games"}

The first kind names the engine that searches and plays when nobody asks for another. The second kind says how an engine
is set from then on, whenever somebody asks for it and sets nothing else; `zermelo tune` writes these. An entry may name
`parameters`, and serves every game that agrees with them; of several the most particular one does. All of it is data:
texts and numbers that are checked as if a person had typed them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from zermelo.core.request import Request
from zermelo.core.tuned import file_beside
from zermelo.methods.registry import method_named
from zermelo.methods.settings import name_and_settings, option_kinds, with_settings
from zermelo.rules import Game, Unsuitable, ZermeloError
from zermelo.rules.files import read_json, read_text, save

SUFFIX = ".engines.json"
_KEYS = {"game", "parameters", "engine", "tuned", "why"}


@dataclass(frozen=True)
class Entry:
    """What was found out about an engine. tuned: settings that suit it best; None for the best engine of a game.
    why: the measurement in words. file: where it was read."""

    game: str
    parameters: Mapping[str, Any]
    engine: str
    tuned: Mapping[str, Any] | None
    why: str
    file: Path = field(default=Path(), compare=False)

    @property
    def method(self) -> str:
        return name_and_settings(self.engine)[0]

    @property
    def settings(self) -> dict[str, str]:
        """What the text of the engine sets."""
        return name_and_settings(self.engine)[1]

    def serves(self, game: Game) -> bool:
        given = game.parameters
        return game.name == self.game and all(name in given and given[name] == v for name, v in self.parameters.items())

    def replaces(self, other: Entry) -> bool:
        """Whether the other entry is about the same."""
        return (self.game, self.parameters, self.method, self.settings, self.tuned is None) == (
            other.game, other.parameters, other.method, other.settings, other.tuned is None
        )  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        told = {} if self.tuned is None else {"tuned": dict(self.tuned)}
        return {"game": self.game, "parameters": dict(self.parameters), "engine": self.engine, **told, "why": self.why}


def engine_for(game: Game) -> Entry | None:
    """The engine that plays a game best, if one was measured."""
    return next((entry for entry in _serving(game) if entry.tuned is None), None)


def tuned_for(game: Game, method: str) -> list[Entry]:
    """What was tuned for a game and a method, the most particular entry first."""
    return [entry for entry in _serving(game) if entry.tuned is not None and entry.method == method]


def keep(entry: Entry, game: Game, file: Path | None = None) -> Path:
    """Write an entry beside the game's rules, or into another file, instead of an older one about the same."""
    path = file or place(game)
    others = [other for other in _entries(path) if not entry.replaces(other)]
    save(path, json.dumps([kept.as_dict() for kept in [*others, entry]], indent=2) + "\n")
    return path


def place(game: Game) -> Path:
    """Where the engines of a game are kept."""
    path = file_beside(game, SUFFIX)
    if path is None:
        raise Unsuitable(f"{game.name}: its rules come from no file, so name one for what is tuned, by --out FILE")
    return path


def _serving(game: Game) -> list[Entry]:
    path = file_beside(game, SUFFIX)
    fitting = [entry for entry in _entries(path) if entry.serves(game)] if path is not None else []
    return sorted(fitting, key=lambda entry: (len(entry.parameters), len(entry.settings)), reverse=True)


def _entries(path: Path) -> tuple[Entry, ...]:
    return _read(path, path.stat().st_mtime_ns) if path.exists() else ()


@lru_cache(maxsize=32)
def _read(path: Path, _: int) -> tuple[Entry, ...]:
    """The entries of a file, read again when it has changed."""
    try:
        entries = read_json(read_text(path), path.name)
        if not isinstance(entries, list):
            raise Unsuitable("it must begin with [")
        return tuple(_entry(entry, path) for entry in entries)
    except ZermeloError as broken:
        raise Unsuitable(
            f"{path} is not a list of engines ({broken}); zermelo tune writes one, and without the file engines are as "
            "usual"
        ) from None


def _entry(told: Any, path: Path) -> Entry:
    if not isinstance(told, dict) or not {"game", "engine"} <= told.keys() <= _KEYS:
        raise Unsuitable("an entry has a game and an engine, and may have parameters, tuned and why")
    for name in ("game", "engine", "why"):
        if not isinstance(told.get(name, ""), str):
            raise Unsuitable(f"{name} must be a text")
    parameters, tuned = told.get("parameters", {}), told.get("tuned")
    if not isinstance(parameters, dict) or not isinstance(tuned, dict | None):
        raise Unsuitable("parameters and tuned are objects of names and values")
    if not all(isinstance(value, str | int | float) for value in (tuned or {}).values()):
        raise Unsuitable("what is tuned is set to a number, a text, true or false")
    entry = Entry(told["game"], parameters, told["engine"], tuned, told.get("why", ""), path)
    method = method_named(entry.method)
    with_settings(Request(method, method.options), {**entry.settings, **(tuned or {})})
    budgets = {*entry.settings, *tuned} - option_kinds(method).keys() if tuned is not None else set()
    if budgets:
        raise Unsuitable(f"{min(budgets)} says what {method.name} may use, and is not tuned")
    return entry
