"""An engine in the hands of a protocol: it is made ready once, and asked for one line of play or several.

One line is what a session finds. For several, or where only some moves may be played, every such move is searched by
itself, a ply deeper in each round, with one table for all: slower than one search, but every move has its own value.
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
from zermelo.rules import CHANCE, Game, Position

FIRST_SLICE = 0.05
"""Seconds for a move in the first round, where a method cannot be told how deep to look."""


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
    """A request and its session for one game."""

    def __init__(self, game: Game, made: Request) -> None:
        self.game = game
        self.request = made if made.mode else replace(made, mode=mode_name(game))
        self._session: Session | None = None
        self._ready = False

    @property
    def session(self) -> Session:
        if self._session is None:
            self._session = self.request.open(self.game)
        return self._session

    def prepare(self) -> None:
        """Compile what a search takes, once."""
        if not self._ready:
            self.session.prepare("search")
            self._ready = True

    def forget(self) -> None:
        """A new game: what was learnt of the last one is not used."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def close(self) -> None:
        self.forget()

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
        best: tuple[str, ...] = ()

        def listen(progress: Progress) -> None:
            nonlocal best
            if progress.value is not None and progress.line and not progress.doing.startswith("finding"):
                best = progress.line
                tell([_so_far(position, progress)])

        answer = self.session.search(position, limits, listen, value_only=True, brake=brake)
        line = _line(position, answer, best)
        tell([line])
        return [line]

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
                left = _left(limits, spent, nodes)
                if left is None or (brake.reason is not None and len(known) == len(codes)):
                    return _ranked(position, codes, known, count)
                own = Limits(depth=depth - 1) if deepens else Limits(seconds=FIRST_SLICE * 2 ** (depth - 2))
                line = self._after(position, code, children[code], own.within(left), brake, depth)
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

    def _after(self, position: Position, code: int, child: Position, limits: Limits, brake: Brake, depth: int) -> Line:
        text = position.text_of(code)
        if child.result is not None:
            return Line((text,), child.result, PROVEN, child.result, child.result, 1, 1, 0.0, 1)
        answer = self.session.search(child, limits, value_only=True, brake=brake)
        line = _line(child, answer, ())
        plies = None if line.plies is None else line.plies + 1
        return line._replace(moves=(text, *line.moves), depth=depth, plies=plies)


def _left(limits: Limits, seconds: float, nodes: int) -> Limits | None:
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
    plies = None
    if answer.status == PROVEN and position.turn != CHANCE:
        told = answer.details.get("plies")
        plies = told if isinstance(told, int) else _to_the_end(position, moves) or answer.depth
    low, high = answer.bounds
    depth = answer.depth or len(moves)
    return Line(moves, value, answer.status, low, high, depth, answer.nodes, answer.seconds, plies)


def _so_far(position: Position, progress: Progress) -> Line:
    """A line from what is known while a search runs: a score that estimates cannot reach is a proof."""
    value, game = progress.value, position.game
    plies = None
    if game.strict_estimates and value in game.values:
        plies = _to_the_end(position, progress.line)
    status = HEURISTIC if plies is None else PROVEN
    depth = progress.depth or len(progress.line)
    low, high = game.values
    return Line(progress.line, value, status, low, high, depth, progress.nodes, progress.seconds, plies)


def _to_the_end(position: Position, moves: Sequence[str]) -> int | None:
    """How many plies a line takes to the end of the game, None if it stops before."""
    for move in moves:
        position = position.play(move)
    return len(moves) if moves and position.result is not None else None
