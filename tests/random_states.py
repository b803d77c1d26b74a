"""Random states of any struct, for hypothesis: every field holds what fits into it."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from zermelo.rules import Struct


def _numbers(scalar: Any) -> st.SearchStrategy[Any]:
    if np.dtype(scalar).kind == "f":
        return st.floats(allow_nan=False, width=32 if np.dtype(scalar).itemsize == 4 else 64)
    return st.integers(int(np.iinfo(scalar).min), int(np.iinfo(scalar).max))


@st.composite
def states_of(draw: st.DrawFn, State: type[Struct]) -> Any:
    values: dict[str, Any] = {}
    for name, field in State.fields.items():
        if isinstance(field, tuple):
            values[name] = draw(st.lists(_numbers(field[0]), min_size=field[1], max_size=field[1]))
        else:
            values[name] = draw(_numbers(field))
    return State(**values)
