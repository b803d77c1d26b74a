"""Solving a game whole: values of all positions at once, worked back from the ends.

A position goes in, an `Answer` comes out. First everything is enumerated that play can reach. Then, from the highest
score down, the positions are collected from which the first player can force that score: ends, positions of the first
player with a move into the collection, and positions of the second player with no move out of it. From the lowest
score up, the same for the second player. Whatever nobody can force to an end above or below the score of a loop is
worth that score: one side would rather go round, and the other cannot prevent it. Each move is looked at once for each
player, however many scores there are, and positions are collected in the order of their distance from the end, so that
wins come out shortest and losses longest.

Zermelo 1913, "Über eine Anwendung der Mengenlehre auf die Theorie des Schachspiels"; Ströhlein 1970,
"Untersuchungen über kombinatorische Spiele"; Thompson 1986, "Retrograde analysis of certain endgames".

It shares nothing with the searches but the rules and serves as their judge.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from zermelo.compile.arrays import on_arrays
from zermelo.compile.modes import Compiled, Kernel, Mode, mode_for
from zermelo.compile.watch import Brake, Limits, Listener, Watch
from zermelo.core.answer import HEURISTIC, PROVEN, UNKNOWN, Answer, Verdict, plain
from zermelo.core.memory import DEFAULT
from zermelo.core.method import Method, Options, check_keyed
from zermelo.core.question import Question, Worker
from zermelo.positions.all_positions import AllPositions, Wanted, all_positions, budget_of, make_ready
from zermelo.positions.exploring import OVER
from zermelo.positions.position_lists import AT_ONCE
from zermelo.rules import Game, Position, RuleError, Unsuitable, wrapping

WANTED = Wanted(turned=True, history=True, beside=8)
"""Moves turned round; and for each position a distance and a place in a queue."""
SETTLED = OVER
"""The turn of a position whose value is known: nobody moves there any more."""
AT_ONCE_PLAIN = 1 << 12
LONGEST_ROUND = 256
"""Where nobody can do better than to go round, a line shows no more than so many plies of it."""


def solve_by_fixpoint(
    position: Position,
    *,
    limits: Limits | None = None,
    memory: str | int | None = None,
    mode: str | None = None,
    listener: Listener | None = None,
    why: str = "asked for",
    brake: Brake | None = None,
) -> Answer:
    """The value of a position with all best moves and a line of best play, from the values of all positions that can be
    reached. `memory` bounds what they may take: half of the machine's if nothing is said."""
    game, limits = position.game, limits or Limits()
    _check(game, limits)
    budget = budget_of(memory)
    way = mode_for(game, mode)
    make_ready(game, WANTED, way)  # now, before the clock starts
    watch = Watch([way.workspace(game)], limits, listener, brake, doing="finding all positions")
    if position.result is not None:
        return _answer(position, watch, way, PROVEN, position.result, why="the game is over")

    def job() -> Answer:
        found = all_positions(position, WANTED, way, watch, budget, between=_loop(game))
        solved = None if found is None else Solved(position, found, way, watch)
        if solved is None or not solved.whole:
            assert watch.stopped
            return _answer(position, watch, way, UNKNOWN, None, why=why, found=found)
        return solved.answer(why)

    return watch.run(job)


def is_natural(game: Game) -> bool:
    """Where play can go round and a loop scores the same on every path, all positions at once are the natural way."""
    if not game.cyclic or game.loop_value is None or game.loop_key is not None:
        return False
    return not game.has_chance and (game.compilable or game.key is not None)


def _check(game: Game, limits: Limits) -> None:
    if game.has_chance:
        raise Unsuitable(f"{game.name} has chance positions, which fixpoint cannot solve")
    if game.repetition == "points":
        raise Unsuitable(
            f"{game.name}: loops score the points so far, and fixpoint knows only one score for all of them; use dfpn"
        )
    if game.cyclic and game.loop_value is None:
        closing = "who closes a loop"
        words = {"wins": f"{closing} wins", "loses": f"{closing} loses", "forbidden": "no move may close a loop"}
        rule = words[game.repetition] if isinstance(game.repetition, str) else "it sees the whole loop"
        raise Unsuitable(
            f"{game.name}: by its repetition rule ({rule}) a position's value depends on the path to it, so fixpoint "
            "cannot solve it; use alphabeta or dfpn"
        )
    if game.cyclic and game.loop_key is not None:
        raise Unsuitable(
            f"{game.name}: positions count as repeated that are not the same (loop_key), so fixpoint cannot solve it; "
            "use alphabeta or dfpn"
        )
    check_keyed(game)
    if limits.depth is not None:
        raise Unsuitable("fixpoint looks at all positions, however deep; leave the limit of depth out")


