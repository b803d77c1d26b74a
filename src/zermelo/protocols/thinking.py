"""An engine in the hands of a protocol: it is made ready once, and asked for one line of play or several.

One line is what a session finds. For several, or where only some moves may be played, every such move is searched by
itself, a ply deeper in each round, with one table for all: slower than one search, but every move has its own value.

Where a protocol tells how far away a mate is, that is asked for by itself (see `mates`): a search that has proven a win
does not know, least of all where its table had the proof already.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from zermelo.compile.modes import mode_name
from zermelo.compile.watch import Brake, Limits, Progress
from zermelo.core.answer import BOUND, HEURISTIC, PROVEN, UNKNOWN, Answer
from zermelo.core.request import Request
from zermelo.core.session import Session
from zermelo.protocols.mates import Mates
from zermelo.rules import CHANCE, Game, Position

FIRST_SLICE = 0.05
"""Seconds for a move in the first round, where a method cannot be told how deep to look."""
REHEARSED = Limits(nodes=200)
"""What is searched once before anybody waits for it."""
FAIR_SHARE = 8
"""Of several lines, each may take one part in so many of what one may take to find how far away its end is."""


class Line(NamedTuple):
    """What is known of a line of play: its moves, the first player's value and bounds of it, how sure that is, how deep
    it was searched, and in how many plies play ends if it is followed, where that is known."""

    moves: tuple[str, ...]
    value: float | None
    status: str
    low: float
    high: float
    depth: int
    nodes: int
    seconds: float
    plies: int | None = None


Tell = Callable[[Sequence[Line]], None]


class Thinker:
    """A request and its session for one game. `tells_mates`: whether how far away an end is will be told."""

    def __init__(self, game: Game, made: Request, *, tells_mates: bool = False) -> None:
        self.game = game
        self.request = made if made.mode else replace(made, mode=mode_name(game))
        self.mates = Mates(game, self.request.mode or "interpreted") if tells_mates else None
        self._session: Session | None = None
        self._ready = False

    @property
    def session(self) -> Session:
        if self._session is None:
            self._session = self.request.open(self.game)
        return self._session

    def prepare(self) -> None:
        """Compile and load what a search takes, once, so that no clock runs meanwhile."""
        if not self._ready:
            self.session.prepare("search")
            if self.mates is not None:
                self.mates.prepare()
            self._rehearse()
            self._ready = True

    def _rehearse(self) -> None:
        """A short search in a session of its own: much is loaded when it is first used."""
        position = Position(self.game)
        while position.result is None and position.turn == CHANCE:
            position = position.play(position.codes[0])
        if position.result is None:
            with self.request.open(self.game) as aside:
                aside.search(position, REHEARSED, lambda progress: None, value_only=True)

    def forget(self) -> None:
        """A new game: what was learnt of the last one is not used."""
        self.close()
        if self._ready:
            self.session.prepare("search")

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None
        if self.mates is not None:
            self.mates.forget()

    def think(
        self,
        position: Position,
        limits: Limits,
        brake: Brake,
        tell: Tell,
        count: int = 1,
        only: Sequence[int] | None = None,
    ) -> list[Line]:
        """The best lines, at most so many, within limits or until the brake is pulled; only such as begin with certain
        moves, if there are any. `tell` hears of every improvement."""
        codes = list(position.codes if only is None else only)
        if count > 1 or len(codes) < len(position.codes):
            return self._several(position, codes, limits, brake, tell, count)
        began = time.perf_counter()
        lines = _Lines(position, tell)
        answer = self.session.search(position, limits, lines, value_only=True, brake=brake)
        line = self._with_end(position, _line(position, answer, lines.best), limits, brake, began)
        tell([line])
        return [line]

    def mate(
        self, position: Position, limits: Limits, brake: Brake, tell: Tell, only: Sequence[int] | None = None
    ) -> Line:
        """How who is to move wins within so many plies as the depth of the limits says, looking at every move. A line
        without moves if there is no such win, or none was found in time: its depth tells how far was looked."""
        assert self.mates is not None
        began, (low, high) = time.perf_counter(), position.game.values
        won = high if position.turn == 0 else low

        def after_round(depth: int, nodes: int) -> None:
            tell([Line((), None, UNKNOWN, low, high, depth, nodes, time.perf_counter() - began)])

        codes = None if only is None or len(only) == len(position.codes) else only
        found = self.mates.find(position, position.turn, limits, brake, codes, after_round)
        if found.plies is None:
            return Line((), None, UNKNOWN, low, high, found.beyond, found.nodes, found.seconds)
        line = Line(found.line, won, PROVEN, won, won, found.plies, found.nodes, found.seconds, found.plies)
        tell([line])
        return line

    def _with_end(
        self, position: Position, line: Line, limits: Limits, brake: Brake, began: float, share: int = 1
    ) -> Line:
        """A line that is proven to win or to lose, with how far away the end is, and to the end if that was found."""
        mates, values = self.mates, position.game.values
        if line.plies is not None or line.status != PROVEN or line.value not in values or position.turn == CHANCE:
            return line
        shown = _to_the_end(position, line.moves)
        if mates is None:
            return line._replace(plies=shown or line.depth)
        left = left_of(limits, time.perf_counter() - began, line.nodes)
        if brake.reason is not None or (left is not None and left.seconds is not None and not mates.ready):
            left = None
        end = mates.end(position, 0 if line.value == values[1] else 1, left, brake, share)
        if end.line:
            return line._replace(
                moves=end.line, plies=end.plies, nodes=line.nodes + end.nodes, seconds=time.perf_counter() - began
            )
        plies = max(end.beyond + 1, end.plies or shown or line.depth)
        mates.note(position, plies)
        return line._replace(plies=plies)

    def _several(
        self, position: Position, codes: list[int], limits: Limits, brake: Brake, tell: Tell, count: int
    ) -> list[Line]:
        began, nodes = time.perf_counter(), 0
        children = {code: position.play(code) for code in codes}
        known: dict[int, Line] = {}
        deepens, depth = self.request.method.deepens, 1
        while True:
            depth += 1
            for code in list(codes):
                before = known.get(code)
                if before is not None and before.status == PROVEN:
                    continue
                spent = time.perf_counter() - began
                left = left_of(limits, spent, nodes)
                if left is None or (brake.reason is not None and len(known) == len(codes)):
                    return _ranked(position, codes, known, count)
                own = Limits(depth=depth - 1) if deepens else Limits(seconds=FIRST_SLICE * 2 ** (depth - 2))
                line = self._after(position, code, children[code], own.within(left), left, brake, depth)
                nodes += line.nodes
                finished = time.perf_counter() - began
                if before is None or (brake.reason is None and line.status != UNKNOWN and line.depth >= before.depth):
                    known[code] = line._replace(nodes=nodes, seconds=finished)
                if brake.reason is not None and len(known) < len(codes):
                    codes = list(known)  # what was not looked at is not told of
            lines = _ranked(position, codes, known, count)
            tell(lines)
            codes.sort(key=lambda code: -_worth(position, known[code]))
            deep = limits.depth is not None and depth >= limits.depth
            if deep or brake.reason is not None or all(known[code].status == PROVEN for code in codes):
                return lines

    def _after(
        self, position: Position, code: int, child: Position, limits: Limits, left: Limits, brake: Brake, depth: int
    ) -> Line:
        text = position.text_of(code)
        if child.result is not None:
            return Line((text,), child.result, PROVEN, child.result, child.result, 1, 1, 0.0, 1)
        began, lines = time.perf_counter(), _Lines(child)
        answer = self.session.search(child, limits, lines, value_only=True, brake=brake)
        line = self._with_end(child, _line(child, answer, lines.best), left, brake, began, FAIR_SHARE)
        plies = None if line.plies is None else line.plies + 1
        return line._replace(moves=(text, *line.moves), depth=depth, plies=plies)


class _Lines:
    """Listens to a search, keeps its best line, and passes on what can be told of it meanwhile. What is won or lost for
    certain is told at the end, when it is known how soon."""

    def __init__(self, position: Position, tell: Tell | None = None) -> None:
        self.best: tuple[str, ...] = ()
        self.position, self.tell = position, tell

    def __call__(self, progress: Progress) -> None:
        if progress.value is None or not progress.line or progress.doing.startswith("finding"):
            return
        self.best = progress.line
        game = self.position.game
        if self.tell is not None and not (game.strict_estimates and progress.value in game.values):
            self.tell([_so_far(self.position, progress)])


def left_of(limits: Limits, seconds: float, nodes: int) -> Limits | None:
    """What is left of limits, None if it is nothing."""
    if limits.seconds is not None and seconds >= limits.seconds:
        return None
    if limits.nodes is not None and nodes >= limits.nodes:
        return None
    return Limits(
        nodes=None if limits.nodes is None else limits.nodes - nodes,
        seconds=None if limits.seconds is None else limits.seconds - seconds,
    )


def _worth(position: Position, line: Line) -> float:
    """A line's value for who is to move; nothing is worse than a line of which nothing is known."""
    if line.value is None:
        return position.game.values[0] - 1
    return -line.value if position.turn == 1 else line.value


