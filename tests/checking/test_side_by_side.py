"""Rules that mean one thing as Python and another as machine code: the check tells for every hook there is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from zermelo.checking.conformance import check
from zermelo.checking.side_by_side import alike
from zermelo.rules import CHANCE, ONGOING, Game, Tier, f32, i8, i64, rule, struct, u8, u64
from zermelo.rules.hooks import COMPILED

State = struct(spot=i8, turn=i8, low=u8, high=u8, large=i64, share=f32)


TOP = u64(1 << 63)
"""With a plain number added, a signed number for the machine."""


@rule
def wraps(s):
    """Less than 0 for Python; the machine's unsigned difference is huge."""
    return s.low - s.high


@rule
def overflows(s):
    """2^80 for Python; of that, 64 bits are 0."""
    return s.large * s.large


@rule
def moves(s, out):
    out[0] = 0 if wraps(s) < 0 else 1
    return 1


@rule
def play(s, move):
    s.spot = 1 - s.spot
    s.turn = 1 - s.turn
    s.share = 0.5 if wraps(s) < 0 else 0.25


@rule
def two_moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2


@rule
def few_moves(s, out):
    return two_moves(s, out) if s.spot == 0 else 0


@rule
def plain_play(s, move):
    s.spot = 1 - s.spot if move == 0 else 9
    s.turn = 1 - s.turn


@rule
def plain_result(s):
    return ONGOING if s.spot != 9 else 1


HONEST = Game(
    name="honest", State=State, start=State(low=1, high=3, large=1 << 40, share=0.1), moves=two_moves, play=plain_play,
    result=plain_result, repetition="draw", max_moves=2, max_plies=8, values=(-10, 10),
)  # fmt: skip

@rule
def index(s):
    return 0, s.turn + 2 * min(s.spot, 2), 1


@rule
def unindex(s, tier, number):
    s.spot = number // 2 if number < 4 else 9
    s.turn = number % 2
    s.low, s.high, s.large, s.share = 1, 3, 1 << 40, 0.1
    return True


@rule
def unmoves(s, out):
    out[0] = 0
    return 1 if s.spot != 9 else 0


@rule
def unplay(s, code):
    s.spot = 1 - s.spot
    s.turn = 1 - s.turn


NUMBERED: dict[str, Any] = {
    "index": index, "unindex": unindex, "tiers": lambda: [Tier(0, 6, "all")], "unmoves": unmoves, "unplay": unplay
}  # fmt: skip


@rule
def careless_unindex(s, tier, number):
    unindex(s, tier, number)
    s.share = 0.1 if wraps(s) < 0 else 0.25
    return True


@rule
def careless_unmoves(s, out):
    out[0] = 0 if wraps(s) < 0 else 7
    return 1 if s.spot != 9 else 0


@rule
def careless_unplay(s, code):
    unplay(s, code)
    s.share = 0.5 if wraps(s) < 0 else 0.25


@rule
def careless_skip(s):
    s.turn = 1 - s.turn
    s.share = 0.5 if wraps(s) < 0 else 0.25
    return True


