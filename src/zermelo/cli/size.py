"""The command that tells how large a game is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c
from zermelo.cli.live import LiveLine

if TYPE_CHECKING:
    from zermelo.cli.show import Row
    from zermelo.knowledge.size import Outlook, Size

ENDLESS = "more than a year"
_UNITS = ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes"))
_WORDS = ((1e9, "billion"), (1e6, "million"), (1e3, "thousand"))


def size(
    game: c.GameName,
    settings: c.Settings = None,
    position: c.PositionText = "",
    seconds: Annotated[float, typer.Option("--seconds", metavar="S", help="How long to count and to try.")] = 5.0,
    memory: Annotated[
        str | None, typer.Option("--memory", metavar="SIZE", help="Room for all positions, such as 2GB.")
    ] = None,
    mode: c.RunMode = None,
    seed: c.Seed = None,
    json: c.Json = False,
) -> None:
    """Tell how large a game is, and what it would take to solve it.

    What cannot be counted within the time is estimated, with its error.
    """
    from zermelo.cli.show import print_json
    from zermelo.knowledge.size import size as measure

    start = c.position_of(game, settings, position)
    with LiveLine(not json) as line:
        line.say(f"playing {start.game.name} at random")
        told = measure(start, seconds=seconds, memory=memory, mode=mode, seed=seed, listener=line.listener)
    if json:
        print_json(told.as_dict())
    else:
        _print(told)
    if told.stopped is not None:
        raise typer.Exit(INTERRUPTED)


def _print(told: Size) -> None:
    from zermelo.cli.show import Row, print_rows

    print(told.position.game.summary)
    print()
    rows = list(_rows(told))
    if told.stopped is not None:
        rows.append(Row("stopped", "by Ctrl-C: this is what was known by then"))
    print_rows(rows)


def _rows(told: Size) -> Iterator[Row]:
    from zermelo.cli.show import Row, counted

    game, play = told.position.game, told.play
    yield Row("positions", positions_in_words(told), "bold")
    yield Row("games", _games(told))
    if play is not None:
        by = f"in {counted(play.games, 'random game')}"
        yield Row("moves", f"{play.moves:.1f} a position on average, {play.most_moves} at the most {by}")
        bound = "" if told.goes_round else f", none can be longer than {game.max_plies:,}"
        if told.games is not None and told.games.longest is not None:
            bound = f", the longest of all takes {told.games.longest:,}"
        cut = _unfinished(told, play.unfinished) if play.unfinished else ""
        yield Row("plies", f"{play.plies:.1f} ± {play.plies_error:.1f} on average, {play.longest:,} the longest "
                           f"{by}{cut}{bound}")  # fmt: skip
        shares = f"{play.over:.0%} of the positions met there are over"
        yield Row("decided", shares + (f", {play.decided:.0%} decided before by bounds" if game.bounds else ""))
    for outlook in told.outlooks:
        yield Row(outlook.task, _outlook(outlook))


def _unfinished(told: Size, count: int) -> str:
    """That games were broken off, and where."""
    from zermelo.knowledge.size_play import LONGEST

    were = f"{count:,} {'was' if count == 1 else 'were'}"
    if told.position.game.horizon is not None:
        return f"; {were} broken off at the horizon"
    return f"; {were} given up after {LONGEST:,} plies"


def positions_in_words(told: Size) -> str:
    """How many there are, and how well that is known."""
    found = told.positions
    if found.exact:
        return f"{found.count:,}, counted"
    if found.count is not None:
        return f"about {number(found.count)}; between {number(found.low)} and {number(found.high)} (95 %)"
    most = f", at most {number(found.high)}, the nodes of the game tree" if math.isfinite(found.high) else ""
    return f"at least {number(found.low)}{most}: {found.why}"


def _games(told: Size) -> str:
    games = told.games
    if games is None:
        return "not counted: play can go round" if told.goes_round else "not known: there was no time to count them"
    if games.count is not None:
        return f"{games.count:,}, counted"
    low, high = power(games.low), power(games.high)
    return f"about {power(games.log10)}" + (f"; between {low} and {high} (95 %)" if low != high else "")


def _outlook(outlook: Outlook) -> str:
    method = f"{outlook.method}: " if outlook.method else ""
    note = f"; {outlook.note}" if outlook.note else ""
    if outlook.low is None:
        return f"{method}{outlook.note}"
    memory = "" if outlook.bytes is None else memory_in_words(outlook.bytes)
    if outlook.seconds is None:
        least = duration(outlook.low)
        return f"{method}{'' if least == ENDLESS else 'at least '}{least} and {memory}{note}"
    low, likely, high = (duration(seconds or 0.0) for seconds in (outlook.low, outlook.seconds, outlook.high))
    if low == high:
        return f"{method}{likely}, {memory}{note}"
    if likely == ENDLESS:
        return f"{method}{likely}, {memory}; {low} at the least{note}"
    span = f"from {low} to {high}" if high == ENDLESS else f"between {low} and {high}"
    return f"{method}about {likely}, {memory}; {span}{note}"


def memory_in_words(bytes_: float) -> str:
    from zermelo.cli.show import size as small

    return small(round(bytes_)) if bytes_ < 2**40 else f"{number(bytes_ / 2**40)} TB"


def number(value: float) -> str:
    """A large number in two digits: 560, 12 thousand, 4.6 billion, 3.4 × 10^14."""
    if value >= 1e12:
        return power(math.log10(value))
    for scale, word in _WORDS:
        if value >= scale:
            return f"{float(f'{value / scale:.2g}'):g} {word}"
    return f"{value:.0f}"


def power(log10: float) -> str:
    """A number by its decimal logarithm."""
    if log10 < 12:
        return number(10**log10)
    digits = f"{10 ** (log10 % 1):.1f}"
    return f"{digits} × 10^{int(log10)}" if digits != "10.0" else f"1.0 × 10^{int(log10) + 1}"


def duration(seconds: float) -> str:
    """So many seconds, in the unit that suits them."""
    from zermelo.knowledge.size import YEAR

    if seconds > YEAR:
        return ENDLESS
    for scale, word in _UNITS:
        if seconds >= 2 * scale:
            return f"{seconds / scale:.0f} {word}"
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.2g} s"
