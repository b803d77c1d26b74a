"""Series of games against one opponent, for engines that are compared pair by pair: all of them play the same openings
with the same dice, so that what differs is theirs. What an engine learns lasts through a series.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from zermelo import games
from zermelo.lab.experiment import Say, Settings
from zermelo.lab.gather import gather, is_table
from zermelo.lab.meetings import MEMORY, Outcome, play_fixture
from zermelo.methods.requests import request
from zermelo.play.openings import random_openings
from zermelo.play.player import Engine, engine
from zermelo.play.schedule import Schedule
from zermelo.rules import Game

PAIRS = 25
"""A series has at most so many pairs of games."""


class Series(NamedTuple):
    """An engine against an opponent, by their texts, at a game with its parameters, from openings of so many plies."""

    game: str
    parameters: Mapping[str, Any]
    plies: int
    one: str
    other: str


class Gain(NamedTuple):
    """The points a game that one engine brings more than another, with the ends of the 95 % interval."""

    low: float
    mean: float
    high: float


class Played(NamedTuple):
    """What came of an engine's series: the outcome, and the points of every game, of which two are a pair."""

    outcome: Outcome
    games: list[float]

    @property
    def pairs(self) -> list[float]:
        return [one + other for one, other in zip(self.games[::2], self.games[1::2])]

    def gain_over(self, other: Played) -> Gain:
        """By the pairs that both have played."""
        differences = [(mine - theirs) / 2 for mine, theirs in zip(self.pairs, other.pairs)]
        n = len(differences)
        mean = sum(differences) / n
        spread = sum((one - mean) ** 2 for one in differences) / max(n - 1, 1)
        error = 1.96 * math.sqrt(spread / n)
        return Gain(mean - error, mean, mean + error)


def play_series(settings: Settings, name: str, series: Sequence[Series], mode: str, say: Say) -> list[Played]:
    """Play `samples` games of each. What cannot be played is refused before anything is."""
    Schedule(2, settings.samples)
    for one in series:
        game = games.load(one.game, dict(one.parameters))
        for text in (one.one, one.other):
            request(text, game, "play", mode=mode, memory=MEMORY)
    pairs = settings.samples // 2
    parts = [(first, min(PAIRS, pairs - first)) for first in range(0, pairs, PAIRS)]
    tasks = [
        (one.game, dict(one.parameters), one.plies, one.one, one.other, mode, settings.seed, *part)
        for part in parts
        for one in series
    ]
    found = gather(settings, name, tasks, play_part, say, _fits)
    played = []
    for number in range(len(series)):
        rows = [row for part in found[number :: len(series)] for row in part]
        both = list(zip(rows[::2], rows[1::2]))
        played.append(Played(Outcome.of(both), [row[0] for row in rows]))
    return played


def play_part(task: Sequence[Any]) -> list[list[float]]:
    """The games of a series, two for each pair, as `play_fixture` tells them."""
    name, parameters, plies, one, other, mode, seed, first, pairs = task
    game = _game(name, tuple(parameters.items()))
    schedule = Schedule(2, None, seed=seed)
    fixtures = islice(schedule.fixtures(random_openings(game, plies, seed)), 2 * first, 2 * (first + pairs))
    with ExitStack() as stack:
        players = []
        for text in (one, other):
            player = stack.enter_context(engine(text, game, seed=seed, mode=mode, memory=MEMORY))
            assert isinstance(player, Engine)
            player.session.prepare("search")
            players.append(player)
        return [play_fixture(game, (players[0], players[1]), fixture) for fixture in fixtures]


@cache
def _game(name: str, parameters: tuple[tuple[str, Any], ...]) -> Game:
    """The same object for all series of a process, for what is compiled belongs to it."""
    return games.load(name, dict(parameters))


def _fits(task: Sequence[Any], result: Any) -> bool:
    return is_table(result, 2 * task[-1], 7) and all(game[0] in (0, 0.5, 1) for game in result)
