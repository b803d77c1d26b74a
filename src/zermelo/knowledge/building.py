"""Building a table: tier by tier, into a folder that can be left at any time and gone on with.

    build(game, "awari.table", upto="12")

The tiers at work lie in one file that is mapped into memory, so that what a kernel writes is the system's to keep: a
process that is killed loses nothing of it. How far a tier is stands in the manifest, which is brought up to date every
half minute and only after the entries are on the disk; a sweep that was left is gone through again, which changes
nothing that is right already. A tier that is finished is packed into a file of its own.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.compile.modes import mode_name
from zermelo.core.memory import machine_bytes, parse_size
from zermelo.knowledge.blocks import best_codec, write_blocks
from zermelo.knowledge.coding import Coding, coding_for
from zermelo.knowledge.counting import count_values
from zermelo.knowledge.manifest import FILE, Manifest, TierEntry, begin, check_about, read_manifest
from zermelo.knowledge.tier_solver import Overflow, Step, TierSolver, Work
from zermelo.rules import Game, Tier, UnknownName, Unsuitable, nearest
from zermelo.rules.files import write_temporary

WORK = "work"
"""The file of the tiers at work."""
EVERY = 30.0
"""After so many seconds the manifest says how far a tier is."""


@dataclass(frozen=True)
class Progress:
    """How far a table is: the step of the tier at work, and how many positions of how many are done."""

    step: Step
    done: int
    size: int


def build(
    game: Game,
    folder: str | Path,
    *,
    lowest: str | None = None,
    highest: str | None = None,
    values: str | None = None,
    wide: bool = False,
    mode: str | None = None,
    threads: int = 1,
    memory: str | int = "2GB",
    listener: Callable[[Progress], None] | None = None,
) -> Manifest:
    """Build a table of a game into a folder, or go on with the one that is there.

    lowest, highest: the names of the first and last tier that are kept; those below are built as well, for play leads
    there. values: distance, score, wdl or chance; else what suits the game. wide: expectations of 8 bytes instead of 4.
    memory: what the tier at work may take, the notes of its moves included.
    """
    check_game(game)
    if threads < 1:
        raise Unsuitable(f"a table needs at least 1 thread, not {threads}")
    way = mode_name(game, mode)
    chosen = _chosen(game, lowest, highest)
    coding = coding_for(game, values, wide=wide)
    place, most = Path(folder), parse_size(memory)
    _check_memory(game, chosen, coding, most)
    place.mkdir(parents=True, exist_ok=True)
    manifest = _opened(game, place, coding)
    while True:
        try:
            job = _Job(game, place, chosen, manifest, way, threads, most, listener)
            return job.run(lowest)
        except Overflow:
            wider = replace(coding_for(game, values, wide=True), kind=coding.kind)
            manifest = _discarded(game, place, wider)


def check_game(game: Game) -> None:
    """Refuse a game of which no table of numbered positions can be made, or in which one would not be right."""
    if game.index is None or game.tiers is None:
        raise Unsuitable(f"{game.name} does not number its positions: it needs the hooks index, unindex and tiers")
    if game.cyclic and game.loop_value != 0 and game.repetition != "points":
        raise Unsuitable(
            f"{game.name}: a table knows positions without the way to them, and takes play that goes round for a draw, "
            f"but here repetition is {game.repetition if isinstance(game.repetition, str) else 'a rule of its own'}"
        )
    if game.horizon is not None:
        raise Unsuitable(f"{game.name} has a horizon: a table holds exact values")


def _chosen(game: Game, lowest: str | None, highest: str | None) -> list[Tier]:
    """All tiers up to the highest that is wanted."""
    assert game.tiers is not None
    listed = list(game.tiers())
    names = [tier.name for tier in listed]
    for name in (lowest, highest):
        if name is not None and name not in names:
            raise UnknownName(f"{game.name} has no tier {name}: {nearest(name, names)}")
    last = len(names) - 1 if highest is None else names.index(highest)
    if lowest is not None and names.index(lowest) > last:
        raise Unsuitable(f"tier {lowest} stands behind {highest}: name the lower one first")
    return listed[: last + 1]


def _check_memory(game: Game, tiers: Sequence[Tier], coding: Coding, memory: int) -> None:
    largest = max(tiers, key=lambda tier: tier.size)
    needed = largest.size * coding.dtype.itemsize
    if needed > min(memory, machine_bytes()):
        raise Unsuitable(
            f"{game.name}: tier {largest.name} has {largest.size:,} numbers and needs {needed / 2**20:,.0f} MB, more "
            f"than the {min(memory, machine_bytes()) / 2**20:,.0f} MB that it may take: give --memory, or fewer tiers"
        )


def _opened(game: Game, folder: Path, coding: Coding) -> Manifest:
    """The manifest of a table that was begun, or of a new one."""
    if not (folder / FILE).exists():
        others = [path.name for path in folder.iterdir()]
        if others:
            raise Unsuitable(f"{folder} holds something else than a table ({min(others)}): name another folder")
        manifest = begin(game, coding, best_codec())
        manifest.write(folder)
        return manifest
    manifest = read_manifest(folder)
    check_about(manifest, game, folder)
    if manifest.values != coding.kind:
        raise Unsuitable(f"{folder} holds {manifest.values}, not {coding.kind}: name another folder")
    return manifest


def _discarded(game: Game, folder: Path, coding: Coding) -> Manifest:
    """Begin again with wider entries."""
    for entry in read_manifest(folder).tiers:
        (folder / entry.file).unlink(missing_ok=True)
    (folder / WORK).unlink(missing_ok=True)
    manifest = begin(game, coding, best_codec())
    manifest.write(folder)
    return manifest


class _Job:
    """One run of a build."""

    def __init__(
        self,
        game: Game,
        folder: Path,
        tiers: Sequence[Tier],
        manifest: Manifest,
        mode: str,
        threads: int,
        memory: int,
        listener: Callable[[Progress], None] | None,
    ) -> None:
        self.game, self.folder, self.tiers, self.manifest, self.listener = game, folder, tiers, manifest, listener
        self.coding = manifest.coding
        self.size = sum(tier.size for tier in tiers)
        self.done = 0
        self.solver_settings = (mode, threads, memory)
        self.saved = time.monotonic()

    def run(self, lowest: str | None) -> Manifest:
        finished = {entry.tier for entry in self.manifest.tiers}
        names = [tier.name for tier in self.tiers]
        wanted = self.tiers[names.index(lowest) :] if lowest is not None else self.tiers
        if self.manifest.complete and all(tier.tier in finished for tier in wanted):
            return self.manifest
        entries = self._mapped(finished)
        mode, threads, memory = self.solver_settings
        solver = TierSolver(
            self.game, self.coding, self.tiers, entries, mode, threads, memory, self._step, self._snapshot
        )
        self.work = Work()
        for tier in self.tiers:
            if tier.tier not in finished:
                self.work = self._left(tier)
                solver.solve(tier, self.work, self._longest())
                begin = solver.offsets[tier.tier]
                self._keep(tier, entries[begin : begin + tier.size])
            self.done += tier.size
        self._finish(lowest)
        return self.manifest

    def _mapped(self, finished: set[int]) -> Any:
        """The entries of all tiers as one array: those that are finished come from their files."""
        path, length = self.folder / WORK, self.size * self.coding.dtype.itemsize
        fresh = not path.exists() or path.stat().st_size != length
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if fresh:
                os.ftruncate(handle, 0)
                os.posix_fallocate(handle, 0, length)  # or a full disk would end the process when a page is written
            self.pages = mmap.mmap(handle, length)
        except OSError as refused:
            os.unlink(path)
            raise Unsuitable(
                f"{path} cannot be written, it needs {length / 2**20:,.0f} MB: {refused.strerror or refused}"
            ) from None
        finally:
            os.close(handle)
        entries = np.frombuffer(self.pages, self.coding.dtype)
        if fresh:
            self.manifest = replace(self.manifest, work={})
            from zermelo.knowledge.table import read_tier

            at = 0
            for tier in self.tiers:
                if tier.tier in finished:
                    entries[at : at + tier.size] = read_tier(self.folder, self.manifest, tier.tier)
                at += tier.size
        return entries

    def _left(self, tier: Tier) -> Work:
        """How far a tier was when it was left."""
        left = self.manifest.work
        return Work(**left["done"]) if left.get("tier") == tier.tier else Work()

    def _longest(self) -> int:
        return max((entry.longest or 0 for entry in self.manifest.tiers), default=0)

    def _step(self, step: Step) -> None:
        self.tier = step.tier
        if self.listener is not None:
            self.listener(Progress(step, self.done, self.size))

    def _snapshot(self) -> None:
        """Now and then, what is done is made certain, and then said."""
        if time.monotonic() - self.saved > EVERY:
            self.pages.flush()
            self.manifest = replace(self.manifest, work={"tier": self.tier.tier, "done": asdict(self.work)})
            self.manifest.write(self.folder)
            self.saved = time.monotonic()

    def _keep(self, tier: Tier, entries: Any) -> None:
        """Pack a finished tier into a file."""
        counted = count_values(entries, self.coding)
        name = f"tier-{tier.tier}"
        path = self.folder / name
        try:
            with write_temporary(path) as out:
                write_blocks(out, entries, self.coding.unused, self.manifest.codec, self.manifest.bits)
        except OSError as refused:
            raise Unsuitable(
                f"{path} cannot be written: {refused.strerror or refused}; what is done is kept, and the "
                "same command goes on"
            ) from None
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        entry = TierEntry(
            tier.tier, tier.name, tier.size, *counted, self.work.residual, name, path.stat().st_size, digest
        )
        self.manifest = self.manifest.with_tier(entry)
        self.manifest.write(self.folder)

    def _finish(self, lowest: str | None) -> None:
        names = [tier.name for tier in self.tiers]
        dropped = set(names[: names.index(lowest)]) if lowest is not None else set()
        kept = tuple(entry for entry in self.manifest.tiers if entry.name not in dropped)
        for entry in self.manifest.tiers:
            if entry.name in dropped:
                (self.folder / entry.file).unlink(missing_ok=True)
        self.manifest = replace(self.manifest, tiers=kept, complete=True, work={})
        self.manifest.write(self.folder)
        (self.folder / WORK).unlink(missing_ok=True)
