"""Tables of games that do not number their positions: the size of the file and of its index, the time to build it
beside that of `fixpoint`, and the time that a search takes to look a position up. Then how many nodes a table saves a
search that begins six plies before it.

Numbering hooks are taken away from games that have them, but for the last. Seconds are those of the processor,
compiling not included. Every value at the start is compared with that of fixpoint, and every search with that without a
table. Names of games as arguments measure only those.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import zermelo as z
from zermelo import games
from zermelo.compile.arrays import on_arrays
from zermelo.knowledge.building import build_table
from zermelo.knowledge.enumerating import find_positions
from zermelo.knowledge.resting import with_tables
from zermelo.knowledge.table import Table
from zermelo.positions.fixpoint import solve_by_fixpoint
from zermelo.rules import Game, Position

GAMES = {
    "tic-tac-toe": lambda: games.tic_tac_toe(),
    "othello 4 × 4": lambda: games.othello(rows=4, cols=4),
    "connect-four 4 × 4": lambda: games.connect_four(width=4, height=4),
    "connect-four 5 × 4": lambda: games.connect_four(width=5, height=4),
    "breakthrough 4 × 4": lambda: games.breakthrough(width=4, height=4),
    "hex 4 × 4": lambda: games.hex(size=4),
}
MEMORY = "4GB"
BEFORE, TRIALS = 6, 20
"""How many plies before the table searches begin, and how many of them."""
SEARCHED = {
    "connect-four 5 × 4 by ply": (lambda: games.connect_four(width=5, height=4), "10 discs"),
    "kalah, 4 pits of 3": (lambda: games.kalah(pits=4, stones=3), "12 stones"),
}
"""Games, and the last tier of the table."""


def seconds(job: Callable[[], Any]) -> float:
    """Of the processor, at the second time."""
    job()
    began = time.process_time()
    job()
    return time.process_time() - began


def looked_up(game: Game, folder: Path) -> float:
    """Nanoseconds to look a position up from compiled code, all positions in random order; what the game's own bounds
    know counts for nothing."""
    resting = with_tables(replace(game, bounds=None, candidates=None), [folder])
    states = find_positions(Position(game), "compiled", 1 << 32)[0]
    states = states[np.random.default_rng(1).permutation(len(states))]
    bounds: Any = resting.bounds

    def ask(states):  # type: ignore[no-untyped-def]
        total = 0
        for i in range(len(states)):
            least, most = bounds(states[i])
            total += most - least
        return total

    call = on_arrays(ask)
    assert call(states) == 0  # everything is known
    taken = seconds(lambda: call(states)) / len(states)
    resting.rests_on.close()
    return 1e9 * taken


def measure(name: str, made: Game) -> None:
    game = replace(made, index=None, unindex=None, tiers=None, unmoves=None, unplay=None)
    with tempfile.TemporaryDirectory() as place:
        folders = iter(Path(place) / str(number) for number in range(2))
        building = seconds(lambda: build_table(game, next(folders), mode="compiled", memory=MEMORY))
        folder = Path(place) / "1"
        table = Table.open(folder, game)
        fixpoint = seconds(lambda: solve_by_fixpoint(Position(game), mode="compiled"))
        assert table.probe(Position(game)).score == solve_by_fixpoint(Position(game), mode="compiled").value
        manifest, index = table.manifest, table.manifest.index
        assert index is not None
        each = [index.automaton, index.keys, manifest.tiers[0].bytes]
        sizes = " | ".join("–" if one is None else f"{one / index.positions:.3f}" for one in each)
        print(
            f"| {name} | {index.positions:,} | {sizes} | {building:.2f} | {fixpoint:.2f} | "
            f"{looked_up(game, folder):.0f} |",
            flush=True,
        )


def ahead_of(game: Game, tiers: set[int], seed: int) -> Position:
    """A position some plies before one that random play meets in a table."""
    chance = random.Random(seed)
    assert game.index is not None
    while True:
        path = [Position(game)]
        while path[-1].result is None and game.index(path[-1].state)[0] not in tiers:
            path.append(path[-1].play(chance.choice(path[-1].codes)))
        if path[-1].result is None and len(path) > BEFORE:
            return path[-1 - BEFORE]


def searched(game: Game, positions: list[Position]) -> tuple[list[float | None], int]:
    """Their values by alpha-beta, and all its nodes."""
    answers = [z.solve(Position(game, position.state), method="alphabeta", mode="compiled") for position in positions]
    return [answer.value for answer in answers], sum(answer.nodes for answer in answers)


def measure_search(name: str, game: Game, highest: str) -> None:
    assert game.tiers is not None
    names = [tier.name for tier in game.tiers()]
    tiers = {tier.tier for tier in game.tiers()[: names.index(highest) + 1]}
    positions = [ahead_of(game, tiers, seed) for seed in range(TRIALS)]
    with tempfile.TemporaryDirectory() as place:
        build_table(game, place, highest=highest, mode="compiled", memory=MEMORY)
        resting = with_tables(game, [place])
        values, alone = searched(game, positions)
        same, rested = searched(resting, positions)
        resting.rests_on.close()
    assert values == same
    print(f"| {name} | {highest} | {alone:,} | {rested:,} | {alone / rested:.1f} |", flush=True)


if __name__ == "__main__":
    print("| game | positions | automaton | sorted keys | values | building, s | fixpoint, s | look-up, ns |")
    print("|---|---|---|---|---|---|---|---|")
    for name, make in GAMES.items():
        if not sys.argv[1:] or name in sys.argv[1:]:
            measure(name, make())
    print(f"\n| game | table to | nodes of {TRIALS} searches {BEFORE} plies before it | with it | ratio |")
    print("|---|---|---|---|---|")
    for name, (make, highest) in SEARCHED.items():
        if not sys.argv[1:] or name in sys.argv[1:]:
            measure_search(name, make(), highest)
