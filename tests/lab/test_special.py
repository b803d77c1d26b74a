"""The experiment on specialised searches: its table, what it refuses, and that it goes on where it was left."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from zermelo.lab import special
from zermelo.lab.experiment import Settings
from zermelo.lab.gather import Interrupted
from zermelo.lab.special import EXPERIMENT, HEAD
from zermelo.rules import Unsuitable, ZermeloError

SMALL = {"plies": "5", "policies": "none; leaf=10; leaf=0, root=50", "mode": "interpreted"}


def small(folder: Path, samples: int = 2, **parameters: Any) -> Settings:
    return EXPERIMENT.check(Settings(samples, parameters={**SMALL, **parameters}, folder=folder))


def quiet(words: str) -> None:
    return


@pytest.mark.slow
def test_the_table(tmp_path: Path) -> None:
    result = EXPERIMENT.run(small(tmp_path), quiet)
    rows = [dict(zip(HEAD, row, strict=True)) for row in result.table.rows]
    assert [row["policy"] for row in rows] == ["none", "leaf=10", "leaf=0, root=50"]
    assert (rows[0]["of them special"], rows[0]["to none, %"], rows[0]["depth"]) == (0, 100, 4)
    assert rows[1]["of them special"] > 0
    assert all(row["nodes"] > 0 and row["depth"] <= 5 for row in rows)
    ElementTree.fromstring(result.plot)


def test_it_goes_on_where_it_was_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = EXPERIMENT.run(small(tmp_path / "whole"), quiet).table.rows
    calls, measure = [], special.measure

    def interrupted(task: Any) -> Any:
        calls.append(task)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return measure(task)

    interrupted.__name__ = "measure"
    monkeypatch.setattr(special, "measure", interrupted)
    with pytest.raises(Interrupted, match="interrupted after 2 of 6"):
        EXPERIMENT.run(small(tmp_path), quiet)
    rows = EXPERIMENT.run(small(tmp_path), quiet).table.rows
    assert len(calls) == 3 + 4
    assert [row[:6] for row in rows] == [row[:6] for row in whole]


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"plies": "4"}, "plies are odd lengths of wins from 3 to 15, such as 7; 9; 11, not '4'"),
        ({"policies": " ; "}, "special compares at least one policy"),
        ({"policies": "leaf=-1"}, "leaf is a number of nodes from 0 on, not -1"),
        ({"policies": "leave=1"}, "alphabeta has no setting leave: did you mean leaf"),
        ({"engine": "negamax"}, "negamax calls no search of a sub-game"),
    ],
    ids=str,
)
def test_refusals(parameters: dict[str, str], complaint: str, tmp_path: Path) -> None:
    with pytest.raises((Unsuitable, ZermeloError), match=complaint):
        EXPERIMENT.run(small(tmp_path, **parameters), quiet)
