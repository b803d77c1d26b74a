"""Matches: engines against each other, often enough to tell who is stronger.

    match(game, ["alphabeta(depth=3)", "random"], games=20).score

A match of two ends after so many games, or when a sequential test has decided; more engines meet each other in a round
robin, or the first one meets all others in a gauntlet. Kept in a file, a match goes on where it was left.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import astuple, replace
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.compile.modes import mode_name
from zermelo.compile.watch import Limits
from zermelo.core.request import Request
from zermelo.methods.registry import method_named
from zermelo.methods.requests import request
from zermelo.methods.settings import name_and_settings
from zermelo.play.archive import Archive
from zermelo.play.clock import NO_CLOCK, Clock
from zermelo.play.crew import Entrant, Terms, play_fixtures
from zermelo.play.elo import Sprt
from zermelo.play.openings import Opening, list_openings, random_openings, read_openings
from zermelo.play.player import Engine, Player, engine
from zermelo.play.programs import is_program
from zermelo.play.record import Record, title
from zermelo.play.referee import Customs
from zermelo.play.schedule import Schedule
from zermelo.play.standing import Standing, Tally
from zermelo.rules import Game, Unsuitable

if TYPE_CHECKING:
    from zermelo.knowledge.book import Book

GAMES = 100
"""How many games any two play if nobody says."""
USUAL_PLIES = 2
"""How many random plies begin a game without dice if nobody says: engines that know no luck would else repeat it."""

Watcher = Callable[[Standing], None]
Spectator = Callable[[int, Record], None]
Who = str | Request | Player | Callable[[], Player]
"""Who takes part: an engine by its text or request, a player, or what makes one for each game."""


def match(
    game: Game,
    engines: Sequence[Who],
    *,
    games: int | None = None,
    sprt: tuple[float, float] | None = None,
    openings: str | Path | Sequence[str] | None = None,
    random_plies: int | None = None,
    clock: Clock | str | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    seed: int = 0,
    gauntlet: bool = False,
    adjudicate: bool | None = None,
    max_plies: int | None = None,
    patience: float | None = None,
    book: Book | None = None,
    book_for: int | None = None,
    workers: int = 1,
    record: str | Path | None = None,
    resume: bool = False,
    listener: Watcher | None = None,
    spectator: Spectator | None = None,
) -> Standing:
    """Play a match, and tell how it ended.

    engines: texts, requests, players, or functions without arguments that make a player for each game. games: between
    any two who meet, an even number. sprt: two Elo differences; the match of two ends when the results speak for one of
    them, or after `games` if that is given too. openings: a file, or texts of positions; else every game begins with so
    many random plies. clock: for all; seconds, nodes, depth: what engines may use for a move, beside their own limits.
    adjudicate: None ends games that the rules decide, True also those that a solver proves, False none. max_plies:
    longer games are draws. patience: the seconds that a player may be silent beyond its time before it is ended.
    book: what engines, but not players and programs, play by as long as it lasts; book_for: the number of the only one
    that does, from 1 on.
    workers: how many games at a time. record: the file where games are kept; with `resume` those in it are not played
    again. listener: told the standing after every game. spectator: shown every game that was played, with its number
    from 1 on. Ctrl-C ends the match early, and so does a disk that is full:
    the standing says so.
    """
    timed = Clock.read(clock) if isinstance(clock, str) else clock or NO_CLOCK
    limits = Limits(nodes=nodes, seconds=seconds, depth=depth)
    if workers < 1:
        raise Unsuitable(f"a match needs at least 1 worker, not {workers}")
    if patience is not None and not patience > 0:
        raise Unsuitable(f"patience is a time above 0, not {patience:g} seconds")
    if resume and record is None:
        raise Unsuitable("a match is resumed from its file of games: name it too, with --record FILE")
    if games is None and sprt is None:
        games = GAMES
    schedule = Schedule(len(engines), games, gauntlet, seed)
    test = None if sprt is None else Sprt(*sprt)
    if test is not None and len(engines) != 2:
        raise Unsuitable(f"a test is between two engines, not {len(engines)}: leave out --sprt, or the others")
    beginnings, begin_how = openings_of(game, openings, random_plies, seed)
    if book is not None or book_for is not None:
        engines = _with_book(game, engines, book, book_for)
    entrants = enter(game, engines, limits, timed)
    labels = tuple(entrant.label for entrant in entrants)
    customs = Customs(adjudicate, max_plies)
    terms = Terms(game, entrants, schedule, timed, customs, patience)
    tally = Tally(game, labels, schedule, test)
    with ExitStack() as stack:
        archive = None
        if record is not None:
            by = () if book is None else (book.edition, book.variety)
            what = (title(game), labels, str(timed), *limits, seed, gauntlet, begin_how, astuple(customs), *by)
            name = hashlib.sha256(repr(what).encode()).hexdigest()[:12]
            archive = stack.enter_context(closing(Archive(record, game, name, resume, tally.add)))
            if archive.word:
                warnings.warn(archive.word, stacklevel=2)
        return _played(terms, tally, archive, beginnings, workers, listener, spectator)


def _played(
    terms: Terms,
    tally: Tally,
    archive: Archive | None,
    beginnings: Iterator[Opening],
    workers: int,
    listener: Watcher | None,
    spectator: Spectator | None,
) -> Standing:
    """The games that are still missing, until the match has ended or has to be left."""
    done = set() if archive is None else archive.done
    missing = (fixture for fixture in terms.schedule.fixtures(beginnings) if fixture.number not in done)
    standing = tally.standing()
    try:
        if standing.accepted is not None:
            return standing
        with closing(play_fixtures(terms, missing, workers)) as ended:
            for fixture, played in ended:
                if archive is not None:
                    try:
                        archive.add(fixture.number, played)
                    except Unsuitable as full:
                        return tally.standing(str(full))
                tally.add(fixture.number, played)
                standing = tally.standing()
                if spectator is not None:
                    spectator(fixture.number + 1, played)
                if listener is not None:
                    listener(standing)
                if standing.accepted is not None:
                    break
    except KeyboardInterrupt:
        return tally.standing("interrupt")
    return standing


def openings_of(
    game: Game, openings: str | Path | Sequence[str] | None, plies: int | None, seed: int
) -> tuple[Iterator[Opening], object]:
    """The openings, one for each round without end, and what tells them from others."""
    if openings is not None and plies is not None:
        raise Unsuitable("games begin with openings from a file or with random plies, not with both")
    if openings is not None:
        listed = isinstance(openings, str | Path)
        found = read_openings(openings, game) if listed else list_openings(openings, game)  # type: ignore[arg-type]
        return cycle(found), tuple(found)
    if plies is None:
        plies = 0 if game.has_chance else _longest_usual(game, seed)
    begun = random_openings(game, plies, seed)
    first = next(begun)  # now, for what cannot be is said before anything is played
    return _chained(first, begun), plies


def _chained(first: Opening, rest: Iterator[Opening]) -> Iterator[Opening]:
    yield first
    yield from rest


def _longest_usual(game: Game, seed: int) -> int:
    """The usual number of random plies, or fewer where the game would be over."""
    for plies in range(USUAL_PLIES, 0, -1):
        try:
            next(random_openings(game, plies, seed))
            return plies
        except Unsuitable:
            continue
    return 0


def _with_book(game: Game, engines: Sequence[Who], book: Book | None, number: int | None) -> list[Who]:
    """The engines, those that play by a book as requests that know it: the one with a number, or all searches."""
    if book is None:
        raise Unsuitable(f"engine {number} is to play by a book, but no book is given: name it too, with --book FILE")
    if number is not None and not 1 <= number <= len(engines):
        raise Unsuitable(f"there are {len(engines)} engines, so the book cannot be for number {number}")
    made: list[Who] = []
    for place, who in enumerate(engines, 1):
        search = isinstance(who, Request) or (isinstance(who, str) and not is_program(who))
        if number == place and not search:
            raise Unsuitable(f"engine {place} is a program of its own, which takes no book from here")
        by_book = search and number in (None, place)
        made.append(request(who, game, "play", book=book) if by_book else who)  # type: ignore[arg-type]
    return made


def enter(game: Game, engines: Sequence[Who], limits: Limits, clock: Clock) -> tuple[Entrant, ...]:
    """Who takes part. Those that cannot play the game are refused, and what thinks by the clock is compiled, once for
    all workers, before anything is played. Namesakes are told apart by a number."""
    entrants: list[Entrant] = []
    for who in engines:
        made = _entrant(game, who, limits, clock)
        same = sum(entrant.label.partition(" #")[0] == made.label for entrant in entrants)
        entrants.append(made._replace(label=f"{made.label} #{same + 1}") if same else made)
    return tuple(entrants)


def _entrant(game: Game, who: Who, limits: Limits, clock: Clock) -> Entrant:
    if isinstance(who, Player):
        return Entrant(who.name, lambda seed: who, lasting=True)
    if callable(who):
        own = getattr(who, "name", Player.name)
        return Entrant(own if own != Player.name else who.__name__, lambda seed: who())
    label = " ".join(who.split()) if isinstance(who, str) else str(who)
    if isinstance(who, Request) and who.book is not None:
        label += f" with {who.book}"
    if _learns(who):
        lasting = engine(who, game, limits=limits, seed=0)  # what it learns lasts, in each process by itself
        return Entrant(label, lambda seed: lasting, lasting=True)
    with engine(who, game, limits=limits) as tried:
        made = _ready(tried, clock) if isinstance(tried, Engine) else who
        own = tried.request.limits if isinstance(tried, Engine) else getattr(tried, "limits", limits)
    return Entrant(label, lambda seed: engine(made, game, seed=seed, limits=limits), own.seconds)


def _learns(who: str | Request) -> bool:
    """Whether an engine's games are better for those before."""
    if isinstance(who, Request):
        return who.method.learns
    return not is_program(who) and method_named(name_and_settings(who)[0]).learns


def _ready(tried: Engine, clock: Clock) -> Request:
    """What an engine is opened with. One that thinks by the clock is compiled here, and runs compiled from its first
    move on, as no time is to be lost with the interpreter."""
    made, own = tried.request, tried.request.limits
    timed = clock.timed or own.seconds is not None or not own.any  # without limits a second is usual
    if not timed or made.method.plays:
        return made
    made = made if made.mode else replace(made, mode=mode_name(tried.game))
    with made.open(tried.game) as session:
        session.prepare("search")
    return made
