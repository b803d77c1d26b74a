"""Random numbers inside kernels: the same in both modes for the same seed.

A 64-bit state, xorshift with a multiplication at the end (Vigna 2016, "An experimental exploration of Marsaglia's
xorshift generators, scrambled").
"""

from __future__ import annotations

import random
from typing import NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.rules import u64


class Dice(NamedTuple):
    """What a kernel can throw."""

    below: Kernel  # (ws, n) -> a whole number from 0 to n - 1
    share: Kernel  # (ws) -> a number from 0 to below 1


def dice(mode: Mode) -> Dice:
    """The kernels, with their state in `ws.random`, which must not be 0."""
    word, signed = mode.word, mode.signed
    a, b, c, factor, all_bits = (word(n) for n in (12, 25, 27, 0x2545F4914F6CDD1D, 2**64 - 1))
    half, spare = word(32), word(11)
    unit = 2.0**-53
    mode.needs(random=u64)

    @mode.inline
    def throw(ws):
        x = ws.random
        x = x ^ (x >> a)
        x = x ^ ((x << b) & all_bits)
        x = x ^ (x >> c)
        ws.random = x
        return (x * factor) & all_bits

    @mode.inline
    def below(ws, n):
        return signed(((throw(ws) >> half) * word(n)) >> half)

    @mode.inline
    def share(ws):
        return float(throw(ws) >> spare) * unit

    return Dice(below, share)


def first_state(seed: int | None, thread: int) -> int:
    """The state that a thread begins with; without a seed, another one each time."""
    source = random.SystemRandom() if seed is None else random.Random(f"sampling {seed} {thread}")
    return source.randrange(1, 2**64)
