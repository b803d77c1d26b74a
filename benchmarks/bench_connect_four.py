"""Connect Four solved exactly with the game's hooks, one core: whole boards, and two published sets of positions.

Usage: bench_connect_four.py [--full]     (--full adds the 7×6 board from the start, a few minutes and 2 GB)
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from common import table, timed
from zermelo import games, solve
from zermelo.methods.requests import request

ROUNDS = 3
DATA = Path(__file__).parent / "data" / "connect-four"


def boards(full: bool) -> None:
    rows = []
    for width, height in ((5, 5), (6, 5), (5, 6), (6, 6), *([(7, 6)] if full else [])):
        memory = "2GB" if width * height > 36 else "256MB"
        answer = solve(games.connect_four(width=width, height=height), memory=memory)
        assert answer.status == "proven"
        rows.append(
            [f"{width}×{height}", answer.value, " ".join(answer.best), answer.nodes, answer.extra_nodes, answer.seconds,
             (answer.nodes + answer.extra_nodes) / answer.seconds / 1e6, memory]
        )  # fmt: skip
    head = ["wide × high", "value", "best columns", "nodes", "nodes for all best moves and the line", "seconds, all",
            "M nodes/s", "table"]  # fmt: skip
    table("Connect Four from the empty board", head, rows)


def sets() -> None:
    game = games.connect_four(distance=True)
    rows = []
    for name in ("end-easy", "middle-easy"):
        lines = (DATA / f"{name}.txt").read_text().split("\n")
        cases = [line.split() for line in lines if line.strip()]
        positions = [game.position(moves) for moves, _ in cases]
        scores = [int(score) if p.turn == 0 else -int(score) for p, (_, score) in zip(positions, cases)]
        request("mtdf(mode=compiled)", game).open(game).solve_many(positions[:1])  # compiled before the clock runs
        for best_moves in (False, True):
            best = None
            for _ in range(ROUNDS):
                with request("mtdf(mode=compiled)", game).open(game) as session:
                    seconds, done = timed(partial(session.solve_many, positions, best_moves=best_moves))
                assert done.values == scores
                best = min(best or (seconds, done.seconds), (seconds, done.seconds))
            rows.append([name, "with best moves" if best_moves else "values", len(cases), done.nodes / len(cases),
                         1e3 * best[0], 1e3 * best[1], best[0] / best[1]])  # fmt: skip
    head = ["set", "what", "positions", "mean nodes", "milliseconds for all", "in the kernel", "ratio"]
    table("Published positions, exact distance scores, as one batch", head, rows)


if __name__ == "__main__":
    sets()
    boards("--full" in sys.argv)
