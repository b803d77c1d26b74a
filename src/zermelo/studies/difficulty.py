"""Why a position is easy or difficult: what there was to overlook.

A solved position goes in, a `Difficulty` comes out: along the line of best play, how many of the moves at each turn
keep the value; how many positions the smallest proof needs that was found; and how deep a search must look that knows
nothing but the game's own estimates before every move it may choose is a best one, at that depth and at all deeper
ones that were tried. The question is asked, and the second and third measure named, in courses on game search; that
few good moves among many make a position hard is as old as chess problems.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from zermelo.certificates.proving import Unproved, prove
from zermelo.compile.watch import Limits, Listener
from zermelo.core.answer import PROVEN, Answer
from zermelo.methods.asking import solve
from zermelo.methods.requests import request
from zermelo.rules import Game, Position, Unsuitable

SHALLOW_SEARCH = "alphabeta"
SHALLOW_NODES = 1_000_000
"""A search that has looked at this many positions, and at more than the solving took, is not shallow any more."""


@dataclass(frozen=True)
class Turn:
    """One turn of the line: how many of the moves keep the value; None if that was not found out in time."""

    player: int
    move: str
    keeping: int | None
    moves: int


@dataclass(frozen=True)
class Difficulty:
    """What a position asks of those who play it.

    proof: the positions of the smallest proof found of its value. depth: a search this deep chooses a best move, and so
    does every deeper one that was tried, down to `searched`; None if not even the deepest does. stopped: what ended the
    examination early, if something did.
    """

    answer: Answer
    turns: list[Turn]
    proof: int | None
    depth: int | None
    searched: int
    stopped: str | None = None

    def only_moves(self, player: int) -> int:
        """At how many turns a player had several moves and only one of them kept the value."""
        return sum(turn.player == player and turn.keeping == 1 < turn.moves for turn in self.turns)

    def luck(self, player: int) -> float:
        """How likely moves at random keep the value at all of a player's turns along the line."""
        return prod((turn.keeping or 0) / turn.moves for turn in self.turns if turn.player == player)

    def as_dict(self) -> dict[str, Any]:
        """The fields that the command line prints with --json."""
        return {
            "turns": [
                {"player": turn.player, "move": turn.move, "keeping": turn.keeping, "moves": turn.moves}
                for turn in self.turns
            ],
            "only_moves": [self.only_moves(player) for player in (0, 1)],
            "luck": [self.luck(player) for player in (0, 1)],
            "proof": self.proof,
            "depth": self.depth,
            "searched": self.searched,
            "stopped": self.stopped,
        }


def difficulty(
    what: Answer | Game | Position,
    *,
    limits: Limits | None = None,
    proof: bool = True,
    listener: Listener | None = None,
    **settings: Any,
) -> Difficulty:
    """Examine a solved position, or solve it first. Limits hold for each of the searches that this takes; without
    `proof` none is looked for. `settings` are those of requests: memory and mode."""
    limits = limits or Limits()
    check_suits(what.position.game if isinstance(what, Answer) else what.game if isinstance(what, Position) else what)
    answer = what if isinstance(what, Answer) else solve(what, limits=limits, **settings)
    if answer.status != PROVEN:
        raise Unsuitable(f"only a solved position can be called easy or difficult; this value is {answer.status}")
    examination = _Examination(answer, limits, listener, settings)
    turns = examination.turns()
    size = examination.proof_size() if proof else None
    depth, searched = examination.shallow()
    return Difficulty(examination.answer, turns, size, depth, searched, examination.stopped)


def check_suits(game: Game) -> None:
    """Refuse games whose lines of best play are not what happens."""
    if game.has_chance:
        raise Unsuitable(f"{game.name} has chance positions, so there is no one line along which to call it difficult")


class _Examination:
    """The searches that it takes, until one of them is interrupted."""

    def __init__(
        self, answer: Answer, limits: Limits, listener: Listener | None, settings: dict[str, Any]
    ) -> None:
        self.answer, self.limits, self.listener, self.settings = answer, limits, listener, settings
        self.stopped: str | None = None
        game = answer.position.game
        self.session = replace(request(None, game, "prove", **settings), finish=None).open(game)
        if not (answer.line and answer.best and answer.complete) and answer.position.result is None:
            self.answer = self._solve(answer.position)

    def _solve(self, position: Position) -> Answer:
        answer = self.session.solve(position, limits=self.limits, listener=self.listener)
        self.stopped = self.stopped or answer.stopped
        return answer

    def turns(self) -> list[Turn]:
        """The turns of the line, counted from its end, for what is settled there serves what comes before."""
        counted: list[Turn] = []
        for position, move in reversed(list(_steps(self.answer))):
            keeping: int | None = None
            if position is self.answer.position:
                keeping = len(self.answer.best)
            elif self.stopped is None:
                found = self._solve(position)
                keeping = len(found.best) if found.status == PROVEN and found.complete else None
            counted.append(Turn(position.turn, move, keeping, len(position.codes)))
        return counted[::-1]

    def proof_size(self) -> int | None:
        if self.stopped is not None or self.answer.position.result is not None:
            return None
        try:
            return proof_size(self.answer, limits=self.limits, listener=self.listener, **self.settings)
        except Unproved as cut:
            self.stopped = cut.stopped
        except Unsuitable:  # a game of which no proof can be made
            pass
        return None

    def shallow(self) -> tuple[int | None, int]:
        """The depth from which on a search chooses best moves only, and how deep was looked."""
        position, best = self.answer.position, set(self.answer.best)
        if position.result is not None:
            return None, 0
        shallow = request(SHALLOW_SEARCH, position.game, "search", **self.settings).open(position.game)
        since, depth, spent = None, 0, 0
        enough = max(SHALLOW_NODES, self.answer.nodes)
        while self.stopped is None and depth < position.game.max_plies and spent <= enough:
            told = shallow.search(position, Limits(depth=depth + 1, seconds=self.limits.seconds), self.listener)
            if told.stopped is not None:
                self.stopped = told.stopped
                break
            depth += 1
            spent += told.nodes + told.extra_nodes
            since = (since or depth) if set(told.best) <= best else None
            if told.status == PROVEN:
                break
        return since, depth


def _steps(answer: Answer) -> Iterator[tuple[Position, str]]:
    """The positions of a line, each with the move that is played there."""
    position = answer.position
    for move in answer.line:
        yield position, move
        position = position.play(move)


def proof_size(
    answer: Answer,
    *,
    limits: Limits | None = None,
    listener: Listener | None = None,
    **settings: Any,
) -> int | None:
    """How many positions the smallest proof needs that is found of a solved position's value: one proof that the first
    player gets no less and one that it gets no more, as far as the game's rules leave that open."""
    low, high = answer.position.game.values
    claims: list[dict[str, Any]] = []
    if answer.value is None or answer.status != PROVEN:
        return None
    if answer.value > low:
        claims.append({"at_least": answer.value})
    if answer.value < high:
        claims.append({"at_most": answer.value})
    how: dict[str, Any] = {"limits": limits, "listener": listener, **settings}
    return sum(_smallest(answer.position, claim, how) for claim in claims)


def _smallest(position: Position, claim: dict[str, Any], how: dict[str, Any]) -> int:
    """The size of a claim's proof, as it comes or made small on purpose: neither is always the smaller one."""
    return min(prove(position, **claim, **how, small=small).positions for small in (False, True))
