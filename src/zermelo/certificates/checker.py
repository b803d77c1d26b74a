"""The checker: whether a certificate proves what it claims, from the rules alone.

A certificate and its game go in, a `Verdict` comes out. Every position that the claimant's strategy can lead to is
visited; every reply of the opponent comes from the rules, every end is scored by the rules. No search, no table and
none of the hooks that help searches has a part in it.

Why that is enough. Without cycles, or where a loop satisfies the claim, it is enough that the strategy never leaves
the positions it knows and that all ends satisfy the claim. Where a loop does not satisfy the claim, no line of the
strategy may come back to a position: an edge to a position that is still on the walk's path is refused, so that the
positions of the proof form a graph without cycles. Where the worth of a loop depends on the loop itself, either the
proof is such a graph without cycles, which holds whatever loops are worth, or (form tree) lines are followed one by
one, each with its path.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.certificates import walk_kernel as w
from zermelo.certificates.certificate import (
    GRAPH,
    TREE,
    Certificate,
    Claim,
    Damaged,
    Proof,
    game_of,
    position_of,
    raw,
    same_rules,
)
from zermelo.certificates.walk import Walk
from zermelo.compile.modes import Kernel, Mode, mode_for
from zermelo.compile.watch import Limits, Listener, Watch
from zermelo.rules import Game, Position, Unsuitable, wrapping


@dataclass(frozen=True)
class Verdict:
    """What the checker found. `fails_at` is the first position at which the proof fails, with the moves that lead to
    it, and `why` says how; `stopped` tells what cut the check short."""

    certificate: Certificate
    position: Position
    holds: bool
    positions: int
    seconds: float
    fails_at: Position | None = None
    why: str = ""
    stopped: str | None = None
    same_rules: bool = True
    mode: str = "compiled"

    def as_dict(self) -> dict[str, Any]:
        """The verdict as the command line prints it with --json."""
        proofs = self.certificate.proofs
        return {
            "game": self.position.game.name,
            "parameters": dict(self.position.game.parameters),
            "position": self.position.text(),
            "claim": self.certificate.claim,
            "claims": [[("at least" if p.claim.at_least else "at most"), p.claim.value] for p in proofs],
            "holds": self.holds,
            "positions": self.positions,
            "longest": max((p.longest for p in proofs if p.longest is not None), default=None),
            "bytes": self.certificate.size,
            "seconds": round(self.seconds, 6),
            "fails_at": None if self.fails_at is None else self.fails_at.text(),
            "moves": None if self.fails_at is None else moves_between(self.position, self.fails_at),
            "why": self.why,
            "same_rules": self.same_rules,
            "stopped": self.stopped,
            "mode": self.mode,
        }


class _Failure(Exception):
    """The proof does not hold."""

    def __init__(self, position: Position, why: str) -> None:
        self.position, self.why = position, why


class _Cut(Exception):
    """The check was stopped before its end."""


@wrapping
def verify(
    what: Game | Certificate | str | Path,
    proof: Certificate | str | Path | None = None,
    *,
    anyway: bool = False,
    mode: str | None = None,
    limits: Limits | None = None,
    listener: Listener | None = None,
) -> Verdict:
    """Check a certificate, or the file that holds one: `verify(file)` or, with a game at hand, `verify(game, proof)`.
    Without a game it must be one that a file may name (see `games.from_file`).

    Rules that differ from those at the time of the proof are refused unless `anyway` is set.
    """
    game = what if isinstance(what, Game) else None
    given = proof if isinstance(what, Game) else what
    if given is None or isinstance(given, Game):
        raise Unsuitable("verify takes a certificate: verify(file), or verify(game, certificate)")
    certificate = given if isinstance(given, Certificate) else Certificate.load(given)
    game = game or game_of(certificate)
    check_suits(game)
    same = same_rules(certificate, game)
    if not same and not anyway:
        raise Unsuitable(
            f"the rules of {game.summary} are not those that the certificate was made with: it may prove nothing about "
            "them; give --game the same --set as then, or check it all the same with --anyway"
        )
    position = position_of(certificate, game)
    way = mode_for(game, mode or ("interpreted" if raw(certificate) else None))  # machine code trusts its states
    way, _ = checking_kernel(game, way.name)  # before the clock starts
    workspace = way.workspace(game)
    watch = Watch([workspace], limits or Limits(), listener, doing="checking")
    started, done = time.perf_counter(), 0
    failure: _Failure | None = None

    def check() -> int:
        count = 0
        for part in certificate.proofs:
            count += _check(part, position, way, workspace, watch)
        return count

    try:
        done = watch.run(check)
    except _Failure as found:
        failure = found
    except _Cut:
        pass
    stopped = watch.reason if watch.stopped and not done and failure is None else None
    return Verdict(
        certificate, position, failure is None and stopped is None, done or watch.nodes,
        time.perf_counter() - started,
        None if failure is None else failure.position, "" if failure is None else failure.why, stopped, same, way.name,
    )  # fmt: skip


def check_suits(game: Game) -> None:
    if game.has_chance:
        raise Unsuitable(f"{game.name} has chance positions: certificates prove claims about games without chance")


def check_value(game: Game, value: float) -> None:
    """A claim that no score of the game could satisfy, or all of them would, is a mistake."""
    low, high = game.values
    if not (math.isfinite(value) and low <= value <= high):
        raise Unsuitable(f"{game.name}: scores lie between {low:g} and {high:g}, not at {value:g}")


def form_of(game: Game, claim: Claim, without_loops: bool = False) -> str:
    """Which form a proof must have: paths count one by one where the worth of a loop depends on it, unless there are
    none, or where a loop that spoils the claim is closed by less than the whole position."""
    if not game.cyclic or (without_loops and game.loop_key is None):
        return GRAPH
    fixed = game.loop_value
    if fixed is None or (game.loop_key is not None and not claim.allows(fixed)):
        return TREE
    return GRAPH


def loops_hold(game: Game, claim: Claim) -> bool:
    """Whether a loop satisfies the claim. Without cycles a loop is a mistake in the rules, and never does."""
    return game.loop_value is not None and claim.allows(game.loop_value)


@lru_cache(maxsize=32)
def checking_kernel(game: Game, mode: str) -> tuple[Mode, Kernel]:
    """The walk that reads the claimant's moves from a certificate."""
    way = mode_for(game, mode)
    return way, w.walk_entry(game, way, w.from_stream)


