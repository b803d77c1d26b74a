"""What makes two positions one: the same whole state, or the same key.

Whole states are compared field by field. Floats are compared by their bits, so that 0.0 and -0.0 are two (a rule may
divide by them), with one exception: every NaN is like every other, for which bits a NaN has depends on how the machine
came by it and not on the rules. Both modes keep to that. Objects are told apart by the key that they give.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.compile.modes import hooks_of
from zermelo.rules import Game, Position, RuleError, Struct, rule
from zermelo.rules.hashing import float_word, mix

Name = Callable[[Any], Any]
"""Gives equal names to positions that are one."""


def name_of(game: Game, by: str = "state") -> Name:
    """How plain Python tells positions apart: by their `state`, or by one of the game's hooks, `key` or `symmetry`."""
    if not game.compilable and game.key is None:
        raise RuleError(f"{game.name}: its positions are told apart by their key; give the objects a method key()")
    if by == "state" and game.State is not None:
        return _bytes_of(game.State)
    hook: Any = hooks_of(game)["key" if by == "state" else by]
    return lambda state: int(hook(state))


def _bytes_of(State: type[Struct]) -> Name:
    fields = [(name, isinstance(kind, tuple)) for name, kind in State.fields.items() if _is_float(kind)]
    if not fields:
        return lambda state: state.tobytes()

    def name(state: Any) -> bytes:
        state = state.copy()
        for field, several in fields:
            value = getattr(state, field)
            if several:
                value[:] = [math.nan if one != one else one for one in value]
            elif value != value:
                setattr(state, field, math.nan)
        told: bytes = state.tobytes()
        return told

    return name


def _is_float(kind: Any) -> bool:
    return np.dtype(kind[0] if isinstance(kind, tuple) else kind).kind == "f"


def sameness(State: type[Struct]) -> Any:
    """A rule that says whether two states are one."""
    lines = ["def same(a, b):"]
    for name, kind in State.fields.items():
        several = isinstance(kind, tuple)
        sides = [f"{side}.{name}{'[i]' if several else ''}" for side in "ab"]
        one, other = (f"float_word({side})" for side in sides) if _is_float(kind) else sides
        if several:
            lines += [f"    for i in range({kind[1]}):", f"        if {one} != {other}:", "            return False"]
        else:
            lines += [f"    if {one} != {other}:", "        return False"]
    lines.append("    return True")
    namespace: dict[str, Any] = {"float_word": float_word}
    exec("\n".join(lines), namespace)
    same: Any = rule(namespace["same"])
    return same


@rule
def with_score(key: Any, score: Any) -> Any:
    """The key of a position where play is over, with what it scores as part of it."""
    return mix(key, float_word(float(score)))


def loop_ends(position: Position, name: Name | None = None) -> tuple[list[Any], bool]:
    """The earlier states that end play when they come back once more, and whether the position itself does."""
    game = position.game
    if not game.cyclic:
        return [], False
    name = name or name_of(game)
    path = position.path()
    times = Counter(map(name, path))
    often = {name(state): state for state in path if times[name(state)] >= game.folds - 1}
    returning = often.pop(name(position.state), None) is not None
    return list(often.values()), returning
