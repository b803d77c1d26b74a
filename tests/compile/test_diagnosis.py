"""Which rule is to blame where a search has melted it into its kernel."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo import solve
from zermelo.rules import ONGOING, Game, RuleError, i8, rule, struct

State = struct(spot=i8, turn=i8, board=(i8, 3))


@rule
def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2


@rule
def play(s, move):
    s.spot = 1 - s.spot if move == 0 else 9
    s.turn = 1 - s.turn


@rule
def result(s):
    return ONGOING if s.spot != 9 else 0


def swinging(**more: Any) -> Game:
    """To and fro between two spots, until somebody steps off."""
    return Game(
        name="swing", State=State, start=State(), moves=moves, play=play, result=result, max_moves=2, max_plies=8,
        **{"repetition": "draw", **more},
    )  # fmt: skip


def test_a_repetition_rule_that_raises() -> None:
    @rule
    def repetition(path, earliest, latest, end):
        return path[latest].board[end + 7]

    with pytest.raises(RuleError, match=r"swing: rule repetition raised IndexError at line .*board\[end \+ 7\]"):
        solve(swinging(repetition=repetition), method="minimax", mode="interpreted")


def test_an_order_that_raises() -> None:
    @rule
    def order(s, move):
        return 5 // s.spot

    with pytest.raises(RuleError, match=r"swing: rule order raised ZeroDivisionError at line .*5 // s.spot"):
        solve(swinging(order=order), method="alphabeta", mode="interpreted")
