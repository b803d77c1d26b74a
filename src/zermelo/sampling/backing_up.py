"""What a simulation found, told to all edges and nodes on its way, from the last to the root.

An edge that leads to a node takes over what that says now, value and bounds; any other keeps the mean of what it led
to. Bounds are looked at again only where those below have changed.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Parts
from zermelo.rules import CHANCE, i64
from zermelo.sampling.options import TreeOptions
from zermelo.sampling.playouts import REPLIES
from zermelo.sampling.tree import E_LOWER, E_UPPER, E_VALUE, E_VISITS, LOWER, SIZE, UPPER, VALUE, VISITS, Tree


class BackingUp(NamedTuple):
    """How the tree learns."""

    narrow: Kernel  # (ws, node, who) -> whether its bounds have changed, by what its edges say
    weigh: Kernel  # (ws, node) -> the weighted mean of a chance node's outcomes, as far as they were tried
    learn_later: Kernel  # (ws, begin, end, value): moves made later count for all nodes of the way (AMAF)
    # tell all nodes and edges between two plies of the mean of so many results: (ws, begin, end, value, times)
    back_up: Kernel  # -> (narrower, value): whether bounds have changed at the first, and what those above it are told


def backing_up(mode: Mode, parts: Parts, tree: Tree) -> BackingUp:
    """The kernels for one game and one set of options."""
    game, options, mover = parts.game, parts.options, parts.nodes.mover
    assert isinstance(options, TreeOptions)
    count, put_count, number, put = tree.count, tree.put_count, tree.number, tree.put
    edge_at, child_of, move_of, layout = tree.edge, tree.child, tree.move, tree.layout
    word, nothing = mode.word, mode.word(0)
    has_chance, solving, implicit = game.has_chance, options.solver, options.minimax > 0
    sampled = options.chance == "sample" and options.widen not in ("outcomes", "both")
    low, high = float(game.values[0]), float(game.values[1])
    size_at, visits_at, value_at, lower_at, upper_at = (word(n) for n in (SIZE, VISITS, VALUE, LOWER, UPPER))
    e_visits, e_value, e_lower, e_upper = (word(n) for n in (E_VISITS, E_VALUE, E_LOWER, E_UPPER))
    prior_at, later_at, estimate_at = word(layout.prior), word(layout.later), word(layout.estimate)
    later_value_at = word(layout.later + 1)
    mode.needs(narrower=i64)
    if layout.later:
        mode.needs(stamps=(i64, 2, REPLIES), stamp=i64)

    @mode.inline
    def narrow(ws, node, who):
        n = count(ws, node + size_at)
        if has_chance and who == CHANCE:
            lower, upper = 0.0, 0.0
            for i in range(n):
                edge = edge_at(node, i)
                lower += number(ws, edge + prior_at) * number(ws, edge + e_lower)
                upper += number(ws, edge + prior_at) * number(ws, edge + e_upper)
        elif who == 1:
            lower, upper = high, high
            for i in range(n):
                edge = edge_at(node, i)
                lower = min(lower, number(ws, edge + e_lower))
                upper = min(upper, number(ws, edge + e_upper))
        else:
            lower, upper = low, low
            for i in range(n):
                edge = edge_at(node, i)
                lower = max(lower, number(ws, edge + e_lower))
                upper = max(upper, number(ws, edge + e_upper))
        changed = False
        if lower > number(ws, node + lower_at):  # what the rules say of the position itself may be more
            put(ws, node + lower_at, min(lower, number(ws, node + upper_at)))
            changed = True
        if upper < number(ws, node + upper_at):
            put(ws, node + upper_at, max(upper, number(ws, node + lower_at)))
            changed = True
        return changed

    @mode.inline
    def weigh(ws, node):
        total, mean = 0.0, 0.0
        for i in range(count(ws, node + size_at)):
            edge = edge_at(node, i)
            if count(ws, edge + e_visits) > 0:
                share = number(ws, edge + prior_at)
                total += share
                mean += share * number(ws, edge + e_value)
        return mean / total if total > 0.0 else mean

    @mode.inline
    def supposed(ws, node, who):
        """What the best move leads to by the estimates below; the mean of the outcomes, if nobody is to move."""
        n = count(ws, node + size_at)
        best = number(ws, edge_at(node, 0) + estimate_at)
        if has_chance and who == CHANCE:
            best = 0.0
            for i in range(n):
                edge = edge_at(node, i)
                best += number(ws, edge + prior_at) * number(ws, edge + estimate_at)
            return best
        for i in range(1, n):
            found = number(ws, edge_at(node, i) + estimate_at)
            if (found < best) if who == 1 else (found > best):
                best = found
        return best

    @mode.inline
    def take_over(ws, edge, node):
        """Have an edge say what the node does that it leads to; whether its bounds have changed. What the edge knows
        from a node that had to go can be more than the next one does."""
        lower, upper = number(ws, node + lower_at), number(ws, node + upper_at)
        put(ws, edge + e_value, min(max(number(ws, node + value_at), lower), upper))
        if not solving:
            return False
        before, above = number(ws, edge + e_lower), number(ws, edge + e_upper)
        lower = max(lower, before)
        upper = max(min(upper, above), lower)  # expectations are rounded
        if lower == before and upper == above:
            return False
        put(ws, edge + e_lower, lower)
        put(ws, edge + e_upper, upper)
        return True

    @mode.inline
    def back_up(ws, begin, end, value, times):
        narrower = solving and ws.narrower != 0  # whether the rules have said something new of the last edge
        ws.narrower = 0
        ply = end - 1
        while ply >= begin:
            node, edge, who = ws.passed[ply], ws.followed[ply], mover(ws, ply)
            n = count(ws, edge + e_visits) + times
            put_count(ws, edge + e_visits, n)
            below = child_of(ws, edge)
            if below != nothing:
                narrower = take_over(ws, edge, below) or narrower
                if implicit:
                    put(ws, edge + estimate_at, supposed(ws, below, mover(ws, ply + 1)))
            else:
                mean = number(ws, edge + e_value)
                put(ws, edge + e_value, mean + (value - mean) * times / n)
            visits = count(ws, node + visits_at) + times
            put_count(ws, node + visits_at, visits)
            if has_chance and who == CHANCE:
                weighted = weigh(ws, node)
                put(ws, node + value_at, weighted)
                if not sampled or times > 1:  # many results after one throw say little of the others
                    value = weighted
            else:
                mean = number(ws, node + value_at)
                put(ws, node + value_at, mean + (value - mean) * times / visits)
            if narrower:
                narrower = narrow(ws, node, who)
            ply -= 1
        return narrower, value

    @mode.inline
    def learn_later(ws, begin, end, value):
        ws.stamp += 1
        ply = ws.past - 1
        while ply >= begin:
            who = ws.players[ply]
            if who <= 1:
                ws.stamps[who][ws.played[ply]] = ws.stamp
            if ply < end and who <= 1:
                node = ws.passed[ply]
                for i in range(count(ws, node + size_at)):
                    edge = edge_at(node, i)
                    if ws.stamps[who][move_of(ws, edge)] == ws.stamp:
                        n = count(ws, edge + later_at) + 1
                        mean = number(ws, edge + later_value_at)
                        put_count(ws, edge + later_at, n)
                        put(ws, edge + later_value_at, mean + (value - mean) / n)
            ply -= 1

    return BackingUp(narrow, weigh, learn_later, back_up)
