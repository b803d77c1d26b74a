"""How far from perfect is a search? The nodes that it looks at, beside those of the smallest proof graph.

A position and what is to be shown of it go in; for each search a `Searched` comes out. So that the two can be compared,
a search is asked exactly what the proof shows: the value with an open window, or whether the target is reached. And it
knows exactly what the proof knows: equivalent positions are one if they were counted as one, but neither the
game's bounds of scores nor its hooks `bounds` and `candidates` may end a line before the game does.

Searches count visits: a position that is met again counts again, also when the table answers at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from zermelo.compile.watch import Limits, Listener
from zermelo.methods.asking import solve
from zermelo.methods.registry import method_named
from zermelo.methods.requests import request
from zermelo.minimum.membership import Goal
from zermelo.rules import Game, Position, Unsuitable

SEARCHES = ("alphabeta", "negascout", "mtdf", "pn")
FEW = 20_000
"""Games with so few positions are searched interpreted: to compile takes longer."""


@dataclass(frozen=True)
class Searched:
    """What a search took; `reason` says why there is no number, `stopped` what ended it too early."""

    method: str
    nodes: int | None = None
    seconds: float = 0
    stopped: str | None = None
    reason: str | None = None

    def ratio(self, size: int) -> float | None:
        """How many times as many nodes as a proof of this size has."""
        return None if self.nodes is None or self.stopped is not None else self.nodes / size


def search_all(
    position: Position,
    goal: Goal,
    *,
    symmetric: bool = False,
    shared: bool = False,
    limits: Limits | None = None,
    listener: Listener | None = None,
    **settings: Any,
) -> Iterator[Searched]:
    """Each search in turn, until one is interrupted. `symmetric`: equivalent positions are one; `shared`: positions are
    met on several ways."""
    subject = Position(_unaided(position.game, symmetric), position.state)
    how: dict[str, Any] = {"limits": limits or Limits(), "listener": listener, **settings}
    for name in SEARCHES:
        try:
            done = _searched(name, subject, goal, shared, **how)
        except Unsuitable as refused:
            done = Searched(name, reason=str(refused))
        yield done
        if done.stopped == "interrupt":
            return


def _unaided(game: Game, symmetric: bool) -> Game:
    """The game without what it knows about itself; its scores might be better or worse than they can be."""
    low, high = game.values
    return replace(
        game, bounds=None, candidates=None, rest=None, symmetry=game.symmetry if symmetric else None,
        values=(low - 1, high + 1),
    )  # fmt: skip


def _searched(
    name: str,
    position: Position,
    goal: Goal,
    shared: bool,
    *,
    limits: Limits,
    listener: Listener | None,
    **settings: Any,
) -> Searched:
    game, target = position.game, goal.target
    if position.result is not None:
        return Searched(name, nodes=1)
    if method_named(name).answers_claims:
        settings = {**settings, "graph": shared}
        answer = solve(position, method=name, at_least=target, limits=limits, listener=listener, **settings)
        return Searched(name, answer.nodes, answer.seconds, answer.stopped)
    with request(name, game, "prove", **settings).open(game) as session:
        engine = session.engine(estimates=game.horizon is not None)
        watch = engine.watched(limits, listener)
        watch.turn = position.turn
        watch.doing = f"searching by {name}"
        low, high = engine.window(position)
        window = low, high  # wider than any score, so that it is open
        if target is not None:
            wanted = engine.number(target if engine.number is float else -(-target // 1))
            below = engine.below(wanted)
            window = (below, wanted) if position.turn == 0 else (-wanted, -below)
        guess = float(window[0] if target is not None else (low + high) // 2)
        watch.run(lambda: engine.search(position, engine.deepest(position), *window, guess=guess))
        return Searched(name, watch.nodes, watch.seconds, watch.reason)
