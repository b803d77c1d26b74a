"""What a second thread brings: time to the value with one and with two threads that share one table."""

from __future__ import annotations

import statistics

from common import engine_of, table, timed
from zermelo import games
from zermelo.rules import Position

BOARDS = {
    "connect-four 6×6": games.connect_four(width=6, height=6),
    "breakthrough 5×5": games.breakthrough(width=5, height=5),
    "othello 5×5": games.othello(rows=5, cols=5),
}
ROUNDS = 3


def seconds_with(game: object, threads: int) -> tuple[float, int, float]:
    engine = engine_of(game, threads=threads, memory="512MB")
    engine.memory.clear()
    watch = engine.watched()
    position = Position(game)
    low, high = engine.window(position)
    spent, value = timed(lambda: engine.search(position, game.max_plies, low, high, guess=float(high)))
    return spent, watch.nodes, float(value)


def main() -> None:
    rows = []
    for name, game in BOARDS.items():
        runs: dict[int, list[tuple[float, int, float]]] = {1: [], 2: []}
        for _ in range(ROUNDS):
            for threads, found in runs.items():
                found.append(seconds_with(game, threads))
        assert len({value for found in runs.values() for _, _, value in found}) == 1
        one, two = (statistics.median(spent for spent, _, _ in runs[threads]) for threads in (1, 2))
        nodes = [statistics.median(count for _, count, _ in runs[threads]) for threads in (1, 2)]
        rows.append([name, one, two, one / two, int(nodes[0]), int(nodes[1])])
    head = ["", "1 thread, s", "2 threads, s", "speed-up", "nodes, 1 thread", "nodes, 2 threads together"]
    table("Two threads sharing one table, median time to the value", head, rows)


if __name__ == "__main__":
    main()
