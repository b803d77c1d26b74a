"""What a search says, and how sure it is of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zermelo.rules import Position
from zermelo.search.engine import MEMORY, Engine

PROVEN, BOUND, HEURISTIC, UNKNOWN = "proven", "bound", "heuristic", "unknown"


@dataclass(frozen=True)
class Answer:
    """The outcome of a search. `value` is the first player's.

    status: `proven`, the value is certain (with dice on cycles: to 1e-9 of the range, and to `bounds`); `bound`, it is
    certain that the true value lies within `bounds`; `heuristic`, an estimate is part of it; `unknown`, the search was
    stopped before it found out anything.
    best: all best moves; under a limit of seconds or nodes those, or the one, found until then. stopped: which limit
    ended the search, if one did. nodes and
    leaves: what it took to find the value; extra_nodes: what it then took to find all best moves and the line.
    why: how the method was chosen. details and notes: what else a method found out, for machines and for people.
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
    threads: int = 1
    mode: str = "compiled"
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[tuple[str, str], ...] = ()

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
            **self.details,
        }


class Tally(NamedTuple):
    """The counters at the moment when the value was known."""

    nodes: int
    leaves: int
    expanded: int

    @classmethod
    def of(cls, engine: Engine) -> Tally:
        sums = (sum(workspace[name] for workspace in engine.workspaces) for name in ("leaves", "expanded"))
        return cls(engine.watch.nodes, *sums)

    def details(self) -> dict[str, int]:
        """What only best-first searches count: the nodes whose children were made."""
        return {"expanded": self.expanded} if self.expanded else {}


def report(
    engine: Engine,
    position: Position,
    status: str,
    value: Any,
    *,
    why: str,
    best: list[int] | None = None,
    line: list[str] | None = None,
    tally: Tally | None = None,
    bounds: tuple[Any, Any] | None = None,
) -> Answer:
    """An answer from what an engine found; `value` and `bounds` are the first player's."""
    watch = engine.watch
    tally = tally or Tally.of(engine)
    low, high = bounds or ((value, value) if status == PROVEN else position.game.values)
    return Answer(
        position=position,
        value=None if value is None else plain(value),
        status=status,
        bounds=(plain(low), plain(high)),
        best=[position.text_of(move) for move in best or []],
        line=line or [],
        nodes=tally.nodes,
        leaves=tally.leaves,
        extra_nodes=watch.nodes - tally.nodes,
        seconds=watch.seconds,
        method=engine.method.name,
        depth=watch.depth or watch.limits.depth,
        why=why,
        stopped=watch.reason,
        threads=len(engine.workspaces),
        mode=engine.mode.name,
        details=tally.details(),
        notes=_notes(engine),
    )


def _notes(engine: Engine) -> tuple[tuple[str, str], ...]:
    """Where memory ended a proof-number search, how far it had come."""
    if engine.watch.reason != MEMORY:
        return ()
    proof, disproof = engine.workspaces[0]["proof"], engine.workspaces[0]["disproof"]
    if proof == 0 and disproof == 0:  # it follows many claims at once
        return ()
    return (("numbers", f"proof number {proof:,}, disproof number {disproof:,} when the memory was full"),)


def plain(value: Any) -> float:
    """A number as people write it: whole where it is whole."""
    return int(value) if float(value).is_integer() else float(value)
