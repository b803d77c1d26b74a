"""match: two engines and more, a file that goes on after anything, and what is refused."""

from __future__ import annotations

import os
import signal
import time

import pytest

DEEP = "alphabeta(depth=2, mode=interpreted, memory=1MB)"
TWO = ("match", "tic-tac-toe", DEEP, "random")
BOTS = '''
import time, zermelo as z

class Slow(z.Player):
    name = "slow"
    def __init__(self, wait: float = 0.03):
        self.wait = wait
    def move(self, turn):
        time.sleep(self.wait)
        return turn.position.moves()[-1]

class Silent(z.Player):
    def move(self, turn):
        time.sleep(10**6)
'''


def fails(outcome, *words):
    """Bad input is met with one line, no traceback, and nothing on stdout."""
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("zermelo: ")
    assert outcome.err.count("\n") == 1
    for word in words:
        assert word in outcome.err


@pytest.fixture
def bots(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots.py").write_text(BOTS)
    return tmp_path


def events(file):
    return sorted(line for line in file.read_text().splitlines() if line.startswith("event: "))


def test_two_engines(zermelo, tmp_path):
    done = zermelo(*TWO, "--games", 10, "--workers", 2, "--seed", 3, "--record", tmp_path / "games")
    assert (done.code, done.err) == (0, "")
    assert f"{DEEP} against random: 10 games" in done.out
    for label in ("score  ", "mean  ", "Elo  ", "pairs  "):
        assert f"\n{label}" in done.out
    assert len(events(tmp_path / "games")) == 10


def test_one_object(zermelo):
    told = zermelo(*TWO, "--games", 4, "--json").json
    assert told["game"] == "tic-tac-toe"
    assert told["engines"] == [DEEP, "random"]
    assert told["wins"] + told["draws"] + told["losses"] == told["games"] == 4
    assert sum(told["pentanomial"]) == 2
    assert {"score", "elo", "interval", "los", "llr", "ratings", "forfeits", "mean_score", "sprt"} <= set(told)


def test_a_table_of_ratings(zermelo):
    done = zermelo(*TWO, "random(seed=5)", "--games", 2, "--no-adjudicate")
    assert "place  engine" in done.out
    assert "6 games" in done.out
    assert "one drawn game on top" in done.out
    gauntlet = zermelo(*TWO, "random(seed=5)", "--games", 2, "--gauntlet", "--json").json
    assert gauntlet["games"] == 4


def test_a_sequential_test(zermelo):
    done = zermelo(*TWO, "--sprt", 0, 300)
    assert "test   Elo +0 or +300: Elo +300 is accepted (LLR " in done.out
    told = zermelo(*TWO, "--sprt", "-300", 0, "--games", 2, "--json").json
    assert told["sprt"]["elo0"] == -300
    assert told["sprt"]["accepted"] is None


def test_budgets_and_dice(zermelo):
    done = zermelo("match", "pig", "--set", "goal=8", "star2.5(mode=interpreted, memory=1MB)", "random",
                   "--depth", 1, "--nodes", 500, "--clock", "30", "--games", 2)  # fmt: skip
    assert done.code == 0
    assert "2 games" in done.out


def test_openings_from_a_file(zermelo, tmp_path):
    file, games = tmp_path / "openings", tmp_path / "games"
    file.write_text("b2 a1\nb2 b1\n")
    assert zermelo(*TWO, "--games", 4, "--openings", file, "--record", games).code == 0
    assert games.read_text().count("\nb2 a1 ") == games.read_text().count("\nb2 b1 ") == 2
    file.write_text("b2 a1\nb2 b2\n")
    fails(zermelo(*TWO, "--openings", file), "openings, line 2: move 2: 'b2' is not a legal move here")


def test_a_hang_is_a_forfeit(zermelo, bots):
    done = zermelo("match", "tic-tac-toe", "bots.py:Silent", "bots.py:Slow(wait=0)", "--games", 2,
                   "--clock", "0.05/move", "--patience", 0.2)  # fmt: skip
    assert done.code == 0
    assert "2 lost" in done.out
    assert "forfeit  game 1, bots.py:Silent: the first player ran out of time: it never answered" in done.out


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="processes are looked up there")
def test_kill_and_resume(zermelo, bots, terminal):
    again = ("match", "tic-tac-toe", "bots.py:Slow", "random", "--games", "12", "--workers", "2", "--record", "games")
    whole = zermelo(*again[:-1], "whole", "--json").json
    started = terminal(*again)
    started.wait_for("4 of 12 games")
    workers = children(started.process.pid)
    assert len(workers) == 2
    started.process.kill()
    started.finish()
    kept = (bots / "games").read_text()
    assert 4 <= len(events(bots / "games")) < 12
    deadline = time.monotonic() + 30
    while any(alive(worker) for worker in workers):  # no process plays on alone
        assert time.monotonic() < deadline
        time.sleep(0.05)
    fails(zermelo(*again), "holds games already", "--resume")
    (bots / "games").write_text(kept + "\ntic-tac-toe(rows=3, cols=3, run=3)\nevent: ma")
    resumed = zermelo(*again, "--resume", "--json")
    assert resumed.code == 0
    assert resumed.err == "zermelo: the last game in games was only half written: it is played again\n"
    assert (bots / "games").read_text().startswith(kept)
    assert events(bots / "games") == events(bots / "whole")
    assert {**resumed.json, "forfeits": []} == {**whole, "forfeits": []}
    fails(zermelo(*again, "--resume", "--seed", "1"), "another match", "name another file")


