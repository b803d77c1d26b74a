"""Ctrl-C and the live line, watched through a terminal of our own."""

from __future__ import annotations

import io
import os
import pty
import signal
import time

import pytest

from conftest import COMMAND, as_process
from zermelo import games
from zermelo.cli.live import LiveLine, count, describe
from zermelo.compile.watch import Progress
from zermelo.play.record import read_records

LARGE = ("solve", "connect-four", "--memory", "1MB", "--mode", "interpreted")


def test_ctrl_c_prints_the_best_so_far(terminal):
    started = terminal(*LARGE)
    started.wait_for("nodes, ")
    started.process.send_signal(signal.SIGINT)
    done = started.finish()
    assert done.code == 130
    assert "stopped by Ctrl-C, best so far" in done.out
    assert "Traceback" not in done.err


# Ctrl-C comes from within, once, when the first search is certain to be running: nothing is shown with --json
# that would tell from outside.
PRESSED_WHILE_SEARCHING = """
import os, signal, sys, threading
from zermelo.cli import main
from zermelo.compile.watch import Watch
run = Watch.run
def run_and_press(self, job):
    Watch.run = run
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    return run(self, job)
Watch.run = run_and_press
main(sys.argv[1:])
"""


@pytest.mark.parametrize("arguments", [LARGE, ("search", *LARGE[1:], "--seconds", "60")])
def test_ctrl_c_as_json(process, arguments):
    done = process(*arguments, "--json", code=PRESSED_WHILE_SEARCHING)
    assert (done.code, done.err) == (130, "")
    assert done.json["stopped"] == "interrupt"
    assert done.json["status"] != "proven"


def test_ctrl_c_in_perft_keeps_the_depths_that_are_counted(process):
    arguments = ("perft", "connect-four", "40", "--mode", "interpreted")
    done = process(*arguments, "--json", code=PRESSED_WHILE_SEARCHING)
    assert done.code == 130
    assert (done.json["paths"], done.json["stopped"]) == (None, "interrupt")
    assert "stopped by Ctrl-C while counting depth" in process(*arguments, code=PRESSED_WHILE_SEARCHING).out


def test_ctrl_c_between_two_depths_of_perft(process):
    code = (
        "import sys\n"
        "from zermelo.cli import main\n"
        "from zermelo.core import perft\n"
        "count = perft.perft\n"
        "def count_two(start, depth, **rest):\n"
        "    if depth == 3:\n"
        "        raise KeyboardInterrupt\n"
        "    return count(start, depth, **rest)\n"
        "perft.perft = count_two\n"
        "main(sys.argv[1:])\n"
    )
    done = process("perft", "connect-four", "9", "--mode", "interpreted", "--json", code=code)
    assert (done.code, done.json["counts"], done.json["stopped"]) == (130, [7, 49], "interrupt")


@pytest.mark.slow
def test_ctrl_c_has_the_opponent_move_and_the_game_goes_on(process):
    arguments = ("play", *LARGE[1:], "--side", "second", "--seconds", "60")
    done = process(*arguments, code=PRESSED_WHILE_SEARCHING)
    assert (done.code, done.err) == (0, "")
    assert "mcts plays " in done.out
    assert "stopped by Ctrl-C, best so far)" in done.out
    assert "goodbye\nmoves so far: " in done.out


