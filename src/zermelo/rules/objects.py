"""Games made of plain Python objects: any class that can say whose turn it is, list moves and play one.

    class Nim:
        def __init__(self, heap, turn=0): ...
        def turn(self): ...              # 0 or 1
        def moves(self): ...             # a list of integers
        def play(self, move): ...        # a new object; this one stays as it is
        def result(self): ...            # None while the game goes on, else the first player's score

    game = from_object(Nim(21), name="nim")

Optional methods: `evaluate()`, `key()` (anything hashable that is equal for equal positions; without it the
searches keep no table), `move_text(move)`. Such a game runs interpreted, by the same searches.
"""

from __future__ import annotations

from typing import Any

from zermelo.rules.game import ONGOING, Game

_MASK = (1 << 64) - 1


def from_object(
    start: Any,
    *,
    name: str,
    values: tuple[float, float] = (-1, 1),
    max_moves: int = 1 << 16,
    max_plies: int = 1000,
    repetition: str = "none",
) -> Game:
    """A game whose positions are objects of the class of `start`."""

    def result(s: Any) -> Any:
        score = s.result()
        return ONGOING if score is None else score

    has = [hook for hook in ("evaluate", "key", "move_text") if hasattr(start, hook)]
    return Game(
        name=name,
        State=None,
        start=start,
        moves=lambda s: s.moves(),
        play=lambda s, move: s.play(move),
        result=result,
        turn=lambda s: s.turn(),
        evaluate=(lambda s: s.evaluate()) if "evaluate" in has else None,
        key=(lambda s: hash(s.key()) & _MASK) if "key" in has else None,
        move_text=(lambda s, move: s.move_text(move)) if "move_text" in has else None,
        values=values,
        max_moves=max_moves,
        max_plies=max_plies,
        repetition=repetition,
    )