def test_ctrl_c_prints_the_standing(bots, terminal, zermelo):
    again = ("match", "tic-tac-toe", "bots.py:Slow", "random", "--games", "200", "--record", "games")
    started = terminal(*again)
    started.wait_for("3 of 200 games")
    os.kill(started.process.pid, signal.SIGINT)
    done = started.finish()
    assert done.code == 130
    assert "not all that were to be played" in done.out
    assert "score  " in done.out
    assert "give the same command with --resume" in done.out
    assert "Traceback" not in done.err
    games = len(events(bots / "games"))
    assert zermelo(*again[:-4], "--games", games + games % 2 + 2, "--record", "games", "--resume").code == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no such device")
def test_a_full_disk(zermelo):
    done = zermelo(*TWO, "--games", 4, "--record", "/dev/full")
    assert done.code == 2
    assert "score  no game was finished" in done.out
    assert done.err.startswith("zermelo: /dev/full cannot be written: No space left on device")


def test_games_of_a_match_are_replayed(zermelo, tmp_path):
    from zermelo import games
    from zermelo.play.record import read_records

    zermelo(*TWO, "--games", 2, "--record", tmp_path / "games")
    for record in read_records(tmp_path / "games", games.tic_tac_toe()):
        assert record.event.startswith("match ")
        assert record.replay()[-1] == record.position


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ("at least two players, not 0",)),
        (("random",), ("at least two players, not 1",)),
        (("random", "alphabet"), ("no method is called alphabet",)),
        (("random", "alphabeta(deph=1)"), ("no setting deph", "depth")),
        (("random", "random", "--games", "7"), ("even: 8, not 7",)),
        (("random", "random", "--games", "0"), ("at least one pair",)),
        (("random", "random", "--sprt", "5", "0"), ("a lower Elo difference", "not 5 and 0")),
        (("random", "random", "--seconds", "0"), ("above 0",)),
        (("random", "random", "--nodes", "0"), ("at least 1",)),
        (("random", "random", "--clock", "soon"), ("is no clock",)),
        (("random", "random", "--resume"), ("--record FILE",)),
        (("random", "random", "--openings", "nowhere"), ("there is no file nowhere",)),
        (("random", "random", "--random-plies", "9"), ("take fewer",)),
        (("random", "random", "--workers", "0"), ("at least 1 worker",)),
    ],
)
def test_what_makes_no_match(zermelo, arguments, words):
    fails(zermelo("match", "tic-tac-toe", *arguments), *words)


def test_an_engine_that_cannot_play_the_game(zermelo):
    fails(zermelo("match", "pig", "random", "alphabeta"), "chance positions", "star2.5")


def test_programs_sit_down_to_play_too(zermelo, bots):
    done = zermelo("play", "tic-tac-toe", "--first", "bots.py:Slow(wait=0)", "--second", "random", "--seed", 2)
    assert done.code == 0
    assert "first player (slow) plays c3" in done.out
    asked = zermelo("play", "tic-tac-toe", "--second", "bots.py:Slow(wait=0)", typed="hint\nquit\n")
    assert "hint: c3" in asked.out


def children(parent):
    """The processes that a process has started."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as stat:
                    fields = stat.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == parent:
                found.append(int(name))
    return found


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
