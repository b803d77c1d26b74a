"""What is known of a move, in words: estimates and their bounds are counted alike, proven bounds are scores."""

from __future__ import annotations

import pytest

from zermelo import games
from zermelo.core.answer import BOUND, HEURISTIC, Verdict
from zermelo.core.wording import verdict_in_words

CHESS, DOBUTSU = games.chess(), games.dobutsu()
PAWN = 100 * CHESS.unit


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (PAWN / 2, PAWN / 2, "about +0.5 pawns"),
        (-1, PAWN / 4, "at most about +0.25 pawns"),
        (-PAWN, 1, "at least about -1 pawns"),
        (0, 2 * PAWN, "from about 0 pawns to +2 pawns"),
    ],
)
def test_estimates_and_their_bounds_are_told_in_pawns(low: float, high: float, words: str) -> None:
    assert verdict_in_words(CHESS, Verdict("-", HEURISTIC, low, high)) == words


def test_what_is_proven_is_a_score() -> None:
    assert verdict_in_words(CHESS, Verdict("-", BOUND, 0, 1)) == "at least 0"
    assert verdict_in_words(DOBUTSU, Verdict("-", HEURISTIC, -1, 0.25)) == "at most about +0.25"
