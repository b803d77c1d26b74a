"""What every move of a position is worth, told as soon as anything is known of it.

The position itself is not searched: what follows each of its moves is, again and again, each time for longer, until
all are proven, time is up, or nobody listens any more. Sessions keep their tables, so that nothing is found out twice:
one solves, and its word is certain; where it has none yet, one searches, and its word is an estimate. The value of the
position follows from its moves'.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from zermelo.compile.watch import Limits, Progress
from zermelo.core.answer import BOUND, HEURISTIC, PROVEN, UNKNOWN, Answer, Verdict
from zermelo.core.badges import badge, goodness
from zermelo.core.session import Session
from zermelo.core.wording import worth_in_words
from zermelo.methods.requests import request
from zermelo.rules import CHANCE, Game, Position, Unsuitable, ZermeloError
from zermelo.web.distance import Distances
from zermelo.web.view import plain

Tell = Callable[[str, dict[str, Any]], None]
"""Who listens: the name of an event, and what it says."""
FIRST_ROUND, GROWTH, LONGEST_ROUND = 0.1, 2.0, 30.0
"""How many seconds each move gets in the first round, by how much that grows, and where it stops."""
LINES = 3
QUICK = 0.3
"""So many seconds the interpreter gets for all moves together, before anything has to be compiled."""
LONG_GAME, PATIENCE = 64, 3
"""Where games may last longer than so many plies, so many rounds go by before anybody tries to solve."""


@dataclass
class Sessions:
    """Those that are asked about one game, kept from one position to the next: one interpreted, which need not wait for
    the compiler, one that solves, one that searches."""

    quick: Session
    solver: Session
    searcher: Session

    @classmethod
    def of(cls, game: Game, memory: str, mode: str | None) -> Sessions:
        small = request(None, game, "solve", memory="8MB", mode="interpreted")
        solving, searching = (request(None, game, how, memory=memory, mode=mode) for how in ("solve", "search"))
        return cls(small.open(game), solving.open(game), searching.open(game))

    def stop(self) -> None:
        for session in (self.quick, self.solver, self.searcher):
            with suppress(Unsuitable):  # it is not at work
                session.stop()

    def close(self) -> None:
        for session in (self.quick, self.solver, self.searcher):
            session.close()


@dataclass
class _Known:
    """What is known of one move so far."""

    code: int
    text: str
    after: Position
    verdict: Verdict
    line: list[str] = field(default_factory=list)

    @property
    def open(self) -> bool:
        return self.verdict.status != PROVEN


class Analysis:
    """One position under analysis; `run` tells what it finds until it is done, `stop` ends it from another thread."""

    def __init__(self, sessions: Sessions, position: Position, tell: Tell, seconds: float) -> None:
        self.sessions, self.position, self.tell = sessions, position, tell
        self.game: Game = position.game
        self.ends = time.monotonic() + seconds
        self.nodes, self.began = 0, time.monotonic()
        self.stopped = threading.Event()
        self.solvable = True
        low, high = self.game.values
        texts = {} if position.result is not None else {code: position.text_of(code) for code in position.codes}
        self.known = [
            _Known(code, text, position.play(code), Verdict(text, UNKNOWN, low, high)) for code, text in texts.items()
        ]

    def stop(self) -> None:
        """End it; what was found stays told."""
        self.stopped.set()
        self.sessions.stop()

    def run(self) -> None:
        """Round after round over the moves of which something is still open, the best first."""
        self.tell("state", {"state": "running"})
        if self.position.result is not None:
            return
        self._over()
        if self._quickly():
            for number in count():
                seconds = min(FIRST_ROUND * GROWTH**number, LONGEST_ROUND)
                if not any(known.open for known in self.known) or not self._round(number, seconds):
                    break
        if not self.stopped.is_set():
            self._finish()

    def _quickly(self) -> bool:
        """A short look by the interpreter."""
        ends = time.monotonic() + QUICK
        for known in self.known:
            if known.open and time.monotonic() < ends and self._goes_on:
                self._answer(self.sessions.quick, "solve", known, ends - time.monotonic())
        return self._goes_on

    def _round(self, number: int, seconds: float) -> bool:
        """Every open move once: solved as long as that succeeds, else estimated. False if it is time to end."""
        solves = self.game.max_plies <= LONG_GAME or number >= PATIENCE
        for known in sorted((each for each in self.known if each.open), key=self._badness):
            if solves:
                self._answer(self.sessions.solver, "solve", known, seconds)
                solves = not known.open
            if known.open and self._goes_on:
                self._answer(self.sessions.searcher, "search", known, seconds)
            if not self._goes_on:
                return False
        return True

    @property
    def _goes_on(self) -> bool:
        return not self.stopped.is_set() and time.monotonic() < self.ends

    def _over(self) -> None:
        """Moves that end the game need no search."""
        for known in self.known:
            result = known.after.result
            if result is not None:
                known.verdict = Verdict(known.text, PROVEN, result, result, 1)
                self._told(known)

    def _answer(self, session: Session, how: str, known: _Known, seconds: float, value_only: bool = True) -> None:
        """Ask a session about one move, and tell what is new."""
        limits = Limits(seconds=max(0.01, min(seconds, self.ends - time.monotonic())))

        def listener(progress: Progress) -> None:
            state = "compiling" if progress.doing.startswith("compiling") else "running"
            self.tell("progress", self._progress(progress, state, known))

        if how == "search":
            answer = session.search(known.after, limits, listener)
        elif self.solvable:
            try:
                answer = session.solve(known.after, limits=limits, listener=listener, value_only=value_only)
            except ZermeloError:  # too large, or nothing for this method: an estimate is better than nothing
                self.solvable = False
                return
        else:
            return
        self.nodes += answer.nodes + answer.extra_nodes
        found = _verdict(known, answer)
        more = _says_more(found, known.verdict)
        if more or (_same(found, known.verdict) and len(answer.line) > len(known.line)):
            known.verdict, known.line = found, list(answer.line)
            self._told(known)

    def _progress(self, progress: Progress, state: str, known: _Known) -> dict[str, Any]:
        return plain(  # type: ignore[no-any-return]
            {
                "state": state, "doing": progress.doing, "move": known.text, "nodes": self.nodes + progress.nodes,
                "seconds": time.monotonic() - self.began, "depth": progress.depth,
                "bounds": [progress.low, progress.high],
                "proven": sum(not each.open for each in self.known), "moves": len(self.known),
            }
        )  # fmt: skip

    def _told(self, known: _Known) -> None:
        self.tell("move", move_dict(self.position, known.verdict, [known.text, *known.line]))
        self.tell("value", self._value())

    def _finish(self) -> None:
        """Once all is proven: lines that begin with the best moves, and how soon wins come, as far as a short look
        tells."""
        distances = Distances(self.stopped.is_set)
        for place, known in enumerate(sorted(self.known, key=self._badness)):
            if known.after.result is None and not known.open and (place < LINES or self.game.cyclic):
                self._answer(self.sessions.solver, "solve", known, 1.0, value_only=False)
        for known in self.known:
            if known.verdict.plies is None and known.after.result is None and not known.open:
                plies = distances.plies(known.after, known.verdict.low)
                if plies is not None:
                    known.verdict = known.verdict._replace(plies=plies + 1)
                    known.line = distances.line(known.after, known.verdict.low) or known.line
                    self._told(known)

    def _value(self) -> dict[str, Any]:
        """The position as its moves show it: its bounds, its best moves, and lines that begin with the best."""
        turn, verdicts = self.position.turn, [known.verdict for known in self.known]
        worth = backed_up(self.position, verdicts)
        ranked = sorted((known for known in self.known if known.verdict.status != UNKNOWN), key=self._badness)
        told = move_dict(self.position, worth, [])
        return {
            **{name: told[name] for name in ("status", "value", "bounds", "mover_value", "badge")},
            "words": worth_in_words(self.game, worth.status, worth.low, (worth.low, worth.high)),
            "first_goodness": goodness(self.game, 0, worth),
            "best": best_of(verdicts, turn),
            "complete": not any(known.open for known in self.known),
            "lines": [[known.text, *known.line] for known in ranked if self._is_of_interest(known, ranked[0])][:LINES],
        }

    def _is_of_interest(self, known: _Known, best: _Known) -> bool:
        """Whether a line that begins so is worth showing: a move that is as good as the best, or may be."""
        values = [goodness(self.game, self.position.turn, each.verdict) for each in (known, best)]
        return self.position.turn != CHANCE and (known.open or values[0] == values[1])

    def _badness(self, known: _Known) -> tuple[float, bool, int]:
        """What sorts moves: the best for the mover first, unknown ones in the middle, the sooner win first."""
        good = goodness(self.game, self.position.turn, known.verdict)
        plies = known.verdict.plies or 0
        return (-0.5 if good is None else -good, known.open, plies if good is not None and good >= 0.5 else -plies)


def move_dict(position: Position, verdict: Verdict, line: list[str]) -> dict[str, Any]:
    """What is told of a move: the verdict as `--json` has it, and how it is shown."""
    shown = badge(position.game, position.turn, verdict)
    good = goodness(position.game, position.turn, verdict)
    badge_dict = {"text": shown.text, "kind": shown.kind, "status": shown.status, "words": shown.words}
    value = verdict.as_dict()["value"]
    mover = None if value is None else -value if position.turn == 1 else value
    return plain({**verdict.as_dict(), "mover_value": mover, "goodness": good, "badge": badge_dict, "line": line})  # type: ignore[no-any-return]


def best_of(verdicts: list[Verdict], turn: int) -> list[str]:
    """The moves that may be best for the player to move: none is certainly worse than another's certain worth."""
    told = [verdict for verdict in verdicts if verdict.status != UNKNOWN]
    if not told or turn == CHANCE:
        return []
    if turn == 0:
        sure = max(verdict.low for verdict in told)
        return [verdict.move for verdict in told if verdict.high >= sure and verdict.low == sure]
    sure = min(verdict.high for verdict in told)
    return [verdict.move for verdict in told if verdict.low <= sure and verdict.high == sure]


