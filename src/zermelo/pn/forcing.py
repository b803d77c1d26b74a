"""df-pn over a sub-game: whether the attacker wins by forcing moves alone (see `zermelo.rules.subgame`).

Only what a position is and which moves it has are other than in the game itself; the search, its table and its way with
loops are those of `dfpn`. Where the attacker has no forcing move, or where the depth is used up, the attack has failed.
A win is one of the whole game, on the path that was searched. That there is none is said by UNKNOWN, whatever the
reason, so that nobody can take it for more.

A sub-game in which no position may come back has loops of its own, which the attacker loses: proofs never rest on them.
If wins in one move can be seen (`at_once`), a forcing move after whose replies there always is one needs no search.
Where a sub-game tells `resistance`, that is looked for only after forcing moves to which few replies count.

`ws.attacker` is the player who attacks. If `ws.timed` is set, a win must come within the depth, to the ply: positions
then are told apart by the plies that are left, and what the game's bounds foresee does not count before it has come.
Nagai and Imai 1999 and Seo 1995 search checkmates so; Seo, Iida and Uiterwijk 2001 (PN*) by such depths too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from zermelo.compile.modes import Kernel, Mode, Rules, generating
from zermelo.compile.workspace import PLIES
from zermelo.core.confirming import NEVER
from zermelo.core.fastest_cut import CutFirst
from zermelo.core.method import Method, Parts
from zermelo.core.node import Nodes, nodes
from zermelo.core.ordering import ordering
from zermelo.core.truth import FAILS, HOLDS, UNKNOWN
from zermelo.core.window_worker import WindowWorker
from zermelo.pn.dfpn import claim_search
from zermelo.pn.dominance import Dominance, dominance
from zermelo.pn.options import ProofOptions
from zermelo.rules import ONGOING, Game, i64

FEW = 3
"""So many replies that count are tried out at most before a search goes into what a forcing move leads to."""

OPTIONS = ProofOptions(weak=True, leaves="mobility", knowledge=False, order=())
"""How sub-games are searched. Positions are found by plain keys: forcing moves need not have the game's symmetries."""


@dataclass(frozen=True)
class Forced(Parts):
    """The parts of a search over a sub-game. dominance: where more in hand is never worse; winner: (ws, ply) -> a
    forcing move that is seen to win at once, -1 if there is none; tried: (ws, ply, depth) -> whether a visit with so
    many plies left looked for such a move after every reply."""

    dominance: Dominance | None
    winner: Kernel
    tried: Kernel


def target_of(attacker: int, above_low: Any, high: Any) -> Any:
    """The score whose claim says whether the attacker wins: it HOLDS for the first player, and FAILS for the second."""
    return high if attacker == 0 else above_low


def forcing(mode: Mode, parts: Parts, name: str) -> Forced:
    """The parts of a search with a sub-game in the place of the game; they must be bound without knowledge.

    Where stocks count, sums are plain ones: positions that several moves lead to are mostly found by their setting, and
    weak sums took up to ten times as many nodes on tsume problems."""
    game, plain, subgame = parts.game, parts.nodes, parts.game.subgames[name]
    stocked = dominance(mode, subgame) if subgame.setting is not None else None
    seen, winner, tried = _forced_nodes(mode, parts, name, stocked)
    spread, all_bits = mode.word(0x9E3779B97F4A7C15), mode.word(2**64 - 1)
    word, play_on = mode.word, parts.table.descend

    @mode.inline
    def descend(ws, ply, move, depth):
        play_on(ws, ply, move, depth)
        if ws.timed != 0 and depth > 1:
            ws.keys[ply + 1] ^= (word(depth - 1) * spread) & all_bits

    table = parts.table._replace(descend=descend)
    ordered = ordering(game, mode, seen, table, (), CutFirst(), knowledge=False)
    assert plain.number is seen.number
    searched = replace(game, repetition="first", folds=2) if _fails_by_loops(game, name) else game  # scored in `visit`
    options = parts.options
    assert isinstance(options, ProofOptions)
    options = replace(options, weak=False) if stocked is not None else options
    return Forced(seen, table, ordered, options, searched, stocked, winner, tried)


def _fails_by_loops(game: Game, name: str) -> bool:
    return game.cyclic and not game.subgames[name].may_repeat


