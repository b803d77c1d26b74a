"""Fixed-depth alpha-beta with a table on 7×6 Connect Four: the generic kernel against the same algorithm by hand in
C++ (connect_four.cpp), which visits exactly the same nodes. No game-specific hooks. Needs g++."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from common import alternate, engine_of, table, timed
from zermelo import games
from zermelo.core.method import Options
from zermelo.rules import Position

SETTINGS = ((13, 1), (16, 64))
ROUNDS = 7
GENERIC = Options(order=("hash",), knowledge=False)


def main() -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        sys.exit("bench_cpp needs g++ to compile the reference")
    game = games.connect_four()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/connect_four"
        source = Path(__file__).with_name("connect_four.cpp")
        subprocess.run([compiler, "-O3", "-march=native", "-std=c++17", "-o", program, str(source)], check=True)
        for depth, megabytes in SETTINGS:
            counts: dict[str, int] = {}

            def by_hand(depth: int = depth, megabytes: int = megabytes, counts: dict[str, int] = counts) -> float:
                found = json.loads(subprocess.check_output([program, str(depth), str(megabytes)]))
                counts["by hand"] = found["nodes"]
                return float(found["nodes"] / found["seconds"])

            def generic(depth: int = depth, megabytes: int = megabytes, counts: dict[str, int] = counts) -> float:
                engine = engine_of(game, "alphabeta", GENERIC, estimates=True, memory=f"{megabytes}MB")
                watch = engine.watched()
                seconds, _ = timed(lambda: engine.search(Position(game), depth, -1, 1))
                counts["generic"] = watch.nodes
                return watch.nodes / seconds

            best = alternate({"by hand": by_hand, "generic": generic}, ROUNDS)
            assert counts["by hand"] == counts["generic"], counts
            rows.append(
                [depth, f"{megabytes} MB", counts["generic"], best["by hand"] / 1e6, best["generic"] / 1e6,
                 best["generic"] / best["by hand"]]
            )  # fmt: skip
    head = ["depth", "table", "nodes (both)", "C++ by hand, M nodes/s", "Zermelo, M nodes/s", "ratio"]
    table("Alpha-beta with a table, Connect Four 7×6, generic kernel against C++ -O3 -march=native", head, rows)


if __name__ == "__main__":
    main()
