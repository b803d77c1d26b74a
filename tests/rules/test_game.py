"""What a Game refuses, and what it works out by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from zermelo import games
from zermelo.rules import ONGOING, Game, RuleError, Tier, i8, rule, struct

State = struct(left=i8, plies=i8)


@rule
def moves(s, out):
    out[0] = 1
    return 1


@rule
def play(s, move):
    s.left -= move
    s.plies += 1


@rule
def result(s):
    return 1 if s.left == 0 else ONGOING


COUNTDOWN = Game(
    name="countdown", State=State, start=State(left=3), moves=moves, play=play, result=result, max_moves=1, max_plies=3
)


def changed(**more: Any) -> Game:
    return replace(COUNTDOWN, **more)


@pytest.mark.parametrize("values", [(1, -1), (0, 0), (-1, float("nan")), (1,), (-1, 0, 1), 3])
def test_wrong_values(values: Any) -> None:
    with pytest.raises(RuleError, match=r"countdown: values must be \(lowest, highest\)"):
        changed(values=values)


@pytest.mark.parametrize("limit", ["max_moves", "max_plies", "max_outcomes", "max_unmoves"])
@pytest.mark.parametrize("value", [0, -1, 2.5])
def test_wrong_limits(limit: str, value: Any) -> None:
    with pytest.raises(RuleError, match=f"countdown: .*{limit}"):
        changed(**{limit: value})


def test_an_unknown_repetition_names_the_nearest() -> None:
    with pytest.raises(RuleError, match=r"countdown: repetition 'drow' is unknown, did you mean draw\?"):
        changed(repetition="drow")


def test_a_repetition_that_draws_needs_values_around_zero() -> None:
    assert changed(repetition="first", values=(1, 3)).cyclic
    with pytest.raises(RuleError, match=r"countdown: .*draw.*0"):
        changed(repetition="draw", values=(1, 3))


def test_who_closed_a_loop_does_not_go_together_with_chance() -> None:
    assert changed(repetition="draw", weight=lambda s, outcome: 1).cyclic
    with pytest.raises(RuleError, match="countdown: with chance, repetition must be draw, first or second"):
        changed(repetition="wins", weight=lambda s, outcome: 1)


def test_a_position_comes_back_for_the_second_time_at_the_earliest() -> None:
    with pytest.raises(RuleError, match="folds must be a whole number of at least 2, not 1"):
        changed(repetition="draw", folds=1)


def test_who_is_to_move_must_be_told() -> None:
    Other = struct(left=i8)
    with pytest.raises(RuleError, match=r"countdown: give a rule turn\(s\), or a field named turn or plies"):
        changed(State=Other, start=Other(), turn=None)
    assert changed(State=Other, start=Other(), turn=lambda s: 0).turn(Other()) == 0


def test_turn_comes_from_a_field_or_from_the_number_of_plies() -> None:
    assert [COUNTDOWN.turn(State(plies=n)) for n in range(3)] == [0, 1, 0]
    assert COUNTDOWN.alternating
    Turned = struct(turn=i8, plies=i8)
    turned = changed(State=Turned, start=Turned(), turn=None, alternating=None)
    assert [turned.turn(Turned(turn=n, plies=0)) for n in (0, 1)] == [0, 1]
    assert not turned.alternating


@pytest.mark.parametrize("start", [None, State, struct(left=i8, plies=i8)(), (3, 0)], ids=repr)
def test_a_start_of_the_wrong_type(start: Any) -> None:
    with pytest.raises(RuleError, match="countdown: start must be a state made by the game's own struct"):
        changed(start=start)


@pytest.mark.parametrize("hook", ["moves", "play", "result", "turn", "evaluate", "order", "key", "symmetry", "bounds"])
def test_a_rule_must_be_a_function(hook: str) -> None:
    with pytest.raises(RuleError, match=f"countdown: {hook} must be a function marked @rule"):
        changed(**{hook: 3})


NUMBERING = {
    "index": rule(lambda s: (0, s.left, 1)),
    "unindex": rule(lambda s, tier, number: True),
    "tiers": lambda: [Tier(0, 4, "all")],
}
BACK = {"unmoves": rule(lambda s, out: 0), "unplay": rule(lambda s, code: None)}


def test_hooks_that_number_positions_come_together() -> None:
    assert changed(**NUMBERING).max_unmoves == 1
    assert changed(**NUMBERING, **BACK, max_unmoves=7).max_unmoves == 7
    with pytest.raises(RuleError, match="number positions together: give unindex and tiers too, or none of them"):
        changed(index=NUMBERING["index"])
    with pytest.raises(RuleError, match="countdown: .* number positions together: give tiers too, or none of them"):
        changed(**{**NUMBERING, "tiers": None})
    with pytest.raises(RuleError, match="unmoves and unplay go back together: give unplay too, or none of them"):
        changed(**NUMBERING, unmoves=BACK["unmoves"])
    with pytest.raises(RuleError, match="go back in a table: give index, unindex and tiers too"):
        changed(**BACK)
    with pytest.raises(RuleError, match="countdown: index needs a state made by struct"):
        changed(**NUMBERING, State=None)


def test_whole_values_make_whole_scores() -> None:
    assert COUNTDOWN.integral
    assert not changed(values=(-1.0, 1.0)).integral
    end = COUNTDOWN.position("1 1 1")
    assert end.result == 1
    assert isinstance(end.result, int)
    assert isinstance(changed(values=(-1.0, 1.0)).position("1 1 1").result, float)


def test_a_game_is_itself_and_nothing_else() -> None:
    assert changed() != COUNTDOWN
    assert len({changed(), changed()}) == 2


def test_rules_stay_plain_functions() -> None:
    assert play.is_rule
    s = State(left=3)
    play(s, 1)
    assert (s.left, s.plies) == (2, 1)


@pytest.mark.parametrize("name", games.names())
def test_listed_games_explain_themselves(name: str) -> None:
    made = games.factory(name)
    assert made.__doc__
    assert made.__doc__.strip().endswith(".")
