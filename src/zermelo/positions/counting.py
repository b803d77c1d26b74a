"""How many positions a game has."""

from __future__ import annotations

from zermelo.compile.modes import mode_for
from zermelo.compile.watch import Limits, Watch
from zermelo.positions.all_positions import Wanted, all_positions, budget_of, make_ready
from zermelo.rules import Position, TooLarge

WANTED = Wanted(history=True)


def count_positions(
    position: Position, limits: Limits, mode: str | None = None, memory: str | int | None = None
) -> int | None:
    """How many positions the game has from here in which somebody is to move; None if a limit ends the count, if they
    do not fit into the memory, or if they cannot be told apart."""
    game = position.game
    if position.result is not None:
        return 0
    if not game.compilable and game.key is None:
        return None
    way = mode_for(game, mode)
    make_ready(game, WANTED, way)
    watch = Watch([way.workspace(game)], limits, doing="counting positions")
    budget = budget_of(memory)
    try:
        found = watch.run(lambda: all_positions(position, WANTED, way, watch, budget))
    except TooLarge:
        return None
    return None if found is None else found.count
