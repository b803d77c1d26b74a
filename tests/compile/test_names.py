"""Kernels kept by different processes, of one game with different parameters, do not run each other's rules."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOLVE = """
import json, sys
from zermelo import games, solve
answers = [solve(games.connect_four(width=int(w), height=4), mode="compiled") for w in sys.argv[1:]]
print(json.dumps([[answer.value, answer.best, answer.nodes] for answer in answers]))
"""


def in_a_process(cache: Path, *widths: int) -> list[list[object]]:
    command = [sys.executable, "-c", SOLVE, *map(str, widths)]
    environment = {**os.environ, "ZERMELO_CACHE": str(cache)}
    return json.loads(subprocess.check_output(command, env=environment))  # type: ignore[no-any-return]


@pytest.mark.slow
def test_kernels_of_two_processes_meet_in_a_third(tmp_path: Path) -> None:
    four, five = in_a_process(tmp_path, 4)[0], in_a_process(tmp_path, 5)[0]
    assert four != five
    assert in_a_process(tmp_path, 4, 5) == [four, five]
    assert in_a_process(tmp_path, 5, 4) == [five, four]
