"""Python in fresh processes that share a compile cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = str(Path(__file__).parent.parent)


def start(code: str, cache: Path, *, cwd: Path, **environment: str) -> subprocess.Popen[str]:
    """A process that runs this code; modules are looked for in `cwd` too, and where tests find what they share."""
    path = os.pathsep.join([TESTS, os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path, "ZERMELO_CACHE": str(cache), **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def output(process: subprocess.Popen[str]) -> str:
    """What it printed, once it has ended well."""
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out.strip()


def run(code: str, cache: Path, *, cwd: Path, **environment: str) -> str:
    return output(start(code, cache, cwd=cwd, **environment))


def kept(cache: Path) -> dict[str, int]:
    """The files in a cache and when they were written."""
    return {path.name: path.stat().st_mtime_ns for path in cache.iterdir()}
