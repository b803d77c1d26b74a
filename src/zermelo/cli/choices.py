"""What commands have in common: their arguments, how those are read, and how a shell completes them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import leaving

if TYPE_CHECKING:
    from zermelo.core.request import Request
    from zermelo.knowledge.book import Book
    from zermelo.rules import Game, Position


class Side(StrEnum):
    """The players."""

    first = "first"
    second = "second"


def _games(incomplete: str) -> list[str]:
    from zermelo import games

    return [name for name in games.names() if name.startswith(incomplete)]


def methods(incomplete: str) -> list[str]:
    """The methods that a shell may complete a word to."""
    from zermelo.methods.registry import methods as known

    return [name for name in known() if name.startswith(incomplete)]


def _settings(context: typer.Context, incomplete: str) -> list[str]:
    """`width=` and so on, once the game is known."""
    from zermelo import games

    name = context.params.get("game") or next(iter(context.args), "")  # unread while --set lacks its value
    if name not in games.names():
        return []
    known = inspect.signature(games.factory(name)).parameters
    return [f"{parameter}=" for parameter in known if parameter.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A listed game, a file of yours, or openspiel:NAME.",
        autocompletion=_games,
        show_default=False,
    ),
]
MaybeGame = Annotated[
    str,
    typer.Argument(metavar="GAME", help="The game; a listed one, or a file of yours.", autocompletion=_games),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A parameter of the game; repeatable.",
        autocompletion=_settings,
    ),
]
Vary = Annotated[
    list[str],
    typer.Option(
        "--vary",
        metavar="NAME=VALUES",
        help="A parameter of the game and the values to try, such as width=4,5; may be repeated.",
        autocompletion=_settings,
    ),
]
PositionText = Annotated[
    str,
    typer.Option(
        "--position",
        metavar="TEXT",
        help="Where to begin: a notation, or the moves so far.",
        show_default=False,
    ),
]
MethodText = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="REQUEST",
        help="The search (see zermelo methods): mtdf, star2(depth=5).",
        autocompletion=methods,
    ),
]
With = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="NAME=VALUE", help="A setting of the search: table=off; repeatable."),
]
Depth = Annotated[int | None, typer.Option("--depth", metavar="N", help="Look at most N plies ahead.")]
Seconds = Annotated[float | None, typer.Option("--seconds", metavar="S", help="Stop after S seconds.")]
NodeCount = Annotated[int | None, typer.Option("--nodes", metavar="N", help="Stop after N positions.")]
Memory = Annotated[str | None, typer.Option("--memory", metavar="SIZE", help="Room for the table, such as 2GB.")]
Threads = Annotated[int | None, typer.Option("--threads", metavar="N", help="Threads that share one table.")]
RunMode = Annotated[
    str | None,
    typer.Option(
        "--mode",
        metavar="HOW",
        help="Run compiled or interpreted.",
        autocompletion=lambda incomplete: [m for m in ("compiled", "interpreted") if m.startswith(incomplete)],
    ),
]
Tables = Annotated[
    list[Path] | None,
    typer.Option("--table", metavar="DIR", help="Rest on an endgame table; repeatable."),
]
TableMemory = Annotated[
    str | None,
    typer.Option("--table-memory", metavar="SIZE", help="Room for the pages of a table; else 256MB."),
]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="Make what is random repeatable.")]
BookName = Annotated[
    Path | None, typer.Option("--book", metavar="FILE", help="Play by this opening book while it lasts.")
]
Variety = Annotated[
    float | None, typer.Option("--variety", metavar="P", help="Book moves may give up P of the range; else 0.02.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]

SHORT_FORMS = {
    "--engine": ("--method", ""),
    "--no-table": ("--with", "table=off"),
    "--no-knowledge": ("--with", "knowledge=off"),
    "--etc": ("--with", "etc=on"),
    "--iid": ("--with", "iid=on"),
    "--fail-hard": ("--with", "hard=on"),
    "--order": ("--with", "order="),
    "--cut": ("--with", "cut="),
    "--probes": ("--with", "probes="),
    "--attitude": ("--with", "attitude="),
    "--tolerance": ("--with", "tolerance="),
}
"""Switches that are only other words for a setting, and what they stand for."""


def spelled_out(arguments: Sequence[str]) -> list[str]:
    """The arguments with every short form in the words that it stands for."""
    words: list[str] = []
    left = list(arguments)
    while left:
        word = left.pop(0)
        name, equals, value = word.partition("=")
        if name == "--json" and left[:1] == ["lines"]:  # it always is, where there are several objects
            left.pop(0)
        if name not in SHORT_FORMS:
            words.append(word)
            continue
        option, stands_for = SHORT_FORMS[name]
        if stands_for and not stands_for.endswith("="):
            words += [option, stands_for]
        elif equals or left:
            words += [option, f"{stands_for}{value if equals else left.pop(0)}"]
        else:
            words.append(option)  # without its value: typer says so
    return words


def request_of(
    game: Game,
    purpose: str,
    method: str | None,
    more: Sequence[str] | None = None,
    *,
    claim: float | None = None,
    **settings: Any,
) -> Request:
    """The search that a person asks for by --method, --with and the options that have names of their own."""
    from zermelo.methods.requests import request

    told = {name: value for name, value in settings.items() if value is not None}
    for text in more or ():
        name, value = setting(text, "--with")
        told[name] = value
    return request(method, game, purpose, claim=claim, **told)


def position_of(
    spec: str,
    settings: Sequence[str] | None,
    text: str = "",
    tables: Sequence[Path] | None = None,
    memory: str | None = None,
) -> Position:
    """The position that a person describes by GAME, --set and --position; the game rests on what --table names."""
    return game_of(spec, settings, tables, memory).position(text)


def game_of(
    spec: str, settings: Sequence[str] | None, tables: Sequence[Path] | None = None, memory: str | None = None
) -> Game:
    """The game that a person describes by GAME and --set, resting on what --table names."""
    from zermelo import games

    game = games.load(spec, dict(map(setting, settings or ())))
    if not tables:
        return game
    from zermelo.knowledge.resting import MEMORY, with_tables

    resting = with_tables(game, tables, memory or MEMORY)
    if resting.rests_on is not None:
        leaving.callback(resting.rests_on.close)
    return resting


def book_of(game: Game, file: Path | None, variety: float | None) -> Book | None:
    """The book that a person names by --book and --variety."""
    if file is None:
        if variety is not None:
            from zermelo.rules.errors import Unsuitable

            raise Unsuitable("--variety is about the moves of a book: name it too, with --book FILE")
        return None
    from zermelo.knowledge.book import VARIETY, Book

    return Book(file, game, variety=VARIETY if variety is None else variety)


def setting(text: str, flag: str = "--set") -> tuple[str, str]:
    """`--set NAME=VALUE` as a name and a value."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        from zermelo.rules.errors import Unsuitable

        example = "width=5" if flag == "--set" else "max_chance=2"
        raise Unsuitable(f"{flag} takes NAME=VALUE, such as {flag} {example}, not {text!r}")
    return name.strip(), value.strip()
