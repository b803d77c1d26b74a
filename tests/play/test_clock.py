"""Clocks: their texts, and the side that runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.compile.watch import Limits
from zermelo.play.clock import NO_CLOCK, Clock, Timer
from zermelo.rules import Unsuitable

seconds = st.floats(1e-6, 1e6)
clocks = st.builds(
    lambda game, more, move, nodes, depth: Clock(game, more if game else 0, move, nodes, depth),
    st.none() | seconds | st.integers(1, 10**6),
    st.just(0) | seconds,
    st.none() | seconds,
    st.none() | st.integers(1, 10**12),
    st.none() | st.integers(1, 99),
)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("60+1", Clock(60, 1)),
        ("60", Clock(60)),
        (" 0.5 / move ", Clock(per_move=0.5)),
        ("1000 nodes", Clock(nodes=1000)),
        ("depth 6", Clock(depth=6)),
        ("depth 6, 90+.5", Clock(90, 0.5, depth=6)),
        ("none", NO_CLOCK),
    ],
)
def test_texts(text, clock):
    assert Clock.read(text) == clock
    assert Clock.read(str(clock)) == clock


@given(clocks)
def test_a_text_reads_back(clock):
    assert Clock.read(str(clock)) == clock


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0", "above 0 for the game, not 0 seconds"),
        ("-60+1", "above 0 for the game, not -60 seconds"),
        ("0/move", "above 0 a move"),
        ("60+-1", "increment"),
        ("0 nodes", "at least 1"),
        ("depth 0", "at least 1"),
        ("", "is no clock"),
        ("inf", "is no clock"),
        ("60+1+1", "is no clock"),
        ("an hour", "is no clock"),
        ("60, 30", "the same thing twice"),
    ],
)
def test_what_is_no_clock(text, words):
    with pytest.raises(Unsuitable, match=words):
        Clock.read(text)


def test_an_increment_alone_is_no_clock():
    with pytest.raises(Unsuitable, match="needs a time"):
        Clock(increment=1)
    with pytest.raises(Unsuitable, match="above 0"):
        Clock(float("inf"))


@given(clocks, st.lists(st.integers(-3, 60), max_size=60))
def test_who_heeds_the_limits_never_oversteps(clock, to_go):
    timer = Timer(clock)
    for moves in to_go:
        limits, allowed = timer.limits(moves), timer.allowed
        assert (limits.nodes, limits.depth) == (clock.nodes, clock.depth)
        if allowed is None:
            assert limits.seconds is None
            continue
        assert limits.seconds is not None
        assert 0 < limits.seconds < allowed
        before = timer.left
        timer.spend(limits.seconds)
        assert not timer.fallen
        if before is not None:
            assert timer.left == pytest.approx(before - limits.seconds + clock.increment)


def test_the_flag_falls():
    for clock in (Clock(2, 1), Clock(per_move=2), Clock(60, per_move=2)):
        timer = Timer(clock)
        timer.spend(1.5)
        assert not timer.fallen
        timer.spend(2.5)
        assert timer.fallen
    assert timer.left == 56


def test_no_clock_is_no_limit():
    timer = Timer(NO_CLOCK)
    timer.spend(1e9)
    assert not timer.fallen
    assert timer.limits() == Limits()
    assert not NO_CLOCK.timed
    assert Clock(per_move=1).timed


def test_a_clock_goes_on():
    timer = Timer(Clock(10, 1))
    timer.resume([3, 0.5])
    assert timer.left == 8.5
    timer.resume([9])  # more than there was: the seconds of a record are rounded
    assert 0 < timer.left < 1.1
    assert not timer.fallen
