"""How the claimant's moves are found where no certificate lists them: by asking a search.

The kernel of any method that solves is put into the walk. A method that answers claims is asked outright, one that
finds values by an empty window at the claim. What rests on an estimate counts as not known. Such a walk needs no field
of the workspace that searches do not ask for too, so that it works in the one of the search that found the value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from zermelo.certificates import walk_kernel as w
from zermelo.compile.modes import Kernel, Mode, Rules, mode_for
from zermelo.core.method import Method, Options, Parts, bind
from zermelo.core.truth import FAILS, HOLDS, UNKNOWN
from zermelo.rules import ONGOING, Game


@lru_cache(maxsize=32)
def proving_kernel(game: Game, mode: str, method: Method, options: Options, number: type) -> tuple[Mode, Kernel]:
    """The walk that asks a search for the claimant's moves."""
    way = mode_for(game, mode)
    return way, w.walk_entry(game, way, from_search(method, options, number))


def from_search(method: Method, options: Options, number: type) -> Callable[..., Kernel]:
    def electing(game: Game, mode: Mode, rules: Rules, kept: w.Store) -> Kernel:
        parts = bind(game, mode, options, number)
        ask = _asking(method, mode, parts)
        recall, descend, note = parts.table.recall, parts.table.descend, parts.table.note
        arrange, pick = parts.ordering.arrange, parts.ordering.pick
        worst = parts.nodes.worst
        generate, advance, over, bounds = rules.generate, rules.advance, rules.over, rules.bounds
        known, select = kept.known, options.knowledge and game.bounds is not None

        @mode.inline
        def satisfies(at, score, target):
            return score >= target if at[w.CLAIMANT] == 0 else score <= target

        @mode.inline
        def place_of(ws, ply, move):
            """The place of a move in the list of the rules."""
            n = generate(ws, ply)
            for i in range(n):
                if ws.moves[ply][i] == move:
                    return i
            return 0

        @mode.inline
        def arrives(note):
            """Whether every line from a position is known to come to an end."""
            return note & 3 == w.DONE and note >> 2 < w.CIRCLING

        @mode.inline
        def for_nothing(ws, ply, n, states, slots, notes, at, target):
            """A move that ends the game well, or leads to a position of the proof; -1 if there is none."""
            found = -1
            for i in range(n):
                advance(ws, ply, ws.moves[ply][i])
                score = over(ws, ply + 1)
                if score != ONGOING:
                    if satisfies(at, score, target):
                        return i
                elif found < 0:
                    number = known(ws, ply + 1, states, slots)
                    if number >= 0 and (at[w.LOOPS_HOLD] != w.FOR_NOW or arrives(notes[number])):
                        found = i
            return found

        @mode.inline
        def decided(s):
            """Whether the game's bounds settle the score: then its candidates need not hold a move that keeps it."""
            least, most = bounds(s)
            return least == most

        @mode.kernel
        def ask_within(ws, ply, depth, at, target, share):
            """`ask`, for so many nodes at most, if `share` is not 0: a move that does not hold may take for ever."""
            if share == 0 or ws.nodes + share >= ws.node_limit:
                return ask(ws, ply, depth, at[w.CLAIMANT], target)
            whole, bound = ws.node_limit, ws.nodes + share
            ws.node_limit = bound
            verdict = ask(ws, ply, depth, at[w.CLAIMANT], target)
            if ws.node_limit == bound:  # otherwise somebody else stops it
                ws.node_limit = whole
                if ws.stop != 0:
                    ws.stop, verdict = 0, UNKNOWN
                    at[w.CUT] += 1
            return verdict

        @mode.kernel
        def one(ws, ply, n, at, target):
            """The place of a move that holds, or minus the reason why there is none."""
            depth = at[w.AHEAD]
            claimant = at[w.CLAIMANT]
            note(ws, ply)
            hint = recall(ws, ply, depth, worst, -worst, worst, -worst)[2]
            if hint < 0:
                ws.move = -1
                ask(ws, ply, depth, claimant, target)
                if ws.stop != 0:
                    return -w.STOPPED
                hint = ws.move
            settled = select and decided(ws.stack[ply])
            share = at[w.SHARE]
            while True:
                cut = at[w.CUT]
                count = generate(ws, ply) if settled else arrange(ws, ply, hint)
                hinted = -1
                for i in range(count):
                    if hint >= 0 and ws.moves[ply][i] & 0xFFFF == hint & 0xFFFF:
                        hinted = ws.moves[ply][i]
                for i in range(-1, count):
                    move = hinted if i < 0 else ws.moves[ply][i] if settled else pick(ws, ply, i, count)
                    if (i < 0) == (move != hinted) or move < 0:
                        continue
                    descend(ws, ply, move, depth)
                    verdict = ask_within(ws, ply + 1, depth - 1, at, target, share)
                    if ws.stop != 0:
                        return -w.STOPPED
                    if verdict == HOLDS:
                        at[w.CUT] = cut
                        return place_of(ws, ply, move)
                if at[w.CUT] == cut:
                    return -w.UNDECIDED
                at[w.CUT], share = cut, 2 * share

        @mode.kernel
        def all_that_hold(ws, ply, n, at, target):
            """How many moves hold, their places written into ws.scores[ply]; minus the reason if there is none."""
            depth, taken = at[w.AHEAD], 0
            note(ws, ply)
            for i in range(n):
                descend(ws, ply, ws.moves[ply][i], depth)
                verdict = ask_within(ws, ply + 1, depth - 1, at, target, at[w.SHARE])
                if ws.stop != 0:
                    return -w.STOPPED
                if verdict == HOLDS:
                    ws.scores[ply][taken] = i
                    taken += 1
            if taken == 0:
                index = one(ws, ply, n, at, target)
                if index < 0:
                    return index
                ws.scores[ply][0] = index
                taken = 1
            return taken

        @mode.inline
        def elect(ws, ply, n, states, slots, notes, stream, at, target):
            if at[w.COUNT] < at[w.COLLECT] or notes[at[w.HERE]] == w.WIDE:
                return all_that_hold(ws, ply, n, at, target)
            if at[w.READ] >= at[w.LENGTH]:
                return -w.MORE_STREAM
            index = for_nothing(ws, ply, n, states, slots, notes, at, target)
            if index < 0:
                index = one(ws, ply, n, at, target)
                if index < 0:
                    return index
            if at[w.KEEP] == 0:
                stream[at[w.READ]] = index
                at[w.READ] += 1
            ws.scores[ply][0] = index
            return 1

        return elect

    return electing


