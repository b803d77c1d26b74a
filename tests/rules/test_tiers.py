"""The tiers that a game lists: what is no such list, and how many are named in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from zermelo import games
from zermelo.rules import RuleError, Tier, UnknownName
from zermelo.rules.tiers import in_short, tier_named, tiers_of

AWARI, KALAH = games.awari(), games.kalah()


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        (lambda: None, r"tiers must list \(tier, size, name\), .*not None"),
        (list, r"not \[\]"),
        (lambda: 7, "not 7"),
        (lambda: [(0, 3)], r"not \[\(0, 3\)\]"),
        (lambda: [(0, 0, "none")], "sizes from 1 on"),
        (lambda: [(-1, 2, "below")], "tiers from 0 on"),
        (lambda: [(0, 2, "a"), (0, 3, "b")], "each tier once"),
        (lambda: [(0, 2, 5)], r"not \[\(0, 2, 5\)\]"),
        (lambda: [(0, 2, "a"), (1, 3, "a")], "tiers calls two tiers 'a': give each a name of its own"),
    ],
)
def test_what_is_no_list_of_tiers(listed: Callable[[], Any], said: str) -> None:
    with pytest.raises(RuleError, match=said):
        tiers_of(replace(AWARI, tiers=listed))


def test_plain_tuples_are_tiers() -> None:
    assert tiers_of(replace(AWARI, tiers=lambda: [(1, 3, "b"), (0, 2, "a")])) == [Tier(1, 3, "b"), Tier(0, 2, "a")]


def test_names_stand_in_the_order_of_the_tiers() -> None:
    tiers = tiers_of(AWARI)
    assert tier_named(AWARI, tiers, "11") == 11
    with pytest.raises(UnknownName, match="awari has no tier -: it has 0, 1, 2, 3, 4, 5, …, 48"):
        tier_named(AWARI, tiers, "-")
    with pytest.raises(UnknownName, match="no tier 49: it has 0, 1"):
        tier_named(AWARI, tiers, "49")
    with pytest.raises(UnknownName, match="has no tier 7 stone: did you mean 7 stones?"):
        tier_named(KALAH, tiers_of(KALAH), "7 stone")
    assert in_short([tier.name for tier in tiers[:4]]) == "0, 1, 2, 3"
