"""Connect Four solved exactly with the game's hooks, one core: whole boards, and two published sets of positions.

Usage: bench_connect_four.py [--full]     (--full adds the 7×6 board from the start, a few minutes and 2 GB)
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from common import table, timed
from zermelo import games, solve
from zermelo.core.engine import Engine
from zermelo.core.method import Options
from zermelo.core.solving import solve_with
from zermelo.methods.registry import method_named

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
        engine = Engine(game, method_named("mtdf"), Options())
        lines = (DATA / f"{name}.txt").read_text().split("\n")
        cases = [line.split() for line in lines if line.strip()]
        wrong = nodes = 0
        seconds = 0.0
        for moves, score in cases:
            position = game.position(moves)
            spent, answer = timed(partial(solve_with, engine, position))
            for_mover = answer.value if position.turn == 0 else -answer.value
            wrong += answer.status != "proven" or for_mover != int(score)
            nodes += answer.nodes
            seconds += spent
        rows.append([name, len(cases), wrong, nodes / len(cases), 1e3 * seconds / len(cases)])
    table(
        "Published positions, exact distance scores, one table kept throughout",
        ["set", "positions", "wrong", "mean nodes for the value", "mean milliseconds, best moves and line included"],
        rows,
    )


if __name__ == "__main__":
    sets()
    boards("--full" in sys.argv)
