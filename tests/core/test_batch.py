"""Many positions at once, compared with one at a time."""

from __future__ import annotations

import random

import pytest

import oracles
import zermelo as z

TIC_TAC_TOE = z.games.tic_tac_toe()


def some(game: z.Game, count: int, seed: int = 0) -> list[z.Position]:
    """Positions of random games, ends among them."""
    dice, found = random.Random(seed), []
    while len(found) < count:
        position = game.position()
        for _ in range(dice.randint(2, 9)):
            if position.result is None:
                position = position.play(dice.choice(position.codes))
        found.append(position)
    return found


WAYS = [("mtdf", "compiled"), ("mtdf", "interpreted"), ("boolean", "interpreted")]


@pytest.mark.parametrize(("method", "mode"), WAYS)
def test_values_and_best_moves(method: str, mode: str) -> None:
    positions = some(TIC_TAC_TOE, 60)
    done = z.solve_many(positions, method=method, mode=mode, best_moves=True, memory="1MB")
    assert done.stopped is None
    assert done.best is not None
    for position, value, best in zip(positions, done.values, done.best):
        assert value == oracles.value(position)
        if position.result is None:
            keeping = [m for m in position.moves() if oracles.value(position.play(m)) == value]
            assert best == keeping
        else:
            assert best == []


def test_values_alone() -> None:
    positions = some(TIC_TAC_TOE, 30, seed=1)
    done = z.solve_many(positions, mode="compiled", memory="1MB")
    assert done.values == [oracles.value(position) for position in positions]
    assert done.best is None
    assert (done.method, done.mode, len(done)) == ("mtdf", "compiled", 30)


def test_games_that_are_asked_one_by_one() -> None:
    game = z.games.einstein(size=3, stones=2)
    positions = [game.position(), game.position().play(game.position().codes[0])]
    done = z.solve_many(positions, mode="interpreted", best_moves=True)
    assert done.values == [z.solve(position, mode="interpreted").value for position in positions]


def test_a_limit_for_all_of_them() -> None:
    positions = some(z.games.connect_four(), 20)
    done = z.solve_many(positions, mode="interpreted", memory="1MB", nodes=3000)
    assert done.stopped == "nodes"
    assert done.values[-1] is None


def test_what_is_refused() -> None:
    with pytest.raises(z.Unsuitable, match="solve_many needs at least one position"):
        z.solve_many([])
    with pytest.raises(z.Unsuitable, match="this session searches"):
        z.solve_many([TIC_TAC_TOE.position(), z.games.hex(size=3).position()], mode="interpreted")
