"""Comparing variants: every combination, impossible ones among them."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo import games, solve
from zermelo.compile.watch import Limits
from zermelo.rules import UnknownName, Unsuitable
from zermelo.studies.compare import Variant, combinations, compare
from zermelo.studies.difficulty import proof_size

QUICK: dict[str, Any] = {"mode": "interpreted", "memory": "1MB"}


def test_combinations() -> None:
    assert list(combinations({"a": [1, 2], "b": "xy"})) == [
        {"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}, {"a": 2, "b": "y"},
    ]  # fmt: skip


def test_every_variant_is_solved() -> None:
    vary = {"empty_capture": ["on", "off"], "pits": ["2"]}
    told = compare("kalah", vary, settings={"stones": 2}, **QUICK)
    assert told.stopped is None
    assert [variant.settings for variant in told.variants] == list(combinations(vary))
    for variant in told.variants:
        game = games.load("kalah", {"stones": 2, **variant.settings})
        answer = solve(game, **QUICK)
        assert variant.answer is not None
        assert (variant.answer.value, variant.answer.best) == (answer.value, answer.best)
        assert variant.proof == proof_size(answer, **QUICK)
        assert variant.as_dict()["value"] == answer.value


def test_a_factory_will_do_and_proofs_can_be_left_out() -> None:
    told = compare(games.connect_four, {"width": [3, 4]}, settings={"height": 2, "run": 2}, proof=False, **QUICK)
    assert [variant.answer and variant.answer.value for variant in told.variants] == [1, 1]
    assert [variant.proof for variant in told.variants] == [None, None]


def test_impossible_variants_say_why() -> None:
    told = compare("tic-tac-toe", {"run": [9, 2, "two"]}, settings={"rows": 2, "cols": 2}, **QUICK)
    first, second, third = told.variants
    assert first.answer is None
    assert first.reason is not None
    assert "run" in first.reason
    assert second.answer is not None
    assert second.answer.value == 1
    assert third.reason == "tic_tac_toe: run takes a whole number, not 'two'"
    assert third.as_dict()["value"] is None


def test_a_position_that_a_variant_does_not_have() -> None:
    told = compare("tic-tac-toe", {"cols": [2, 3]}, settings={"run": 2}, position="c1", proof=False, **QUICK)
    assert told.variants[0].reason is not None
    assert "c1" in told.variants[0].reason
    assert told.variants[1].answer is not None


def test_limits_hold_for_each() -> None:
    told = compare("tic-tac-toe", {"run": [2, 3]}, limits=Limits(nodes=200), proof=False, **QUICK)
    assert [variant.answer and variant.answer.stopped for variant in told.variants] == [None, "nodes"]
    assert told.stopped is None


def test_ctrl_c_keeps_what_is_done() -> None:
    def begin(variant: Variant) -> None:
        if variant.settings["run"] == 3:
            raise KeyboardInterrupt

    told = compare("tic-tac-toe", {"run": [2, 3]}, begin=begin, **QUICK)
    assert told.stopped == "interrupt"
    assert [variant.settings for variant in told.variants] == [{"run": 2}]


@pytest.mark.parametrize(
    ("vary", "settings", "error", "sentence"),
    [
        ({"rnu": [2]}, {}, UnknownName, "no parameter rnu: did you mean run?"),
        ({}, {}, Unsuitable, "needs at least one parameter to vary"),
        ({"run": []}, {}, Unsuitable, "at least one value for run"),
        ({"run": [2]}, {"run": 3}, Unsuitable, "run is both set and varied"),
    ],
)
def test_bad_requests(vary: Any, settings: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence.replace("?", r"\?")):
        compare("tic-tac-toe", vary, settings=settings, **QUICK)


def test_an_unknown_method_ends_it() -> None:
    with pytest.raises(UnknownName, match="no method is called mtdg: did you mean mtdf"):
        compare("tic-tac-toe", {"run": [2]}, method="mtdg", **QUICK)
