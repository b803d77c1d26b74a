"""How long a person waits: the first answer in a fresh process, with an empty and with a full cache, and for help."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from common import table, timed

COMMANDS = {
    "zermelo --help": ["--help"],
    "zermelo games": ["games"],
    "zermelo solve tic-tac-toe": ["solve", "tic-tac-toe"],
    "zermelo solve connect-four 5×4": ["solve", "connect-four", "--set", "width=5", "--set", "height=4"],
    "zermelo search dark-chess, compiled": ["search", "dark-chess", "--nodes", "1000", "--mode", "compiled"],
    "zermelo search connect-four, mcts compiled": ["search", "connect-four", "--nodes", "1000", "--mode", "compiled"],
}
WARM_ROUNDS = 5


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "ZERMELO_CACHE": cache}

        def once(arguments: list[str]) -> float:
            command = [str(Path(sys.executable).with_name("zermelo")), *arguments]
            return timed(lambda: subprocess.run(command, env=environment, check=True, capture_output=True))[0]

        for name, arguments in COMMANDS.items():
            cold = once(arguments)
            rows.append([name, cold, min(once(arguments) for _ in range(WARM_ROUNDS))])
    table("Whole commands in a fresh process, seconds", ["", "empty cache", "full cache, best of 5"], rows)


if __name__ == "__main__":
    main()
