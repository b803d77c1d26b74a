"""One search of each family, compiled and interpreted: with `tests/compile`, what `make test-versions` runs."""

from __future__ import annotations

import pytest

from tiny import tiny
from zermelo import games, solve
from zermelo.rules import Game

pytestmark = pytest.mark.slow  # the families have tests of their own

SEARCHES = {
    "minimax": ("alphabeta", lambda: tiny(5), 1),
    "chance": ("star1", lambda: games.einstein(size=3, stones=1), 1),
    "pn": ("dfpn", lambda: tiny(5), 1),
    "positions": ("fixpoint", lambda: games.tic_tac_toe(rows=2, cols=3, run=3), 0),
    "positions with dice": ("expectation", lambda: games.pig(goal=4), None),
}


@pytest.mark.parametrize("family", SEARCHES)
def test_both_modes_agree(family: str) -> None:
    method, make, value = SEARCHES[family]
    game: Game = make()
    compiled, interpreted = (solve(game, method=method, mode=mode) for mode in ("compiled", "interpreted"))
    assert compiled.status == interpreted.status == "proven"
    assert (compiled.value, compiled.best) == (interpreted.value, interpreted.best)
    assert compiled.nodes == interpreted.nodes
    assert value is None or compiled.value == value
