"""Kernels that call each other, compiled in one process and loaded in the next."""

from __future__ import annotations

from pathlib import Path

from processes import kept, run

HERE = Path(__file__).parent
SOLVE = """
from tiny import tiny
from zermelo import solve
from zermelo.core.method import PLAIN
for method in ("boolean", "mtdf"):
    answer = solve(tiny(5), method=method, options=PLAIN, mode="compiled")
    print(method, answer.value, answer.nodes, answer.best, answer.line)
"""


def test_loaded_kernels_search_like_compiled_ones(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    first = run(SOLVE, folder, cwd=HERE)
    files = kept(folder)
    assert len(files) == 2
    second = run(SOLVE, folder, cwd=HERE)
    assert second == first
    assert kept(folder) == files
    assert [line.split()[:2] for line in first.splitlines()] == [["boolean", "1"], ["mtdf", "1"]]