def _loop(game: Game) -> float:
    """What a loop scores; where there is none, any score will do that tells wins from losses."""
    if game.loop_value is not None:
        return game.loop_value
    low, high = game.values
    return (low + high) // 2 if game.integral else (low + high) / 2


class Solved:
    """The values of all positions that can be reached from one, as they are on a path that comes from there.

    Coming back to the position itself closes a loop, as it does on any path that begins there (unless it must stand
    there more than twice); its own value is that of its best move. `whole` is False if the watch stopped the work.
    """

    def __init__(self, position: Position, found: AllPositions, mode: Mode, watch: Watch) -> None:
        self.position, self.found, self.mode, self.watch = position, found, mode, watch
        self.loop = _loop(position.game)
        self.scores: Any = found.scores
        count, compiled = len(found.scores), isinstance(mode, Compiled)
        self.distances: Any = np.zeros(count, np.int32) if compiled else [0] * count
        self.queue: Any = np.empty(count, np.uint32) if compiled else [0] * count
        watch.doing = "working back from the ends"
        self.whole = self._work_back()

    def _work_back(self) -> bool:
        found = self.found
        ends = np.flatnonzero(np.asarray(found.turns) == SETTLED).astype(np.uint32)
        worth = np.asarray(self.scores)[ends]
        by_worth = np.argsort(worth, kind="stable")
        ends, worth = ends[by_worth], worth[by_worth]
        if not self.position.game.cyclic and not self._unwind(ends):
            return False
        if found.returning:
            found.turns[found.root] = SETTLED
        return self._attract(0, ends[worth > self.loop][::-1]) and self._attract(1, ends[worth < self.loop])

    def _attract(self, player: int, ends: Any) -> bool:
        """Collect what a player can force, the ends that it likes best coming first."""
        found = self.found
        arrays = (self.scores, found.turns, found.degrees, found.entries, found.parents, self.distances)
        return self._run(attract, player, ends, *arrays) is not None

    def _unwind(self, ends: Any) -> bool:
        """A game that says that no position comes back must be found to keep its word."""
        found = self.found
        passed = self._run(unwind, SETTLED, ends, found.degrees.copy(), found.entries, found.parents)
        if passed is not None and passed < len(found.scores):
            raise RuleError(
                f"{self.position.game.name}: play can come back to a position although repetition is none; set "
                "repetition to say what that means, for example draw"
            )
        return passed is not None

    def _run(self, function: Kernel, who: int, ends: Any, *arrays: Any) -> int | None:
        """Run one of the kernels below to its end; how many positions it queued, None if the watch stopped it."""
        compiled = isinstance(self.mode, Compiled)
        at: Any = np.zeros(3, np.int64) if compiled else [0, 0, 0]
        ends = np.ascontiguousarray(ends) if compiled else ends.tolist()
        arguments = (who, ends, *arrays, self.queue, at, AT_ONCE if compiled else AT_ONCE_PLAIN)
        kernel = on_arrays(function) if compiled else function
        while not kernel(*arguments):
            if self.watch.stopped:
                return None
        return int(at[2])

    @property
    def value(self) -> Any:
        """The value of the position that all began with."""
        values = [self.scores[child] for child in self.found.first]
        return max(values) if self.position.turn == 0 else min(values)

    def answer(self, why: str) -> Answer:
        position, value, found = self.position, self.value, self.found
        best = [move for move, child in zip(position.codes, found.first) if self.scores[child] == value]
        line = self._line()
        distance = len(line) if value != self.loop else None
        status = HEURISTIC if found.estimated else PROVEN
        verdicts = tuple(self._verdict(move, child) for move, child in zip(position.codes, found.first))
        answer = _answer(
            position, self.watch, self.mode, status, value,
            why=why, found=found, best=best, line=line, depth=distance,
        )  # fmt: skip
        return replace(answer, complete=True, verdicts=verdicts)

    def _verdict(self, move: int, child: int) -> Verdict:
        score = plain(self.scores[child])
        plies = None if score == self.loop else int(self.distances[child]) + 1
        status = HEURISTIC if self.found.estimated else PROVEN
        return Verdict(self.position.text_of(move), status, score, score, plies)

    def _line(self) -> list[str]:
        """Best play: who does better than a loop hurries to the end, who does worse puts that off. At the score of a
        loop any move will do that keeps it; the line then ends where a position comes back, if that is not too far."""
        position, value = self.position, self.value
        line: list[str] = []
        winner = 0 if value > self.loop else 1
        while position.result is None and not self._is_horizon(position):
            if self.watch.stopped or (value == self.loop and len(line) == LONGEST_ROUND):
                break
            keeping: list[tuple[int, int]] = []  # distance and move
            for move in position.codes:
                number = self.found.number_of(position.play(move).state)
                if self.scores[number] == value:
                    keeping.append((int(self.distances[number]), move))
            if value == self.loop:
                move = keeping[0][1]
            else:
                nearest_first = position.turn == winner
                move = min(keeping, key=lambda one: one[0] if nearest_first else -one[0])[1]
            line.append(position.text_of(move))
            position = position.play(move)
        return line

    @staticmethod
    @wrapping
    def _is_horizon(position: Position) -> bool:
        return position.game.horizon is not None and bool(position.game.horizon(position.state))


