"""Solving the tiers of a table, one after the other, lowest first.

One sweep is enough where no move stays within a tier. Where moves do, wins and losses are found by rising distance, a
sweep each; scores and expectations by sweeps until nothing changes. If there is memory for it, where the moves of a
tier lead is written down at the first sweep, which makes the others some ten times as fast.

Every sweep is cut into chunks, which threads share and between which it can be stopped. What was written stays right:
a tier that was left goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.diagnosis import check_moves
from zermelo.compile.modes import Compiled, Kernel, Workspace, mode_for
from zermelo.knowledge.coding import OPEN, UNKNOWN, Coding, codes_of
from zermelo.knowledge.counting import count_code
from zermelo.knowledge.lookahead import EVERY_LEVEL, goes_down
from zermelo.knowledge.numbers import in_words
from zermelo.knowledge.sweeping import STOPPED, noting, preparing, resweeping, spreading, sweeping
from zermelo.rules import Game, RuleError, Tier

CHUNK = {"compiled": 1 << 17, "interpreted": 1 << 10}
"""How many numbers a kernel goes through before somebody looks at the clock."""
STILL = {4: 2e-7, 8: 1e-13}
"""How little an expectation of so many bytes must move for a sweep to be the last one."""
NOTE_BYTES = 8
"""What is noted of a position beside its moves, which take 4 bytes each."""


BACK_FROM_WIN, BACK_FROM_LOSS = 5, 2
"""What it costs to go back from a position, in units of looking at one that is open."""
FEW = 256
"""One of so many numbers may be listed, 4 bytes each, instead of being looked for in the whole tier."""


class Step(NamedTuple):
    """How far a tier is. what: prepare, sweep or moves; level: of distances, else how many sweeps there were; done: of
    so many numbers; rate: numbers a second."""

    tier: Tier
    what: str
    level: int
    done: int
    rate: float


class Overflow(Exception):
    """A distance is longer than its code can tell, or an even one where only odd ones can be."""


@dataclass
class Work:
    """What is done of a tier, so that it can be gone on with: prepared or not; the level of distances up to which
    everything is known; used: how many numbers stand for positions; residual: of expectations."""

    prepared: bool = False
    level: int = 0
    used: int = 0
    residual: float = 0.0
    finished: bool = False


@dataclass
class TierSolver:
    """entries: of all tiers, one behind the other; offsets: where each begins, by its number. threads: how many work.
    memory: the bytes that notes may take. listener: told how far it is. left: called between chunks, and raises to
    leave."""

    game: Game
    coding: Coding
    tiers: Sequence[Tier]
    entries: Any
    mode: str = "compiled"
    threads: int = 1
    memory: int = 1 << 28
    listener: Callable[[Step], None] | None = None
    snapshot: Callable[[], None] = field(default=lambda: None)

    def __post_init__(self) -> None:
        way = mode_for(self.game, self.mode)
        numbers = max(tier.tier for tier in self.tiers) + 1
        makers = {"prepare": preparing, "sweep": sweeping}
        if not self.coding.by_chance:
            makers |= {"note": noting, "resweep": resweeping}
        if self.coding.by_distance and self.game.unmoves is not None:
            makers |= {"spread": spreading}
        self._ready = {name: make(self.game, way, self.coding, numbers) for name, make in makers.items()}
        self._way = way
        self._entries_of: dict[str, Kernel] = {}
        offsets, at = [0] * numbers, 0
        for tier in self.tiers:
            offsets[tier.tier] = at
            at += tier.size
        self.offsets = offsets
        self.workspaces = [way.workspace(self.game) for _ in range(self.threads)]
        for workspace in self.workspaces:
            workspace.fill(offsets=offsets)
            if not workspace.compiled:
                workspace.record.stack[0] = self.game.start.copy()
        self._plain = self.entries if self.mode == "compiled" else memoryview(self.entries)

    def compile_all(self) -> None:
        """Have all kernels compiled that may be needed, and kept on the disk."""
        goes_back = "spread" in self._ready
        for name in self._ready:
            if not goes_back or name not in ("note", "resweep"):
                self.entry(name)

    def entry(self, name: str) -> Kernel:
        """A kernel that Python can call, made ready when it is first needed."""
        if name not in self._entries_of:
            self._entries_of[name] = self._way.entry(self._ready[name], self.game, self._types(name))
        return self._entries_of[name]

    def _types(self, name: str) -> tuple[Any, ...]:
        if not isinstance(self._way, Compiled):
            return ()
        import numba

        entries = numba.from_dtype(self.coding.dtype)[::1]
        lists = (numba.uint32[::1], numba.uint32[::1], numba.int32[::1])
        return {
            "prepare": (entries, int, int, int),
            "sweep": (entries, int, int, int, int),
            "spread": (entries, int, int, int, *lists[:2], *(int,) * 5),
            "note": (entries, int, int, int, *lists),
            "resweep": (entries, int, int, int, *lists, int),
        }[name]

    def solve(self, tier: Tier, work: Work, longest: int) -> None:
        """Solve a tier whose lower ones are solved. longest: the longest distance in those. `work` is brought up to
        date as it goes."""
        sizes = [0] * len(self.offsets)  # no move may lead to a tier that is not solved yet
        for each in self._up_to(tier):
            sizes[each.tier] = each.size
        for workspace in self.workspaces:
            workspace.fill(sizes=sizes)
        if not work.prepared:
            work.used = self._through(tier, "prepare", 0)
            work.prepared = True
            self.snapshot()
        if self.coding.by_distance:
            self._by_distance(tier, work, longest)
        else:
            self._until_still(tier, work)
        work.finished = True

    def _by_distance(self, tier: Tier, work: Work, longest: int) -> None:
        if work.level == 0:  # what is won with one move was found when the tier was prepared
            self._through(tier, "sweep", 2, 2)
            if not self._stays():
                self._through(tier, "sweep", EVERY_LEVEL, EVERY_LEVEL)
                work.level = EVERY_LEVEL
                return
            work.level = 2
            self.snapshot()
        # A sweep that was left may have found everything of the next level: that it finds nothing more is no end.
        below = longest
        longest = max(longest, work.level + 1)
        goes_back = "spread" in self._ready
        notes = None if goes_back else self._note(tier)
        entries = self._entries(tier)
        left = count_code(entries, OPEN) if goes_back else 0
        settled = sum(count_code(entries, code) for code in codes_of(self.coding, work.level)) if goes_back else 0
        front: Any = None  # the numbers that were settled at the last level, if they are few
        again = True
        while work.level <= longest:
            level = work.level + 1
            if goes_back and level > below + 1 and self._back_costs(level) * settled < left:
                settled, front = self._back(tier, level, front)
            else:
                settled, front = self._again(tier, notes, level), None
            if again:  # some of this level may have been settled before it was left
                front, again = None, False
            left -= settled
            if settled:
                longest = max(longest, level)
            work.level = level
            self.snapshot()

    def _back_costs(self, level: int) -> int:
        """What it costs to go back from a position that was settled at the last level, in units of looking at one that
        is open."""
        return BACK_FROM_LOSS if self.coding.paired and level & 1 else BACK_FROM_WIN

    def _back(self, tier: Tier, level: int, front: Any) -> tuple[int, Any]:
        """How many positions are settled by going back from those of the level before, and their numbers, if they are
        few. front: the numbers to go back from, None if they are to be looked for."""
        now = codes_of(self.coding, level)
        if max(now) < 0:
            raise Overflow
        codes = (*codes_of(self.coding, level - 1), *now)
        nothing = np.empty(0, np.uint32)
        listed = nothing if front is None else front
        most = tier.size // FEW if tier.size < 1 << 32 else 0
        kernel, lists, many = self.entry("spread"), [nothing], False
        if front is not None and len(front) == 0:
            return 0, front

        def call(workspace: Workspace, begin: int, end: int) -> int:
            nonlocal many
            found = nothing if many else np.empty(most, np.uint32)
            changed = int(kernel(workspace.record, self._plain, tier.tier, begin, end, listed, found, level, *codes))
            self._checked(workspace, tier, changed)
            many = many or changed > most or sum(map(len, lists)) > most
            if not many:
                lists.append(found[:changed].copy())
            return changed

        settled = self._chunks(tier, "spread", level, call, None if front is None else len(front))
        return settled, None if many else np.concatenate(lists)

    def _until_still(self, tier: Tier, work: Work) -> None:
        still = STILL.get(self.coding.dtype.itemsize, 0.0) if self.coding.by_chance else 0.0
        nearer = self.coding.by_chance and not goes_down(self.game, self.coding)
        changed = self._through(tier, "sweep", 1, EVERY_LEVEL)
        if not self._stays():
            return
        notes = None if self.coding.by_chance else self._note(tier)
        while changed:
            work.level += 1
            changed = self._again(tier, notes, work.level + 1)
            if nearer:
                work.residual = max(workspace["moved"] for workspace in self.workspaces)
                changed = work.residual > still
            self.snapshot()
        if self.coding.by_chance and count_code(self._entries(tier), UNKNOWN):
            raise RuleError(
                f"{self.game.name}: in tier {tier.name} play goes on for more than the declared max_plies = "
                f"{self.game.max_plies}, or round; if it can go round, say so by repetition"
            )

    def _up_to(self, tier: Tier) -> list[Tier]:
        """The tiers up to this one."""
        return list(self.tiers[: [each.tier for each in self.tiers].index(tier.tier) + 1])

    def _entries(self, tier: Tier) -> Any:
        begin = self.offsets[tier.tier]
        return self.entries[begin : begin + tier.size]

    def _again(self, tier: Tier, notes: list[Any] | None, level: int) -> int:
        """Another sweep, by what was noted if something was."""
        told = level if self.coding.by_distance else EVERY_LEVEL
        if notes is None:
            return self._through(tier, "sweep", level, told)
        return self._through(tier, "resweep", level, told, notes=notes)

    def _stays(self) -> bool:
        return any(workspace["stays"] for workspace in self.workspaces)

    def _note(self, tier: Tier) -> list[Any] | None:
        """Where the moves of a tier lead, chunk by chunk; None if that takes too much memory or cannot be noted."""
        if tier.size >= 1 << 31:
            return None
        room = self.game.max_moves * CHUNK[self.mode]
        notes: list[Any] = []
        taken = 0

        def note(workspace: Workspace, begin: int, end: int) -> int:
            nonlocal taken
            starts, exits = np.empty(end - begin + 1, np.uint32), np.empty(end - begin, np.int32)
            children = np.empty(room, np.uint32)
            moves = self.entry("note")(workspace.record, self._plain, tier.tier, begin, end, starts, children, exits)
            if moves != STOPPED:
                kept = children[:moves].copy()
                taken += kept.nbytes + starts.nbytes + exits.nbytes
                notes.append((begin, starts, kept, exits))
                if taken * tier.size / max(end, 1) > self.memory and taken > self.memory / 8:
                    return STOPPED
            return int(moves)

        fits = self._chunks(tier, "moves", 0, note) != STOPPED
        notes.sort(key=lambda one: one[0])
        return [one[1:] for one in notes] if fits else None

    def _through(self, tier: Tier, name: str, level: int, *told: int, notes: list[Any] | None = None) -> int:
        """Run a kernel over a tier; how much it counted."""
        kernel, step = self.entry(name), CHUNK[self.mode]

        def call(workspace: Workspace, begin: int, end: int) -> int:
            lists = () if notes is None else notes[begin // step]
            counted = int(kernel(workspace.record, self._plain, tier.tier, begin, end, *lists, *told))
            self._checked(workspace, tier, counted)
            return counted

        return self._chunks(tier, name, level, call)

    def _checked(self, workspace: Workspace, tier: Tier, counted: int) -> None:
        if counted == STOPPED:
            self._broken(workspace, tier)
        if workspace["overflow"]:
            raise Overflow

    def _chunks(
        self, tier: Tier, what: str, level: int, call: Callable[[Workspace, int, int], int], listed: int | None = None
    ) -> int:
        """Cut a tier, or a list of so many of its numbers, into chunks, have threads work on them, and add up what they
        count."""
        step, began, done, total = CHUNK[self.mode], time.perf_counter(), 0, 0
        size = tier.size if listed is None else listed
        if listed is not None:
            step = min(step, -(-listed // self.threads))
        for workspace in self.workspaces:
            workspace.reset()
        free: SimpleQueue[Workspace] = SimpleQueue()
        for workspace in self.workspaces:
            free.put(workspace)
        failed = False

        def one(begin: int) -> int:
            if failed:
                return 0
            workspace = free.get()
            try:
                return call(workspace, begin, min(begin + step, size))
            finally:
                free.put(workspace)

        with ThreadPoolExecutor(self.threads) as pool:
            try:
                for counted in pool.map(one, range(0, size, step)):
                    done = min(done + step, size)
                    if counted == STOPPED:
                        failed = True
                        return STOPPED
                    total += counted
                    if self.listener is not None:
                        rate = done / max(time.perf_counter() - began, 1e-9)
                        self.listener(Step(tier, what, level, done * tier.size // size, rate))
            except BaseException:
                failed = True
                raise
        return total

    def _broken(self, workspace: Workspace, tier: Tier) -> None:
        """Say what a kernel met that could not go on."""
        check_moves(self.game, [workspace])
        number, broken = int(workspace["culprit"]), int(workspace["broken"])
        raise RuleError(in_words(self.game, self._up_to(tier), tier, number, broken))
