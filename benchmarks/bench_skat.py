"""Skat with open hands: the exact value of random deals, beside what an open solver in Rust needs for such deals.

Each deal starts with an empty table. The published figures are means over 20 other random deals, on another machine of
the same kind: compare nodes exactly, seconds roughly. `--deals N` takes more, `--contract NAME` adds a contract.
"""

from __future__ import annotations

import argparse
import statistics
import time

from common import engine_of, table
from zermelo import games
from zermelo.games.skat import dealt

RUST = {"suit": (1_010_000, 0.20), "grand": (610_000, 0.11), "null": (3_600, 3_600 / 5e6)}
"""Nodes and seconds a deal of jenafrank/skatsearch; null's seconds follow from its 5 million nodes a second."""


def kind(contract: str) -> str:
    return contract if contract in RUST else "suit"


def measure(contract: str, deals: range) -> list[list[float]]:
    """Nodes, seconds and the value of each deal, by the method that `solve` takes, compiled and warm."""
    game = games.load("skat", {"contract": contract})
    engine = engine_of(game, memory="64MB")
    low, high = game.values
    guess = high if contract == "null" else (low + high) // 2
    found = []
    for deal in (0, *deals):  # the first only to warm up
        position = dealt(game, deal)
        engine.memory.clear()
        watch = engine.watched()
        before = time.perf_counter()
        value = engine.search(position, game.max_plies, low, high, guess=float(guess))
        found.append([watch.nodes, time.perf_counter() - before, value])
    return found[1:]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--deals", type=int, default=20)
    options.add_argument("--first", type=int, default=1000, help="seed of the first deal")
    options.add_argument("--contract", action="append", default=[])
    chosen = options.parse_args()
    rows: list[list[object]] = []
    for contract in ("clubs", "grand", "null", *chosen.contract):
        found = measure(contract, range(chosen.first, chosen.first + chosen.deals))
        nodes, seconds, values = (statistics.mean(column) for column in zip(*found))
        median = statistics.median(row[0] for row in found)
        their_nodes, their_seconds = RUST[kind(contract)]
        rows.append([
            contract, round(nodes), round(median), their_nodes, nodes / their_nodes, seconds, their_seconds,
            seconds / their_seconds, nodes / seconds / 1e6, values,
        ])  # fmt: skip
    head = [
        "contract", "nodes a deal", "median", "Rust", "ratio", "s a deal", "Rust", "ratio", "million nodes/s",
        "mean value",
    ]  # fmt: skip
    table(f"Exact value of {chosen.deals} random deals, one core", head, rows)


if __name__ == "__main__":
    main()
