"""Fastest-cut-first on prefix-value trees: the model costs what it should, and the published effect appears."""

from __future__ import annotations

import csv
import json
import math
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

from marks import slow
from zermelo import games
from zermelo.cli import main
from zermelo.games._growth import plies_left
from zermelo.lab import fastest_cut_first as lab
from zermelo.lab.experiment import Settings, experiment_named, write
from zermelo.minimum.grown_trees import Truth, minimax_tree_size

pytestmark = pytest.mark.usefixtures("calling_rules")

tree = import_module("zermelo.games.prefix_tree")

FACTS = {  # nodes of one alpha-beta search over the smallest proof tree, computed for this project, at depth 2, 4, 6
    "unordered": (1.66, 4.04, 9.74),
    "noisy": (1.25, 2.12, 3.52),
    "noisy, size": (1.17, 1.75, 2.58),
    "perfect": (1.05, 1.44, 2.16),
    "perfect, size": (1.04, 1.21, 1.42),
}


def plain_alphabeta(game, root, worth):
    """The nodes of an alpha-beta search that tries moves by descending worth to their player."""
    nodes, room = 0, [0] * game.max_moves

    def search(s, alpha, beta):
        nonlocal nodes
        nodes += 1
        sign = -1 if s.plies & 1 else 1
        if s.plies == s.depth:
            return sign * s.value
        below = []
        for move in range(game.moves(s, room)):
            below.append(s.copy())
            game.play(below[-1], move)
        below.sort(key=lambda c: -worth(c, sign, 0 if c.plies == c.depth else game.moves(c, room)))
        for c in below:
            alpha = max(alpha, -search(c, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha

    search(root.state, -math.inf, math.inf)
    return nodes


@pytest.mark.parametrize(("place", "depth", "trees"), [(0, 2, 100), (1, 4, 20), *slow((2, 6, 40))])
def test_the_model_costs_what_it_is_known_to_cost(place, depth, trees):
    game = games.prefix_tree(depth=6)
    truth = Truth(tree.true_score, plies_left, 4)
    worths = {
        "unordered": lambda c, sign, size: 0,
        "noisy": lambda c, sign, size: sign * game.evaluate(c),
        "noisy, size": lambda c, sign, size: sign * game.evaluate(c) - size,
        "perfect": lambda c, sign, size: sign * c.value,
        "perfect, size": lambda c, sign, size: sign * c.value - 0.5 * size,
    }
    roots = [tree.seeded(game, seed, depth) for seed in range(5000, 5000 + trees)]
    smallest = sum(minimax_tree_size(root, truth) for root in roots)
    for name, worth in worths.items():
        found = sum(plain_alphabeta(game, root, worth) for root in roots) / smallest
        assert found == pytest.approx(FACTS[name][place], rel=0.12), name


def test_learning_finds_a_curve():
    middle, spread = lab.learn(lab.Trees(**lab.PARAMETERS)._replace(depth=6, merge=0.0))
    assert abs(middle) < 2
    assert 0.5 < spread < 4


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """One method and the orderings that one compiled search serves."""
    monkeypatch.setattr(lab, "METHODS", {"negascout": "NegaScout"})
    usual = lab.orderings
    monkeypatch.setattr(lab, "orderings", lambda middle, spread: usual(middle, spread)[:3])
    monkeypatch.setattr(lab, "BLOCK", 4)


@pytest.mark.slow
def test_a_small_run(small: None, tmp_path: Path) -> None:
    parameters = {"depth": 5, "merge": 0.3}
    settings = experiment_named("fastest-cut-first").check(Settings(6, 3, parameters=parameters, folder=tmp_path))
    said: list[str] = []
    result = lab.run(settings, said.append)
    files = write(result, "fastest-cut-first", tmp_path)
    assert said[-1].endswith("12 of 12")
    rows = list(csv.DictReader(files[0].read_text().splitlines()))
    assert [(row["on"], row["order"]) for row in rows] == [
        (on, order) for on in ("trees", "graphs") for order in ("value", "value + S/P", "value + S")
    ]
    for row in rows:
        assert row["trees"] == "6"
        assert 1 <= float(row["depth 1"]) < 2
        assert float(row["depth 2"]) < float(row["depth 5"])
        assert float(row["fewer, %"]) == 0 or row["order"] != "value"
        assert row["paper, %"] == ""  # which speaks of depth 10
    ElementTree.fromstring(files[2].read_text())
    again = lab.run(settings, said.append)  # from what was kept
    assert again.table == result.table
    assert said[-1] == "fastest-cut-first: 12 of 12 were measured before"


@pytest.mark.slow
def test_the_published_effect_appears(small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "METHODS", {"negascout": "NegaScout", "mtdf": "MTD(f)"})
    settings = experiment_named("fastest-cut-first").check(Settings(12, parameters={"merge": 0.0}, folder=tmp_path))
    result = lab.run(settings, lambda words: None)
    for row in result.table.rows:
        saved = dict(zip(result.table.head, row))
        if saved["order"] != "value":
            assert saved["fewer, %"] > lab.PAPER[saved["method"]]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--set", "depht=3"], "no parameter depht: did you mean depth"),
        (["--set", "depth=deep"], "depth takes a whole number, not 'deep'"),
        (["--set", "depth=0"], "trees of this game are 1 to 10 deep, not 0"),
        (["--set", "most=3"], "fewest and most moves must be 1 to 1000, not 4 to 3"),
        (["--set", "merge=2"], "merge must be 0 to 1"),
        (["tic-tac-toe"], "takes no game and no file"),
        (["--cores", "0"], "cores must be at least 1"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(arguments, complaint, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["lab", "fastest-cut-first", "--out", str(tmp_path), *arguments])
    assert ended.value.code == 2
    assert complaint in capsys.readouterr().err


def test_it_is_listed_with_its_source(capsys):
    with pytest.raises(SystemExit):
        main(["lab", "--json"])
    listed = {one["name"]: one for one in json.loads(capsys.readouterr().out)["experiments"]}
    assert listed["fastest-cut-first"]["source"] == "Furtak and Buro 2009"
