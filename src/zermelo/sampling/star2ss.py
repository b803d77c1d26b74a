"""Star2SS: Star2 on the samples of sparse sampling. Monte-Carlo *-minimax with probes.

    draw c = `width` outcomes; for each, probe a move below it (as many as `probes` says): that bounds its value
    stop when the bounds of all leave the window; else Star1SS, with the bounds that the probes found

A node has few samples, so a few probes may decide it before any of them has been searched in full. The probes see the
same samples as the search after them; what is returned inside the window is what `sparse` finds with the same seed.

Lanctot, Saffidine, Veness, Archibald and Winands 2013, "Monte Carlo *-Minimax Search"; Ballard 1983.
"""

from __future__ import annotations

from zermelo.chance.family import family
from zermelo.chance.star2 import star2_node
from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts
from zermelo.sampling.sampled_search import sampled
from zermelo.sampling.samples import SampledOptions, on_samples


def star2ss(mode: Mode, parts: Parts) -> Kernel:
    return family(mode, parts, on_samples(star2_node), probes=True)


METHOD = sampled(
    name="star2ss",
    summary="Star2 on a few drawn outcomes of each chance node; heuristic",
    source="Lanctot, Saffidine, Veness, Archibald and Winands 2013",
    kernel=star2ss,
    options=SampledOptions(probes=(1,)),
)
