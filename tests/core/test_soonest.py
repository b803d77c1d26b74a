"""How soon a win is forced, compared with looking at everything."""

from __future__ import annotations

import random

import pytest

import zermelo as z
from zermelo import games
from zermelo.core.engine import Engine
from zermelo.core.soonest import soonest
from zermelo.methods.requests import request
from zermelo.rules import Position

MOST = 6


def engine_for(game: z.Game) -> Engine:
    made = request("alphabeta", game, "solve", mode="interpreted", memory="1MB", knowledge=False)
    return made.open(game).engine(estimates=True)


def wins_within(position: Position, winner: int, plies: int) -> bool:
    if position.result is not None:
        return bool(position.result == position.game.values[1 - winner])
    quantifier = any if position.turn == winner else all
    return plies > 0 and quantifier(wins_within(position.play(m), winner, plies - 1) for m in position.codes)



def somewhere(game: z.Game, chance: random.Random, plies: int) -> Position | None:
    position = game.position()
    for _ in range(plies):
        position = position.play(chance.choice(position.codes))
        if position.result is not None:
            return None
    return position


@pytest.mark.parametrize(
    ("game", "plies"),
    [
        (games.tic_tac_toe(), (3, 4, 5)), (games.breakthrough(width=3, height=4, pawn_rows=1), (2, 3, 4)),
        (games.dobutsu(), (20, 30)),
    ],
    ids=["tic-tac-toe", "breakthrough", "dobutsu"],
)  # fmt: skip
def test_the_distance_is_that_of_looking_at_everything(game: z.Game, plies: tuple[int, ...]) -> None:
    engine, chance, found_wins = engine_for(game), random.Random(5), 0
    most = 3 if game.name == "dobutsu" else MOST
    for number in range(30 if game.name == "dobutsu" else 12):
        position = somewhere(game, chance, plies[number % len(plies)])
        if position is None:
            continue
        for winner in (0, 1):
            truth = next((d for d in range(most + 1) if wins_within(position, winner, d)), None)
            found = soonest(engine, position, winner, z.Limits(depth=most))
            assert found.plies == truth
            assert found.beyond == (most if truth is None else truth - 1)
            if truth is not None:
                found_wins += 1
                end = position
                for move in found.line:
                    end = end.play(move)
                assert len(found.line) == truth
                assert end.result == game.values[1 - winner]
    assert found_wins > 3


def test_only_some_moves_and_few_nodes() -> None:
    game = games.tic_tac_toe()
    engine, position = engine_for(game), game.position("XX-OO----")  # c1 wins at once
    codes = {position.text_of(code): code for code in position.codes}
    assert soonest(engine, position, 0, z.Limits(), only=[codes["c3"], codes["c1"]]).line == ("c1",)
    assert soonest(engine, position, 0, z.Limits(), only=[codes["c3"]]).plies is None
    stopped = soonest(engine, game.position(), 0, z.Limits(nodes=20))
    assert (stopped.plies, stopped.stopped) == (None, "nodes")
