"""Probing: what an opponent will do is found by a search with its eyes, and only that is looked into.

At our own nodes all moves are looked at; at the opponent's, its move is *probed* by alpha-beta (Star1 where there are
dice) with its evaluation and its own depth, and our value is that of the position it leads to (Iida and others 1993;
Donkers, Uiterwijk and van den Herik 2001). With several opponents each is probed, and our value is the mean of what
their moves are worth to us. A probe prunes as alpha-beta does, and everything behind moves that no opponent makes is
never looked at with our own eyes.

An opponent that has a model of us is probed by this same search, one level down, with the sides changed: that is M*
(Carmel and Markovitch 1996). Only the last of a chain searches by minimax.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zermelo.chance.outcomes import outcomes
from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import MOVES, PLIES, plies_of
from zermelo.core.method import Parts
from zermelo.opponent.eyes import minimax_of
from zermelo.opponent.one_pass import FAR
from zermelo.rules import CHANCE, f64, i64

NEAR = 1e-9
"""Windows leave room for moves that are equal: at chance nodes their ends are rounded. As a share of the range."""


class Thinker(NamedTuple):
    """Somebody whose moves can be foreseen."""

    choose: Kernel  # (ws, ply, depth) -> how many moves are best to who moves at ply; they are in ws.equal[ply]


def minimaxer(mode: Mode, parts: Parts, depth: int | None) -> Thinker:
    """A player who searches by minimax, `depth` plies deep or as far as it is asked to."""
    ahead = looking(mode, parts, depth)
    search, opposes, worst = minimax_of(mode, parts), parts.nodes.opposes, parts.nodes.worst
    low, high = parts.game.values
    margin = NEAR * float(high - low)
    arrange, pick = parts.ordering.arrange, parts.ordering.pick
    descend = parts.table.descend
    mode.needs(equal=(i64, PLIES, MOVES))

    @mode.kernel
    def choose(ws, ply, depth):
        depth = ahead(ply, depth)
        n = arrange(ws, ply, -1)
        best, count = worst, 0
        for i in range(n):
            move = pick(ws, ply, i, n)
            descend(ws, ply, move, depth)
            bar = max(best - margin, worst)  # a move that is as good is to be seen
            if opposes(ws, ply):
                value = -search(ws, ply + 1, depth - 1, worst, -bar)
            else:
                value = search(ws, ply + 1, depth - 1, bar, -worst)
            if ws.stop != 0:
                return 0
            if value > best:
                best, count = value, 0
            if value == best:
                ws.equal[ply][count] = move
                count += 1
        return count

    return Thinker(choose)


def looking(mode: Mode, parts: Parts, own: int | None) -> Kernel:
    """`(ply, depth)` -> how deep a player looks where we have `depth` plies left: as deep as it always does, if that is
    known, also beyond our own horizon; but not beyond what a path has room for."""
    fixed, last = own or 0, plies_of(parts.game) - 2

    @mode.inline
    def ahead(ply, depth):
        return min(fixed if fixed > 0 else depth, max(last - ply, 1))

    return ahead


def modeller(
    mode: Mode, parts: Parts, opponents: Sequence[Thinker], *, ours: bool, depth: int | None, ties: str, room: int = 0
) -> tuple[Kernel, Thinker]:
    """A player who foresees opponents: its value of a position, `(ws, ply, depth)` in its own view, and what it does.
    `ours`: whether it is on our side. `room`: for how many opponents there is room in the kernel, if this is not us
    ourselves, who have them all, and whose ws.shares says how likely each is."""
    visit, mover, worst = parts.nodes.visit, parts.nodes.mover, parts.nodes.worst
    generate, has_chance = parts.nodes.rules.generate, parts.game.has_chance
    recall, remember, descend = parts.table[:3]
    ahead = looking(mode, parts, depth)
    types, first, average, shares = len(opponents), ties == "first", ties == "average", room == 0
    mode.needs(
        us=i64,
        shares=(f64, room or types),
        equal=(i64, PLIES, MOVES),
        foreseen=(i64, PLIES, room or types, MOVES),  # whether an opponent may make a move
        gains=(f64, PLIES, MOVES),  # what it is worth to us then
    )

    @mode.inline
    def owner(ws):
        return ws.us if ours else 1 - ws.us

    @mode.inline
    def likely(ws, t):
        return ws.shares[t] if shares else 1.0

    @mode.inline
    def mark(ws, ply, t, count):
        """Note which of the moves, in the order of the rules, are among those that were chosen."""
        n = generate(ws, ply)
        left = count
        for i in range(n):
            ws.foreseen[ply][t][i] = 0
            for j in range(count):
                if ws.equal[ply][j] == ws.moves[ply][i] and left > 0:
                    ws.foreseen[ply][t][i] = 1
                    left = 0 if first else left - 1

    foresee = _foreseeing(mode, opponents, mark, likely)

    @mode.kernel
    def value(ws, ply, depth):
        done, found, _ = visit(ws, ply, depth)
        who = mover(ws, ply)
        if done:
            score = -found if who == 1 else found
            return score if owner(ws) == 0 else -score
        lower, upper, _ = recall(ws, ply, depth, worst, -worst, worst, -worst)
        if lower == upper:
            return lower
        if has_chance and who == CHANCE:
            found = expect(ws, ply, depth)
        elif who == owner(ws):
            found = decide(ws, ply, depth)
        else:
            found = answer(ws, ply, depth)
        if ws.stop == 0:
            remember(ws, ply, depth, found, worst, -worst, -1)
        return found

    @mode.kernel
    def decide(ws, ply, depth):
        best = worst
        for i in range(generate(ws, ply)):
            descend(ws, ply, ws.moves[ply][i], depth)
            best = max(best, value(ws, ply + 1, depth - 1))
            if ws.stop != 0:
                return best
        return best

    @mode.kernel
    def answer(ws, ply, depth):
        """The opponent moves: what its moves are worth, those of each opponent weighted by how likely it is."""
        foresee(ws, ply, depth)
        if ws.stop != 0:
            return 0.0
        n = generate(ws, ply)
        total = 0.0
        for i in range(n):
            ws.gains[ply][i] = FAR
        for t in range(types):
            if likely(ws, t) > 0.0:
                met, count = 0.0, 0
                for i in range(n):
                    if ws.foreseen[ply][t][i] != 0:
                        if ws.gains[ply][i] == FAR:
                            descend(ws, ply, ws.moves[ply][i], depth)
                            ws.gains[ply][i] = value(ws, ply + 1, depth - 1)
                            if ws.stop != 0:
                                return 0.0
                        gain = ws.gains[ply][i]
                        met = gain if count == 0 else met + gain if average else min(met, gain)
                        count += 1
                total += likely(ws, t) * (met / count if average else met)
        return total

    if has_chance:
        toss, share, _ = outcomes(mode, parts)

        @mode.kernel
        def expect(ws, ply, depth):
            n, whole = toss(ws, ply, depth, worst, -worst, -1)
            total = 0.0
            for i in range(n):
                descend(ws, ply, ws.moves[ply][i], depth + 1)
                total += share(ws, ply, i) * value(ws, ply + 1, depth)
                if ws.stop != 0:
                    return 0.0
            return total / whole

    else:

        @mode.inline
        def expect(ws, ply, depth):
            return 0.0

    @mode.kernel
    def choose(ws, ply, depth):
        depth = ahead(ply, depth)
        best, count = worst, 0
        for i in range(generate(ws, ply)):
            move = ws.moves[ply][i]
            descend(ws, ply, move, depth)
            found = value(ws, ply + 1, depth - 1)
            if ws.stop != 0:
                return 0
            if found > best:
                best, count = found, 0
            if found == best:
                ws.equal[ply][count] = move
                count += 1
        return count

    return value, Thinker(choose)


def _foreseeing(mode: Mode, opponents: Sequence[Thinker], mark: Kernel, likely: Kernel) -> Kernel:
    """`(ws, ply, depth)`: what each opponent would do at ply, into ws.foreseen[ply]. One function calls the next, for
    compiled code cannot choose functions by number."""

    @mode.inline
    def nobody(ws, ply, depth):
        return

    def calling(number: int, choose: Kernel, rest: Kernel) -> Kernel:
        @mode.inline
        def foresee(ws, ply, depth):
            if likely(ws, number) > 0.0:
                mark(ws, ply, number, choose(ws, ply, depth))
            rest(ws, ply, depth)

        return foresee

    chain: Kernel = nobody
    for number, thinker in reversed(list(enumerate(opponents))):
        chain = calling(number, thinker.choose, chain)
    return chain
