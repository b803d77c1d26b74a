"""Prefix-value trees: nodes a second of alpha-beta, plain, with a table, and sorted by fastest cut first; and the time
that the smallest proof tree takes. Branching 4 to 12, ten plies, 20 trees."""

from __future__ import annotations

import time

from common import engine_of, table
from zermelo import games
from zermelo.core.fastest_cut import CutFirst
from zermelo.core.method import PLAIN, Options
from zermelo.games._growth import plies_left
from zermelo.games.prefix_tree import seeded, true_score
from zermelo.minimum.grown_trees import Truth, minimax_tree_size

TREES = range(20)
DEPTH = 8
VARIANTS = {
    "plain": PLAIN,
    "table": Options(knowledge=False, order=("hash",)),
    "table, sorted by value and size": Options(knowledge=False, order=("cut",), cut=CutFirst()),
}


def main() -> None:
    game = games.load("prefix-tree")
    rows: list[list[object]] = []
    for name, options in VARIANTS.items():
        engine = engine_of(game, "alphabeta", options, memory="64MB")
        nodes, seconds = 0, 0.0
        for seed in TREES:
            root = seeded(game, seed, DEPTH)
            engine.memory.clear()
            watch = engine.watched()
            before = time.process_time()
            engine.search(root, DEPTH, *engine.window(root))
            seconds += time.process_time() - before
            nodes += watch.nodes
        rows.append([name, nodes, seconds, nodes / seconds / 1e6])
    table(f"Alpha-beta on prefix-value trees of {DEPTH} plies", ["how", "nodes", "s", "million nodes/s"], rows)
    truth = Truth(true_score, plies_left, game.parameters["fewest"])
    minimax_tree_size(seeded(game, 0, 2), truth)
    before = time.process_time()
    sizes = [minimax_tree_size(seeded(game, seed), truth) for seed in TREES]
    spent = (time.process_time() - before) / len(TREES)
    head = ["plies", "mean size", "ms a tree"]
    table("The smallest proof tree", head, [[game.max_plies, round(sum(sizes) / len(sizes)), 1000 * spent]])


if __name__ == "__main__":
    main()
