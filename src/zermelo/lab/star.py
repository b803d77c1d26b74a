"""How many leaves Star1, Star2 and Star2.5 leave out: on synthetic trees, as Ballard did, and on real positions.

The trees are MAX → chance → MIN → leaf with 20 moves, 20 outcomes and 20 replies, 8,000 leaves each. With correlated
leaves (what a root move is worth shows in all leaves below it) the published effect appears; with independent leaves it
does not. The searches are the textbook's: moves in the order of the rules, no table, no knowledge of the game but the
bounds of its values.

Ballard 1983, "The *-minimax search procedure for trees containing chance nodes": Star1 saves 25 to 30 per cent, Star2
more than half. Hsu, "Selected advanced topics": Star2.5 59 per cent for h = 1, about 70 for 3, 72 for 20; sequential
probing 65 for 3 and 20 for 20.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from zermelo import games
from zermelo.chance.engine import ChanceEngine
from zermelo.chance.options import ChanceOptions
from zermelo.games.star_tree import seeded
from zermelo.lab.experiment import Experiment, Result, Say, Settings, Table
from zermelo.lab.plot import Line, chart
from zermelo.methods.requests import request
from zermelo.rules import CHANCE, Game, Position, wrapping

TEXTBOOK = ChanceOptions(table=False, order=(), merge=False, knowledge=False)
FACTORS = tuple(range(1, 21))
REAL_FACTORS = (1, 3)
REAL_DEPTHS = {"einstein": 4, "dark-chess": 3, "backgammon": 2}
PUBLISHED = {  # per cent of the leaves left out, correlated leaves: Hsu's lecture notes, and computed for this project
    ("star1", 0): ("20", 32.0),
    ("star2", 1): ("59", 61.0),
    ("star2", 3): ("65", 67.0),
    ("star2", 20): ("20", 32.0),
    ("star2.5", 1): ("59", 61.0),
    ("star2.5", 3): ("70", 70.0),
    ("star2.5", 20): ("72", 74.0),
}


class Measured(NamedTuple):
    """The leaves that a method looked at, and how far its values were from Star0's."""

    leaves: int
    nodes: int
    difference: float


def measure(engine: ChanceEngine, positions: Sequence[Position], depth: int, truth: list[float]) -> Measured:
    """Search every position; `truth` holds Star0's values, and is filled by the first who comes."""
    leaves, nodes, difference = 0, 0, 0.0
    first = not truth
    for number, position in enumerate(positions):
        watch = engine.watched()
        value = float(engine.search(position, depth, *engine.open_window(position)))
        leaves += engine.workspaces[0]["leaves"]
        nodes += watch.nodes
        if first:
            truth.append(value)
        difference = max(difference, abs(value - truth[number]))
    return Measured(leaves, nodes, difference)


def schedule(factors: Sequence[int]) -> list[tuple[str, int]]:
    """The methods, and how many probes each makes."""
    return [("star0", 0), ("star1", 0), *((name, h) for name in ("star2", "star2.5") for h in factors)]


def compare(
    what: str, game: Game, positions: Sequence[Position], depth: int, factors: Sequence[int], say: Say
) -> list[tuple[Any, ...]]:
    """One row for each method: positions, leaves, the share that it leaves out."""
    engines: dict[str, ChanceEngine] = {}
    truth: list[float] = []
    rows: list[tuple[Any, ...]] = []
    whole = 0
    for name, h in schedule(factors):
        say(f"{what}: {name}" + (f", h = {h}" if h else ""))
        if name not in engines:
            engines[name] = cast(ChanceEngine, request(name, game, options=TEXTBOOK).open(game).engine())
        engines[name].set_probes((h,))
        found = measure(engines[name], positions, depth, truth)
        whole = whole or found.leaves
        cut = 100 * (1 - found.leaves / whole)
        notes, facts = PUBLISHED.get((name, h), ("", "")) if what == "correlated" else ("", "")
        rows.append((what, name, h, len(positions), found.leaves, cut, notes, facts, f"{found.difference:.1e}"))
    return rows


@wrapping
def real_positions(game: Game, samples: int, seed: int) -> list[Position]:
    """Positions with a player to move, from random games, spread over their course."""
    dice = random.Random(seed)
    chosen: list[Position] = []
    while len(chosen) < samples:
        position = Position(game)
        course: list[Position] = []
        while position.result is None and len(course) < 80:
            codes = position.codes
            if position.turn == CHANCE:
                assert game.weight is not None
                weights = [int(game.weight(position.state, code)) for code in codes]
                position = position.play(dice.choices(codes, weights)[0])
            else:
                course.append(position)
                position = position.play(dice.choice(codes))
        if course:
            chosen.append(Position(game, dice.choice(course).state))
    return chosen


def run(settings: Settings, say: Say) -> Result:
    rows: list[tuple[Any, ...]] = []
    for leaves in ("correlated", "independent"):
        game = games.load("star-tree", {"leaves": leaves})
        roots = [seeded(game, settings.seed + number) for number in range(settings.samples)]
        rows += compare(leaves, game, roots, 2, FACTORS, say)
    few = max(1, settings.samples // 10)
    for name, depth in REAL_DEPTHS.items():
        game = games.load(name)
        rows += compare(name, game, real_positions(game, few, settings.seed), depth, REAL_FACTORS, say)
    head = ("on", "method", "h", "positions", "leaves", "left out, %", "Hsu, %", "facts, %", "value differs by")
    words = [
        f"{settings.samples} trees of each kind, seeds from {settings.seed}; {few} positions of each real game, "
        "EinStein 4, dark chess 3 and backgammon 2 decisions deep, estimated there.",
    ]
    return Result(Table(head, rows), _plot(rows), words)


def _plot(rows: list[tuple[Any, ...]]) -> str:
    lines = []
    for leaves in ("correlated", "independent"):
        for name, label in (("star2", "Star2, sequential"), ("star2.5", "Star2.5, cyclic"), ("star1", "Star1")):
            points = [(float(row[2]), float(row[5])) for row in rows if row[0] == leaves and row[1] == name]
            lines.append(Line(f"{label}, {leaves[:6]}.", points))
    return chart("Leaves left out on trees of 20 × 20 × 20", "probing factor h", "% of the leaves", lines, 100)


EXPERIMENT = Experiment(
    name="star",
    summary="leaves that Star1, Star2 and Star2.5 leave out, on synthetic trees and real positions",
    source="Ballard 1983; Hsu 2022",
    samples=100,
    run=run,
)
