"""Counting and finding bits, as rules that any game may call. Counting them, and finding the lowest, the compiler turns
into one instruction each."""

from __future__ import annotations

from typing import Any

from zermelo.rules.language import rule
from zermelo.rules.structs import i64, u64

_PAIRS, _NIBBLES, _BYTES = u64(0x5555555555555555), u64(0x3333333333333333), u64(0x0F0F0F0F0F0F0F0F)
_DOUBLE_BYTES, _QUARTERS = u64(0x00FF00FF00FF00FF), u64(0x0000FFFF0000FFFF)
_SUM = u64(0x0101010101010101)
_1, _2, _4, _8, _16, _32, _56 = (u64(n) for n in (1, 2, 4, 8, 16, 32, 56))


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


@rule
def nth_bit(x: Any, n: Any) -> Any:
    """The index of a bit set in the u64 `x`: of the lowest if n is 0, of the next one if n is 1, and so on."""
    at = 0
    for halving in range(6):  # without branches, which nobody could predict
        width = 32 >> halving
        below = popcount((x >> u64(at)) & u64((1 << width) - 1))
        beyond = int(n >= below)
        n -= below * beyond
        at += width * beyond
    return at


@rule
def reversed_bits(x: Any) -> Any:
    """The bits of the u64 `x` in reverse order: neighbours are swapped, then pairs, then fours, …"""
    x = ((x >> _1) & _PAIRS) | ((x & _PAIRS) << _1)
    x = ((x >> _2) & _NIBBLES) | ((x & _NIBBLES) << _2)
    x = ((x >> _4) & _BYTES) | ((x & _BYTES) << _4)
    x = ((x >> _8) & _DOUBLE_BYTES) | ((x & _DOUBLE_BYTES) << _8)
    x = ((x >> _16) & _QUARTERS) | ((x & _QUARTERS) << _16)
    return (x >> _32) | (x << _32)
