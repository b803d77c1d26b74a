"""Meetings of two engines, cut into tasks that an experiment gathers: one task is a pair of games.

A pair is one of a match (`zermelo.play.match`): the same dice, the sides swapped, fresh engines in every game, ended
where a match ends it. Beside the points it tells what each engine took: moves, nodes, depths. All numbers come from the
seed if nodes are the budget; if seconds are, they depend on the machine as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.lab.experiment import Say, Settings
from zermelo.lab.gather import gather, is_table
from zermelo.lab.plot import Whisker
from zermelo.methods.requests import request
from zermelo.play.elo import elo_of, interval, score_of
from zermelo.play.ending import middle
from zermelo.play.openings import random_openings
from zermelo.play.player import Engine, engine
from zermelo.play.record import Record
from zermelo.play.referee import Customs, Judge
from zermelo.play.schedule import Fixture, Schedule
from zermelo.play.sitting import Sitting
from zermelo.rules import Game, Unsuitable

MEMORY = "64MB"
BUDGET: Mapping[str, Any] = {"seconds": 0.02, "nodes": 0, "mode": "compiled"}
"""Parameters of every experiment with meetings: what an engine may use for a move, nodes instead of seconds if they are
not 0, and how it runs."""


class Meeting(NamedTuple):
    """Two engines, by their texts, at a game with its parameters."""

    game: str
    parameters: Mapping[str, Any]
    one: str
    other: str


class Effort(NamedTuple):
    """What an engine took: in how many moves, how many nodes; the sum of the depths that it reached."""

    moves: int = 0
    nodes: int = 0
    depths: int = 0

    def __add__(self, more: tuple[int, ...]) -> Effort:  # type: ignore[override]
        return Effort(*(mine + theirs for mine, theirs in zip(self, more, strict=True)))

    @property
    def per_move(self) -> int:
        """Nodes a move."""
        return round(self.nodes / max(self.moves, 1))

    @property
    def depth(self) -> float | str:
        """The mean depth; nothing for a search that has none."""
        return round(self.depths / self.moves, 2) if self.depths else ""


class Outcome(NamedTuple):
    """How a meeting ended, for the first engine: its games and points, the pairs that brought 0, ½, 1, 1½ and 2 points,
    and what both took."""

    games: int
    points: float
    pentanomial: tuple[int, ...]
    efforts: tuple[Effort, Effort]

    @classmethod
    def of(cls, pairs: Iterable[Sequence[Sequence[float]]]) -> Outcome:
        """From what `play_pair` found."""
        points, counts, efforts = 0.0, [0] * 5, [Effort(), Effort()]
        for pair in pairs:
            won = sum(game[0] for game in pair)
            points += won
            counts[int(2 * won)] += 1
            for game in pair:
                for side, first in enumerate((1, 4)):
                    efforts[side] += tuple(int(number) for number in game[first : first + 3])
        return cls(2 * sum(counts), points, tuple(counts), (efforts[0], efforts[1]))

    @property
    def score(self) -> float:
        """The share of the points, in per cent."""
        return 100 * self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Between these Elo differences the true one lies with 95 %."""
        return interval(self.pentanomial)

    @property
    def cells(self) -> tuple[Any, ...]:
        """For a table: games, score, Elo and its interval."""
        return (self.games, round(self.score, 1), *(in_cell(elo) for elo in (elo_of(self.score / 100), *self.interval)))

    def whisker(self, name: str) -> Whisker:
        """For a plot: the score between the ends of its interval, in per cent."""
        low, high = (100 * score_of(elo) for elo in self.interval)
        return Whisker(name, low, self.score, high)


CELLS = ("games", "score, %", "Elo", "from", "to")
"""What `Outcome.cells` stand under."""


def in_cell(elo: float) -> float | str:
    """An Elo difference in a table: a number, or in words who won or lost everything."""
    return round(elo, 1) if abs(elo) < float("inf") else "+∞" if elo > 0 else "−∞"


def listed(text: str) -> list[str]:
    """What a parameter lists, with semicolons between."""
    return [part for part in (" ".join(part.split()) for part in text.split(";")) if part]


