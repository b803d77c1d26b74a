"""What check learns from whole games: numbers that do not fit, limits, turns that never change, clocks, odd moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from marks import slow
from tiny import tiny
from zermelo import games
from zermelo.checking.conformance import check
from zermelo.checking.promises import lie_at
from zermelo.rules import CHANCE, ONGOING, Game, i8, i16, rule, struct, u8, u64

SEEDS = [0, *slow(1, 2)]


def problems(game: Game, seed: int = 0) -> str:
    return "\n".join(check(game, seed=seed, modes=("interpreted",)).problems)


def walk(size: int = 7, clock: str = "", **more: Any) -> Game:
    """Two pieces on a ring; one that steps onto the other throws it back, and whose piece is thrown back for the second
    time loses. `clock`: none, or one that counts moves, every second move, or moves since somebody was thrown back;
    60 are a draw then."""
    fields: dict[str, Any] = {"place": (i8, 2), "lives": (i8, 2), "turn": i8}
    Walk = struct(**fields, **({"clock": i16} if clock else {}))
    every, resets, counts = (2 if clock == "slow" else 1), clock == "resets", bool(clock)

    @rule
    def moves(s, out):
        out[0] = 1
        out[1] = size - 1
        return 2

    @rule
    def play(s, move):
        s.place[s.turn] = (s.place[s.turn] + move) % size
        if counts and (every == 1 or s.turn == 1):
            s.clock += 1
        if s.place[0] == s.place[1]:
            s.lives[1 - s.turn] -= 1
            s.place[1 - s.turn] = (s.place[s.turn] + 3) % size
            if resets:
                s.clock = 0
        s.turn = 1 - s.turn

    @rule
    def result(s):
        if min(s.lives) == 0:
            return 2 * s.turn - 1
        return 0 if counts and s.clock == 60 else ONGOING

    return Game(
        name="walk", State=Walk, start=Walk(place=[0, 3], lives=[2, 2]), moves=moves, play=play, result=result,
        max_moves=2, **{"max_plies": 400, "repetition": "draw", **more},
    )  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_games_with_loops(seed: int) -> None:
    assert problems(walk(), seed) == ""
    assert problems(walk(folds=3), seed) == ""


def test_a_position_that_comes_back_where_none_can() -> None:
    text = problems(walk(repetition="none"))
    assert "a position comes back: '" in text
    assert "but repetition is none: say what that means (draw, first, second, wins or loses)" in text


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("clock", ["moves", *slow("resets", "slow")])
def test_a_clock_hides_repetition(clock: str, seed: int) -> None:
    text = problems(walk(clock=clock), seed)
    assert "a clock hides repetition: field clock counts on from move to move, so no position ever comes back" in text
    assert "give loop_key(s), a hash of all but clock" in text

    def loop_key(s: Any) -> Any:
        return u64(s.turn + 2 * s.place[0] + 50 * s.place[1] + 1000 * s.lives[0] + 9000 * s.lives[1])

    aware = walk(clock=clock, loop_key=loop_key)
    assert problems(aware, seed) == ""
    assert "clock" not in problems(walk(clock=clock, repetition="none", max_plies=20000), seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_limit_that_games_with_loops_exceed(seed: int) -> None:
    text = problems(walk(folds=9, max_plies=12), seed)
    assert "a game is longer than declared: max_plies = 12, but play goes on " in text
    dobutsu = replace(games.dobutsu(), max_plies=12)
    assert "a game is longer than declared: max_plies = 12, but play goes on in '" in problems(dobutsu, seed)


def test_the_longest_game_allowed_is_no_problem() -> None:
    assert problems(tiny(4)) == ""
    assert "a game is longer than declared: max_plies = 3" in problems(replace(tiny(4), max_plies=3))


def test_dice_may_keep_a_game_going() -> None:
    @rule
    def turn(s):
        return CHANCE if s.left == 3 else s.plies & 1

    @rule
    def play(s, move):
        s.left = 4 if s.left == 3 and move == 1 else s.left - move
        s.plies = 1 - s.plies

    game = replace(
        tiny(4), turn=turn, play=play, weight=lambda s, outcome: 9 if outcome == 1 else 1, alternating=False,
        repetition="none", max_plies=6,
    )  # fmt: skip
    assert "raise it, or declare the game endless if dice can keep it going for ever" in problems(game)
    assert "longer" not in problems(replace(game, endless=True))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("only", [0, 1])
def test_a_turn_that_never_changes(only: int, seed: int) -> None:
    text = problems(replace(tiny(6), turn=lambda s: only, alternating=False), seed)
    assert f"the turn never changes: turn is {only} in every position, so player {2 - only} never moves" in text


def test_one_decision_each_is_no_turn_that_never_changes() -> None:
    @rule
    def turn(s):
        return 0 if s.plies == 0 else CHANCE

    game = replace(tiny(4), turn=turn, weight=lambda s, outcome: 1, alternating=False)
    assert problems(game) == ""


GROWING = struct(small=i8, byte=u8, hash=u64, few=(i8, 2), plies=u8)


def growing(step: int, which: str) -> Game:
    """A game that adds up numbers of many kinds, one of them too many."""

    @rule
    def moves(s, out):
        out[0] = 1
        out[1] = step
        return 2

    @rule
    def play(s, move):
        s.hash = s.hash * u64(0x9E3779B97F4A7C15) + u64(move)
        if which == "small":
            s.small += move
        elif which == "byte":
            s.byte -= move
        elif which == "few":
            s.few[1] = 4 * move
        s.plies += 1

    @rule
    def result(s):
        return ONGOING if s.plies < 4 else 1 if s.small > 0 else -1

    return Game(
        name="growing", State=GROWING, start=GROWING(small=1), moves=moves, play=play, result=result, max_moves=2,
        max_plies=4,
    )  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("which", "holds"), [("small", "from -128 to 127"), ("byte", "from 0 to 255"), ("few", "from -128 to 127")]
)
def test_a_field_that_wraps_around(which: str, holds: str, seed: int) -> None:
    text = problems(growing(60, which), seed)
    assert f"field {which} has no room for a number: " in text
    assert f" into it, but it holds whole numbers {holds}" in text
    assert problems(growing(60, "none"), seed) == ""
    assert lie_at(growing(60, which).position()) is None  # no hook is to blame


def test_the_number_and_the_move_are_named() -> None:
    game = replace(growing(60, "few"), start=GROWING(plies=3))
    assert problems(game) == (
        "field few has no room for a number: 60 at the start writes 240 into it, but it holds whole numbers from -128 "
        "to 127"
    )


@pytest.mark.parametrize("move", [1.5, 1.0, np.float64(1), "1"])
def test_moves_are_whole_numbers(move: Any) -> None:
    @rule
    def moves(s, out):
        out[0] = move
        return 1

    text = problems(replace(tiny(4), moves=moves))
    assert f"a rule fails: tiny: rule moves lists {move!r}, but moves are whole numbers" in text


def test_numbers_of_numpy_are_moves() -> None:
    @rule
    def moves(s, out):
        out[0] = np.int16(1)
        return 1

    assert problems(replace(tiny(4), moves=moves)) == ""


def test_a_result_that_is_none() -> None:
    text = problems(replace(tiny(4), result=lambda s: None if s.left == 0 else ONGOING))
    assert "tiny: rule result returns None in '" in text
    assert "but must return ONGOING or the first player's score" in text
