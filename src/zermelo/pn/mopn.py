"""Multiple-outcome proof-number search: the value itself, not one claim after another.

Every score between the bounds is a claim of its own, "at least this much", with its own numbers at every node, and each
leaf that is looked into serves them all. The tree is grown for whichever open claim looks easiest to decide, either
way. Saffidine and Cazenave 2012, "Multiple-outcome proof number search". A node takes 8 bytes and 8 more for each score
above the lowest.

The kernel is `search(ws, ply, depth, alpha, beta)`, as in the minimax family: only claims inside the window are
decided.
"""

from __future__ import annotations

import numpy as np

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Method, Parts
from zermelo.pn.arena import arena, least_words
from zermelo.pn.growing import expanding, grow, growth
from zermelo.pn.options import ProofOptions
from zermelo.rules import Game, Unsuitable

MOST_CLAIMS = 512


def claims_of(game: Game) -> int:
    """One claim for each score above the lowest."""
    low, high = game.values
    if not game.integral or high - low > MOST_CLAIMS:
        raise Unsuitable(
            f"{game.name}: mopn needs whole scores, at most {MOST_CLAIMS} above the lowest; dfpn decides one claim "
            "at a time"
        )
    return int(high - low)


def mopn(mode: Mode, parts: Parts) -> Kernel:
    claims = claims_of(parts.game)
    low, number = int(parts.game.values[0]), parts.nodes.number
    nodes = arena(parts.game, mode, claims)
    clear, take, begin_node = nodes.clear, nodes.take, nodes.begin
    count_of, child_of, move_of, proof_of, disproof_of, _ = nodes.links
    mover = parts.nodes.mover
    room = mode.signed(1 << 40)

    @mode.inline
    def threshold(goal, claim):
        return number(low + 1 + claim)

    growing = growth(mode, parts, nodes.links, claims, threshold)
    look = growing.look
    grow_tree = grow(mode, parts, nodes, growing, claims, expanding(mode, parts, nodes, look))

    @mode.inline
    def lower_bound(ws, node):
        proven = 0
        while proven < claims and proof_of(ws, node, proven) == 0:
            proven += 1
        return low + proven

    @mode.inline
    def upper_bound(ws, node):
        left = claims
        while left > 0 and disproof_of(ws, node, left - 1) == 0:
            left -= 1
        return low + left

    @mode.kernel
    def search(ws, ply, depth, alpha, beta):
        clear(ws)
        root = take(ws, 1)
        begin_node(ws, root, 0)
        first = mover(ws, ply) == 0
        look(ws, ply, root, depth, 0)
        if ws.stop != 0:
            return alpha
        lowest, highest = (alpha, beta) if first else (-beta, -alpha)
        begin = min(max(int(np.floor(lowest)) - low, 0), claims)  # an empty window of floats lies between whole numbers
        end = min(max(int(np.ceil(highest)) - low, begin), claims)
        grow_tree(ws, ply, root, depth, 0, room, begin, end)
        least, most = lower_bound(ws, root), upper_bound(ws, root)
        if first:
            ws.lower, ws.upper = least, most
        else:
            ws.lower, ws.upper = -most, -least
        if ws.full != 0:
            ws.stop = 1
        for i in range(count_of(ws, root)):
            child = child_of(ws, root, i)
            if lower_bound(ws, child) >= least if first else upper_bound(ws, child) <= most:
                ws.move = move_of(ws, root, i)
                break
        if first:
            return number(least if least >= highest or least == most else most)
        return number(-most if most <= lowest or least == most else -least)

    return search


METHOD = Method(
    name="mopn",
    summary="proof-number search for all scores at once",
    source="Saffidine and Cazenave 2012",
    kernel=mopn,
    rounds=True,
    options=ProofOptions(order=(), knowledge=False),
    least_memory=lambda game: 8 * least_words(game, claims_of(game)),
)
