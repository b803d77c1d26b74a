"""Jobs: pieces of work that are described by names, texts and numbers alone, so that anybody can do them anywhere.

A job says what kind of work it is and what it is about: a game by the name that a person would type, its parameters, a
position as the moves that lead to it, a search as its text, limits as numbers. The kinds are the functions in `KINDS`
and no others. Both a job and its result are JSON on their way: no code travels, and nothing that travels is run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from zermelo import games
from zermelo.certificates.rulebook import fingerprint
from zermelo.compile.watch import Limits
from zermelo.core.answer import BOUND, PROVEN
from zermelo.knowledge.resting import with_tables
from zermelo.methods.requests import request
from zermelo.rules import Game, Unsuitable, ZermeloError

RELIED_ON = ("key", "symmetry", "rest", "bounds", "candidates")
"""Hooks that the value of a position may rest on, beside the rules."""


class Job(NamedTuple):
    """What is to be done. name: by which its result is known; kind: one of `KINDS`; told: what that function gets."""

    name: str
    kind: str
    told: dict[str, Any]

    def text(self) -> str:
        return json.dumps([self.kind, self.told])


class Failed(NamedTuple):
    """A job that cannot be done, by whomever: why."""

    why: str


def carry_out(text: str) -> str:
    """Do the job that a text describes; the text of what came of it."""
    try:
        kind, told = json.loads(text)
        return json.dumps({"result": KINDS[kind](**told)})
    except ZermeloError as wrong:
        return json.dumps({"failed": str(wrong)})
    except Exception as wrong:
        return json.dumps({"failed": f"{type(wrong).__name__}: {wrong}"})


def outcome(text: str) -> Any:
    """What came of a job: its result, or `Failed`."""
    told = json.loads(text)
    return Failed(told["failed"]) if "failed" in told else told["result"]


def solve_position(
    *,
    game: str,
    parameters: Mapping[str, str],
    rules: str,
    position: str,
    moves: Sequence[str],
    search: str,
    at_least: float | None,
    nodes: int | None,
    seconds: float | None,
    tables: Sequence[str] = (),
) -> dict[str, Any]:
    """Solve the position that `moves` lead to from `position`, or only whether the first player scores `at_least`;
    `tables`: the folders of those that the search rests on.

    What comes back: bounds that are certain (`low`, `high`), how sure they are (`status`), what it took, and what
    stopped it. Every job has a session of its own: what one finds does not depend on who did which job before.
    """
    subject = _subject(game, tuple(parameters.items()), rules, tuple(tables))
    here = subject.position(position)
    for move in moves:
        here = here.play(move)
    limits = Limits(nodes=nodes, seconds=seconds)
    with request(search, subject, "solve", claim=at_least).open(subject) as session:
        answer = session.solve(here, at_least=at_least, value_only=True, limits=limits)
    low, high = answer.bounds if answer.status in (PROVEN, BOUND) else subject.values
    return {
        "status": answer.status, "low": low, "high": high, "nodes": answer.nodes + answer.extra_nodes,
        "leaves": answer.leaves, "seconds": round(answer.seconds, 6), "method": answer.method,
        "stopped": answer.stopped,
    }  # fmt: skip


@lru_cache(maxsize=4)
def _subject(spec: str, parameters: tuple[tuple[str, str], ...], rules: str, tables: tuple[str, ...]) -> Game:
    """The game that a job is about, kept for the next one: what was compiled for it serves again."""
    game = games.load(spec, dict(parameters))
    if rules_of(game) != rules:
        raise Unsuitable(f"a worker has other rules of {game.name}: install the same version everywhere")
    return with_tables(game, tables)


def rules_of(game: Game) -> str:
    """A hash of all that values rest on: those of two games may be mixed where it is the same."""
    return fingerprint(game, RELIED_ON)


KINDS: Mapping[str, Callable[..., Any]] = {"solve": solve_position}
