"""What a size term is worth in Skat with open hands: table 1 of Furtak and Buro 2009, again.

Their search sorts moves by a combination X of features, the trick's value and what partners can add among them, and
then by X − C·S, S being the number of moves behind each; it has a table and prunes, and does not deepen. Here X is the
order hook of the game, and the search alpha-beta with a table and what the game knows: which cards are equal, what the
rest of the game depends on, tricks that are sure. Then comes the search that `solve` takes. Their deals were from games
of people; ours are random and seeded, and of the three hands the one that suits the contract best is the declarer's
(`deals=strong`), or any (`deals=random`). The declarer leads.

The declarer's exact points are asked for, and once more only whether there are 61 of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any, NamedTuple

from zermelo import games
from zermelo.core.fastest_cut import CutFirst
from zermelo.core.method import Options, fit
from zermelo.games.skat import shuffled, suits_of
from zermelo.lab.experiment import Experiment, Result, Say, Settings, Table
from zermelo.lab.gather import gather, is_table
from zermelo.lab.plot import Line, chart
from zermelo.methods.choice import choose
from zermelo.methods.requests import request
from zermelo.rules import Game, Position, UnknownName, nearest

PAPER = {"X": (396_386, 77.0), "X − C·S": (243_090, 44.7)}
"""Nodes and milliseconds a deal."""
BLOCK = 10
"""How many deals make a task."""
MEMORY = "64MB"
WINNING = 61
DEALS = ("strong", "random")
SIZE_TERM = CutFirst(value=0.0, order=1.0, size=120.0)
"""C, tuned on other deals, the seeds from 7,000 on."""


class Way(NamedTuple):
    """A search, and what it is asked: the exact points, or only whether they are enough. `sizes`: whether the game's
    own order counts answers too."""

    name: str
    method: str
    options: Options
    exact: bool = True
    sizes: bool = True


def ways(game: Game) -> list[Way]:
    """What is compared, the paper's two first."""
    choice = choose(game)
    best = fit(choice.method.options, game)
    return [
        Way("X", "alphabeta", Options(order=("hash", "order")), sizes=False),
        Way("X − C·S", "alphabeta", Options(order=("hash", "cut"), cut=SIZE_TERM), sizes=False),
        Way("all that we have", choice.method.name, best),
        Way("all that we have, 61?", "boolean", best, exact=False),
    ]


def enough(contract: str) -> int:
    """What the declarer must score to win."""
    return 1 if contract == "null" else WINNING


def root(game: Game, contract: str, deals: str, seed: int) -> Position:
    """A deal, the declarer's hand being the best of the three if that is asked for."""
    *hands, skat = shuffled(seed)
    if deals == "strong":
        best = max(range(3), key=lambda number: strength(hands[number], contract))
        hands = hands[best:] + hands[:best]
    return game.position("|".join(" ".join(cards) for cards in (*hands, skat)))


def strength(hand: Sequence[str], contract: str) -> int:
    """How well a hand suits a contract: trumps and aces, or in null low cards."""
    suits = suits_of(contract)
    if contract == "null":
        return -sum(suit.index(card) for suit in suits for card in suit if card in hand)
    return sum(card in suits[-1] for card in hand) + sum(card[1] == "A" for card in hand)


