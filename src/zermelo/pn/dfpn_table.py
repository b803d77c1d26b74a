"""What df-pn remembers: the numbers of positions, and which claims hold or fail there.

An entry (see `search.buckets`) has a word for the two numbers and one for the target that they belong to. A claim that
holds serves every lower target, one that fails every higher target: so one question profits from another. Numbers
of open claims serve only their own target.

Loops are dealt with as in `search.path_table`: facts, twins of a path, and foreign verdicts that are confirmed by
playing their moves on the present path. Only a verdict can belong to a path; the numbers of an open claim are hints
wherever they come from. Here it is known on which moves a verdict rests, so `ws.sources` follows it move by move.

Where a position's moves are listed as soon as it is visited, as in a sub-game, the table is asked before that, and what
was not looked into is remembered as well: its numbers, or how it ends.

Where more in hand is never worse (see `dominance`), facts are kept a second time, with their setting: an entry has the
least stock that is known to win and the largest that is known to fail.

Where the depth is used up, nobody knows: the claim is taken to fail there, or to hold if `ws.benefit` is set. A verdict
that agrees with this may rest on it (it is kept with its depth), the opposite verdict cannot.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import PLIES
from zermelo.core.buckets import FULL, NOWHERE, REST_AT, buckets
from zermelo.core.confirming import FOREIGN, NEVER, PATIENCE, SHOWN, UNKNOWN, confirming
from zermelo.core.loops import path_hash
from zermelo.core.method import Parts
from zermelo.core.table import banking
from zermelo.core.truth import FAILS, HOLDS
from zermelo.pn.dominance import Dominance
from zermelo.pn.numbers import DECIDED, expectation
from zermelo.rules import i64, u64

OPEN = 3
MARK_BITS = 12
"""Twins are few, and to look for one costs a miss of the caches: 2 to this many words of bits tell what may have one.
Each thread has its own, and does without the twins of others."""
_LARGEST = 2**32 - 1
_DOUBT = 0xC2B2AE3D27D4EB4F
"""Sets what was found with the benefit of the doubt apart. It must differ from every hash of a path: those of the empty
path included, which is the constant in `path_hash`."""


_WON, _LOST = 1, 2
"""What is known of a setting: bits of an entry's kind."""


class Store(NamedTuple):
    """How a proof search remembers."""

    look: Kernel  # (ws, ply, depth, target) -> (proof, disproof) of the position just made; counts it as a node;
    # leaves in ws.move the move that decided it, if the table knows
    keep: Kernel  # (ws, ply, depth, target, proof, disproof, reach, move): what was found at ply


