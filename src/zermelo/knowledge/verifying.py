"""Verifying a table: the checksums of its files, and every position against those that its moves lead to.

A position must be worth exactly what the best of its moves, or the average of its outcomes, is worth in the table. For
distances that is all there is to prove: a win in d plies has a move to a loss in d - 1, and so on down to positions
that the rules call won.

Where the game does not number its positions, they are found anew: the index must know all of them, and each by the
number that it stands at.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.diagnosis import check_moves
from zermelo.compile.modes import Compiled, Kernel, Mode, mode_for, mode_name
from zermelo.core.memory import parse_size
from zermelo.knowledge.coding import Coding, encoder
from zermelo.knowledge.enumerating import Numbered, find_positions, in_naming_order, read_index
from zermelo.knowledge.lookahead import EVERY_LEVEL, looking
from zermelo.knowledge.manifest import Manifest, TierEntry, check_about, check_complete, read_manifest
from zermelo.knowledge.numbers import OUTSIDE, PARTED, check_numbers, in_words, leading_out
from zermelo.knowledge.table import check_files, read_tier
from zermelo.knowledge.tier_solver import CHUNK, STILL
from zermelo.rules import ONGOING, Game, Position, RuleError, Tier, Unsuitable
from zermelo.rules.position import named
from zermelo.rules.tiers import in_short, tiers_of

SOUND = -1
"""What the kernel returns if nothing is wrong."""


class Verdict(NamedTuple):
    """checked: how many positions; wrong: the first one that does not agree with its moves, in words, if any."""

    checked: int
    wrong: str | None


def verifying(game: Game, mode: Mode, coding: Coding, tiers: int) -> Kernel:
    """`verify(ws, entries, tier, begin, end, step)`: the first of every `step`-th number that is wrong, or `SOUND`.
    Positions that were looked at are counted in `ws.nodes`; where the numbering is wrong, `ws.broken` says how. A step
    of 0: nothing is looked at, but entries of unused numbers, which are like others in a file, are marked as such."""
    worth, encode = looking(game, mode, coding, tiers).worth, encoder(mode, coding)
    rules = mode.rules(game)
    unindex, index, over = rules.unindex, rules.index, rules.over
    unused, by_chance, near = coding.unused, coding.by_chance, 8 * STILL.get(coding.dtype.itemsize, 0.0)

    @mode.kernel
    def verify(ws, entries, tier, begin, end, step):
        base = ws.offsets[tier]
        for number in range(begin, end, max(step, 1)):
            s = ws.stack[0]
            if not unindex(s, tier, number):
                entries[base + number] = unused
                continue
            if step == 0:
                continue
            ws.nodes += 1
            if over(ws, 0) != ONGOING:
                continue
            home, place, turned = index(s)
            if home != tier or place != number or turned != 1:
                ws.broken = PARTED
                return number
            value, kept = worth(ws, 0, entries, EVERY_LEVEL), entries[base + number]
            if ws.broken != 0 or ws.fault != 0:
                return number
            if by_chance:
                if not abs(value - kept) <= near * (1 + abs(value)):
                    return number
            elif encode(ws, value) != kept:
                return number
        return SOUND

    return verify


def verify_table(
    folder: str | Path,
    game: Game,
    *,
    sample: int = 1,
    mode: str | None = None,
    memory: str | int = "2GB",
    listener: Callable[[TierEntry, int], None] | None = None,
) -> Verdict:
    """Check the files of a table and every `sample`-th of its positions. If all were checked and are right, the
    manifest says so from then on. memory: what positions may take that must be found anew."""
    if sample < 1:
        raise Unsuitable(f"every position is checked, or every 20th: a number from 1 on, not {sample}")
    place, manifest = Path(folder), read_manifest(folder)
    check_about(manifest, game, folder)
    check_complete(manifest, folder)
    check_files(place, manifest)
    way = mode_name(game, mode)
    if manifest.index is None:
        try:
            check_numbers(game)
        except RuleError as lie:
            return Verdict(0, str(lie))
        verdict = _checked(place, manifest, game, sample, way, listener)
    else:
        numbers = _found_anew(place, manifest, game, way, parse_size(memory))
        if isinstance(numbers, Verdict):
            return numbers
        verdict = _checked(place, manifest, numbers.game, sample, way, listener)
    if verdict.wrong is None and sample == 1 and not manifest.verified:
        with contextlib.suppress(Unsuitable):  # who may not write there still knows now
            replace(manifest, verified=True).write(place)
    return verdict


def _found_anew(folder: Path, manifest: Manifest, game: Game, mode: str, memory: int) -> Numbered | Verdict:
    """The game with the numbers of the table's index, and the positions that should have them."""
    assert manifest.index is not None
    assert game.State is not None
    naming, index = read_index(folder, manifest.index, manifest.codec, game.State)
    start = game.State.frombytes(bytes.fromhex(manifest.index.state))
    states, keys = find_positions(Position(game, start), mode, memory)
    if len(states) != index.count:
        return Verdict(0, f"there are {len(states):,} positions, and the index numbers {index.count:,}")
    return Numbered(game, naming, index, states[in_naming_order(game, states, keys, naming)[1]])


