"""Monte-Carlo tree search: what many games played below a position say about it (Coulom 2006; Kocsis and Szepesvári
2006).

One simulation follows the tree to a move that leads out of it (*selection*), makes a node there if the move was tried
before (*expansion*), plays on to the end (*simulation*), and tells all nodes on the way (*backpropagation*). What is
certain is told too: when the bounds of the root meet, its value is proven and the search ends.

A sub-game that the option `special` names is looked at where a node is made, and first of all at the root: a win there
is as certain as what the rules say (see `zermelo.pn.special`).

Near the root one result more changes little, and looking at all moves there again takes time, most of all if several
threads write to the same nodes. So simulations go on below a position that was visited often, and those above it are
told of them together (depth-first UCT: Yoshizoe et al. 2011, "Scalable distributed Monte-Carlo tree search").

At a chance node an outcome is taken by its probability, or in even rounds, and the node's score is the weighted mean of
its outcomes'; where outcomes are not taken by their probabilities, that score is what is told to those above.
"""

from __future__ import annotations

import math
from typing import Any

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import PLIES, plies_of
from zermelo.core.loops import loops
from zermelo.core.method import Method, Parts
from zermelo.pn.special import special_search
from zermelo.rules import CHANCE, ONGOING, Game, f64, i32, i64, u64
from zermelo.sampling.backing_up import backing_up
from zermelo.sampling.dice import dice
from zermelo.sampling.growing import growing, largest_node
from zermelo.sampling.options import TreeOptions
from zermelo.sampling.playouts import playouts
from zermelo.sampling.recycling import recycling
from zermelo.sampling.selection import LINE, SHARE, selection, trail_of
from zermelo.sampling.tree import (
    DESK,
    E_LOWER,
    E_UPPER,
    E_VALUE,
    E_VISITS,
    FIRST,
    LOWER,
    ROOT,
    SIZE,
    UPPER,
    VALUE,
    VISITS,
    tree,
)
from zermelo.sampling.tree_worker import TreeWorker

OFTEN, LEAST_SPREAD = 16, 0.02
"""After how many results it is told anew how far they lie apart, and what is taken for it at least."""
FETCHED = 8
"""The first cache lines of a node, so many at most, are fetched before it is reached."""
SHORT = 10
"""Games of so few plies are searched to their end."""


