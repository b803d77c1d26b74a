"""Trees under test are small, and yet meet what happens in large ones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from zermelo.sampling import tree_engine


@pytest.fixture(autouse=True, scope="module")
def soon_large() -> Iterator[None]:
    """The index has to grow, and simulations begin below the root."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_engine, "FIRST_PLACES", 32)
        patch.setattr(tree_engine, "STEADY", 4)
        yield
