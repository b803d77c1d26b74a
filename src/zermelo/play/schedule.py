"""Who meets whom in a match, from which opening, with which luck.

Games come in pairs: the same opening and the same dice, sides swapped, so that neither the opening nor luck favours
anybody. A round is one pair for every two players who meet, all from the same opening; in a gauntlet only the first
player meets others. Games are numbered through all rounds, so that a number says all there is to know about a game.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from zermelo.play.openings import Opening
from zermelo.rules import Unsuitable


class Fixture(NamedTuple):
    """One game: its number from 0 on, the pair to which it belongs, who plays first and who second, from where, and
    the seed of the dice."""

    number: int
    pair: int
    first: int
    second: int
    opening: Opening
    seed: int


@dataclass(frozen=True)
class Schedule:
    """All games between so many players, `games` for every two who meet; None is without end."""

    players: int
    games: int | None
    gauntlet: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        if self.players < 2:
            raise Unsuitable(f"a match takes at least two players, not {self.players}")
        if self.games is not None and self.games < 1:
            raise Unsuitable(f"a match has at least one pair of games, such as 2 or 100 games, not {self.games}")
        if self.games is not None and self.games % 2:
            raise Unsuitable(
                f"games are played in pairs, the sides swapped, so their number is even: {self.games + 1}, not "
                f"{self.games}"
            )

    @property
    def meetings(self) -> list[tuple[int, int]]:
        """Who meets whom."""
        return [pair for pair in combinations(range(self.players), 2) if pair[0] == 0 or not self.gauntlet]

    @property
    def total(self) -> int | None:
        """How many games there are in all."""
        return None if self.games is None else self.games * len(self.meetings)

    def sides(self, number: int) -> tuple[int, int]:
        """Who plays first and who second in a game."""
        one, other = self.meetings[number // 2 % len(self.meetings)]
        return (other, one) if number % 2 else (one, other)

    def fixtures(self, openings: Iterator[Opening]) -> Iterator[Fixture]:
        """The games in order, one opening taken for each round."""
        meetings, number = len(self.meetings), 0
        for turn, opening in enumerate(openings):
            dice = random.Random(f"dice of match {self.seed}, round {turn}").randrange(10**9)
            for _ in range(2 * meetings):
                if self.total is not None and number >= self.total:
                    return
                yield Fixture(number, number // 2, *self.sides(number), opening, dice)
                number += 1

    def seed_of(self, fixture: Fixture, side: int) -> int:
        """The seed of a player who has none of its own, in one game."""
        return random.Random(f"player of match {self.seed}, game {fixture.number}, side {side}").randrange(10**6)
