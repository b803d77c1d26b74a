"""Which edge of a node to follow: the one that is worth it, or that too little is known of.

    uct     q + c √(ln N / n)                Kocsis and Szepesvári 2006, "Bandit based Monte-Carlo planning"
    puct    q + c P √N / (1 + n)             Rosin 2011, in the form of Silver et al. 2017

q is the edge's value for whoever is to move, from 0 to 1; n its visits, N those of the node, P the share of the move in
the game's `policy`. c is multiplied by how far the results of this search lie apart, as a share of how far they could:
else games whose bounds are rarely reached would be tried at random. Into q go, where asked for, the moves of later play
(RAVE: Gelly and Silver 2007, with their schedule β = √(k / (3N + k))) and the estimates backed up by minimax (Lanctot
et al. 2014, "Monte Carlo tree search with heuristic evaluations using implicit minimax backups"). A progressive bias H
/ (n + 1) is added, and with progressive unpruning only the most liked moves are looked at while visits are few (Chaslot
et al. 2008, "Progressive strategies for Monte-Carlo tree search"). With progressive widening the first k = ⌈c t^α⌉
moves or outcomes are (Couëtoux et al. 2011, "Continuous upper confidence trees"); which come first is random, or by
liking.

A move that is proven to be no better than what is already certain is not looked at again. What another thread is
looking at right now counts as lost, by as much as results lie apart, until it knows more (virtual loss: Chaslot,
Winands and van den Herik 2008, "Parallel Monte-Carlo tree search"): each thread tells the others, ply by ply, which
edges it follows. It does so all the way down, for only where visits are few does one more turn another thread aside:
threads that are told of the first plies alone end at the same leaf, and what the second one finds there is worth
little.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import PLIES, plies_of
from zermelo.core.method import Parts
from zermelo.rules import Game, equal_weight, f64, i64, u64
from zermelo.sampling.dice import Dice
from zermelo.sampling.options import TreeOptions
from zermelo.sampling.tree import E_LOWER, E_UPPER, E_VALUE, E_VISITS, LOWER, SIZE, UPPER, VALUE, VISITS, Tree

UNPRUNE_AFTER, UNPRUNE_FACTOR = 40.0, 1.3
"""Another move joins when a node has 40 visits, and whenever its visits have grown by a factor of 1.3."""
FEW = 1 << 12
"""What fewer visits than these say about doubt is looked up."""
LINE = 8
"""Words of a cache line."""
SHARE = 16
"""Simulations begin at a steady position, once one has come there, for one in so many of its visits."""
URGENT = 1e9
"""What a move is worth that was never tried."""


def doubts() -> dict[str, list[float]]:
    """√(ln N) for the first N, what visits of a node add to the doubt about its edges, and 1/√n, what is left of that
    after n visits of an edge. No visit counts as one."""
    visits = [max(number, 1) for number in range(FEW)]
    return {"doubts": [math.sqrt(math.log(n)) for n in visits], "doubts_left": [1.0 / math.sqrt(n) for n in visits]}


def trail_of(game: Game) -> int:
    """How many words tell the others where a thread is: the edges on the way to where it begins its simulations, how
    many these are, and the edges that it follows from there. What is written at other times is kept off the same cache
    lines."""
    return 2 * _way_of(game)


def _way_of(game: Game) -> int:
    return plies_of(game) + 2 * LINE


class Selection(NamedTuple):
    """How the tree is descended."""

    select: Kernel  # (ws, ply, node, who, company) -> the edge that a player follows
    toss: Kernel  # (ws, node) -> the edge of an outcome
    begin: Kernel  # (ws, before, top): tell the others that simulations begin at another ply than before
    meets: Kernel  # (ws, ply, top) -> whether another thread begins on this way, or this one on the way of another
    followed: Kernel  # (ws, ply, edge) -> whether another thread follows an edge


def selection(mode: Mode, parts: Parts, tree: Tree, dice: Dice) -> Selection:
    """The kernels for one game and one set of options."""
    game, options = parts.game, parts.options
    assert isinstance(options, TreeOptions)
    count, number, edge_at, layout = tree.count, tree.number, tree.edge, tree.layout
    read, write, word, signed, nothing = mode.read_word, mode.write_word, mode.word, mode.signed, mode.word(0)
    below, share_of = dice.below, dice.share
    low, high = float(game.values[0]), float(game.values[1])
    scale = 1.0 / (high - low)
    puct, biased, unpruned = options.select == "puct", options.bias > 0, options.unprune > 0
    raved, implicit, solving = options.rave > 0, options.minimax > 0, options.solver
    widened, sampled = options.widen in ("moves", "both"), options.chance == "sample"
    fair = game.weight is equal_weight
    widened_outcomes = options.widen in ("outcomes", "both")
    visits_at, value_at, lower_at, upper_at = word(E_VISITS), word(E_VALUE), word(E_LOWER), word(E_UPPER)
    node_visits, node_value, size_at = word(VISITS), word(VALUE), word(SIZE)
    node_lower, node_upper = word(LOWER), word(UPPER)
    prior_at, later_at, estimate_at = word(layout.prior), word(layout.later), word(layout.estimate)
    later_value_at = word(layout.later + 1)
    room, way, station = trail_of(game), _way_of(game), _way_of(game) - LINE
    urgent, step_of_log = URGENT, 1 / math.log(UNPRUNE_FACTOR)
    mode.needs(
        spread=f64,  # how far results lie apart, as a share of how far they could
        c=f64, rave=f64, bias=f64, unprune=i64, widen_c=f64, widen_alpha=f64, minimax=f64,
        busy=u64,  # what every thread follows, ply by ply
        thread=i64, threads=i64,
        followed=(u64, PLIES),  # the edges of the present simulation
    )  # fmt: skip
    if not puct:
        mode.needs(doubts=(f64, FEW), doubts_left=(f64, FEW))

    @mode.inline
    def for_mover(value, who):
        """A score as a share of the range, for whoever is to move."""
        return (high - value) * scale if who == 1 else (value - low) * scale

    @mode.inline
    def begin(ws, before, top):
        place = ws.thread * room
        for ply in range(min(before, top), max(before, top)):
            write(ws.busy, word(place + ply), ws.followed[ply] if ply < top else nothing)
        write(ws.busy, word(place + station), word(top))

    @mode.inline
    def meets(ws, ply, top):
        for other in range(ws.threads):
            if other != ws.thread:
                last = min(top, signed(read(ws.busy, word(other * room + station)))) - 1
                if last < ply or read(ws.busy, word(other * room + last)) == ws.followed[last]:
                    return True
        return False

    @mode.inline
    def followed(ws, ply, edge):
        """Whether another thread follows an edge."""
        for other in range(ws.threads):
            if other != ws.thread:
                place = other * room + ply
                if read(ws.busy, word(place)) == edge or read(ws.busy, word(place + way)) == edge:
                    return True
        return False

    @mode.inline
    def awaited(ws, ply, edge, n):
        """How many results other threads will bring to an edge that was followed n times: one each, and many where
        they begin below it."""
        found = 0
        for other in range(ws.threads):
            if other != ws.thread:
                place = other * room + ply
                if read(ws.busy, word(place)) == edge:
                    found += 1 + n // SHARE
                elif read(ws.busy, word(place + way)) == edge:
                    found += 1
        return found

    @mode.inline
    def crossed(ws, ply, node):
        """Whether another thread follows any edge of a node."""
        end = edge_at(node, count(ws, node + size_at))
        for other in range(ws.threads):
            if other != ws.thread:
                place = other * room + ply
                if node < read(ws.busy, word(place)) < end or node < read(ws.busy, word(place + way)) < end:
                    return True
        return False

    @mode.inline
    def widened_to(ws, visits):
        return math.ceil(ws.widen_c * max(visits, 1) ** ws.widen_alpha)

    @mode.inline
    def shown(ws, node, visits):
        """How many of a node's moves are looked at."""
        n = count(ws, node + size_at)
        if widened:
            n = min(n, widened_to(ws, visits))
        if unpruned:
            more = 0
            if visits >= UNPRUNE_AFTER:
                more = 1 + int(math.log(visits / UNPRUNE_AFTER) * step_of_log)
            n = min(n, ws.unprune + more)
        return n

    @mode.inline
    def worth(ws, edge, n, who):
        """What is known of an edge that was followed n > 0 times."""
        q = for_mover(number(ws, edge + value_at), who)
        if implicit:
            q = (1.0 - ws.minimax) * q + ws.minimax * for_mover(number(ws, edge + estimate_at), who)
        if raved:
            later = count(ws, edge + later_at)
            if later > 0:
                share = math.sqrt(ws.rave / (3.0 * n + ws.rave))
                q = (1.0 - share) * q + share * for_mover(number(ws, edge + later_value_at), who)
        return q

    @mode.inline
    def untried(ws, node, edge, who):
        """The same for an edge that never was; one that is not liked better than others comes at once."""
        if puct:
            return for_mover(number(ws, node + node_value), who)
        if raved and count(ws, edge + later_at) > 0:
            return 1.0 + for_mover(number(ws, edge + later_value_at), who)
        return urgent

    @mode.inline
    def doubt_of(ws, visits):
        """What a node's visits add to the doubt about its edges."""
        if puct:
            return math.sqrt(max(visits, 1))
        return ws.doubts[visits] if visits < FEW else math.sqrt(math.log(visits))

    @mode.inline
    def left_after(ws, n):
        """What is left of the doubt about an edge after n > 0 visits."""
        return ws.doubts_left[n] if n < FEW else 1.0 / math.sqrt(n)

    @mode.inline
    def select(ws, ply, node, who, company):
        visits = count(ws, node + node_visits)
        doubt = ws.c * ws.spread * doubt_of(ws, visits)
        best, chosen = -1.0, edge_at(node, 0)
        n_edges = shown(ws, node, visits) if widened or unpruned else count(ws, node + size_at)
        bar = number(ws, node + (node_upper if who == 1 else node_lower))
        shared = company and crossed(ws, ply, node)
        for _ in range(2):
            for i in range(n_edges):
                edge = edge_at(node, i)
                if solving:
                    if who == 1:
                        if number(ws, edge + lower_at) >= bar:
                            continue
                    elif number(ws, edge + upper_at) <= bar:
                        continue
                n = count(ws, edge + visits_at)
                q = untried(ws, node, edge, who) if n == 0 else worth(ws, edge, n, who)
                if shared:
                    lost = awaited(ws, ply, edge, n)
                    if lost > 0:
                        q = 0.0 if n == 0 else q - min(q, 0.5 * ws.spread) * lost / (n + lost)
                        n += lost
                if puct:
                    q += doubt * number(ws, edge + prior_at) / (1.0 + n)
                elif n > 0:
                    q += doubt * left_after(ws, n)
                if biased:
                    q += ws.bias * number(ws, edge + prior_at) / (n + 1.0)
                if q > best:
                    best, chosen = q, edge
                    if q >= urgent and not biased:
                        break
            if best >= 0.0:
                break
            n_edges = count(ws, node + size_at)  # all that were shown are settled: look at the others
        return chosen

    @mode.inline
    def toss(ws, node):
        n = count(ws, node + size_at)
        if widened_outcomes:
            n = min(n, widened_to(ws, count(ws, node + node_visits)))
        if sampled and fair:
            return edge_at(node, below(ws, n))
        if sampled:
            total = 1.0
            if widened_outcomes:
                total = 0.0
                for i in range(n):
                    total += number(ws, edge_at(node, i) + prior_at)
            left = share_of(ws) * total
            for i in range(n - 1):
                left -= number(ws, edge_at(node, i) + prior_at)
                if left < 0.0:
                    return edge_at(node, i)
            return edge_at(node, n - 1)
        least, ties = count(ws, edge_at(node, 0) + visits_at), 0  # even rounds: any of those that came least often
        for i in range(n):
            seen = count(ws, edge_at(node, i) + visits_at)
            if seen < least:
                least, ties = seen, 0
            if seen == least:
                ties += 1
        skip = below(ws, ties)
        for i in range(n):
            if count(ws, edge_at(node, i) + visits_at) == least:
                if skip == 0:
                    return edge_at(node, i)
                skip -= 1
        return edge_at(node, 0)

    return Selection(select, toss, begin, meets, followed)
