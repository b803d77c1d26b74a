"""What all positions at once would take, told before they are all found: memory and seconds.

Some of the positions are found, which shows how many moves one has and how long it takes; how many there are in all is
estimated (`estimating`). Finding them is most of the work: what comes after it takes a fixed share more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from zermelo.compile.modes import Mode, mode_for
from zermelo.compile.watch import Brake, Limits, Listener, Watch
from zermelo.positions.all_positions import AllPositions, Wanted, all_positions, costs, make_ready
from zermelo.positions.estimating import Estimate, estimate_positions
from zermelo.positions.layers import spreader_for
from zermelo.rules import Game, Position, TooLarge

T = TypeVar("T")

SLOTS = 8
"""The bytes that a position takes in the hash set, on average."""
WORKING_BACK = 1.5
"""How long it takes to find and value positions, for each second of finding them."""
UNSURE = 3.0
"""The seconds that are told may be too many, or too few, by this factor: large games miss the processor's caches."""


WALKING = 2.0
"""The seconds that a solver gives to the trial, and to the walks."""


class Trial(NamedTuple):
    """What became of an attempt to find all positions: how many were looked at, the moves that one of them has, which
    is not known if the clock ended it, and the seconds that it took; `found` if that was all of them."""

    found: AllPositions | None
    looked: int
    moves: float | None
    seconds: float


def try_out(position: Position, wanted: Wanted, way: Mode, watch: Watch, budget: int) -> Trial:
    """Find as many positions as fit into so many bytes, and as the watch allows."""
    began, before = watch.seconds, watch.nodes
    try:
        found = all_positions(position, wanted, way, watch, budget)
    except TooLarge as large:
        return Trial(None, large.nodes - before, large.moves / max(large.nodes - before, 1), large.seconds - began)
    looked, seconds = watch.nodes - before, watch.seconds - began
    return Trial(found, looked, None if found is None else float(np.mean(found.degrees)), seconds)


@dataclass(frozen=True)
class Forecast:
    """How many positions there are, and what each takes to be found and valued."""

    positions: Estimate
    position_bytes: float
    position_seconds: float

    @property
    def bytes(self) -> float:
        """For all of them; where their number is not known, at least."""
        return self.position_bytes * (self.positions.count or self.positions.low)

    @property
    def seconds(self) -> float:
        return self.position_seconds * (self.positions.count or self.positions.low)


def forecast_from(game: Game, wanted: Wanted, way: Mode, positions: Estimate, trial: Trial) -> Forecast:
    """What all positions will take, as far as a trial tells."""
    each, per_move = costs(game, wanted, way)
    moves = game.max_moves if trial.moves is None else trial.moves
    seconds = WORKING_BACK * trial.seconds / max(trial.looked, 1)
    return Forecast(positions, each + per_move * moves + SLOTS, seconds)


def forecast(
    position: Position,
    wanted: Wanted,
    mode: str,
    budget: int,
    seconds: float,
    listener: Listener | None = None,
    brake: Brake | None = None,
) -> Forecast:
    """What all positions will take, found out by a trial within so many bytes, and walks for so many seconds. Ctrl-C
    pulls the brake."""
    game, way, brake = position.game, mode_for(position.game, mode), brake or Brake()
    make_ready(game, wanted, way)

    def run(way: Mode, doing: str, job: Callable[[Watch], T]) -> T:
        watch = Watch([way.workspace(game)], Limits(seconds=seconds), listener, brake, doing=doing)
        done = watch.run(lambda: job(watch))
        if watch.reason == "interrupt":
            brake.pull("interrupt")
        return done

    trial = run(way, "trying all positions", lambda watch: try_out(position, wanted, way, watch, budget))
    if trial.found is not None:
        count = trial.found.count
        return forecast_from(game, wanted, way, Estimate(count, count, count, exact=True), trial)
    walking, doing = spreader_for(game, mode)[0], "estimating how many positions there are"
    positions = run(walking, doing, lambda watch: estimate_positions(position, mode, watch, seconds))
    return forecast_from(game, wanted, way, positions, trial)