def store(mode: Mode, parts: Parts, dominance: Dominance | None = None) -> Store:
    find, word_of, depth_of, kind_of, move_of, _, rest_of, put, _ = buckets(mode, 4)
    visit, mover = parts.nodes.visit, parts.nodes.mover
    expected = expectation(mode, parts)
    game, word, signed = parts.game, mode.word, mode.signed
    bits_of, number_of_bits = mode.float_to_word, mode.word_to_float
    zero, nowhere, rest_at, foreign_mark = word(0), word(NOWHERE), word(REST_AT), word(1) << word(REST_AT)
    one, low_bits, past_place = word(1), word(63), word(64 - MARK_BITS)
    half, low_half, doubt_mark = word(32), word(_LARGEST), word(_DOUBT)
    hash_of_path = path_hash(mode)
    cyclic = game.cyclic
    knowing = parts.options.knowledge and not cyclic
    mirrors = knowing and (game.symmetry is not None or game.rest is not None)  # stored moves may be the mirror's
    banked = banking(game, parts.nodes, mode, knowing)
    dominant = dominance is not None
    listing, repeats = dominant, parts.nodes.repeats  # whether a visit lists the moves
    if dominance is not None:
        setting_key, stock, covers, alone, *_ = dominance
    mode.counts(salt=u64)  # as in `path_table`, and so is patience
    mode.needs(
        move=i64,
        keys=(u64, PLIES),
        estimated=(i64, PLIES),
        twinned=(u64, 1 << MARK_BITS),  # a bit for each position that has a twin, or shares the bit of one that does
        benefit=i64,  # 1 if the first player has the benefit of the doubt where a depth limit ends a claim
    )

    @mode.inline
    def seasoned(ws, key):
        return key ^ ws.salt ^ (doubt_mark if ws.benefit != 0 else zero)

    @mode.inline
    def base(ws, ply):
        return seasoned(ws, ws.keys[ply])

    @mode.inline
    def twin(ws, ply):
        return base(ws, ply) ^ hash_of_path(ws, ply)

    @mode.inline
    def place_of_mark(ws, ply):
        return signed(base(ws, ply) >> past_place)

    @mode.inline
    def mark_of(ws, ply):
        return one << (base(ws, ply) & low_bits)

    @mode.inline
    def may_have_twins(ws, ply):
        return ws.twinned[place_of_mark(ws, ply)] & mark_of(ws, ply) != zero

    @mode.inline
    def still_wanted(ws, ply, target):
        """What the first player must score from here on: entries know nothing of the points before."""
        points = banked(ws, ply)
        return target - (points if mover(ws, ply) == 0 else -points)

    @mode.inline
    def verdict_in(ws, at, contents, depth, target):
        """What an entry says about the claim: HOLDS, FAILS or OPEN."""
        kind, kept, asked = kind_of(contents), depth_of(contents), number_of_bits(word_of(ws, at, 3))
        if kept < depth and kept != FULL:
            return OPEN
        if kind == HOLDS and asked >= target:
            return HOLDS
        if kind == -FAILS * 2 and asked <= target:
            return FAILS
        return OPEN

    @mode.kernel
    def by_stock(ws, ply, depth):
        """Whether an attack in the same setting won with no more in hand, or failed with no less."""
        at = find(ws, seasoned(ws, setting_key(ws, ply, depth)))
        if at == nowhere:
            return OPEN
        kind, least, most = kind_of(word_of(ws, at, 1)), word_of(ws, at, 2), word_of(ws, at, 3)
        if kind & _WON != 0 and covers(stock(ws, ply), least):
            ws.need[ply] = least
            return HOLDS if ws.attacker == 0 else FAILS
        if kind & _LOST != 0 and covers(most, stock(ws, ply)):
            ws.need[ply] = most
            return FAILS if ws.attacker == 0 else HOLDS
        return OPEN

    @mode.kernel
    def keep_by_stock(ws, ply, depth, won):
        """The latest need takes the place of an older one, but of none that says more."""
        key, need = seasoned(ws, setting_key(ws, ply, depth)), ws.need[ply]
        at = find(ws, key)
        kind, least, most = 0, need, need
        if at != nowhere:
            kind, least, most = kind_of(word_of(ws, at, 1)), word_of(ws, at, 2), word_of(ws, at, 3)
        if won and (kind & _WON == 0 or not covers(need, least)):
            put(ws, ply, key, FULL, kind | _WON, -1, zero, need, most)
        elif not won and (kind & _LOST == 0 or not covers(most, need)):
            put(ws, ply, key, FULL, kind | _LOST, -1, zero, least, need)

    @mode.inline
    def remembered(ws, ply, depth, wanted):
        """(verdict, foreign verdict or OPEN, place of the entry) of a position that goes on, by the table."""
        if cyclic and may_have_twins(ws, ply):
            at = find(ws, twin(ws, ply))
            if at != nowhere:
                contents = word_of(ws, at, 1)
                verdict = verdict_in(ws, at, contents, depth, wanted)
                if verdict != OPEN:
                    ws.reach[ply] = min(ws.reach[ply], ply + 1 - rest_of(contents))
                    if depth_of(contents) != FULL:
                        ws.horizon += 1
                    return verdict, OPEN, at
        at = find(ws, base(ws, ply))
        if at == nowhere:
            return OPEN, OPEN, at
        contents = word_of(ws, at, 1)
        verdict = verdict_in(ws, at, contents, depth, wanted)
        if verdict != OPEN and cyclic and rest_of(contents) != 0:
            return OPEN, verdict, at
        if verdict != OPEN and depth_of(contents) != FULL:
            ws.horizon += 1
        if dominant and verdict != OPEN:
            ws.need[ply] = word_of(ws, at, 2)
        return verdict, OPEN, at

    @mode.kernel
    def peek(ws, ply, depth, target):
        """The same of any position, by rules and table."""
        before = ws.horizon
        if dominant:
            alone(ws, ply)
        done, lower, upper = visit(ws, ply, depth)
        if ws.stop != 0:
            return OPEN, OPEN, nowhere
        if ws.horizon != before:
            return HOLDS if ws.benefit != 0 else FAILS, OPEN, nowhere
        if mover(ws, ply) != 0:
            lower, upper = -upper, -lower
        if lower >= target:
            return HOLDS, OPEN, nowhere
        if done or upper < target:
            return FAILS, OPEN, nowhere
        return remembered(ws, ply, depth, still_wanted(ws, ply, target))

    @mode.inline
    def ask(ws, ply, depth, target, first):
        """What is known of the claim, or of its opposite."""
        verdict = HOLDS if first else FAILS
        found, foreign, at = peek(ws, ply, depth, target)
        if found == OPEN and foreign == verdict:
            return FOREIGN, move_of(word_of(ws, at, 1))
        return SHOWN if found == verdict else UNKNOWN, -1

    confirm = confirming(game, mode, parts.nodes, parts.table.descend, ask)

    @mode.inline
    def told(ws, verdict, at):
        """The numbers of a claim that is decided, and the move that decided it."""
        ws.move = move_of(word_of(ws, at, 1)) if at != nowhere and not mirrors else -1
        return (0, DECIDED) if verdict == HOLDS else (DECIDED, 0)

    @mode.inline
    def has_numbers(ws, at, wanted):
        contents = word_of(ws, at, 1)
        return kind_of(contents) == OPEN and number_of_bits(word_of(ws, at, 3)) == wanted

    @mode.inline
    def numbers_in(ws, at):
        numbers = word_of(ws, at, 2)
        return signed(numbers >> half), signed(numbers & low_half)

    @mode.kernel
    def recall(ws, ply, depth, target):
        """What the table knows of a position without visiting it: its numbers, or 0 and 0 if they are to be found."""
        wanted = still_wanted(ws, ply, target)
        if dominant:
            alone(ws, ply)
        verdict, foreign, at = remembered(ws, ply, depth, wanted)
        if dominant and verdict == OPEN:
            verdict = by_stock(ws, ply, depth)
            at = nowhere if verdict != OPEN else at
        known = at != nowhere and foreign == OPEN and has_numbers(ws, at, wanted)
        if verdict == OPEN and not known:
            return 0, 0
        ws.nodes += 1
        if ws.nodes > ws.node_limit:
            ws.stop = 1
            return 1, 1
        return told(ws, verdict, at) if verdict != OPEN else numbers_in(ws, at)

    @mode.kernel
    def keep(ws, ply, depth, target, proof, disproof, reach, move):
        if ws.stop != 0:
            return
        wanted = bits_of(still_wanted(ws, ply, target))
        if proof != 0 and disproof != 0:
            numbers = (word(min(proof, _LARGEST)) << half) | word(min(disproof, _LARGEST))
            put(ws, ply, base(ws, ply), FULL, OPEN, -1, zero, numbers, wanted)
            return
        kind = HOLDS if proof == 0 else -FAILS * 2
        doubtful = ws.horizon != ws.estimated[ply] and (proof == 0) == (ws.benefit != 0)
        kept = min(depth, FULL - 1) if doubtful else FULL
        if not cyclic or reach >= ply:
            put(ws, ply, base(ws, ply), kept, kind, move, zero, ws.need[ply] if dominant else zero, wanted)
            if dominant and kept == FULL:
                keep_by_stock(ws, ply, depth, (proof == 0) == (ws.attacker == 0))
            return
        ws.twinned[place_of_mark(ws, ply)] |= mark_of(ws, ply)
        put(ws, ply, twin(ws, ply), kept, kind, move, word(ply + 1 - reach) << rest_at, zero, wanted)
        at = find(ws, base(ws, ply))
        if at == nowhere or kind_of(word_of(ws, at, 1)) == OPEN or rest_of(word_of(ws, at, 1)) != 0:
            put(ws, ply, base(ws, ply), kept, kind, move, foreign_mark, zero, wanted)

    @mode.kernel
    def look(ws, ply, depth, target):
        ws.reach[ply] = NEVER
        if listing and depth > 0 and not repeats(ws, ply):
            proof, disproof = recall(ws, ply, depth, target)
            if proof != 0 or disproof != 0:
                return proof, disproof
        before = ws.horizon
        verdict, foreign, at = peek(ws, ply, depth, target)
        if cyclic and foreign != OPEN:
            ws.patience = PATIENCE
            if confirm(ws, ply, depth, target, foreign == HOLDS, move_of(word_of(ws, at, 1))):
                verdict = foreign
            else:
                ws.reach[ply] = NEVER
        if dominant and verdict == OPEN and ws.stop == 0:
            verdict = by_stock(ws, ply, depth)
            at = nowhere if verdict != OPEN else at
        fresh = listing and at == nowhere and ws.reach[ply] == NEVER and ws.horizon == before
        if fresh:
            ws.begun[ply], ws.estimated[ply] = ws.nodes, ws.horizon
        if verdict != OPEN:
            proof, disproof = told(ws, verdict, at)
            if fresh:
                keep(ws, ply, depth, target, proof, disproof, NEVER, -1)
            return proof, disproof
        if at != nowhere and has_numbers(ws, at, still_wanted(ws, ply, target)):
            return numbers_in(ws, at)
        if ws.stop != 0:
            return 1, 1
        proof, disproof = expected(ws, ply, target)
        if fresh:
            keep(ws, ply, depth, target, proof, disproof, NEVER, -1)
        return proof, disproof

    return Store(look, keep)
