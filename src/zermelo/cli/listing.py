"""The commands that list what there is: games and methods."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from zermelo.cli import choices as c

if TYPE_CHECKING:
    from zermelo.rules import Game


def games(json: c.Json = False) -> None:
    """List the games, their parameters and traits."""
    from zermelo import games as shelf
    from zermelo.cli.show import Row, print_json, print_rows

    listed = [_describe(name) for name in shelf.names()]
    if json:
        print_json({"games": listed})
        return
    rows = []
    for entry in listed:
        rows.append(Row(entry["name"], entry["summary"]))
        rows.append(Row("", _parameters_in_words(entry["parameters"])))
        if entry["traits"] is not None:
            rows.append(Row("", _traits_in_words(entry["traits"]), "dim"))
    print_rows(rows)


def _describe(name: str) -> dict[str, Any]:
    """A listed game: parameters from the factory's signature, traits from a game with the defaults."""
    from zermelo import games as shelf
    from zermelo.rules import ZermeloError, build

    factory = shelf.factory(name)
    described = inspect.getdoc(inspect.getmodule(factory)) or inspect.getdoc(factory) or ""
    parameters = {
        parameter.name: None if parameter.default is parameter.empty else parameter.default
        for parameter in inspect.signature(factory).parameters.values()
    }
    try:
        traits = _traits(build(factory))
    except ZermeloError:  # it cannot be built without being told more
        traits = None
    return {"name": name, "summary": described.partition("\n")[0], "parameters": parameters, "traits": traits}


def _traits(game: Game) -> dict[str, Any]:
    from zermelo.rules.hooks import HOOKS, Purpose

    helpful = [hook for hook in HOOKS.values() if hook.purpose is Purpose.HELP]
    return {
        "values": list(game.values),
        "max_moves": game.max_moves,
        "max_plies": game.max_plies,
        "chance": game.has_chance,
        "repetition": game.repetition if isinstance(game.repetition, str) else "own rule",
        "compiled": game.compilable and game.prefer_compiled,
        "hooks": [hook.name for hook in helpful if hook.own(game) is not None],
        "evaluations": list(game.evaluations),
        "subgames": list(game.subgames),
    }


def _parameters_in_words(parameters: dict[str, Any]) -> str:
    from zermelo.rules.settings import write_value

    shown = (f"{name}={'…' if default is None else write_value(default)}" for name, default in parameters.items())
    return " ".join(shown) or "no parameters"


def _traits_in_words(traits: dict[str, Any]) -> str:
    low, high = traits["values"]
    words = [
        f"scores {low:g} to {high:g}",
        f"at most {traits['max_moves']} moves, {traits['max_plies']} plies",
    ]
    if traits["chance"]:
        words.append("chance")
    if traits["repetition"] != "none":
        words.append(f"repetition: {traits['repetition']}")
    if not traits["compiled"]:
        words.append("interpreted")
    if traits["hooks"]:
        words.append(f"knows {', '.join(traits['hooks'])}")
    if traits["evaluations"]:
        words.append(f"evaluations: {', '.join(traits['evaluations'])}")
    if traits["subgames"]:
        words.append(f"sub-games: {', '.join(traits['subgames'])}")
    return "; ".join(words)


def methods(json: c.Json = False) -> None:
    """List the methods, and where each was published."""
    from zermelo.cli.show import Row, print_json, print_rows
    from zermelo.methods.registry import methods as known
    from zermelo.methods.settings import option_kinds

    listed = [
        {"name": m.name, "summary": m.summary, "source": m.source, "chance": m.chance, "settings": [*option_kinds(m)]}
        for m in known().values()
    ]
    if json:
        print_json({"methods": listed})
        return
    rows = []
    for entry in listed:
        rows.append(Row(str(entry["name"]), str(entry["summary"])))
        rows.append(Row("", str(entry["source"]), "dim"))
    print_rows(rows)
