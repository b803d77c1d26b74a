"""The default key of a game: a 64-bit hash of every field of its state, written out as a rule of its own.

Each field is folded in between two products with odd constants, so that every bit of the state reaches every bit
of the key, and the order of the fields counts. Two different positions share a key with probability 2^-64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.rules.language import Rule, rule
from zermelo.rules.structs import Struct, u64

_FIRST, _SECOND = u64(0x9E3779B97F4A7C15), u64(0xD6E8FEB86659FD93)
_HALF, _SHIFT = u64(32), u64(29)
_NAN = u64(0x7FF8000000000000)


@rule
def mix(h: Any, x: Any) -> Any:
    """Fold the u64 `x` into the running hash `h`."""
    h = h * _FIRST + x
    h = (h ^ (h >> _HALF)) * _SECOND
    return h ^ (h >> _SHIFT)


@rule
def another(number: Any) -> Any:
    """Another number from 0 to 2³² - 1: for a hook `pick` that draws again where what it drew is not legal.

    Every number comes before one comes again, so that something legal is drawn in the end (a linear congruential
    generator of full period: Knuth, The Art of Computer Programming, volume 2, 3.2.1; the factor is from 3.3.4).
    """
    return (number * 1664525 + 1013904223) & 0xFFFFFFFF


@rule
def float_word(value: Any) -> Any:
    """The bits of a float as u64, those of every NaN being the same."""
    return _NAN if value != value else np.float64(value).view(np.uint64)


def key_of_fields(State: type[Struct]) -> Rule:
    """A rule that hashes all fields of this struct."""
    lines = ["def key(s):", "    h = START"]
    for name, field in State.fields.items():
        if isinstance(field, tuple):
            lines += [f"    for i in range({field[1]}):", f"        h = mix(h, {as_word(f's.{name}[i]', field[0])})"]
        else:
            lines.append(f"    h = mix(h, {as_word(f's.{name}', field)})")
    lines.append("    return h")
    namespace: dict[str, Any] = {"START": u64(0x2545F4914F6CDD1D), "mix": mix, "u64": u64, "float_word": float_word}
    exec("\n".join(lines), namespace)
    key: Rule = rule(namespace["key"])
    return key


def key_of_boards(cells: int) -> tuple[Rule, bool]:
    """A rule that makes a key of two bit boards of this many cells and a turn of 0 or 1, all u64, and whether it is
    exact: it is where they fit into 64 bits together, for mixing one word loses nothing."""
    exact = 2 * cells < 64
    second_at, turn_at, zero = u64(cells % 64), u64(2 * cells % 64), u64(0)

    @rule
    def key(first, second, turn):  # type: ignore[no-untyped-def]
        if exact:
            return mix(zero, first | (second << second_at) | (turn << turn_at))
        return mix(mix(mix(zero, first), second), turn)

    return key, exact


def as_word(value: str, scalar: type[Any]) -> str:
    """An expression for the bits of a field as u64, negative numbers included."""
    kind = np.dtype(scalar)
    if kind.kind == "f":
        return f"float_word({value})"
    if scalar is u64:
        return value
    if kind.itemsize == 8:
        return f"(u64(({value} >> 32) & 0xFFFFFFFF) << u64(32)) | u64({value} & 0xFFFFFFFF)"
    return f"u64({value} & {(1 << 8 * kind.itemsize) - 1})"
