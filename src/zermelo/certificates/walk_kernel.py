"""A walk through the positions of a game, each of which is entered once: what a certificate is checked with.

At a position of the claimant the walk goes on with the moves that `elect` names, at every other position with all
that the rules allow; ends must satisfy the claim. It is depth-first without recursion, for proofs may be deep, and
works on plain lists (compiled: arrays), so that it can stop for more room and go on where it was:

    states   the positions met so far, in full, numbered as they come: two are the same if all their fields are
    slots    open addressing from a hash of all fields to the number, upper bits of the hash beside it
    notes    for each position NEW, OPEN (on the path), DONE with its longest line, LOOP (to reach it closes a loop)
    frames   the path: for each position its number, the next edge, the end and begin of its edges, the longest line
    edges    the positions that moves lead to, each with the move's place in the list of the rules
    starts   for each position where its edges begin and end, and whether it is the claimant's, if edges are kept
    stream   the claimant's moves, read or written
    at       the numbers named below

Nothing is shared with any search.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.modes import Kernel, Mode, Rules
from zermelo.compile.workspace import MOVES, PLIES
from zermelo.rules import ONGOING, Game, i64, rule
from zermelo.rules.hashing import key_of_fields
from zermelo.rules.language import Rule
from zermelo.rules.structs import Struct

(
    COUNT,  # how many positions are kept
    DEPTH,  # how many frames are in use; the first is not a position but the way to the root
    TOP,  # how many edges are in use
    KEEP,  # whether edges stay when their position is done
    READ,  # how much of the stream is used
    LENGTH,  # how much of it there is
    CLAIMANT,  # 0 or 1
    LOOPS_HOLD,  # whether a loop satisfies the claim: NO, YES, or FOR_NOW: whoever asked will see to it
    BASE,  # the ply of the stack at which positions are looked at
    OURS,  # how many positions of the claimant were entered
    ENTERED,  # how many in all
    ENDS,  # how many moves end the game
    HERE,  # where the walk was stopped: the position,
    INDEX,  # and which of its moves it was
    REFILL,  # whether the slots must be filled anew
    ADD,  # whether only to add the position at BASE, and to say in HERE which number it has
    COLLECT,  # up to how many positions all moves of the claimant that hold are taken, not only one
    AHEAD,  # how many plies a search may look ahead
    SHARE,  # how many nodes a search may take for a move before others have their turn; 0 if it comes to an end anyway
    CUT,  # how many moves were left out because that was not enough
    AT_WORDS,
) = range(21)

NO, YES, FOR_NOW = range(3)
NEW, OPEN, DONE, LOOP = range(4)
WIDE = -1
"""A note on a position that is to be entered once more, with all moves that hold."""
CIRCLING = 1 << 40
"""The longest line from where play may go round."""
FRAME, START = 5, 3
INDEX_BITS = 40
END_OF_GAME = (1 << INDEX_BITS) - 1
"""What a kept edge leads to where the game is over."""

FINISHED, MORE_ROOM, MORE_STREAM, STOPPED, BAD_END, BAD_MOVE, BAD_LOOP, UNDECIDED = range(8)
"""How a kernel can return: the last four because of the position HERE and its move INDEX."""


class Store(NamedTuple):
    """How positions are kept."""

    fetch: Kernel  # (ws, ply, states, number): put a position onto the stack
    find: Kernel  # (ws, ply, states, slots, notes, starts, at) -> its number; it is added if it is new
    known: Kernel  # (ws, ply, states, slots) -> its number, or -1
    refill: Kernel  # (states, slots, at)


def store(game: Game, mode: Mode) -> Store:
    return _native_store(game, mode) if mode.name == "compiled" else _plain_store(game)


def _native_store(game: Game, mode: Mode) -> Store:
    assert game.State is not None
    hashed, same = key_of_fields(game.State), sameness(game.State)
    zero, one, bits, numbers = (np.uint64(n) for n in (0, 1, INDEX_BITS, END_OF_GAME))

    @mode.inline
    def probe(s, states, slots):
        """Where a state is or would be, its number or -1, and the upper bits of its hash."""
        h = hashed(s)
        mask, tag = np.uint64(len(slots) - 1), h >> bits
        slot = h & mask
        while slots[slot] != zero:
            if slots[slot] >> bits == tag:
                number = np.int64(slots[slot] & numbers) - 1
                if same(states[number], s):
                    return slot, number, tag
            slot = (slot + one) & mask
        return slot, np.int64(-1), tag

    @mode.inline
    def fetch(ws, ply, states, number):
        ws.stack[ply] = states[number]

    @mode.inline
    def known(ws, ply, states, slots):
        return probe(ws.stack[ply], states, slots)[1]

    @mode.inline
    def find(ws, ply, states, slots, notes, starts, at):
        slot, number, tag = probe(ws.stack[ply], states, slots)
        if number < 0:
            number = at[COUNT]
            at[COUNT] = number + 1
            states[number] = ws.stack[ply]
            notes[number] = NEW
            slots[slot] = (tag << bits) | np.uint64(number + 1)
        return number

    @mode.inline
    def refill(states, slots, at):
        for number in range(at[COUNT]):
            slot, _, tag = probe(states[number], states, slots)
            slots[slot] = (tag << bits) | np.uint64(number + 1)

    return Store(fetch, find, known, refill)


def sameness(State: type[Struct]) -> Rule:
    """A rule that compares all fields of two states, floats by their bits."""
    lines = ["def same(a, b):"]
    for name, field in State.fields.items():
        scalar, length = field if isinstance(field, tuple) else (field, 0)
        bits = ".view(np.uint64)" if np.dtype(scalar).kind == "f" else ""
        wrap = "np.float64" if bits else ""
        ours, theirs = (f"{wrap}({s}.{name}{'[i]' if length else ''}){bits}" for s in "ab")
        lines += [f"    for i in range({length}):"] if length else []
        lines += [f"    {'    ' if length else ''}if {ours} != {theirs}: return False"]
    lines.append("    return True")
    namespace: dict[str, Any] = {"np": np}
    exec("\n".join(lines), namespace)
    same: Rule = rule(namespace["same"])
    return same


def _plain_store(game: Game) -> Store:
    name = identity(game)

    def fetch(ws, ply, states, number):
        ws.stack[ply] = states[number]

    def known(ws, ply, states, slots):
        return slots.get(name(ws.stack[ply]), -1)

    def find(ws, ply, states, slots, notes, starts, at):
        number = slots.setdefault(name(ws.stack[ply]), at[COUNT])
        if number == at[COUNT]:
            at[COUNT] += 1
            states.append(ws.stack[ply])
            notes.append(NEW)
            starts.extend((0, 0, 0))
        return number

    def refill(states, slots, at):
        """A dictionary grows by itself."""

    return Store(fetch, find, known, refill)


def identity(game: Game) -> Kernel:
    """What equal positions share: all of a struct; for objects what they say themselves, and how they print."""
    if game.compilable:
        return lambda s: s.tobytes()
    key = game.key
    if hasattr(game.start, "key"):
        return lambda s: s.key()
    if key is not None:
        return lambda s: (key(s), str(s))
    return lambda s: object()  # nothing can be told, so no two are taken for the same


def from_stream(game: Game, mode: Mode, rules: Rules, kept: Store) -> Kernel:
    """How the claimant's moves are found in a certificate: the one that is next in the stream.

    An `elect(ws, ply, n, states, slots, notes, stream, at, target)` writes the places of the moves to take into
    ws.scores[ply] and returns how many they are; where there is none, minus the reason.
    """

    @mode.inline
    def elect(ws, ply, n, states, slots, notes, stream, at, target):
        if at[READ] >= at[LENGTH]:
            return -MORE_STREAM
        index = stream[at[READ]]
        if index >= n:
            at[INDEX] = index
            return -BAD_MOVE
        at[READ] += 1
        ws.scores[ply][0] = index
        return 1

    return elect


def walk_kernel(game: Game, mode: Mode, electing: Any) -> Kernel:
    """`walk(ws, states, slots, notes, frames, edges, starts, stream, at, target)` goes on with the walk until it is
    finished or cannot go on, and returns which."""
    rules, kept = mode.rules(game), store(game, mode)
    elect = electing(game, mode, rules, kept)
    generate, advance, over, turn = rules.generate, rules.advance, rules.over, rules.turn
    fetch, find, refill = kept.fetch, kept.find, kept.refill
    bounded, moves = mode.name == "compiled", game.max_moves
    mode.needs(scores=(i64, PLIES, MOVES))  # the places of the moves to take, here

    @mode.inline
    def crowded(notes, frames, edges, at):
        """Whether there may not be room for one more position and all that it leads to."""
        return bounded and (
            at[COUNT] + moves >= len(notes) or at[TOP] + moves > len(edges) or (at[DEPTH] + 1) * FRAME > len(frames)
        )

    @mode.inline
    def satisfies(at, score, target):
        return score >= target if at[CLAIMANT] == 0 else score <= target

    @mode.inline
    def enter(ws, number, states, slots, notes, frames, edges, starts, stream, at, target):
        """Look at a position for the first time: find where it leads, and put it onto the path."""
        at[HERE] = number
        if crowded(notes, frames, edges, at):
            return MORE_ROOM
        if ws.nodes >= ws.node_limit:
            return STOPPED
        ply = at[BASE]
        fetch(ws, ply, states, number)
        n = generate(ws, ply)
        if n < 1:
            return STOPPED
        ours = turn(ws.stack[ply]) == at[CLAIMANT]
        taken = n
        if ours:
            taken = elect(ws, ply, n, states, slots, notes, stream, at, target)
            if taken < 1:
                return -taken
            generate(ws, ply)  # electing may have put them into another order
        begin = at[TOP]
        top = begin
        longest = 0
        for i in range(taken):
            index = ws.scores[ply][i] if ours else i
            at[INDEX] = index
            advance(ws, ply, ws.moves[ply][index])
            score = over(ws, ply + 1)
            child = END_OF_GAME
            if score != ONGOING:
                if not satisfies(at, score, target):
                    return BAD_END
            else:
                child = find(ws, ply + 1, states, slots, notes, starts, at)
                if notes[child] == LOOP:
                    child = END_OF_GAME
                    if at[LOOPS_HOLD] != YES:
                        return BAD_LOOP
            if child == END_OF_GAME:
                longest = 1
                at[ENDS] += 1
            if child != END_OF_GAME or at[KEEP] != 0:
                edges[top] = (index << INDEX_BITS) | child
                top += 1
        at[TOP] = top
        if at[KEEP] != 0:
            starts[START * number] = begin
            starts[START * number + 1] = top
            starts[START * number + 2] = 1 if ours else 0
        frame = at[DEPTH] * FRAME
        frames[frame] = number
        frames[frame + 1] = begin
        frames[frame + 2] = top
        frames[frame + 3] = begin
        frames[frame + 4] = longest
        at[DEPTH] += 1
        notes[number] = OPEN
        at[ENTERED] += 1
        ws.nodes += 1
        if ours:
            at[OURS] += 1
        return FINISHED

    @mode.inline
    def leave(frame, notes, frames, at):
        """A position that is done: its longest line is known, and one longer leads to it from above."""
        longest = frames[frame + 4]
        notes[frames[frame]] = (longest << 2) | DONE
        if at[KEEP] == 0:
            at[TOP] = frames[frame + 3]
        above = frame - FRAME + 4
        frames[above] = max(frames[above], longest + 1)
        at[DEPTH] -= 1

    @mode.kernel
    def walk(ws, states, slots, notes, frames, edges, starts, stream, at, target):
        if at[REFILL] != 0:
            refill(states, slots, at)
            at[REFILL] = 0
        if at[ADD] != 0:
            at[ADD] = 0
            at[HERE] = find(ws, at[BASE], states, slots, notes, starts, at)
            return FINISHED
        while True:
            frame = (at[DEPTH] - 1) * FRAME
            edge = frames[frame + 1]
            if edge == frames[frame + 2]:
                if frame == 0:
                    return FINISHED
                leave(frame, notes, frames, at)
                continue
            child = edges[edge] & END_OF_GAME
            if child != END_OF_GAME:
                note = notes[child]
                if note <= NEW:  # or WIDE
                    outcome = enter(ws, child, states, slots, notes, frames, edges, starts, stream, at, target)
                    if outcome != FINISHED:
                        return outcome
                elif note == OPEN:
                    if at[LOOPS_HOLD] == NO:
                        at[HERE] = frames[frame]
                        at[INDEX] = edges[edge] >> INDEX_BITS
                        return BAD_LOOP
                    frames[frame + 4] = max(frames[frame + 4], CIRCLING)
                else:
                    frames[frame + 4] = max(frames[frame + 4], (note >> 2) + 1)
            frames[frame + 1] = edge + 1

    return walk


def walk_entry(game: Game, mode: Mode, electing: Any) -> Kernel:
    """A walk's kernel ready to be called, compiled or fetched from the cache."""
    kernel = walk_kernel(game, mode, electing)
    if mode.name != "compiled":
        return mode.entry(kernel, game, ())
    import numba

    assert game.State is not None
    states, numbers, words = numba.from_dtype(game.State.dtype)[::1], numba.int64[::1], numba.uint64[::1]
    return mode.entry(kernel, game, (states, words, *[numbers] * 6, numba.float64))
