"""The pool: jobs by names and texts, workers that die, and pools that are not there."""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from zermelo import games
from zermelo.knowledge.jobs import Job, rules_of
from zermelo.knowledge.pool import Pool, open_pool
from zermelo.rules import Unsuitable

FRAGILE = str(Path(__file__).parent / "fragile.py")


def job(name: str, moves: str = "", spec: str = "tic-tac-toe", **parameters: str) -> Job:
    if spec == FRAGILE:
        parameters["home"] = str(os.getpid())
    game = games.load(spec, parameters)
    told: dict[str, Any] = {
        "game": spec, "parameters": parameters, "rules": rules_of(game), "position": "", "moves": moves.split(),
        "search": "alphabeta(mode=interpreted)", "at_least": None, "nodes": None, "seconds": None,
    }  # fmt: skip
    return Job(name, "solve", told)


@pytest.fixture
def pool() -> Iterator[Pool]:
    with open_pool("processes:2") as opened:
        yield opened
    assert not multiprocessing.active_children()


def test_results_come_by_name(pool):
    assert pool.free == 2
    for name, moves in (("won", "a1 b1 a2 b2"), ("drawn", "a1 b2"), ("lost", "b2 a1 c3 c1 a3")):
        pool.submit(job(name, moves))
    assert pool.free == 0
    found = dict(pool.take() for _ in range(3))
    assert {name: (result["low"], result["status"]) for name, result in found.items()} == {
        "won": (1, "proven"), "drawn": (0, "proven"), "lost": (-1, "proven"),
    }  # fmt: skip
    with pytest.raises(Unsuitable, match="nothing was submitted"):
        pool.take()


@pytest.mark.slow
def test_who_dies_is_replaced_and_the_result_is_the_same(pool, tmp_path):
    pool.submit(job("sound", "a1 b2"))
    _, sound = pool.take()
    pool.submit(job("fragile", "a1 b2", FRAGILE, note=str(tmp_path / "note"), deaths="2"))
    name, result = pool.take()
    assert name == "fragile"
    assert len((tmp_path / "note").read_text()) == 3
    assert {**result, "seconds": 0} == {**sound, "seconds": 0}


def test_killed_in_the_middle_of_a_job(pool, tmp_path):
    note = tmp_path / "note"
    pool.submit(job("slow", "a1 b2", FRAGILE, note=str(note), naps="1"))
    deadline = time.monotonic() + 90
    while not note.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    (worker,) = multiprocessing.active_children()
    os.kill(worker.pid, signal.SIGKILL)
    name, result = pool.take()
    assert (name, result["low"], result["high"]) == ("slow", 0, 0)


def test_a_job_that_always_kills_is_named(pool, tmp_path):
    pool.submit(job("the deadly one", "", FRAGILE, note=str(tmp_path / "note"), deaths="9"))
    with pytest.raises(Unsuitable, match=r"the deadly one: 3 workers died of this job, the last one by signal SIGKILL"):
        pool.take()


def test_dropped_jobs_leave_nobody_at_work(pool, tmp_path):
    pool.submit(job("slow", "", FRAGILE, note=str(tmp_path / "note"), naps="9"))
    pool.drop()
    assert not multiprocessing.active_children()
    pool.submit(job("next", "a1 b2"))
    assert pool.take().name == "next"


def test_what_is_wrong_with_a_job_is_said(pool):
    pool.submit(job("illegal", "a1 a1"))
    with pytest.raises(Unsuitable, match=r"illegal: 'a1' is not a legal move"):
        pool.take()
    other = job("other rules")
    pool.submit(other._replace(told={**other.told, "rules": "0"}))
    with pytest.raises(Unsuitable, match="other rules: a worker has other rules of tic-tac-toe"):
        pool.take()
    pool.submit(Job("unknown", "os.system", {}))
    with pytest.raises(Unsuitable, match="unknown: KeyError: 'os.system'"):
        pool.take()


@pytest.mark.parametrize("text", ["", "x", "0", "processes:0", "-1", "2.5", "processes:", "999999", "ray:x"])
def test_what_is_no_pool(text):
    with pytest.raises(Unsuitable, match="a pool (is|has)"):
        open_pool(text)


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray():
    for text in ("ray", "ray://127.0.0.1:1"):
        with pytest.raises(Unsuitable, match=r"needs Ray, which is not installed here: pip install 'zermelo\[ray\]'"):
            open_pool(text)


@pytest.mark.parametrize("address", ["ray://127.0.0.1:1", "ray://:1", "ray://127.0.0.1:99999"])
def test_a_cluster_that_cannot_be_reached(address, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)  # as if it were installed
    with pytest.raises(Unsuitable, match=f"no Ray cluster can be reached at {address}: "):
        open_pool(address)


@pytest.mark.slow
def test_ray_does_as_processes_do(pool, tmp_path):
    pytest.importorskip("ray")
    jobs = [job(moves, moves) for moves in ("a1", "b2", "a1 b2", "b2 a1")]
    found = []
    with open_pool("ray:2") as cluster:
        assert cluster.workers == 2
        for number, some in enumerate((pool, cluster)):
            fragile = job("fragile", "a1 b2", FRAGILE, note=str(tmp_path / f"note{number}"), deaths="2")
            for one in (*jobs, fragile):
                some.submit(one)
            found.append(dict(some.take() for _ in range(len(jobs) + 1)))
            assert len((tmp_path / f"note{number}").read_text()) == 3
    for results in found:
        for result in results.values():
            result["seconds"] = 0
    assert found[0] == found[1]
