"""A finished table: opened, asked, verified.

    table = Table.open("dobutsu.table", game)
    table.probe(position)     # Found(score=-1, plies=78)
    table.moves(position)     # every move with what it is worth

Blocks are unpacked when they are first needed; where memory is short, the oldest ones give way.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.certificates.certificate import Damaged
from zermelo.compile.modes import Interpreted
from zermelo.compile.paging import Pager
from zermelo.core.memory import parse_size
from zermelo.knowledge.blocks import Blocks
from zermelo.knowledge.coding import FAR, decoder
from zermelo.knowledge.enumerating import IndexEntry, Numbered, read_index
from zermelo.knowledge.manifest import Manifest, TierEntry, check_about, check_complete, read_manifest
from zermelo.knowledge.numbers import DEEPEST, outside
from zermelo.rules import CHANCE, Game, Position, RuleError, Unsuitable, wrapping
from zermelo.rules.position import named
from zermelo.rules.tiers import in_short

CHECKED_AT_ONCE = 1 << 28
"""Files of a table up to so many bytes in all are compared with their checksums when it is opened; of a larger one,
each block when it is read."""


class Found(NamedTuple):
    """What a table says of a position: the first player's score (an expectation, where there are dice), and in how many
    plies it is reached, if the table knows and somebody wins."""

    score: float
    plies: int | None


class Table:
    """A table in a folder. memory: how many bytes of unpacked blocks are kept."""

    def __init__(self, folder: Path, game: Game, manifest: Manifest, memory: int) -> None:
        self.folder, self.game, self.manifest = folder, game, manifest
        if manifest.index is not None:
            assert game.State is not None
            self._numbered = Numbered(game, *read_index(folder, manifest.index, manifest.codec, game.State))
            self.game = self._numbered.game
        self.coding = manifest.coding
        self.decode = decoder(Interpreted(), self.coding)
        self.files = {entry.tier: open_tier(folder, manifest, entry) for entry in manifest.tiers}
        sizes = [0] * (max(self.files, default=-1) + 1)
        for tier, file in self.files.items():
            sizes[tier] = file.size
        self.pager = Pager(sizes, self.coding.dtype, lambda tier, block: self.files[tier].read(block), memory)

    @classmethod
    def open(cls, folder: str | Path, game: Game, memory: str | int = "256MB") -> Table:
        """Open a table of this game. One that is of other rules, unfinished or damaged is refused."""
        manifest = read_manifest(folder)
        check_about(manifest, game, folder)
        check_complete(manifest, folder)
        if manifest.bytes <= CHECKED_AT_ONCE:
            check_files(Path(folder), manifest)
        return cls(Path(folder), game, manifest, parse_size(memory))

    def close(self) -> None:
        self.pager.close()

    @wrapping
    def place(self, position: Position) -> tuple[int, int]:
        """The tier and the number of a position; below 0 if it has none."""
        assert self.game.index is not None
        tier, number, _ = self.game.index(position.state)
        return int(tier), int(number)

    def holds(self, position: Position) -> bool:
        """Whether the table knows a position, directly or by what its moves lead to."""
        try:
            self.probe(position)
        except Unsuitable:
            return False
        return True

    @wrapping
    def probe(self, position: Position) -> Found:
        """What a position is worth, whatever was played before."""
        value = self._value(Position(self.game, position.state), 0)
        if self.coding.by_distance:
            score = (value > 0) - (value < 0)
            return Found(score, FAR - abs(value) if value else None)
        return Found(value, None)

    def moves(self, position: Position) -> list[tuple[str, Found]]:
        """Every move of a position with what it is worth, the best for the player to move first."""
        here = Position(self.game, position.state)
        found = [(text, self.probe(here.play(text))) for text in here.moves()]
        if here.turn == CHANCE:
            return found
        sign = -1 if here.turn == 1 else 1

        def goodness(one: tuple[str, Found]) -> tuple[float, float]:
            score, plies = one[1]
            for_mover = sign * score
            return for_mover, (-for_mover * (plies or 0))

        return sorted(found, key=goodness, reverse=True)

    def _value(self, position: Position, ply: int) -> Any:
        """The first player's value: of distances FAR less the plies, else the score or the expectation."""
        if position.result is not None:
            return int(position.result * FAR) if self.coding.by_distance else position.result
        assert self.game.index is not None
        tier, number, turned = (int(word) for word in self.game.index(position.state))
        if number < 0 and self.manifest.index is not None:
            raise Unsuitable(
                f"{self.folder} says nothing of {named(position)}: it was not reached when the table was built"
            )
        if tier >= 0:
            if tier not in self.files:
                names = in_short([entry.name for entry in self.manifest.tiers])
                raise Unsuitable(f"{self.folder} does not reach {named(position)}: it has the tiers {names}")
            if not 0 <= number < self.files[tier].size:
                sizes = {held: file.size for held, file in self.files.items()}
                raise RuleError(f"{self.game.name}: {outside(self.game, sizes, position.state)}")
            code = self.pager.read(tier, number)
            self.pager.check()
            value = self.decode(code)
            sign = turned if position.turn == CHANCE else -1 if position.turn == 1 else 1
            return sign * value + self._points(position)
        least, most = self._bounds(position)
        if least == most:
            return least
        if self.coding.by_distance and any(self._wins(position, code) for code in position.codes):
            return FAR - 1 if position.turn == 0 else 1 - FAR
        if ply >= DEEPEST:
            raise Unsuitable(f"{self.folder} says nothing of {named(position)}")
        after = [(code, self._value(position.play(code), ply + 1)) for code in position.codes]
        if position.turn == CHANCE:
            assert self.game.weight is not None
            weights = [int(self.game.weight(position.state, code)) for code, _ in after]
            return sum(often * value for often, (_, value) in zip(weights, after, strict=True)) / sum(weights)
        best = max if position.turn == 0 else min
        return best(value - (value > 0) + (value < 0) if self.coding.by_distance else value for _, value in after)

    def _bounds(self, position: Position) -> tuple[Any, Any]:
        """What the rules show of the score, where the table need not say how soon it is reached."""
        if self.coding.by_distance or self.game.bounds is None:
            return self.game.values
        least, most = self.game.bounds(position.state)
        return least, most

    def _wins(self, position: Position, code: int) -> bool:
        """Whether a move ends the game in favour of who makes it."""
        result = position.play(code).result
        return result is not None and result * (1 if position.turn == 0 else -1) > 0

    def _points(self, position: Position) -> Any:
        if self.game.rest is None:
            return 0
        return self.game.rest(position.state)[1]


