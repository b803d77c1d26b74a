"""Growing a tree best-first: go down to the most-proving node, look into it, carry what was found upwards.

Allis, van der Meulen and van den Herik 1994, "Proof-number search". Several claims can be followed in one tree
(Saffidine and Cazenave 2012, "Multiple-outcome proof number search"): a node then has a pair of numbers for each,
and every leaf that is looked into serves them all. After a leaf was expanded, the way up ends where no number changes:
the next way down begins there and leads to the same node as it would from the root.

Decided subtrees are given back at once. Where the depth is used up, a claim is taken to fail (see `store`).
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import PLIES
from zermelo.core.method import Parts
from zermelo.pn.arena import Arena, Links
from zermelo.pn.numbers import DECIDED, expectation
from zermelo.pn.options import ProofOptions
from zermelo.rules import i64


class Growth(NamedTuple):
    """How a tree is grown."""

    look: Kernel  # (ws, ply, node, depth, goal): the numbers of a new node, whose position was just made
    decided: Kernel  # (ws, node) -> whether every claim that is followed is decided
    focus: Kernel  # (ws, node, lowest, highest) -> the open claim among these to work on, or -1
    most_proving: Kernel  # (ws, ply, node, claim, proving) -> the number of the move to go down by
    update: Kernel  # (ws, node, one_is_enough) -> whether its numbers, made anew from its children's, have changed


def growth(mode: Mode, parts: Parts, links: Links, claims: int, threshold: Kernel) -> Growth:
    """`threshold(goal, claim)` is the score that the first player must reach for a claim to hold."""
    options = parts.options
    assert isinstance(options, ProofOptions)
    weak, standard = options.weak, options.selection == "standard"
    visit, mover = parts.nodes.visit, parts.nodes.mover
    count_of, child_of, _, proof_of, disproof_of, number = links
    expected = expectation(mode, parts)
    mode.needs(benefit=i64)  # 1 if the first player has the benefit of the doubt where a depth limit ends a claim

    @mode.kernel
    def look(ws, ply, node, depth, goal):
        before = ws.horizon
        done, lower, upper = visit(ws, ply, depth)
        unclear = ws.horizon != before
        if mover(ws, ply) != 0:
            lower, upper = -upper, -lower
        for claim in range(claims):
            wanted = threshold(goal, claim)
            if ws.stop != 0:  # nothing was looked at
                number(ws, node, claim, 1, 1)
                continue
            if unclear and claims == 1:
                holds = ws.benefit != 0
            else:  # an estimate lies between the bounds of the scores, and is rounded to one that does
                holds = lower >= wanted or (unclear and claim == 0)
            if holds:
                number(ws, node, claim, 0, DECIDED)
            elif done or upper < wanted:
                number(ws, node, claim, DECIDED, 0)
            else:
                proof, disproof = expected(ws, ply, wanted)
                number(ws, node, claim, proof, disproof)

    @mode.inline
    def decided(ws, node):
        for claim in range(claims):
            if proof_of(ws, node, claim) != 0 and disproof_of(ws, node, claim) != 0:
                return False
        return True

    @mode.inline
    def focus(ws, node, lowest, highest):
        # the one that looks easiest to decide one way or the other
        chosen, least = -1, 2 * DECIDED
        for claim in range(lowest, highest):
            proof, disproof = proof_of(ws, node, claim), disproof_of(ws, node, claim)
            if proof != 0 and disproof != 0 and proof + disproof < least:
                chosen, least = claim, proof + disproof
        return chosen

    @mode.kernel
    def most_proving(ws, ply, node, claim, proving):
        one_is_enough = mover(ws, ply) == 0
        chosen, least = 0, DECIDED
        for i in range(count_of(ws, node)):
            child = child_of(ws, node, i)
            proof, disproof = proof_of(ws, child, claim), disproof_of(ws, child, claim)
            if standard:
                cost = proof if one_is_enough else disproof
            elif proving == one_is_enough:  # the side that needs one move only
                cost = proof if proving else disproof
                if cost == 0:
                    continue
            else:
                if (proof if proving else disproof) != 0:
                    return i
                continue
            if cost < least:
                chosen, least = i, cost
        return chosen

    @mode.kernel
    def update(ws, node, one_is_enough):
        changed = False
        for claim in range(claims):
            before_proof, before_disproof = proof_of(ws, node, claim), disproof_of(ws, node, claim)
            least, total, largest, still_open = DECIDED, 0, 0, 0
            for i in range(count_of(ws, node)):
                child = child_of(ws, node, i)
                proof, disproof = proof_of(ws, child, claim), disproof_of(ws, child, claim)
                mine, theirs = (proof, disproof) if one_is_enough else (disproof, proof)
                least = min(least, mine)
                total = min(total + theirs, DECIDED)
                largest = max(largest, theirs)
                if theirs != 0:
                    still_open += 1
            if weak and least != 0:
                total = largest + max(still_open - 1, 0)
            if least == 0:
                total = DECIDED
            proof, disproof = (least, total) if one_is_enough else (total, least)
            number(ws, node, claim, proof, disproof)
            if proof != before_proof or disproof != before_disproof:
                changed = True
        return changed

    return Growth(look, decided, focus, most_proving, update)


def expanding(mode: Mode, parts: Parts, nodes: Arena, look: Kernel) -> Kernel:
    """`(ws, ply, node, depth, goal)`: give a leaf of a tree its children; False if the memory is full."""
    advance, take, begin, adopt = parts.nodes.advance, nodes.take, nodes.begin, nodes.adopt
    arrange, pick = parts.ordering[:2]
    mode.counts(expanded=i64, full=i64)  # positions whose moves were listed, and whether the memory ran out

    @mode.kernel
    def expand(ws, ply, node, depth, goal):
        n = arrange(ws, ply, -1)
        if ws.stop != 0:
            return True
        first = take(ws, n)
        if first == 0:
            ws.full = 1
            return False
        ws.expanded += 1
        for i in range(n):
            move = pick(ws, ply, i, n)
            begin(ws, first + i, move)
            advance(ws, ply, move)
            look(ws, ply + 1, first + i, depth - 1, goal)
        adopt(ws, node, first, n)
        return True

    return expand


def grow(mode: Mode, parts: Parts, nodes: Arena, growing: Growth, claims: int, expand: Kernel) -> Kernel:
    """`(ws, ply, root, depth, goal, room, lowest, highest)`: grow the tree below `root`, whose position is at ply,
    until the claims from `lowest` up to `highest` are decided or more than `room` nodes are in use."""
    _, decided, focus, most_proving, update = growing
    advance, mover, release, in_use = parts.nodes.advance, parts.nodes.mover, nodes.release, nodes.in_use
    count_of, child_of, move_of, proof_of, disproof_of, _ = nodes.links
    mode.needs(spots=(i64, PLIES))  # where the path's positions lie in the tree

    @mode.kernel
    def grow(ws, ply, root, depth, goal, room, lowest, highest):
        here, node = ply, root
        claim = focus(ws, root, lowest, highest)
        while claim >= 0 and in_use(ws) <= room and ws.stop == 0:
            proving = proof_of(ws, root, claim) <= disproof_of(ws, root, claim)
            while count_of(ws, node) > 0:
                i = most_proving(ws, here, node, claim, proving)
                advance(ws, here, move_of(ws, node, i))
                node = child_of(ws, node, i)
                here += 1
                ws.spots[here] = node
            if not expand(ws, here, node, depth - (here - ply), goal):
                break
            update(ws, node, mover(ws, here) == 0)
            changed = True  # whatever `expand` did to the numbers of the leaf
            while here > ply and (changed or claims > 1):
                if decided(ws, node):
                    release(ws, node)
                here -= 1
                node = ws.spots[here] if here > ply else root
                changed = update(ws, node, mover(ws, here) == 0)
            if here == ply:
                claim = focus(ws, root, lowest, highest)

    return grow
