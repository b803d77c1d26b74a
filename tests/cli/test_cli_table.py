"""The commands about endgame tables, and --table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "tables.md").read_text()


@pytest.fixture
def tug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the game of the page on tables."""
    found = re.search(r"```python file=tug.py\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    (tmp_path / "tug.py").write_text(found[1])
    monkeypatch.chdir(tmp_path)
    return tmp_path


BUILD = ("table", "build", "tug.py", "--out", "t", "--mode", "interpreted")


def test_build_info_verify_probe(zermelo, tug):
    built = json.loads(zermelo(*BUILD, "--json").out)
    told = json.loads(zermelo("table", "info", "t", "--json").out)
    assert told["tiers"] == built["tiers"]
    assert [tier["name"] for tier in told["tiers"]] == ["0 left", "1 left", "2 left", "3 left"]
    last = told["tiers"][3]
    assert (last["positions"], last["won"], last["drawn"], last["lost"], last["longest"]) == (18, 5, 10, 3, 6)
    assert zermelo("table", "verify", "t", "--game", "tug.py", "--mode", "interpreted").code == 0
    assert json.loads(zermelo("table", "info", "t", "--json").out)["verified"]
    probed = json.loads(zermelo("table", "probe", "t", "--game", "tug.py", "--position", "2 0 2", "--json").out)
    assert (probed["value"], probed["plies"]) == (1, 2)
    assert [move["plies"] for move in probed["moves"]] == [1, 1]


def test_searches_take_it(zermelo, tug):
    zermelo(*BUILD)
    ask = ("tug.py", "--table", "t", "--mode", "interpreted", "--method", "alphabeta", "--json")
    answer = json.loads(zermelo("solve", *ask, "--table-memory", "1MB").out)
    assert (answer["value"], answer["status"], answer["rests_on"]) == (0, "proven", ["t"])
    later = json.loads(zermelo("search", *ask, "--position", "2 0").out)
    assert later["status"] == "heuristic"
    certificate = zermelo("prove", "tug.py", "--out", "p", "--at-least", "0", "--table", "t", "--mode", "interpreted")
    assert certificate.code == 0, certificate.err
    assert zermelo("verify", "p", "--game", "tug.py").code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("table", "build", "tic-tac-toe"), "does not number its positions"),
        ((*BUILD, "--tiers", "9 left"), "has no tier 9 left"),
        ((*BUILD, "--tiers", "2 left..1 left"), "name the lower one first"),
        ((*BUILD, "--values", "scores"), "a table cannot hold scores: did you mean score?"),
        ((*BUILD, "--values", "chance"), "has no dice"),
        ((*BUILD, "--memory", "10"), "needs 0 MB, more than"),
        ((*BUILD, "--threads", "0"), "at least 1 thread"),
        (("table", "info", "nowhere"), "nowhere holds no table"),
        (("table", "probe", "tug.py"), "tug.py holds no table"),
        (("solve", "tug.py", "--table", "nowhere"), "nowhere holds no table"),
    ],
)
def test_what_cannot_be(zermelo, tug, words, said):
    result = zermelo(*words)
    assert result.code == 2
    assert said in result.err
    assert len(result.err.strip().splitlines()) == 1


def test_a_table_of_a_game_that_no_file_may_name(zermelo, tug):
    zermelo(*BUILD)
    assert "--game" in zermelo("table", "probe", "t").err
