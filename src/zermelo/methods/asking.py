"""The questions that people ask, each in one call: what is it worth, what should I play, what are all these worth.

Each opens a session, asks, and closes it. Who has more than one question opens a session: `request(...).open(game)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.compile.watch import Limits, Listener
from zermelo.core.answer import Answer
from zermelo.core.batch import Batch
from zermelo.core.request import Request
from zermelo.methods.requests import request
from zermelo.rules import Game, MoveError, Position, Unsuitable


def solve(
    what: Game | Position,
    *,
    method: str | Request | None = None,
    at_least: float | None = None,
    value_only: bool = False,
    limits: Limits | None = None,
    listener: Listener | None = None,
    **settings: Any,
) -> Answer:
    """The value of a game or position, by the method asked for or the one that suits it best.

    `at_least` asks only whether the first player reaches that score, `value_only` for the value without all best moves
    and a line. Limits may cut the search short: the answer then says what is known. `settings` are those of a request:
    memory, threads, mode, options, and whatever the method can be told.
    """
    position = what if isinstance(what, Position) else Position(what)
    made = request(method, position.game, "solve", claim=at_least, **settings)
    with made.open(position.game) as session:
        return session.solve(position, at_least=at_least, value_only=value_only, limits=limits, listener=listener)


def search(
    what: Game | Position,
    method: str | Request | None = None,
    *,
    limits: Limits | None = None,
    listener: Listener | None = None,
    value_only: bool = False,
    **settings: Any,
) -> Answer:
    """Search a position within limits (depth, seconds, nodes; one second if none is given) and say what was found.
    `settings` are those of a request."""
    position = what if isinstance(what, Position) else Position(what)
    if method is None and limits is not None and limits.depth is not None:
        settings.setdefault("depth", limits.depth)
    made = request(method, position.game, "search", **settings)
    with made.open(position.game) as session:
        return session.search(position, limits, listener, value_only=value_only)


def best_move(what: Game | Position, method: str | Request | None = None, **settings: Any) -> str:
    """The best move that is found within limits, as a text."""
    answer = search(what, method, **settings)
    if answer.move is None:
        worth = "" if answer.value is None else f"; its expected value is {answer.value:+.6g} for the first player"
        raise MoveError(f"no player is to move in {answer.position.text()!r}{worth}")
    return answer.move


def solve_many(
    positions: Sequence[Position],
    *,
    method: str | Request | None = None,
    best_moves: bool = False,
    listener: Listener | None = None,
    **settings: Any,
) -> Batch:
    """The values of many positions of one game, by one session; with `best_moves`, all best moves of each."""
    if not positions:
        raise Unsuitable("solve_many needs at least one position")
    game = positions[0].game
    with request(method, game, "solve", **settings).open(game) as session:
        return session.solve_many(positions, best_moves=best_moves, listener=listener)
