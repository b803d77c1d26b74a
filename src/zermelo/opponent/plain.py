"""Minimax beside the models: what moves are worth to a player who foresees nobody."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from zermelo.chance.engine import ChanceEngine
from zermelo.chance.options import ChanceOptions
from zermelo.chance.star1 import METHOD as STAR1
from zermelo.core.engine import Engine
from zermelo.core.method import Options
from zermelo.minimax.alphabeta import METHOD as ALPHABETA
from zermelo.opponent.models import rule_of
from zermelo.rules import Game, Position


@lru_cache(maxsize=32)
def view_by(game: Game, evaluation: str) -> Game:
    """The game in the eyes of who goes by an evaluation; one object, for what is compiled belongs to it."""
    return replace(game, evaluate=rule_of(game, evaluation))


def minimax_engine(game: Game, mode: str, memory: str) -> Engine:
    """Alpha-beta, or Star1 where there are dice, with the evaluation that the game has."""
    if game.has_chance:
        return ChanceEngine(game, STAR1, ChanceOptions(), mode=mode, memory=memory)
    return Engine(game, ALPHABETA, Options(), estimates=True, mode=mode, memory=memory)


def worths_of_moves(engine: Engine, position: Position, depth: int, slack: float) -> dict[int, float] | None:
    """What every move is worth to the player who makes it, by a search of `depth` plies; of moves that are worse than
    the best one by more than `slack`, perhaps only that they are. None if the search was stopped."""
    found: dict[int, float] = {}
    least, most = (float(end) for end in engine.window(position))
    margin = (most - least) * 1e-9  # sums in another order differ in their last bits
    best = least
    for move in position.codes:
        after = position.play(move)
        if after.result is not None:
            value = float(-after.result if position.turn == 1 else after.result)
        else:
            alpha = max(least, best - slack) - margin
            if (after.turn == 1) == (position.turn == 1):
                value = float(engine.search(after, depth - 1, alpha, most + margin))
            else:
                value = -float(engine.search(after, depth - 1, -most - margin, -alpha))
            if engine.stopped:
                return None
        found[move] = value
        best = max(best, value)
    return found
