"""What each source of move ordering is worth on three games: nodes that alpha-beta with a table needs."""

from __future__ import annotations

from dataclasses import replace

from common import engine_of, table
from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.core.fastest_cut import CutFirst
from zermelo.core.method import Options
from zermelo.rules import Position

BOARDS = {
    "connect-four 6×5": games.connect_four(width=6, height=5),
    "othello 4×6": games.othello(rows=4, cols=6),
    "breakthrough 4×5": games.breakthrough(width=4, height=5),
}
BASE = Options(order=())
VARIANTS = {
    "given order": BASE,
    "hash move": replace(BASE, order=("hash",)),
    "hash, killers": replace(BASE, order=("hash", "killers")),
    "hash, history": replace(BASE, order=("hash", "history")),
    "hash, killers, history": replace(BASE, order=("hash", "killers", "history")),
    "hash, order hook": replace(BASE, order=("hash", "order")),
    "hash, order hook, history": replace(BASE, order=("hash", "order", "history")),
    "hash, order hook, ETC": replace(BASE, order=("hash", "order"), etc=True),
    "hash, order hook, IID": replace(BASE, order=("hash", "order"), iid=True),
    "hash, killers, history, IID": replace(BASE, order=("hash", "killers", "history"), iid=True),
    "hash, fewest moves (S)": replace(BASE, order=("hash", "cut"), cut=CutFirst(value=0, size=1)),
    "hash, value − S": replace(BASE, order=("hash", "cut"), cut=CutFirst(size=1)),
    "hash, S/P": replace(BASE, order=("hash", "cut"), cut=CutFirst(form="ratio")),
    "hash, order hook − S": replace(BASE, order=("hash", "cut"), cut=CutFirst(value=0, order=1, size=1)),
    "hash, order hook − S/10": replace(BASE, order=("hash", "cut"), cut=CutFirst(value=0, order=1, size=0.1)),
}
LIMIT = 60_000_000


def main() -> None:
    rows = []
    for name, options in VARIANTS.items():
        row: list[object] = [name]
        for game in BOARDS.values():
            engine = engine_of(game, "alphabeta", options)
            watch = engine.watched(Limits(nodes=LIMIT), None)
            position = Position(game)
            low, high = engine.window(position)
            watch.run(lambda: engine.search(position, game.max_plies, low, high))  # noqa: B023  (runs at once)
            row += [f"over {LIMIT:,}" if watch.stopped else watch.nodes, watch.seconds]
        rows.append(row)
    head = ["order"]
    for name in BOARDS:
        head += [f"{name}, nodes", "s"]
    table("Nodes to solve, alpha-beta with a table of 256 MB and the games' bounds and candidates", head, rows)


if __name__ == "__main__":
    main()
