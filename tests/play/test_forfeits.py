"""Players that do anything but play: they lose, and the match goes on."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from sitters import BOARD, First
from zermelo.games.graph import graph_game
from zermelo.play.clock import Clock
from zermelo.play.crew import Entrant, Terms
from zermelo.play.ending import Why
from zermelo.play.match import match
from zermelo.play.player import Act
from zermelo.play.record import read_records
from zermelo.play.referee import Customs
from zermelo.play.schedule import Schedule
from zermelo.rules import RuleError


class Sleeper(First):
    name = "sleeper"

    def move(self, turn):
        if len(turn.position.history()) > 3:
            time.sleep(10**6)
        return super().move(turn)


class Slow(First):
    name = "slow"

    def move(self, turn):
        time.sleep(0.15)
        return super().move(turn)


class Illegal(First):
    name = "illegal"

    def move(self, turn):
        return "z9"


class Crash(First):
    name = "crash"

    def move(self, turn):
        os.kill(os.getpid(), 9)


class Leaver(First):
    name = "leaver"

    def move(self, turn):
        raise SystemExit(3)


class Failing(First):
    name = "failing"

    def move(self, turn):
        raise ValueError("no\nidea")


class Nonsense(First):
    name = "nonsense"

    def move(self, turn):
        print("this is no protocol")
        return {"move": 1}


class Cheat(First):
    name = "cheat"

    def move(self, turn):
        return Act.UNDO


class Absent(First):
    name = "absent"

    def __init__(self):
        raise OSError("no such engine")


class Stuck(First):
    name = "stuck"

    def begin(self, position, clock):
        raise ValueError("cannot begin")


@pytest.mark.parametrize(
    ("player", "clock", "why", "words"),
    [
        (Sleeper, "0.1/move", Why.TIME, "never answered"),
        (Sleeper, None, Why.FAILED, "never answered"),
        (Slow, "0.1/move", Why.TIME, ""),
        (Slow, "0.1", Why.TIME, ""),
        (Illegal, None, Why.ILLEGAL, "'z9'"),
        (Crash, None, Why.FAILED, "its process ended with code -9"),
        (Leaver, None, Why.FAILED, "its process ended with code 3"),
        (Failing, None, Why.FAILED, "ValueError: no idea"),
        (Nonsense, None, Why.FAILED, "which is no move"),
        (Cheat, None, Why.FAILED, "takes back"),
        (Absent, None, Why.FAILED, "OSError: no such engine"),
        (Stuck, None, Why.FAILED, "ValueError: cannot begin"),
    ],
)
def test_who_does_not_play_loses_and_the_match_goes_on(tmp_path, capfd, player, clock, why, words):
    file = tmp_path / "games"
    standing = match(BOARD, [player, First], games=2, clock=clock, patience=0.3, record=file, adjudicate=False,
                     openings=["a1 b2 c3 c1"])  # fmt: skip
    assert (standing.losses, standing.games) == (2, 2)
    assert [forfeit.engine for forfeit in standing.forfeits] == [player.name] * 2
    assert [forfeit.game for forfeit in standing.forfeits] == [1, 2]
    for record in read_records(file, BOARD):
        assert record.ending.why is why
        assert words in record.ending.detail
        assert record.position.history()[:4] == ["a1", "b2", "c3", "c1"]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("ends", [lambda: os.kill(os.getpid(), 9), lambda: time.sleep(10**6)], ids=["dies", "hangs"])
def test_the_program_of_a_player_ends_with_it(tmp_path, ends):
    started = tmp_path / "pids"

    class Keeper(First):
        name = "keeper"

        def move(self, turn):
            program = subprocess.Popen(["sleep", "1000"])
            with started.open("a") as out:
                print(program.pid, file=out)
            ends()

    assert match(BOARD, [Keeper, First], games=2, clock="0.1/move", patience=0.3).losses == 2
    pids = [int(pid) for pid in started.read_text().split()]
    assert len(pids) == 2
    assert all(_gone(pid) for pid in pids)


def _gone(pid):
    """Whether a process has ended; somebody has yet to fetch its exit code, perhaps."""
    for _ in range(100):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.02)
    return False


def test_who_takes_its_time_is_not_given_up():
    terms = Terms(BOARD, (Entrant("slow", Slow, 600), Entrant("quick", First)), Schedule(2, 2), Clock(), Customs())
    assert terms.silence(0, None) == 900
    assert terms.silence(1, None) == 300
    assert terms.silence(0, 5) == 15
    assert replace(terms, patience=1).silence(0, 5) == 6


def test_an_opening_costs_and_brings_no_time():
    class Looker(First):
        def move(self, turn):
            assert all(left <= 60 for left in turn.left)
            return super().move(turn)

    assert match(BOARD, [Looker, First], games=2, openings=["a1 b2 c3"], clock="60+30", max_plies=4).forfeits == ()


def test_who_leaves_has_lost():
    class Quitter(First):
        def move(self, turn):
            return Act.LEAVE

    standing = match(BOARD, [Quitter, First], games=2)
    assert (standing.losses, standing.forfeits) == (2, ())


def test_rules_that_fail_end_the_match():
    broken = graph_game({"root": "A", "nodes": {"A": {"turn": "max", "moves": ["B"]}, "B": {"value": 1}}})

    def play(state, move):
        raise RuleError("the rules are wrong")

    object.__setattr__(broken, "play", play)
    with pytest.raises(RuleError, match="cannot be played: .*the rules are wrong"):
        match(broken, [First, First], games=2, random_plies=0)
