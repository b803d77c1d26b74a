"""The default key: the same in both modes, and different wherever a state is."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_states import states_of
from twins import twin
from zermelo.rules import f32, f64, i8, i16, i32, i64, struct, u8, u16, u32, u64
from zermelo.rules.hashing import another, key_of_fields

pytestmark = pytest.mark.usefixtures("calling_rules")

WHOLE = {"a": u8, "b": i8, "c": u16, "d": i16, "e": u32, "f": i32, "g": u64, "h": i64}
Every = struct(**WHOLE, cells=(i8, 3), words=(u64, 2), longs=(i64, 2), x=f32, y=f64)
KEY = key_of_fields(Every)
BITS = [
    (name, place, bit)
    for name, field in Every.fields.items()
    for scalar, length in [field if isinstance(field, tuple) else (field, 1)]
    if np.dtype(scalar).kind != "f"
    for place in range(length)
    for bit in range(8 * np.dtype(scalar).itemsize)
]


@cache
def compiled_key() -> Any:
    return twin(KEY)


def flipped(state: Any, name: str, place: int, bit: int) -> Any:
    """The state with one bit of one number changed."""
    twin = state.copy()
    if isinstance(Every.fields[name], tuple):
        getattr(twin, name)[place] = int(getattr(twin, name)[place]) ^ (1 << bit)
    else:
        setattr(twin, name, int(getattr(twin, name)) ^ (1 << bit))
    return twin


@given(state=states_of(Every))
def test_the_modes_agree(state: Any) -> None:
    record = np.frombuffer(state.tobytes(), Every.dtype)[0]
    assert int(KEY(state)) == int(compiled_key()(record))


@settings(max_examples=10)
@given(state=states_of(Every))
def test_one_bit_changes_the_key(state: Any) -> None:
    keys = {int(KEY(state)), *(int(KEY(flipped(state, *place))) for place in BITS)}
    assert len(keys) == len(BITS) + 1


@given(state=states_of(Every), x=st.floats(allow_nan=False, width=32), y=st.floats(allow_nan=False))
def test_floats_count(state: Any, x: float, y: float) -> None:
    twin = state.copy()
    twin.x, twin.y = x, y
    assert (KEY(twin) == KEY(state)) == (twin == state)


@given(state=states_of(Every))
def test_equal_states_have_equal_keys(state: Any) -> None:
    assert KEY(state) == KEY(state.copy()) == KEY(Every.frombytes(state.tobytes()))


def test_all_pairs_of_bytes_differ() -> None:
    Pair, Cells = struct(a=u8, b=i8), struct(cells=(u8, 2))
    key, cells_key = key_of_fields(Pair), key_of_fields(Cells)
    pairs = [(a, b) for a in range(0, 256, 3) for b in range(0, 256, 3)]
    assert len({int(key(Pair(a=a, b=b - 128))) for a, b in pairs}) == len(pairs)
    assert len({int(cells_key(Cells(cells=pair))) for pair in pairs}) == len(pairs)


@given(a=st.integers(0, 2**64 - 1), b=st.integers(0, 2**64 - 1))
def test_swapped_fields_do_not_collide(a: int, b: int) -> None:
    Pair = struct(a=u64, b=u64)
    key = key_of_fields(Pair)
    assert (key(Pair(a=a, b=b)) == key(Pair(a=b, b=a))) == (a == b)


def test_keys_spread_over_all_bits() -> None:
    Small = struct(a=u16)
    key = key_of_fields(Small)
    keys = [int(key(Small(a=a))) for a in range(4096)]
    for bit in range(64):
        share = sum(k >> bit & 1 for k in keys) / len(keys)
        assert 0.4 < share < 0.6


@cache
def compiled_another() -> Any:
    return twin(another)


@settings(max_examples=50)
@given(number=st.integers(0, 2**32 - 1))
def test_every_number_is_drawn_before_one_comes_again(number: int) -> None:
    """What is drawn is another number times a factor plus something. Put together with itself 32 times over it has
    come round, and before that it is off by half of all numbers everywhere: so there is one round, of all of them."""
    whole = 2**32
    more = int(another(0))
    factor = (int(another(1)) - more) % whole
    assert int(another(number)) == (number * factor + more) % whole
    for _ in range(31):
        factor, more = factor * factor % whole, (factor * more + more) % whole
    assert (factor, more) == (1, whole // 2)


@settings(max_examples=20)
@given(first=st.integers(0, 2**32 - 1))
def test_another_number(first: int) -> None:
    """Drawn one after another they are the same in both modes, do not come again soon and fall anywhere."""
    drawn = [first]
    for _ in range(400):
        numbers = {rule(drawn[-1]) for rule in (another, compiled_another())}
        assert len(numbers) == 1
        drawn.append(numbers.pop())
    assert len(set(drawn)) == len(drawn)
    shares = [sum(number >> 30 == quarter for number in drawn) for quarter in range(4)]
    assert min(shares) > 50
    assert max(drawn) < 2**32
