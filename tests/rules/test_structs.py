"""Struct states: interpreted fields hold what compiled ones hold, and nothing is shared between copies."""

from __future__ import annotations

import copy
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_states import states_of
from zermelo.compile.native import jit
from zermelo.rules import StateError, f32, f64, i8, i16, i32, i64, struct, u8, u16, u32, u64

pytestmark = pytest.mark.usefixtures("calling_rules")

WHOLE = {"a": u8, "b": u16, "c": u32, "d": u64, "e": i8, "f": i16, "g": i32, "h": i64}
Every = struct(**WHOLE, x=f32, y=f64, few=(u8, 3), many=(i16, 5), words=(u64, 2), halves=(f32, 2))

SIGNED, UNSIGNED = st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**64 - 1)
NUMBERS = st.floats(allow_nan=False)
EDGES = [sign * (2**bits + step) for bits in (7, 8, 15, 16, 31, 32, 62) for sign in (1, -1) for step in (-1, 0, 1)]


@cache
def writers() -> tuple[Any, Any]:
    """Compiled functions that write one number into every field: whole numbers and others."""

    def whole(s, value):
        s.a = value
        s.b = value
        s.c = value
        s.d = value
        s.e = value
        s.f = value
        s.g = value
        s.h = value
        s.few[1] = value
        s.many[4] = value
        s.words[1] = value

    def others(s, value):
        s.x = value
        s.y = value
        s.halves[1] = value

    return jit(whole), jit(others)


def after_writing(which: int, value: Any, compiled_value: Any) -> tuple[Any, Any]:
    """The same writes on an interpreted state and on a compiled one."""
    ours, record = Every().copy(), np.zeros(1, Every.dtype)
    writer = writers()[which]
    writer.py_func(ours, value)
    writer(record[0], compiled_value)
    return ours, Every.frombytes(record.tobytes())


@given(value=SIGNED | st.sampled_from(EDGES))
def test_signed_numbers_wrap_as_compiled_fields_do(value: int) -> None:
    ours, theirs = after_writing(0, value, np.int64(value))
    assert ours == theirs


@given(value=UNSIGNED | st.sampled_from([2**63 - 1, 2**63, 2**64 - 1]))
def test_unsigned_numbers_wrap_as_compiled_fields_do(value: int) -> None:
    ours, theirs = after_writing(0, u64(value), np.uint64(value))
    assert ours == theirs


@given(value=st.floats(0, 127))
def test_fractions_are_cut_off_as_in_compiled_fields(value: float) -> None:
    ours, theirs = after_writing(0, value, value)
    assert ours == theirs


@given(value=NUMBERS)
def test_floats_are_rounded_as_compiled_fields_round(value: float) -> None:
    ours, theirs = after_writing(1, value, value)
    assert ours == theirs


def test_sums_wrap_at_the_width_of_the_field() -> None:
    s = Every(a=255, e=127, h=2**63 - 1, d=2**64 - 1).copy()
    s.a += 1
    s.e += 1
    s.h += 1
    s.d += u64(1)
    assert (s.a, s.e, s.h, s.d) == (0, -128, -(2**63), 0)
    s.a -= 1
    s.e -= 1
    assert (s.a, s.e) == (255, 127)


def test_u64_fields_hand_out_words_and_the_others_plain_integers() -> None:
    s = Every()
    assert type(s.d) is np.uint64
    assert type(s.words[0]) is np.uint64
    assert {type(getattr(s, name)) for name in WHOLE if name != "d"} == {int}
    assert type(s.few[0]) is int
    assert type(s.x) is type(s.y) is float
    assert s.d - u64(1) == 2**64 - 1
    assert ~s.d == 2**64 - 1


@given(state=states_of(Every))
def test_bytes_read_back_and_are_those_of_the_compiled_struct(state: Any) -> None:
    record = np.zeros(1, Every.dtype)
    for name, value in state.values().items():
        record[name] = value
    assert len(state.tobytes()) == Every.dtype.itemsize
    assert Every.frombytes(state.tobytes()) == state
    assert Every.frombytes(record.tobytes()) == state
    assert np.frombuffer(state.tobytes(), Every.dtype)[0] == record[0]


@given(state=states_of(Every))
def test_a_copy_is_equal_and_independent(state: Any) -> None:
    before = state.tobytes()
    for twin in (state.copy(), copy.copy(state)):
        assert twin == state
        assert hash(twin) == hash(state)
        twin.a += 1
        twin.many[2] += 1
        twin.words[:] = 7
        assert twin != state
        assert state.tobytes() == before


def test_a_copy_still_fits_what_is_written_into_it() -> None:
    twin = Every().copy()
    twin.a, twin.few[0], twin.words[0] = 300, 300, -1
    assert (twin.a, twin.few[0], twin.words[0]) == (44, 44, 2**64 - 1)