def open_tier(folder: Path, manifest: Manifest, entry: TierEntry) -> Blocks:
    """The file of a tier."""
    return Blocks(folder / entry.file, entry.size, np.dtype(manifest.dtype), manifest.codec, manifest.bits)


def read_tier(folder: Path, manifest: Manifest, tier: int) -> Any:
    """All entries of a tier; those that are unused are like others."""
    entry = next(one for one in manifest.tiers if one.tier == tier)
    blocks = open_tier(folder, manifest, entry)
    return np.concatenate([blocks.read(number) for number in range(len(blocks))])


def check_files(folder: Path, manifest: Manifest) -> None:
    """Refuse files that are not as they were written."""
    for entry in (*manifest.tiers, *(() if manifest.index is None else (manifest.index,))):
        check_file(folder, entry)


def check_file(folder: Path, entry: TierEntry | IndexEntry) -> None:
    """Refuse a file that is not as it was written."""
    path = folder / entry.file
    if not path.is_file():
        raise Damaged(f"{path} is missing: the table is not whole, build it again")
    try:
        with path.open("rb") as file:
            same = hashlib.file_digest(file, "sha256").hexdigest() == entry.sha256
    except OSError as unreadable:
        raise Damaged(f"{path} cannot be read: {unreadable.strerror or unreadable}") from None
    if not same:
        raise Damaged(f"{path} is damaged, its checksum is another one: build it again")


def is_whole(folder: Path, entry: TierEntry | IndexEntry) -> bool:
    """Whether a file is as it was written."""
    try:
        check_file(folder, entry)
    except Damaged:
        return False
    return True
