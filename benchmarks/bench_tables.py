"""Tables of games that do not number their positions: the size of the file and of its index, the time to build it
beside that of `fixpoint`, and the time that a search takes to look a position up.

Numbering hooks are taken away from games that have them. Seconds are those of the processor, compiling not included.
Every value at the start is compared with that of fixpoint. Names of games as arguments measure only those.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

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


if __name__ == "__main__":
    print("| game | positions | automaton | sorted keys | values | building, s | fixpoint, s | look-up, ns |")
    print("|---|---|---|---|---|---|---|---|")
    for name, make in GAMES.items():
        if not sys.argv[1:] or name in sys.argv[1:]:
            measure(name, make())
