"""Counting and finding bits, against Python's own integers, in both modes."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twins import twin
from zermelo.rules import bit_index, nth_bit, popcount, reversed_bits, u64

pytestmark = pytest.mark.usefixtures("calling_rules")

WORDS = st.integers(0, 2**64 - 1) | st.integers(0, 63).map(lambda bit: 1 << bit)


@cache
def both(rule: Any) -> list[Any]:
    return [rule, twin(rule)]


@given(word=WORDS)
def test_popcount(word: int) -> None:
    for count in both(popcount):
        assert count(u64(word)) == word.bit_count()


@given(word=WORDS.filter(bool))
def test_bit_index(word: int) -> None:
    for index in both(bit_index):
        assert index(u64(word)) == (word & -word).bit_length() - 1


@given(word=WORDS.filter(bool), share=st.floats(0, 1, exclude_max=True))
def test_nth_bit(word: int, share: float) -> None:
    bits = [bit for bit in range(64) if word >> bit & 1]
    n = int(share * len(bits))
    for found in both(nth_bit):
        assert found(u64(word), n) == bits[n]


@given(word=WORDS)
def test_reversed_bits(word: int) -> None:
    for turned in both(reversed_bits):
        assert turned(u64(word)) == int(f"{word:064b}"[::-1], 2)


@pytest.mark.parametrize("bit", range(64))
def test_every_single_bit(bit: int) -> None:
    for count, index in zip(both(popcount), both(bit_index)):
        assert count(u64(1 << bit)) == 1
        assert index(u64(1 << bit)) == bit


def test_counts_are_signed() -> None:
    for count in both(popcount):
        assert count(u64(1)) - count(u64(3)) == -1
        assert count(u64(0)) == 0
