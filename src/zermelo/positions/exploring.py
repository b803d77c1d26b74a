"""The kernel that finds all positions of a game, breadth first: one source for both modes.

Positions are numbered as they are met and looked at in that order, each once: who moves, what it scores if play is
over, and where its moves lead. What is not wanted is not compiled. The kernel works on these lists (compiled: arrays):

    states    the positions met so far, in full; interpreted, those looked at may be let go
    keys      by which they are told apart, if they are
    slots     open addressing from a hash to the number plus one; interpreted, a dictionary
    turns     who moves: 0, 1, CHANCE, or OVER
    scores    ONGOING, or the first player's score; at the end, also the estimate at the game's horizon
    degrees   how many moves there are
    children  where they lead, one position's moves behind another's
    weights   at chance positions how often each outcome happens, elsewhere 0
    at        the numbers named below

A position is looked at wholly or not at all, and only when there is room for everything that it leads to. So the kernel
may return for more room and go on where it was, and the memory that it fills never exceeds what it may.

Where positions are told apart by a hook, the score where play is over is made part of the key, for hooks need not heed
what the rules say there. Keys are believed: two of n positions share one by chance with a probability of n² / 2^65.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from zermelo.chance.outcomes import BAD_WEIGHT
from zermelo.compile.modes import Compiled, Kernel, Mode
from zermelo.positions.identity import name_of, sameness, with_score
from zermelo.rules import CHANCE, ONGOING, Game
from zermelo.rules.hashing import key_of_fields

OVER = 3
"""The turn of a position where play is over, or beyond the game's horizon."""
(
    FOUND,  # how many positions have a number
    HERE,  # how many of them were looked at
    MOVES,  # how many moves were noted
    ENDS,  # at how many positions play is over, the horizon included
    ESTIMATED,  # how many are only the horizon,
    HORIZON,  # and the number of the first of them
    ROOT,  # the number of the position that all began with
    REFILL,  # whether the slots must be filled anew
    EACH,  # the bytes of a position,
    PER_MOVE,  # and of a move
    BUDGET,  # how many bytes there may be in all,
    MOST,  # and how many positions
    AT_WORDS,
) = range(13)
DONE, STOPPED, CROWDED, FULL = range(4)
"""How the kernel returns: it is finished, or told to stop; the slots are too few; there is no more memory."""
SLOT_BYTES = 4
MOST_POSITIONS, MOST_MOVES = 2**31 - 1, 2**32 - 1


class Choice(NamedTuple):
    """What a kernel is compiled for. by: what tells positions apart, `state`, `key` or `symmetry`. counting: positions
    where somebody is to move are counted, and nothing is noted. weighing: outcomes are noted with their weights.
    letting_go: interpreted, states are let go once they were looked at."""

    by: str = "state"
    counting: bool = False
    weighing: bool = False
    letting_go: bool = False


class _Store(NamedTuple):
    """How positions are kept. `score` is what the position at ply 1 scores, where that counts."""

    find: Kernel  # (ws, score, found, states, keys, scores, slots) -> the number of the position at ply 1; found if new
    refill: Kernel  # (found, states, keys, slots)
    crowded: Kernel  # (found, slots) -> whether the slots are too few for so many
    slot_bytes: Kernel  # (slots)
    put: Kernel  # (list, index, value): write the next place of a list
    let_go: Kernel  # (states, number)
    as_kept: Kernel  # (score)


def score_type(game: Game, choice: Choice) -> type[Any]:
    """What compiled scores are kept as."""
    return np.int32 if game.integral and game.horizon is None and not choice.weighing else np.float64


def scored_by(game: Game, choice: Choice) -> bool:
    """Whether the score where play is over is part of the key: unless that is known to hold all of the position, or
    only positions where it goes on are counted."""
    if choice.by == "state" or choice.counting:
        return False
    mirrored = choice.by == "symmetry" and game.symmetry is not None
    return mirrored or not (game.key is None or game.exact_key)


