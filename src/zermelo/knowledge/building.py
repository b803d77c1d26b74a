"""Building a table: tier by tier, into a folder that can be left at any time and gone on with.

    build_table(game, "awari.table", highest="12")

The tiers at work lie in one file that is mapped into memory, so that what a kernel writes is the system's to keep: a
process that is killed loses nothing of it. How far a tier is stands in the manifest, which is brought up to date every
half minute and only after the entries are on the disk; a sweep that was left is gone through again, which changes
nothing that is right already. A tier that is finished is packed into a file of its own.

Where the game does not number its positions, all that can be reached are found and numbered first (`enumerating`): one
tier. Their index is a file of the table, and their states are one while it is built. If it was left before both were
there, positions are found anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.compile import watch
from zermelo.compile.modes import mode_name
from zermelo.compile.process import in_a_child
from zermelo.core.memory import machine_bytes, parse_size
from zermelo.knowledge.blocks import best_codec, write_blocks
from zermelo.knowledge.coding import Coding, coding_for
from zermelo.knowledge.counting import count_values
from zermelo.knowledge.enumerating import NAME, Numbered, build_index, find_positions, read_index
from zermelo.knowledge.manifest import FILE, Manifest, TierEntry, begin, check_about, read_manifest
from zermelo.knowledge.numbers import check_numbers
from zermelo.knowledge.table import is_whole, read_tier
from zermelo.knowledge.tier_solver import Overflow, Step, TierSolver, Work
from zermelo.rules import Game, Position, Tier, Unsuitable
from zermelo.rules.files import save, size, write_temporary
from zermelo.rules.tiers import tier_named, tiers_of

WORK, STATES = "work", "states"
"""The file of the tiers at work, and that of the states which have numbers by an index."""
FINDING = "find"
"""The step at which positions are found that the game does not number."""
LARGE = 1 << 26
"""For tables of so many numbers, kernels are compiled by a process of its own: what the compiler takes stays taken."""
EVERY = 30.0
"""After so many seconds the manifest says how far a tier is."""


@dataclass(frozen=True)
class Progress:
    """How far a table is: the step of the tier at work, and how many positions of how many are done."""

    step: Step
    done: int
    size: int


def build_table(
    game: Game,
    folder: str | Path,
    *,
    position: Position | None = None,
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

    position: of a game that does not number its positions, where to begin; else the start. lowest, highest: the names
    of the first and last tier that are kept; those below are built as well, for play leads there. values: distance,
    score, wdl or chance; else what suits the game. wide: expectations of 8 bytes instead of 4. memory: what the tier at
    work may take, the notes of its moves included, or all positions while they are found.
    """
    check_game(game)
    if threads < 1:
        raise Unsuitable(f"a table needs at least 1 thread, not {threads}")
    way = mode_name(game, mode)
    coding = coding_for(game, values, wide=wide)
    place, most = Path(folder), parse_size(memory)
    manifest: Manifest | None
    if game.index is None:
        _check_unnumbered(game, position, lowest or highest)
        manifest, numbers = _numbered(position or Position(game), place, coding, way, most, listener)
        if numbers is None:
            return manifest
        numbered, beside = numbers.game, numbers.bytes
    elif position is not None:
        raise Unsuitable(f"a table of {game.name} holds all positions, wherever play begins: leave the position out")
    else:
        check_numbers(game)
        manifest, numbered, beside = None, game, 0
    chosen = _chosen(numbered, lowest, highest)
    _check_memory(game, chosen, coding, most)
    manifest = manifest or _opened(game, place, coding)
    while True:
        try:
            job = _Job(numbered, place, chosen, manifest, way, threads, max(most - beside, 0), listener)
            return job.run(lowest)
        except Overflow:
            wider = replace(coding_for(game, values, wide=True), kind=coding.kind)
            manifest = _discarded(game, place, wider)


def check_game(game: Game) -> None:
    """Refuse a game of which no table can be made, or in which one would not be right."""
    if game.cyclic and game.repetition != "points" and (game.loop_value != 0 or game.rest is not None):
        raise Unsuitable(
            f"{game.name}: a table knows positions without the way to them, and takes play that goes round for a draw, "
            f"but here repetition is {game.repetition if isinstance(game.repetition, str) else 'a rule of its own'}"
        )
    if game.cyclic and game.loop_key is not None:
        raise Unsuitable(
            f"{game.name}: positions count as repeated that are not the same (loop_key), and a table knows them "
            "without the way to them"
        )
    if game.cyclic and game.has_chance:  # sweep after sweep, players could wait for what a later one takes back
        raise Unsuitable(
            f"{game.name}: players can go round, and dice are thrown: what that is worth shows only with all positions "
            "at once (--method expectation)"
        )
    if game.horizon is not None:
        raise Unsuitable(f"{game.name} has a horizon: a table holds exact values")