def _forced_nodes(mode: Mode, parts: Parts, name: str, stocked: Dominance | None) -> tuple[Nodes, Kernel, Kernel]:
    """What a position of the sub-game is: who has won it or failed, and which moves there are; `winner` and `tried`."""
    game, plain, subgame = parts.game, parts.nodes, parts.game.subgames[name]
    number, mover, advance = plain.number, plain.mover, plain.advance
    own_loops = _fails_by_loops(game, name)
    own_ends = game.stuck is not None and subgame.defend is None  # seen when forcing moves or replies are listed
    judged = replace(game, repetition="none") if own_loops else game
    judged = replace(judged, stuck=None) if own_ends else judged
    plain_visit = plain.visit if judged is game else nodes(judged, mode, number, knowledge=False).visit
    known_visit = nodes(judged, mode, number, knowledge=True).visit
    loops_may_win = game.cyclic and not own_loops and game.repetition != "draw"
    step = 2 if game.alternating else 1
    all_moves, stuck, result, cyclic = plain.rules.generate, plain.rules.stuck, plain.rules.result, game.cyclic
    if own_ends:
        all_moves = generating(game.moves, game.max_moves, mode.inline, least=0)
    restricted = subgame.defend is not None and game.loop_key is None  # a loop then may end where no win was missed
    list_attack = generating(subgame.attack, game.max_moves, mode.inline, least=0)
    list_replies = generating(subgame.defend, game.max_moves, mode.inline, least=0) if restricted else all_moves  # type: ignore[arg-type]
    lawful = plain.lawful
    goal: Any = subgame.goal
    promising: Any = subgame.promising
    at_once: Any = subgame.at_once
    resistance: Any = subgame.resistance
    weighing = resistance is not None
    own_goal, choosy, foreseeing = goal is not None, promising is not None, at_once is not None
    low, high = number(game.values[0]), number(game.values[1])
    dominant = stocked is not None
    if stocked is not None:
        *_, hand_up, gather = stocked
    mode.needs(
        attacker=i64,  # who attacks
        timed=i64,  # whether a win must come within the depth
        missed=i64,  # who must reckon with all replies: see `missed_wins`
        listed=(i64, PLIES),  # how many moves a position has that was visited
        counted=(i64, PLIES),  # and how many of them count
    )

    @mode.inline
    def listing(ws, ply):
        if mover(ws, ply) == ws.attacker:
            n = lawful(ws, ply, list_attack(ws, ply))
        elif cyclic and (ws.missed >> ws.attacker) & 1 != 0:
            n = all_moves(ws, ply)
        else:
            n = lawful(ws, ply, list_replies(ws, ply)) if restricted else list_replies(ws, ply)
        return n

    @mode.inline
    def worth(ws, ply, won):
        """What a won or a failed attack is worth to the player to move."""
        for_first = high if won == (ws.attacker == 0) else low
        return for_first if mover(ws, ply) == 0 else -for_first

    @mode.kernel
    def all_lose(ws, ply):
        """Whether the attacker has won after every legal reply."""
        before, reach = ws.horizon, NEVER
        for i in range(all_moves(ws, ply)):
            advance(ws, ply, ws.moves[ply][i])
            if cyclic:
                ws.reach[ply + 1] = NEVER
            lower = plain_visit(ws, ply + 1, 0)[1]
            if ws.horizon != before or ws.stop != 0 or lower != worth(ws, ply + 1, True):
                ws.horizon = before
                return False
            if cyclic:
                reach = min(reach, ws.reach[ply + 1])
        if cyclic:
            ws.reach[ply] = min(ws.reach[ply], reach)
        return True

    @mode.inline
    def ended(ws, ply, won):
        """The sub-game is over at ply, which was not counted yet."""
        ws.nodes += 1
        ws.leaves += 1
        if ws.nodes > ws.node_limit:
            ws.stop = 1
        value = worth(ws, ply, won)
        return True, value, value

    @mode.inline
    def came_back(ws, ply):
        """Where the position at ply stood last, -1 if it is new."""
        earlier = ply - step
        while earlier >= 0 and ws.marks[earlier] != ws.marks[ply]:
            earlier -= step
        return earlier

    @mode.inline
    def repeats(ws, ply):
        return came_back(ws, ply) >= 0 if own_loops else plain.repeats(ws, ply)

    @mode.inline
    def game_visit(ws, ply, depth):
        """What the game itself says of a position, or the sub-game's own goal."""
        if own_loops:
            ws.reach[ply + 1] = ply
            earlier = came_back(ws, ply)
            if earlier >= 0:
                ws.reach[ply] = min(ws.reach[ply], earlier)
                return ended(ws, ply, False)
        reached = goal(ws.stack[ply]) if own_goal else ONGOING
        if own_goal and reached != ONGOING:
            return ended(ws, ply, reached > 0)
        if own_goal or ws.timed != 0:
            before = ws.horizon
            done, lower, upper = plain_visit(ws, ply, depth)
            if own_goal and done:
                lower = upper = worth(ws, ply, False)
            if loops_may_win and ws.horizon != before:  # too late on this path; on another it might close a loop
                ws.reach[ply] = -1
        else:
            done, lower, upper = known_visit(ws, ply, depth)
        return done, lower, upper

    @mode.inline
    def foresees(ws, depth):
        """Whether to look for a win at once with so many plies left. Replies that are left out take two; and they may
        be saved by a loop where a win was missed."""
        if restricted and (ws.missed >> ws.attacker) & 1 != 0:
            return False
        return depth >= (3 if restricted and ws.timed != 0 else 1)

    @mode.inline
    def wins_at_once(ws, ply):
        """Whether one of the forcing moves, which are listed, is seen to win."""
        place = at_once(ws.stack[ply], ws.moves[ply], ws.listed[ply])
        if place >= 0 and dominant and own_ends:
            advance(ws, ply, ws.moves[ply][place])
            gather(ws, ply + 1, 0, True)
            hand_up(ws, ply, place, True)
            ws.need[ply] = ws.needs[ply][place]
        return place >= 0

    @mode.inline
    def winner(ws, ply):
        place = -1
        if foreseeing and mover(ws, ply) == ws.attacker:
            place = at_once(ws.stack[ply], ws.moves[ply], listing(ws, ply))
        return ws.moves[ply][place] if place >= 0 else -1

    @mode.inline
    def all_answered(ws, ply):
        """Whether a forcing move wins at once after every reply, of which most often the first or second has none."""
        n = ws.listed[ply]
        for i in range(n):
            advance(ws, ply, ws.moves[ply][i])
            ws.nodes += 1
            if ws.nodes > ws.node_limit:
                ws.stop = 1
                return False
            if result(ws.stack[ply + 1]) != ONGOING or mover(ws, ply + 1) != ws.attacker:
                return False
            ws.listed[ply + 1] = listing(ws, ply + 1)
            if not wins_at_once(ws, ply + 1) or (cyclic and came_back(ws, ply + 1) >= 0):
                return False
            if dominant:
                hand_up(ws, ply, i, True)
        if dominant:
            gather(ws, ply, n, True)
        return True

    @mode.inline
    def tried(ws, ply, depth):
        return (not weighing or ws.counted[ply] <= FEW) and foresees(ws, depth - 1)

    @mode.inline
    def visit(ws, ply, depth):
        mine = mover(ws, ply) == ws.attacker
        if own_ends and not mine:  # who has no reply has no use for more depth
            ws.listed[ply] = all_moves(ws, ply)
            if ws.listed[ply] == 0:
                if dominant:
                    gather(ws, ply, 0, True)
                return ended(ws, ply, stuck(ws.stack[ply]) == (high if ws.attacker == 0 else low))
        done, lower, upper = game_visit(ws, ply, depth)
        if done or ws.stop != 0:
            return True, lower, upper
        if restricted and not mine and ws.timed != 0 and depth < 2:  # what is left out may take two plies
            value = worth(ws, ply, all_lose(ws, ply))
            return True, value, value
        if mine and choosy and not promising(ws.stack[ply]):
            ws.listed[ply] = 0
        elif mine or not own_ends:
            ws.listed[ply] = listing(ws, ply)
        if ws.listed[ply] == 0 or (foreseeing and mine and foresees(ws, depth) and wins_at_once(ws, ply)):
            if dominant and mine and ws.listed[ply] == 0 and not choosy:
                gather(ws, ply, 0, False)
            value = worth(ws, ply, not mine or ws.listed[ply] > 0)
            return True, value, value
        ws.counted[ply] = ws.listed[ply]
        if weighing and not mine:
            ws.counted[ply] = resistance(ws.stack[ply], ws.moves[ply], ws.listed[ply])
        if foreseeing and not mine and tried(ws, ply, depth) and all_answered(ws, ply):
            value = worth(ws, ply, True)
            return True, value, value
        return False, lower, upper

    @mode.inline
    def count(ws, ply):
        return ws.counted[ply]

    rules = Rules(**{**vars(plain.rules), "generate": listing, "candidates": listing})
    return plain._replace(rules=rules, visit=visit, count=count, listing=listing, repeats=repeats), winner, tried


