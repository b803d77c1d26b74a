"""The experiment on depth rules: what its table holds, what it refuses, and that it goes on where it was left."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from zermelo.cli import main
from zermelo.lab import meetings
from zermelo.lab.depth_rules import EXPERIMENT, HEAD
from zermelo.lab.experiment import Settings
from zermelo.lab.gather import Interrupted, partial
from zermelo.lab.meetings import Effort, Outcome
from zermelo.rules import Unsuitable, ZermeloError

TINY = {"rows": 2, "cols": 2, "pieces": "KPkp", "nodes": 30, "mode": "interpreted"}
RULES = "max_chance=1; chance_last=on"


def tiny(folder: Path, samples: int = 2, **parameters: Any) -> Settings:
    return EXPERIMENT.check(Settings(samples, parameters={**TINY, "rules": RULES, **parameters}, folder=folder))


def quiet(words: str) -> None:
    return


def test_outcomes_add_up() -> None:
    pairs = [[[1, 3, 30, 6, 2, 50, 0], [0.5, 1, 10, 2, 2, 50, 0]], [[0, 1, 10, 4, 4, 20, 0], [0, 1, 10, 4, 0, 0, 0]]]
    found = Outcome.of(pairs)
    assert (found.games, found.points, found.pentanomial) == (4, 1.5, (1, 0, 0, 1, 0))
    assert found.efforts == (Effort(6, 60, 16), Effort(8, 120, 0))
    assert (found.efforts[0].per_move, found.efforts[0].depth) == (10, 2.67)
    assert (found.efforts[1].per_move, found.efforts[1].depth) == (15, "")
    assert found.cells[:2] == (4, 37.5)
    assert found.cells[2] == pytest.approx(-88.7)
    lost = Outcome.of([[[0, 1, 1, 1, 1, 1, 1]] * 2])
    assert lost.cells[2:4] == ("−∞", "−∞")
    assert lost.whisker("loser")[:3] == ("loser", 0, 0)


def test_the_table_tells_strength_nodes_and_depth(tmp_path: Path) -> None:
    result = EXPERIMENT.run(tiny(tmp_path), quiet)
    rows = [dict(zip(HEAD, row, strict=True)) for row in result.table.rows]
    assert [row["rules"] for row in rows] == ["max_chance=1", "chance_last=on"]
    for row in rows:
        assert row["games"] == 2
        assert 0 <= row["score, %"] <= 100
        assert 1 <= row["nodes a move"] <= 31
        assert 1 <= row["nodes without"] <= 31
        assert row["depth"] >= 1
    assert "30 nodes a move, 2 games each" in result.words[0]
    ElementTree.fromstring(result.plot)
    again = EXPERIMENT.run(replace(tiny(tmp_path), fresh=True), quiet)
    assert again.table == result.table


def test_it_goes_on_where_it_was_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = []

    def pair(task: Any) -> list[list[float]]:
        if len(played) == 2:
            played.append(None)
            raise KeyboardInterrupt
        played.append(task)
        return [[0.5, 1, 10, 2, 1, 10, 2]] * 2

    pair.__name__ = "play_pair"
    monkeypatch.setattr(meetings, "play_pair", pair)
    with pytest.raises(Interrupted, match="after 2 of 4"):
        EXPERIMENT.run(tiny(tmp_path, 4), quiet)
    assert partial(tiny(tmp_path), "depth-rules").exists()
    result = EXPERIMENT.run(tiny(tmp_path, 4), quiet)
    tasks = [json.dumps(task) for task in played if task is not None]
    assert len(tasks) == len(set(tasks)) == 4
    assert [row[1:3] for row in result.table.rows] == [(4, 50.0)] * 2


def test_what_cannot_be_is_refused_before_anything_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meetings, "gather", None)
    wrong: tuple[tuple[dict[str, Any], type[ZermeloError], str], ...] = (
        ({"rules": " ; "}, Unsuitable, "at least one setting"),
        ({"rules": "max_chanse=1"}, ZermeloError, "max_chanse"),
        ({"rules": "max_chance=-1"}, Unsuitable, "0 or more"),
        ({"rows": 3}, Unsuitable, "3×2 squares need 6 pieces"),
        ({"nodes": -5}, Unsuitable, "nodes"),
        ({"nodes": 0, "seconds": -1.0}, Unsuitable, "seconds"),
        ({"mode": "fast"}, Unsuitable, "compiled or interpreted, not fast"),
    )
    for parameters, kind, words in wrong:
        with pytest.raises(kind, match=words):
            EXPERIMENT.run(tiny(tmp_path, **parameters), quiet)
    with pytest.raises(Unsuitable, match="their number is even: 4, not 3"):
        EXPERIMENT.run(tiny(tmp_path, 3), quiet)


def test_an_engine_that_fails_ends_the_experiment(tmp_path: Path) -> None:
    with pytest.raises(Unsuitable, match=r"cannot meet at dark-chess: the first player failed: max_chance = 0 forbids"):
        EXPERIMENT.run(tiny(tmp_path, rules="max_chance=0"), quiet)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = [word for name, value in TINY.items() for word in ("--set", f"{name}={value}")]
    call = ["lab", "depth-rules", "--samples", "2", "--cores", "1", "--out", str(tmp_path), *chosen, "--json"]
    with pytest.raises(SystemExit) as ended:
        main([*call, "--set", "rules=chance_last=on"])
    assert ended.value.code == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rows"][0]["rules"] == "chance_last=on"
    assert told["words"][0].startswith("Dark chess 2×2, KPkp")
    assert sorted(file.name for file in tmp_path.iterdir()) == [f"depth-rules.{kind}" for kind in ("csv", "md", "svg")]
