"""Games solved by their openings, against the definition; stores that are shared, old, foreign and damaged."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import oracles
from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.core.answer import Answer
from zermelo.knowledge.opening_tree import OpeningTree
from zermelo.knowledge.openings_solving import solve_openings
from zermelo.knowledge.pool import Pool, open_pool
from zermelo.rules import Unsuitable, ZermeloError

HERE = Path(__file__).parent
WANDERING, ROLLING = (f"{HERE / 'openings.py'}:{name}" for name in ("wandering", "rolling"))
INTERPRETED = {"mode": "interpreted"}


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with open_pool("2") as opened:
        yield opened


@pytest.fixture(scope="module")
def alone() -> Iterator[Pool]:
    with open_pool("1") as opened:
        yield opened


def solve(spec: str, plies: int, pool: Pool, **more: Any) -> Answer:
    return solve_openings(spec, plies, pool=pool, **{**INTERPRETED, **more})


def said(answer: Answer) -> dict[str, Any]:
    """All of an answer that does not depend on who worked for it and how long that took."""
    return {key: value for key, value in answer.as_dict().items() if key not in ("seconds", "mode", "jobs")}


def test_tic_tac_toe_with_one_worker_and_with_two(pool, alone):
    for plies, positions in ((1, 3), (2, 12), (3, 38)):
        one, two = solve("tic-tac-toe", plies, alone), solve("tic-tac-toe", plies, pool)
        assert said(one) == said(two)
        assert (one.value, one.status, one.complete) == (0, "proven", True)
        assert len(one.best) == 9
        assert one.details["positions"] == one.details["jobs"] == positions
        assert len(one.line) == plies


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("repetition", ["none", "draw", "loses"])
def test_random_games_against_the_definition(seed, repetition, pool):
    parameters = {"seed": seed, "repetition": repetition}
    start = games.load(WANDERING, parameters).position()
    for plies in (1, 3):
        answer = solve(WANDERING, plies, pool, parameters=parameters)
        assert (answer.value, answer.status, answer.complete) == (oracles.value(start), "proven", True)
        assert answer.best == oracles.best_moves(start)


@pytest.mark.parametrize("seed", range(4))
def test_dice_are_averaged(seed, alone):
    start = games.load(ROLLING, {"seed": seed}).position()
    exact = float(oracles.expected(start))
    for plies in (1, 2, 3):
        answer = solve(ROLLING, plies, alone, parameters={"seed": seed})
        assert answer.status == "proven"
        assert answer.value == pytest.approx(exact, abs=1e-9)
        assert answer.best == oracles.best_expected(start)
    for score in (-2, 0, 1):
        claimed = solve(ROLLING, 2, alone, parameters={"seed": seed}, at_least=score)
        assert claimed.details["claim"] == {"at_least": score, "holds": exact >= score}


@pytest.mark.slow
def test_claims_are_decided_by_fewer_jobs(pool, alone):
    jobs = positions = 0
    for seed in range(4):
        for repetition in ("none", "draw"):
            parameters = {"seed": seed, "repetition": repetition}
            value = oracles.value(games.load(WANDERING, parameters).position())
            for score in (-2, 0, 1):
                for side, holds in (("at_least", value >= score), ("at_most", value <= score)):
                    who = pool if score == seed else alone
                    answer = solve(WANDERING, 3, who, parameters=parameters, **{side: score})
                    assert answer.details["claim"] == {side: score, "holds": holds}
                    assert answer.bounds[0] <= value <= answer.bounds[1]
                    jobs, positions = jobs + answer.details["jobs"], positions + answer.details["positions"]
    assert jobs < positions / 2


def test_the_next_job_goes_elsewhere():
    """Two leaves that stand under the same reply are not done at once while another move is untouched."""
    tree = OpeningTree(games.tic_tac_toe().position(), 2, 0)
    first = tree.next_leaf()
    assert first is not None
    first.at_work = True
    tree.changed(first)
    second = tree.next_leaf()
    assert second is not None
    assert second.moves[0] != first.moves[0]


def test_a_leaf_that_met_its_limit_decides_nothing():
    tree = OpeningTree(games.tic_tac_toe().position(), 1, 0)
    for leaf in tree.leaves:
        assert tree.holds is None
        tree.settle(leaf, -1, 1, done=True)
    assert tree.holds is None
    assert tree.next_leaf() is None


def test_limits_leave_bounds_that_are_honest(pool, tmp_path):
    store = tmp_path / "kept"
    for seed in range(4):
        start = games.load(WANDERING, {"seed": seed}).position()
        cut = solve(WANDERING, 2, pool, parameters={"seed": seed}, limits=Limits(nodes=2), method="minimax")
        assert cut.bounds[0] <= oracles.value(start) <= cut.bounds[1]
        if cut.status != "proven":
            assert cut.stopped == "nodes"
    cut = solve("tic-tac-toe", 2, pool, limits=Limits(nodes=20), method="minimax", store=store)
    assert (cut.value, cut.status, cut.stopped, cut.complete) == (None, "unknown", "nodes", False)
    again = solve("tic-tac-toe", 2, pool, limits=Limits(nodes=20), method="minimax", store=store)
    assert again.details["jobs"] == 0
    assert again.status == "unknown"
    whole = solve("tic-tac-toe", 2, pool, store=store)
    assert (whole.value, whole.status, whole.details["jobs"]) == (0, "proven", 12)


def test_a_store_is_gone_on_with(pool, tmp_path):
    store = tmp_path / "kept"
    plain = solve("tic-tac-toe", 2, pool)
    first = solve("tic-tac-toe", 2, pool, store=store)
    second = solve("tic-tac-toe", 2, pool, store=store)
    assert said(first) == said(second) == said(plain)
    assert (first.details["jobs"], second.details["jobs"]) == (12, 0)
    with sqlite3.connect(store) as link:
        link.execute("DELETE FROM solved WHERE rowid % 3 = 0")
    third = solve("tic-tac-toe", 2, pool, store=store)
    assert said(third) == said(plain)
    assert third.details["jobs"] == 4
    claimed = solve("tic-tac-toe", 2, pool, store=store, at_least=1)
    assert claimed.details["claim"]["holds"] is False
    assert claimed.details["jobs"] == 0


def test_runs_share_a_store_at_a_time(pool, alone, tmp_path):
    answers: list[Answer] = []
    runs = [
        threading.Thread(target=lambda who=who: answers.append(solve("tic-tac-toe", 3, who, store=tmp_path / "kept")))
        for who in (pool, alone)
    ]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert said(answers[0]) == said(answers[1])
    done = sum(answer.details["jobs"] for answer in answers)  # what both are at is a hint, so a few are done twice
    assert 38 <= done < 38 * 3 // 2
    with sqlite3.connect(tmp_path / "kept") as link:
        assert link.execute("SELECT count(*) FROM at_work").fetchone() == (0,)


def test_who_was_killed_stands_in_nobodys_way(pool, tmp_path):
    solve("tic-tac-toe", 1, pool, store=tmp_path / "kept")
    with sqlite3.connect(tmp_path / "kept") as link:
        link.execute("INSERT INTO at_work SELECT place, 'a run that is gone' FROM solved")
        link.execute("DELETE FROM solved")
    answer = solve("tic-tac-toe", 1, pool, store=tmp_path / "kept")
    assert (answer.value, answer.status, answer.details["jobs"]) == (0, "proven", 3)
    claimed = solve("tic-tac-toe", 1, pool, store=tmp_path / "kept", at_least=1)
    assert claimed.details["claim"]["holds"] is False


def test_stores_that_are_refused(pool, tmp_path):
    store, other = tmp_path / "kept", tmp_path / "other"

    def refused(sentence: str, file: Path = store, spec: str = "tic-tac-toe", **more: Any) -> None:
        with pytest.raises(ZermeloError, match=sentence):
            solve(spec, 1, pool, store=file, **more)

    def altered(statement: str) -> None:
        with sqlite3.connect(store) as link:
            link.execute(statement)

    solve("tic-tac-toe", 1, pool, store=store)
    refused("is a store of tic-tac-toe", parameters={"cols": 4})
    refused("is a store of tic-tac-toe", spec="connect-four", parameters={"width": 4, "height": 4})
    altered("UPDATE solved SET low = 1, high = 1 WHERE rowid = 2")
    refused("the checksum of the position after .. is wrong")
    altered("UPDATE about SET rules = 'x'")
    refused("what it says of its game has changed")
    altered("PRAGMA user_version = 7")
    refused("is a store of version 7")
    other.write_text("not a database " * 100)
    refused("is no store of openings, or it has changed: file is not a database", file=other)
    other.unlink()
    with sqlite3.connect(other) as link:
        link.execute("CREATE TABLE mine (x)")
    refused("is a database, but no store of openings", file=other)
    refused("cannot be opened as a store|cannot be used as a store", file=tmp_path / "nowhere" / "kept")
    refused("cannot be opened as a store|cannot be used as a store", file=tmp_path)


def test_a_flipped_byte_never_changes_the_answer(pool, tmp_path):
    store = tmp_path / "kept"
    sound = said(solve("tic-tac-toe", 1, pool, store=store))
    with sqlite3.connect(store) as link:
        link.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = store.read_bytes()
    refused = 0
    for place in [place for place, byte in enumerate(whole) if byte][::23]:
        for beside in tmp_path.glob("kept-*"):
            beside.unlink()
        store.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        try:
            assert said(solve("tic-tac-toe", 1, pool, store=store)) == sound
        except ZermeloError:
            refused += 1
    assert refused > 5


def test_what_makes_no_sense(pool, monkeypatch):
    with pytest.raises(Unsuitable, match="one claim at a time"):
        solve("tic-tac-toe", 1, pool, at_least=0, at_most=0)
    with pytest.raises(Unsuitable, match="scores lie between -1 and 1, not at 5"):
        solve("tic-tac-toe", 1, pool, at_least=5)
    with pytest.raises(Unsuitable, match="openings have at least 1 ply, not 0"):
        solve("tic-tac-toe", 0, pool)
    monkeypatch.setattr("zermelo.knowledge.opening_tree.MOST_NODES", 100)
    with pytest.raises(Unsuitable, match="has more than 100 openings of 4 plies"):
        solve("tic-tac-toe", 4, pool)


def test_all_is_over_before_the_plies_are(pool):
    answer = solve("tic-tac-toe", 5, pool, position="a1 b1 a2 b2 b3")
    assert (answer.value, answer.status, answer.details["positions"]) == (0, "proven", 0)
    over = solve("tic-tac-toe", 2, pool, position="a1 b1 a2 b2 a3")
    assert (over.value, over.status, over.best) == (1, "proven", [])
    always = solve("tic-tac-toe", 2, pool, at_most=1)
    assert (always.details["claim"]["holds"], always.details["jobs"]) == (True, 0)


@pytest.mark.slow
def test_paths_are_kept_apart_where_play_comes_back():
    paths = states = 0
    for seed in range(4):
        tree = OpeningTree(games.load(WANDERING, {"seed": seed, "repetition": "draw"}).position(), 3)
        assert len({leaf.place for leaf in tree.leaves}) == len(tree.leaves)
        paths += len(tree.leaves)
        states += len({tree.game.position(" ".join(leaf.moves)) for leaf in tree.leaves})
    assert states < paths