def attract(player, ends, scores, movers, degrees, offsets, parents, distances, queue, at, at_once):
    """Collect the positions from which `player` can force an end at least as good for it as the ends so far, and give
    them the score and the distance of what they are led to. `ends` come best first; a new score is begun when
    there is nothing left to collect for the one before. At the other player's positions, `degrees` counts the moves
    that do not yet lead into the collection. Works on some positions at once; True when it is done."""
    next_end, head, tail = at[0], at[1], at[2]
    done = False
    for _ in range(at_once):
        if head == tail:
            if next_end == len(ends):
                done = True
                break
            score = scores[ends[next_end]]
            while next_end < len(ends) and scores[ends[next_end]] == score:
                queue[tail] = ends[next_end]
                tail += 1
                next_end += 1
        child = queue[head]
        head += 1
        for k in range(offsets[child], offsets[child + 1]):
            parent = parents[k]
            if movers[parent] == SETTLED:
                continue
            if movers[parent] != player:
                degrees[parent] -= 1
                if degrees[parent] != 0:
                    continue
            movers[parent] = SETTLED
            scores[parent] = scores[child]
            distances[parent] = distances[child] + 1
            queue[tail] = parent
            tail += 1
    at[0], at[1], at[2] = next_end, head, tail
    return done


def unwind(unused, ends, left, offsets, parents, queue, at, at_once):
    """Pass every position all of whose moves lead to passed ones: all of them, unless there is a cycle. Kahn 1962."""
    next_end, head, tail = at[0], at[1], at[2]
    while next_end < len(ends):
        queue[tail] = ends[next_end]
        tail += 1
        next_end += 1
    done = False
    for _ in range(at_once):
        if head == tail:
            done = True
            break
        child = queue[head]
        head += 1
        for k in range(offsets[child], offsets[child + 1]):
            parent = parents[k]
            left[parent] -= 1
            if left[parent] == 0:
                queue[tail] = parent
                tail += 1
    at[0], at[1], at[2] = next_end, head, tail
    return done


def _answer(
    position: Position,
    watch: Watch,
    mode: Mode,
    status: str,
    value: Any,
    *,
    why: str,
    found: AllPositions | None = None,
    best: list[int] | None = None,
    line: list[str] | None = None,
    depth: int | None = None,
) -> Answer:
    low, high = position.game.values if status != PROVEN else (value, value)
    value = None if value is None else plain(value)
    best = best or position.codes[:1]
    return Answer(
        position=position, value=value, status=status, bounds=(plain(low), plain(high)),
        best=[position.text_of(move) for move in best or []], line=line or [],
        nodes=watch.nodes, leaves=found.ends if found else 0, extra_nodes=0, seconds=watch.seconds,
        method="fixpoint", depth=depth, why=why, stopped=watch.reason, mode=mode.name,
    )  # fmt: skip


class FixpointWorker(Worker):
    """All positions, found and valued anew for every question."""

    def prepare(self, purpose: str, limits: Limits) -> None:
        make_ready(self.game, WANTED, mode_for(self.game, self.mode))

    def solve(self, question: Question) -> Answer:
        """The usual size of a table says nothing about how large a game may be. A value decides any claim."""
        return self.solve_within(question, None if self.request.memory == DEFAULT else self.request.memory)

    def solve_within(self, question: Question, memory: str | int | None) -> Answer:
        return solve_by_fixpoint(
            question.position, limits=question.limits, memory=memory, mode=self.mode, listener=question.listener,
            why=self.request.why, brake=question.brake,
        )  # fmt: skip


METHOD = Method(
    name="fixpoint",
    summary="all positions at once, worked back from the ends",
    source="Zermelo 1913; Ströhlein 1970; Thompson 1986",
    kernel=None,
    options=Options(table=False),
    worker=FixpointWorker,
)
