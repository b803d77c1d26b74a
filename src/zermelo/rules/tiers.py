"""The tiers that a game lists for endgame tables, as people wrote them and as everything else may rely on."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.rules.errors import RuleError, UnknownName, nearest
from zermelo.rules.game import Game
from zermelo.rules.hooks import Tier
from zermelo.rules.structs import wrapping

MOST_SHOWN = 8
"""Of more tiers than these, a sentence names the first ones and the last."""


@wrapping
def tiers_of(game: Game) -> list[Tier]:
    """The tiers of a game in the order in which it lists them, the lowest first. What is no such list is refused."""
    assert game.tiers is not None
    listed = game.tiers()
    try:
        tiers = [Tier(int(tier), int(size), name) for tier, size, name in listed]
    except (TypeError, ValueError):
        tiers = []
    numbers = {tier.tier for tier in tiers}
    fair = all(tier.tier >= 0 and tier.size >= 1 and isinstance(tier.name, str) for tier in tiers)
    if not (fair and 0 < len(tiers) == len(numbers)):
        raise RuleError(
            f"{game.name}: tiers must list (tier, size, name), each tier once, tiers from 0 on and sizes from 1 on, "
            f"not {listed!r}"
        )
    names = [tier.name for tier in tiers]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise RuleError(f"{game.name}: tiers calls two tiers {twice!r}: give each a name of its own")
    return tiers


def tier_named(game: Game, tiers: Sequence[Tier], name: str) -> int:
    """Where in a list of tiers the one of a name stands."""
    names = [tier.name for tier in tiers]
    if name not in names:
        near = nearest(name, names)
        alike = near.startswith("did") and not name.isdecimal()  # a number is not meant for another one
        raise UnknownName(f"{game.name} has no tier {name}: {near if alike else f'it has {in_short(names)}'}")
    return names.index(name)


def in_short(names: Sequence[str]) -> str:
    """Names in their order; of many, the first ones and the last."""
    if len(names) <= MOST_SHOWN:
        return ", ".join(names)
    return ", ".join([*names[: MOST_SHOWN - 2], "…", names[-1]])