def degree_type(game: Game) -> type[Any]:
    return np.uint16 if game.max_moves < 1 << 16 else np.uint32


def _native_store(game: Game, mode: Compiled, choice: Choice) -> _Store:
    assert game.State is not None
    same, keyed_by, rules = sameness(game.State), with_score, mode.rules(game)
    keyed, as_kept = choice.by != "state", int if score_type(game, choice) is np.int32 else float
    hook: Any = {"state": key_of_fields(game.State), "key": rules.key, "symmetry": rules.symmetry}[choice.by]
    scored, one = scored_by(game, choice), np.uint64(1)

    @mode.inline
    def slot_of(word, slots):
        mixed = word
        if keyed:  # a key may be the board itself, whose low bits say little
            mixed = word * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(32)
        return mixed & np.uint64(len(slots) - 1)

    @mode.inline
    def alike(other, child, word, states, keys):
        return keys[other] == word if keyed else same(states[other], child)

    @mode.inline
    def find(ws, score, found, states, keys, scores, slots):
        child = ws.stack[1]
        word = np.uint64(hook(child))
        if scored and score != ONGOING:
            word = keyed_by(word, score)
        mask, slot = np.uint64(len(slots) - 1), slot_of(word, slots)
        while slots[slot] != 0:
            other = np.int64(slots[slot]) - 1
            if alike(other, child, word, states, keys):
                return other
            slot = (slot + one) & mask
        states[found] = child
        if keyed:
            keys[found] = word
        if scored:
            scores[found] = as_kept(score)
        slots[slot] = found + 1
        return found

    @mode.inline
    def refill(found, states, keys, slots):
        mask = np.uint64(len(slots) - 1)
        for i in range(found):
            slot = slot_of(keys[i] if keyed else np.uint64(hook(states[i])), slots)
            while slots[slot] != 0:
                slot = (slot + one) & mask
            slots[slot] = i + 1

    @mode.inline
    def crowded(found, slots):
        return 2 * found > len(slots) if keyed else 4 * found > 3 * len(slots)

    @mode.inline
    def slot_bytes(slots):
        return SLOT_BYTES * len(slots)

    @mode.inline
    def put(array, index, value):
        array[index] = value

    @mode.inline
    def let_go(states, number):
        pass

    return _Store(find, refill, crowded, slot_bytes, put, let_go, as_kept)


def _plain_store(game: Game, mode: Mode, choice: Choice) -> _Store:
    name = name_of(game, choice.by)
    scored, letting_go = scored_by(game, choice), choice.letting_go

    @mode.inline
    def find(ws, score, found, states, keys, scores, slots):
        child = ws.stack[1]
        told = name(child)
        if scored and score != ONGOING:
            told = int(with_score(np.uint64(told), score))
        number = slots.setdefault(told, found)
        if number == found:
            states.append(child)
            if scored:
                scores.append(score)
        return number

    @mode.inline
    def refill(found, states, keys, slots):
        """Whoever filled in the first states has entered them."""

    @mode.inline
    def crowded(found, slots):
        return False

    @mode.inline
    def slot_bytes(slots):
        return 0

    @mode.inline
    def put(array, index, value):
        array.append(value)

    @mode.inline
    def let_go(states, number):
        if letting_go:
            states[number] = None

    @mode.inline
    def as_kept(score):
        return score

    return _Store(find, refill, crowded, slot_bytes, put, let_go, as_kept)


