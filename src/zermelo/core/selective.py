"""Selective searching: what makes a search within limits see further, and what of it suits which game.

    quiet        loud moves are searched where the depth ends                needs `loud`
    checks       and, at the first ply of that, moves that give check        needs `loud` and `checked`
    null         where passing would do, so does a move                      needs `skip`
    reductions   moves that come late are looked at less deeply
    futility     hopeless quiet moves near the depth's end are left out      needs `loud`
    extensions   a check costs no depth                                      needs `checked`

Each takes something for granted, so what rests on it is an estimate, and is counted as such where it happens. **Why
nothing false is called proven**: a search that left something out has met the horizon, as its counter tells; and
whatever is put in the place of what was left out lies strictly between loss and win, as estimates do, so that a value
on the bound still comes from the rules alone. Solving and proving use none of it, with a table of their own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zermelo.core.method import Method, Options
from zermelo.rules import Game, Unsuitable

NEEDS: dict[str, tuple[str, ...]] = {
    "quiet": ("loud",), "checks": ("loud", "checked"), "null": ("skip",), "reductions": (), "futility": ("loud",),
    "extensions": ("checked",),
}  # fmt: skip
"""The options, and the hooks without which a game cannot have them."""
ORDER = ("hash", "loud", "killers", "order", "history")


def exact(options: Options) -> Options:
    """The options without what makes a search selective."""
    chosen: dict[str, Any] = dict.fromkeys(used(options))
    return replace(options, **chosen) if chosen else options


def selective(options: Options, method: Method, game: Game) -> Options:
    """The options for a search within limits: what nobody chose is as it suits the game."""
    if not method.selective or game.loud is None or not game.compilable:
        return options
    usual: dict[str, Any] = {
        "quiet": True, "null": game.skip is not None, "reductions": True, "extensions": game.checked is not None
    }  # fmt: skip
    open_ones = {name: on for name, on in usual.items() if on and getattr(options, name) is None}
    if options.order is None and options.cut is None and (options.quiet or "quiet" in open_ones):
        open_ones["order"] = ORDER
    return replace(options, **open_ones)


def used(options: Options) -> list[str]:
    """What of it is on, by name."""
    return [name for name in NEEDS if getattr(options, name)]


def check_selective(method: Method, options: Options, game: Game) -> None:
    """Refuse what the method cannot do, or the game lacks a hook for."""
    for name in used(options):
        if not method.selective:
            raise Unsuitable(f"{method.name} looks at every move to the end of its depth: leave out {name}")
        for hook in NEEDS[name]:
            if getattr(game, hook) is None or not game.compilable:
                raise Unsuitable(f"{game.name} has no rule {hook}, without which {name} cannot be used: leave it out")
    if options.checks and options.quiet is False:
        raise Unsuitable("checks are looked at where loud moves are: leave it out, or quiet=off")
