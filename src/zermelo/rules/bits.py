"""Counting and finding bits, as rules that any game may call. The compiler turns both into one instruction."""

from __future__ import annotations

from typing import Any

from zermelo.rules.language import rule
from zermelo.rules.structs import i64, u64

_PAIRS, _NIBBLES, _BYTES = u64(0x5555555555555555), u64(0x3333333333333333), u64(0x0F0F0F0F0F0F0F0F)
_SUM = u64(0x0101010101010101)
_1, _2, _4, _56 = u64(1), u64(2), u64(4), u64(56)


@rule
def popcount(x: Any) -> Any:
    """How many bits of the u64 `x` are set, as a signed number."""
    x = x - ((x >> _1) & _PAIRS)
    x = (x & _NIBBLES) + ((x >> _2) & _NIBBLES)
    x = (x + (x >> _4)) & _BYTES
    return int(i64((x * _SUM) >> _56))


@rule
def bit_index(x: Any) -> Any:
    """The index of the lowest bit set in the u64 `x`, which must not be 0."""
    return popcount((x - _1) & ~x)
