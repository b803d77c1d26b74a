"""Players that are no searches of ours, by their texts.

    openspiel-mcts(simulations=1000)     OpenSpiel's own; openspiel-random is another
    bot.py:Timid(depth=3)                a class or function in a file of yours that makes a player
    bots:Timid                           likewise, in a module
    uci(command="fairy-stockfish")       an engine of somebody else's that speaks UCI; or usi, ucci, gtp

Settings stand in brackets as in every request. A parameter called game, seed or limits is given to whoever has one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from zermelo.compile.watch import Limits
from zermelo.methods.settings import name_and_settings
from zermelo.play.player import Player
from zermelo.rules import Game, UnknownName, Unsuitable, nearest
from zermelo.rules.modules import module_in, module_named
from zermelo.rules.settings import kinds_of, read_value

OPENSPIEL = "openspiel-"
PROTOCOLS = ("uci", "usi", "ucci", "gtp")


def is_program(text: str | None) -> bool:
    """Whether a text names a program instead of a search."""
    name = (text or "").partition("(")[0].strip()
    return name.startswith(OPENSPIEL) or name in PROTOCOLS or ":" in name


def program(text: str, game: Game, seed: int | None = None, limits: Limits | None = None) -> Player:
    """The player that a text names. Whatever it cannot be made with is refused."""
    name, told = name_and_settings(text)
    made = _openspiel(name) if name.startswith(OPENSPIEL) else _foreign(name) if name in PROTOCOLS else _own(name)
    kinds = kinds_of(made)
    offered = {"game": game, "seed": seed, "limits": limits}
    settable = [known for known in kinds if known not in ("game", "limits")]
    for setting in told:
        if setting not in settable:
            hint = nearest(setting, settable) if settable else "it has none"
            raise UnknownName(f"{name} has no setting {setting}: {hint}")
    if "command" in settable and "command" not in told:
        raise Unsuitable(f'{name} needs a program to start, such as {name}(command="fairy-stockfish")')
    values = {setting: read_value(setting, value, kinds[setting]) for setting, value in told.items()}
    given = {known: value for known, value in offered.items() if known in kinds}
    player = made(**{**given, **values})
    if not isinstance(player, Player):
        raise Unsuitable(f"{name} makes a {type(player).__name__}, which is no Player")
    if player.name == Player.name:
        player.name = text
    return player


def _openspiel(name: str) -> Callable[..., Any]:
    from zermelo.play.openspiel_player import OpenSpielMCTS, OpenSpielRandom

    known = {f"{OPENSPIEL}mcts": OpenSpielMCTS, f"{OPENSPIEL}random": OpenSpielRandom}
    if name not in known:
        raise UnknownName(f"OpenSpiel has no player {name}: {nearest(name, known)}")
    return known[name]


def _foreign(name: str) -> Callable[..., Any]:
    """What starts an engine that speaks a protocol."""
    if name == "gtp":
        from zermelo.play.foreign.gtp import Gtp

        return Gtp
    from zermelo.play.foreign import universal

    return getattr(universal, name.capitalize())  # type: ignore[no-any-return]


def _own(name: str) -> Callable[..., Any]:
    """A class or function that makes a player, in a file or module of somebody's own."""
    home, _, inside = name.rpartition(":")
    module = module_in(home) if home.endswith(".py") else module_named(home)
    made = getattr(module, inside, None)
    if not callable(made):
        players = [key for key, value in vars(module).items() if inspect.isclass(value) and issubclass(value, Player)]
        known = [key for key in players if key != Player.__name__]
        hint = nearest(inside, known) if known else "it has none"
        raise UnknownName(f"{home} has no player {inside}: {hint}")
    return made  # type: ignore[no-any-return]