def mcts(mode: Mode, parts: Parts) -> Kernel:
    """`search(ws, ply, depth, …)` -> the first player's value at ply, after as many simulations as limits allow. A
    depth of 0 first makes room for more."""
    game, rules, options, nodes = parts.game, parts.nodes.rules, parts.options, parts.nodes
    assert isinstance(options, TreeOptions)
    throws = dice(mode)
    grown = tree(mode, parts)
    count, number, put, put_count = grown.count, grown.number, grown.put, grown.put_count
    child_of, link, move_of = grown.child, grown.link, grown.move
    select, toss, begin, meets, followed = selection(mode, parts, grown, throws)
    has_room, make = growing(mode, parts, grown, throws)
    playout, learn = playouts(mode, parts, throws)
    told = backing_up(mode, parts, grown)
    narrow, weigh, learn_later, back_up = told.narrow, told.weigh, told.learn_later, told.back_up
    advance, mover, over, bounds, horizon = nodes.advance, nodes.mover, rules.over, rules.bounds, rules.horizon
    evaluate, read, write, word = nodes.evaluate, mode.read_word, mode.write_word, mode.word
    cyclic, has_chance, use_horizon = game.cyclic, game.has_chance, game.horizon is not None
    use_bounds = options.knowledge and game.bounds is not None
    shares = options.graph and (game.compilable or game.key is not None)
    key_at, find, enter = grown.key_at, grown.find, grown.enter
    make_room = recycling(mode, parts, grown)
    ends_loops = cyclic and not game.forbids
    closed: Any = loops(game, mode, rules, nodes.number).closed if ends_loops else None
    raved, replying = options.rave > 0, options.reply
    noting, all_at_once = raved or replying, options.chance == "all"
    lasting = options.chance == "sample" and options.widen not in ("outcomes", "both")
    room, last_ply, nothing = trail_of(game), plies_of(game) - 2, word(0)
    steps = room // 2
    visits_at, value_at, lower_at, upper_at = (word(n) for n in (VISITS, VALUE, LOWER, UPPER))
    e_visits, e_value, e_lower, e_upper = (word(n) for n in (E_VISITS, E_VALUE, E_LOWER, E_UPPER))
    low, high = float(game.values[0]), float(game.values[1])
    edge_at, size_at = grown.edge, word(SIZE)
    fetch, lines = mode.prefetch, min(FETCHED, -(-largest_node(game, options) // LINE))
    special = options.special is not None
    called: Any = special_search(mode, parts) if special else (None,) * 4
    wins, won_by = called[0], called[2]
    mode.counts(playouts=i64)
    mode.needs(
        playout_limit=i64, expand=i64,
        steady=i64,  # how many visits make a position steady
        passed=(u64, PLIES),  # the nodes on the way down
        home=i64,  # the thread whose root is searched
        results=i64, mean=f64, squares=f64, spread=f64,  # how many results, their mean, and how they vary
        waiting=(i64, PLIES), sums=(f64, PLIES),  # of how many results the node above was not told, and their sum
        past=i64,  # the ply behind the last move of a simulation
    )  # fmt: skip
    if noting:
        mode.needs(played=(i32, PLIES), players=(i32, PLIES))

    @mode.inline
    def settled(ws, edge, score):
        """The rules say what an edge leads to."""
        ws.narrower = 1
        put(ws, edge + e_lower, score)
        put(ws, edge + e_upper, score)
        return score

    @mode.inline
    def known(ws, ply, edge):
        """Whether the rules decide the position at ply, to which an edge leads for the first time."""
        s = ws.stack[ply]
        score = over(ws, ply)
        if score != ONGOING:
            settled(ws, edge, float(score))
            return True
        if ends_loops:
            worth = closed(ws, ply, mover(ws, ply - 1))[1]
            if worth != ONGOING:
                settled(ws, edge, float(worth))
                return True
        if use_bounds:
            least, most = bounds(s)
            if least > low or most < high:
                put(ws, edge + e_lower, float(least))
                put(ws, edge + e_upper, float(most))
                ws.narrower = 1
            return least == most
        return False

    @mode.inline
    def leaf(ws, ply, edge):
        """The value of the position at ply, to which an edge leads out of the tree."""
        ws.past = ply
        if count(ws, edge + e_visits) == 0 and known(ws, ply, edge):
            ws.leaves += 1
            return number(ws, edge + e_lower)
        if ply >= last_ply or (use_horizon and horizon(ws.stack[ply])):
            ws.horizon += 1
            return float(evaluate(ws, ply))
        value, past = playout(ws, ply)
        ws.past = past
        return value

    @mode.inline
    def follow(ws, ply, edge):
        """Make the move of an edge."""
        move = move_of(ws, edge)
        if noting:
            ws.played[ply], ws.players[ply] = move, mover(ws, ply)
        advance(ws, ply, move)
        ws.nodes += 1

    @mode.inline
    def solve(ws, ply, node, limit, plies):
        """If the player to move at ply wins the sub-game, the node is solved, and so is the move that begins it."""
        if wins(ws, ply, limit, plies):
            score, move = high if mover(ws, ply) == 0 else low, won_by(ws)
            put(ws, node + lower_at, score)
            put(ws, node + upper_at, score)
            for i in range(count(ws, node + size_at)):
                edge = edge_at(node, i)
                if move_of(ws, edge) == move:
                    put(ws, edge + e_lower, score)
                    put(ws, edge + e_upper, score)
                    if count(ws, edge + e_visits) == 0:
                        put_count(ws, edge + e_visits, 1)
                        put(ws, edge + e_value, score)

    @mode.inline
    def expand(ws, ply, edge):
        """The node of the position at ply: found, or made with what its edge knows, or 0 if there is no room."""
        key = word(0)
        if shares:
            key = key_at(ws, ply)
            node = find(ws, key)
            if node != nothing:
                link(ws, edge, node)
                return node
        if ply >= last_ply or (use_horizon and horizon(ws.stack[ply])) or not has_room(ws):
            return nothing
        node = make(ws, ply, mover(ws, ply))
        if node != nothing:
            put_count(ws, node + visits_at, count(ws, edge + e_visits))
            put(ws, node + value_at, number(ws, edge + e_value))
            put(ws, node + lower_at, number(ws, edge + e_lower))
            put(ws, node + upper_at, number(ws, edge + e_upper))
            if special:
                solve(ws, ply, node, ws.special_leaf, ws.special_plies)
            if shares:
                enter(ws, node, key)
            link(ws, edge, node)
        return node

    @mode.inline
    def try_all(ws, ply, node):
        """Every outcome of a new chance node once."""
        for i in range(count(ws, node + size_at)):
            edge = edge_at(node, i)
            follow(ws, ply, edge)
            value = leaf(ws, ply + 1, edge)
            put_count(ws, edge + e_visits, 1)
            put(ws, edge + e_value, value)
            ws.playouts += 1
        put_count(ws, node + visits_at, count(ws, node + visits_at) + count(ws, node + size_at))
        narrow(ws, node, CHANCE)
        value = weigh(ws, node)
        put(ws, node + value_at, value)
        return value

    @mode.inline
    def bring(ws, node):
        """Have what a node says on the way: it takes as long as to make the move that leads there, or longer."""
        for line in range(lines):
            fetch(ws.table, node + word(LINE * line))

    @mode.inline
    def simulate(ws, top, node, shared):
        """One simulation from a node of the tree: how deep it went there, and what it found."""
        ply, value, company = top, 0.0, shared  # whether another thread may have come the same way
        ws.narrower = 0
        while True:
            who = mover(ws, ply)
            edge = toss(ws, node) if has_chance and who == CHANCE else select(ws, ply, node, who, company)
            ws.passed[ply], ws.followed[ply] = node, edge
            company = company and followed(ws, ply, edge)
            if shared:
                write(ws.busy, word(ws.thread * room + steps + ply), edge)
            bring(ws, child_of(ws, edge))
            follow(ws, ply, edge)
            ply += 1
            least = number(ws, edge + e_lower)
            if least == number(ws, edge + e_upper):
                ws.past, value = ply, least
                break
            tried = count(ws, edge + e_visits)
            node = child_of(ws, edge)
            fresh = node == nothing
            if fresh and tried >= ws.expand:
                node = expand(ws, ply, edge)
            if node == nothing or ply >= last_ply:  # a shared node can be met again further down, and without end
                value = leaf(ws, ply, edge)
                break
            least = number(ws, node + lower_at)
            if least == number(ws, node + upper_at):
                ws.past, value = ply, least
                break
            untried = all_at_once and fresh and count(ws, edge_at(node, 0) + e_visits) == 0
            if untried and has_chance and mover(ws, ply) == CHANCE:
                value = try_all(ws, ply, node)
                break
        return ply, value

    @mode.inline
    def note(ws, value):
        """How far results lie apart: twice their standard deviation, as a share of the range of scores."""
        ws.results += 1
        off = value - ws.mean
        ws.mean += off / ws.results
        ws.squares += off * (value - ws.mean)
        if ws.results % OFTEN == 0:
            ws.spread = max(LEAST_SPREAD, 2.0 * math.sqrt(ws.squares / ws.results) / (high - low))

    @mode.inline
    def stay(ws, ply, end):
        """Where the next simulations begin, after one from ply to end: as far down as visits are many."""
        at = ply
        while at + 1 < end and count(ws, ws.passed[at + 1] + visits_at) >= ws.steady:
            if has_chance and not lasting and mover(ws, at) == CHANCE:
                break
            at += 1
            ws.waiting[at], ws.sums[at] = 0, 0.0
        return at

    @mode.inline
    def long_enough(ws, ply):
        """Whether simulations have begun at ply for so long that those above have to be told. Outcomes get even shares,
        however often each was thrown before: the throws decide."""
        above = ws.passed[ply - 1]
        if has_chance and mover(ws, ply - 1) == CHANCE:
            return ws.waiting[ply] * SHARE * count(ws, above + size_at) >= count(ws, above + visits_at)
        return ws.waiting[ply] * SHARE >= count(ws, ws.passed[ply] + visits_at)

    @mode.inline
    def tell(ws, ply):
        """Tell the node above of what waits at ply; whether its bounds have changed."""
        times = ws.waiting[ply]
        narrower, value = back_up(ws, ply - 1, ply, ws.sums[ply] / times, times)
        ws.waiting[ply - 1] += times
        ws.sums[ply - 1] += value * times
        return narrower

    @mode.inline
    def leave(ws, ply, end):
        """Nobody is turned aside any more from what was followed between two plies."""
        for passed in range(ply, end):
            write(ws.busy, word(ws.thread * room + steps + passed), nothing)

    @mode.kernel
    def search(ws, ply, depth, alpha, beta):
        if depth == 0:  # all other threads rest
            make_room(ws)
        root = read(ws.table, word(ws.home * DESK + ROOT))
        if root == nothing:
            root = make(ws, ply, mover(ws, ply))
            write(ws.table, word(ws.home * DESK + ROOT), root)
        if special and ws.special_done == 0:
            ws.special_done = 1
            if ws.fault == 0 and number(ws, root + lower_at) < number(ws, root + upper_at):
                solve(ws, ply, root, ws.special_root, 0)
        top, ws.passed[ply], ws.waiting[ply] = ply, root, 0  # where simulations begin
        while ws.fault == 0 and number(ws, root + lower_at) < number(ws, root + upper_at):
            if ws.nodes >= ws.node_limit:
                ws.stop = 1
                break
            if ws.playouts >= ws.playout_limit or ws.crowded != 0:
                break
            ws.playouts += 1
            shared = ws.threads > 1 and meets(ws, ply, top)
            end, value = simulate(ws, top, ws.passed[top], shared)
            note(ws, value)
            if replying:
                learn(ws, ply, ws.past, value)
            if raved:
                learn_later(ws, ply, end, value)
            narrower, value = back_up(ws, top, end, value, 1)
            if shared:
                leave(ws, top, end)
            ws.waiting[top] += 1
            ws.sums[top] += value
            begun = top
            while top > ply and (narrower or long_enough(ws, top)):
                narrower = tell(ws, top)
                top -= 1
            if top == begun:
                top = stay(ws, top, end)
            if ws.threads > 1 and top != begun:
                begin(ws, begun, top)
        begun = top
        while top > ply:
            if ws.waiting[top] > 0:
                tell(ws, top)
            top -= 1
        if ws.threads > 1:
            begin(ws, begun, ply)
        return number(ws, root + value_at) if ws.fault == 0 else low

    return search


def least_memory(game: Game) -> int:
    """Room for the desks, for a few nodes of the largest kind, and for an index of them."""
    return 8 * (FIRST + 16 * largest_node(game, TreeOptions(rave=1, minimax=1, select="puct")))


def _suits(game: Game, purpose: str) -> str:
    if purpose != "search" or game.evaluate is not None or game.max_plies <= SHORT:
        return ""
    return "nothing estimates positions: sampled play to the end does"


METHOD = Method(
    name="mcts",
    summary="many games played at random below a tree that grows where play is good",
    source="Coulom 2006; Kocsis and Szepesvári 2006; Winands, Björnsson and Saito 2008",
    kernel=mcts,
    options=TreeOptions(table=False, order=()),
    least_memory=least_memory,
    shares_tree=True,
    chance=True,
    deepens=False,
    specialised=True,
    worker=TreeWorker,
    suits=_suits,
)
