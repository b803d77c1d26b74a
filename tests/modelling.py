"""Searches with opponent models by their definition: slow, and right at a glance. All values are the first player's."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo.opponent.models import Model, rule_of
from zermelo.rules import CHANCE, Position, wrapping


@wrapping
def leaf(position: Position, depth: int, evaluate: Any) -> Fraction | None:
    """The value of a position that is not looked into; None if it is."""
    if position.result is not None:
        return Fraction(position.result)
    return Fraction(float(evaluate(position.state))) if depth == 0 or not position.codes else None


@wrapping
def mean(position: Position, values: list[Fraction]) -> Fraction:
    weights = [int(position.game.weight(position.state, outcome)) for outcome in position.codes]  # type: ignore[misc]
    return sum((w * v for w, v in zip(weights, values)), Fraction(0)) / sum(weights)


def minimax(position: Position, depth: int, evaluate: Any) -> Fraction:
    known = leaf(position, depth, evaluate)
    if known is not None:
        return known
    dice = position.turn == CHANCE
    values = [minimax(position.play(move), depth - (not dice), evaluate) for move in position.codes]
    return mean(position, values) if dice else max(values) if position.turn == 0 else min(values)


def choices(position: Position, depth: int, model: Model, ties: str) -> list[int]:
    """The moves that are best to a player who is to move."""
    depth = model.depth or depth
    evaluate = rule_of(position.game, model.evaluation)
    values = {}
    for move in position.codes:
        after = position.play(move)
        if model.of_us is None:
            values[move] = minimax(after, depth - 1, evaluate)
        else:
            values[move] = modelled(after, depth - 1, position.turn, evaluate, [(model.of_us, 1)], ties)
    best = (max if position.turn == 0 else min)(values.values())
    equal = [move for move, value in values.items() if value == best]
    return equal[:1] if ties == "first" else equal


def modelled(
    position: Position, depth: int, owner: int, evaluate: Any, opponents: list[tuple[Model, Any]], ties: str
) -> Fraction:
    """The value to the player `owner`, who believes to know the other."""
    known = leaf(position, depth, evaluate)
    if known is not None:
        return known

    def below(move: int) -> Fraction:
        return modelled(position.play(move), depth - (not dice), owner, evaluate, opponents, ties)

    dice = position.turn == CHANCE
    if dice:
        return mean(position, [below(move) for move in position.codes])
    best, worst = (max, min) if owner == 0 else (min, max)
    if position.turn == owner:
        return best(below(move) for move in position.codes)
    total = Fraction(0)
    for model, share in opponents:
        values = [below(move) for move in choices(position, depth, model, ties)]
        total += Fraction(share) * (sum(values) / len(values) if ties == "average" else worst(values))
    return total


def worths(position: Position, depth: int, opponents: list[tuple[Model, Any]], ties: str) -> dict[int, float]:
    """What every move is worth to the player who makes it."""
    us, evaluate = position.turn, rule_of(position.game, "own")
    sign = 1 if us == 0 else -1
    return {
        move: float(sign * modelled(position.play(move), depth - 1, us, evaluate, opponents, ties))
        for move in position.codes
    }
