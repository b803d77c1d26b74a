"""How proof searches are built: what the minimax family can be told, and what only they have."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.core.method import Options
from zermelo.rules import UnknownName, nearest

LEAVES = ("one", "mobility", "effort", "estimate")
SELECTIONS = ("standard", "leftmost")


@dataclass(frozen=True)
class ProofOptions(Options):
    """All of it is constant to the compiler.

    leaves: what a position that has not been looked into is expected to cost. `one`: 1 either way (Allis 1994);
    `mobility`: a proof must answer every move of the other side, so as many as there are (the same); `effort`: the
    game's own hook; `estimate`: the likelier claim costs less, by the game's evaluation (df-pn+, Nagai 2002).
    weak: a sum of numbers is replaced by the largest, and one for every other, so that what several moves lead to
    is not counted for each of them (weak proof-number search, Ueda, Hashimoto, Hashimoto and Iida 2008).
    selection: how proof-number search goes down to the most-proving node. `standard`: by the smallest proof number
    where one move is enough, the smallest disproof number where all must be answered (Allis 1994); `leftmost`: it
    first decides whether to prove or to disprove, and where all must be answered takes the first that is open (Hsu's
    lecture notes). graph: proof-number search keeps one node for a position, however it is reached.
    """

    leaves: str = "one"
    weak: bool = False
    selection: str = "standard"
    graph: bool = False
    order: tuple[str, ...] | None = ("order",)

    def __post_init__(self) -> None:
        super().__post_init__()
        for what, name, known in (("leaf cost", self.leaves, LEAVES), ("selection", self.selection, SELECTIONS)):
            if name not in known:
                raise UnknownName(f"no {what} is called {name}: {nearest(name, known)}")
