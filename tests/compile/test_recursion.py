"""Kernels that call each other, compiled in one process and loaded in the next."""

from __future__ import annotations

from pathlib import Path

import pytest
from processes import kept, run

from marks import slow

HERE = Path(__file__).parent
SOLVE = """
from tiny import tiny
from zermelo import solve
from zermelo.core.method import PLAIN
answer = solve(tiny(5), method="{method}", options=PLAIN, mode="compiled")
print(answer.method, answer.value, answer.nodes, answer.best, answer.line)
"""


@pytest.mark.parametrize("method", ["boolean", *slow("mtdf")])
def test_loaded_kernels_search_like_compiled_ones(tmp_path: Path, method: str) -> None:
    folder, code = tmp_path / "cache", SOLVE.format(method=method)
    first = run(code, folder, cwd=HERE)
    files = kept(folder)
    assert len(files) == 1
    second = run(code, folder, cwd=HERE)
    assert second == first
    assert kept(folder) == files
    assert first.split()[:2] == [method, "1"]
