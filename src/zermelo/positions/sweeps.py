"""The kernel of `interval_bounds`: tiers valued one after another by going through their positions again and again.

A tier is first copied together: its positions, numbered from 0 in the order in which they are gone through; behind them
a place for every way out; and in the last place, endless play, which is also where a player gets who stays put.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.arrays import on_arrays
from zermelo.positions.exploring import OVER
from zermelo.rules import CHANCE

ENTER, ESTIMATE, CHOOSE, SETTLE, HARD = range(5)
"""What is to be done next with a tier; `HARD`: this kernel is no good for it."""
TIER, PHASE, AT, ROUNDS, PLAYER, FLAG, HOLDS, MOST, TOOK, SIZE, CLOSES = range(11)
"""Whole numbers of the place where the kernel stands: the tier, the phase, the next position, the rounds so far, whose
view is taken, whether something changed (or fell, while settling), whether the numbers hold, the most rounds of an
estimate (0: none, take what is certain without one), how many it took, the places of the tier, and which players end
the game by getting out of it (1 for the first, 2 for the second)."""
CHANGE, SHIFT, ENDLESS, ENOUGH, LOST = range(5)
"""And numbers: the largest change of this round, how far below the estimate settling began, what endless play is worth,
the change at which an estimate is good enough, and what rounding may take away at a move."""
ROUNDING = 1.01 * 2.0**-53
"""More than the share of a number that is lost when it is rounded."""
MOST_CHOOSING = 1000
"""How many rounds it may take to find out which positions are ahead; those left over count as not ahead."""
CALM = 100
"""Numbers that hold are taken when none rises by more than this much more than a good estimate changes."""
FARTHEST = 1e5
"""How far below the estimate settling may begin, likewise; or without regard to it, where the shift is infinite."""


@on_arrays
def room(order, ends, where, offsets, children):
    """The most moves and the most ways out of a tier of more than one position; `where` is filled with the places of
    positions in the order."""
    moves, exits, begin = 0, 0, 0
    for at in range(len(order)):
        where[order[at]] = at
    for t in range(len(ends)):
        inner, outer = 0, 0
        if ends[t] - begin > 1:
            for at in range(begin, ends[t]):
                for edge in range(offsets[order[at]], offsets[order[at] + 1]):
                    inner += 1
                    outer += not begin <= where[children[edge]] < ends[t]
        moves, exits, begin = max(moves, inner), max(exits, outer), ends[t]
    return moves, exits


@on_arrays
def sweep(
    turns, scores, offsets, children, weights, order, ends, where, sure, over, guess,
    first, to, share, g, y, delay, chosen, ahead, place, marks, work,
):  # fmt: skip
    """Value one tier after another until `work` moves have been looked at or a tier proves hard. `sure`: what each
    player is sure of; `over`: whether the same strategy ends the game with probability 1; `guess`: the middle. `first`,
    `to` and `share` hold the moves of the tier; `g` its estimate, `y` what a player is sure of, `delay` what is taken
    off that for the time it takes to get out, `chosen` the player's moves, `ahead` where play gets out."""
    endless, enough, lost = marks[ENDLESS], marks[ENOUGH], marks[LOST]
    while work > 0 and place[TIER] < len(ends) and place[PHASE] != HARD:
        t, p = place[TIER], place[PLAYER]
        begin, end = ends[t - 1] if t > 0 else 0, ends[t]
        m, phase, done = end - begin, place[PHASE], False
        last = place[SIZE] - 1
        sign = 1.0 if p == 0 else -1.0

        if phase == ENTER and m == 1:
            here = order[begin]
            for q in range(2):
                view = 1.0 if q == 0 else -1.0
                value, count, whole, closes = view * endless, 0, 0.0, True
                if turns[here] == OVER:
                    value = view * scores[here]
                elif turns[here] == CHANCE:
                    total, least = 0.0, np.inf
                    for edge in range(offsets[here], offsets[here + 1]):
                        if children[edge] != here:
                            total += weights[edge] * sure[q, children[edge]]
                            whole += weights[edge]
                            least, count = min(least, sure[q, children[edge]]), count + 1
                            closes = closes and over[q, children[edge]]
                    closes = closes and count > 0
                    if count > 0:
                        value = max(least, total / whole - (2 * count + 4) * lost)
                else:
                    for edge in range(offsets[here], offsets[here + 1]):
                        stays = children[edge] == here
                        other = view * endless if stays else sure[q, children[edge]]
                        ending = not stays and over[q, children[edge]]
                        better = other > value or (other == value and ending)
                        if edge == offsets[here] or (turns[here] == q and better):
                            value, closes = other, ending
                        elif turns[here] != q:
                            value, closes = min(value, other), closes and ending
                sure[q, here], over[q, here] = value, closes
            guess[here] = (sure[0, here] - sure[1, here]) / 2
            work -= 1 + offsets[here + 1] - offsets[here]
            place[TIER] += 1

        elif phase == ENTER and place[MOST] == 0:  # no more than what is certain of every way out
            for q in range(2):
                least = endless if q == 0 else -endless
                for at in range(begin, end):
                    for edge in range(offsets[order[at]], offsets[order[at] + 1]):
                        if not begin <= where[children[edge]] < end:
                            least = min(least, sure[q, children[edge]])
                        work -= 1
                for at in range(begin, end):
                    sure[q, order[at]] = least
            for at in range(begin, end):
                guess[order[at]] = (sure[0, order[at]] - sure[1, order[at]]) / 2
            place[TIER] += 1

        elif phase == ENTER:
            count, moves = m, 0
            closing = 3
            for i in range(m):
                here = order[begin + i]
                first[i], g[i], delay[0, i], delay[1, i] = moves, endless, 0.0, 0.0
                whole = 0.0
                for edge in range(offsets[here], offsets[here + 1]):
                    child = children[edge]
                    if child != here:
                        whole += weights[edge]
                    elif turns[here] == CHANCE:
                        continue
                    share[moves] = weights[edge]
                    to[moves] = -1
                    if child != here and begin <= where[child] < end:
                        to[moves] = where[child] - begin
                    elif child != here:
                        to[moves] = count
                        g[count] = guess[child]
                        y[0, count], y[1, count] = sure[0, child], sure[1, child]
                        closing &= over[0, child] + 2 * over[1, child]
                        count += 1
                    else:
                        closing = 0
                    moves += 1
                if turns[here] == CHANCE:
                    for e in range(first[i], moves):
                        share[e] /= whole
            first[m] = moves
            for e in range(moves):
                if to[e] < 0:
                    to[e] = count
            g[count] = y[0, count] = endless
            y[1, count] = -endless
            for i in range(m, count + 1):
                ahead[i] = True
            work -= moves
            place[SIZE], place[CLOSES] = count + 1, closing
            place[PHASE], place[PLAYER], place[AT], place[ROUNDS], marks[CHANGE] = ESTIMATE, 0, 0, 0, 0.0

        elif phase == ESTIMATE:
            i, change = place[AT], marks[CHANGE]
            while i < m and work > 0:
                turn, low, high = turns[order[begin + i]], first[i], first[i + 1]
                if turn == CHANCE:
                    value = 0.0
                    for e in range(low, high):
                        value += share[e] * g[to[e]]
                elif turn == 0:
                    value = g[to[low]]
                    for e in range(low + 1, high):
                        value = max(value, g[to[e]])
                else:
                    value = g[to[low]]
                    for e in range(low + 1, high):
                        value = min(value, g[to[e]])
                change = max(change, abs(value - g[i]))
                g[i] = value
                work -= high - low
                i += 1
            place[AT], marks[CHANGE] = i, change
            if i == m:
                place[ROUNDS] += 1
                place[AT], marks[CHANGE] = 0, 0.0
                if change <= enough:
                    place[PHASE], place[TOOK], place[PLAYER], place[ROUNDS] = CHOOSE, place[ROUNDS], 0, 0
                elif place[ROUNDS] >= place[MOST]:
                    place[PHASE] = HARD

        elif phase == CHOOSE:
            if place[ROUNDS] == 0 and place[AT] == 0:
                place[FLAG] = 0
                for i in range(m):
                    ahead[i] = False
            i = place[AT]
            while i < m and work > 0:
                here = i if place[ROUNDS] % 2 == 0 else m - 1 - i  # to and fro: ways out may lie on either side
                i += 1
                if ahead[here]:
                    continue
                turn, low, high = turns[order[begin + here]], first[here], first[here + 1]
                work -= high - low
                if turn == p:
                    best, near, nearest = sign * g[to[low]], -1, low
                    for e in range(low + 1, high):
                        if sign * g[to[e]] > best:
                            best, nearest = sign * g[to[e]], e
                    for e in range(low, high):
                        if near < 0 and ahead[to[e]] and sign * g[to[e]] >= best - enough:
                            near = e
                    chosen[here] = near if near >= 0 else nearest
                    out = near >= 0
                elif turn == CHANCE:
                    out = False
                    for e in range(low, high):
                        out = out or ahead[to[e]]
                else:
                    out = True
                    for e in range(low, high):
                        out = out and ahead[to[e]]
                if out:
                    ahead[here] = True
                    place[FLAG] = 1
            place[AT] = i
            if i == m:
                place[AT] = 0
                place[ROUNDS] += 1
                if place[FLAG] == 0 or place[ROUNDS] >= MOST_CHOOSING:
                    place[PHASE], place[ROUNDS] = SETTLE, 0
                    if marks[SHIFT] < np.inf:
                        marks[SHIFT] = enough * (place[TOOK] // 4 + 8)
                place[FLAG] = 0

        else:
            x = y[p]
            grid = 2.0 ** np.floor(np.log2(min(marks[SHIFT], FARTHEST * enough) / 8))
            bottom, top = x[last], x[last]  # between which it is certain to be
            for i in range(m, last):
                bottom, top = min(bottom, x[i]), max(top, x[i])
            if place[ROUNDS] == 0 and place[AT] == 0:
                gap = 0.0  # what the estimate of ways out differs from what is certain of them
                for i in range(m, last):
                    gap = max(gap, sign * g[i] - x[i])
                for i in range(m):
                    x[i] = min(top, max(bottom, sign * g[i] - gap - marks[SHIFT] - delay[p, i]))
                    if not ahead[i]:
                        x[i] = max(bottom, min(np.floor(x[i] / grid) * grid, x[last]))
                place[FLAG], place[HOLDS], marks[CHANGE] = 0, 0, 0.0
            i, change = place[AT], marks[CHANGE]
            while i < m and work > 0:
                turn, low, high = turns[order[begin + i]], first[i], first[i + 1]
                if turn == CHANCE:
                    least, value, spread = x[to[low]], 0.0, 0.0
                    for e in range(low + 1, high):
                        least = min(least, x[to[e]])
                    for e in range(low, high):  # from the least on: the differences, and so their errors, are small
                        value += share[e] * (x[to[e]] - least)
                        spread = max(spread, x[to[e]] - least)
                    value -= (2 * (high - low) + 4) * ROUNDING * spread + lost
                    value = least + value if value > 0 else least
                elif turn == p:
                    value = x[to[chosen[i]]]
                else:
                    value = x[to[low]]
                    for e in range(low + 1, high):
                        value = min(value, x[to[e]])
                if not ahead[i]:  # on a grid, or numbers would fall by ever less where play can go round
                    value = min(np.floor(value / grid) * grid, x[last])
                value = max(value, bottom)
                if place[HOLDS] == 1:
                    value = max(value, x[i])
                elif value < x[i]:
                    place[FLAG] = 1
                change = max(change, value - x[i])
                x[i] = value
                work -= high - low
                i += 1
            place[AT], marks[CHANGE] = i, change
            if i == m:
                place[AT], marks[CHANGE] = 0, 0.0
                place[ROUNDS] += 1
                if place[FLAG] == 0:
                    place[HOLDS] = 1
                late = place[ROUNDS] >= place[TOOK] + 16
                if place[HOLDS] == 1 and (late or change <= CALM * enough):
                    closes = place[CLOSES] >> p & 1 == 1
                    for i in range(m):
                        closes = closes and ahead[i]
                    for i in range(m):
                        sure[p, order[begin + i]], over[p, order[begin + i]] = x[i], closes
                    done = p == 1
                    place[PHASE], place[PLAYER], place[ROUNDS] = CHOOSE, 1, 0
                elif late and marks[SHIFT] < FARTHEST * enough * place[TOOK]:
                    marks[SHIFT] *= 100
                    place[ROUNDS] = 0
                elif late:
                    place[PHASE] = HARD
                place[FLAG] = 0

        if done:
            for at in range(begin, end):
                guess[order[at]] = (sure[0, order[at]] - sure[1, order[at]]) / 2
            place[TIER], place[PHASE], place[PLAYER], marks[SHIFT] = t + 1, ENTER, 0, 0.0


def buffers(moves: int, places: int, largest: int) -> tuple[Any, ...]:
    """Room for the largest tier, as `sweep` takes it: for its moves, for its positions with the ways out, and for its
    positions."""
    return (
        np.zeros(largest + 1, np.int64), np.zeros(moves, np.int32), np.zeros(moves), np.zeros(places),
        np.zeros((2, places)), np.zeros((2, largest)), np.zeros(largest, np.int64), np.zeros(places, np.bool_),
    )  # fmt: skip