def _check_unnumbered(game: Game, position: Position | None, tier: str | None) -> None:
    """Refuse what only a game can have that numbers its positions itself."""
    hooks = "the hooks index, unindex and tiers"
    if not game.compilable:
        raise Unsuitable(f"{game.name} is made of Python objects: a table needs states made by struct")
    if tier is not None:
        raise Unsuitable(f"{game.name} has no tiers, for it does not number its positions: leave --tiers out")
    if game.cyclic and game.rest is not None:
        raise Unsuitable(
            f"{game.name}: where play can go round and points add up, positions must be solved tier by tier: it needs "
            f"{hooks}"
        )
    if position is not None and position.game is not game:
        raise Unsuitable(f"the position is one of {position.game.name}, not of this {game.name}")
    if (position or Position(game)).result is not None:
        raise Unsuitable("there is nothing to put into a table: the game is over")


def _numbered(
    position: Position,
    folder: Path,
    coding: Coding,
    mode: str,
    memory: int,
    listener: Callable[[Progress], None] | None,
) -> tuple[Manifest, Numbered | None]:
    """The manifest of a table with an index, which is built if it is not there, and the game with its numbers; or None
    if the table is complete."""
    game = position.game
    assert game.State is not None
    manifest = _opened(game, folder, coding)
    if manifest.index is not None and not is_whole(folder, manifest.index):
        manifest = replace(manifest, index=None, tiers=(), complete=False, verified=False, work={})
    if manifest.index is not None and manifest.index.state != position.state.tobytes().hex():
        raise Unsuitable(f"{folder} begins at another position, {manifest.index.position!r}: name another folder")
    if manifest.complete and all(is_whole(folder, entry) for entry in manifest.tiers):
        return manifest, None
    states = folder / STATES
    length = 0 if manifest.index is None else manifest.index.positions * game.State.dtype.itemsize
    if manifest.index is None or not states.exists() or states.stat().st_size != length:
        for left in folder.glob(f".{STATES}-*.part"):
            left.unlink()
        entry, ordered = build_index(
            position, *find_positions(position, mode, memory, _telling(listener)), folder, manifest.codec, memory
        )
        save(states, ordered.view(np.uint8).data)
        manifest = replace(manifest, index=entry, work={})
        manifest.write(folder)
    assert manifest.index is not None
    naming, index = read_index(folder, manifest.index, manifest.codec, game.State)
    return manifest, Numbered(game, naming, index, np.memmap(states, game.State.dtype, "r"))


def _telling(listener: Callable[[Progress], None] | None) -> watch.Listener | None:
    """Whoever is told how far a table is, told how many positions were found."""
    if listener is None:
        return None

    def tell(now: watch.Progress) -> None:
        rate = now.nodes / max(now.seconds, 1e-9)
        listener(Progress(Step(Tier(0, 0, NAME), FINDING, 0, now.nodes, rate), 0, 0))

    return tell


def _chosen(game: Game, lowest: str | None, highest: str | None) -> list[Tier]:
    """All tiers up to the highest that is wanted."""
    listed = tiers_of(game)
    first = 0 if lowest is None else tier_named(game, listed, lowest)
    last = len(listed) - 1 if highest is None else tier_named(game, listed, highest)
    if first > last:
        raise Unsuitable(f"tier {lowest} stands behind {highest}: name the lower one first")
    return listed[: last + 1]


def _check_memory(game: Game, tiers: Sequence[Tier], coding: Coding, memory: int) -> None:
    largest = max(tiers, key=lambda tier: tier.size)
    needed = largest.size * coding.dtype.itemsize
    if needed > min(memory, machine_bytes()):
        raise Unsuitable(
            f"{game.name}: tier {largest.name} has {largest.size:,} numbers and needs {size(needed)}, more than the "
            f"{size(min(memory, machine_bytes()))} that it may take: give --memory, or fewer tiers"
        )


