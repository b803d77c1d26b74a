"""What commands have in common: their arguments, how those are read, and how a shell completes them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from zermelo.core.method import Options
    from zermelo.rules import Game, Position


class Mode(StrEnum):
    """How kernels run."""

    compiled = "compiled"
    interpreted = "interpreted"


class Side(StrEnum):
    """The players."""

    first = "first"
    second = "second"


def _games(incomplete: str) -> list[str]:
    from zermelo import games

    return [name for name in games.names() if name.startswith(incomplete)]


def _methods(incomplete: str) -> list[str]:
    from zermelo.core.method import methods

    return [name for name in methods() if name.startswith(incomplete)]


def _engines(incomplete: str) -> list[str]:
    from zermelo.methods.searching import engines

    return [name for name in engines() if name.startswith(incomplete)]


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
        help="A listed game (see zermelo games), your own as nim.py, nim.py:factory or module:factory, a graph file "
        "(.json), or openspiel:NAME.",
        autocompletion=_games,
        show_default=False,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A parameter of the game; may be repeated.",
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
        help="Where to begin: the game's notation or the moves played so far.",
        show_default=False,
    ),
]
MethodName = Annotated[
    str | None,
    typer.Option("--method", metavar="NAME", help="How to solve (see zermelo methods).", autocompletion=_methods),
]
EngineName = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="How to search (see zermelo methods), or random.",
        autocompletion=_engines,
    ),
]
Depth = Annotated[int | None, typer.Option("--depth", metavar="N", help="Look at most N plies ahead.")]
Seconds = Annotated[float | None, typer.Option("--seconds", metavar="S", help="Stop after S seconds.")]
NodeCount = Annotated[int | None, typer.Option("--nodes", metavar="N", help="Stop after N positions.")]
Memory = Annotated[
    str | None, typer.Option("--memory", metavar="SIZE", help="Room for the table, such as 512MB or 2GB.")
]
Threads = Annotated[int, typer.Option("--threads", metavar="N", help="Threads that share one table.")]
RunMode = Annotated[Mode | None, typer.Option("--mode", help="Run as machine code or as Python.")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="Make what is random repeatable.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]

Order = Annotated[
    str | None,
    typer.Option(
        "--order",
        metavar="LIST",
        help="What orders moves: any of hash,killers,order,history,cut, or none for the rules' own order.",
    ),
]
Cut = Annotated[
    str | None,
    typer.Option(
        "--cut",
        metavar="WEIGHTS",
        help="Order moves by fastest-cut-first with these weights, such as form=share,size=2.",
    ),
]
NoTable = Annotated[bool, typer.Option("--no-table", help="Remember no positions.")]
NoKnowledge = Annotated[bool, typer.Option("--no-knowledge", help="Ignore what the game's hooks prove.")]
Etc = Annotated[bool, typer.Option("--etc", help="Enhanced transposition cut-offs.")]
Iid = Annotated[bool, typer.Option("--iid", help="Internal iterative deepening.")]
FailHard = Annotated[bool, typer.Option("--fail-hard", help="Alpha-beta returns nothing outside its window.")]
Probes = Annotated[
    str | None,
    typer.Option(
        "--probes", metavar="H", help="How many moves Star2 probes below an outcome; a list such as 3,2,1 for each."
    ),
]
Attitude = Annotated[
    str | None,
    typer.Option(
        "--attitude",
        metavar="NAME",
        help="How to choose among moves with chance: expected, hope, safe or random.",
    ),
]
Tolerance = Annotated[
    float | None,
    typer.Option("--tolerance", metavar="T", help="How far below the best expected value an attitude may go."),
]
With = Annotated[
    list[str] | None,
    typer.Option(
        "--with", metavar="NAME=VALUE", help="Any other option of the method, such as max_chance=2; may be repeated."
    ),
]


def position_of(spec: str, settings: Sequence[str] | None, text: str = "") -> Position:
    """The position that a person describes by GAME, --set and --position."""
    return game_of(spec, settings).position(text)


def game_of(spec: str, settings: Sequence[str] | None) -> Game:
    """The game that a person describes by GAME and --set."""
    from zermelo import games

    return games.load(spec, dict(map(setting, settings or ())))


def setting(text: str, flag: str = "--set") -> tuple[str, str]:
    """`--set NAME=VALUE` as a name and a value."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        from zermelo.rules.errors import Unsuitable

        example = "width=5" if flag == "--set" else "max_chance=2"
        raise Unsuitable(f"{flag} takes NAME=VALUE, such as {flag} {example}, not {text!r}")
    return name.strip(), value.strip()