def _check(proof: Proof, position: Position, way: Mode, workspace: Any, watch: Watch) -> int:
    """Check one proof; returns how many positions it has."""
    game, claim = position.game, proof.claim
    check_value(game, claim.value)
    if proof.form not in (form_of(game, claim), form_of(game, claim, without_loops=True)):
        raise _Failure(position, f"a proof in the form of a {proof.form} does not suit a game with these loops")
    if position.result is not None:
        if not claim.allows(position.result):
            raise _Failure(position, f"the game is over here with a score of {position.result:g}")
        if proof.ours or proof.positions or any(len(chunk) for chunk in proof.chunks()):
            raise _Failure(position, "the game is over here, but the proof goes on")
        return 0
    tree = proof.form == TREE
    found = _check_tree(proof, position, watch) if tree else _check_graph(proof, position, way, workspace)
    ours, positions, longest = found
    if (ours, positions, longest) != (proof.ours, proof.positions, proof.longest):
        raise _Failure(
            position,
            f"the proof has {positions} positions, {ours} of them the claimant's, and its longest line {longest} "
            f"moves; the certificate says {proof.positions}, {proof.ours} and {proof.longest}",
        )
    return positions


def _check_graph(proof: Proof, position: Position, way: Mode, workspace: Any) -> tuple[int, int, int | None]:
    game, claim = position.game, proof.claim
    _, kernel = checking_kernel(game, way.name)
    holds = loops_hold(game, claim)
    walk = Walk(position, way, kernel, workspace, claimant=claim.claimant, loops_hold=int(holds))
    outcome = walk_stream(walk, proof)
    if outcome == w.STOPPED:
        raise _Cut
    if outcome != w.FINISHED:
        raise _Failure(walk.trail(), _reason(walk, outcome, claim))
    return walk.ours, walk.entered, None if game.cyclic and holds else walk.longest


