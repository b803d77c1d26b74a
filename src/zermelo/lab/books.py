"""What a book is worth, and how it should grow: drop-out against best-first expansion.

T. R. Lincke, "Strategies for the automatic construction of opening books" (Computers and Games 2000), grew books for
Awari by both: a book that follows only best play is left by the opponent's first other move. Here a strong search grows
one book by each policy, with equal numbers of positions searched, and a weak search plays by it against itself without.
How often the opponent's moves stay in the book, how long the book lasts, and what it brings in points and saves in
nodes is in the table. The row without a book is the weak search against itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.knowledge.book import Book
from zermelo.knowledge.book_growing import BEST_FIRST, DROP_OUT, grow_book
from zermelo.knowledge.book_search import Budget
from zermelo.lab.experiment import Experiment, Result, Say, Settings, Table
from zermelo.lab.gather import Interrupted, gather, is_table
from zermelo.lab.meetings import CELLS, MEMORY, Outcome
from zermelo.lab.plot import whiskers
from zermelo.methods.requests import request
from zermelo.play.ending import middle
from zermelo.play.openings import random_openings
from zermelo.play.player import engine
from zermelo.play.record import Record
from zermelo.play.schedule import Fixture, Schedule
from zermelo.play.sitting import Sitting
from zermelo.rules import Game, Unsuitable

NONE = "none"
POLICIES = (NONE, BEST_FIRST, DROP_OUT)
HEAD = (
    "book", *CELLS, "opponent's moves that stay in it, %", "book moves a game", "nodes a move at first",
)  # fmt: skip


def run(settings: Settings, say: Say) -> Result:
    told = settings.parameters
    Schedule(2, settings.samples)
    Budget(told["positions"])
    game = _game(told["game"], told["board"])
    for name in ("engine", "grower"):
        request(told[name], game, "search", mode=told["mode"], memory=MEMORY)
    growing = [
        (told["game"], told["board"], policy, told["omega"], told["positions"], told["grower"], told["mode"])
        for policy in POLICIES[1:]
    ]
    settings.folder.mkdir(parents=True, exist_ok=True)
    of = {NONE: ""} | {task[2]: str(_grown(settings, task, say)) for task in growing}
    pairs = settings.samples // 2
    tasks = [
        (told["game"], told["board"], of[policy], told["engine"], told["first"], told["mode"], settings.seed, pair)
        for policy in POLICIES
        for pair in range(pairs)
    ]
    found = gather(settings, EXPERIMENT.name, tasks, play_pair, say, lambda task, pair: is_table(pair, 2, 6))
    outcomes = [found[number * pairs : (number + 1) * pairs] for number in range(len(POLICIES))]
    rows = [(policy, *_row(outcome)) for policy, outcome in zip(POLICIES, outcomes)]
    words = [
        f"{game.summary}: books of {told['positions']} positions, each searched by {told['grower']}; {told['engine']} "
        f"with each of them against itself without, {settings.samples} games each, seed {settings.seed}; Elo with its "
        f"95 % interval; nodes in the first {told['first']} plies of a game.",
    ]
    marks = [_points(outcome).whisker(policy) for policy, outcome in zip(POLICIES, outcomes)]
    plot = whiskers("Books by policy", f"% of the points against {told['engine']} without a book", marks, 50, 100)
    return Result(Table(HEAD, rows), plot, words)


def _board(text: str) -> dict[str, str]:
    """What `width=5, height=4` sets."""
    parts = [part.partition("=") for part in text.split(",") if part.strip()]
    return {name.strip(): value.strip() for name, _, value in parts}


def _grown(settings: Settings, task: Sequence[Any], say: Say) -> Path:
    """The file of a book, which takes its name when it has grown. One of the same settings need not grow again."""
    name, board, policy, omega, positions, grower, mode = task
    told = hashlib.sha256(json.dumps(task).encode()).hexdigest()[:8]
    file = settings.folder / f"{EXPERIMENT.name}-{policy}-{told}.book"
    part = file.with_suffix(".part")
    if settings.fresh:
        file.unlink(missing_ok=True)
        part.unlink(missing_ok=True)
    if file.exists():
        return file
    game = _game(name, board)
    with Book(part, game, write=True) if part.exists() else Book.create(part, game) as book:
        left = positions - len(book)
        if left > 0:
            say(f"{EXPERIMENT.name}: growing a book by {policy}")
            made = request(grower, game, "search", mode=mode, memory=MEMORY)
            grown = grow_book(book, made, policy=policy, omega=omega, positions=left)
            if grown.stopped == "interrupt":
                raise Interrupted(f"interrupted with {len(book)} positions in {part}: the same command goes on")
    part.rename(file)
    return file


@cache
def _game(name: str, board: str) -> Game:
    """The same object for all pairs of a process, for what is compiled belongs to it."""
    return games.load(name, _board(board))


def play_pair(task: Sequence[Any]) -> list[list[float]]:
    """Both games of a pair: the points of who has the book; the opponent's moves at positions of the book and those of
    them that stayed in it; moves by the book; moves and nodes of the same player in the first plies."""
    name, board, file, text, first, mode, seed, pair = task
    game = _game(name, board)
    schedule = Schedule(2, None, seed=seed)
    fixtures = islice(schedule.fixtures(random_openings(game, 0, seed)), 2 * pair, 2 * pair + 2)
    with ExitStack() as stack:
        book = stack.enter_context(Book(file, game)) if file else None
        return [_play(game, book, text, first, mode, schedule, fixture) for fixture in fixtures]


def _play(
    game: Game, book: Book | None, text: str, first: int, mode: str, schedule: Schedule, fixture: Fixture
) -> list[float]:
    """One game; the first player of the schedule has the book."""
    ours = 0 if fixture.first == 0 else 1
    asked = stayed = by_book = moves = nodes = 0
    inside, answered = book is not None, True
    with ExitStack() as stack:
        players = [
            stack.enter_context(engine(
                text, game, seed=schedule.seed_of(fixture, side), limits=Limits(), mode=mode, memory=MEMORY,
                book=book if side == ours else None,
            ))
            for side in (0, 1)
        ]  # fmt: skip
        sitting = Sitting(Record.begin(game.position(), seed=fixture.seed), *players)
        for number, ply in enumerate(sitting.plies()):
            if ply.by != ours or ply.answer is None:
                answered = answered and ply.by != 1 - ours
                continue
            known = ply.answer.method == "book"
            if inside and not answered:
                asked, stayed = asked + 1, stayed + known
            inside, answered = inside and known, True
            by_book += known
            if number < first:
                moves, nodes = moves + 1, nodes + ply.answer.nodes + ply.answer.extra_nodes
    ending = sitting.ending
    assert ending is not None
    if sitting.error is not None:
        raise Unsuitable(f"{text} cannot play {game.name}: {ending.reason}") from sitting.error
    score = middle(game) if ending.score is None else ending.score
    points = 0.5 + ((score > middle(game)) - (score < middle(game))) / 2
    return [points if ours == 0 else 1 - points, asked, stayed, by_book, moves, nodes]


def _points(pairs: Sequence[Sequence[Sequence[float]]]) -> Outcome:
    return Outcome.of([[[game[0], 0, 0, 0, 0, 0, 0] for game in pair] for pair in pairs])


def _row(pairs: Sequence[Sequence[Sequence[float]]]) -> tuple[Any, ...]:
    played = [game for pair in pairs for game in pair]
    _, asked, stayed, by_book, moves, nodes = (sum(column) for column in zip(*played, strict=True))
    share = round(100 * stayed / asked, 1) if asked else ""
    return (*_points(pairs).cells, share, round(by_book / len(played), 2), round(nodes / max(moves, 1)))


EXPERIMENT = Experiment(
    name="books",
    summary="what an opening book brings, grown by drop-out and by best-first expansion",
    source="Lincke 2000",
    samples=100,
    run=run,
    parameters={
        "game": "connect-four", "board": "", "positions": 300, "omega": 20.0, "grower": "mcts(playouts=5000)",
        "engine": "mcts(playouts=300)", "first": 10, "mode": "compiled",
    },
)  # fmt: skip
