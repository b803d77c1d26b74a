"""Move orderings that were tuned for a game, kept in a file beside its rules.

The rules in `othello.py` have their orderings in `othello.order.json`: a list of entries, each with the game's name,
the parameters that it was tuned for (it serves every game that agrees with them), the sources of move ordering and the
weights of fastest-cut-first. `zermelo lab tune-order` writes it, for the games here and for anybody's own; searches
read it when nobody asks for another order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from zermelo.core.fastest_cut import CutFirst
from zermelo.core.ordering import SOURCES
from zermelo.rules import Game, Unsuitable, ZermeloError
from zermelo.rules.files import read_json, read_text, save

SUFFIX = ".order.json"


@dataclass(frozen=True)
class Tuned:
    """How the moves of a game are best ordered, by measurement; `measured` says so in words."""

    game: str
    parameters: tuple[tuple[str, Any], ...]
    order: tuple[str, ...]
    cut: CutFirst
    measured: str = ""

    def serves(self, game: Game) -> bool:
        given = game.parameters
        return game.name == self.game and all(name in given and given[name] == v for name, v in self.parameters)

    def as_dict(self) -> dict[str, Any]:
        chosen = {name: value for name, value in asdict(self.cut).items() if value != getattr(CutFirst(), name)}
        return {
            "game": self.game, "parameters": dict(self.parameters), "order": list(self.order), "cut": chosen,
            "measured": self.measured,
        }  # fmt: skip


def tuned_for(game: Game) -> Tuned | None:
    """The ordering that was tuned for a game, the one for most of its parameters if there are several."""
    path = file_beside(game)
    if path is None:
        return None
    fitting = [entry for entry in _entries(path) if entry.serves(game)]
    return max(fitting, key=lambda entry: len(entry.parameters), default=None)


def keep(entry: Tuned, game: Game) -> Path:
    """Write an ordering beside the game's rules, instead of an older one for the same parameters."""
    path = file_beside(game)
    if path is None:
        raise Unsuitable(f"{game.name}: its rules come from no file, so there is no place to keep a tuned order")
    _, others = _parted(path, game, dict(entry.parameters))
    _write(path, [*others, entry])
    return path


def forget(game: Game, parameters: Mapping[str, Any]) -> Path | None:
    """Remove what was tuned for just these parameters; the file, if there was such an entry."""
    path = file_beside(game)
    if path is None:
        return None
    same, others = _parted(path, game, dict(parameters))
    if not same:
        return None
    _write(path, others)
    return path


def file_beside(game: Game, suffix: str = SUFFIX) -> Path | None:
    """Where the tuned orderings of a game are kept, or whatever else ends in `suffix`; None for rules that come from no
    file."""
    moves = game.moves if game.compilable else getattr(type(game.start), "moves", game.moves)  # the class is theirs
    code = getattr(moves, "__code__", None)
    read_from = game.parameters.get("file")  # of a game that is itself data
    source = Path(read_from) if read_from else Path(code.co_filename) if code is not None else None
    return source.with_name(source.stem + suffix) if source is not None and source.exists() else None


def _parted(path: Path, game: Game, parameters: dict[str, Any]) -> tuple[list[Tuned], list[Tuned]]:
    """What a file holds for just these parameters, and what else."""
    same: list[Tuned] = []
    others: list[Tuned] = []
    for entry in _entries(path):
        (same if entry.game == game.name and dict(entry.parameters) == parameters else others).append(entry)
    return same, others


def _write(path: Path, entries: list[Tuned]) -> None:
    save(path, json.dumps([entry.as_dict() for entry in entries], indent=2) + "\n")


def _entries(path: Path) -> tuple[Tuned, ...]:
    return _read(path, path.stat().st_mtime_ns) if path.exists() else ()


@lru_cache(maxsize=32)
def _read(path: Path, _: int) -> tuple[Tuned, ...]:
    """The entries of a file, read again when it has changed."""
    try:
        entries = read_json(read_text(path), path.name)
        if not isinstance(entries, list):
            raise TypeError("it must begin with [")
        for entry in entries:
            if not isinstance(entry["order"], list) or not set(entry["order"]) <= set(SOURCES):
                raise TypeError(f"an order is a list of some of {', '.join(SOURCES)}")
        return tuple(
            Tuned(
                entry["game"], tuple(entry["parameters"].items()), tuple(entry["order"]), CutFirst(**entry["cut"]),
                entry.get("measured", ""),
            )
            for entry in entries
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError, ZermeloError) as broken:
        raise Unsuitable(
            f"{path} is not a list of tuned orders ({type(broken).__name__}: {broken}); zermelo lab tune-order writes "
            "one, and without the file the game's own order is used"
        ) from None
