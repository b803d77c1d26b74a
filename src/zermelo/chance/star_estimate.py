"""Approximate probes, strategy II: a fast estimate of all outcomes, and a cut-off where it is confident enough.

The estimates are static, shallow searches, or sampled games (option `estimator`). See `approximate` for the sums.

Hsu, "Theory of Computer Games: Selected advanced topics", approximated probes, strategy II.
"""

from __future__ import annotations

from zermelo.chance.approximate import approximate_node
from zermelo.chance.driver import star
from zermelo.chance.family import family
from zermelo.chance.options import ChanceOptions
from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts


def star_estimate(mode: Mode, parts: Parts) -> Kernel:
    return family(mode, parts, approximate_node(promising=False))


METHOD = star(
    name="star-estimate",
    summary="Star1 that may cut off on quick estimates of all outcomes; heuristic",
    source="Hsu 2022; Buro 1995",
    kernel=star_estimate,
    options=ChanceOptions(approximate=True),
)
