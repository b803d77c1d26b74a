"""Victory by continuous fours: against all replies on small boards, and on boards where only such a search gets far."""

from __future__ import annotations

import math
import random

import pytest

import oracles
from marks import slow
from zermelo import games
from zermelo.certificates.checker import verify
from zermelo.checking.conformance import check
from zermelo.compile.watch import Limits
from zermelo.knowledge.mate import mate, prove_mate
from zermelo.methods.asking import search
from zermelo.rules import Game, Position

SMALL = [(4, 4, 3), *slow(((9, 8, 4),), ((5, 5, 4),), ((3, 7, 3),))]


def random_position(game: Game, seed: int, filled: int) -> Position:
    """A position of random play that goes on."""
    chance, position = random.Random(seed), game.position()
    for _ in range(filled):
        after = position.play(chance.choice(position.codes))
        if after.result is not None:
            break
        position = after
    return position


@pytest.mark.slow
@pytest.mark.parametrize("shape", SMALL, ids=str)
def test_against_all_replies(shape: tuple[int, int, int]) -> None:
    rows, cols, run = shape
    game = games.tic_tac_toe(rows=rows, cols=cols, run=run)
    lengths = set()
    for seed in range(24):
        filled = seed % (2 * rows) + 2 if rows * cols < 64 else 20 + seed % 20
        position = random_position(game, seed, filled)
        plies = oracles.forced(position, "vcf", plies=5)
        found = mate(position, mode="interpreted")
        assert found.plies == plies if plies <= 5 else found.plies is None or found.plies > 5
        lengths.add(plies)
        if found.won and rows * cols < 64 and seed % 4 == 0:
            assert verify(game, prove_mate(position, mode="interpreted")).holds
    assert {1, math.inf} < lengths


@pytest.mark.parametrize("shape", [(3, 3, 3), (3, 3, 2), (2, 2, 1), *slow(((9, 9, 5),))], ids=str)
def test_its_rules_keep_their_promises(shape: tuple[int, int, int]) -> None:
    rows, cols, run = shape
    report = check(games.tic_tac_toe(rows=rows, cols=cols, run=run), games=3, modes=("interpreted",))
    assert report.problems == []


GOMOKU = games.tic_tac_toe(rows=15, cols=15, run=5)
FOURS = "c10 d9 i8 g10 g9 h13 h9 c7 e6 h12 c6 k9 f5 k5 k12 f9 g12 c5 k4 i6 l12 c13 e10 j9 e7 j6"
"""From here, X wins by eight fours in a row."""


@pytest.mark.slow
def test_a_long_win_on_a_large_board() -> None:
    position = GOMOKU.position(FOURS)
    found = mate(position, mode="interpreted")
    assert (found.plies, len(found.line), found.nodes < 1000) == (15, 15, True)
    for text in found.line:
        position = position.play(text)
    assert position.result == 1


@pytest.mark.slow
def test_where_alpha_beta_does_not_see_it() -> None:
    position = GOMOKU.position(FOURS)
    assert search(position, "alphabeta", limits=Limits(nodes=100_000)).status == "heuristic"
    answer = search(position, "alphabeta(special=vcf)", limits=Limits(nodes=100_000))
    assert (answer.value, answer.status) == (1, "proven")
    assert verify(GOMOKU, prove_mate(position)).holds


def test_texts_of_large_boards() -> None:
    position = GOMOKU.position(FOURS)
    again = GOMOKU.position(position.text())
    assert again.state == position.state
    assert GOMOKU.key is not None
    assert GOMOKU.key(again.state) == GOMOKU.key(position.state)
    assert games.tic_tac_toe(rows=19, cols=19, run=5).position("s19 a1").text().count("-") == 359
