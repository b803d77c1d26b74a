"""Fastest cut first: every form finds the oracle's values, in both modes; tuned weights are kept beside the rules."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import oracles
from marks import slow
from random_games import random_game, seeded
from zermelo import games
from zermelo.core.engine import Engine
from zermelo.core.fastest_cut import FORMS, SIZES, CutFirst, read_cut
from zermelo.core.method import Options, fit
from zermelo.core.solving import solve_with
from zermelo.core.tuned import Tuned, file_beside, forget, keep, tuned_for
from zermelo.methods.asking import solve
from zermelo.methods.registry import method_named
from zermelo.rules import Game, Position, UnknownName, Unsuitable

WHOLE = random_game()
LEARNED = CutFirst(ratio=0.5, middle=-0.3, spread=0.7, unexpanded="random")


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("method", ["alphabeta", "boolean", *slow("negascout", "mtdf")])
def test_values(method: str, form: str, sizes: str) -> None:
    cut = CutFirst(form=form, sizes=sizes, ratio=0.5, unexpanded="random", depth=3)
    options = Options(order=("hash", "cut"), cut=cut)
    engine = Engine(WHOLE, method_named(method), options, mode="interpreted", memory=640)
    for seed in range(6):
        position = seeded(WHOLE, seed)
        assert solve_with(engine, position).value == oracles.value(position)


@pytest.mark.slow
def test_the_modes_visit_the_same_nodes() -> None:
    options = Options(order=("hash", "cut"), cut=LEARNED)
    engines = [
        Engine(WHOLE, method_named("alphabeta"), options, mode=mode, memory="1MB")
        for mode in ("compiled", "interpreted")
    ]
    for seed in range(30):
        if seed == 15:  # the weights are not compiled in
            for engine in engines:
                engine.weigh_cuts(CutFirst(value=0.0, size=2.0))
        one, other = (solve_with(engine, seeded(WHOLE, seed)) for engine in engines)
        assert (one.value, one.best, one.nodes) == (other.value, other.best, other.nodes)


def fans(widths: tuple[int, ...]) -> Game:
    """The first player picks a fan, the second a leaf in it; every leaf is worth 1."""
    return Game(
        name="fans", State=None, start=(widths, 0), values=(0, 2), max_moves=20, max_plies=2,
        moves=lambda s: list(range(len(s[0]) if s[1] == 0 else s[0][0])),
        play=lambda s, move: ((s[0][move],), 1) if s[1] == 0 else ((1,), 2),
        result=lambda s: 1 if s[1] == 2 else -(2**31),
        turn=lambda s: s[1] & 1, alternating=True, key=lambda s: hash(s) & (2**64 - 1),
    )  # fmt: skip


def test_small_fans_come_first() -> None:
    game = fans((9, 2, 7, 3))
    plain = solve(game, at_least=1, options=Options(order=()), mode="interpreted")
    fast = solve(game, at_least=1, options=Options(order=("cut",), cut=CutFirst()), mode="interpreted")
    assert plain.value == fast.value == 1
    assert (plain.nodes, fast.nodes) == (1 + 1 + 9, 1 + 1 + 2)


def expected_effort(order: tuple[int, ...], sizes: list[float], chances: list[float]) -> float:
    effort, reached = 1.0, 1.0
    for i in order:
        effort += reached * sizes[i]
        reached *= 1 - chances[i]
    return effort


def test_theorem_6_1() -> None:
    """Ascending S/P looks at the fewest nodes on average; so no swap of neighbours is better."""
    dice = random.Random(1)
    for _ in range(200):
        n = dice.randrange(2, 7)
        sizes, chances = [dice.uniform(1, 50) for _ in range(n)], [dice.uniform(0.05, 1) for _ in range(n)]
        order = tuple(sorted(range(n), key=lambda i: sizes[i] / chances[i]))
        least = expected_effort(order, sizes, chances)
        for a, b in pairwise(range(n)):
            swapped = list(order)
            swapped[a], swapped[b] = swapped[b], swapped[a]
            assert least <= expected_effort(tuple(swapped), sizes, chances) + 1e-9


def test_weights_as_text() -> None:
    assert read_cut("form=share, size=2") == CutFirst(form="share", size=2.0)
    assert read_cut("") == CutFirst()
    for text, words in (("sise=2", "size"), ("size=big", "number"), ("form=fast", "no form"), ("size", "no weight")):
        with pytest.raises((UnknownName, Unsuitable), match=words):
            read_cut(text)


@pytest.mark.parametrize(
    "bad",
    [
        {"form": "best"}, {"sizes": "big"}, {"unexpanded": "last"}, {"size": float("nan")}, {"spread": -1.0},
        {"doubt": 0.0}, {"depth": 0},
    ],
)  # fmt: skip
def test_bad_weights(bad: dict[str, object]) -> None:
    with pytest.raises((UnknownName, Unsuitable)):
        CutFirst(**bad)  # type: ignore[arg-type]


def test_dice_cut_nothing_off() -> None:
    with pytest.raises(Unsuitable, match="dice"):
        fit(Options(order=("cut",)), games.load("pig"))


OWN = """
from zermelo.games.tic_tac_toe import tic_tac_toe
from zermelo.rules import Game, rule
from dataclasses import replace

def noughts(rows: int = 3) -> Game:
    game = tic_tac_toe(rows=rows)
    inner = game.moves

    @rule
    def moves(s, out):
        return inner(s, out)

    return replace(game, name="noughts", moves=moves)
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    (tmp_path / "noughts_and_crosses.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("noughts_and_crosses", None)
    return games.load("noughts_and_crosses:noughts", {"rows": 3})


def test_tuned_orders_are_kept_beside_the_rules(own: Game, tmp_path: Path) -> None:
    usual = fit(Options(), own).order
    general = Tuned("noughts", (), ("hash", "cut"), CutFirst(size=3.0))
    special = Tuned("noughts", (("rows", 3),), ("cut",), CutFirst(form="ratio"))
    assert keep(general, own) == tmp_path / "noughts_and_crosses.order.json" == file_beside(own)
    assert fit(Options(), own).cut == CutFirst(size=3.0)
    keep(special, own)
    assert tuned_for(own) == special
    assert fit(Options(), own).order == ("cut",)
    assert fit(Options(order=("killers",)), own).order == ("killers",)
    assert tuned_for(replace(own, parameters={"rows": 4})) == general
    assert forget(own, {"rows": 3}) is not None
    assert tuned_for(own) == general
    assert forget(own, {"rows": 3}) is None
    forget(own, {})
    assert fit(Options(), own).order == usual


UNKNOWN_FORM = '[{"game": "noughts", "parameters": {}, "order": [], "cut": {"form": "best"}}]'


@pytest.mark.parametrize("text", ["{", "{}", '[{"game": "noughts"}]', UNKNOWN_FORM])
def test_malformed_tuned_orders(own: Game, text: str) -> None:
    path = file_beside(own)
    assert path is not None
    path.write_text(text)
    with pytest.raises(Unsuitable, match="tune-order writes"):
        solve(Position(own), mode="interpreted")
