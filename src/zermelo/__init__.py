"""Zermelo solves and plays games: rules written once, in Python, searched at native speed.

>>> import zermelo as z
>>> answer = z.solve(z.games.tic_tac_toe())
>>> answer.value, answer.status, len(answer.best)
(0, 'proven', 9)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo import games
    from zermelo.compile.conformance import check
    from zermelo.compile.watch import Limits
    from zermelo.proof.checker import verify
    from zermelo.proof.compare import compare
    from zermelo.proof.difficulty import difficulty
    from zermelo.proof.minimum_graphs import minimum_proof_graph
    from zermelo.proof.proving import prove
    from zermelo.search.fastest_cut import CutFirst
    from zermelo.search.method import Options
    from zermelo.search.perft import perft
    from zermelo.search.playing import Analyst, analyse, best_move
    from zermelo.search.solving import solve

__all__ = [
    "Analyst", "CutFirst", "Limits", "Options", "analyse", "best_move", "check", "compare", "difficulty", "games",
    "minimum_proof_graph", "perft", "prove", "solve", "verify",
]  # fmt: skip
__version__ = "0.1.0"

_HOMES = {
    "check": "zermelo.compile.conformance",
    "Limits": "zermelo.compile.watch",
    "compare": "zermelo.proof.compare",
    "difficulty": "zermelo.proof.difficulty",
    "minimum_proof_graph": "zermelo.proof.minimum_graphs",
    "prove": "zermelo.proof.proving",
    "verify": "zermelo.proof.checker",
    "CutFirst": "zermelo.search.fastest_cut",
    "Options": "zermelo.search.method",
    "perft": "zermelo.search.perft",
    "Analyst": "zermelo.search.playing",
    "analyse": "zermelo.search.playing",
    "best_move": "zermelo.search.playing",
    "solve": "zermelo.search.solving",
}


def __getattr__(name: str) -> Any:
    """Everything is fetched when first used: help must not wait for NumPy, nor a list of games for Numba."""
    if name == "games":
        return importlib.import_module("zermelo.games")
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"zermelo has no {name}")
