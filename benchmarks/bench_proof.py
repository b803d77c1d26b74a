"""Proof searches on games that are known: what it takes, one core. `--full` adds what needs minutes."""

from __future__ import annotations

import sys
import time

from common import engine_of, table
from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.core.engine import Engine
from zermelo.core.solving import solve_with
from zermelo.pn.options import ProofOptions
from zermelo.rules import Game, Position

VARIANTS = {
    "leaves=one, weak=off": ProofOptions(),
    "leaves=one, weak=on": ProofOptions(weak=True),
    "leaves=mobility, weak=off": ProofOptions(leaves="mobility"),
    "leaves=mobility, weak=on": ProofOptions(leaves="mobility", weak=True),
}
SMALL = {
    "hex 4×4": games.hex(size=4),
    "connect-four 5×4": games.connect_four(width=5, height=4),
    "breakthrough 4×5": games.breakthrough(width=4, height=5),
}
MATES = ("2e/l2/1CL/g1G[Ce] b", "1g+C/1lC/2G/EL1[E] w", "C1e/1g1/LCl/EG1[-] b")
"""Dobutsu shogi: positions from random games that are won by force."""


def claim(game: Game, engine: Engine, position: Position, at_least: float, seconds: float = 900) -> list[object]:
    """Decide one claim, nothing else: no best moves, no line."""
    watch = engine.watched(Limits(seconds=seconds), None)
    before = time.process_time()
    verdict = watch.run(lambda: engine.search(position, game.max_plies, at_least))
    spent = time.process_time() - before
    word = {1: "yes", -1: "no"}.get(verdict, "open") if not watch.stopped else "open"
    return [word, watch.nodes, spent, watch.nodes / spent / 1e6]


def openings(size: int) -> list[object]:
    """Which first moves of Hex win, all questions with one table."""
    game = games.hex(size=size)
    engine = engine_of(game, "dfpn", memory="2GB" if size > 4 else "256MB")
    nodes, before, won = 0, time.process_time(), []
    for move in game.position().moves():
        answer = claim(game, engine, game.position().play(move), 1)
        nodes += int(str(answer[1]))
        if answer[0] == "yes":
            won.append(move)
    spent = time.process_time() - before
    return [f"hex {size}×{size}, each opening", f"won: {' '.join(won)}", nodes, spent, nodes / spent / 1e6]


def main() -> None:
    rows: list[list[object]] = []
    for name, options in VARIANTS.items():
        row: list[object] = [name]
        for game in SMALL.values():
            row += claim(game, engine_of(game, "dfpn", options), Position(game), 1)[:2]
        rows.append(row)
    head = ["dfpn"] + [cell for name in SMALL for cell in (f"{name}: first wins?", "nodes")]
    table("Leaf costs and weak sums, table of 256 MB", head, rows)

    rows = [openings(4)]
    dobutsu = games.dobutsu()
    engine = engine_of(dobutsu, "dfpn", memory="512MB")
    for text in MATES:
        position = dobutsu.position(text)
        rows.append([f"dobutsu {text}", *claim(dobutsu, engine, position, 1)])
    if "--full" in sys.argv:
        four = games.connect_four(width=6, height=5)
        engine = engine_of(four, "dfpn", memory="4GB")
        for score in (1, 0):
            rows.append([f"connect-four 6×5, at least {score}", *claim(four, engine, Position(four), score)])
        five = games.breakthrough(width=5, height=5)
        engine = engine_of(five, "dfpn", memory="2GB")
        rows.append(["breakthrough 5×5, at least 1", *claim(five, engine, Position(five), 1)])
        rows.append(openings(5))
    table("df-pn, one core", ["claim", "verdict", "nodes", "cpu s", "million nodes/s"], rows)

    rows = []
    for name, method, options in (
        ("pn, tree", "pn", ProofOptions(order=(), knowledge=False)),
        ("pn, graph", "pn", ProofOptions(order=(), knowledge=False, graph=True)),
        ("pn2", "pn2", ProofOptions(order=(), knowledge=False)),
    ):
        game = games.connect_four(width=4, height=4)
        engine = engine_of(game, method, options, memory="1GB")
        answer = solve_with(engine, Position(game), at_least=1, limits=Limits(seconds=120))
        rows.append([name, answer.status, answer.nodes, answer.details.get("expanded", 0), answer.seconds])
    table("Best-first on Connect Four 4×4, 'first wins'", ["search", "status", "nodes", "expanded", "s"], rows)


if __name__ == "__main__":
    main()
