"""How soon a win is forced: its distance, and a line in which the winner hurries and the loser holds out.

A search says that a position is won, not how soon: it looks at some lines deeper than at others, and a win that its
table knows is seen at once, however far away it is. So the distance is a question of its own: is the game won within
one ply, within two, and so on? Each round looks at every move to its depth, with a window of nothing but the win, and
the table is emptied before the first one. What a round denies is certain: the win takes longer. What it finds may in
rare cases take a few plies more, where a position was met again later than it was proven; the line then shows it, for
it is made of such questions alone: the winner makes the move that the shortest proof begins with, the loser the one
that the last round could not refute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from zermelo.compile.watch import Brake, Limits
from zermelo.core.engine import Engine
from zermelo.rules import Position

PATIENCE = 8
"""So many plies may a line be longer than its win was thought to be."""


class Soonest(NamedTuple):
    """What was found out. plies: how far away the win is, None if it was not found; line: play that ends with it, or
    breaks off where the search was stopped. beyond: the win certainly takes more plies than these."""

    plies: int | None
    line: tuple[str, ...]
    beyond: int
    nodes: int
    seconds: float
    stopped: str | None


Round = Callable[[int, int], None]
"""(depth, nodes): a round is over."""


def soonest(
    engine: Engine,
    position: Position,
    winner: int,
    limits: Limits,
    *,
    only: Sequence[int] | None = None,
    brake: Brake | None = None,
    after_round: Round | None = None,
) -> Soonest:
    """How soon a player wins by force, as far as limits allow; if it begins with one of certain moves, where those are
    given. The engine searches to the full width, and without the option `knowledge`, by which a game tells of wins
    before they are there; its table is emptied."""
    watch = engine.watched(limits, None, brake)
    deepest = min(limits.depth or engine.deepest(position), engine.deepest(position))

    def find() -> Soonest:
        first = _distance(engine, position, winner, deepest, only, after_round)
        line: list[str] = []
        if first.plies is not None:
            line = _line(engine, position, winner, first)
        plies = first.plies
        if plies is not None and len(line) > plies:
            plies = len(line)
        return Soonest(plies, tuple(line), first.beyond, watch.nodes, watch.seconds, watch.reason)

    return watch.run(find)


class _Distance(NamedTuple):
    plies: int | None
    move: int
    beyond: int


def _distance(
    engine: Engine,
    position: Position,
    winner: int,
    deepest: int,
    only: Sequence[int] | None = None,
    after_round: Round | None = None,
) -> _Distance:
    """The plies to the win, and the move to make: the winner's fastest, or the one with which the loser lasts."""
    engine.memory.clear()
    lasting = only[0] if only else position.codes[0]
    for depth in range(1, deepest + 1):
        if only is None:
            won, move = _wins(engine, position, winner, depth), _move(engine, position)
        else:
            won, move = _wins_by(engine, position, winner, depth, only)
        if engine.stopped:
            return _Distance(None, lasting, depth - 1)
        if after_round is not None:
            after_round(depth, engine.watch.nodes)
        if won:
            hurries = position.turn == winner and move in position.codes
            return _Distance(depth, move if hurries else lasting, depth - 1)
        lasting = move if move in position.codes else lasting
    return _Distance(None, lasting, deepest)


def _wins(engine: Engine, position: Position, winner: int, depth: int) -> bool:
    """Whether a player wins within so many plies, for certain."""
    if position.result is not None:
        return bool(position.result == position.game.values[1 - winner])
    if depth < 1:
        return False
    low, high = engine.window(position)
    before = engine.estimated
    if position.turn == winner:
        won = engine.search(position, depth, engine.below(high), high, guess=float(high)) >= high
    else:
        won = engine.search(position, depth, low, engine.above(low), guess=float(low)) <= low
    return bool(won) and not engine.stopped and (engine.strict or engine.estimated == before)


def _wins_by(engine: Engine, position: Position, winner: int, depth: int, only: Sequence[int]) -> tuple[bool, int]:
    """Whether a player wins within so many plies if one of certain moves is made, and the move that decides."""
    for move in only:
        if _wins(engine, position.play(move), winner, depth - 1) == (position.turn == winner):
            return position.turn == winner, move
    return position.turn != winner, only[0]


def _move(engine: Engine, position: Position) -> int:
    move = engine.move if engine.move >= 0 else engine.remembered_move(position)
    return -1 if move is None else move


def _line(engine: Engine, position: Position, winner: int, first: _Distance) -> list[str]:
    """Play to the win, by asking after every move how far away it now is."""
    assert first.plies is not None
    texts: list[str] = []
    here, longest = first, first.plies + PATIENCE
    while here.plies is not None:
        texts.append(position.text_of(here.move))
        position = position.play(here.move)
        if position.result is not None or len(texts) >= longest:
            break
        here = _distance(engine, position, winner, longest - len(texts))
    return texts
