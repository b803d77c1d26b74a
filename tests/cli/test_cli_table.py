"""The commands about endgame tables, and --table."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from zermelo.knowledge.manifest import read_manifest

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
        (("table", "build", "tic-tac-toe", "--tiers", "3"), "has no tiers"),
        (("table", "build", "tic-tac-toe", "--memory", "10KB", "--mode", "interpreted"), "would do: give --memory"),
        (("table", "build", "dark-chess"), "positions count as repeated that are not the same"),
        ((*BUILD, "--position", "2 0"), "leave the position out"),
        ((*BUILD, "--tiers", "9 left"), "has no tier 9 left"),
        ((*BUILD, "--tiers", "9"), "has no tier 9: it has 0 left, 1 left, 2 left, 3 left"),
        ((*BUILD[:4], "tug.py", *BUILD[5:]), "tug.py cannot be the folder of a table, it is a file: name another"),
        ((*BUILD, "--tiers", "2 left..1 left"), "name the lower one first"),
        ((*BUILD, "--values", "scores"), "a table cannot hold scores: did you mean score?"),
        ((*BUILD, "--values", "chance"), "has no dice"),
        ((*BUILD, "--memory", "10"), "needs 36 bytes, more than the 10 bytes"),
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


def test_what_is_said_to_help_does(zermelo, tug):
    """A table that was damaged, or begun and left, or is of other rules: the sentence names what works."""
    zermelo(*BUILD)
    (tug / "t" / "tier-2").write_bytes(b"no tier")
    probe = ("table", "probe", "t", "--game", "tug.py", "--json")
    assert "build it again" in zermelo(*probe).err
    assert zermelo(*BUILD).code == 0
    assert zermelo(*probe).code == 0
    manifest = read_manifest("t")
    replace(manifest, complete=False).write(tug / "t")
    left = zermelo(*probe).err
    assert "t is not finished: the command that began it goes on, zermelo table build … --out t" in left
    (tug / "t" / "table.json").write_text("{}")
    for command in (probe, BUILD):
        assert "remove the folder and build the table again" in zermelo(*command).err
    replace(manifest, rules="others").write(tug / "t")
    for command in (probe, BUILD):
        assert "of this tug: name another folder, or remove this one and build it again" in zermelo(*command).err


def test_a_table_of_a_game_that_no_file_may_name(zermelo, tug):
    zermelo(*BUILD)
    assert "--game" in zermelo("table", "probe", "t").err


def test_a_game_without_numbers(zermelo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    middle = ("--position", "xox-o-x--")
    built = zermelo("table", "build", "tic-tac-toe", *middle, "--out", "t", "--mode", "interpreted")
    assert re.search(r"begins at +XOX-O-X--", built.out), built.err
    assert re.search(r"index +(automaton|sorted keys), .* bits a position \((sorted keys|an automaton) ", built.out)
    told = json.loads(zermelo("table", "info", "t", "--json").out)
    assert told["index"]["positions"] == told["tiers"][0]["positions"]
    assert {told["index"][kind] for kind in ("automaton", "keys")} >= {told["index"]["bytes"]}
    assert sum(row["won"] for row in told["by_distance"]) == told["tiers"][0]["won"]
    listed = zermelo("table", "info", "t", "--distances").out
    for row in told["by_distance"]:
        assert re.search(rf"^ +{row['plies']} +{row['won']} +{row['lost']}$", listed, re.MULTILINE)
    probed = json.loads(zermelo("table", "probe", "t", *middle, "--json").out)
    assert (probed["value"], probed["plies"]) == (-1, 1)
    assert zermelo("table", "probe", "t").code == 2
    assert zermelo("table", "verify", "t", "--mode", "interpreted").code == 0
    ask = ("tic-tac-toe", "--position", "xo-------", "--method", "alphabeta", "--mode", "interpreted", "--json")
    plain, helped = (json.loads(zermelo("solve", *ask, *more).out) for more in ((), ("--table", "t")))
    assert (helped["value"], helped["rests_on"]) == (plain["value"], ["t"])
    assert helped["nodes"] < plain["nodes"]


@pytest.mark.slow
def test_jobs_and_books_rest_on_it(zermelo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    zermelo("table", "build", "tic-tac-toe", "--position", "xoxo-----", "--out", "t", "--mode", "interpreted")
    ask = ("solve-openings", "tic-tac-toe", "--plies", "1", "--position", "xox------", "--method", "alphabeta")
    plain, helped = (
        json.loads(zermelo(*ask, "--mode", "interpreted", "--json", *more).out) for more in ((), ("--table", "t"))
    )
    assert (plain["value"], plain["status"]) == (helped["value"], helped["status"])
    assert helped["status"] == "proven"
    assert helped["nodes"] < plain["nodes"]
    assert helped["rests_on"] == ["t"]
    assert "holds no table" in zermelo(*ask, "--table", "nowhere").err
    book = ("tic-tac-toe", "b", "--position", "xoxo-----", "--table", "t", "--positions", "1", "--json")
    grown = json.loads(zermelo("book", "grow", *book, "--method", "alphabeta(mode=interpreted)").out)
    assert (grown["searched"], grown["value"], grown["nodes"]) == (1, 1, 0)
    proven = json.loads(zermelo("book", "prove", *book, "--method", "alphabeta(mode=interpreted)").out)
    assert proven["bounds"] == [1, 1]
