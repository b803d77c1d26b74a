"""Sparse sampling: expectiminimax on a few drawn outcomes of each chance node.

    SS(x, d) = (SS(p1, d) + … + SS(pw, d)) / w        w = `width` draws, with replacement, from the outcomes of x
    SS(p, d) = max or min of SS(q, d - 1)             over all moves; the estimate where d = 0

The work no longer depends on how many outcomes there are, and neither does the error: see `guarantee`. What was drawn
twice is looked at once, with twice the weight. It is Star0 on samples, and the measure of the searches that prune them.

Kearns, Mansour and Ng 2002, "A sparse sampling algorithm for near-optimal planning in large Markov decision processes";
Hsu, "Theory of Computer Games: Selected advanced topics", sparse sampling.
"""

from __future__ import annotations

from zermelo.chance.family import family
from zermelo.chance.star0 import star0_node
from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts
from zermelo.sampling.sampled_search import sampled
from zermelo.sampling.samples import SampledOptions, on_samples


def sparse(mode: Mode, parts: Parts) -> Kernel:
    return family(mode, parts, on_samples(star0_node))


METHOD = sampled(
    name="sparse",
    summary="expectiminimax on a few drawn outcomes of each chance node; heuristic",
    source="Kearns, Mansour and Ng 2002",
    kernel=sparse,
    options=SampledOptions(table=False, order=()),
)
