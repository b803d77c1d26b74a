"""What may be asked for: games that come with Zermelo, by their names, and those that were named when the server began.

Nothing that a client says is looked up, imported or opened: its words are compared with this list. A game that was
named on the command line, a file of somebody's own maybe, keeps the parameters that it was named with; the others take
numbers, switches and plain words, which the game's own factory then checks.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from zermelo.rules.errors import nearest
from zermelo.web.workers import Failed, Named, unless_ending

MOST_PARAMETERS, LONGEST, LARGEST = 30, 200, 10**9
NEEDS_A_FILE = ("graph", "openspiel")


class Catalogue:
    """`listed`: the names of games that come with Zermelo; `own`: those that a person named, by what the page calls
    them; `proofs`: the certificates that they named, likewise."""

    def __init__(
        self, listed: Sequence[str], own: Mapping[str, Named], proofs: Mapping[str, Named] | None = None
    ) -> None:
        self.listed = [name for name in listed if name not in NEEDS_A_FILE]
        self.own, self.proofs = dict(own), dict(proofs or {})
        self._described: asyncio.Task[list[Any]] | None = None

    def find(self, game: Any, parameters: Any) -> Named:
        """The game that a client means."""
        given = {} if parameters is None else parameters
        if not isinstance(game, str) or not isinstance(given, Mapping):
            raise Failed("say which game: {\"game\": \"tic-tac-toe\", \"set\": {\"rows\": 3}}")
        if game in self.own:
            if given:
                raise Failed(f"{game} was named with its parameters when the server began: leave `set` out")
            return self.own[game]
        if game not in self.listed:
            raise Failed(f"no game is called {game[:60]!r} here: {nearest(game[:60], [*self.own, *self.listed])}", 404)
        if len(given) > MOST_PARAMETERS:
            raise Failed(f"a game has no more than {MOST_PARAMETERS} parameters")
        return Named(game, tuple(sorted((str(name), _plain(name, value)) for name, value in given.items())))

    def proof(self, name: Any) -> Named:
        """The certificate that a client means; None is the first one."""
        if not self.proofs:
            raise Failed("there is no proof here: start the server with --certificate FILE", 404)
        if name is None:
            return next(iter(self.proofs.values()))
        if not isinstance(name, str) or name not in self.proofs:
            raise Failed(f"no proof is called {str(name)[:60]!r} here: {nearest(str(name)[:60], self.proofs)}", 404)
        return self.proofs[name]

    async def described(self) -> dict[str, Any]:
        """The list as `zermelo games --json` prints it, made by a process of its own, and the games named at start."""
        if self._described is None:
            self._described = asyncio.ensure_future(listing("games"))
        games = [entry for entry in await unless_ending(self._described) if entry["name"] in self.listed]
        own = [{"name": name, "parameters": dict(named.parameters)} for name, named in self.own.items()]
        return {"games": games, "own": own}


    async def close(self) -> None:
        """End what is under way."""
        if self._described is not None:
            self._described.cancel()
            await asyncio.gather(self._described, return_exceptions=True)


def _plain(name: Any, value: Any) -> Any:
    """A value of a parameter, if it is a plain one."""
    if isinstance(value, bool) or (isinstance(value, int | float) and abs(value) <= LARGEST):
        return value
    if isinstance(value, str) and len(value) <= LONGEST and value.isprintable():
        return value
    raise Failed(f"{str(name)[:60]} takes a number up to {LARGEST:,}, true or false, or a short text")


async def listing(command: str) -> list[Any]:
    """What a command prints with --json as the list of its own plural: the games, the experiments. By a process of its
    own, for the server does not load what games and searches need."""
    code = f"from zermelo.cli import main; main([{command!r}, '--json'])"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE, limit=1 << 24
    )
    printed, _ = await process.communicate()
    (found,) = json.loads(printed).values()
    return list(found)
