"""How much fastest-cut-first saves on prefix-value trees, by depth: figure 4 of Furtak and Buro 2009, again.

Trees of depth D have leaves with exact scores; a search deepens from 1 to D, and what it meets at the horizon before
that is a noisy estimate. All nodes of all iterations are counted, and compared with the smallest tree that proves the
value. Searches are the textbook's: nothing is known of the game but the estimate; the table, cleared for every tree, is
what one iteration tells the next; moves that no iteration has looked behind come in random order.

Orderings: by value alone (that of the last iteration, else the estimate); by value and S/P, P being a hard threshold at
beta; by value and S, the number of answers. What the paper left for the future is tried too: S/P alone with P learned
from other trees of the family, sizes that the table recorded, the table's move before all others, and graphs in which
moves transpose. Weights were tuned on other seeds than those that are reported.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from statistics import fmean
from typing import Any, NamedTuple

from zermelo import games
from zermelo.core.deepening import deepen
from zermelo.core.engine import Engine
from zermelo.core.fastest_cut import CutFirst
from zermelo.core.method import Options
from zermelo.games._growth import plies_left
from zermelo.games.prefix_tree import seeded, true_score, true_value
from zermelo.lab.experiment import Experiment, Result, Say, Settings, Table
from zermelo.lab.gather import gather, is_table
from zermelo.lab.logistic import fit
from zermelo.lab.plot import Line, chart
from zermelo.methods.requests import request
from zermelo.minimum.grown_trees import Truth, minimax_tree_size
from zermelo.rules import Game, Position, wrapping

METHODS = {"alphabeta": "alpha-beta", "negascout": "NegaScout", "mtdf": "MTD(f)"}
PAPER = {"negascout": 35, "mtdf": 39}
"""Per cent fewer nodes at depth 10 than by value alone, for both S/P and S."""
USUAL = {"fewest": 4, "most": 12, "damage": 6, "noise": 4, "depth": 10}
PARAMETERS = {**USUAL, "merge": 0.2}
MEMORY = "32MB"
BLOCK = 10
"""How many trees make a task."""
LEARNING_SEED, LEARNING_TREES = 1 << 40, 200
"""Where the trees come from that P is learned from: seeds that nobody reports on."""
TREES, GRAPHS = "trees", "graphs"
PLOTTED = ("value", "value + S/P", "value + S", "S/P, P learned")


class Ordering(NamedTuple):
    """A way to order moves, by the sources of a search's ordering and the weights of fastest-cut-first."""

    name: str
    cut: CutFirst
    order: tuple[str, ...] = ("cut",)
    graphs: bool = False  # whether it is tried on graphs too


def orderings(middle: float, spread: float) -> list[Ordering]:
    """All orderings; P is learned with this middle and spread."""

    def weigh(**weights: Any) -> CutFirst:
        return CutFirst(unexpanded="random", **{"size": 0.0, **weights})

    return [
        Ordering("value", weigh(), graphs=True),
        Ordering("value + S/P", weigh(ratio=2.0, doubt=0.5), graphs=True),
        Ordering("value + S", weigh(size=1.0), graphs=True),
        Ordering("S/P, P learned", weigh(form="ratio", middle=middle, spread=spread, doubt=0.02), graphs=True),
        Ordering("value + S by table", weigh(size=1.0, sizes="table")),
        Ordering("table's move, value", weigh(), ("hash", "cut")),
        Ordering("table's move, value + S", weigh(size=1.0), ("hash", "cut")),
    ]


class Trees(NamedTuple):
    """A family of trees: the parameters that its games are made with, and what their positions carry."""

    fewest: int
    most: int
    damage: int
    noise: int
    depth: int
    merge: float

    @property
    def game(self) -> Game:
        noise, depth = max(self.noise, USUAL["noise"]), max(self.depth, USUAL["depth"])
        return _game(self.fewest, self.most, self.damage, noise, depth)

    def root(self, seed: int, depth: int) -> Position:
        return seeded(self.game, seed, depth, self.noise, self.merge)

    def each(self, first: int, count: int) -> Iterator[Iterator[tuple[Position, int]]]:
        """For each seed the roots of the trees of depth 1, 2 and so on, with their depths."""
        for seed in range(first, first + count):
            yield ((self.root(seed, depth), depth) for depth in range(1, self.depth + 1))


@cache
def _game(fewest: int, most: int, damage: int, noise: int, depth: int) -> Game:
    """One game serves trees that are less deep and better estimated, so that searches are compiled for it once."""
    shape = {"fewest": fewest, "most": most, "damage": damage, "noise": noise, "depth": depth}
    return games.load("prefix-tree", shape)


def search_trees(task: Sequence[Any]) -> list[list[int]]:
    """The nodes of a search deepening to D, for each tree of a block and each D."""
    family, block, method, order, cut = task
    trees = Trees(*family)
    options = Options(knowledge=False, order=tuple(order), cut=CutFirst(**cut))
    engine = request(method, trees.game, options=options, memory=MEMORY).open(trees.game).engine(estimates=True)
    return [[search(engine, root, depth) for root, depth in roots] for roots in trees.each(*block)]


def search(engine: Engine, root: Position, depth: int) -> int:
    """The nodes of one search, which begins with an empty table and ends with the true value."""
    engine.memory.clear()
    watch = engine.watched()
    found = deepen(engine, root, depth, None)
    truth = true_value(root) if root.turn == 0 else -true_value(root)
    if found is None or found.value != truth:
        raise AssertionError(f"{engine.method.name} finds {found and found.value} where {truth} is right")
    return watch.nodes


def smallest_proofs(task: Sequence[Any]) -> list[list[int]]:
    """The smallest proof trees, for each tree of a block and each D."""
    family, block = task
    trees = Trees(*family)
    truth = Truth(true_score, plies_left, trees.fewest)
    return [[minimax_tree_size(root, truth) for root, _ in roots] for roots in trees.each(*block)]


