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
from zermelo.lab.experiment import Experiment, Result, Say, Settings, Table, experiment_named, experiments, write
from zermelo.lab.plot import Line, chart
from zermelo.rules import UnknownName, Unsuitable


def test_experiments_are_found() -> None:
    assert "star" in experiments()
    with pytest.raises(UnknownName, match="did you mean star"):
        experiment_named("stra")
    with pytest.raises(Unsuitable, match="at least 1"):
        Settings(0)


def test_settings_are_checked() -> None:
    def run(settings: Settings, say: Say) -> Result:
        raise AssertionError

    plain = Experiment("plain", "", "", 1, run)
    about = Experiment("about", "", "", 1, run, takes="GAME")
    own = Experiment("own", "", "", 1, run, parameters={"depth": 3, "rate": 0.5, "deep": False, "kind": "a"})
    assert plain.check(Settings(1)) == Settings(1)
    with pytest.raises(Unsuitable, match="plain takes no game and no file: leave out hex"):
        plain.check(Settings(1, what="hex"))
    with pytest.raises(UnknownName, match="no parameter depth: it has none"):
        plain.check(Settings(1, parameters={"depth": "3"}))
    with pytest.raises(Unsuitable, match="about needs a GAME: zermelo lab about GAME"):
        about.check(Settings(1))
    given = Settings(1, what="hex", parameters={"size": "3"})
    assert about.check(given) == given  # the game will look at its parameters itself
    assert own.check(Settings(1, parameters={"rate": "2", "deep": "on"})).parameters == {
        "depth": 3, "rate": 2.0, "deep": True, "kind": "a",
    }  # fmt: skip
    for name, wanted in (("depth", "a whole number"), ("rate", "a number"), ("deep", "on or off")):
        with pytest.raises(Unsuitable, match=f"own: {name} takes {wanted}, not 'x'"):
            own.check(Settings(1, parameters={name: "x"}))
    with pytest.raises(UnknownName, match="did you mean depth"):
        own.check(Settings(1, parameters={"dept": "3"}))
    with pytest.raises(Unsuitable, match="cores must be at least 1"):
        Settings(1, cores=0)


def test_a_result_without_a_plot_has_no_plot_file(tmp_path: Path) -> None:
    files = write(Result(Table(("a",), [(1,)]), "", []), "bare", tmp_path)
    assert [file.name for file in files] == ["bare.csv", "bare.md"]


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
    assert "star" in [listed["name"] for listed in json.loads(capsys.readouterr().out)["experiments"]]
    with pytest.raises(SystemExit) as ended:
        main(["lab", "strar"])
    assert ended.value.code == 2
    assert "did you mean star" in capsys.readouterr().err
