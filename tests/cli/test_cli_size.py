"""`zermelo size`: what it prints, as text and as JSON, what it refuses, and Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Callable

import pytest

from conftest import Runner, Terminal
from zermelo.cli.size import _outlook, duration, memory_in_words, number, power
from zermelo.knowledge.size import Outlook


@pytest.mark.slow
def test_a_small_game(zermelo: Runner) -> None:
    told = zermelo("size", "tic-tac-toe", "--mode", "interpreted", "--seconds", 20, "--seed", 1)
    assert (told.code, told.err) == (0, "")
    rows = dict(line.split(None, 1) for line in told.out.splitlines()[2:])
    assert rows["positions"] == "5,478, counted"
    assert rows["games"] == "255,168, counted"
    assert "9 at the most" in rows["moves"]
    assert "the longest of all takes 9" in rows["plies"]
    assert "are over" in rows["decided"]
    assert "done while trying" in rows["solve"]
    assert "5.3 KB" in rows["table"]


def test_json(zermelo: Runner) -> None:
    told = zermelo("size", "tic-tac-toe", "--mode", "interpreted", "--seconds", 20, "--json").json
    assert told["game"] == "tic-tac-toe"
    assert told["positions"]["count"] == 5478
    assert told["outlook"]["solve"]["method"] == "mtdf"
    assert told["stopped"] is None


def test_a_large_game_is_told_as_such(zermelo: Runner) -> None:
    told = zermelo("size", "connect-four", "--mode", "interpreted", "--seconds", 0.2)
    assert told.code == 0
    assert "at least" in told.out
    assert "counted" not in told.out.replace("they were not counted", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tic-tac-toe", "--seconds", 0), "must be above 0"),
        (("tic-tac-toe", "--seconds", -2), "must be above 0"),
        (("tic-tac-toe", "--seconds", "nan"), "must be above 0"),
        (("tic-tac-toe", "--memory", "much"), "a memory size is a number and a unit"),
        (("tic-tac-toe", "--position", "a1 b1 a2 b2 a3"), "the game is over"),
        (("chess-boxing",), "no game is called"),
    ],
)
def test_bad_input(zermelo: Runner, arguments: tuple[object, ...], said: str) -> None:
    told = zermelo("size", *arguments)
    assert (told.code, told.out) == (2, "")
    assert said in told.err
    assert told.err.count("\n") == 1


@pytest.mark.slow
def test_ctrl_c_prints_what_is_known(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("size", "connect-four", "--seconds", "600", "--mode", "interpreted")
    shown.wait_for("counting positions")
    shown.process.send_signal(signal.SIGINT)
    told = shown.finish()
    assert told.code == 130
    assert "positions  at least" in told.out
    assert "stopped" in told.out


def test_numbers_as_people_say_them() -> None:
    assert [number(value) for value in (7, 560, 12_345, 4.55e9, 3.44e14)] == [
        "7", "560", "12 thousand", "4.5 billion", "3.4 × 10^14",
    ]  # fmt: skip
    assert [memory_in_words(value) for value in (5478, 3e9, 2**41, 1e30)] == [
        "5.3 KB", "2.8 GB", "2 TB", "9.1 × 10^17 TB",
    ]  # fmt: skip
    assert power(712.3) == "2.0 × 10^712"
    assert power(13.9999) == "1.0 × 10^14"
    assert [duration(value) for value in (0.0123, 3.21, 45, 300, 9000, 9e5, 4e7)] == [
        "0.012 s", "3.2 s", "45 s", "5 minutes", "2 hours", "10 days", "more than a year",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        ((4e7, 3e7, 9e7), "mtdf: more than a year, 1.0 KB; 347 days at the least"),
        ((4e7, 4e7, 9e7), "mtdf: more than a year, 1.0 KB"),
        ((3600.0 * 4, 2.0, 9e7), "mtdf: about 4 hours, 1.0 KB; from 2 s to more than a year"),
        ((3.0, 2.0, 4.0), "mtdf: about 3 s, 1.0 KB; between 2 s and 4 s"),
        ((None, 4e7, None), "mtdf: more than a year and 1.0 KB"),
        ((None, 20.0, None), "mtdf: at least 20 s and 1.0 KB"),
    ],
)
def test_how_long_it_takes(seconds: tuple[float | None, ...], said: str) -> None:
    likely, low, high = seconds
    assert _outlook(Outlook("solve", "mtdf", likely, low, high, 1024.0)) == said


def test_games_that_are_broken_off(zermelo: Runner, graph: Callable[..., str]) -> None:
    told = zermelo("size", graph({"root": "a", "nodes": {"a": {"turn": "max", "moves": ["b"]}, "b": {"estimate": 1}}}))
    assert "in 1,000 random games; 1,000 were broken off at the horizon" in told.out
    file = graph({"root": "a", "repetition": "draw", "nodes": {"a": {"turn": "max", "moves": ["a"]}}})
    assert "given up" not in zermelo("size", file).out
