"""Star1SS: Star1's cut-offs on the samples of sparse sampling. Monte-Carlo *-minimax, the simpler half.

Of c = `width` draws at a chance node the value lies after i of them between

    m_i = (v_1 + … + v_i + (c - i) v_min) / c   and   M_i = (v_1 + … + v_i + (c - i) v_max) / c,

and the node ends as soon as m_i ≥ beta or M_i ≤ alpha (see `star1`). What is returned inside the window is the very
value that `sparse` finds with the same seed: the samples of a position do not depend on who asks for them, or when.

Lanctot, Saffidine, Veness, Archibald and Winands 2013, "Monte Carlo *-Minimax Search"; Ballard 1983.
"""

from __future__ import annotations

from zermelo.chance.family import family
from zermelo.chance.star1 import star1_node
from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts
from zermelo.sampling.sampled_search import sampled
from zermelo.sampling.samples import SampledOptions, on_samples


def star1ss(mode: Mode, parts: Parts) -> Kernel:
    return family(mode, parts, on_samples(star1_node))


METHOD = sampled(
    name="star1ss",
    summary="Star1 on a few drawn outcomes of each chance node; heuristic",
    source="Lanctot, Saffidine, Veness, Archibald and Winands 2013",
    kernel=star1ss,
    options=SampledOptions(),
)
