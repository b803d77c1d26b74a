"""The description of the hooks: complete, true of the defaults, and what the documentation says."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from zermelo import games
from zermelo.compile.modes import Interpreted
from zermelo.rules import CHANCE, ONGOING, Game, RuleError, from_object
from zermelo.rules.hooks import (
    COMPILED,
    HOOKS,
    SUBGAME_HOOKS,
    Hook,
    Hooks,
    Kind,
    Purpose,
    SubgameHooks,
    Where,
    equal_weight,
)  # fmt: skip

pytestmark = pytest.mark.usefixtures("calling_rules")

PAGE = Path(__file__).parents[2] / "docs" / "write-a-game.md"
GAME = games.connect_four(width=4, height=4)


def test_every_field_that_takes_a_function_is_described() -> None:
    assert [one.name for one in fields(Hooks)] == list(HOOKS)
    others = {one.name for one in fields(Game)} - set(HOOKS)
    assert not any("Rule" in str(one.type) or "Callable" in str(one.type) for one in fields(Game) if one.name in others)
    assert [hook.name for hook in HOOKS.values() if hook.required] == ["moves", "play", "result"]
    assert {hook.name for hook in HOOKS.values() if not hook.compiled} == {
        "tiers", "timeless", "move_text", "read_move", "position_text", "read_position", "draw", "spots",
    }  # fmt: skip


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_a_description_says_all(hook: Hook) -> None:
    assert hook.says[-1] != "."
    assert bool(hook.without) != hook.required
    assert bool(hook.must) == (hook.kind not in (Kind.NOTHING, Kind.OBJECT))
    assert hook.call == f"{hook.name}({', '.join(hook.arguments)})"
    assert (hook.where is Where.EVERYWHERE) or hook.compiled


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_a_hook_must_be_a_function(hook: Hook) -> None:
    if hook.name == "repetition":
        return  # a trait too: it has words of its own
    marked = " marked @rule" if hook.compiled else ""
    with pytest.raises(RuleError, match=f"connect-four: {hook.name} must be a function{marked}$"):
        replace(GAME, **{hook.name: 5})


def documented(title: str) -> list[tuple[str, str, str]]:
    """The rows of the table whose first column has this title, without links."""
    text = PAGE.read_text(encoding="utf-8")
    head = f"| {title} | says | without it |\n| --- | --- | --- |\n"
    table = text.partition(head)[2].partition("\n\n")[0]
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", table)
    return [tuple(cell.strip() for cell in row.strip("|").split(" | ")) for row in plain.splitlines()]  # type: ignore[misc]


@pytest.mark.parametrize(("title", "compiled"), [("rule", True), ("function", False)])
def test_the_documentation_lists_every_optional_hook(title: str, compiled: bool) -> None:
    described = [hook for hook in HOOKS.values() if not hook.required and hook.compiled == compiled]
    assert documented(title) == [(f"`{hook.call}`", hook.says, hook.without) for hook in described]


def test_the_documentation_lists_the_rules_of_sub_games() -> None:
    described = [(f"`{hook.call}`", hook.says, hook.without or "it must be given") for hook in SUBGAME_HOOKS.values()]
    assert documented("rule of a sub-game") == described
    assert [one.name for one in fields(SubgameHooks)] == list(SUBGAME_HOOKS)


BARE = replace(GAME, **{hook.name: None for hook in HOOKS.values() if hook.purpose is Purpose.HELP})


def default(name: str, *given: Any, game: Game = BARE) -> Any:
    hook: Any = HOOKS[name].of(game)
    return hook(*given)


def test_defaults() -> None:
    start = BARE.start
    assert default("turn", start) == 0
    assert HOOKS["weight"].of(BARE) is equal_weight
    assert default("horizon", start) is False
    assert default("order", start, 3) == 0
    assert default("bounds", start) == (-1, 1)
    assert default("effort", start) == 1
    assert default("repetition", [start], 0, 0, 0) == ONGOING
    assert HOOKS["candidates"].of(BARE) is BARE.moves
    assert HOOKS["rest"].of(BARE) is HOOKS["truth"].of(BARE) is None
    assert default("symmetry", start) == default("loop_key", start) == default("key", start)
    assert default("loop_key", start, game=GAME) == GAME.key(start)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("values", "middle"), [((-1, 1), 0), ((0, 3), 1.5), ((2, 6), 4), ((-1.0, 1.0), 0.0), ((-4, -2), -3)]
)
def test_the_default_estimate_is_the_middle(values: Any, middle: float) -> None:
    found = default("evaluate", BARE.start, game=replace(BARE, values=values))
    assert found == middle
    assert type(found) is type(middle)


def test_objects_have_no_default_key() -> None:
    class Coin:
        def turn(self) -> int:
            return CHANCE

    coin = from_object(Coin(), name="coin")
    assert HOOKS["key"].of(coin) is HOOKS["symmetry"].of(coin) is HOOKS["loop_key"].of(coin) is None
    assert Interpreted().rules(coin).key is None


def test_kernels_get_every_compiled_hook() -> None:
    rules = vars(Interpreted().rules(GAME))
    own = {"generate", "over", "listed", "dead_end", "advance", "step", "retreat"}
    assert set(rules) == {hook.name for hook in COMPILED} - {"moves", "play"} | own
