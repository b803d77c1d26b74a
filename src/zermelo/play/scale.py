"""Values as the programs of others tell them: in hundredths of a pawn, for the player to move.

A game with a `unit` says how much a hundredth of a pawn is in its own scale. Of other games the best score stands for
10000, the worst for -10000, so that a value keeps four digits.
"""

from __future__ import annotations

from zermelo.rules import Game, Position

FULL = 10_000


def unit_of(game: Game) -> float:
    """What a hundredth of a pawn is worth."""
    return game.unit or max(map(abs, game.values)) / FULL


def centipawns(value: float, position: Position) -> int:
    """The first player's value, as the player to move at a position would have it told."""
    worth = round(value / unit_of(position.game))
    return -worth if position.turn == 1 else worth


def value_of(score: float, position: Position) -> float:
    """The first player's value that a score stands for; an infinite one is a win."""
    low, high = position.game.values
    worth = -score if position.turn == 1 else score
    return float(min(high, max(low, worth * unit_of(position.game))))
