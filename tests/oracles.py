"""Slow and obviously right: what the searches are compared with.

Everything works on positions, which are played by the interpreted rules and know the path that led to them,
so that a position that comes back is scored by the game's own repetition rule.
"""

from __future__ import annotations

from zermelo.rules import Position


def value(position: Position, depth: int | None = None) -> float:
    """The first player's value by the definition of minimax; the estimate where the depth is used up."""
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


def paths(position: Position, depth: int) -> int:
    """Perft by counting."""
    if depth == 0:
        return 1
    return sum(paths(position.play(move), depth - 1) for move in position.codes)
