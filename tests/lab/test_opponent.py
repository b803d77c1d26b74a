"""The experiments on opponent models and contempt: their tables, and what they say of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from zermelo.lab import contempt, opponent
from zermelo.lab.experiment import Experiment, Settings
from zermelo.lab.meetings import Outcome
from zermelo.lab.series import Played
from zermelo.rules import UnknownName, Unsuitable


def tiny(experiment: Experiment, folder: Path, **parameters: Any) -> Settings:
    told = {"mode": "interpreted", **parameters}
    return experiment.check(Settings(2, parameters=told, folder=folder))


def quiet(words: str) -> None:
    return


def played(*points: float) -> Played:
    games = [[won, 1, 10, 2, 1, 10, 2] for won in points]
    return Played(Outcome.of(list(zip(games[::2], games[1::2]))), list(points))


def test_gains_are_counted_pair_by_pair() -> None:
    gain = played(1, 1, 1, 0.5).gain_over(played(0, 1, 0.5, 0))
    assert gain.mean == 0.5
    assert gain.low == gain.high == 0.5  # both pairs brought one point more
    low, mean, high = played(1, 1, 0, 0).gain_over(played(0, 0, 0, 0))
    assert (low < 0 < high, mean) == (True, 0.5)


@pytest.mark.slow
def test_all_players_meet_the_opponent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = opponent.Setup({"rows": 4, "cols": 4}, 2, "alphabeta", 1, "discs", "squares", 1, 32)
    monkeypatch.setitem(opponent.SETUPS, "othello", small)
    result = opponent.EXPERIMENT.run(tiny(opponent.EXPERIMENT, tmp_path, games="othello"), quiet)
    rows = [dict(zip(opponent.HEAD, row, strict=True)) for row in result.table.rows]
    assert [row["player"] for row in rows] == [
        *opponent.players(small), opponent.WORSE_MINIMAX, opponent.WORSE_KNOWN
    ]  # fmt: skip
    assert {row["games"] for row in rows} == {2}
    assert [row["opponent"] for row in rows][-2:] == ["random", "random"]
    assert rows[0]["gain"] == ""
    ElementTree.fromstring(result.files["opponent-othello.svg"])
    assert "that a worse opponent cannot profit" in result.words[-1]


def test_what_the_games_say() -> None:
    setup = opponent.SETUPS["othello"]
    won, lost = played(1, 1, 1, 1), played(0, 0, 0, 0)
    names = (opponent.MINIMAX, opponent.KNOWN, opponent.LEARNS, opponent.WRONG, opponent.GUARDED)
    found = dict(zip(names, (lost, won, played(1, 0, 1, 0), lost, lost)))
    words = opponent.verdicts("othello", setup, {**found, opponent.WORSE_MINIMAX: won, opponent.WORSE_KNOWN: lost})
    assert "gains: +1.000" in words[0]
    assert "recovers 50% of that" in words[1]
    assert "cannot profit fails" in words[-1]


def test_contempt_is_compared_with_none(tmp_path: Path) -> None:
    few = {"contempts": "0; 0.5", "depth": 1, "weaker": 1, "stronger": 2, "men": 3}
    result = contempt.EXPERIMENT.run(tiny(contempt.EXPERIMENT, tmp_path, **few), quiet)
    rows = [dict(zip(contempt.HEAD, row, strict=True)) for row in result.table.rows]
    assert [(row["opponent"], row["contempt"]) for row in rows] == [
        (who, c) for who in ("weaker", "equal", "stronger") for c in (0.0, 0.5)
    ]
    ElementTree.fromstring(result.plot)
    assert len(result.words) == 4


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="opponent has no game othelo: did you mean othello?"):
        opponent.EXPERIMENT.run(tiny(opponent.EXPERIMENT, tmp_path, games="othelo"), quiet)
    with pytest.raises(Unsuitable, match="contempts must hold 0"):
        contempt.EXPERIMENT.run(tiny(contempt.EXPERIMENT, tmp_path, contempts="0.5"), quiet)
