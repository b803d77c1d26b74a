"""Zermelo solves and plays games: rules written once, in Python, searched at native speed.

>>> import zermelo as z
>>> answer = z.solve(z.games.tic_tac_toe())
>>> answer.value, answer.status, len(answer.best)
(0, 'proven', 9)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from zermelo.version import __version__

if TYPE_CHECKING:
    from zermelo import games
    from zermelo.certificates.checker import verify
    from zermelo.certificates.proving import prove
    from zermelo.checking.conformance import check
    from zermelo.compile.watch import Limits
    from zermelo.core.fastest_cut import CutFirst
    from zermelo.core.method import Options
    from zermelo.core.perft import perft
    from zermelo.methods.searching import Analyst, analyse, best_move
    from zermelo.methods.solving import solve
    from zermelo.minimum.smallest_graph import minimum_proof_graph
    from zermelo.studies.compare import compare
    from zermelo.studies.difficulty import difficulty

__all__ = [
    "Analyst",
    "CutFirst",
    "Limits",
    "Options",
    "__version__",
    "analyse",
    "best_move",
    "check",
    "compare",
    "difficulty",
    "games",
    "minimum_proof_graph",
    "perft",
    "prove",
    "solve",
    "verify",
]  # fmt: skip

_HOMES = {
    "check": "zermelo.checking.conformance",
    "Limits": "zermelo.compile.watch",
    "compare": "zermelo.studies.compare",
    "difficulty": "zermelo.studies.difficulty",
    "minimum_proof_graph": "zermelo.minimum.smallest_graph",
    "prove": "zermelo.certificates.proving",
    "verify": "zermelo.certificates.checker",
    "CutFirst": "zermelo.core.fastest_cut",
    "Options": "zermelo.core.method",
    "perft": "zermelo.core.perft",
    "Analyst": "zermelo.methods.searching",
    "analyse": "zermelo.methods.searching",
    "best_move": "zermelo.methods.searching",
    "solve": "zermelo.methods.solving",
}


def __getattr__(name: str) -> Any:
    """Everything is fetched when first used: help must not wait for NumPy, nor a list of games for Numba."""
    if name == "games":
        return importlib.import_module("zermelo.games")
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"zermelo has no {name}")