def _explorer(game: Game, mode: Mode, choice: Choice) -> Kernel:
    """`explore(ws, states, keys, slots, turns, scores, degrees, children, weights, at, between)`, where `between` is
    what positions are to score where play goes on."""
    rules = mode.rules(game)
    generate, advance, turn, weight = rules.generate, rules.advance, rules.turn, rules.weight
    verdict, horizon, evaluate = rules.over, rules.horizon, rules.evaluate
    store = _native_store(game, mode, choice) if isinstance(mode, Compiled) else _plain_store(game, mode, choice)
    find, refill, crowded, slot_bytes, put, let_go, as_kept = store
    counting, weighing = choice.counting, choice.weighing
    kept = scored_by(game, choice)  # the score is there when a position is looked at
    scored = kept or counting  # a position is scored as soon as it is met
    ends_early = game.horizon is not None

    @mode.inline
    def score_at(ws, scores, here):
        if counting:
            return ONGOING
        if kept:
            return scores[here]
        return verdict(ws, 0)

    @mode.inline
    def score_met(ws):
        return verdict(ws, 1) if scored else ONGOING

    @mode.kernel
    def explore(ws, states, keys, slots, turns, scores, degrees, children, weights, at, between):
        if at[REFILL] != 0:
            at[REFILL] = 0
            refill(at[FOUND], states, keys, slots)
        found, here, moves = at[FOUND], at[HERE], at[MOVES]
        each, per_move = at[EACH], at[PER_MOVE]
        outcome = DONE
        while here < found:
            if ws.nodes >= ws.node_limit:
                ws.stop = 1
                outcome = STOPPED
                break
            ws.stack[0] = states[here]
            s = ws.stack[0]
            score = score_at(ws, scores, here)
            over = score != ONGOING
            estimated = not over and ends_early and horizon(s)
            n = 0
            if not over and not estimated:
                n = generate(ws, 0)
                if ws.fault != 0:
                    outcome = STOPPED
                    break
            taken = (found + n) * each + (moves + n) * per_move + slot_bytes(slots)
            if taken > at[BUDGET] or found > at[MOST] or moves + n > MOST_MOVES:
                outcome = FULL
                break
            if crowded(found + n, slots):
                outcome = CROWDED
                break
            side = OVER
            if n > 0:
                side = int(turn(s))
            if over or estimated:
                at[ENDS] += 1
            if estimated:
                if at[ESTIMATED] == 0:
                    at[HORIZON] = here
                at[ESTIMATED] += 1
            if not counting:
                put(turns, here, side)
                put(degrees, here, n)
                if not kept:
                    put(scores, here, as_kept(score))
            for i in range(n):
                move = ws.moves[0][i]
                advance(ws, 0, move)
                after = score_met(ws)
                if counting and after != ONGOING:
                    continue
                child = find(ws, after, found, states, keys, scores, slots)
                if child == found:
                    found += 1
                if weighing:
                    often = 0
                    if side == CHANCE:
                        often = int(weight(s, move))
                        if often <= 0:
                            ws.fault, ws.stop = BAD_WEIGHT, 1
                    put(weights, moves, often)
                if not counting:
                    put(children, moves, child)
                    moves += 1
            if not estimated:
                let_go(states, here)
            here += 1
            ws.nodes = here - at[ROOT]
            if ws.fault != 0:
                outcome = STOPPED
                break
        at[FOUND], at[HERE], at[MOVES] = found, here, moves
        ws.leaves = at[ENDS]
        if outcome == DONE and not counting:
            for i in range(at[ROOT], found):
                if scores[i] == ONGOING:
                    scores[i] = as_kept(between)
                    if ends_early and turns[i] == OVER:
                        scores[i] = as_kept(evaluate(states[i]))
        return outcome

    return explore


@lru_cache(maxsize=64)
def explorer_for(game: Game, mode: str, choice: Choice) -> Kernel:
    """The kernel, made ready at most once in a process; compiled, it is kept on disk like every other."""
    from zermelo.compile.modes import mode_for

    way = mode_for(game, mode)
    kernel = _explorer(game, way, choice)
    if not isinstance(way, Compiled):
        return way.entry(kernel, game, ())
    import numba

    assert game.State is not None
    states, scores, degrees = (
        numba.from_dtype(np.dtype(kind))[::1]
        for kind in (game.State.dtype, score_type(game, choice), degree_type(game))
    )
    keys, slots, turns, numbers = numba.uint64[::1], numba.uint32[::1], numba.int8[::1], numba.int32[::1]
    whole = numba.int64[::1]
    return way.entry(kernel, game, (states, keys, slots, turns, scores, degrees, numbers, whole, whole, float))
