"""Approximate probes, strategy I: look at the most promising outcomes first, two plies shallower.

The few outcomes (option `promising`) that bring a bound of the node furthest towards a cut-off, by the static estimate,
are searched with less depth. If what they show, with all the others at the far end of the range, puts the node outside
the window at the stated confidence, it is cut off; otherwise Star1 goes on. See `approximate` for the sums.

Hsu, "Theory of Computer Games: Selected advanced topics", approximated probes, strategy I.
"""

from __future__ import annotations

from zermelo.chance.approximate import approximate_node
from zermelo.chance.driver import star
from zermelo.chance.family import family
from zermelo.chance.options import ChanceOptions
from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts


def star_promising(mode: Mode, parts: Parts) -> Kernel:
    return family(mode, parts, approximate_node(promising=True))


METHOD = star(
    name="star-promising",
    summary="Star1 that may cut off after a shallow look at a few promising outcomes; heuristic",
    source="Hsu 2022; Buro 1995",
    kernel=star_promising,
    options=ChanceOptions(approximate=True, estimator="shallow"),
)