@wrapping
def learn(trees: Trees) -> tuple[float, float]:
    """(middle, spread) of the chance that a move cuts off, given its estimate: a logistic curve, fitted to what is true
    of moves on random lines of trees of the family, beta being the root's value."""
    dice, game = random.Random(LEARNING_SEED), trees.game
    excess: list[float] = []
    cuts: list[bool] = []
    for number in range(LEARNING_TREES):
        position = trees.root(LEARNING_SEED + number, trees.depth)
        beta = true_value(position)
        while position.result is None:
            sign = 1 if position.turn == 0 else -1
            below = [position.play(code) for code in position.codes]
            for child in below:
                excess.append(sign * (float(game.evaluate(child.state)) - beta))  # type: ignore[misc]
                cuts.append(sign * (true_value(child) - beta) >= 0)
            position = dice.choice(below)
    return fit(excess, cuts)


def run(settings: Settings, say: Say) -> Result:
    family = Trees(**settings.parameters)
    families = {TREES: family._replace(merge=0.0), **({GRAPHS: family} if family.merge else {})}
    for trees in families.values():
        trees.root(0, trees.depth)  # refuses what cannot be
    say("learning which moves cut off")
    middle, spread = learn(families[TREES])
    tried = [
        (on, method, ordering)
        for on in families
        for method in METHODS
        for ordering in orderings(middle, spread)
        if on == TREES or ordering.graphs
    ]
    blocks = [*_blocks(settings)]
    smallest: dict[str, list[list[int]]] = {}
    for on, trees in families.items():
        found = gather(settings, EXPERIMENT.name, [(trees, block) for block in blocks], smallest_proofs, say, _fits)
        smallest[on] = [sizes for block in found for sizes in block]
    tasks = [  # every kind of search once, then again: whoever comes second finds it compiled
        (families[on], block, method, ordering.order, asdict(ordering.cut))
        for block in blocks
        for on, method, ordering in tried
    ]
    found = gather(settings, EXPERIMENT.name, tasks, search_trees, say, _fits)
    nodes = {
        key: [tree for block in range(len(blocks)) for tree in found[block * len(tried) + number]]
        for number, key in enumerate(tried)
    }
    rows = [_row(on, method, ordering.name, nodes, smallest[on], settings) for on, method, ordering in tried]
    depths = [f"depth {d}" for d in range(1, family.depth + 1)]
    head = ("on", "method", "order", "trees", *depths, "nodes", "fewer, %", "paper, %")
    return Result(Table(head, rows), _plot(rows, family.depth), _words(settings, middle, spread))


def _fits(task: Sequence[Any], result: Any) -> bool:
    family, (_, count), *_ = task
    return is_table(result, count, Trees(*family).depth)


def _blocks(settings: Settings) -> Iterator[tuple[int, int]]:
    """(first seed, number of trees)"""
    for first in range(0, settings.samples, BLOCK):
        yield settings.seed + first, min(BLOCK, settings.samples - first)


def _row(
    on: str, method: str, name: str, nodes: Mapping[Any, list[list[int]]], smallest: list[list[int]], settings: Settings
) -> tuple[Any, ...]:
    """Nodes over the smallest proof by depth, then nodes and what is saved at the greatest depth."""
    mine = next(trees for key, trees in nodes.items() if (*key[:2], key[2].name) == (on, method, name))
    base = next(trees for key, trees in nodes.items() if (*key[:2], key[2].name) == (on, method, "value"))
    depths = range(len(smallest[0]))
    ratios = [fmean(a[d] / b[d] for a, b in zip(mine, smallest)) for d in depths]
    spent, usual = (sum(tree[-1] for tree in trees) for trees in (mine, base))
    published = on == TREES and name in ("value + S/P", "value + S") and settings.parameters == PARAMETERS
    paper: Any = PAPER.get(method, "") if published else ""
    return (on, method, name, len(mine), *ratios, spent // len(mine), 100 * (1 - spent / usual), paper)


def _words(settings: Settings, middle: float, spread: float) -> list[str]:
    p = settings.parameters
    return [
        f"{settings.samples} trees, seeds from {settings.seed}: {p['fewest']} to {p['most']} moves, damage 0 to "
        f"{p['damage']}, estimates off by up to {p['noise']}. By depth: the nodes of all iterations over those of the "
        "smallest proof tree, mean over the trees; then nodes a tree at the greatest depth, and how many fewer than "
        "by value alone.",
        f"Learned: P = 1/(1 + exp((beta {'-' if middle < 0 else '+'} {abs(middle):.2f} - V)/{spread:.2f})).",
        *(
            [f"In the graphs {100 * p['merge']:g} % of the moves lead to positions that others lead to as well; their "
             "smallest proof is that of the graph unfolded to a tree."] if p["merge"] else []
        ),
    ]  # fmt: skip


def _plot(rows: list[tuple[Any, ...]], depth: int) -> str:
    lines = [
        Line(f"{METHODS[row[1]]}, {row[2]}", [(d, row[3 + d]) for d in range(1, depth + 1)])
        for row in rows
        if row[0] == TREES and row[1] != "alphabeta" and row[2] in PLOTTED
    ]
    highest = 5 * math.ceil(max(y for line in lines for _, y in line.points) / 5)
    return chart("Nodes over the smallest proof tree", "depth", "times as many", lines, highest)


EXPERIMENT = Experiment(
    name="fastest-cut-first",
    summary="nodes that sorting moves by value and size saves, on prefix-value trees and graphs",
    source="Furtak and Buro 2009",
    samples=100,
    run=run,
    parameters=PARAMETERS,
)
