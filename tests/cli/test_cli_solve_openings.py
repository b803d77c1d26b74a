"""The command solve-openings: what it prints, what it refuses, and what is left when it is killed."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from marks import slow

COMMAND = "from zermelo.cli import main; main()"
SLOWLY = ("solve-openings", "tic-tac-toe", "--plies", "3", "--method", "minimax(table=off, mode=interpreted)")


def test_value_and_best_moves(zermelo):
    told = zermelo("solve-openings", "tic-tac-toe", "--plies", 1, "--mode", "interpreted", "--json").json
    assert (told["value"], told["status"], len(told["best"]), told["complete"]) == (0, "proven", 9, True)
    assert (told["plies"], told["positions"], told["jobs"], told["mode"]) == (1, 3, 3, "processes:1")


def test_a_claim_in_words(zermelo, tmp_path):
    how = ("--plies", 1, "--mode", "interpreted", "--store", tmp_path / "kept")
    shown = zermelo("solve-openings", "tic-tac-toe", *how, "--at-most", 0).out
    assert "claim     the first player scores 0 or less: yes" in shown
    shown = zermelo("solve-openings", "tic-tac-toe", *how, "--at-least", 1).out
    assert "claim     the first player scores 1 or more: no" in shown
    assert "3 positions after 1 ply, 0 jobs now" in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--pool", "many"], "a pool is a number of processes (2, or processes:2)"),
        (["--at-least", "0", "--at-most", "0"], "one claim at a time"),
        (["--method", "random"], "random finds moves, not values"),
        (["--nodes", "0"], "the limit of nodes must be at least 1"),
        (["--store", __file__], "is no store of openings, or it has changed"),
        (["--set", "width=3"], "tic_tac_toe has no parameter width"),
        (["--plies", "0"], "openings have at least 1 ply"),
    ],
)
def test_bad_input_is_one_sentence(zermelo, arguments, sentence):
    refused = zermelo("solve-openings", "tic-tac-toe", "--plies", 1, *arguments)
    assert refused.code == 2
    assert sentence in refused.err
    assert refused.err.count("\n") == 1
    assert not refused.out


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed")
@pytest.mark.parametrize("pool", ["ray", "ray://127.0.0.1:1"])
def test_without_ray(zermelo, pool):
    refused = zermelo("solve-openings", "tic-tac-toe", "--plies", 1, "--pool", pool)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "needs Ray, which is not installed here" in refused.err


class Run:
    """The command in a process of its own, once it has solved some positions."""

    def __init__(self, store: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *SLOWLY, "--pool", "2", "--store", str(store), "--json"],
            text=True,
            stdout=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        deadline = time.monotonic() + 90
        while _solved(store) < 2:
            assert time.monotonic() < deadline
            assert self.process.poll() is None
            time.sleep(0.01)
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        self.workers = [int(pid) for pid in children.split()]
        assert len(self.workers) >= 2

    def end(self, how: int) -> str:
        self.process.send_signal(how)
        out, _ = self.process.communicate(timeout=90)
        deadline = time.monotonic() + 30
        while any(map(_alive, self.workers)):
            assert time.monotonic() < deadline, "workers are left"
            time.sleep(0.05)
        return out


def _solved(store: Path) -> int:
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as link:
        return int(link.execute("SELECT count(*) FROM solved").fetchone()[0])
    return 0


def _alive(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="who is whose child is read from /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, *slow(signal.SIGINT)])
def test_killed_or_interrupted_it_goes_on(zermelo, tmp_path, how):
    store = tmp_path / "kept"
    run = Run(store)
    out = run.end(how)
    if how == signal.SIGINT:
        told = json.loads(out)
        assert (run.process.returncode, told["stopped"]) == (130, "interrupt")
    kept = _solved(store)
    assert kept >= 2
    again = zermelo(*SLOWLY, "--store", store, "--json").json
    assert (again["jobs"], again["positions"]) == (38 - kept, 38)
    whole = zermelo(*SLOWLY, "--json").json
    for name in ("value", "status", "best", "nodes", "leaves"):
        assert again[name] == whole[name]


@pytest.mark.slow  # when it is killed depends on the machine
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="who is whose child is read from /proc")
def test_thirty_kills_cost_nothing_that_was_kept(zermelo, tmp_path):
    dice, stores, kept, caught = random.Random(1), [tmp_path / "0"], 0, 0
    whole = zermelo(*SLOWLY, "--json").json
    while caught < 30:
        run = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *SLOWLY, "--pool", "2", "--store", str(stores[-1])],
            stdout=subprocess.DEVNULL,
        )
        time.sleep(dice.uniform(0, 4))
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        caught += run.poll() is None
        run.kill()
        run.wait()
        before, kept = kept, _solved(stores[-1])
        assert kept >= before
        deadline = time.monotonic() + 60
        while any(_alive(int(child)) for child in children):
            assert time.monotonic() < deadline, "workers are left"
            time.sleep(0.05)
        if kept == whole["positions"]:
            stores.append(tmp_path / str(len(stores)))
            kept = 0
    for store in stores:
        with_kills = zermelo(*SLOWLY, "--store", store, "--json").json
        for name in ("value", "status", "best", "nodes", "leaves"):
            assert with_kills[name] == whole[name]
        with closing(sqlite3.connect(store)) as link:
            assert link.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
