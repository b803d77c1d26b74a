"""The experiment on Skat: strong deals are strong, and searches that differ are found out."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo import games
from zermelo.core.method import Options
from zermelo.games.skat import shuffled
from zermelo.lab import skat as lab
from zermelo.lab.experiment import Settings, experiment_named
from zermelo.rules import UnknownName, Unsuitable


def test_the_strongest_hand_declares() -> None:
    for contract in ("clubs", "grand", "null"):
        game = games.load("skat", {"contract": contract})
        for seed in range(10):
            strong, plain = (lab.root(game, contract, deals, seed).text().split("|") for deals in lab.DEALS)
            assert sorted(strong[:3]) == sorted(plain[:3])
            assert strong[3] == plain[3]
            declarer, *others = (lab.strength(hand.split(), contract) for hand in strong[:3])
            assert declarer == max(declarer, *others)
        assert set(plain[0].split()) == set(shuffled(9)[0])


def test_searches_that_differ_are_found_out() -> None:
    ways = [lab.Way("X", "alphabeta", Options()), lab.Way("61?", "boolean", Options(), exact=False)]
    lab._agree(ways, {"X": [[1, 0.1, 70.0]], "61?": [[1, 0.1, 1.0]]}, 61)
    for wrong in ({"X": [[1, 0.1, 60.0]], "61?": [[1, 0.1, 1.0]]}, {"X": [[1, 0.1, 61.0]], "61?": [[1, 0.1, -1.0]]}):
        with pytest.raises(AssertionError, match="is right"):
            lab._agree(ways, wrong, 61)


def test_bad_settings(tmp_path: Path) -> None:
    experiment = experiment_named("skat")
    for parameters, words in (({"deals": "weak"}, "no kind of deals"), ({"contract": "ramsch"}, "no contract")):
        with pytest.raises((UnknownName, Unsuitable), match=words):
            experiment.run(experiment.check(Settings(1, parameters=parameters, folder=tmp_path)), lambda words: None)


@pytest.mark.slow
def test_the_size_term_saves_nodes(tmp_path: Path) -> None:
    experiment = experiment_named("skat")
    result = experiment.run(experiment.check(Settings(12, seed=300, folder=tmp_path)), lambda words: None)
    nodes = {row[0]: row[3] for row in result.table.rows}
    assert nodes["X − C·S"] < nodes["X"]
    assert nodes["all that we have"] < nodes["X"]
