"""Experiments: they are found, their files are written, their numbers are what the published ones are like."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from zermelo import games
from zermelo.cli import main
from zermelo.games.star_tree import seeded
from zermelo.lab import star
from zermelo.lab.experiment import Result, Settings, Table, experiment_named, experiments, write
from zermelo.lab.plot import Line, chart
from zermelo.rules import UnknownName, Unsuitable


def test_experiments_are_found() -> None:
    assert "star" in experiments()
    with pytest.raises(UnknownName, match="did you mean star"):
        experiment_named("stra")
    with pytest.raises(Unsuitable, match="at least 1"):
        Settings(0)


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    table = Table(("on", "cut, %"), [("trees", 32.5), ("a, b", 1000)])
    result = Result(table, chart("t", "x", "y", [Line("a", [(1, 2), (3, 4)]), Line("b", [(0, 1)])], 10), ["Words."])
    files = write(result, "try", tmp_path / "new")
    assert [file.name for file in files] == ["try.csv", "try.md", "try.svg"]
    rows = list(csv.reader(files[0].read_text().splitlines()))
    assert rows == [["on", "cut, %"], ["trees", "32.5"], ["a, b", "1000"]]
    assert "| trees | 32.5 |" in files[1].read_text()
    ElementTree.fromstring(files[2].read_text())
    (tmp_path / "file").write_text("")
    with pytest.raises(Unsuitable, match="cannot be written"):
        write(result, "try", tmp_path / "file" / "below")


@pytest.mark.slow
def test_the_published_effect_appears() -> None:
    game = games.star_tree()
    rows = star.compare("correlated", game, [seeded(game, n) for n in range(20)], 2, (1, 3, 20), lambda words: None)
    cut = {(row[1], row[2]): row[5] for row in rows}
    assert cut["star1", 0] > 30
    assert cut["star2.5", 3] > 65
    assert cut["star2", 20] < 40 < 60 < cut["star2.5", 20]
    assert all(float(row[-1]) < 1e-9 for row in rows)


def test_the_command_lists_and_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["lab", "--json"])
    assert ended.value.code == 0
    assert json.loads(capsys.readouterr().out)["experiments"][0]["name"] == "star"
    with pytest.raises(SystemExit) as ended:
        main(["lab", "strar"])
    assert ended.value.code == 2
    assert "did you mean star" in capsys.readouterr().err
