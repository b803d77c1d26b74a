"""Solving a game by its openings: every position after so many plies is a job, and what comes back is put together.

Without a claim all of them are solved, which gives the value of the start and all its best moves. With one, job-level
proof-number search chooses the jobs (see `opening_tree`) and stops as soon as the claim is decided. Whatever is done is
kept in a store (`opening_store`): the same call goes on from there, and several may at once.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.core.answer import BOUND, PROVEN, UNKNOWN, Answer, Verdict
from zermelo.core.request import Request
from zermelo.knowledge.jobs import Job, rules_of
from zermelo.knowledge.opening_store import OpeningStore, Row
from zermelo.knowledge.opening_tree import Node, OpeningTree
from zermelo.knowledge.pool import Pool, open_pool
from zermelo.knowledge.table import Table
from zermelo.methods.requests import request
from zermelo.rules import CHANCE, Game, Position, Unsuitable
from zermelo.rules.settings import write_value

Say = Callable[[str], None]


@dataclass(frozen=True)
class Claim:
    """That the first player scores at least, or at most, so much. target: the score that is then reached, or not."""

    at_least: bool
    score: float
    target: float

    @classmethod
    def of(cls, game: Game, at_least: float | None, at_most: float | None) -> Claim | None:
        if at_least is not None and at_most is not None:
            raise Unsuitable("one claim at a time: at least so much, or at most; with neither, the value is found")
        score = at_most if at_least is None else at_least
        if score is None:
            return None
        low, high = game.values
        if not low <= score <= high:
            raise Unsuitable(f"{game.name}: scores lie between {low:g} and {high:g}, not at {score:g}")
        if at_least is not None:
            return cls(True, score, math.ceil(score) if game.integral else score)
        return cls(False, score, math.floor(score) + 1 if game.integral else math.nextafter(score, math.inf))

    def in_words(self, reached: bool | None) -> str:
        verdict = "not decided" if reached is None else "yes" if reached == self.at_least else "no"
        return f"the first player scores {self.score:g} or {'more' if self.at_least else 'less'}: {verdict}"

    def as_dict(self, reached: bool | None) -> dict[str, Any]:
        holds = None if reached is None else reached == self.at_least
        return {"at_least" if self.at_least else "at_most": self.score, "holds": holds}


def solve_openings(
    spec: str,
    plies: int,
    *,
    parameters: Mapping[str, Any] | None = None,
    position: str = "",
    at_least: float | None = None,
    at_most: float | None = None,
    method: str | Request | None = None,
    pool: Pool | str = "1",
    store: str | Path | None = None,
    tables: Sequence[str | Path] = (),
    limits: Limits | None = None,
    say: Say | None = None,
    **settings: Any,
) -> Answer:
    """The value of a position of the game that `spec` names, with all best moves, from the positions `plies` later; or
    only whether the first player scores `at_least` or `at_most` so much.

    `method` and `settings` are those of a request, for every job; `limits` hold for each. A pool that is given open
    stays open. `tables`: folders of endgame tables that every job rests on; workers find them under the same names.
    `say` is told how far it is. Ctrl-C ends it with what is known.
    """
    told = {name: write_value(value) for name, value in (parameters or {}).items()}
    game = games.load(spec, told)
    limits = limits or Limits()
    claim = Claim.of(game, at_least, at_most)
    target = None if claim is None else claim.target
    made = request(method, game, "solve", claim=target, **settings)
    start = game.position(position)
    folders = [str(Path(folder).resolve()) for folder in tables]
    for folder in folders:
        Table.open(folder, game).close()
    with ExitStack() as stack:
        workers = stack.enter_context(open_pool(pool)) if isinstance(pool, str) else pool
        kept = stack.enter_context(OpeningStore(store, game))
        tree = OpeningTree(start, plies, target)
        about = {
            "game": spec, "parameters": told, "rules": rules_of(game), "position": position, "search": str(made),
            "tables": folders,
        }  # fmt: skip
        run = _Run(tree, workers, kept, about, limits, say)
        stopped = run.finish()
    answer = _answer(start, tree, run, made, claim, plies, stopped)
    if not folders:
        return answer
    notes = (*answer.notes, ("rests on", ", ".join(map(str, tables))))
    return replace(answer, notes=notes, details={**answer.details, "rests_on": [str(folder) for folder in tables]})


@dataclass
class _Run:
    """A tree, and the jobs that are done and at work for it."""

    tree: OpeningTree
    pool: Pool
    store: OpeningStore
    about: dict[str, Any]
    limits: Limits
    say: Say | None
    at_work: dict[str, Node] = field(default_factory=dict)
    elsewhere: set[str] = field(default_factory=set)
    used: dict[str, dict[str, Row]] = field(default_factory=dict)
    jobs: int = 0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        tree = self.tree
        averaged = tree.target is not None and tree.game.has_chance  # a claim about an average is rounded: ask for it
        self.at_least = None if averaged else tree.target
        claim = "value" if self.at_least is None else f"at least {write_value(self.at_least)}"
        self.asked = f"{claim} by {self.about['search']}, {self.limits.nodes} nodes, {self.limits.seconds} seconds"

    def finish(self) -> str | None:
        """Do jobs until all is known that was asked, or no job would help. What stopped it, if anything did."""
        began = time.perf_counter()
        try:
            self._look_around()
            while self._give_out():
                self._take_in(*self.pool.take())
                self._look_around()
                if self.tree.holds is not None:
                    break
        except KeyboardInterrupt:
            return "interrupt"
        finally:
            self.pool.drop()
            self.seconds = time.perf_counter() - began
        return None

    def _look_around(self) -> None:
        """Take in what the store holds that is new, and see where others are at work."""
        for row in self.store.news():
            leaf = self.tree.leaf(row.place)
            if leaf is not None:
                self.used.setdefault(row.place, {})[row.asked] = row
                self.tree.settle(leaf, row.low, row.high, done=row.asked == self.asked or row.status == PROVEN)
        elsewhere = self.store.elsewhere()
        for place in elsewhere ^ self.elsewhere:
            leaf = self.tree.leaf(place)
            if leaf is not None:
                leaf.elsewhere = place in elsewhere
                self.tree.changed(leaf)
        self.elsewhere = elsewhere

    def _give_out(self) -> int:
        """Give as many jobs as there are workers for; how many are at work."""
        while self.pool.free and self.tree.holds is None:
            leaf = self.tree.next_leaf()
            if leaf is None:
                break
            name = f"{self.tree.game.name} after {' '.join(leaf.moves) or 'no move'}"
            told = {
                **self.about, "moves": list(leaf.moves), "at_least": self.at_least,
                "nodes": self.limits.nodes, "seconds": self.limits.seconds,
            }  # fmt: skip
            self.store.begin(leaf.place)
            self.pool.submit(Job(name, "solve", told))
            self.at_work[name], leaf.at_work = leaf, True
            self.tree.changed(leaf)
        if self.say is not None:
            self.say(self._in_short())
        return len(self.at_work)

    def _take_in(self, name: str, result: dict[str, Any]) -> None:
        leaf = self.at_work.pop(name)
        leaf.at_work, self.jobs = False, self.jobs + 1
        self.store.add(Row(leaf.place, self.asked, " ".join(leaf.moves), **result))

    def _in_short(self) -> str:
        done = sum(leaf.done for leaf in self.tree.leaves)
        root = self.tree.root
        return (
            f"{done:,} of {len(self.tree.leaves):,} positions known, {len(self.at_work)} at work on {self.pool.name} | "
            f"value {root.low:g} to {root.high:g} | Ctrl-C stops"
        )


def _answer(
    start: Position, tree: OpeningTree, run: _Run, made: Request, claim: Claim | None, plies: int, stopped: str | None
) -> Answer:
    """What the tree says of its root."""
    root, game = tree.root, tree.game
    lowest, highest = game.values
    rows = [row for rows in run.used.values() for row in rows.values()]
    slack = 1e-9 * (highest - lowest) if game.has_chance else 0
    proven = root.high - root.low <= slack
    status = PROVEN if proven else UNKNOWN if (root.low, root.high) == (lowest, highest) else BOUND
    best, complete = tree.best(root)
    if not complete and root.turn in (0, 1) and (root.low == lowest if root.turn == 0 else root.high == highest):
        best = best[:1]  # a guess: nothing is known of any
    where = f"{len(tree.leaves):,} positions after {plies} {'ply' if plies == 1 else 'plies'}"
    decided = proven if claim is None else tree.holds is not None
    if stopped is None and not decided:
        stopped = next((row.stopped for row in rows if row.stopped is not None), None)
    return Answer(
        position=start,
        value=None if status == UNKNOWN else root.low if proven or root.low > lowest else root.high,
        status=status,
        bounds=(root.low, root.high),
        best=best,
        line=tree.line(),
        nodes=sum(row.nodes for row in rows),
        leaves=sum(row.leaves for row in rows),
        extra_nodes=0,
        seconds=run.seconds,
        method=made.method.name,
        depth=None,
        why=made.why or "asked for",
        stopped=stopped,
        complete=complete and proven,
        verdicts=() if root.turn == CHANCE else tuple(_verdicts(tree)),
        threads=made.threads,
        mode=run.pool.name,
        memory=made.memory,
        details={
            "plies": plies, "positions": len(tree.leaves), "known": sum(leaf.done for leaf in tree.leaves),
            "jobs": run.jobs, **({} if claim is None else {"claim": claim.as_dict(tree.holds)}),
        },
        notes=(
            *(() if claim is None else [("claim", claim.in_words(tree.holds))]),
            ("openings", f"{where}, {run.jobs:,} jobs now, {len(run.used):,} asked in all"),
        ),
    )  # fmt: skip


def _verdicts(tree: OpeningTree) -> list[Verdict]:
    """What is known of each move at the root."""
    found = []
    for text, child in zip(tree.root.texts, tree.root.children):
        narrower = (child.low, child.high) != tree.game.values
        status = UNKNOWN if not narrower else PROVEN if child.low == child.high else BOUND
        found.append(Verdict(text, status, child.low, child.high))
    return found
