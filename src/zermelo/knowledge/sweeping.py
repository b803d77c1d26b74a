"""Going through a tier: the kernels that fill it, number by number.

`prepare` marks the numbers that stand for nothing, and sets the positions that are over, and by distance those that can
be won with one move; all others are worth as much as endless play. `sweep` looks at every position that is not settled
and takes what its moves are worth. What it writes is never taken back:

- By distance, a sweep at level d finds the wins and losses in d plies: sweeps at rising levels find all of them.
- Scores begin as endless play, 0, and only move away from it: who can force more gets it as soon as it has worked its
  way back, and nobody ever gets more than can be forced. So sweeps may go in any order, by any number of threads, and
  may be stopped at any time; when one changes nothing, all is known. (Play that goes round without end counts 0 here; a
  table of a game where it counts otherwise is refused.)
- Expectations come nearer to the truth with every sweep where only dice can bring play back; how far the last one
  still moved is told. Where nothing can, they are found once and for all, those of later positions first.

Ströhlein 1970; Thompson 1986, "Retrograde analysis of certain endgames"; Romein and Bal 2003 for scores.
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.knowledge.coding import FAR, OPEN, UNKNOWN, Coding, decoder, encoder
from zermelo.knowledge.lookahead import EVERY_LEVEL, WORST, goes_down, looking
from zermelo.knowledge.numbers import CROWDED, PARTED
from zermelo.rules import ONGOING, Game, f64, i32

STOPPED = -1
"""What a kernel returns that could not go on: something is broken, or a limit was met."""


def preparing(game: Game, mode: Mode, coding: Coding, tiers: int) -> Kernel:
    """`prepare(ws, entries, tier, begin, end)`: how many of these numbers stand for positions."""
    look, encode = looking(game, mode, coding, tiers), encoder(mode, coding)
    points, ended, at_once = look.points, look.ended, look.at_once
    rules = mode.rules(game)
    unindex, index, over, turn = rules.unindex, rules.index, rules.over, rules.turn
    unused, by_distance, number_of = coding.unused, coding.by_distance, float if coding.by_chance else int
    at_first = UNKNOWN if goes_down(game, coding) else number_of(0)

    @mode.kernel
    def prepare(ws, entries, tier, begin, end):
        used, base = 0, ws.offsets[tier]
        ws.home, ws.top = tier, 0
        for number in range(begin, end):
            s = ws.stack[0]
            if not unindex(s, tier, number):
                entries[base + number] = unused
                continue
            used += 1
            score, value = over(ws, 0), at_first
            if score != ONGOING:
                value = ended(score) - points(s)
                if turn(s) == 1:
                    value = -value
            else:
                home, place, turned = index(s)
                if home != tier or place != number or turned != 1:
                    ws.broken, ws.culprit = PARTED, number
                    return STOPPED
                if by_distance:
                    value = at_once(ws, 0)
            if ws.fault != 0:
                return STOPPED
            entries[base + number] = encode(ws, value)
        return used

    return prepare


def sweeping(game: Game, mode: Mode, coding: Coding, tiers: int) -> Kernel:
    """`sweep(ws, entries, tier, begin, end, level)`: how many of these entries have changed, or `STOPPED`. Counts in
    `ws.stays` the moves that do not leave the tier, and tells in `ws.moved` how far an expectation moved at most."""
    worth, encode = looking(game, mode, coding, tiers).worth, encoder(mode, coding)
    mode.counts(moved=f64)
    rules = mode.rules(game)
    unindex, over = rules.unindex, rules.over
    unused, by_distance, by_chance = coding.unused, coding.by_distance, coding.by_chance
    down, unknown = goes_down(game, coding), UNKNOWN

    @mode.inline
    def settled(code):
        """Whether nothing is to be found out here."""
        if down:
            return code != unknown
        if by_chance:
            return code != code
        return code != 0 if by_distance else code == unused

    @mode.kernel
    def sweep(ws, entries, tier, begin, end, level):
        changed, base = 0, ws.offsets[tier]
        ws.home, ws.top = tier, 0
        for number in range(begin, end):
            code = entries[base + number]
            if settled(code):
                continue
            s = ws.stack[0]
            unindex(s, tier, number)
            if over(ws, 0) != ONGOING:
                continue
            value = worth(ws, 0, entries, level)
            if ws.broken != 0 or ws.fault != 0:
                ws.culprit = number
                return STOPPED
            if by_chance and not down:
                ws.moved = max(ws.moved, abs(value - code))
            found = encode(ws, value)
            if found != code:
                entries[base + number] = found
                changed += 1
        return changed

    return sweep


def spreading(game: Game, mode: Mode, coding: Coding, tiers: int) -> Kernel:
    """`spread(ws, entries, tier, begin, end, listed, found, level, won, lost, now_won, now_lost)`: what a sweep at this
    level does, the other way round: from the positions whose codes say that they were won or lost at the level before,
    back to those that led there. Who can move to a loss has won; who can move to a win is looked at whole, for it has
    lost only if every move leads to one. How many entries have changed, or `STOPPED`. listed: the numbers to go back
    from, of which those from `begin` to `end` are meant; if it is empty, these are the numbers. found: is filled with
    the numbers whose entries have changed, as many as it has room for."""
    worth = looking(game, mode, coding, tiers).worth
    room = game.max_unmoves or game.max_moves
    mode.needs(unmoves=(i32, 4 * room + 64))  # more than there may be, for rules that break their promise
    rules = mode.rules(game)
    unindex, index, unmoves, retreat = rules.unindex, rules.index, rules.unmoves, rules.retreat
    over, turn = rules.over, rules.turn

    @mode.kernel
    def spread(ws, entries, tier, begin, end, listed, found, level, won, lost, now_won, now_lost):
        changed, base = 0, ws.offsets[tier]
        ws.home, ws.top = tier, 1
        for at in range(begin, end):
            number = at if len(listed) == 0 else int(listed[at])
            code = entries[base + number]
            if code != won and code != lost:
                continue
            unindex(ws.stack[0], tier, number)
            side = turn(ws.stack[0])
            n = unmoves(ws.stack[0], ws.unmoves)
            if n > room:
                ws.broken, ws.culprit = CROWDED, number
                return STOPPED
            for i in range(n):
                retreat(ws, 0, ws.unmoves[i])
                earlier = ws.stack[1]
                to, place, _ = index(earlier)
                if to != tier or place < 0 or place >= ws.sizes[tier] or entries[base + place] != OPEN:
                    continue
                code_now = OPEN
                if (code == lost) != (turn(earlier) == side):
                    code_now = now_won
                elif over(ws, 1) == ONGOING and worth(ws, 1, entries, level) < 0:
                    code_now = now_lost
                if ws.broken != 0 or ws.fault != 0:
                    ws.culprit = place
                    return STOPPED
                if code_now != OPEN:
                    entries[base + place] = code_now
                    if changed < len(found):
                        found[changed] = place
                    changed += 1
        return changed

    return spread


# A tier whose moves are remembered: every position is looked at once, and then only the lists of where moves lead.


def noting(game: Game, mode: Mode, coding: Coding, tiers: int) -> Kernel:
    """`note(ws, entries, tier, begin, end, starts, children, exits)`: how many moves of these positions stay in the
    tier, which are written down as twice the number that they lead to, plus 1 if the same player moves there;
    `STOPPED` if some cannot be. `starts`: where the moves of each begin; `exits`: what the best of its other moves is
    worth."""
    look = looking(game, mode, coding, tiers)
    points, ended, kept, before = look.points, look.ended, look.kept, look.before
    rules = mode.rules(game)
    generate, advance, over, turn = rules.generate, rules.advance, rules.over, rules.turn
    unindex, index, unused, by_distance = rules.unindex, rules.index, coding.unused, coding.by_distance

    @mode.kernel
    def note(ws, entries, tier, begin, end, starts, children, exits):
        filled, base = 0, ws.offsets[tier]
        for number in range(begin, end):
            starts[number - begin] = filled
            best = WORST
            exits[number - begin] = best
            code = entries[base + number]
            if code == unused or (by_distance and code != 0):
                continue
            s = ws.stack[0]
            unindex(s, tier, number)
            if over(ws, 0) != ONGOING:
                continue
            n = generate(ws, 0)
            side, so_far = turn(s), points(s)
            view = -1 if side == 1 else 1
            for i in range(n):
                advance(ws, 0, ws.moves[0][i])
                child = ws.stack[1]
                score = over(ws, 1)
                value = 0
                if score != ONGOING:
                    value = ended(score)
                else:
                    to, place, turned = index(child)
                    if to < 0 or (to == tier and points(child) != so_far):
                        return STOPPED
                    value = kept(ws, child, to, place, turned, entries, EVERY_LEVEL)
                    if to == tier:
                        children[filled] = 2 * place + (1 if turn(child) == side else 0)
                        filled += 1
                        continue
                best = max(best, before(view * (value - so_far)))
            exits[number - begin] = best
            if ws.broken != 0 or ws.fault != 0:
                return STOPPED
        starts[end - begin] = filled
        return filled

    return note


def resweeping(game: Game, mode: Mode, coding: Coding, tiers: int) -> Kernel:
    """`resweep(ws, entries, tier, begin, end, starts, children, exits, level)`: what `sweep` does, from what was
    noted."""
    before, encode, decode = looking(game, mode, coding, tiers).before, encoder(mode, coding), decoder(mode, coding)
    unused, by_distance = coding.unused, coding.by_distance

    @mode.kernel
    def resweep(ws, entries, tier, begin, end, starts, children, exits, level):
        changed, base = 0, ws.offsets[tier]
        for number in range(begin, end):
            code = entries[base + number]
            first, last = starts[number - begin], starts[number - begin + 1]
            best = exits[number - begin]
            if code == unused or (by_distance and code != 0) or (first == last and best == WORST):
                continue
            if by_distance and best != WORST and FAR - abs(best) > level:
                best = 0
            for at in range(first, last):
                child = children[at]
                value = decode(entries[base + (child >> 1)])
                if by_distance and FAR - abs(value) >= level:
                    value = 0
                best = max(best, before(value if child & 1 else -value))
            found = encode(ws, best)
            if found != code:
                entries[base + number] = found
                changed += 1
        return changed

    return resweep