TRAPS: dict[str, tuple[Any, str, str]] = {
    "moves": (moves, "[0]", "[1]"),
    "play": (play, "share=0.5", "share=0.25"),
    "result": (lambda s: ONGOING if s.spot == 0 else 3 if wraps(s) < 0 else 1, "3", "1"),
    "stuck": (lambda s: 3 if wraps(s) < 0 else 1, "3", "1"),
    "turn": (lambda s: 1 if wraps(s) < 0 else 0, "1", "0"),
    "horizon": (lambda s: wraps(s) < 0, "True", "False"),
    "loop_key": (lambda s: wraps(s), "-2", "18446744073709551614"),
    "repeatable": (lambda s: wraps(s) < 0, "True", "False"),
    "reversible": (lambda s: 9 if wraps(s) < 0 else 8, "9", "8"),
    "key": (lambda s: overflows(s) + s.spot, str(1 << 80), "0"),
    "symmetry": (lambda s: TOP + 1 + s.spot, str((1 << 63) + 1), str(1 - (1 << 63))),
    "rest": (lambda s: (u64(5), wraps(s)), "(5, -2)", "(5, 18446744073709551614)"),
    "order": (lambda s, move: wraps(s) // s.high, "[-1, -1]", "[6.148914691236517e+18, 6.148914691236517e+18]"),
    "bounds": (lambda s: (-10, 3 if wraps(s) < 0 else 1), "(-10, 3)", "(-10, 1)"),
    "wins": (lambda s: wraps(s) < 0, "True", "False"),
    "candidates": (moves, "[0]", "[1]"),
    "evaluate": (lambda s: s.share * s.share, "0.010000000298023", "0.010000000707805"),
    "loud": (moves, "[0]", "[1]"),
    "checked": (lambda s: wraps(s) < 0 and s.spot == 0, "True", "False"),
    "skip": (careless_skip, "(True, State(spot=1", "(True, State(spot=1"),
    "exchange": (lambda s, move: 3 if wraps(s) < 0 else 1, "[3", "[1"),
    "policy": (lambda s, move: 3 if wraps(s) < 0 else 1, "[3, 3]", "[1, 1]"),
    "pick": (lambda s, number: 1 if wraps(s) < 0 else 0, "[1, 1, 1, 1, 1]", "[0, 0, 0, 0, 0]"),
    "effort": (lambda s: overflows(s) + 1, str((1 << 80) + 1), "1"),
    "truth": (lambda s: 1 if wraps(s) < 0 else -1, "1", "-1"),
    "repetition": (lambda path, earliest, latest, end: 1 if wraps(path[latest]) < 0 else -1, "1", "-1"),
    "index": (lambda s: (0, s.turn + 2 * min(s.spot, 2), 1 if wraps(s) < 0 else -1), "(0, 0, 1)", "(0, 0, -1)"),
    "unindex": (careless_unindex, "State(spot=", "State(spot="),
    "unmoves": (careless_unmoves, "[0]", "[7]"),
    "unplay": (careless_unplay, "State(spot=", "State(spot="),
    "weight": (lambda s, outcome: 3 if wraps(s) < 0 else outcome + 1, "[3, 3]", "[1, 2]"),
}
"""A hook, and what it is told to say in either mode."""


@rule
def dice(s):
    return CHANCE if s.spot == 1 else s.turn


@cache
def said(hook: str) -> str:
    """What the check says: one game has all traps but some that hide others."""
    alone = {"moves", "play", "result", "turn", "loop_key", "repetition"}
    if hook in NUMBERED:
        game = replace(HONEST, **{**NUMBERED, hook: rule(TRAPS[hook][0])})
    elif hook == "weight":
        game = replace(HONEST, turn=dice, weight=rule(TRAPS["weight"][0]))
    elif hook == "stuck":
        game = replace(HONEST, moves=few_moves, stuck=rule(TRAPS["stuck"][0]))
    elif hook == "repeatable":
        trap = rule(TRAPS["repeatable"][0])
        game = replace(HONEST, repetition="forbidden", stuck=rule(lambda s: 0), repeatable=trap)
    elif hook in alone:
        game = replace(HONEST, **{hook: rule(TRAPS[hook][0])})
    elif hook != "":
        return said("")
    else:
        others = {*alone, *NUMBERED, "weight", "stuck", "repeatable"}
        rest = {name: rule(trap) for name, (trap, _, _) in TRAPS.items() if name not in others}
        game = replace(HONEST, **rest)
    return check(game, games=20).text()


def test_there_is_a_trap_for_every_hook() -> None:
    assert set(TRAPS) == {hook.name for hook in COMPILED}


def test_the_game_without_traps_is_in_order() -> None:
    assert check(HONEST, games=20).problems == []
    assert check(replace(HONEST, **NUMBERED), games=20).problems == []


@pytest.mark.parametrize("hook", TRAPS)
def test_a_hook_that_differs_between_the_modes(hook: str) -> None:
    line = next(line for line in said(hook).splitlines() if line.startswith(f"- {hook} differs between the modes: "))
    ours, theirs = TRAPS[hook][1:]
    if hook == "play":
        assert ours in line.partition(" interpreted and ")[0]
        assert theirs in line.partition(" interpreted and ")[2]
    else:
        assert line.startswith(f"- {hook} differs between the modes: {ours}")
        assert f" interpreted, {theirs}" in line
        assert " compiled, " in line


@pytest.mark.parametrize(
    ("hook", "wrong", "cause"),
    [
        ("weight", lambda s, outcome: 5 // (s.spot - 1), "rule weight raised ZeroDivisionError"),
        ("order", lambda s, move: 5 // s.spot, "rule order raised ZeroDivisionError"),
        ("effort", lambda s: 5 // s.spot, "rule effort raised ZeroDivisionError"),
        ("loop_key", lambda s: 5 // s.spot, "rule loop_key raised ZeroDivisionError"),
        ("repetition", lambda path, earliest, latest, end: path[end + 1].spot, "rule repetition raised IndexError"),
        ("horizon", lambda s: [0][s.spot] > 0, "rule horizon raised IndexError"),
        ("bounds", lambda s: 1, "rule bounds returns 1, but must return two numbers"),
        ("order", lambda s, move: None, "rule order returns None, but must return a whole number"),
    ],
)
def test_a_hook_that_raises(hook: str, wrong: Any, cause: str) -> None:
    chance = {"turn": dice, "repetition": "draw"} if hook == "weight" else {}
    text = check(replace(HONEST, **chance, **{hook: rule(wrong)}), games=20, modes=("interpreted",)).text()
    assert f"- a rule fails: honest: {cause}" in text


@pytest.mark.parametrize(
    ("hook", "wrong", "cause"),
    [
        ("key", lambda s: s.share * 2, "it returns a float, but must return a u64"),
        ("effort", lambda s: s.spot + 1.0, "it returns a float, but must return a whole number from 1 on"),
        (
            "repetition", lambda path, begin, end: 0,
            "it takes (path, begin, end), but is called with (path, earliest, latest, end)",
        ),
        (
            "repetition", lambda path, earliest, latest, end: path[end].spt,
            "the state has no field spt: did you mean spot?",
        ),
        (
            "repetition", lambda path, earliest, latest, end: (0, 1),
            "it returns a tuple, but must return ONGOING or the first",
        ),
    ],
)
def test_a_hook_of_another_kind(hook: str, wrong: Any, cause: str) -> None:
    text = check(replace(HONEST, **{hook: rule(wrong)}), games=2).text()
    assert f"- a rule fails: honest: rule {hook} cannot be compiled at line " in text
    assert cause in text


def test_hooks_are_asked_only_where_searches_ask_them() -> None:
    """Each of these would divide by 0 elsewhere."""

    @rule
    def candidates(s, out):
        out[0] = 0
        return 1 // (1 - s.spot)  # the bounds close at spot 1

    honest = replace(
        HONEST, turn=dice, weight=rule(lambda s, outcome: 1 // s.spot), order=rule(lambda s, move: 1 // (9 - s.spot)),
        effort=rule(lambda s: 9 // (9 - s.spot)), horizon=rule(lambda s: 1 // (9 - s.spot) > 3),
        bounds=rule(lambda s: (-10 // (9 - s.spot), 10) if s.spot == 0 else (1, 1)), candidates=candidates,
    )  # fmt: skip
    text = check(honest, games=20, modes=("interpreted",)).text()
    assert "a rule fails" not in text


def test_numbers_agree_up_to_rounding_and_whole_ones_exactly() -> None:
    assert alike(0.1 + 0.2, 0.3)
    assert alike([1, (0.5, 2)], [1.0, (0.5, 2)])
    assert not alike([1], [1, 2])
    assert not alike(0.3, 0.3001)
    assert not alike((1 << 60) + 1, float(1 << 60))
    assert not alike(1 << 60, (1 << 60) + 1)
