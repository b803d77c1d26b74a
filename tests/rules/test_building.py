"""Building games from parameters as people write them."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo import games
from zermelo.rules import Game, RuleError, UnknownName, Unsuitable, build
from zermelo.rules.errors import nearest


def sample(width: int = 3, wrap: bool = False, share: float = 0.5, label: str = "plain", plain=7) -> Game:
    return games.tic_tac_toe()


def needy(size: int, depth: int = 1) -> Game:
    return games.tic_tac_toe()


DEFAULTS = {"width": 3, "wrap": False, "share": 0.5, "label": "plain", "plain": 7}


def test_all_parameters_are_remembered() -> None:
    assert build(sample).parameters == DEFAULTS
    assert build(sample, {"width": 5}).parameters == {**DEFAULTS, "width": 5}
    assert build(sample, {"width": "5"}).summary == "tic-tac-toe(width=5, wrap=False, share=0.5, label=plain, plain=7)"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("width", "12", 12), ("width", "-4", -4), ("width", " 4 ", 4), ("share", "0.25", 0.25), ("share", "1", 1.0),
        ("label", "12", "12"), ("label", "on", "on"), ("plain", "8", 8), ("width", 9, 9), ("share", 2, 2.0),
    ],
)  # fmt: skip
def test_texts_become_what_the_factory_asks_for(name: str, text: Any, value: Any) -> None:
    found = build(sample, {name: text}).parameters[name]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", True), ("ON", True), ("true", True), ("yes", True), ("1", True), (True, True),
        ("off", False), ("False", False), ("no", False), ("0", False), (False, False),
    ],
)  # fmt: skip
def test_switches(text: Any, value: bool) -> None:
    assert build(sample, {"wrap": text}).parameters["wrap"] is value


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("width", "wide", "a whole number, not 'wide'"), ("width", "7.5", "a whole number, not '7.5'"),
        ("width", "", "a whole number, not ''"), ("width", 7.5, "a whole number, not 7.5"),
        ("width", None, "a whole number, not None"), ("width", [3], r"a whole number, not \[3\]"),
        ("wrap", "maybe", "on or off, not 'maybe'"), ("wrap", "", "on or off, not ''"),
        ("share", "half", "a number, not 'half'"), ("share", None, "a number, not None"),
        ("plain", "x", "a whole number, not 'x'"),
    ],
)  # fmt: skip
def test_values_that_do_not_fit(name: str, text: Any, expected: str) -> None:
    with pytest.raises(Unsuitable, match=f"sample: {name} takes {expected}"):
        build(sample, {name: text})


def test_unknown_parameters_name_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"sample has no parameter widht: did you mean width\?"):
        build(sample, {"widht": 3})
    with pytest.raises(UnknownName, match="known: label, plain, share, width, wrap"):
        build(sample, {"zzz": 3})


def test_a_missing_parameter_is_asked_for() -> None:
    with pytest.raises(UnknownName, match="needy needs a value for size: add --set size="):
        build(needy, {"depth": 3})
    assert build(needy, {"size": "3"}).parameters == {"size": 3, "depth": 1}


def test_a_factory_must_return_a_game() -> None:
    def wrong(width: int = 3) -> Any:
        return "game"

    with pytest.raises(RuleError, match="wrong must return a Game, not str"):
        build(wrong)


def test_the_games_keep_their_parameters_without_being_asked() -> None:
    game = games.connect_four(width=5, height="4")
    assert game.parameters == {"width": 5, "height": 4, "run": 4, "distance": False}
    with pytest.raises(UnknownName, match="did you mean height"):
        games.connect_four(heigth=5)


def test_nearest() -> None:
    assert nearest("negascoot", ["negascout", "minimax"]) == "did you mean negascout?"
    assert nearest("zzz", ["b", "a"]) == "known: a, b"
    assert nearest("zzz", []) == "there is none"