def budget_in_words(parameters: Mapping[str, Any]) -> str:
    """What an engine may use for a move."""
    return f"{parameters['nodes']:,} nodes" if parameters["nodes"] else f"{parameters['seconds']:g} s"


def play_meetings(settings: Settings, name: str, meetings: Sequence[Meeting], say: Say) -> list[Outcome]:
    """Play `samples` games of every meeting. What cannot be played is refused before anything is."""
    Schedule(2, settings.samples)
    told = settings.parameters
    limits = Limits(nodes=told["nodes"] or None, seconds=None if told["nodes"] else told["seconds"])
    for meeting in meetings:
        game = games.load(meeting.game, dict(meeting.parameters))
        for text in (meeting.one, meeting.other):
            request(text, game, "play", mode=told["mode"], memory=MEMORY)
    pairs = settings.samples // 2
    tasks = [
        (meeting.game, dict(meeting.parameters), meeting.one, meeting.other, *limits, told["mode"], settings.seed, pair)
        for pair in range(pairs)
        for meeting in meetings
    ]
    found = gather(settings, name, tasks, play_pair, say, _fits)
    return [Outcome.of(found[number :: len(meetings)]) for number in range(len(meetings))]


def play_pair(task: Sequence[Any]) -> list[list[float]]:
    """Both games of a pair: the first engine's points, then the moves, nodes and depths of each engine."""
    name, parameters, one, other, *limits, mode, seed, pair = task
    game = _game(name, tuple(parameters.items()))
    schedule = Schedule(2, None, seed=seed)
    fixtures = islice(schedule.fixtures(random_openings(game, 0, seed)), 2 * pair, 2 * pair + 2)
    return [_play(game, (one, other), Limits(*limits), mode, schedule, fixture) for fixture in fixtures]


@cache
def _game(name: str, parameters: tuple[tuple[str, Any], ...]) -> Game:
    """The same object for all pairs of a process, for what is compiled belongs to it."""
    return games.load(name, dict(parameters))


def _play(
    game: Game, texts: tuple[str, str], limits: Limits, mode: str, schedule: Schedule, fixture: Fixture
) -> list[float]:
    """One game between engines that are opened for it."""
    with ExitStack() as stack:
        players: dict[int, Engine] = {}
        for side, who in enumerate((fixture.first, fixture.second)):
            seed = schedule.seed_of(fixture, side)
            player = stack.enter_context(engine(texts[who], game, seed=seed, limits=limits, mode=mode, memory=MEMORY))
            assert isinstance(player, Engine)
            player.session.prepare("search")  # no move is to pay for the compiler
            players[who] = player
        return play_fixture(game, (players[0], players[1]), fixture)


def play_fixture(game: Game, engines: tuple[Engine, Engine], fixture: Fixture) -> list[float]:
    """One game: the first engine's points, then the moves, nodes and depths of each. An engine that fails ends the
    experiment: its games would measure nothing."""
    seats = (fixture.first, fixture.second)
    efforts = [Effort(), Effort()]
    judge = Judge(game, Customs())
    players = [engines[who] for who in seats]
    sitting = Sitting(Record.begin(fixture.opening.position(game), seed=fixture.seed), *players)
    steps = sitting.plies()
    while True:
        verdict = judge.verdict(sitting.position, len(sitting.record.notes))
        if verdict is not None:
            sitting.end(verdict)
        ply = next(steps, None)
        if ply is None:
            break
        if ply.answer is not None:
            answer = ply.answer
            efforts[seats[ply.by]] += (1, answer.nodes + answer.extra_nodes, answer.depth or 0)
    ending = sitting.ending
    assert ending is not None
    if sitting.error is not None:
        names = " and ".join(player.name for player in engines)
        raise Unsuitable(f"{names} cannot meet at {game.name}: {ending.reason}") from sitting.error
    even = middle(game)
    score = even if ending.score is None else ending.score
    points = 0.5 + ((score > even) - (score < even)) / 2
    return [points if fixture.first == 0 else 1 - points, *efforts[0], *efforts[1]]


def _fits(task: Sequence[Any], result: Any) -> bool:
    return is_table(result, 2, 7) and all(game[0] in (0, 0.5, 1) for game in result)
