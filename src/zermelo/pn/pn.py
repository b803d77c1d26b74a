"""Proof-number search: always look where a claim is closest to being decided.

Allis, van der Meulen and van den Herik 1994. The tree is kept in memory, 16 bytes a node; with the option `graph` a
position has one node however it is reached, at 32 bytes and 16 for every move that leads to it. When the memory is full
the claim stays unknown, and the numbers that it had come to are told. Proof-number search needs no move ordering: it
is steered by the number of moves alone, towards forced lines.

The kernel is `decide(ws, ply, depth, target)`, as for df-pn.
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.core.method import Method, Parts
from zermelo.core.truth import FAILS, HOLDS, UNKNOWN
from zermelo.pn.arena import Arena, arena, least_words
from zermelo.pn.growing import Growth, expanding, grow, growth
from zermelo.pn.options import ProofOptions
from zermelo.pn.shared_nodes import Graph, graph, grow_graph
from zermelo.rules import Game, Unsuitable, i64

_NO_LIMIT = 1 << 40


def pn(mode: Mode, parts: Parts) -> Kernel:
    options = parts.options
    assert isinstance(options, ProofOptions)
    if options.graph and parts.nodes.rules.key is None:
        raise Unsuitable(f"{parts.game.name}: its positions have no key, so no graph can tell them apart")
    if options.graph and not parts.game.cyclic:  # where the path counts, a position can need more than one node
        return pn_on_graph(mode, parts)
    nodes = arena(parts.game, mode, claims=1)
    growing = growth(mode, parts, nodes.links, 1, one_claim(mode))
    expand = expanding(mode, parts, nodes, growing.look)
    return deciding(mode, parts, nodes, growing, grow(mode, parts, nodes, growing, 1, expand))


def pn_on_graph(mode: Mode, parts: Parts) -> Kernel:
    nodes = graph(mode)
    growing = growth(mode, parts, nodes.links, 1, one_claim(mode))
    return deciding(mode, parts, nodes, growing, grow_graph(mode, parts, nodes, growing))


def one_claim(mode: Mode) -> Kernel:
    """The goal is the claim."""

    @mode.inline
    def threshold(goal, claim):
        return goal

    return threshold


def deciding(mode: Mode, parts: Parts, nodes: Arena | Graph, growing: Growth, grow: Kernel) -> Kernel:
    """The kernel that grows a tree or graph for one claim until it is decided."""
    clear, take, begin = nodes.clear, nodes.take, nodes.begin
    count_of, child_of, move_of, proof_of, disproof_of, _ = nodes.links
    look, mover = growing.look, parts.nodes.mover
    room, all_claims = mode.signed(_NO_LIMIT), mode.signed(1)
    mode.counts(proof=i64, disproof=i64)  # the root's numbers, as they stand

    @mode.kernel
    def verdict(ws, ply, depth, target):
        """The claim with the benefit of the doubt given to one side; UNKNOWN if the verdict may rest on that."""
        clear(ws)
        root = take(ws, 1)
        if root == 0:
            ws.full = 1
            return UNKNOWN
        begin(ws, root, 0)
        before = ws.horizon
        look(ws, ply, root, depth, target)
        if ws.stop != 0:
            return UNKNOWN
        grow(ws, ply, root, depth, target, room, all_claims - 1, all_claims)
        ws.proof, ws.disproof = proof_of(ws, root, 0), disproof_of(ws, root, 0)
        if ws.stop != 0 or (ws.proof != 0 and ws.disproof != 0):
            return UNKNOWN
        found = HOLDS if ws.proof == 0 else FAILS
        for i in range(count_of(ws, root)):
            child = child_of(ws, root, i)
            by_first, by_second = proof_of(ws, child, 0) == 0, disproof_of(ws, child, 0) == 0
            if by_first if mover(ws, ply) == 0 else by_second:
                ws.move = move_of(ws, root, i)
                break
        favoured = HOLDS if ws.benefit != 0 else FAILS
        return UNKNOWN if found == favoured and ws.horizon != before else found

    @mode.kernel
    def decide(ws, ply, depth, target):
        ws.benefit, ws.full, ws.move = 0, 0, -1
        found = verdict(ws, ply, depth, target)
        if found == UNKNOWN and ws.stop == 0 and ws.full == 0:
            ws.benefit = 1
            found = verdict(ws, ply, depth, target)
            ws.benefit = 0
        return found

    return decide


def least_memory(game: Game) -> int:
    """The bytes that a root and its children need."""
    return 8 * least_words(game, claims=1)


METHOD = Method(
    name="pn",
    summary="proof-number search: the claim's most-proving node, in a tree in memory",
    source="Allis, van der Meulen and van den Herik 1994",
    kernel=pn,
    answers_claims=True,
    options=ProofOptions(order=(), knowledge=False),
    least_memory=least_memory,
)
