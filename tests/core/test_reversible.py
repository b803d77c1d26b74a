"""The hook `reversible`: what is found with it is what is found without, and `check` finds it out when it lies."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import oracles
import zermelo as z
from marks import slow
from ratchets import ratchet, seeded
from zermelo.core.engine import Engine
from zermelo.core.method import PLAIN, Options
from zermelo.core.solving import solve_with
from zermelo.methods.registry import method_named
from zermelo.pn.options import ProofOptions
from zermelo.rules import Game, Position, rule

OPTIONS: dict[str, tuple[Any, str | int]] = {
    "negamax": (replace(PLAIN, table=True), "64KB"),
    "alphabeta": (Options(), "64KB"),
    "alphabeta colliding": (Options(etc=True, iid=True), 320),
    "mtdf": (Options(), "64KB"),
    "dfpn": (ProofOptions(), "64KB"),
    "dfpn colliding": (ProofOptions(), 320),
    "pn": (ProofOptions(), "64KB"),
}
QUICK = ("alphabeta", "alphabeta colliding", "dfpn colliding")


@rule
def by_what_was_passed(path, earliest, latest, end):
    """A loop is worth what the positions add up to since the first of the times that count."""
    total = 0
    for ply in range(earliest, end):
        total += path[ply].node
    return total % 5 - 2


RULES: dict[str, tuple[Any, int]] = {
    "draw": ("draw", 2), "first": ("first", 2), "wins": ("wins", 2), "loses": ("loses", 2), "threefold": ("draw", 3),
    "own": (by_what_was_passed, 2), "own threefold": (by_what_was_passed, 3),
}  # fmt: skip


@cache
def game_with(rule_name: str, told: bool) -> Game:
    repetition, folds = RULES[rule_name]
    return ratchet(repetition, size=5 if folds == 2 else 3, folds=folds, told=told)


@cache
def engine(variant: str, game: Game, mode: str = "interpreted") -> Engine:
    options, memory = OPTIONS[variant]
    return Engine(game, method_named(variant.split()[0]), options, mode=mode, memory=memory)


def wander(game: Game, seed: int) -> Position:
    """A position with some moves behind it."""
    dice, position = random.Random(seed), seeded(game, seed)
    for _ in range(seed % 4):
        codes = [code for code in position.codes if position.play(code).result is None]
        if codes:
            position = position.play(dice.choice(codes))
    return position


@cache
def truth(rule_name: str, seed: int) -> tuple[float, list[str]]:
    position = wander(game_with(rule_name, told=False), seed)
    return oracles.value(position), oracles.best_moves(position)


def agree(variant: str, rule_name: str, seed: int, mode: str = "interpreted") -> None:
    value, best = truth(rule_name, seed)
    for told in (False, True):
        position = wander(game_with(rule_name, told), seed)
        answer = solve_with(engine(variant, position.game, mode), position)
        assert (answer.status, answer.value) == ("proven", value)
        assert set(answer.best) <= set(best)


@pytest.mark.parametrize("rule_name", RULES)
@pytest.mark.parametrize("variant", [*QUICK, *slow(*(name for name in OPTIONS if name not in QUICK))])
def test_values_are_the_same(variant: str, rule_name: str) -> None:
    for seed in range(5):
        agree(variant, rule_name, seed)


@pytest.mark.parametrize("rule_name", slow("own threefold", "draw", "own"))
@pytest.mark.parametrize("variant", ["alphabeta colliding", *slow("dfpn colliding")])
def test_values_are_the_same_compiled(variant: str, rule_name: str) -> None:
    for seed in range(20):
        agree(variant, rule_name, seed, "compiled")


@pytest.mark.parametrize("rule_name", RULES)
def test_positions_know_their_loops(rule_name: str) -> None:
    met = 0
    for seed in range(60):
        dice = random.Random(seed)
        plain, told = (seeded(game_with(rule_name, hook), seed) for hook in (False, True))
        for _ in range(12):
            if plain.result is not None or not plain.codes:
                break
            code = dice.choice(plain.codes)
            plain, told = plain.play(code), told.play(code)
            met += plain.cycle is not None
            assert (plain.cycle, plain.result) == (told.cycle, told.result)
    assert met > 10


def test_the_earliest_and_the_latest_time() -> None:
    """Round and round in a room: of all the times that a position stood there, the last four count."""
    game = ratchet(folds=4, told=True)
    position = seeded(game, 3)
    seen = {position.mark: [0]}
    for ply in range(1, 30):
        position = next(after for after in map(position.play, position.codes) if after.state.since)
        before = seen.setdefault(position.mark, [])
        assert position.cycle == ((before[-3], before[-1]) if len(before) >= 3 else None)
        before.append(ply)
    assert max(map(len, seen.values())) > 4


def test_ways_that_differ_before_the_last_step_are_one_to_the_table() -> None:
    """A rule of the game's own makes no facts: without the hook, hardly two ways to a position are alike."""
    nodes = [0, 0]
    for told in (False, True):
        one = engine("negamax", ratchet(by_what_was_passed, rooms=5, size=4, told=told))
        nodes[told] = solve_with(one, seeded(one.game, 5)).nodes
    assert nodes[True] < 0.3 * nodes[False]


# Hooks that lie


def problems(game: Game) -> str:
    return z.check(replace(game, start=seeded(game, 3).state), games=10, modes=("interpreted",)).text()


def test_check_has_nothing_against_it() -> None:
    for name in ("draw", "own threefold"):
        assert "no problem found" in problems(game_with(name, told=True))


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"reversible": rule(lambda s: min(s.since, 1))}, "reversible leaves out loops: it is 1 in"),
        ({"reversible": rule(lambda s: -1)}, "reversible must be a whole number from 0 on: -1 at the start"),
        ({"reversible": rule(lambda s: 4 * s.since)}, "reversible grows by more than 1 from one ply to the next"),
        (
            {"repetition": rule(lambda path, earliest, latest, end: 1 if end > 3 else -1)},
            "repetition looks beyond path[earliest], which reversible forbids: 1 in",
        ),
    ],
)
def test_check_finds_what_is_wrong(change: dict[str, Any], cause: str) -> None:
    assert cause in problems(replace(game_with("draw", told=True), **change))


def test_check_undoes_moves_to_find_loops() -> None:
    """On a large board random play does not come back by itself."""
    dobutsu = z.games.dobutsu()
    text = z.check(replace(dobutsu, reversible=rule(lambda s: 3)), games=3, modes=("interpreted",)).text()
    assert "reversible leaves out loops: it is 3" in text
