"""What a client may set: which game, its parameters, and how it is searched.

Options are described as UCI wants it, from the game's factory alone: nothing that searches is imported for that. What
is set is checked when the game is made ready, and what cannot be is said then.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

from zermelo import games
from zermelo.play.foreign.dialect import Dialect
from zermelo.rules import Game, UnknownName, Unsuitable, nearest
from zermelo.rules.settings import kinds_of, write_value

USUAL_HASH = 256
MOST_LINES = 500
_EMPTY = "<empty>"
_RENAMED = {"usi_hash": "hash", "hashsize": "hash", "usi_ponder": "ponder", "usi_variant": "uci_variant"}
"""What relatives of UCI call the same thing."""
_GAME = "uci_variant"
_INFORMATION = ("ponder", "uci_analysemode", "uci_limitstrength")
CLEAR = "clear_hash"
"""The button that empties the table; whoever holds the table does that."""


class Choices:
    """What has been chosen. spec: the game, one that is listed or the one that was named on the command line: no other
    is ever loaded because a client says so."""

    def __init__(
        self,
        spec: str,
        parameters: Mapping[str, str],
        method: str | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        if spec.replace("-", "").isalnum():
            games.factory(spec)  # whoever started us learns at once that there is no such game
        self.own_spec, self.own_parameters = spec, dict(parameters)
        self.spec, self.parameters = spec, dict(parameters)
        self.method, self.settings = method, dict(settings or {})
        self.hash: int | None = None
        self.threads = 1
        self.lines = 1
        self.milliseconds = False
        self._game: Game | None = None

    def game(self) -> Game:
        """The game as it is chosen now."""
        if self._game is None:
            self._game = games.load(self.spec, self.parameters)
        return self._game

    def request(self) -> Any:
        """What it is searched with."""
        return self._request(self.method)

    def _request(self, method: str | None) -> Any:
        from zermelo.methods.requests import request

        told: dict[str, Any] = {"threads": self.threads} if self.threads > 1 else {}
        if self.hash is not None:
            told["memory"] = f"{self.hash}MB"
        return request(method, self.game(), "play", **{**told, **self.settings})

    def described(self, dialect: Dialect) -> Iterator[str]:
        """The options in the words of a dialect."""
        listed = [*dict.fromkeys([self.own_spec, *games.names()])]
        variants = " ".join(f"var {name}" for name in listed if " " not in name)
        told = {
            "UCI_Variant": f"type combo default {self.spec} {variants}",
            "Engine": f"type string default {self.method or _EMPTY}",
            "Hash": f"type spin default {self.hash or USUAL_HASH} min 1 max 1048576",
            "Threads": f"type spin default {self.threads} min 1 max 512",
            "MultiPV": f"type spin default {self.lines} min 1 max {MOST_LINES}",
            "Ponder": "type check default false",
        }
        if dialect.millis is not None:
            told[dialect.millis] = "type check default false"
        if dialect.name == "uci":
            told["Clear Hash"] = "type button"
        for name, words in [*told.items(), *self._parameters()]:
            yield f"option {'name ' if dialect.named else ''}{name} {words}"

    def _parameters(self) -> Iterator[tuple[str, str]]:
        if self.spec not in games.names():
            return
        made = games.factory(self.spec)
        kinds = kinds_of(made)
        for each in inspect.signature(made).parameters.values():
            if each.default is inspect.Parameter.empty:
                continue
            usual = self.parameters.get(each.name, each.default)
            yield each.name, _described(kinds[each.name], usual)

    def set(self, name: str, value: str) -> bool:
        """Set an option, and say whether the game or its engine has to be made anew. One that there is not is an
        `UnknownName`."""
        wanted = plain_name(name)
        if wanted == _GAME:
            self.choose(value)
        elif wanted == "engine":
            method = None if value in ("", _EMPTY) else value
            self._request(method)  # refuses what cannot be
            self.method = method
        elif wanted == "hash":
            self.hash = _whole(name, value, 1, 1 << 20)
        elif wanted == "threads":
            self.threads = _whole(name, value, 1, 512)
        elif wanted == "multipv":
            self.lines = _whole(name, value, 1, MOST_LINES)
            return False
        elif wanted == "usemillisec":
            self.milliseconds = value.lower() in ("true", "")
            return False
        elif wanted in _INFORMATION:
            return False  # said for information
        else:
            self._set_parameter(name, value)
        return True

    def reshape(self, parameters: Mapping[str, str]) -> None:
        """Other parameters for the same game; what cannot be is refused, and nothing changes."""
        made = games.load(self.spec, parameters)
        self.parameters, self._game = dict(parameters), made

    def choose(self, spec: str) -> None:
        """Another game, of those that may be."""
        if spec != self.own_spec and spec not in games.names():
            raise UnknownName(f"no game is called {spec}: {nearest(spec, games.names())}")
        if spec != self.spec:
            self.spec = spec
            self.parameters = dict(self.own_parameters) if spec == self.own_spec else {}
            self._game = None

    def _set_parameter(self, name: str, value: str) -> None:
        known = inspect.signature(games.factory(self.spec)).parameters if self.spec in games.names() else {}
        same = next((each for each in known if each.lower() == name.lower()), None)
        if same is None:
            general = ("UCI_Variant", "Engine", "Hash", "Clear Hash", "Threads", "MultiPV", "Ponder")
            raise UnknownName(f"there is no option {name}: {nearest(name, [*general, *known])}")
        self.reshape({**self.parameters, same: {"true": "on", "false": "off"}.get(value, value)})


def plain_name(name: str) -> str:
    """The name of an option, however it is written."""
    wanted = name.lower().replace(" ", "_")
    return _RENAMED.get(wanted, wanted)


def _described(kind: Any, usual: Any) -> str:
    """The type and default of a parameter, as UCI says it."""
    default = write_value(usual)
    if kind is bool:
        return f"type check default {'true' if default in ('on', 'true', 'True') else 'false'}"
    if kind is int:
        number = int(default)
        return f"type spin default {number} min {min(0, number)} max {max(1000, number)}"
    if get_origin(kind) is Literal:
        return f"type combo default {default} " + " ".join(f"var {write_value(each)}" for each in get_args(kind))
    return f"type string default {default or _EMPTY}"


def _whole(name: str, value: str, low: int, high: int) -> int:
    if not value.isascii() or not value.isdigit() or not low <= int(value[:20]) <= high:
        raise Unsuitable(f"{name} takes a whole number from {low} to {high}, not {value!r}")
    return int(value)