def test_a_game_in_a_terminal_is_left_by_ctrl_c_and_taken_up_again(tmp_path, process):
    file = tmp_path / "game"
    arguments = ("play", *LARGE[1:], "--side", "second", "--resume", str(file))
    master, slave = pty.openpty()
    started = as_process(
        "-c", COMMAND, *arguments, "--seconds", "60",
        stdin=slave, stdout=slave, stderr=slave, env={**os.environ, "TERM": "dumb"},
    )  # fmt: skip
    os.close(slave)
    seen = ""

    def wait_for(text):
        nonlocal seen
        while text not in seen:
            seen += os.read(master, 4096).decode(errors="replace")
        _, _, seen = seen.partition(text)

    wait_for("nodes, ")
    started.send_signal(signal.SIGINT)
    wait_for("mcts plays ")
    wait_for("your move: ")
    os.write(master, b"4\n")
    wait_for("nodes, ")
    started.send_signal(signal.SIGINT)
    wait_for("mcts plays ")
    wait_for("your move: ")
    time.sleep(0.5)  # the prompt is shown a moment before anything that is pressed there counts
    started.send_signal(signal.SIGINT)
    wait_for("moves so far: ")
    wait_for("to go on: ")
    assert started.wait(60) == 130
    os.close(master)
    [record] = read_records(file, games.connect_four())
    moves = " ".join(record.position.history())
    assert len(moves.split()) == 3
    again = process(*arguments, "--depth", "1")
    assert again.code == 0
    assert f"moves so far: {moves}" in again.out


def test_ctrl_c_while_compiling(terminal, tmp_path):
    started = terminal("solve", "connect-four", env={"ZERMELO_CACHE": str(tmp_path)})
    started.wait_for("compiling connect-four for mtdf")
    started.process.send_signal(signal.SIGINT)
    done = started.finish()
    assert done.code == 130
    assert "stopped by Ctrl-C, best so far" in done.out  # by what the interpreter had found
    assert "run      interpreted" in done.out
    assert "Traceback" not in done.err


def test_ctrl_c_while_compiling_by_force(terminal, tmp_path):
    started = terminal("solve", "connect-four", "--mode", "compiled", env={"ZERMELO_CACHE": str(tmp_path)})
    started.wait_for("compiling connect-four for mtdf")
    started.process.send_signal(signal.SIGINT)
    done = started.finish()
    assert done.code == 130
    assert "status   unknown; stopped by Ctrl-C, best so far" in done.out
    assert "Traceback" not in done.err


def test_ctrl_c_in_a_destructor_is_not_lost(process):
    code = (
        "import time\n"
        "from zermelo.cli import main\n"
        "from zermelo.compile import cache\n"
        "class Fragile:\n"
        "    def __del__(self):\n"
        "        raise KeyboardInterrupt\n"
        "def usage():\n"
        "    Fragile()\n"
        "    for _ in range(600):\n"
        "        time.sleep(0.1)\n"
        "cache.usage = usage\n"
        "main(['cache'])\n"
    )
    done = process(code=code)
    assert (done.code, done.err) == (130, "zermelo: interrupted\n")


def test_the_live_line_is_wiped(terminal):
    done = terminal(*LARGE, "--seconds", "0.5").finish()
    assert done.code == 0
    lines = done.err.split("\r")
    assert any("nodes, " in line and "value -1 to 1" in line for line in lines)
    assert not lines[-1].strip()
    assert not lines[-2].strip()


def test_no_live_line_for_machines(terminal):
    assert terminal(*LARGE, "--seconds", "0.5", "--json").finish().err == ""


def test_the_live_line_is_as_wide_as_the_terminal(monkeypatch):
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr", screen)
    with LiveLine() as line:
        line.say("long " * 100)
        line.say("short")
    written = screen.getvalue().split("\r")
    assert [len(text) for text in written] == [0, 79, 79, 5, 0]
    assert written[2].strip() == "short"


def test_progress_in_words():
    told = describe(Progress(12_345_678, 2.0, 14, -1, 1, "searching"))
    assert told == "searching 2.0 s | depth 14 | 12.3 million nodes, 6.2 million/s | value -1 to 1 | Ctrl-C stops"
    assert "value 0 " in describe(Progress(5, 1.0, None, 0, 0, "following the line"))
    assert [count(n) for n in (0, 9999, 10_000, 999_999, 1e9)] == [
        "0", "9999", "10.0 thousand", "1000.0 thousand", "1.0 billion",
    ]  # fmt: skip