def _asking(method: Method, mode: Mode, parts: Parts) -> Kernel:
    """`ask(ws, ply, depth, claimant, target)`: whether the claim HOLDS or FAILS at a position, or neither is known."""
    assert method.kernel is not None
    kernel, mover, number = method.kernel(mode, parts), parts.nodes.mover, parts.nodes.number
    above, below = parts.nodes.above, parts.nodes.below
    claims = method.answers_claims

    @mode.inline
    def goal(claimant, target):
        """What the first player must reach, or be kept from reaching."""
        return number(target) if claimant == 0 else above(number(target))

    @mode.kernel
    def ask_outright(ws, ply, depth, claimant, target):
        verdict = kernel(ws, ply, depth, goal(claimant, target))
        return verdict if claimant == 0 else -verdict

    @mode.kernel
    def ask_by_value(ws, ply, depth, claimant, target):
        wanted = goal(claimant, target)
        before = ws.horizon
        if mover(ws, ply) == 0:
            reached = kernel(ws, ply, depth, below(wanted), wanted) >= wanted
        else:
            reached = -kernel(ws, ply, depth, -wanted, -below(wanted)) >= wanted
        if ws.horizon != before:
            return 0
        return HOLDS if reached == (claimant == 0) else FAILS

    return ask_outright if claims else ask_by_value
