"""Hooks that number positions and lie about it, each in one way: the check names the lie and the position."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from zermelo.checking.conformance import check
from zermelo.rules import ONGOING, Game, Tier, i8, rule, struct

State = struct(level=i8, cell=i8, hop=i8, turn=i8)
RING, STEPS = 6, (1, -1)


@rule
def moves(s, out):
    """Step on or back; on an even cell also down, and then two or three cells on, which is a ply of its own."""
    if s.hop == 1:
        out[0] = 2
        out[1] = 3
        return 2
    out[0] = 0
    out[1] = 1
    out[2] = 2
    return 3 if s.level > 0 and s.cell % 2 == 0 else 2


@rule
def play(s, move):
    if s.hop == 0 and move == 2:
        s.level -= 1
        s.hop = 1
    else:
        s.cell = (s.cell + (move if s.hop == 1 else STEPS[move])) % RING
        s.hop = 0
        s.turn = 1 - s.turn


@rule
def result(s):
    """Who steps onto cell 0 of the lowest level wins."""
    return 2 * s.turn - 1 if s.level == 0 and s.cell == 0 and s.hop == 0 else ONGOING


@rule
def index(s):
    if s.hop == 1:
        return -1, 0, 1
    return s.level, s.cell, 1 - 2 * s.turn


@rule
def unindex(s, tier, number):
    s.level = tier
    s.cell = number
    s.hop = 0
    s.turn = 0
    return True


@rule
def unmoves(s, out):
    n = 0
    for step in range(2):
        if s.level > 0 or (s.cell - STEPS[step]) % RING != 0:
            out[n] = step
            n += 1
    return n


@rule
def unplay(s, code):
    s.cell = (s.cell - STEPS[code]) % RING
    s.turn = 1 - s.turn


def tiers() -> list[Tier]:
    return [Tier(level, RING, f"level {level}") for level in range(4)]


RINGS = Game(
    name="rings", State=State, start=State(level=2), moves=moves, play=play, result=result, max_moves=3, max_plies=60,
    repetition="draw", index=index, unindex=unindex, tiers=tiers, unmoves=unmoves, unplay=unplay,
    position_text=lambda s: f"{s.level}:{s.cell}{'+' * s.hop} {s.turn}",
    read_position=lambda text: State(level=int(text[0]), cell=int(text[2]), hop="+" in text, turn=int(text[-1]))
    if ":" in text else None,
)  # fmt: skip


def problems(game: Game, seed: int = 0) -> str:
    return "\n".join(check(game, games=20, seed=seed, modes=("interpreted",)).problems)


@pytest.mark.parametrize("seed", range(2))
def test_hooks_that_fit_together(seed: int) -> None:
    assert problems(RINGS, seed) == ""
    assert problems(replace(RINGS, unmoves=None, unplay=None), seed) == ""


def test_both_modes() -> None:
    assert check(RINGS, games=5).problems == []


@rule
def shifted(s, tier, number):
    unindex(s, tier, number)
    s.cell = (number + 1) % RING
    return True


@rule
def sloppy(s, tier, number):
    s.level = tier
    s.cell = number
    s.hop = 0
    return True


@rule
def one_code(s, out):
    return min(1, unmoves(s, out))


@rule
def same_code(s, out):
    n = unmoves(s, out)
    if n == 2:
        out[1] = out[0]
    return n


@rule
def more_codes(s, out):
    out[0] = 0
    out[1] = 1
    out[2] = 2
    return 3


@rule
def far_back(s, code):
    unplay(s, code)
    s.cell = (s.cell + 3) % RING


@rule
def up(s, code):
    unplay(s, code)
    s.level += 1


@rule
def surprised(s, out):
    if s.level == 3:
        return 1 // (s.level - 3)
    return moves(s, out)


LIES: dict[str, tuple[dict[str, Any], str]] = {
    "another position": ({"unindex": shifted}, "index does not give back what unindex was asked for: '"),
    "colours exchanged": (
        {"unindex": lambda s, tier, number: unindex(s, tier, number) and setattr(s, "turn", 1) is None},
        "with the sign -1",
    ),
    "a number without a position": (
        {"unindex": lambda s, tier, number: number != 3 and unindex(s, tier, number)},
        "unindex calls a number unused that a position has: number 3 of tier ",
    ),
    "part of a position": ({"unindex": sloppy}, "unindex leaves something of the state as it was: number "),
    "too few numbers": (
        {"tiers": lambda: [Tier(level, RING - 1, f"{level}") for level in range(4)]},
        "a number lies outside its tier: 5 for '",
    ),
    "too few tiers": (
        {"tiers": lambda: tiers()[1:]}, "index names a tier that tiers does not list: tier 0 for '0:",
    ),
    "no sign": ({"index": lambda s: (*index(s)[:2], 0)}, "the sign of index must be 1 or -1: 0 for '"),
    "tiers upside down": (
        {"tiers": lambda: tiers()[::-1]}, "a move leads to a tier that stands later in tiers: ",
    ),
    "nothing kept": (
        {"index": lambda s: (-1, 0, 1) if s.level > 0 else index(s)},
        "no table keeps what follows: after 4 plies from '",
    ),
    "one sign for both": (
        {"index": lambda s: (*index(s)[:2], 1)}, "positions of equal index are not worth the same: '",
    ),
    "cells taken for one": (
        {
            "index": lambda s: (index(s)[0], s.cell // 2, 1 - 2 * s.turn),
            "unindex": lambda s, tier, number: unindex(s, tier, 2 * number),
        },
        "positions of equal index are not worth the same: '",
    ),
    "an unmove too few": ({"unmoves": one_code}, "unmoves leaves out a position: "),
    "an unmove twice": ({"unmoves": same_code}, "unmoves lists a position twice: among those before '"),
    "more unmoves than declared": (
        {"unmoves": more_codes, "max_unmoves": 2},
        "a rule fails: rings: rule unmoves wrote more than the declared max_unmoves = 2; raise max_unmoves",
    ),
    "back to somewhere else": ({"unplay": far_back}, "unplay makes a position that does not lead here: no move of '"),
    "back to another tier": ({"unplay": up}, "unplay makes a position that its tier does not keep: '"),
    "an empty tier": (
        {"tiers": lambda: [(0, 0, "none")]},
        "a rule fails: rings: tiers must list (tier, size, name), each tier once, tiers from 0 on and sizes from 1 on",
    ),
    "two numbers": (
        {"index": lambda s: (0, s.cell)}, "a rule fails: rings: rule index returns (0, ",
    ),
    "rules that know only what can be reached": (
        {"moves": surprised}, "a rule fails: rings: rule moves raised ZeroDivisionError",
    ),
}  # fmt: skip


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", LIES)
def test_one_lie(name: str, seed: int) -> None:
    hooks, sentence = LIES[name]
    told = problems(replace(RINGS, **hooks), seed)
    assert sentence in told
    assert not re.search(r"(number \d+ of tier \d+) is \1", told)


def test_positions_without_a_text_are_named_by_their_state() -> None:
    silent = replace(RINGS, position_text=None, read_position=None)
    assert problems(silent) == ""
    assert "for which unindex makes State(level=" in problems(replace(silent, unindex=shifted))