def _checked(
    folder: Path,
    manifest: Manifest,
    game: Game,
    sample: int,
    mode: str,
    listener: Callable[[TierEntry, int], None] | None,
) -> Verdict:
    coding, way = manifest.coding, mode_for(game, mode)
    listed, kept = tiers_of(game), {entry.tier: entry for entry in manifest.tiers}
    numbers = max(tier.tier for tier in listed) + 1
    offsets, sizes, at = [0] * numbers, [0] * numbers, 0
    for entry in manifest.tiers:
        offsets[entry.tier] = at
        at += entry.size
    entries = np.concatenate([read_tier(folder, manifest, entry.tier) for entry in manifest.tiers])
    call = _ready(game, way, coding, numbers)
    workspace = way.workspace(game)
    workspace.fill(offsets=offsets)
    if not workspace.compiled:
        workspace.record.stack[0] = game.start.copy()
    step = CHUNK[mode] // sample * sample or sample
    for place, tier in enumerate(listed):
        if tier.tier not in kept:
            continue
        entry, sizes[tier.tier] = kept[tier.tier], tier.size  # no move may lead to a tier that comes later
        workspace.fill(sizes=sizes)
        for begin in range(0, entry.size if sample == 1 else 0, step):
            call(workspace.record, entries, entry.tier, begin, min(begin + step, entry.size), 0)
        for begin in range(0, entry.size, step):
            end = min(begin + step, entry.size)
            bad = int(call(workspace.record, entries, entry.tier, begin, end, sample))
            check_moves(game, [workspace])
            checked = int(workspace["nodes"])
            if bad != SOUND:
                broken = int(workspace["broken"])
                if broken == OUTSIDE and leading_out(game, listed[: place + 1], tier, bad) is None:
                    names = in_short([each.name for each in manifest.tiers])
                    raise Unsuitable(
                        f"{folder} keeps only the tiers {names}, which rest on others: what is to be verified must "
                        f"begin with the lowest tier, {listed[0].name}"
                    )
                told = in_words(game, listed[: place + 1], tier, bad, broken) if broken else _wrong(game, tier, bad)
                return Verdict(checked, told)
            if listener is not None:
                listener(entry, checked)
    return Verdict(int(workspace["nodes"]), None)


def _ready(game: Game, way: Mode, coding: Coding, numbers: int) -> Kernel:
    kernel = verifying(game, way, coding, numbers)
    types: tuple[Any, ...] = ()
    if isinstance(way, Compiled):
        import numba

        types = (numba.from_dtype(coding.dtype)[::1], int, int, int, int)
    return way.entry(kernel, game, types)


def _wrong(game: Game, tier: Tier, number: int) -> str:
    assert game.unindex is not None
    state = game.start.copy()
    game.unindex(state, tier.tier, number)
    where = f"{named(Position(game, state))}, number {number:,} of tier {tier.name}"
    return f"{where}, is not worth what its moves are worth"
