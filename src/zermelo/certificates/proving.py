"""Making certificates: a search decides the claim, and a walk asks it for the claimant's moves.

A game or position and a claim go in, a `Certificate` comes out. The walk is the checker's own; at each position of
the claimant it first looks for a move that ends the game well or leads to a position that is part of the proof
already, and otherwise asks the search about one move after another until one holds. The search's table mostly answers
at once; where entries were lost the search is done again, so that nothing relies on what has survived.

Where a loop spoils the claim, a move that holds is not enough: the claimant could hold for ever and never arrive.
There the walk goes on past circles, further moves that hold are collected at positions from which no end is forced,
and of all these the ones are taken that come closer to an end (see `smaller`).
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.certificates import walk_kernel as w
from zermelo.certificates.certificate import GRAPH, TREE, Certificate, Claim, Packing, Proof, describe
from zermelo.certificates.checker import check_suits, check_value, form_of, loops_hold, verify
from zermelo.certificates.choosing import ROUNDS, choose_moves, stranded
from zermelo.certificates.electing import proving_kernel
from zermelo.certificates.walk import Walk
from zermelo.compile.diagnosis import blaming
from zermelo.compile.watch import STOP, Limits, Listener
from zermelo.core.claims import depths, verdict
from zermelo.core.engine import Engine
from zermelo.core.question import Question, Worker
from zermelo.core.request import Request
from zermelo.core.session import Job
from zermelo.core.truth import FAILS, HOLDS, UNKNOWN
from zermelo.methods.requests import request
from zermelo.positions.counting import count_positions
from zermelo.rules import Game, Position, RuleError, Unsuitable, ZermeloError

BUFFER = 1 << 14
MOST_COLLECTED = 4_000_000
"""How many positions are collected to choose from before the first move that holds has to do."""

FIRST_SHARE = 1000
"""The nodes after which another move has its turn, where it is asked which of them keeps the claim."""
BRIEF = 100
"""The same where all moves are asked that hold at many positions: most are not needed."""
FEW_PLIES = 2
"""How far a move is looked at first: to any reply and the move after it."""
WRITING = "the claim is decided; stopped while its proof was being written down"

COUNTING = {False: Limits(seconds=0.5), True: Limits(seconds=10)}
"""How long the positions of the whole game are counted, to tell how small a part of it the proof is; longer where a
small proof was asked for."""


class Disproved(ZermeloError):
    """The claim is not true; the text says what is."""


class Unproved(ZermeloError):
    """A limit was met before the claim was decided or its proof was complete. `stopped` names it."""

    def __init__(self, text: str, stopped: str | None = None) -> None:
        super().__init__(text)
        self.stopped = stopped


def prove(
    what: Game | Position,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    method: str | Request | None = None,
    small: bool = False,
    limits: Limits | None = None,
    listener: Listener | None = None,
    spec: str | None = None,
    **settings: Any,
) -> Certificate:
    """A certificate that the first player scores at least, or at most, a value; without either, of the exact value.

    `method` is any that has a kernel, `settings` are those of a request. `small` looks for a smaller proof, which takes
    longer. `spec` is how others can name the game (a listed name, module:factory, openspiel:NAME), where its own name
    does not tell.
    """
    position = what if isinstance(what, Position) else Position(what)
    game = position.game
    check_suits(game)
    if at_least is not None and at_most is not None:
        raise Unsuitable("a certificate proves a score of at least or of at most so much, or the exact value: not both")
    for value in (at_least, at_most):
        if value is not None:
            check_value(game, value)
    made = request(method, game, "prove", claim=at_most if at_least is None else at_least, **settings)
    claims = [Claim(True, at_least)] if at_least is not None else [Claim(False, at_most)] if at_most is not None else []
    with made.open(game) as session:
        done = session.carry_out(_job(claims, small), session.question(position, limits, listener))
    if done is None:
        raise Unproved("stopped before the claim is decided", "interrupt")
    if done.failed is not None:
        raise done.failed
    return _checked(position, done, small, spec)


class _Done(NamedTuple):
    """What a worker proved and what that took, or why it did not."""

    proofs: tuple[Proof, ...] = ()
    made: dict[str, Any] = {}  # noqa: RUF012  never changed
    failed: ZermeloError | None = None


def _job(claims: list[Claim], small: bool) -> Job[_Done]:
    """Prove these claims or, if there are none, the value."""

    def prepare(worker: Worker, question: Question) -> None:
        engine = worker.engine()
        proving_kernel(question.position.game, engine.mode.name, engine.method, engine.options, engine.number)

    def run(worker: Worker, question: Question) -> _Done:
        engine, position = worker.engine(), question.position
        prepare(worker, question)  # before the clock starts
        watch = engine.watched(question.limits, question.listener, question.brake)
        watch.turn = position.turn
        maker = _Maker(engine, position, small)

        def work() -> tuple[Proof, ...]:
            value = None if claims else maker.value()
            wanted = claims or [Claim(True, value), Claim(False, value)]  # type: ignore[arg-type]
            return tuple(maker.proof(claim) for claim in wanted)

        try:
            with blaming(position.game):
                proofs = watch.run(work)
        except (Disproved, Unproved) as failed:
            return _Done(failed=failed)
        return _Done(proofs, {
            "method": engine.method.name, "nodes": watch.nodes, "seconds": round(watch.seconds, 3), "small": small,
            "threads": len(engine.workspaces), "mode": engine.mode.name,
        })  # fmt: skip

    def settled(done: _Done, question: Question) -> bool:
        unproved = done.failed if isinstance(done.failed, Unproved) else None
        return unproved is None or unproved.stopped in ("interrupt", STOP)

    return Job("prove", run, prepare, settled)


def _checked(position: Position, done: _Done, small: bool, spec: str | None) -> Certificate:
    """The certificate, once it has been checked as anybody would check it."""
    game, mode = position.game, done.made["mode"]
    counted = count_positions(position, COUNTING[small], mode)
    made = {**done.made, "game_positions": counted}
    certificate = Certificate(describe(position, spec, made), done.proofs)
    verdict = verify(game, certificate, mode=mode)
    if verdict.stopped is not None:
        raise Unproved("stopped before the proof was checked", verdict.stopped)
    if not verdict.holds:
        raise RuleError(
            f"{game.name}: the proof that the search found does not follow from the rules: {verdict.why}; a hook "
            "(bounds, candidates, symmetry or key) says something else than the rules"
        )
    return certificate


def _packed(
    claim: Claim, form: str, ours: int, positions: int, longest: int | None, moves: list[Any], game: Game
) -> Proof:
    packing = Packing(game)
    for some in moves:
        packing.add(some)
    return Proof(claim, form, ours, positions, longest, packing.finish(), packing.width)


@dataclass
class _Maker:
    """One position and the engine that decides claims about it."""

    engine: Engine
    position: Position
    small: bool
    depth: int = 0  # how far the search had to look ahead

    # deciding

    def value(self) -> Any:
        """The first player's value of the position, certain."""
        engine, position = self.engine, self.position
        if position.result is not None:
            return position.result
        low, high = engine.low, engine.high
        if engine.number is not int:
            if engine.method.answers_claims:
                raise Unsuitable(f"{position.game.name}: scores are not whole numbers; name one claim")
            return self._value_by_window()
        while low < high:
            middle = high if high - low <= 2 else (low + high + 1) // 2
            if self.reached(middle):
                low = middle
            else:
                high = engine.below(middle)
        return low

    def _value_by_window(self) -> float:
        engine, position = self.engine, self.position
        low, high = engine.window(position)
        for depth in self._depths():
            before = engine.estimated
            value = engine.search(position, depth, engine.below(low), engine.above(high))
            self._check_stop("stopped before the value is known")
            if engine.estimated == before:
                self.depth = depth
                return float(value if position.turn == 0 else -value)
        raise self._too_deep()

    def reached(self, target: Any) -> bool:
        """Whether the first player reaches a score, certain."""
        for depth in self._depths():
            found = verdict(self.engine, self.position, depth, target)
            self._check_stop("stopped before the claim is decided")
            if found in (HOLDS, FAILS):
                self.depth = max(self.depth, depth)
                return found == HOLDS
        raise self._too_deep()

    def _depths(self) -> list[int]:
        return depths(self.engine, self.position, self.engine.deepest(self.position))

    def _too_deep(self) -> ZermeloError:
        if any(workspace.count("full") for workspace in self.engine.workspaces):
            room = self.engine.memory.bytes
            return Unproved(f"{self.position.game.name}: the claim is not decided, {room:,} bytes of memory are full")
        self.engine.check_length()
        return Unproved(
            f"{self.position.game.name}: the claim is not decided within {self.engine.deepest(self.position)} plies"
        )

    def _check_stop(self, when: str) -> None:
        if self.engine.stopped:
            raise Unproved(when, self.engine.watch.reason)

    # proving

    def proof(self, claim: Claim) -> Proof:
        engine, position, game = self.engine, self.position, self.position.game
        form = form_of(game, claim, engine.method.without_loops)
        if position.result is not None:
            if not claim.allows(position.result):
                raise Disproved(f"it is not true that {claim}: the game is over with {position.result:g}")
            return _packed(claim, form, 0, 0, None, [], game)
        limit = self._limit(claim)
        trivial = claim.value <= engine.low if claim.at_least else claim.value >= engine.high
        if not trivial:
            engine.watch.doing = "deciding the claim"
            target = limit if claim.at_least else engine.above(limit)
            if self.reached(target) != claim.at_least:
                raise Disproved(self._opposite(claim, target))
        elif self.depth == 0:
            self.depth = engine.deepest(position)
        engine.watch.doing = "writing the proof"
        if form == TREE:
            return self._tree(claim)
        return self._graph(claim, limit)

    def _limit(self, claim: Claim) -> Any:
        """The claim's value as a score that is possible."""
        if self.engine.number is not int:
            return float(claim.value)
        return math.ceil(claim.value) if claim.at_least else math.floor(claim.value)

    def _opposite(self, claim: Claim, target: Any) -> str:
        engine = self.engine
        if claim.at_least:
            true = f"at most {engine.below(target):g}" if engine.number is int else f"less than {claim.value:g}"
        else:
            true = f"at least {target:g}" if engine.number is int else f"more than {claim.value:g}"
        return f"it is not true that {claim}: the first player scores {true}"

    def _graph(self, claim: Claim, limit: Any) -> Proof:
        """Walk through the strategy, asking the search at every position of the claimant."""
        game = self.position.game
        spoiled = game.cyclic and not loops_hold(game, claim)
        usual: list[Any] = []
        if not spoiled:
            walk = self._walk(claim, limit, 0, usual)
            longest = None if game.cyclic else walk.longest
            if game.cyclic or not self.small:
                return _packed(claim, GRAPH, walk.ours, walk.entered, longest, usual, game)
            self.engine.watch.doing = "looking for a smaller proof"
        walk = self._walk(claim, limit, MOST_COLLECTED if self.small else 0, [])
        if spoiled:
            self._widen(walk, limit, claim)
        strategy = choose_moves(walk, game.cyclic, ROUNDS if self.small else 0, np.concatenate(usual) if usual else ())
        if strategy is None:
            raise RuleError(f"{game.name}: the search says that {claim}, but no line comes to an end")
        found = [strategy.moves]
        return _packed(claim, GRAPH, strategy.ours, strategy.positions, strategy.longest, found, game)

    def _walk(self, claim: Claim, limit: Any, collect: int, moves: list[Any]) -> Walk:
        """One walk to its end. Up to `collect` positions, all moves that hold are taken and the edges kept; otherwise
        the moves that were taken are added to the list."""
        engine, position, game = self.engine, self.position, self.position.game
        way, kernel = proving_kernel(game, engine.mode.name, engine.method, engine.options, engine.number)
        loops = w.NO if not game.cyclic else w.YES if loops_hold(game, claim) else w.FOR_NOW
        walk = Walk(
            position, way, kernel, engine.workspaces[0], claimant=claim.claimant, loops_hold=loops,
            keep=collect > 0 or loops == w.FOR_NOW, base=len(position.path()) - 1 if game.cyclic else 0,
        )  # fmt: skip
        walk.at[w.AHEAD], walk.at[w.COLLECT], walk.at[w.SHARE] = self.depth, collect, BRIEF if game.cyclic else 0
        self._finish(walk, limit, claim, moves)
        return walk

    def _widen(self, walk: Walk, limit: Any, claim: Claim) -> None:
        """Where the moves taken go round in circles, take all that hold, until every line can come to an end. What is
        not decided soon is left out at first."""
        tried: set[int] = set()
        while len(numbers := stranded(walk)):
            fresh = [int(number) for number in numbers if int(number) not in tried]
            if not fresh:
                if not walk.at[w.CUT]:
                    return
                walk.at[w.CUT], walk.at[w.SHARE] = 0, 2 * walk.at[w.SHARE]
                tried.clear()
                continue
            tried.update(fresh)
            walk.widen(fresh)
            self._finish(walk, limit, claim, [])

    def _finish(self, walk: Walk, limit: Any, claim: Claim, moves: list[Any]) -> None:
        game = self.position.game
        walk.offer(BUFFER)
        while (outcome := walk.run(float(limit))) == w.MORE_STREAM:
            moves.append(walk.written())
            walk.offer(BUFFER)
        if outcome == w.STOPPED:
            self._check_stop(WRITING)
        if outcome != w.FINISHED:
            where = walk.trail().text() or "the start"
            raise RuleError(
                f"{game.name}: the search says that {claim}, but finds no move that keeps it at {where}; a hook "
                "(bounds, candidates, symmetry or key) disagrees with the rules"
            )
        moves.append(walk.written())

    def _tree(self, claim: Claim) -> Proof:
        """Follow every line by itself, with its path, for what a loop is worth depends on it."""
        engine, game = self.engine, self.position.game
        target = self._limit(claim) if claim.at_least else engine.above(self._limit(claim))
        waiting, moves = [(self.position, 0)], []
        ours = positions = longest = 0
        while waiting:
            self._check_stop(WRITING)
            here, depth = waiting.pop()
            positions += 1
            codes = here.codes
            if here.turn == claim.claimant:
                ours += 1
                index = self._holding(here, claim, target, self.depth - depth - 1)
                moves.append(index)
                codes = [codes[index]]
            children = []
            for move in codes:
                after = here.play(move)
                if after.result is None:
                    children.append((after, depth + 1))
                else:
                    longest = max(longest, depth + 1)
            waiting.extend(reversed(children))
        return _packed(claim, TREE, ours, positions, longest, [moves], game)

    def _holding(self, here: Position, claim: Claim, target: Any, left: int) -> int:
        """The place of a move that keeps the claim on the path that led here: one that ends the game, or the first that
        is shown to.

        The remembered move comes first, and is looked at as far as is `left` of the way that decided the claim. Then
        the moves take turns, whichever has cost the least: to find that one of them keeps nothing may take for ever.
        They begin with few plies, so that short ways to the end are found before long ones.
        """
        engine, watch = self.engine, self.engine.watch
        after = [here.play(move) for move in here.codes]
        for index, child in enumerate(after):
            if child.result is not None and claim.allows(child.result):
                return index
        hint, wanted = engine.remembered_move(here), HOLDS if claim.at_least else FAILS
        waiting = [
            _Turn(0, move != hint, index, max(left, FEW_PLIES) if move == hint else FEW_PLIES)
            for index, move in enumerate(here.codes) if after[index].result is None
        ]  # fmt: skip
        heapq.heapify(waiting)
        refuted = len(here.codes) - len(waiting)
        while waiting:
            spent, other, index, plies = heapq.heappop(waiting)
            before, deepest = watch.nodes, engine.deepest(after[index])
            with watch.allowance(spent + FIRST_SHARE):
                found = UNKNOWN if deepest < 1 else verdict(engine, after[index], min(plies, deepest), target)
                finished = not engine.stopped
            self._check_stop(WRITING)
            if finished and found == wanted:
                return index
            if finished and found != UNKNOWN:
                refuted += 1
            elif not finished or plies < deepest:
                again = spent + max(watch.nodes - before, 1)
                heapq.heappush(waiting, _Turn(again, other, index, 2 * plies if finished else plies))
        where = here.text() or "the start"
        if refuted < len(here.codes):
            raise Unproved(f"{here.game.name}: the claim is decided, but no move was found that keeps it at {where}")
        raise RuleError(f"{here.game.name}: the search says that {claim}, but finds no move that keeps it at {where}")


class _Turn(NamedTuple):
    """A move of which it is not known whether it keeps the claim: what it has cost so far, whether it is another one
    than the search remembers, its place, and how many plies to look ahead next."""

    spent: int
    other: bool
    place: int
    plies: int
