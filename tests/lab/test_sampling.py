"""The experiment on sampling: its tables, what it says about the published order, and that it goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from zermelo.lab import sampling
from zermelo.lab.experiment import Settings
from zermelo.lab.gather import Interrupted
from zermelo.lab.meetings import Outcome
from zermelo.lab.sampling import EXPERIMENT, FAILS, HEAD, HOLDS, OPEN, published, rated_rows, verdict
from zermelo.rules import UnknownName, Unsuitable, ZermeloError

WON, LOST, DRAWN = ([[points, 1, 10, 2, 1, 10, 2]] * 2 for points in (1, 0, 0.5))


def tiny(folder: Path, samples: int = 2, **parameters: Any) -> Settings:
    usual = {"games": "pig", "engines": "star1; star1ss; mcts(length=0)", "nodes": 12, "mode": "interpreted"}
    return EXPERIMENT.check(Settings(samples, parameters={**usual, **parameters}, folder=folder))


def quiet(words: str) -> None:
    return


def test_all_meet_the_reference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sampling.GAMES, "pig", {"goal": 6})
    told: list[str] = []

    def stop(words: str) -> None:
        told.append(words)
        if words.endswith("2 of 4"):
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="after 2 of 4"):
        EXPERIMENT.run(tiny(tmp_path), stop)
    result = EXPERIMENT.run(tiny(tmp_path), told.append)
    assert "sampling: 2 of 4 were measured before" in told
    rows = [dict(zip(HEAD, row, strict=True)) for row in result.table.rows]
    assert {row["engine"] for row in rows[:4]} == {"star2.5", "star1", "star1ss", "mcts(length=0)"}
    assert [row["rating"] for row in rows[:4]] == sorted((row["rating"] for row in rows[:4]), reverse=True)
    assert [(row["engine"], row["against"]) for row in rows[4:]] == [("star1ss", "star1")]
    for row in rows:
        if row["engine"] != "star2.5":
            assert row["games"] == 2
            assert row["nodes a move"] >= 1
            assert (row["depth"] == "") == row["engine"].startswith("mcts")
    assert list(result.files) == ["sampling-pig.svg"]
    ElementTree.fromstring(result.files["sampling-pig.svg"])
    assert result.words[1].startswith("Published")
    assert "pig: that star1ss is stronger than star1 is not decided" in result.words[2]


def test_ratings_follow_from_all_who_met() -> None:
    met = {
        ("star1", "star2.5"): Outcome.of([DRAWN] * 5), ("star1ss", "star2.5"): Outcome.of([DRAWN] * 5),
        ("star1ss", "star1"): Outcome.of([WON] * 5),
    }  # fmt: skip
    rows = [dict(zip(HEAD, row, strict=True)) for row in rated_rows("pig", ["star1", "star1ss"], met)]
    assert [row["engine"] for row in rows] == ["star1ss", "star2.5", "star1", "star1ss"]
    assert rows[0]["rating"] == pytest.approx(-rows[2]["rating"])
    assert rows[0]["score, %"] == 50
    assert rows[1]["score, %"] == ""
    assert rows[3]["score, %"] == 100
    assert rows[3]["rating"] == ""


def test_no_more_is_said_than_was_measured() -> None:
    found = [verdict(Outcome.of(pairs)) for pairs in ([WON] * 20 + [LOST], [LOST] * 20 + [WON], [WON] * 3 + [LOST] * 2)]
    assert [word for word, _ in found] == [HOLDS, FAILS, OPEN]
    assert found[2][1].startswith("60.0 % of 10 games, Elo +70 (95 %: ")
    claim = ("star1ss", "star1")
    words = published([("pig", claim, figures) for figures in found], "0.1 s")
    assert words[-1] == "Of 3 comparisons, with 0.1 s a move, 1 bear it out, 1 contradict it and 1 do not decide."
    assert published([], "0.1 s") == []


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    wrong: tuple[tuple[dict[str, Any], type[ZermeloError], str], ...] = (
        ({"games": "pigs"}, UnknownName, "no game pigs: did you mean pig"),
        ({"games": ""}, Unsuitable, "at least one game and one engine"),
        ({"engines": ";"}, Unsuitable, "at least one game and one engine"),
        ({"engines": "mtcs"}, UnknownName, "mcts"),
        ({"engines": "alphabeta"}, ZermeloError, "alphabeta"),
        ({"engines": "mcts; mcts"}, Unsuitable, "mcts is named twice"),
        ({"engines": "star2.5"}, Unsuitable, "star2.5 is named twice"),
    )
    for parameters, kind, words in wrong:
        with pytest.raises(kind, match=words):
            EXPERIMENT.run(tiny(tmp_path, **parameters), quiet)
    assert list(tmp_path.iterdir()) == []
