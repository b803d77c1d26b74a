"""The hash of a game's rules: certificates that were written once must find it again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from zermelo.certificates.rulebook import BINDING, fingerprint
from zermelo.rules import ONGOING, Game, i8, rule, struct, u64

State = struct(spot=i8, plies=i8)
Turned = struct(spot=i8, turn=i8)


@rule
def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2


@rule
def play(s, move):
    s.spot = 1 - s.spot if move == 0 else 9
    s.plies += 1


@rule
def result(s):
    return ONGOING if s.spot != 9 else 1


@rule
def spot_key(s):
    return u64(s.spot) + (u64(s.plies & 1) << u64(8))


@rule
def last_loses(path, earliest, latest, end):
    return -1 if path[latest].plies & 1 else 1


GAME = Game(name="pinned", State=State, start=State(), moves=moves, play=play, result=result, max_moves=2, max_plies=8)


@pytest.mark.parametrize(
    ("changes", "hashed"),
    [
        ({}, "26b00bd0f3a49781d2dad3fbfd9e9cf3"),
        ({"repetition": "draw", "loop_key": spot_key}, "a08353e036e8964c4ee88459959fc1d0"),
        ({"repetition": last_loses, "folds": 3}, "00f6b88981aa987f0fc1ce56e1bc284d"),
        ({"State": Turned, "start": Turned(), "turn": None}, "fcf222e220440df28245d48d6e191fb5"),
    ],
    ids=["plain", "loop key", "own rule", "field turn"],
)
def test_fingerprints_stay_what_they_were(changes: dict[str, Any], hashed: str) -> None:
    assert fingerprint(replace(GAME, **changes)) == hashed


def test_what_a_certificate_is_about() -> None:
    assert [hook.name for hook in BINDING] == [
        "moves", "play", "result", "stuck", "turn", "loop_key", "repeatable",
    ]  # fmt: skip
    helped = replace(GAME, order=rule(lambda s, move: move), key=spot_key, evaluate=rule(lambda s: 0))
    assert fingerprint(helped) == fingerprint(GAME)
