"""How a match stands: points, pairs, and what follows from them.

A game is won by who scored more than the middle of the game's values, and drawn at the middle; one that stayed open
counts as drawn too. All figures are those of the first engine, against all others that it met.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.play.elo import Sprt, elo_of, interval, superiority
from zermelo.play.ending import Why, middle
from zermelo.play.ratings import Rating, ratings
from zermelo.play.record import Record
from zermelo.play.schedule import Schedule
from zermelo.rules import Game

FORFEITS = (Why.TIME, Why.ILLEGAL, Why.FAILED)


class Forfeit(NamedTuple):
    """A game that was lost by something other than play: its number from 1 on, by whom, and why."""

    game: int
    engine: str
    reason: str


@dataclass(frozen=True)
class Standing:
    """A match so far, or at its end. Figures are the first engine's.

    pentanomial: how many pairs of games brought 0, ½, 1, 1½ and 2 points. mean_score: the mean of the scores, as the
    game counts them. games: how many were played, of `planned` (None: until the test decides). ratings: of all engines,
    the best one first. stopped: None if the match was played to its end, `interrupt` after Ctrl-C, or a sentence.
    """

    engines: tuple[str, ...]
    games: int
    planned: int | None
    wins: int
    draws: int
    losses: int
    pentanomial: tuple[int, ...]
    mean_score: float | None
    ratings: tuple[Rating, ...]
    forfeits: tuple[Forfeit, ...] = ()
    sprt: Sprt | None = None
    stopped: str | None = None

    @property
    def score(self) -> float | None:
        """The share of the points."""
        played = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / played if played else None

    @property
    def elo(self) -> float | None:
        """How much stronger it is, by its score; infinite if it won or lost everything."""
        return None if self.score is None else elo_of(self.score)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Between these Elo differences the true one lies with 95 %, as the pairs show."""
        return interval(self.pentanomial) if any(self.pentanomial) else None

    @property
    def los(self) -> float | None:
        """The likelihood that it is the stronger one."""
        return superiority(self.pentanomial) if any(self.pentanomial) else None

    @property
    def llr(self) -> float | None:
        """The logarithm of the likelihood ratio of the test, if there is one."""
        return None if self.sprt is None else self.sprt.ratio(self.pentanomial)

    @property
    def accepted(self) -> float | None:
        """The Elo difference that the test has accepted, if it has."""
        return None if self.sprt is None else self.sprt.accepted(self.pentanomial)

    def as_dict(self) -> dict[str, Any]:
        """The standing as the command line prints it with --json; what is infinite is null there."""
        test = None
        if self.sprt is not None:
            bounds = [round(bound, 4) for bound in self.sprt.bounds]
            test = {"elo0": self.sprt.elo0, "elo1": self.sprt.elo1, "bounds": bounds, "accepted": self.accepted}
        return {
            "engines": list(self.engines),
            "games": self.games,
            "planned": self.planned,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score,
            "mean_score": self.mean_score,
            "elo": _finite(self.elo),
            "interval": None if self.interval is None else [_finite(end) for end in self.interval],
            "pentanomial": list(self.pentanomial),
            "los": self.los,
            "llr": self.llr,
            "sprt": test,
            "ratings": [
                {"engine": self.engines[who], "elo": elo, "error": error, "points": points, "games": games}
                for who, elo, error, points, games in self.ratings
            ],
            "forfeits": [forfeit._asdict() for forfeit in self.forfeits],
            "stopped": self.stopped,
        }


def points_of(game: Game, record: Record) -> float:
    """What a game brought whoever played first: 1, ½ or 0."""
    assert record.ending is not None
    even = middle(game)
    score = even if record.ending.score is None else record.ending.score
    return 0.5 + ((score > even) - (score < even)) / 2


class Tally:
    """Counts games as they end, in any order."""

    def __init__(self, game: Game, engines: tuple[str, ...], schedule: Schedule, sprt: Sprt | None) -> None:
        self.game, self.engines, self.schedule, self.sprt = game, engines, schedule, sprt
        self.results = dict.fromkeys(schedule.meetings, (0.0, 0))
        self.outcomes = [0, 0, 0]  # losses, draws and wins of the first engine
        self.scored = 0.0
        self.half: dict[int, float] = {}
        self.pentanomial = [0] * 5
        self.forfeits: list[Forfeit] = []

    def add(self, number: int, record: Record) -> None:
        """Count a game."""
        first, second = self.schedule.sides(number)
        ending = record.ending
        assert ending is not None
        even = middle(self.game)
        score = even if ending.score is None else ending.score
        points = points_of(self.game, record)
        one = min(first, second)
        own = points if one == first else 1 - points
        before, games = self.results[min(first, second), max(first, second)]
        self.results[min(first, second), max(first, second)] = (before + own, games + 1)
        if one == 0:
            self.outcomes[int(2 * own)] += 1
            self.scored += score if first == 0 else 2 * even - score
            if number // 2 in self.half:
                self.pentanomial[int(2 * (own + self.half.pop(number // 2)))] += 1
            else:
                self.half[number // 2] = own
        if ending.why in FORFEITS and ending.by is not None:
            who = self.engines[(first, second)[ending.by]]
            self.forfeits.append(Forfeit(number + 1, who, ending.reason))

    def standing(self, stopped: str | None = None) -> Standing:
        losses, draws, wins = self.outcomes
        own = sum(self.outcomes)
        return Standing(
            engines=self.engines,
            games=sum(games for _, games in self.results.values()),
            planned=self.schedule.total,
            wins=wins,
            draws=draws,
            losses=losses,
            pentanomial=tuple(self.pentanomial),
            mean_score=self.scored / own if own else None,
            ratings=tuple(ratings(len(self.engines), {m: r for m, r in self.results.items() if r[1]})),
            forfeits=tuple(sorted(self.forfeits)),
            sprt=self.sprt,
            stopped=stopped,
        )


def _finite(number: float | None) -> float | None:
    return None if number is None or math.isinf(number) else number
