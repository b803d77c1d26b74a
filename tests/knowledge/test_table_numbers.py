"""Hooks that contradict each other: neither is a table built of them, nor does one that is there agree with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from zermelo.compile.paging import ABSENT, Pager, read_real, read_whole
from zermelo.compile.paging_native import register
from zermelo.knowledge.building import build_table
from zermelo.knowledge.manifest import numbering, read_manifest
from zermelo.knowledge.table import Table
from zermelo.knowledge.verifying import verify_table
from zermelo.rules import ONGOING, Game, Position, RuleError, Tier, i8, rule, struct

MOST = 5
State = struct(a=i8, b=i8, turn=i8)


@rule
def moves(s, out):
    n = 0
    for k in range(1, 4):
        if k <= s.a:
            out[n] = k
            n += 1
        if k <= s.b:
            out[n] = 10 + k
            n += 1
    return n


@rule
def play(s, move):
    if move < 10:
        s.a -= move
    else:
        s.b -= move - 10
    s.turn = 1 - s.turn


@rule
def result(s):
    return 1 - 2 * s.turn if s.a == 0 and s.b == 0 else ONGOING


@rule
def index(s):
    return s.a, 2 * s.b + s.turn, 1


@rule
def unindex(s, tier, number):
    s.a, s.b, s.turn = tier, number // 2, number % 2
    return True


def tiers(order: range = range(MOST + 1), size: int = 2 * MOST + 2) -> list[Tier]:
    return [Tier(a, size, f"{a} left") for a in order]


@rule
def aside(s):
    if s.a == 3 and s.b == 2 and s.turn == 1:
        return 2, 5, 1
    return index(s)


@rule
def exchanged(s):
    return s.a, 2 * s.b + s.turn, 1 - 2 * s.turn


@rule
def beyond(s):
    return s.a, 2 * s.b + s.turn + (s.a == 3 and s.b == 5) * 30, 1


@rule
def nowhere(s):
    return s.a + 60 * (s.a == 2 and s.b == 1), 2 * s.b + s.turn, 1


@rule
def hollow(s, tier, number):
    unindex(s, tier, number)
    return tier != 2 or number != 5


PILES = Game(
    name="piles", State=State, start=State(a=MOST, b=MOST), moves=moves, play=play, result=result, max_moves=6,
    max_plies=20, index=index, unindex=unindex, tiers=tiers,
)  # fmt: skip

LIES: dict[str, tuple[dict[str, Any], str]] = {
    "a number shared": (
        {"index": aside},
        r"unindex makes State\(a=3, b=2, turn=1\) of number 5 of tier 3, but index says that it is number 5 of tier 2",
    ),
    "a sign": ({"index": exchanged}, "but index says that it is number 3 of tier 0 with the sign -1"),
    "too few numbers": (
        {"tiers": lambda: tiers(size=9)},
        r"index gives State\(a=5, b=5, turn=0\) number 10 of tier 5, but that has 9 numbers",
    ),
    "a number beyond": ({"index": beyond}, "but index says that it is number 40 of tier 3|number 4. of tier 3, but"),
    "a tier that is not there": ({"index": nowhere}, "of tier 62, which tiers does not list|that it is .* of tier 62"),
    "the wrong way up": (
        {"tiers": lambda: tiers(range(MOST, -1, -1))},
        r"after the move 1, State\(a=4, b=[01], turn=.\) lies in tier 4 left, which tiers lists later",
    ),
    "a number that is not used": (
        {"unindex": hollow}, r"after the move \d+, State\(a=2, b=2, turn=1\) has a number, and unindex calls it unused",
    ),
    "two tiers of one name": (
        {"tiers": lambda: [Tier(a, 12, "x") for a in range(6)]}, "tiers calls two tiers 'x': give each a name of its",
    ),
    "no list": ({"tiers": lambda: None}, "tiers must list .tier, size, name., each tier once, .* not None"),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_no_table_of_hooks_that_contradict_each_other(lie: str, tmp_path: Path) -> None:
    hooks, sentence = LIES[lie]
    with pytest.raises(RuleError, match=sentence):
        build_table(replace(PILES, **hooks), tmp_path / "t", mode="interpreted")


def forged(folder: Path, game: Game) -> None:
    """A table of the true hooks that says it is one of this game."""
    build_table(PILES, folder, mode="interpreted")
    sizes = {tier.tier: tier.size for tier in game.tiers() or []} if game.tiers is not None else {}
    manifest = read_manifest(folder)
    kept = tuple(replace(entry, size=sizes.get(entry.tier, 0)) for entry in manifest.tiers)
    replace(manifest, rules=numbering(game), tiers=kept).write(folder)


VERIFIED = [
    "a number shared", "a sign", "a number beyond", "a tier that is not there", "the wrong way up",
    "a number that is not used",
]  # fmt: skip


@pytest.mark.parametrize("lie", VERIFIED)
def test_verifying_goes_by_the_numbers_too(lie: str, tmp_path: Path) -> None:
    hooks, sentence = LIES[lie]
    game = replace(PILES, **hooks)
    forged(tmp_path / "t", game)
    verdict = verify_table(tmp_path / "t", game, mode="interpreted")
    assert verdict.wrong is not None
    with pytest.raises(RuleError, match=sentence):
        raise RuleError(verdict.wrong)
    assert not read_manifest(tmp_path / "t").verified


def test_a_number_outside_its_tier_has_no_value(tmp_path: Path) -> None:
    """Neither where positions lead on only to numbers that are there, so that building sees none."""
    game = replace(PILES, tiers=lambda: tiers(size=8), start=State(a=1, b=1))
    build_table(game, tmp_path / "t", mode="interpreted")
    table = Table.open(tmp_path / "t", game)
    with pytest.raises(RuleError, match=r"index gives State\(a=1, b=4, turn=0\) number 8 of tier 1, but that has 8"):
        table.probe(Position(game, State(a=1, b=4)))


@pytest.mark.parametrize(("read", "dtype"), [(read_whole, "u1"), (read_real, "<f4")])
def test_a_number_outside_its_group_is_absent(read: Callable[..., float], dtype: str) -> None:
    pager = Pager([3, 0, 5], np.dtype(dtype), lambda group, page: np.full(16, 7, dtype), 1 << 20)
    register()

    @numba.njit
    def compiled(place, group, number):
        return read(place, group, number)

    try:
        place = pager.settle()
        for call in (read, compiled):
            for group, number, there in (
                (0, 0, True), (0, 2, True), (0, 3, False), (0, -1, False), (1, 0, False), (2, 4, True), (2, 5, False),
                (3, 0, False), (-1, 0, False), (2, 1 << 40, False),
            ):  # fmt: skip
                found = call(place, group, number)
                assert found == 7 if there else found != found or found == ABSENT
    finally:
        pager.close()


def test_a_tier_may_be_any_three_things(tmp_path: Path) -> None:
    plain = replace(PILES, tiers=lambda: [tuple(tier) for tier in tiers()])  # type: ignore[misc]
    assert build_table(plain, tmp_path / "t", mode="interpreted").complete
    assert verify_table(tmp_path / "t", plain, mode="interpreted").wrong is None


def test_what_was_built_by_other_sizes_is_refused(tmp_path: Path) -> None:
    build_table(PILES, tmp_path / "t", mode="interpreted")
    with pytest.raises(Exception, match="with other rules, parameters or numbers, not of this piles"):
        Table.open(tmp_path / "t", replace(PILES, tiers=lambda: tiers(size=14)))