def known_engine(name: str | None, game: Game) -> str:
    """The engine that will play; a name that no engine has is refused."""
    from zermelo.methods.searching import default_engine, engines
    from zermelo.rules.errors import UnknownName, nearest

    if name is not None and name not in engines():
        raise UnknownName(f"no engine is called {name}: {nearest(name, engines())}")
    return name or default_engine(game)[0]


def switches(
    order: str | None, cut: str | None, no_table: bool, no_knowledge: bool, etc: bool, iid: bool, fail_hard: bool
) -> dict[str, Any]:
    """The fields of Options that a person chose to change."""
    changes: dict[str, Any] = {}
    if cut is not None:
        from zermelo.core.fastest_cut import read_cut

        changes["cut"] = read_cut(cut)
    if order is not None:
        changes["order"] = () if order == "none" else tuple(word.strip() for word in order.split(","))
    if no_table:
        changes["table"] = False
    if no_knowledge:
        changes["knowledge"] = False
    return changes | {name: True for name, on in (("etc", etc), ("iid", iid), ("hard", fail_hard)) if on}


def chance_switches(
    probes: str | None, attitude: str | None, tolerance: float | None, more: Sequence[str] | None
) -> dict[str, Any]:
    """The fields of a method's own options that a person chose to change, as texts where they were typed so."""
    named = {"probes": probes, "attitude": attitude, "tolerance": tolerance}
    return dict(setting(text, "--with") for text in more or ()) | {n: v for n, v in named.items() if v is not None}


def _typed(method: str, options: Options, name: str, value: Any) -> Any:
    """A changed option as the type that it has."""
    from typing import get_type_hints

    from zermelo.rules.errors import UnknownName, Unsuitable, nearest

    kinds = get_type_hints(type(options))
    if name not in kinds:
        raise UnknownName(f"{method} has no option {name}: {nearest(name, kinds)}")
    kind = str(kinds[name])
    if not isinstance(value, str):
        return value
    try:
        if "tuple[int" in kind:
            return tuple(int(word) for word in value.split(","))
        if "tuple[str" in kind:
            return () if value == "none" else tuple(word.strip() for word in value.split(","))
        if "bool" in kind:
            return {"on": True, "off": False}[value.lower()]
        if "int" in kind:
            return int(value)
        return float(value) if "float" in kind else value
    except (KeyError, ValueError):
        wanted = "on or off" if "bool" in kind else "a number" if "tuple" not in kind else "numbers such as 3,2,1"
        raise Unsuitable(f"the option {name} takes {wanted}, not {value!r}") from None


@dataclass(frozen=True)
class Plan:
    """How a search will be built. `options` is None where nothing was changed."""

    method: str
    options: Options | None
    compiled: bool
    memory: str | int
    table: bool

    @classmethod
    def make(cls, game: Game, method: str, changes: dict[str, Any], mode: Mode | None, memory: str | None) -> Plan:
        """The options that a search would choose by itself, with the changes."""
        from dataclasses import replace

        from zermelo.core.memory import DEFAULT
        from zermelo.core.method import fit, methods
        compiled = game.compilable and game.prefer_compiled if mode is None else mode is Mode.compiled
        known = methods().get(method)
        if known is None:  # random, which is built from nothing, or a name that the search will refuse
            return cls(method, None, False, memory or DEFAULT, False)
        options = known.options
        options = replace(options, **{n: _typed(method, options, n, value) for n, value in changes.items()})
        table = fit(options, game).table
        return cls(method, options if changes else None, compiled, memory or DEFAULT, table)