def backed_up(position: Position, verdicts: list[Verdict]) -> Verdict:
    """What the verdicts on all moves say of the position itself."""
    game, turn = position.game, position.turn
    if turn == CHANCE and game.weight is not None:
        weights = [int(game.weight(position.state, outcome)) for outcome in position.codes]
        low, high = (
            sum(weight * end for weight, end in zip(weights, ends)) / sum(weights)
            for ends in ([v.low for v in verdicts], [v.high for v in verdicts])
        )
    else:
        pick, best = (max, game.values[1]) if turn == 0 else (min, game.values[0])
        if any(v.status == PROVEN and v.low == best for v in verdicts):  # nothing is better than that
            return Verdict("", PROVEN, best, best)
        if any(v.status == HEURISTIC for v in verdicts):
            verdicts = [v for v in verdicts if v.status != UNKNOWN]
        low, high = pick(v.low for v in verdicts), pick(v.high for v in verdicts)
    if any(v.status == HEURISTIC for v in verdicts):
        return Verdict("", HEURISTIC, (low + high) / 2, (low + high) / 2)
    known = low == high or (low, high) != tuple(game.values)
    return Verdict("", (PROVEN if low == high else BOUND) if known else UNKNOWN, low, high)


def _verdict(known: _Known, answer: Answer) -> Verdict:
    low, high = answer.bounds
    if answer.status == HEURISTIC and answer.value is not None:
        return Verdict(known.text, HEURISTIC, answer.value, answer.value)
    return Verdict(known.text, answer.status, low, high, _plies(known, answer) or known.verdict.plies)


def _plies(known: _Known, answer: Answer) -> int | None:
    """In how many plies from before the move play ends, where the method knows: who wins hurries, who loses does not.
    """
    told = answer.details.get("plies")
    if told is None and answer.status == PROVEN:
        ways = [v.plies for v in answer.verdicts if v.plies is not None and v.low == v.high == answer.value]
        wins = answer.value == known.after.game.values[1 - known.after.turn] if known.after.turn != CHANCE else False
        told = (min(ways) if wins else max(ways)) if ways else None
    return None if told is None else int(told) + 1


_WEIGHT = {UNKNOWN: 0, HEURISTIC: 1, BOUND: 2, PROVEN: 3}


def _same(found: Verdict, before: Verdict) -> bool:
    return (found.status, found.low, found.high) == (before.status, before.low, before.high)


def _says_more(found: Verdict, before: Verdict) -> bool:
    """Whether a verdict is news: surer than the one before, or another estimate, or narrower."""
    if _WEIGHT[found.status] != _WEIGHT[before.status]:
        return _WEIGHT[found.status] > _WEIGHT[before.status]
    return (found.low, found.high) != (before.low, before.high) and found.status != PROVEN