def _opened(game: Game, folder: Path, coding: Coding) -> Manifest:
    """The manifest of a table that was begun, or of a new one."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        others = [path.name for path in folder.iterdir()]
    except OSError as refused:
        why = "it is a file" if folder.is_file() else refused.strerror or refused
        raise Unsuitable(f"{folder} cannot be the folder of a table, {why}: name another") from None
    if FILE not in others:
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
    narrow = read_manifest(folder)
    for entry in narrow.tiers:
        (folder / entry.file).unlink(missing_ok=True)
    (folder / WORK).unlink(missing_ok=True)
    manifest = replace(begin(game, coding, narrow.codec), index=narrow.index)
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
        self._leave_out_damaged()
        finished = {entry.tier for entry in self.manifest.tiers}
        names = [tier.name for tier in self.tiers]
        wanted = self.tiers[names.index(lowest) :] if lowest is not None else self.tiers
        if self.manifest.complete and all(tier.tier in finished for tier in wanted):
            return self.manifest
        mode, threads, memory = self.solver_settings
        if mode == "compiled" and self.size >= LARGE:
            nothing = np.empty(0, self.coding.dtype)
            in_a_child(lambda: TierSolver(self.game, self.coding, self.tiers, nothing).compile_all())
        entries = self._mapped(finished)
        solver = TierSolver(
            self.game, self.coding, self.tiers, entries, mode, threads, memory, self._step, self._snapshot
        )
        self.work = Work()
        for tier in self.tiers:
            if tier.tier not in finished:
                self.work = self._left(tier)
                solver.solve(tier, self.work, self._longest(tier))
                begin = solver.offsets[tier.tier]
                self._keep(tier, entries[begin : begin + tier.size])
            self.done += tier.size
        self._finish(lowest)
        return self.manifest

    def _leave_out_damaged(self) -> None:
        """Tiers whose files have changed or are gone are not finished."""
        chosen = {tier.tier for tier in self.tiers}
        tiers = tuple(e for e in self.manifest.tiers if e.tier not in chosen or is_whole(self.folder, e))
        if tiers != self.manifest.tiers:
            self.manifest = replace(self.manifest, tiers=tiers, complete=False, verified=False, work={})
            self.manifest.write(self.folder)

    def _mapped(self, finished: set[int]) -> Any:
        """The entries of all tiers as one array: those that are finished come from their files."""
        path, length = self.folder / WORK, self.size * self.coding.dtype.itemsize
        fresh = not path.exists() or path.stat().st_size != length
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                if fresh:
                    os.ftruncate(handle, 0)
                    os.posix_fallocate(handle, 0, length)  # or a full disk would end the process when a page is written
                self.pages = mmap.mmap(handle, length)
            finally:
                os.close(handle)
        except OSError as refused:
            with contextlib.suppress(OSError):
                os.unlink(path)
            raise Unsuitable(
                f"{path} cannot be written, it needs {size(length)}: {refused.strerror or refused}"
            ) from None
        entries = np.frombuffer(self.pages, self.coding.dtype)
        if fresh:
            self.manifest = replace(self.manifest, work={})
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

    def _longest(self, tier: Tier) -> int:
        """The longest distance in the tiers before one."""
        before = {each.tier for each in self.tiers[: self.tiers.index(tier)]}
        return max((entry.longest or 0 for entry in self.manifest.tiers if entry.tier in before), default=0)

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
            tier.tier, tier.name, tier.size, counted.positions, counted.won, counted.drawn, counted.lost,
            counted.longest, self.work.residual, name, path.stat().st_size, digest, counted.by_distance,
        )  # fmt: skip
        self.manifest = self.manifest.with_tier(entry)
        self.manifest.write(self.folder)

    def _finish(self, lowest: str | None) -> None:
        names, order = [tier.name for tier in self.tiers], [tier.tier for tier in tiers_of(self.game)]
        dropped = order[: names.index(lowest)] if lowest is not None else []
        kept = sorted((e for e in self.manifest.tiers if e.tier not in dropped), key=lambda e: order.index(e.tier))
        for entry in self.manifest.tiers:
            if entry.tier in dropped:
                (self.folder / entry.file).unlink(missing_ok=True)
        self.manifest = replace(self.manifest, tiers=tuple(kept), complete=True, work={})
        self.manifest.write(self.folder)
        for name in (WORK, STATES):
            (self.folder / name).unlink(missing_ok=True)
