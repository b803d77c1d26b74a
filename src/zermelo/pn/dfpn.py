"""df-pn: proof-number search as a depth-first search with a table.

A position is searched until its proof or disproof number reaches a threshold, which is where a brother, or a position
further up, would look easier. Nagai 2002, "Df-pn algorithm for searching AND/OR trees and its applications"; the
threshold for the easiest move is a quarter above the next one's number, so that search does not go to and fro
(the 1+ε trick, Pawlewicz and Lew 2007). Numbers of the moves on the current path are kept beside the path, not only
in the table: however small that is, a search makes progress. Entries that cost little work are the first to be
overwritten, which is what small-tree garbage collection does (Nagai 1999).

The kernel is `decide(ws, ply, depth, target)`: HOLDS, FAILS or UNKNOWN for "the first player scores at least target".
"""

from __future__ import annotations

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import MOVES, PLIES
from zermelo.core.confirming import NEVER
from zermelo.core.method import Method, Parts
from zermelo.core.truth import FAILS, HOLDS, UNKNOWN
from zermelo.pn.dfpn_table import store
from zermelo.pn.dominance import Dominance
from zermelo.pn.numbers import DECIDED
from zermelo.pn.options import ProofOptions
from zermelo.rules import Unsuitable, i64


def claim_search(mode: Mode, parts: Parts, dominance: Dominance | None = None) -> Kernel:
    """`verdict(ws, ply, depth, target)`: the claim with the benefit of the doubt given to one side by `ws.benefit`;
    UNKNOWN if the verdict rests on that."""
    options = parts.options
    assert isinstance(options, ProofOptions)
    if not options.table:
        raise Unsuitable(
            f"dfpn lives on its table, which needs positions with a key, and {parts.game.name} gets none here: use pn"
        )
    weak = options.weak
    look, keep = store(mode, parts, dominance)
    dominant = dominance is not None
    if dominance is not None:
        hand_up, gather = dominance.hand_up, dominance.gather
    mover, descend = parts.nodes.mover, parts.table.descend
    arrange, pick = parts.ordering[:2]
    unlimited = mode.signed(DECIDED)  # of the same type as other limits: a literal would be another function's argument
    mode.needs(
        proofs=(i64, PLIES, MOVES),  # proof and disproof numbers of the positions that moves lead to,
        disproofs=(i64, PLIES, MOVES),
        sources=(i64, PLIES, MOVES),  # and the earliest ply that they rest on, once they are decided
    )
    mode.counts(entered=i64)  # how often a position's moves were looked at
    cyclic, path_bound = parts.game.cyclic, parts.game.cyclic and not parts.game.path_free

    @mode.inline
    def note(ws, ply, i, proof, disproof):
        """What the position at ply + 1 was found to be worth, to which move number i of ply leads."""
        ws.proofs[ply][i], ws.disproofs[ply][i] = proof, disproof
        ws.sources[ply][i] = ws.reach[ply + 1]
        if dominant and (proof == 0 or disproof == 0):
            hand_up(ws, ply, i, (proof == 0) == (ws.attacker == 0))

    @mode.inline
    def expand(ws, ply, depth, target, mine, theirs):
        """List the moves at ply with their numbers in the view of the player to move, up to one that decides it."""
        n = arrange(ws, ply, -1)
        for i in range(n):
            descend(ws, ply, pick(ws, ply, i, n), depth)
            proof, disproof = look(ws, ply + 1, depth - 1, target)
            note(ws, ply, i, proof, disproof)
            if mine[ply][i] == 0 or ws.stop != 0:
                return i + 1
        return n

    @mode.kernel
    def search(ws, ply, depth, target, proof_limit, disproof_limit):
        """Search the position at ply until a number reaches its limit: its proof and disproof number."""
        if ws.stop != 0:
            return 1, 1
        ws.entered += 1
        ws.begun[ply], ws.estimated[ply] = ws.nodes, ws.horizon
        first = mover(ws, ply) == 0
        mine, theirs = (ws.proofs, ws.disproofs) if first else (ws.disproofs, ws.proofs)
        my_limit, their_limit = (proof_limit, disproof_limit) if first else (disproof_limit, proof_limit)
        n = expand(ws, ply, depth, target, mine, theirs)
        while True:
            best, least, second, total, largest, still_open = 0, DECIDED, DECIDED, 0, 0, 0
            for i in range(n):
                number, against = mine[ply][i], theirs[ply][i]
                if number < least:
                    best, least, second = i, number, least
                elif number < second:
                    second = number
                total += against
                largest = max(largest, against)
                if against != 0:
                    still_open += 1
            if weak and least != 0:
                total = largest + max(still_open - 1, 0)
            if least == 0:
                total = DECIDED
            if least >= my_limit or total >= their_limit or least == 0 or total == 0 or ws.stop != 0:
                break
            my_share = min(my_limit, max(second + 1, second + second // 4))
            their_share = their_limit - (still_open - 1) if weak else their_limit - total + theirs[ply][best]
            descend(ws, ply, ws.moves[ply][best], depth)
            ws.reach[ply + 1] = NEVER
            proof, disproof = search(
                ws, ply + 1, depth - 1, target,
                my_share if first else their_share, their_share if first else my_share,
            )  # fmt: skip
            note(ws, ply, best, proof, disproof)
        conclude(ws, ply, depth, target, least if first else total, total if first else least, n, best)
        return (least, total) if first else (total, least)

    @mode.inline
    def conclude(ws, ply, depth, target, proof, disproof, n, best):
        """Remember the numbers of ply and, if the claim is decided, what the verdict rests on."""
        reach = NEVER
        ws.move = -1
        if proof == 0 or disproof == 0:
            by_one_move = (proof == 0) == (mover(ws, ply) == 0)
            if by_one_move:
                ws.move = ws.moves[ply][best]
            if path_bound:
                reach = -1
            elif cyclic and by_one_move:
                reach = ws.sources[ply][best]
            elif cyclic:
                for i in range(n):
                    reach = min(reach, ws.sources[ply][i])
            if dominant and by_one_move:
                ws.need[ply] = ws.needs[ply][best]
            elif dominant:
                gather(ws, ply, n, (proof == 0) == (ws.attacker == 0))
        keep(ws, ply, depth, target, proof, disproof, reach, ws.move)
        ws.reach[ply] = min(ws.reach[ply], reach)

    @mode.kernel
    def verdict(ws, ply, depth, target):
        before = ws.horizon
        proof, disproof = look(ws, ply, depth, target)
        if proof != 0 and disproof != 0:
            proof, disproof = search(ws, ply, depth, target, unlimited, unlimited)
        if ws.stop != 0 or (proof != 0 and disproof != 0):
            return UNKNOWN
        found = HOLDS if proof == 0 else FAILS
        favoured = HOLDS if ws.benefit != 0 else FAILS
        return UNKNOWN if found == favoured and ws.horizon != before else found

    return verdict


def dfpn(mode: Mode, parts: Parts) -> Kernel:
    verdict = claim_search(mode, parts)

    @mode.kernel
    def decide(ws, ply, depth, target):
        ws.benefit, ws.move = 0, -1
        found = verdict(ws, ply, depth, target)
        if found == UNKNOWN and ws.stop == 0:
            ws.benefit = 1
            found = verdict(ws, ply, depth, target)
            ws.benefit = 0
        return found

    return decide


METHOD = Method(
    name="dfpn",
    summary="depth-first proof-number search: the claim that looks easiest",
    source="Nagai 2002; loops: Kishimoto and Müller 2004",
    kernel=dfpn,
    answers_claims=True,
    options=ProofOptions(weak=True, leaves="mobility"),  # fewest nodes, or close to it, on all games that were tried
)
