"""What the benchmarks share: timing that survives a noisy machine, and tables that can be pasted into the docs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from zermelo.core.method import Options
from zermelo.methods.requests import request
from zermelo.rules import Game


def load() -> str:
    """The load of the machine, to be stated beside every figure."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def engine_of(
    game: Game, method: str | None = None, options: Options | None = None, estimates: bool = False, **settings: Any
) -> Any:
    """A search, compiled and ready to be called: by its text, or the one that `solve` takes."""
    made = request(method, game, "prove", options=options, **{"mode": "compiled", **settings})
    return made.open(game).engine(estimates)


def timed(job: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = job()
    return time.perf_counter() - start, result


def alternate(jobs: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The best of several rounds of each job, taken in turn so that a disturbance hits all alike. A job returns
    a rate: more is better."""
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, job in jobs.items():
            best[name] = max(best.get(name, 0.0), job())
    return best


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print a Markdown table."""
    print(f"\n### {title} ({load()})\n")
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(_cell(value) for value in row) + " |", flush=True)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
