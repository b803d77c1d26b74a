"""How Monte-Carlo tree search is built, beyond what every search can be told."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zermelo.core.method import Options
from zermelo.rules import UnknownName, Unsuitable, nearest

_WORDS = {
    "select": ("uct", "puct"),
    "chance": ("sample", "even", "all"),
    "playout": ("auto", "light", "decisive", "policy"),
    "widen": ("none", "moves", "outcomes", "both"),
    "parallel": ("tree", "root"),
}


@dataclass(frozen=True)
class TreeOptions(Options):
    """Options of Monte-Carlo tree search. Numbers are read while it runs; all else is constant to the compiler.

    playouts: how many one question may take. select: which child is followed, by `uct` or `puct`; c: how much doubt
    counts in that, by how far results lie apart. chance: how the outcomes of a chance node are taken, by their true
    probabilities (`sample`), in even rounds without putting back (`even`), or so and all of them as soon as the node is
    made (`all`). graph: ways that lead to the same position share what they learn, where positions have keys. solver:
    bounds that are certain are backed up too. expand: after how many visits a position gets a node of its own.

    playout: how play goes on below the tree, at random (`light`), taking wins and avoiding losses that are one move
    away (`decisive`), or by the game's hook (`policy`); auto is the hook, if there is one, else decisive where moves
    are few enough to be tried, else light. length: after how many plies `evaluate` ends it, None for the
    end of the game. reply: a reply that won is tried again (last good reply).

    rave: up to about how many visits the moves of later play count (RAVE); 0 is off. bias: the weight of a progressive
    bias towards what `evaluate` (or `order`, or `policy`) likes; 0 is off. unprune: how many moves, by the same liking,
    are looked at before others join them; 0 is all at once. widen: moves, outcomes or both join by k = ⌈widen_c ·
    visits^widen_alpha⌉. minimax: the share of the backed-up estimate in a value (implicit minimax); 0 is off.

    parallel: whether threads share one `tree`, or each grows its own from the same `root`.
    """

    playouts: int | None = None
    select: str = "uct"
    c: float = 0.7
    chance: str = "sample"
    graph: bool = True
    solver: bool = True
    expand: int = 1
    playout: str = "auto"
    length: int | None = None
    reply: bool = False
    rave: float = 0.0
    bias: float = 0.0
    unprune: int = 0
    widen: str = "none"
    widen_c: float = 1.0
    widen_alpha: float = 0.5
    minimax: float = 0.0
    parallel: str = "tree"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, known in _WORDS.items():
            given = getattr(self, name)
            if given not in known:
                raise UnknownName(f"{name} cannot be {given}: {nearest(given, known)}")
        for name, least in (("playouts", 1), ("length", 0), ("expand", 1), ("unprune", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise Unsuitable(f"{name} must be at least {least}, not {value}")
        for name in ("c", "rave", "bias"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise Unsuitable(f"{name} must be a number from 0 on, not {getattr(self, name)}")
        if not 0 < self.widen_c < float("inf"):
            raise Unsuitable(f"widen_c must be a number above 0, not {self.widen_c}")
        for name in ("widen_alpha", "minimax"):
            if not 0 <= getattr(self, name) <= 1:
                raise Unsuitable(f"{name} must be from 0 to 1, not {getattr(self, name)}")

    @property
    def limited(self) -> bool:
        return self.playouts is not None

    @property
    def compiled(self) -> TreeOptions:
        """What of the options a compiled kernel depends on: of the numbers, only whether they are used."""
        return replace(
            self, playouts=None, c=1.0, expand=1, length=None if self.length is None else 1, parallel="tree",
            rave=float(self.rave > 0), bias=float(self.bias > 0), unprune=int(self.unprune > 0), widen_c=1.0,
            widen_alpha=1.0, minimax=float(self.minimax > 0),
        )  # fmt: skip