def test_arrays() -> None:
    s = Every(few=[1, 2, 3]).copy()
    s.few[2] = 300
    assert list(s.few) == [1, 2, 44]
    s.many[1:4] = [70000, -1, 5]
    assert list(s.many) == [0, 70000 - 65536, -1, 5, 0]
    s.many[:] = 9
    assert list(s.many) == [9] * 5
    s.many[-1] = 1
    assert s.many[4] == 1
    assert len(s.many) == 5
    with pytest.raises(ValueError, match="argument"):
        s.many[0:3] = [1, 2]
    with pytest.raises(IndexError):
        s.many[5] = 1


def test_states_of_different_structs_are_never_equal() -> None:
    A, B = struct(a=u8), struct(a=u8)
    assert A(a=1) == A(a=1)
    assert A(a=1) != A(a=2)
    assert A(a=1) != B(a=1)
    assert A(a=1) != 1


def test_padding_does_not_count() -> None:
    Gappy = struct(a=u8, b=u64, c=u8)
    record = np.zeros(1, Gappy.dtype)
    record.view(np.uint8)[:] = 0xAA
    record["a"], record["b"], record["c"] = 1, 2, 3
    state = Gappy.frombytes(record.tobytes())
    assert state == Gappy(a=1, b=2, c=3)
    assert state.tobytes() == Gappy(a=1, b=2, c=3).tobytes()


def test_the_fields_are_shown() -> None:
    assert repr(struct(a=u8, few=(i8, 2))(a=3, few=[1, -1])) == "State(a=3, few=[1, -1])"


def test_wrong_values_are_refused() -> None:
    with pytest.raises(StateError, match=r"z: no such field; the state has a, b, c"):
        Every(z=1)
    for few, given_ in (([1, 2], 2), ([1, 2, 3, 4], 4), (3, 1)):
        with pytest.raises(StateError, match=f"field few holds 3 numbers, not {given_}"):
            Every(few=few)
    with pytest.raises(AttributeError):
        Every().z = 1


WRONG = [300, -1, 2**64, 2.5, float("nan"), float("inf"), "3", b"3", None, [1], np.float32(0.5)]


@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_what_does_not_fit_is_refused(value: Any) -> None:
    holds = re.escape("holds whole numbers from 0 to 255, not ")
    with pytest.raises(StateError, match=f"field a {holds}"):
        Every(a=value)
    with pytest.raises(StateError, match=f"field few {holds}"):
        Every(few=[0, value, 0])
    built = Every()
    with pytest.raises(StateError, match=f"field a {holds}"):
        built.a = value
    with pytest.raises(StateError, match=f"field few {holds}"):
        built.few[1] = value
    assert built == Every()


@pytest.mark.parametrize("name", WHOLE)
def test_the_range_is_that_of_the_field(name: str) -> None:
    low, high = int(np.iinfo(WHOLE[name]).min), int(np.iinfo(WHOLE[name]).max)
    for fits in (low, high, 1.0, np.int8(1), True, np.bool_(True), np.float64(1)):
        assert getattr(Every(**{name: fits}), name) == fits
    for outside in (low - 1, high + 1):
        with pytest.raises(StateError, match=f"field {name} holds whole numbers from {low} to {high}, not {outside}"):
            Every(**{name: outside})


def test_fields_of_fractions() -> None:
    assert Every(x=0.1, y=0.1, halves=[float("inf"), 1]).y == 0.1
    for wrong in ({"x": 1e300}, {"y": float("nan")}, {"halves": [0, "1"]}, {"y": None}):
        with pytest.raises(StateError, match="holds numbers of (32|64) bits, not "):
            Every(**wrong)


def test_states_can_tell_what_wrapped_around() -> None:
    told: list[tuple[str, Any, str]] = []
    s = Every.watching(lambda *what: told.append(what)).frombytes(Every(a=255, d=2**64 - 1).tobytes()).copy()
    s.a += 1
    s.d += u64(1)
    s.x, s.e, s.g = 0.5, 127, 1.5
    assert told == [("a", 256, "whole numbers from 0 to 255")]
    s.many[2] = -40000
    assert told[1:] == [("many", -40000, "whole numbers from -32768 to 32767")]
    assert s == Every(a=0, d=0, x=0.5, e=127, g=1, many=[0, 0, 25536, 0, 0])
    assert s.copy() == s.copy().copy()


@pytest.mark.parametrize(
    "field",
    [
        int, "u8", bool, np.complex128, None, [u8], {},
        (u8,), (u8, 2, 3), (u8, -1), (u8, 0), (u8, 2.5), (u8, "3"), (int, 3),
    ],
    ids=repr,
)  # fmt: skip
def test_wrong_fields_are_refused(field: Any) -> None:
    with pytest.raises(TypeError, match=r"field board: a type .* or a type and a length such as"):
        struct(board=field)


@pytest.mark.parametrize("name", ["_a", "values", "copy", "fields", "dtype", "tobytes", "frombytes"])
def test_names_that_states_need_themselves_are_refused(name: str) -> None:
    with pytest.raises(TypeError, match=f"field {name}"):
        struct(**{name: u8})


def test_a_state_needs_a_field() -> None:
    with pytest.raises(TypeError, match="at least one field"):
        struct()
