"""Texts as values and values as texts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, Optional

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.rules import Unsuitable
from zermelo.rules.settings import kind_of, kinds_of, read_value, write_value

Forms = Literal["auto", "equal", 3]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        *((text, bool, True) for text in ("on", "ON", "true", "Yes", "1", " on ")),
        *((text, bool, False) for text in ("off", "False", "NO", "0")),
        ("12", int, 12), ("-4", int, -4), (" 4 ", int, 4), ("1_000", int, 1000), ("1e6", int, 1_000_000),
        ("2.5e1", int, 25), (str(2**70), int, 2**70),
        ("0.25", float, 0.25), ("1", float, 1.0), ("1e-3", float, 0.001), ("inf", float, float("inf")),
        ("512MB", str, "512MB"), ("none", str, "none"), ("", str, ""), (" x ", str, " x "),
        ("3,2,1", tuple[int, ...], (3, 2, 1)), ("(3, 2, 1)", tuple[int, ...], (3, 2, 1)), ("7", tuple[int, ...], (7,)),
        ("()", tuple[int, ...], ()), ("", tuple[str, ...], ()), ("a, b", tuple[str, ...], ("a", "b")),
        ("on,off", tuple[bool, ...], (True, False)), ("-1,0.5", tuple[int, float], (-1, 0.5)),
        ("none", int | None, None), ("None", Optional[float], None), ("3", int | None, 3),  # noqa: UP045
        ("none", tuple[str, ...] | None, None), ("()", tuple[str, ...] | None, ()), ("none", str | None, None),
        ("word", str | None, "word"), ("none", None, None),
        ("512MB", str | int, "512MB"), ("512", str | int, 512), ("1.5", int | float, 1.5), ("2", int | float, 2),
        ("equal", Forms, "equal"), (" 3", Forms, 3), ("none", Forms | None, None),
        ("3/4", Fraction, "3/4"), ("x", Any, "x"), ("3/4", Fraction | None, "3/4"),
    ],
)  # fmt: skip
def test_texts_are_read(text: str, kind: Any, value: Any) -> None:
    found = read_value("it", text, kind)
    assert found == value
    assert type(found) is type(value)
    if isinstance(value, tuple):
        assert list(map(type, found)) == list(map(type, value))


@pytest.mark.parametrize(
    ("text", "kind", "wanted"),
    [
        ("maybe", bool, "on or off"), ("2", bool, "on or off"),
        ("x", int, "a whole number"), ("7.5", int, "a whole number"), ("1e300", int, "a whole number"),
        ("inf", int, "a whole number"), ("nan", int, "a whole number"), ("on", int, "a whole number"),
        ("none", int, "a whole number"), ("", int, "a whole number"),
        ("half", float, "a number"), ("nan", float, "a number"),
        ("3,x", tuple[int, ...], "whole numbers such as 3,2,1"), ("3,,1", tuple[int, ...], "whole numbers such as"),
        ("1", tuple[int, int], "2 values with commas between them"),
        ("x,1", tuple[float, ...] | None, "numbers such as 0.5,1 or none"), ("a,,b", tuple[str, ...], "names such as"),
        ("few", int | None, "a whole number or none"), ("few", int | bool | None, "a whole number, on or off or none"),
        ("autp", Forms, "auto, equal or 3"), ("x", None, "none"),
        (7.5, int, "a whole number"), (True, int, "a whole number"), ([3], int, "a whole number"),
        (None, float, "a number"), (1, bool, "on or off"), ((1, "x"), tuple[int, ...], "whole numbers"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_one_sentence(text: Any, kind: Any, wanted: str) -> None:
    with pytest.raises(Unsuitable) as refused:
        read_value("width", text, kind)
    assert str(refused.value).startswith(f"width takes {wanted}")
    assert str(refused.value).endswith(f", not {text!r}")


@pytest.mark.parametrize(
    ("value", "kind", "found"),
    [(9, int, 9), (9.0, int, 9), (np.int64(9), int, 9), (2, float, 2.0), (True, bool, True), (None, int | None, None),
     ([3, 2], tuple[int, ...], (3, 2)), (5, str, 5), (2.0, int | float, 2.0), (True, int | bool, True)],
)  # fmt: skip
def test_values_that_fit_are_taken(value: Any, kind: Any, found: Any) -> None:
    taken = read_value("it", value, kind)
    assert taken == found
    assert type(taken) is type(found)


names = st.text("abcdefgh_-.", min_size=1).filter(lambda text: text != "none")
readable = st.one_of(
    st.tuples(st.booleans(), st.just(bool)),
    st.tuples(st.integers(), st.just(int)),
    st.tuples(st.floats(allow_nan=False), st.just(float)),
    st.tuples(st.text(), st.just(str)),
    st.tuples(st.lists(st.integers()).map(tuple), st.just(tuple[int, ...])),
    st.tuples(st.lists(names).map(tuple), st.just(tuple[str, ...])),
    st.tuples(st.tuples(st.booleans(), st.floats(allow_nan=False)), st.just(tuple[bool, float])),
    st.tuples(st.sampled_from(["auto", "equal", 3]), st.just(Forms)),
)


@given(readable, st.booleans())
def test_what_is_written_reads_back(case: tuple[Any, Any], optional: bool) -> None:
    value, kind = case
    if optional and value != "none" and kind is not str:
        kind = kind | None
        assert read_value("it", write_value(None), kind) is None
    found = read_value("it", write_value(value), kind)
    assert found == value
    assert type(found) is type(value)


def test_how_values_are_written() -> None:
    written = [write_value(value) for value in (True, False, None, 5, np.int32(5), 0.5, np.float64(2), (3, 2), (), "x")]
    assert written == ["on", "off", "none", "5", "5", "0.5", "2.0", "3,2", "()", "x"]


def test_defaults_show_kinds() -> None:
    assert [kind_of(value) for value in (True, 3, 0.5, "x", None)] == [bool, int, float, str, str | None]
    assert [kind_of(value) for value in ((3, 2), ("a",), (1, "a"), ())] == [
        tuple[int, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...],
    ]  # fmt: skip


def test_kinds_of_a_functions_parameters() -> None:
    def factory(size: int, form: Forms = "auto", far: int | None = None, lost: Missing = 0.5, plain=7, bare=None):  # type: ignore[no-untyped-def]  # noqa: F821
        """`Missing` stands for a name that only type checkers see."""

    def bare(anything):  # type: ignore[no-untyped-def]
        """Nothing is known."""

    assert kinds_of(factory) == {
        "size": int, "form": Forms, "far": int | None, "lost": float, "plain": int, "bare": str | None,
    }  # fmt: skip
    assert kinds_of(bare) == {"anything": str}
