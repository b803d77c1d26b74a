"""Connect Four on boards that fill a word."""

from __future__ import annotations

import pytest

from zermelo import check, games


@pytest.mark.slow
def test_keys_of_wide_boards_tell_positions_apart() -> None:
    assert check(games.connect_four(width=9, height=6), games=50).problems == []
