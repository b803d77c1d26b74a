"""What is asked at the root once the value is known: all moves that reach it, and a line of best play.

Both are found by asking, for one move after another, "is this at least the value?", with an empty window. After
the search that found the value, the table answers most of these at once.
"""

from __future__ import annotations

from typing import Any

from zermelo.rules import Position
from zermelo.search.engine import Engine


def reaches(engine: Engine, position: Position, move: int, value: Any, depth: int) -> bool:
    """Whether a move secures at least this value for the player who makes it."""
    after = position.play(move)
    same = after.turn == position.turn
    if after.result is not None:
        score = engine.number(after.result)
        return bool((score if position.turn == 0 else -score) >= value)
    if value <= engine.window(position)[0]:
        return True
    alpha, beta = (engine.below(value), value) if same else (-value, -engine.below(value))
    found = engine.search(after, depth - 1, alpha, beta, guess=float(beta if same else alpha))
    return bool((found if same else -found) >= value) and not engine.stopped


def best_moves(engine: Engine, position: Position, value: Any, depth: int) -> list[int]:
    """All moves that reach the value, in the order in which the rules list them; those found so far if the
    search is stopped."""
    best = []
    for move in position.codes:
        if engine.stopped:
            break
        if reaches(engine, position, move, value, depth):
            best.append(move)
    return best


def line_of_play(engine: Engine, position: Position, value: Any, depth: int, first: int | None) -> list[str]:
    """Best play by both sides from a position, until the game ends or the depth is used up.

    Every move is verified to keep the value; when the search is stopped, the line goes on as far as the table
    knows moves.
    """
    texts: list[str] = []
    seen = {position}
    while position.result is None and depth > 0:
        move = first if first is not None else _keeping(engine, position, value, depth)
        first = None
        if move is None:
            break
        texts.append(position.text_of(move))
        after = position.play(move)
        value = value if after.turn == position.turn else -value
        position, depth = after, depth - 1
        if engine.stopped and position in seen:
            break
        seen.add(position)
    return texts


def _keeping(engine: Engine, position: Position, value: Any, depth: int) -> int | None:
    """A move that keeps the value, the table's own choice tried first."""
    hint = engine.remembered_move(position)
    if engine.stopped:
        return hint
    codes = position.codes
    if hint is not None:
        codes.sort(key=lambda move: move != hint)
    for move in codes:
        if reaches(engine, position, move, value, depth):
            return move
        if engine.stopped:
            return hint
    return hint  # an estimate that the table took from a deeper search than this one