def _ranked(position: Position, codes: Sequence[int], known: dict[int, Line], count: int) -> list[Line]:
    lines = [known[code] for code in codes if code in known]
    return sorted(lines, key=lambda line: -_worth(position, line))[:count]


def _line(position: Position, answer: Answer, before: tuple[str, ...]) -> Line:
    """A line from an answer; `before`: the best one so far, which goes on where the answer names its first move."""
    moves = tuple(answer.line or answer.best[:1])
    if before[:1] == moves[:1] and len(before) > len(moves):
        moves = before
    value = answer.value
    if value is None and answer.status == BOUND:
        value = answer.bounds[0] if answer.bounds[0] > position.game.values[0] else answer.bounds[1]
    told = answer.details.get("plies")
    plies = told if answer.status == PROVEN and position.turn != CHANCE and isinstance(told, int) else None
    low, high = answer.bounds
    depth = answer.depth or len(moves)
    return Line(moves, value, answer.status, low, high, depth, answer.nodes, answer.seconds, plies)


def _so_far(position: Position, progress: Progress) -> Line:
    """A line from what is known while a search runs."""
    depth = progress.depth or len(progress.line)
    low, high = position.game.values
    return Line(progress.line, progress.value, HEURISTIC, low, high, depth, progress.nodes, progress.seconds)


def _to_the_end(position: Position, moves: Sequence[str]) -> int | None:
    """How many plies a line takes to the end of the game, None if it stops before."""
    for move in moves:
        position = position.play(move)
    return len(moves) if moves and position.result is not None else None
