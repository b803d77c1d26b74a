"""What a search says, and how sure it is of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.core.engine import MEMORY, Engine
from zermelo.core.selective import used
from zermelo.rules import CHANCE, Position
from zermelo.rules.html import never_failing, table

if TYPE_CHECKING:
    from zermelo.rules.overlay import Badge

PROVEN, BOUND, HEURISTIC, UNKNOWN = "proven", "bound", "heuristic", "unknown"


class Verdict(NamedTuple):
    """What is known of one move at the root. `low` and `high` bound the first player's value after it; status as for an
    answer: `proven` where they meet, `bound` where they are narrower than the game's, `heuristic` where an
    estimate is part of them, `unknown` where nothing was found out. `plies`: how soon play then ends, if that is known.
    """

    move: str
    status: str
    low: float
    high: float
    plies: int | None = None

    @classmethod
    def of(cls, position: Position, move: int, low: Any, high: Any, sure: bool = True) -> Verdict:
        """From bounds for the player to move at a position."""
        if position.turn == 1:
            low, high = -high, -low
        lowest, highest = position.game.values
        narrower = low > lowest or high < highest
        status = UNKNOWN if not narrower else PROVEN if low == high else BOUND
        return cls(position.text_of(move), status if sure or not narrower else HEURISTIC, plain(low), plain(high))

    def as_dict(self) -> dict[str, Any]:
        value = self.low if self.low == self.high else None
        plies = {} if self.plies is None else {"plies": self.plies}
        return {"move": self.move, "status": self.status, "value": value, "bounds": [self.low, self.high], **plies}


@dataclass(frozen=True)
class Answer:
    """The outcome of a search. `value` is the first player's.

    status: `proven`, the value is certain (with dice on cycles: to 1e-9 of the range, and to `bounds`); `bound`, it is
    certain that the true value lies within `bounds`; `heuristic`, an estimate is part of it; `unknown`, the search was
    stopped before it found out anything.
    best: the best moves, for certain all of them and no other if `complete`, else those that are known or estimated to
    be; there is one wherever a player can move. verdicts: what is known of each move. line: best play by both sides,
    its first move the one to play. stopped: what ended the search before it knew, if anything did: a limit, Ctrl-C, or
    the game's own max_plies.
    nodes and leaves: what it took to find the value; extra_nodes: what it then took to find best moves and line.
    why: how the method was chosen. mode: how the search ran; memory: the size of its table, if it had one; prelude:
    what was done before that search began. details and notes: what else a method found out, for machines and people.
    """

    position: Position
    value: float | None
    status: str
    bounds: tuple[float, float]
    best: list[str]
    line: list[str]
    nodes: int
    leaves: int
    extra_nodes: int
    seconds: float
    method: str
    depth: int | None
    why: str
    stopped: str | None = None
    complete: bool = False
    verdicts: tuple[Verdict, ...] = ()
    threads: int = 1
    mode: str = "compiled"
    memory: str | None = None
    prelude: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[tuple[str, str], ...] = ()

    @property
    def move(self) -> str | None:
        """The move to play: of the best ones, the one that makes progress."""
        return self.line[0] if self.line else self.best[0] if self.best else None

    @property
    def badges(self) -> dict[str, Badge]:
        """What is known of each move as a picture shows it: `position.svg(values=answer.badges)`."""
        from zermelo.core.badges import badges

        return badges(self)

    @never_failing
    def _repr_html_(self) -> str:
        """For notebooks: the board with what its moves are worth, and beside it the answer in words."""
        from zermelo.core.wording import stopped_in_words, to_move, value_in_words

        rows = [
            ("to move", to_move(self.position)), ("value", value_in_words(self)), ("status", self.status),
            ("best", " ".join(self.best)), ("line", " ".join(self.line)), ("method", f"{self.method} ({self.why})"),
            ("effort", f"{self.nodes + self.extra_nodes:,} nodes, {self.seconds:.2f} s"),
            ("stopped", stopped_in_words(self.stopped) if self.stopped else ""),
        ]  # fmt: skip
        told = table(row for row in rows if row[1])
        board = self.position.svg(values=self.badges)
        return f'<div style="display:flex;gap:2em;align-items:center">{board}{told}</div>'

    def as_dict(self) -> dict[str, Any]:
        """The answer as the command line prints it with --json."""
        game = self.position.game
        return {
            "game": game.name,
            "parameters": dict(game.parameters),
            "position": self.position.text(),
            "turn": self.position.turn,
            "value": self.value,
            "status": self.status,
            "bounds": list(self.bounds),
            "best": self.best,
            "complete": self.complete,
            "verdicts": [verdict.as_dict() for verdict in self.verdicts],
            "line": self.line,
            "nodes": self.nodes,
            "leaves": self.leaves,
            "extra_nodes": self.extra_nodes,
            "seconds": round(self.seconds, 6),
            "method": self.method,
            "depth": self.depth,
            "why": self.why,
            "stopped": self.stopped,
            "threads": self.threads,
            "mode": self.mode,
            "memory": self.memory,
            "prelude": self.prelude,
            **self.details,
        }


class Tally(NamedTuple):
    """The counters at the moment when the value was known."""

    nodes: int
    leaves: int
    expanded: int

    @classmethod
    def of(cls, engine: Engine) -> Tally:
        sums = (sum(workspace.count(name) for workspace in engine.workspaces) for name in ("leaves", "expanded"))
        return cls(engine.watch.nodes, *sums)

    def details(self) -> dict[str, int]:
        """What only best-first searches count: the nodes whose children were made."""
        return {"expanded": self.expanded} if self.expanded else {}


def special_of(engine: Engine) -> tuple[dict[str, Any], tuple[tuple[str, str], ...]]:
    """What the search of a sub-game has done inside another one, for machines and in words."""
    options, counts = engine.options, {}
    if options.special is None:
        return {}, ()
    for name in ("calls", "wins", "nodes"):
        counts[name] = sum(workspace.count(f"special_{name}") for workspace in engine.workspaces)
    limits = ("root", "inner", "pv", "leaf", "plies")
    told = {"subgame": options.special} | {name: getattr(options, name) for name in limits}
    words = (
        f"{options.special}: calls {counts['calls']:,}, wins {counts['wins']:,}, nodes {counts['nodes']:,}; at most "
        f"{options.root:,} at the root, {options.inner:,} at new positions, {options.pv:,} on the line, "
        f"{options.leaf:,} at leaves"
        + (f" and {options.plies} plies ahead" if options.plies else "")
    )
    return {"special": {**told, **counts}}, (("special", words),)


def selective_of(engine: Engine) -> tuple[dict[str, Any], tuple[tuple[str, str], ...]]:
    """What has made a search selective, for machines and in words."""
    names = used(engine.options)
    return ({"selective": names}, (("selective", ", ".join(names)),)) if names else ({}, ())


def report(
    engine: Engine,
    position: Position,
    status: str,
    value: Any,
    *,
    why: str,
    best: Sequence[int] = (),
    complete: bool = False,
    verdicts: tuple[Verdict, ...] = (),
    line: Sequence[str] = (),
    tally: Tally | None = None,
    bounds: tuple[Any, Any] | None = None,
) -> Answer:
    """An answer from what an engine found; `value` and `bounds` are the first player's. Where no best move is known
    and there is one to make, any is better than none."""
    watch = engine.watch
    tally = tally or Tally.of(engine)
    special, words = special_of(engine)
    left_out, names = selective_of(engine)
    low, high = bounds or ((value, value) if status == PROVEN else position.game.values)
    if not best and position.result is None and position.turn != CHANCE:
        best = position.codes[:1]
    return Answer(
        position=position,
        value=None if value is None else plain(value),
        status=status,
        bounds=(plain(low), plain(high)),
        best=[position.text_of(move) for move in best],
        complete=(complete and status == PROVEN) or position.result is not None or position.turn == CHANCE,
        verdicts=verdicts,
        line=list(line),
        nodes=tally.nodes,
        leaves=tally.leaves,
        extra_nodes=watch.nodes - tally.nodes,
        seconds=watch.seconds,
        method=engine.method.name,
        depth=watch.depth or watch.limits.depth,
        why=why,
        stopped=watch.reason or watch.met,
        threads=len(engine.workspaces),
        mode=engine.mode.name,
        memory=engine.memory_text,
        details={**tally.details(), **special, **left_out},
        notes=(*_notes(engine), *words, *names),
    )


def _notes(engine: Engine) -> tuple[tuple[str, str], ...]:
    """Where memory ended a proof-number search, how far it had come."""
    if engine.watch.reason != MEMORY:
        return ()
    proof, disproof = engine.workspaces[0].count("proof"), engine.workspaces[0].count("disproof")
    if proof == 0 and disproof == 0:  # it follows many claims at once
        return ()
    return (("numbers", f"proof number {proof:,}, disproof number {disproof:,} when the memory was full"),)


def plain(value: Any) -> float:
    """A number as people write it: whole where it is whole. A fraction that is not stays off whole numbers."""
    near = float(value)
    if near.is_integer() and near != value:
        near = math.nextafter(near, math.inf if near < value else -math.inf)
    return int(near) if near.is_integer() else near