def search_deals(task: Sequence[Any]) -> list[list[float]]:
    """Nodes, seconds and value (or verdict) of each deal of a block, each with an empty table."""
    contract, deals, method, options, exact, sizes, first, count = task
    game = games.load("skat", {"contract": contract, "sizes": sizes})
    cut = options.pop("cut")
    built = Options(**{**options, "order": tuple(options["order"])}, cut=cut and CutFirst(**cut))
    engine = request(method, game, options=built, memory=MEMORY).open(game).engine()
    low, high = engine.low, engine.high
    found = []
    for seed in range(first, first + count):
        position = root(game, contract, deals, seed)
        engine.memory.clear()
        watch = engine.watched()
        asked = (low, high) if exact else (enough(contract),)
        value = engine.search(position, game.max_plies, *asked, guess=float((low + high) // 2))
        found.append([watch.nodes, watch.seconds, float(value)])
    return found


def _fits(task: Sequence[Any], result: Any) -> bool:
    return is_table(result, task[-1], 3) and all(deal[1] > 0 for deal in result)


def run(settings: Settings, say: Say) -> Result:
    contract, kind = settings.parameters["contract"], settings.parameters["deals"]
    if kind not in DEALS:
        raise UnknownName(f"no kind of deals is called {kind}: {nearest(kind, DEALS)}")
    compared = ways(games.load("skat", {"contract": contract}))
    blocks = [
        (settings.seed + first, min(BLOCK, settings.samples - first)) for first in range(0, settings.samples, BLOCK)
    ]
    tasks = [
        (contract, kind, way.method, asdict(way.options), way.exact, way.sizes, *block)
        for block in blocks
        for way in compared
    ]
    found = gather(settings, EXPERIMENT.name, tasks, search_deals, say, _fits)
    deals = {
        way.name: [deal for block in range(len(blocks)) for deal in found[block * len(compared) + number]]
        for number, way in enumerate(compared)
    }
    _agree(compared, deals, enough(contract))
    rows = [_row(way, deals, contract) for way in compared]
    head = ("order", "method", "deals", "nodes", "of X, %", "ms", "million nodes/s", "paper, nodes", "paper, ms")
    won = fmean(deal[2] >= enough(contract) for deal in deals["X"])
    words = [
        f"{settings.samples} {kind} deals of {contract}, seeds from {settings.seed}; nodes and milliseconds a deal, "
        f"one core; the declarer wins {100 * won:.0f} % of them. The size term saves "
        f"{100 * (1 - _mean(deals, 'X − C·S') / _mean(deals, 'X')):.0f} % of the nodes (paper: 39 %).",
    ]
    return Result(Table(head, rows), _plot(rows, contract), words)


def _agree(compared: Sequence[Way], deals: dict[str, list[list[float]]], goal: int) -> None:
    """Searches that differ about a deal cannot all be right."""
    truth = [deal[2] for deal in deals["X"]]
    for way in compared:
        for number, (deal, value) in enumerate(zip(deals[way.name], truth)):
            if (deal[2] != value) if way.exact else ((deal[2] > 0) != (value >= goal)):
                raise AssertionError(f"{way.name} finds {deal[2]:g} for deal {number}, where {value:g} is right")


def _row(way: Way, deals: dict[str, list[list[float]]], contract: str) -> tuple[Any, ...]:
    mine = deals[way.name]
    nodes, seconds = _mean(deals, way.name), fmean(deal[1] for deal in mine)
    published = PAPER.get(way.name, ("", ""))
    share = 100 * nodes / _mean(deals, "X")
    return (way.name, way.method, len(mine), round(nodes), share, 1000 * seconds, nodes / seconds / 1e6, *published)


def _mean(deals: dict[str, list[list[float]]], name: str) -> float:
    return fmean(deal[0] for deal in deals[name])


def _plot(rows: list[tuple[Any, ...]], contract: str) -> str:
    """The share of the nodes, way after way."""
    points = [(float(number), float(row[4])) for number, row in enumerate(rows, 1)]
    lines = [Line(f"{number}: {row[0]}", [(float(number), float(row[4]))]) for number, row in enumerate(rows, 1)]
    return chart(f"Skat, {contract}: nodes", "way", "% of X", [Line("nodes", points), *lines], 100)


EXPERIMENT = Experiment(
    name="skat",
    summary="nodes and time that a size term saves in Skat with open hands",
    source="Furtak and Buro 2009",
    samples=40,
    run=run,
    parameters={"contract": "clubs", "deals": "strong"},
)
