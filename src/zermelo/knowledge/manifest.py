"""The manifest of a table: what it is about, what is done of it, and what is in its files.

`table.json` in the table's folder names the game with its parameters, a hash of its rules and of the hooks that number
its positions, and the tiers that are finished, each with its counts and the checksum of its file. The last line of the
manifest is its own checksum. It is written anew whenever a tier is finished, whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.certificates.certificate import Damaged
from zermelo.certificates.rulebook import fingerprint
from zermelo.knowledge.coding import Coding
from zermelo.knowledge.enumerating import IndexEntry
from zermelo.rules import Game, Unsuitable, ZermeloError
from zermelo.rules.files import read_json, read_text, save
from zermelo.rules.tiers import tiers_of

FILE = "table.json"
FORMAT = 1
NUMBERING, NAMING = ("index", "unindex", "rest"), ("key", "rest")
"""The hooks on which the meaning of a table depends, beside the rules: where the game numbers its positions, and where
it does not."""


class OtherFormat(Unsuitable):
    """A table is whole, but other versions than this one can read it."""


@dataclass(frozen=True)
class TierEntry:
    """A finished tier. size: its numbers; positions: those that are used, of which the player to move has won, drawn
    and lost so many; longest: the most plies, where distances are kept; residual: how far expectations moved last;
    sha256 and bytes: of its file; by_distance: plies, and how many positions are won and lost in as many."""

    tier: int
    name: str
    size: int
    positions: int
    won: int
    drawn: int
    lost: int
    longest: int | None
    residual: float
    file: str
    bytes: int
    sha256: str
    by_distance: Sequence[tuple[int, int, int]] = ()


@dataclass(frozen=True)
class Manifest:
    """What `table.json` holds. index: of the positions, where the game does not number them."""

    game: str
    parameters: Mapping[str, Any]
    rules: str
    values: str
    dtype: str
    paired: bool
    low: int
    codec: str
    tiers: tuple[TierEntry, ...] = ()
    complete: bool = False
    verified: bool = False
    work: Mapping[str, Any] = field(default_factory=dict)
    index: IndexEntry | None = None
    format: int = FORMAT

    @property
    def coding(self) -> Coding:
        return Coding(self.values, np.dtype(self.dtype), self.paired, self.low)

    @property
    def bits(self) -> int:
        """In how many bits an entry is kept in a file."""
        return 2 if self.values == "wdl" else 8 * np.dtype(self.dtype).itemsize

    @property
    def bytes(self) -> int:
        """Of all files but this one."""
        return sum(entry.bytes for entry in self.tiers) + (0 if self.index is None else self.index.bytes)

    def write(self, folder: Path) -> None:
        told = asdict(self)
        save(folder / FILE, json.dumps({**told, "checksum": _checksum(told)}, indent=1) + "\n")

    def with_tier(self, entry: TierEntry) -> Manifest:
        return replace(self, tiers=(*self.tiers, entry), work={})


def numbering(game: Game) -> str:
    """A hash of a game's rules, and of how it numbers its positions."""
    return fingerprint(game, NAMING if game.index is None else NUMBERING)


def begin(game: Game, coding: Coding, codec: str) -> Manifest:
    """The manifest of a table of which nothing is done."""
    about = (game.name, dict(game.parameters), numbering(game))
    return Manifest(*about, coding.kind, coding.dtype.str, coding.paired, coding.low, codec)


def read_manifest(folder: str | Path) -> Manifest:
    """The manifest in a folder. One that has changed, or is of another format, is refused."""
    path = Path(folder) / FILE
    if not path.is_file():
        raise Unsuitable(f"{folder} holds no table: there is no {FILE} in it")
    try:
        told = read_json(read_text(path), str(path))
        if not isinstance(told, dict):
            raise Unsuitable("it is no JSON object")
        checksum, version = told.pop("checksum", None), told.get("format")
        if checksum != _checksum(told):
            raise Unsuitable(f"its format is {version}, not {FORMAT}" if version != FORMAT else "its checksum is wrong")
        if version != FORMAT:
            raise OtherFormat(
                f"{folder} is a table of another version of Zermelo: its format is {version}, and this version reads "
                f"{FORMAT}; build it again into another folder"
            )
        tiers = tuple(
            TierEntry(**{**entry, "by_distance": [tuple(row) for row in entry.get("by_distance", ())]})
            for entry in told.pop("tiers")
        )
        index = told.pop("index", None)
        return Manifest(**told, tiers=tiers, index=None if index is None else IndexEntry(**index))
    except OtherFormat:
        raise
    except (ZermeloError, TypeError, KeyError, ValueError) as broken:
        raise Damaged(
            f"{path} is not the manifest of a table, or it has changed: {broken}; remove the folder and build the "
            "table again"
        ) from None


def check_about(manifest: Manifest, game: Game, folder: str | Path) -> None:
    """Refuse a table of another game, or of other rules."""
    if manifest.game != game.name:
        raise Unsuitable(f"{folder} is a table of {manifest.game}, not of {game.name}: name another folder")
    if manifest.rules != numbering(game) or not _sizes_agree(manifest, game):
        settings = ", ".join(f"{name}={value}" for name, value in manifest.parameters.items())
        raise Unsuitable(
            f"{folder} is a table of {manifest.game} with other rules, parameters or numbers"
            f"{f' ({settings})' if settings else ''}, not of this {game.summary}: name another folder, or remove this "
            "one and build it again"
        )


def _sizes_agree(manifest: Manifest, game: Game) -> bool:
    """Whether the game lists every tier of the table as that is."""
    if game.index is None:
        return True
    sizes = {tier.tier: tier.size for tier in tiers_of(game)}
    return all(sizes.get(entry.tier) == entry.size for entry in manifest.tiers)


def check_complete(manifest: Manifest, folder: str | Path) -> None:
    """Refuse a table that was begun and left."""
    if not manifest.complete:
        raise Unsuitable(
            f"{folder} is not finished: the command that began it goes on, zermelo table build … --out {folder}"
        )


def _checksum(told: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
