"""Slow and obviously right: what the searches are compared with.

Everything works on positions, which are played by the interpreted rules and know the path that led to them,
so that a position that comes back is scored by the game's own repetition rule.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from zermelo.rules import CHANCE, ONGOING, MoveBuffer, Position, wrapping


def value(position: Position, depth: int | None = None) -> float:
    """The first player's value by the definition of minimax; the estimate where the depth is used up."""
    return _value(position, depth) if position.game.cyclic else _value_anyhow_reached(position, depth)


@wrapping
def _value(position: Position, depth: int | None) -> float:
    result = position.result
    if result is not None:
        return result
    if depth == 0:
        evaluate = position.game.evaluate
        assert evaluate is not None
        return evaluate(position.state)
    below = None if depth is None else depth - 1
    values = [value(position.play(move), below) for move in position.codes]
    return max(values) if position.turn == 0 else min(values)


_value_anyhow_reached = lru_cache(maxsize=20_000)(_value)
"""Without loops, what comes after a position does not depend on how it was reached: it is looked at once."""


def best_moves(position: Position) -> list[str]:
    """All moves whose value is the position's."""
    whole = value(position)
    return [position.text_of(move) for move in position.codes if value(position.play(move)) == whole]


def positions(position: Position) -> set[Position]:
    """Everything that can be reached, the position itself included."""
    seen = {position}
    waiting = [position]
    while waiting:
        here = waiting.pop()
        for move in here.codes:
            after = here.play(move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return seen


def values_by_sweeps(position: Position) -> dict[str, float]:
    """The value of every move of a position, by its text, in a game where a loop always scores the same: all positions
    are gone through again and again, and whoever can force a score gets it. What nobody can force to an end goes
    round. Coming back to the position itself is a loop."""
    game = position.game
    loop = game.loop_value
    assert loop is not None
    assert position.previous is None
    graph = {here: [Position(game, here.play(move).state) for move in here.codes] for here in positions(position)}
    root = Position(game, position.state)
    values = {here: loop if here == root else here.result for here in graph}
    scores = {score for score in values.values() if score is not None and score != loop}
    for score in sorted(scores, key=lambda score: -abs(score - loop)):
        player = 0 if score > loop else 1
        changed = True
        while changed:
            changed = False
            for here, children in graph.items():
                if values[here] is not None:
                    continue
                good = [
                    values[child] is not None and (values[child] >= score if player == 0 else values[child] <= score)
                    for child in children
                ]
                if any(good) if here.turn == player else all(good):
                    values[here] = score
                    changed = True
    return {
        position.text_of(move): loop if values[after] is None else values[after]
        for move, after in ((move, Position(game, position.play(move).state)) for move in position.codes)
    }


def paths(position: Position, depth: int) -> int:
    """Perft by counting."""
    if depth == 0:
        return 1
    return sum(paths(position.play(move), depth - 1) for move in position.codes)


def expected(position: Position, depth: int | None = None) -> Fraction:
    """The first player's expected value by definition, as a fraction; the estimate where the depth is used up. Depth
    counts decisions: the dice cost none, but are not thrown when none is left."""
    return _expected(position, depth) if position.game.cyclic else _expected_anyhow_reached(position, depth)


@wrapping
def _expected(position: Position, depth: int | None) -> Fraction:
    result = position.result
    if result is not None:
        return Fraction(result)
    game = position.game
    if depth == 0:
        assert game.evaluate is not None
        return Fraction(game.evaluate(position.state))
    if position.turn == CHANCE:
        assert game.weight is not None
        weights = [game.weight(position.state, outcome) for outcome in position.codes]
        values = [expected(position.play(outcome), depth) for outcome in position.codes]
        return sum((w * v for w, v in zip(weights, values)), Fraction(0)) / sum(weights)
    below = None if depth is None else depth - 1
    values = [expected(position.play(move), below) for move in position.codes]
    return max(values) if position.turn == 0 else min(values)


_expected_anyhow_reached = lru_cache(maxsize=20_000)(_expected)


def best_expected(position: Position) -> list[str]:
    """All moves with the best expected value; none where the dice decide."""
    if position.turn == CHANCE:
        return []
    whole = expected(position)
    return [position.text_of(move) for move in position.codes if expected(position.play(move)) == whole]


@wrapping
def forced(position: Position, subgame: str, attacker: int | None = None, plies: int | None = None) -> float:
    """How many plies the attacker, who is to move at first, needs at least to win a sub-game; infinite if it is not
    won. All ways are played out, by the rules alone; no further than `plies`."""
    game = position.game
    attacker = position.turn if attacker is None else attacker
    goal = game.subgames[subgame].goal
    if goal is not None and goal(position.state) != ONGOING:
        return 0 if goal(position.state) == 1 else math.inf
    if position.result is not None:
        return 0 if goal is None and position.result == game.values[1 - attacker] else math.inf
    if plies == 0:
        return math.inf
    moves = position.codes
    if position.turn == attacker:
        out = MoveBuffer(game.max_moves, game.name)
        moves = out[: game.subgames[subgame].attack(position.state, out)]
    left = None if plies is None else plies - 1
    below = [forced(position.play(move), subgame, attacker, left) for move in moves]
    return 1 + (min(below, default=math.inf) if position.turn == attacker else max(below))