def forced_search(mode: Mode, forced: Forced) -> Kernel:
    """`decide(ws, ply, depth, target)`: HOLDS or FAILS where the attacker wins (see `target_of`), else UNKNOWN. The
    parts are those that `forcing` made."""
    verdict, winner = claim_search(mode, forced, forced.dominance), forced.winner
    spread, all_bits, word = mode.word(0x9E3779B97F4A7C15), mode.word(2**64 - 1), mode.word
    mode.needs(benefit=i64)

    @mode.kernel
    def decide(ws, ply, depth, target):
        key = ws.keys[ply]
        if ws.timed != 0:
            ws.keys[ply] ^= (word(depth) * spread) & all_bits
        ws.move, ws.benefit = -1, ws.attacker  # against the attacker
        found = verdict(ws, ply, depth, target)
        ws.keys[ply], ws.benefit = key, 0
        won = HOLDS if ws.attacker == 0 else FAILS
        if found != won:
            return UNKNOWN
        if ws.move < 0:
            ws.move = winner(ws, ply)
        return found

    return decide


def short_search(mode: Mode, forced: Forced, foreseen: bool) -> Kernel:
    """`wins_within(ws, ply, plies)`: the same for few plies. Every forcing move and every reply, nothing remembered: a
    position costs less than df-pn takes to look it up. A win leaves its first move in `ws.move`. foreseen: wins at once
    are seen before forcing moves are made, so that the last of these need not be."""
    game, visit, advance, mover = forced.game, forced.nodes.visit, forced.nodes.advance, forced.nodes.mover
    number = forced.nodes.number
    low, high, winner, tried = number(game.values[0]), number(game.values[1]), forced.winner, forced.tried

    @mode.kernel
    def look(ws, ply, plies):
        before = ws.horizon
        done, lower, _ = visit(ws, ply, plies)
        mine = mover(ws, ply) == ws.attacker
        if done or ws.stop != 0:
            estimated = ws.horizon != before
            ws.horizon = before
            for_first = lower if mover(ws, ply) == 0 else -lower
            return not estimated and ws.stop == 0 and for_first == (high if ws.attacker == 0 else low)
        if foreseen and mine and plies <= 1:
            return False
        if foreseen and not mine and plies <= 2 and tried(ws, ply, plies):
            return False
        for i in range(ws.listed[ply]):
            move = ws.moves[ply][i]
            advance(ws, ply, move)
            won = look(ws, ply + 1, plies - 1)
            if ws.stop != 0:
                return False
            if won == mine:
                if mine:
                    ws.move = move
                return mine
        return not mine

    @mode.kernel
    def wins_within(ws, ply, plies):
        ws.move = -1
        won = look(ws, ply, plies)
        if won and ws.move < 0:
            ws.move = winner(ws, ply)
        return won

    return wins_within


@cache
def _kernel(name: str) -> Any:
    """The factory of a sub-game's kernel, the same for all who ask: what is compiled belongs to it."""
    return lambda mode, parts: forced_search(mode, forcing(mode, parts, name))


@cache
def forcing_method(name: str, attacker: int, may_repeat: bool) -> Method:
    """df-pn over a sub-game as a method for one attacker, which answers claims."""

    class ForcingWorker(WindowWorker):
        """The usual worker, which tells its kernel who attacks."""

        def engine(self, estimates: bool = False, within_limits: bool = False) -> Any:
            engine = super().engine(estimates, within_limits)
            for workspace in engine.workspaces:
                workspace.tell(attacker=attacker)
            return engine

    return Method(
        name=f"dfpn on {name}",
        summary=f"depth-first proof-number search of the sub-game {name}",
        source="Nagai 2002; Seo, Iida and Uiterwijk 2001",
        kernel=_kernel(name),
        answers_claims=True,
        without_loops=not may_repeat,
        options=OPTIONS,
        worker=ForcingWorker,
    )
