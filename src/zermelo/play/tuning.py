"""Settings of an engine tuned by matches.

    tune(game, "mcts(playouts=1000)", ["c=0.5:3", "playout=light|decisive"], games=400)

Candidates meet the engine as it was, all from the same openings with the same dice; the better half of them plays on,
until one is left. That is sequential halving (Karnin, Koren and Somekh, Almost Optimal Exploration in Multi-Armed
Bandits, 2013): every round has about as many games, so the better candidates are, the more is found out about them.
A candidate is judged by all games that it has played.

Who is best of many was also lucky. So the winner plays a third of all games in a last match from openings that nobody
has seen, and only these tell what it is worth. If it scores more than half, its settings are written beside the rules
of the game, and are what the engine uses from then on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from zermelo.compile.watch import Limits
from zermelo.core.request import Request, written
from zermelo.methods.engine_file import Entry, keep, place
from zermelo.methods.requests import request
from zermelo.methods.settings import name_and_settings, option_kinds, with_settings
from zermelo.play.candidates import Settings, candidates, how_many, read_spans
from zermelo.play.clock import NO_CLOCK
from zermelo.play.crew import Terms, play_fixtures
from zermelo.play.elo import elo_of, interval, superiority
from zermelo.play.match import enter, openings_of
from zermelo.play.programs import is_program
from zermelo.play.record import Record, title
from zermelo.play.referee import Customs
from zermelo.play.schedule import Schedule
from zermelo.play.standing import FORFEITS, points_of
from zermelo.play.tuning_file import Result, Results
from zermelo.rules import Game, Unsuitable

GAMES = 200
MOST = 16
"""So many candidates are tried if nobody says otherwise and the games suffice."""
LEAST_PAIRS = 2
"""Nobody is dismissed after fewer pairs of games."""

Watcher = Callable[["Tuning"], None]


class Tried(NamedTuple):
    """A candidate: its settings, and its points and games so far in how many rounds."""

    settings: Settings
    points: float = 0.0
    games: int = 0
    rounds: int = 0

    @property
    def score(self) -> float:
        return self.points / self.games if self.games else 0.0

    def __str__(self) -> str:
        return ", ".join(f"{name}={written(value)}" for name, value in self.settings.items())


@dataclass(frozen=True)
class Tuning:
    """A tuning so far, or at its end.

    engine: the engine as it was. tried: the candidates, the best one first. games: how many were played, of `planned`.
    final: what each game of the last match brought the best one, by number. kept: the file with its settings, None if
    they are not kept. forfeits: of games that did not end by play, who was to blame. stopped: `interrupt` after Ctrl-C.
    """

    engine: str
    tried: tuple[Tried, ...]
    games: int
    planned: int
    final: Mapping[int, float] = field(default_factory=dict)
    kept: Path | None = None
    forfeits: tuple[str, ...] = ()
    stopped: str | None = None

    @property
    def best(self) -> Tried:
        return self.tried[0]

    @property
    def score(self) -> float | None:
        """The share of the points of the last match that the best one took."""
        return sum(self.final.values()) / len(self.final) if self.final else None

    @property
    def better(self) -> bool:
        """Whether the best one proved to be better than the engine as it was."""
        return self.stopped is None and self.score is not None and self.score > 0.5

    @property
    def pentanomial(self) -> tuple[int, ...]:
        """How many pairs of the last match brought 0, ½, 1, 1½ and 2 points."""
        pairs = [0] * 5
        for number, points in self.final.items():
            if number % 2 == 0 and number + 1 in self.final:
                pairs[int(2 * (points + self.final[number + 1]))] += 1
        return tuple(pairs)

    @property
    def elo(self) -> float | None:
        return None if self.score is None else elo_of(self.score)

    @property
    def interval(self) -> tuple[float, float] | None:
        return interval(self.pentanomial) if any(self.pentanomial) else None

    @property
    def los(self) -> float | None:
        return superiority(self.pentanomial) if any(self.pentanomial) else None

    def measured(self) -> str:
        """The last match in words."""
        if self.score is None or self.interval is None:
            return "no pair of games was finished"
        low, high = self.interval
        points = f"{sum(self.final.values()):g} of {len(self.final)} points"
        return f"{points}, Elo {_signed(elo_of(self.score))} (95 %: {_signed(low)} to {_signed(high)})"

    def as_dict(self) -> dict[str, Any]:
        """The tuning as the command line prints it with --json; what is infinite is null there."""

        def finite(number: float | None) -> float | None:
            return None if number is None or math.isinf(number) else number

        return {
            "engine": self.engine,
            "best": self._plain(self.best),
            "better": self.better,
            "score": self.score,
            "elo": finite(self.elo),
            "interval": None if self.interval is None else [finite(end) for end in self.interval],
            "los": self.los,
            "pentanomial": list(self.pentanomial),
            "kept": None if self.kept is None else str(self.kept),
            "games": self.games,
            "planned": self.planned,
            "candidates": [
                {"settings": self._plain(one), "points": one.points, "games": one.games, "rounds": one.rounds}
                for one in self.tried
            ],
            "forfeits": list(self.forfeits),
            "stopped": self.stopped,
        }

    @staticmethod
    def _plain(tried: Tried) -> dict[str, Any]:
        return {name: _plain(value) for name, value in tried.settings.items()}


def tune(
    game: Game,
    engine: str,
    settings: Sequence[str],
    *,
    games: int = GAMES,
    number: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    seed: int = 0,
    workers: int = 1,
    parameters: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    state: str | Path | None = None,
    resume: bool = False,
    listener: Watcher | None = None,
) -> Tuning:
    """Tune settings of an engine for a game, and keep them if they are better.

    engine: a text; what it sets stays as it is. settings: what is tuned, such as `c=0.5:3` or `playout=light|decisive`.
    games: in all, the last match included. number: of candidates. seconds, nodes, depth: what both sides may use for a
    move. workers: how many games at a time. parameters: those of the game for which the settings are kept, all of them
    if nobody says. out: the file that keeps them, if not the one beside the rules. state: the file from which `resume`
    goes on. listener: told the tuning after every game. Ctrl-C ends it early, and nothing is kept.
    """
    if is_program(engine):
        raise Unsuitable(f"{engine} is a program with settings of its own; tune takes a method (see zermelo methods)")
    if workers < 1:
        raise Unsuitable(f"games need at least 1 worker, not {workers}")
    limits = Limits(nodes=nodes, seconds=seconds, depth=depth)
    usual = request(engine, game, "play")
    spans = read_spans(settings, usual)
    fixed = name_and_settings(engine)[1]
    for span in spans:
        if span.name in fixed:
            raise Unsuitable(f"{span.name} is set in {engine} and cannot be tuned too: leave out one of them")
    settable = candidates(spans, _number(number, games, how_many(spans, usual)), usual, seed)
    if not settable:
        raise Unsuitable(f"{engine} is set to all of {', '.join(map(str, spans))} already: name wider ranges")
    keeper = Path(out) if out is not None else place(game)
    what = (title(game), str(usual), [*map(str, spans)], len(settable), games, *limits, seed)
    results = Results(None if state is None else Path(state), repr(what), resume)
    tuner = _Tuner(game, usual, settable, games, limits, seed, workers, results, listener)
    try:
        tuner.run()
    except KeyboardInterrupt:
        return tuner.tuning("interrupt")
    found = tuner.tuning()
    if found.better:
        given = dict(game.parameters if parameters is None else parameters)
        kept = keep(_entry(game, engine, usual, found, given), game, keeper)
        found = replace(found, kept=kept)
    results.done()
    return found


class Plan(NamedTuple):
    """How many pairs of games each candidate that is left plays in every round, and how many the last match has."""

    rounds: tuple[int, ...]
    final: int


def plan(number: int, games: int) -> Plan:
    """How games are shared out among so many candidates; refused if they are too few."""
    if games < 2 or games % 2:
        raise Unsuitable(f"games are played in pairs, the sides swapped, so their number is even, not {games}")
    made = _shared_out(number, games // 2)
    if made is None:
        enough = next(pairs for pairs in range(games // 2, 10**9) if _shared_out(number, pairs))
        raise Unsuitable(
            f"{games} games are too few to compare {number} candidates: take at least {2 * enough}"
            + (", or fewer candidates" if number > 2 else "")
        )
    return made


def _shared_out(number: int, pairs: int) -> Plan | None:
    left = [number]
    while left[-1] > 1:
        left.append(half(left[-1]))
    final = max(pairs // 3, 1)
    each = [(pairs - final) // ((len(left) - 1) * many) for many in left[:-1]]
    if each and each[0] < LEAST_PAIRS:
        return None
    return Plan(tuple(each), pairs - sum(many * one for many, one in zip(left, each)))


def half(number: int) -> int:
    """How many go on."""
    return (number + 1) // 2


def _number(wanted: int | None, games: int, there_are: float) -> int:
    """How many candidates are tried."""
    if wanted is not None and wanted < 1:
        raise Unsuitable(f"at least 1 candidate is tried, not {wanted}")
    most = int(min(there_are, wanted or MOST))
    if wanted is None:
        fitting = [number for number in range(1, most + 1) if _shared_out(number, games // 2)]
        most = max([*fitting, min(most, 2)])
    plan(most, games)
    return most


class _Tuner:
    """Plays the rounds. Which candidates are left follows from the results, so that a tuning goes on from these."""

    def __init__(
        self, game: Game, usual: Request, settings: Sequence[Settings], games: int, limits: Limits, seed: int,
        workers: int, results: Results, listener: Watcher | None,
    ) -> None:  # fmt: skip
        self.game, self.usual, self.games, self.limits, self.seed = game, usual, games, limits, seed
        self.plan = plan(len(settings), games)
        self.workers, self.results, self.listener = workers, results, listener
        self.tried = [Tried(one) for one in settings]
        self.left = [*range(len(settings))]
        self.now: tuple[int, Schedule] | None = None  # the round that is played, whose games are not counted yet

    def run(self) -> None:
        for round_, pairs in enumerate(self.plan.rounds):
            self._play(round_, pairs)
            self.tried, self.now = self._counted(), None
            ranked = sorted(self.left, key=lambda one: self.tried[one].score, reverse=True)
            self.left = ranked[: half(len(ranked))]
        self._play(len(self.plan.rounds), self.plan.final)

    def _play(self, round_: int, pairs: int) -> None:
        """Play what is missing of a round, in which those who are left meet the engine as it was."""
        seed = Random(f"round {round_} of tuning {self.seed}").randrange(10**9)
        schedule = Schedule(1 + len(self.left), 2 * pairs, gauntlet=True, seed=seed)
        self.now = round_, schedule
        done = self.results.of(round_)
        if len(done) == schedule.total:
            return
        entrants = enter(self.game, [self.usual, *map(self._engine, self.left)], self.limits, NO_CLOCK)
        terms = Terms(self.game, entrants, schedule, NO_CLOCK, Customs())
        openings, _ = openings_of(self.game, None, None, seed)
        missing = (fixture for fixture in schedule.fixtures(openings) if fixture.number not in done)
        with closing(play_fixtures(terms, missing, self.workers)) as ended:
            for fixture, record in ended:
                points = points_of(self.game, record)
                blame = _blame(record)
                self.results.add(round_, fixture.number, Result(points if fixture.first else 1 - points, blame))
                if self.listener is not None:
                    self.listener(self.tuning())

    def _engine(self, candidate: int) -> Request:
        settings = self.tried[candidate].settings
        made = with_settings(self.usual, settings)
        return replace(made, spelled=(*made.spelled, *(name for name in settings if name not in made.spelled)))

    def _counted(self) -> list[Tried]:
        """The candidates, with what they have scored in the round that is played; the last match is none of those."""
        counted = [*self.tried]
        if self.now is None or self.now[0] == len(self.plan.rounds):
            return counted
        round_, schedule = self.now
        for number, result in self.results.of(round_).items():
            who = self.left[max(schedule.sides(number)) - 1]
            one = counted[who]
            counted[who] = one._replace(points=one.points + result.points, games=one.games + 1, rounds=round_ + 1)
        return counted

    def tuning(self, stopped: str | None = None) -> Tuning:
        """What is known so far."""
        tried = self._counted()
        order = sorted(range(len(tried)), key=lambda one: (one in self.left, tried[one].rounds, tried[one].score))
        return Tuning(
            engine=str(replace(self.usual, limits=self.usual.limits.within(self.limits))),
            tried=tuple(tried[one] for one in reversed(order)),
            games=len(self.results.games),
            planned=self.games,
            final={game: result.points for game, result in self.results.of(len(self.plan.rounds)).items()},
            forfeits=tuple(result.forfeit for _, result in sorted(self.results.games.items()) if result.forfeit),
            stopped=stopped,
        )



def _blame(record: Record) -> str:
    """Of a game that did not end by play, who was to blame for that."""
    ending = record.ending
    if ending is None or ending.why not in FORFEITS or ending.by is None:
        return ""
    return f"{record.players[ending.by]}: {ending.reason}"


def _entry(game: Game, engine: str, usual: Request, found: Tuning, parameters: dict[str, Any]) -> Entry:
    """What is kept: the engine as its text sets it, apart from budgets, and all that is tuned of it, before and now."""
    name, told = name_and_settings(engine)
    kinds = option_kinds(usual.method)
    plain = replace(usual, options=usual.method.options)
    fixed = {
        setting: value
        for setting, value in told.items()
        if setting in kinds and not with_settings(plain, {setting: value}).options.limited
    }
    before = {setting: getattr(usual.options, setting) for setting in usual.spelled if setting not in told}
    tuned = {setting: _plain(value) for setting, value in {**before, **found.best.settings}.items()}
    text = ", ".join(f"{setting}={value}" for setting, value in fixed.items())
    measured = f"{found.measured()} against {found.engine}"
    return Entry(game.name, parameters, f"{name}({text})" if text else name, tuned, measured)


def _plain(value: Any) -> Any:
    """A value as JSON has it; what it lacks is a text."""
    return value if isinstance(value, bool | int | float | str) else written(value)


def _signed(elo: float) -> str:
    return f"{elo:+.0f}" if math.isfinite(elo) else "+∞" if elo > 0 else "-∞"