def walk_stream(walk: Walk, proof: Proof) -> int:
    """Take a walk along the moves of a proof; returns how it ended."""
    chunks = proof.chunks()
    while True:
        outcome = walk.run(float(proof.claim.value))
        if outcome != w.MORE_STREAM:
            break
        chunk = next(chunks, None)
        if chunk is None:
            return outcome
        walk.feed(chunk)
    if outcome == w.FINISHED and (walk.at[w.READ] < walk.at[w.LENGTH] or next(chunks, None) is not None):
        raise Damaged("the certificate is damaged: it has more moves than the claimant has positions")
    return outcome


def _reason(walk: Walk, outcome: int, claim: Claim) -> str:
    """Why a walk could not go on, in words."""
    if outcome == w.MORE_STREAM:
        return "the proof ends before this position, where the claimant has to move"
    index = int(walk.at[w.INDEX])
    position = walk.trail()
    codes = position.codes
    if outcome == w.BAD_MOVE:
        return f"the proof takes move number {index + 1} here, but there are only {len(codes)}"
    return _ending(position, codes[index], claim, loop=outcome == w.BAD_LOOP)


def _ending(position: Position, move: int, claim: Claim, loop: bool) -> str:
    who = "the claimant's move" if position.turn == claim.claimant else "the reply"
    text = position.text_of(move)
    if loop:
        return f"{who} {text} comes back to a position, which does not satisfy the claim"
    return f"{who} {text} ends the game with a score of {position.play(move).result:g}"


class Step(NamedTuple):
    """A position on a line of a proof, and the places and positions of the moves that the proof goes on with."""

    position: Position
    depth: int
    children: list[tuple[int, Position]]


def follow_lines(proof: Proof, root: Position) -> Iterator[Step]:
    """Every line of a proof by itself, with positions that know their path, in the order of the claimant's moves."""
    claim, moves = proof.claim, _one_by_one(proof)
    waiting = [(root, 0)]
    while waiting:
        here, depth = waiting.pop()
        codes = list(enumerate(here.codes))
        if depth >= here.game.max_plies:
            raise _Failure(here, f"the line is longer than the declared max_plies = {here.game.max_plies}")
        if here.turn == claim.claimant:
            index = next(moves, None)
            if index is None:
                raise _Failure(here, "the proof ends before this position, where the claimant has to move")
            if index >= len(codes):
                raise _Failure(here, f"the proof takes move number {index + 1} here, but there are only {len(codes)}")
            codes = [codes[index]]
        children = [(index, here.play(move)) for index, move in codes]
        yield Step(here, depth, children)
        waiting.extend((child, depth + 1) for _, child in reversed(children) if child.result is None)
    if next(moves, None) is not None:
        raise Damaged("the certificate is damaged: it has more moves than the claimant has positions")


def _check_tree(proof: Proof, root: Position, watch: Watch) -> tuple[int, int, int | None]:
    claim = proof.claim
    ours = positions = longest = 0
    for here, depth, children in follow_lines(proof, root):
        positions += 1
        ours += here.turn == claim.claimant
        watch.workspaces[0]["nodes"] = positions
        if watch.stopped:
            raise _Cut
        for _, child in children:
            if child.result is not None:
                longest = max(longest, depth + 1)
                if not claim.allows(child.result):
                    assert child.last_move is not None
                    raise _Failure(here, _ending(here, child.last_move, claim, loop=False))
    return ours, positions, longest


def _one_by_one(proof: Proof) -> Iterator[int]:
    for chunk in proof.chunks():
        yield from chunk.tolist()


def moves_between(root: Position, position: Position) -> list[str]:
    """The moves that lead from the root of a proof to one of its positions."""
    return position.history()[len(root.history()) :]
