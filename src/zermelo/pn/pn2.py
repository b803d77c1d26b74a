"""PN²: proof-number search whose leaves are looked into by a second proof-number search.

The second tree may grow as large as the first; what remains of it are the numbers of the leaf's children. So memory
lasts as far as its square would, for the price of searching much again. Allis 1994, "Searching for solutions in games
and artificial intelligence"; Breuker 1998, "Memory versus search in games".
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Method, Parts
from zermelo.pn.arena import arena
from zermelo.pn.growing import expanding, grow, growth
from zermelo.pn.options import ProofOptions
from zermelo.pn.pn import deciding, least_memory, one_claim

LEAST = 64
"""The second tree may have at least this many nodes."""


def pn2(mode: Mode, parts: Parts) -> Kernel:
    nodes = arena(parts.game, mode, claims=1)
    growing = growth(mode, parts, nodes.links, 1, one_claim(mode))
    look_closely = grow(mode, parts, nodes, growing, 1, expanding(mode, parts, nodes, growing.look))
    in_use, release, child_of, count_of = nodes.in_use, nodes.release, nodes.links.child_of, nodes.links.count_of
    one = mode.signed(1)

    @mode.kernel
    def expand(ws, ply, node, depth, goal):
        first_tree = in_use(ws)
        look_closely(ws, ply, node, depth, goal, first_tree + max(first_tree, LEAST), one - 1, one)
        for i in range(count_of(ws, node)):
            release(ws, child_of(ws, node, i))
        if count_of(ws, node) == 0:
            return False
        ws.full = 0  # the second tree was cut short, nothing more
        return True

    return deciding(mode, parts, nodes, growing, grow(mode, parts, nodes, growing, 1, expand))


METHOD = Method(
    name="pn2",
    summary="proof-number search in two levels: little memory, more work",
    source="Allis 1994; Breuker 1998",
    kernel=pn2,
    answers_claims=True,
    options=ProofOptions(order=(), knowledge=False),
    least_memory=least_memory,
)
