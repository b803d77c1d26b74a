"""Which values of a parameter are tried by `make test`, and which only by `make test-all`."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest


def slow(*values: Any) -> list[Any]:
    """The values marked `slow`; a tuple stands for several parameters."""
    several = (value if type(value) is tuple else (value,) for value in values)
    return [pytest.param(*each, marks=pytest.mark.slow) for each in several]


def some_slow(values: Iterable[Any], those: Container[Any]) -> list[Any]:
    """All of the values, `those` among them marked `slow`."""
    return [each for value in values for each in (slow(value) if value in those else [value])]
