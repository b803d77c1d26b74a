"""How the tree grows: a node is made with all its edges, in an order that is random or says what is liked.

How much a move is liked comes from the game: the weight that its `policy` gives it, else what `evaluate` says of the
position after it, else its place by `order`.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import MOVES
from zermelo.core.method import Parts
from zermelo.rules import CHANCE, Game, f64, i64, u64
from zermelo.sampling.dice import Dice
from zermelo.sampling.options import TreeOptions
from zermelo.sampling.tree import (
    CROWDED,
    DESK,
    E_LOWER,
    E_UPPER,
    E_VALUE,
    E_VISITS,
    FORWARD,
    FREE,
    HEADER,
    KEY,
    LOWER,
    SIZE,
    UPPER,
    VALUE,
    VISITS,
    Layout,
    Tree,
)  # fmt: skip


class Growing(NamedTuple):
    """How nodes are made."""

    has_room: Kernel  # (ws) -> whether one more node fits; ws.crowded says if not
    make: Kernel  # (ws, ply, who) -> a new node for the position at ply, 0 if the rules fail


def largest_node(game: Game, options: TreeOptions) -> int:
    """The words of a node with as many edges as a position can have."""
    return HEADER + game.max_moves * Layout.of(options, game.has_chance).stride


def growing(mode: Mode, parts: Parts, tree: Tree, dice: Dice) -> Growing:
    """The kernels for one game and one set of options."""
    game, rules, options = parts.game, parts.nodes.rules, parts.options
    assert isinstance(options, TreeOptions)
    generate, weight, make_move = rules.generate, rules.weight, parts.nodes.advance
    policy, order, estimate, below = rules.policy, rules.order, parts.nodes.evaluate, dice.below
    put, put_count, edge_at, layout = tree.put, tree.put_count, tree.edge, tree.layout
    word, read, write, has_chance = mode.word, mode.read_word, mode.write_word, game.has_chance
    low, high = float(game.values[0]), float(game.values[1])
    middle, span = (low + high) / 2, high - low
    puct, sorts = options.select == "puct", options.bias > 0 or options.unprune > 0
    by_policy = game.policy is not None
    by_estimate = not by_policy and game.evaluate is not None
    by_order = not by_policy and not by_estimate and game.order is not None
    implicit, likes = options.minimax > 0, puct or sorts
    largest, nothing = word(largest_node(game, options)), word(0)
    size_at, visits_at, value_at, lower_at, upper_at = (word(n) for n in (SIZE, VISITS, VALUE, LOWER, UPPER))
    key_at, forward_at = word(KEY), word(FORWARD)
    e_visits, e_value, e_lower, e_upper = (word(n) for n in (E_VISITS, E_VALUE, E_LOWER, E_UPPER))
    prior_at, later_at, estimate_at = word(layout.prior), word(layout.later), word(layout.estimate)
    later_value_at = word(layout.later + 1)
    has_later, has_prior = layout.later > 0, layout.prior > 0
    header, stride = HEADER, layout.stride
    mode.needs(
        thread=i64,
        end=u64,  # behind the last word that a node may take, for now
        crowded=i64,  # whether there was no room for one
    )
    if likes:
        mode.needs(liked=(f64, MOVES))

    @mode.inline
    def has_room(ws):
        if read(ws.table, word(ws.thread * DESK + FREE)) + largest > ws.end:
            ws.crowded = CROWDED
            return False
        return True

    @mode.inline
    def shuffle(ws, ply, n):
        for i in range(n - 1, 0, -1):
            j = below(ws, i + 1)
            move = ws.moves[ply][i]
            ws.moves[ply][i] = ws.moves[ply][j]
            ws.moves[ply][j] = move

    @mode.inline
    def estimated(ws, ply, move):
        """What `evaluate` says of the position after a move."""
        make_move(ws, ply, move)
        return float(estimate(ws, ply + 1))

    @mode.inline
    def liking(ws, ply, move, who):
        if by_policy:
            return float(policy(ws.stack[ply], move))
        if by_estimate:
            share = (estimated(ws, ply, move) - low) / span
            return 1.0 - share if who == 1 else share
        if by_order:
            return float(order(ws.stack[ply], move))
        return 1.0

    @mode.inline
    def like(ws, ply, n, who):
        """Liked moves first, if wanted, and how much each is liked, as numbers from 0 to 1."""
        for i in range(n):
            move, liked = ws.moves[ply][i], liking(ws, ply, ws.moves[ply][i], who)
            at = i
            if sorts or by_order:
                while at > 0 and ws.liked[at - 1] < liked:
                    ws.moves[ply][at], ws.liked[at] = ws.moves[ply][at - 1], ws.liked[at - 1]
                    at -= 1
            ws.moves[ply][at], ws.liked[at] = move, liked
        total = 0.0
        for i in range(n):
            if by_order:
                ws.liked[i] = 1.0 / (1.0 + i)
            total += ws.liked[i]
        if puct or by_policy:
            for i in range(n):
                ws.liked[i] = ws.liked[i] / total if total > 0.0 else 1.0 / n

    @mode.inline
    def make(ws, ply, who):
        n = generate(ws, ply)
        if n == 0:
            return nothing
        desk = word(ws.thread * DESK + FREE)
        node = read(ws.table, desk)
        write(ws.table, desk, node + word(header + n * stride))
        shuffle(ws, ply, n)
        total = 0.0
        if has_chance and who == CHANCE:
            for i in range(n):
                total += weight(ws.stack[ply], ws.moves[ply][i])
        elif likes:
            like(ws, ply, n, who)
        put_count(ws, node + size_at, n)
        put_count(ws, node + visits_at, 0)
        put(ws, node + value_at, middle)
        put(ws, node + lower_at, low)
        put(ws, node + upper_at, high)
        put_count(ws, node + key_at, 0)
        put_count(ws, node + forward_at, 0)
        for i in range(n):
            edge, move = edge_at(node, i), ws.moves[ply][i]
            write(ws.table, edge, word(move))
            put_count(ws, edge + e_visits, 0)
            put(ws, edge + e_value, middle)
            put(ws, edge + e_lower, low)
            put(ws, edge + e_upper, high)
            if has_prior:
                if has_chance and who == CHANCE:
                    put(ws, edge + prior_at, weight(ws.stack[ply], move) / total)
                else:
                    put(ws, edge + prior_at, ws.liked[i] if likes else 0.0)
            if has_later:
                put_count(ws, edge + later_at, 0)
                put(ws, edge + later_value_at, middle)
            if implicit:
                put(ws, edge + estimate_at, estimated(ws, ply, move))
        return node

    return Growing(has_room, make)
