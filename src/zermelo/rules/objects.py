"""Games made of plain Python objects: any class that can say whose turn it is, list moves and play one.

    class Nim:
        def __init__(self, heap, turn=0): ...
        def turn(self): ...              # 0 or 1
        def moves(self): ...             # a list of integers
        def play(self, move): ...        # a new object; this one stays as it is
        def result(self): ...            # None while the game goes on, else the first player's score

    game = from_object(Nim(21), name="nim")

Optional methods: `stuck()` (the score where `moves` lists none; without it, `result` must know), `evaluate()`, `key()`
(anything hashable that is equal for equal positions; without it the searches keep no table), `move_text(move)`; and
what `__str__` gives is shown. Such a game runs interpreted, by the same searches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

from zermelo.rules.drawing import TextDrawing
from zermelo.rules.game import Game
from zermelo.rules.language import ONGOING

_PLAIN = (int, float, str, bytes, type(None))


def _numbering() -> Callable[[Any], int]:
    """A rule that turns an object's key into 64 bits. Python's own hash will not do, for small numbers share it (-1
    and -2 do): plain data is hashed by how it is written, anything else is numbered as it comes."""
    numbers: dict[Any, int] = {}

    def word(s: Any) -> int:
        key = s.key()
        if is_plain(key):
            return int.from_bytes(blake2b(repr(key).encode(), digest_size=8).digest(), "little")
        return numbers.setdefault(key, len(numbers))

    return word


def is_plain(key: Any) -> bool:
    return isinstance(key, _PLAIN) or (type(key) is tuple and all(map(is_plain, key)))


def from_object(
    start: Any,
    *,
    name: str,
    values: tuple[float, float] = (-1, 1),
    max_moves: int = 1 << 16,
    max_plies: int = 1000,
    repetition: str = "none",
    evaluations: Mapping[str, Callable[[Any], float]] | None = None,
) -> Game:
    """A game whose positions are objects of the class of `start`. `evaluations`: functions of such an object, by their
    names."""

    def result(s: Any) -> Any:
        score = s.result()
        return ONGOING if score is None else score

    shows = any("__str__" in vars(kind) for kind in type(start).__mro__[:-1])
    has = [hook for hook in ("stuck", "evaluate", "key", "move_text") if hasattr(start, hook)]
    return Game(
        name=name,
        State=None,
        start=start,
        moves=lambda s: s.moves(),
        play=lambda s, move: s.play(move),
        result=result,
        turn=lambda s: s.turn(),
        stuck=(lambda s: s.stuck()) if "stuck" in has else None,
        evaluate=(lambda s: s.evaluate()) if "evaluate" in has else None,
        key=_numbering() if "key" in has else None,
        move_text=(lambda s, move: s.move_text(move)) if "move_text" in has else None,
        draw=(lambda s: TextDrawing(str(s))) if shows else None,
        values=values,
        max_moves=max_moves,
        max_plies=max_plies,
        repetition=repetition,
        evaluations=evaluations or {},
    )
