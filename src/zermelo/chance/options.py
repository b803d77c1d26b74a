"""How a search with chance nodes is built, beyond what every search can be told."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zermelo.core.method import Options
from zermelo.rules import UnknownName, Unsuitable, nearest

PROBED = 32
"""How many moves of an outcome a probing search can keep in mind."""
FORMS = ("auto", "equal", "integer", "general")
OUTCOME_SOURCES = ("hash", "killers", "informative", "history")
ESTIMATORS = ("static", "shallow", "sampled")
ATTITUDES = ("expected", "hope", "safe", "random")


@dataclass(frozen=True)
class ChanceOptions(Options):
    """Options of the Star family. All but `probes`, `attitude` and `tolerance` is constant to the compiler.

    form: how values are averaged (see `outcomes`): `equal` for fair dice, `integer` for integer weights, `general`
    for probabilities; auto takes the simplest that is right for the game. outcome_order: what orders the outcomes of a
    chance node. merge: outcomes that lead to equivalent positions are searched once, with their weights added.
    probes: how many moves Star2 probes below an outcome; the last number serves all further outcomes.

    Rules that keep chance nodes out of a search, each off by default (see `depth_rules`): max_chance, the most on a
    path; chance_margin, none that many plies before the horizon; chance_gap, that many decisions between two;
    chance_last, moves that lead to one come last; chance_charge, plies charged for each doubling of its outcomes.

    attitude: how the move is chosen among those within `tolerance` of the best expected value (see `risk`).

    Approximate probes (see `approximate`): estimator, static, shallow or sampled; confidence, above which a node is cut
    off; error, the standard error of an estimate as a share of the range; promising, how many outcomes strategy I
    looks at; samples, how many random games a sampled estimate takes. approximate marks the methods that do it.
    """

    form: str = "auto"
    outcome_order: tuple[str, ...] = ()
    merge: bool = True
    probes: tuple[int, ...] = (1,)
    max_chance: int | None = None
    chance_margin: int = 0
    chance_gap: int = 0
    chance_last: bool = False
    chance_charge: int = 0
    attitude: str = "expected"
    tolerance: float | None = None
    approximate: bool = False
    estimator: str = "static"
    confidence: float = 0.95
    error: float = 0.1
    promising: int = 2
    samples: int = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form not in FORMS:
            raise UnknownName(f"no form of averaging is called {self.form}: {nearest(self.form, FORMS)}")
        unknown = set(self.outcome_order) - set(OUTCOME_SOURCES)
        if unknown:
            raise UnknownName(
                f"no order of outcomes is called {min(unknown)}: {nearest(min(unknown), OUTCOME_SOURCES)}"
            )
        if not self.probes or min(self.probes) < 0:
            raise Unsuitable(f"a probing factor must be 0 (no probes) or more, not {min(self.probes, default='none')}")
        if max(self.probes) > PROBED:
            raise Unsuitable(f"a probing factor can be at most {PROBED}, not {max(self.probes)}")
        if self.attitude not in ATTITUDES:
            raise UnknownName(f"no attitude is called {self.attitude}: {nearest(self.attitude, ATTITUDES)}")
        if self.tolerance is not None and not self.tolerance >= 0:
            raise Unsuitable(f"a tolerance must be 0 or more, not {self.tolerance}")
        if self.estimator not in ESTIMATORS:
            raise UnknownName(f"no estimator is called {self.estimator}: {nearest(self.estimator, ESTIMATORS)}")
        if not 0.5 <= self.confidence < 1:
            raise Unsuitable(f"a confidence must be from 0.5 to below 1, not {self.confidence}")
        if not self.error >= 0:
            raise Unsuitable(f"the error of an estimate must be 0 or more, not {self.error}")
        if self.promising < 1 or self.samples < 2:
            raise Unsuitable(
                f"at least 1 promising outcome and 2 samples are needed, not {self.promising} and {self.samples}"
            )
        for name in ("max_chance", "chance_margin", "chance_gap", "chance_charge"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise Unsuitable(f"{name} must be 0 or more, not {value}")

    @property
    def compiled(self) -> ChanceOptions:
        """What of the options a compiled kernel depends on."""
        return replace(self, probes=(1,), attitude="expected", tolerance=None)

    @property
    def forbids(self) -> bool:
        """Whether there is a rule by which moves to chance nodes can be left out."""
        return self.max_chance is not None or self.chance_margin > 0 or self.chance_gap > 0

    @property
    def path_matters(self) -> bool:
        """Whether what is left out depends on the path, so that the table must tell paths apart."""
        return self.max_chance is not None or self.chance_gap > 0
