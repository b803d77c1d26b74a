"""Tuning finds an order that helps, keeps it beside the rules, and says so; what does not help is not kept."""

from __future__ import annotations

import math
import random
import sys
from pathlib import Path

import pytest

from zermelo import games
from zermelo.core import method
from zermelo.lab import tune_order
from zermelo.lab.experiment import Settings, experiment_named
from zermelo.lab.logistic import fit
from zermelo.rules import Unsuitable

FANS = '''
from zermelo.rules import Game, ONGOING

def fans(plies: int = 5) -> Game:
    """Positions have between two and six moves, wide ones first; who leaves few moves wins more often than not."""

    def width(path):
        return 2 + (path * 2654435761 >> 7) % 5

    def moves(s):
        return list(range(width(s[0])))

    def play(s, move):
        return (s[0] * 7 + move + 1, s[1] + 1)

    def result(s):
        return ONGOING if s[1] < plies else (1 if (s[0] * 40503 >> 5) % 7 < 3 else -1)

    return Game(name="fans", State=None, start=(1, 0), moves=moves, play=play, result=result, max_moves=6,
                max_plies=plies, turn=lambda s: s[1] & 1, alternating=True, key=lambda s: s[0] * 8 + s[1])
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "fan_game.py").write_text(FANS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(tune_order, "MEMORY", "64KB")
    monkeypatch.setattr(tune_order, "BUDGET", 3000)
    monkeypatch.setattr(tune_order, "EASY", 20)
    monkeypatch.setattr(tune_order, "ROUNDS", 1)
    sys.modules.pop("fan_game", None)
    return tmp_path


@pytest.mark.parametrize("faster", [True, False])
def test_what_wins_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch, faster: bool) -> None:
    clock = iter([2.0, 1.0] if faster else [1.0, 2.0])
    monkeypatch.setattr(tune_order, "_time", lambda bench, positions: next(clock))
    result = tune_order.run(Settings(4, what="fan_game:fans"), lambda words: None)
    kept = folder / "fan_game.order.json"
    assert kept.exists() == faster
    assert ("kept in" if faster else "stays") in result.words[1]
    assert (method.fit(method.Options(), games.load("fan_game:fans")).order == ("hash", "cut")) == faster
    shares = [row[4] for row in result.table.rows if "unseen" not in row[0]]
    assert shares[0] == 1.0
    assert min(shares) <= 1.0  # on the positions that it was tuned on, tuning never loses


def test_what_cannot_be_tuned() -> None:
    with pytest.raises(Unsuitable, match="chance"):
        tune_order.run(Settings(2, what="pig"), lambda words: None)
    with pytest.raises(Unsuitable, match="needs a GAME"):
        experiment_named("tune-order").check(Settings(2))


def test_the_learned_curve() -> None:
    dice = random.Random(3)
    xs = [dice.uniform(-10, 10) for _ in range(4000)]
    cuts = [dice.random() < 1 / (1 + math.exp((1.5 - x) / 2)) for x in xs]
    middle, spread = fit(xs, cuts)
    assert middle == pytest.approx(1.5, abs=0.3)
    assert spread == pytest.approx(2, rel=0.15)
    assert fit(xs, [not cut for cut in cuts]) == (0.0, 0.0)
    assert fit([], []) == fit([1.0], [True]) == (0.0, 0.0)
