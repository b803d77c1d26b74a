"""Solving games in which play can go round: all positions at once where they fit, a search where they do not.

A search that only looks ahead never comes to an end in such a game if nobody can force anything: every depth leaves
positions open. All positions at once know no such trouble, but there may be too many of them. Which it is turns out as
it goes:

1. all positions, if they are few;
2. a search, for as long as it takes to find what a search finds easily;
3. all positions, as far as memory reaches;
4. the search again, with what its table has kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from zermelo.compile.modes import mode_for
from zermelo.compile.watch import Limits, Listener
from zermelo.core.answer import PROVEN, Answer
from zermelo.core.memory import DEFAULT, machine_bytes, parse_size
from zermelo.core.method import default_for
from zermelo.rules import Position, RuleError, TooLarge

FEW = {"compiled": 64 << 20, "interpreted": 32 << 20}
"""The bytes that a few positions take: about a million compiled, thirty thousand of Python's objects."""
EASY = {"compiled": 20_000_000, "interpreted": 50_000}
"""The nodes of a search that finds what is easily found."""
INTERPRETED_MOST = 1 << 30
SOON = 0.01
"""The seconds that an attempt gets at least."""

ADVICE = "play goes round here: --method dfpn may decide it, or --method fixpoint if all positions fit into --memory"

UNFINISHED = "the line is not to the end: to follow it takes more nodes than may be spent behind a value"

Search = Callable[[Limits], Answer]


def solve_whole(
    position: Position,
    search: Search,
    *,
    limits: Limits,
    memory: str | int,
    mode: str | None,
    listener: Listener | None,
) -> Answer | None:
    """The value by all positions or by `search`, whichever gets there; None if the game is not of this kind."""
    claimed = default_for(position.game, "whole")
    if claimed is None or limits.depth is not None or position.result is not None:
        return None
    method, why = claimed
    name = mode_for(position.game, mode).name
    most = machine_bytes() // 2 if name == "compiled" else INTERPRETED_MOST
    if memory != DEFAULT:
        most = min(parse_size(memory), machine_bytes())
    few = min(FEW[name], most)
    account = _Account(limits)

    def everything(budget: int, share: float) -> Answer | None:
        assert method.solver is not None
        try:
            answer = method.solver(
                method, position, at_least=None, limits=account.left(share), memory=budget, mode=mode,
                listener=listener, why=why,
            )  # fmt: skip
        except TooLarge as large:
            account.spend(large.nodes, large.seconds)
            return None
        if answer.status != PROVEN:
            answer = replace(answer, why="play can go round: all positions at once")
        return account.add(answer)

    first = everything(few, 0.5)
    if first is not None and account.settled(first):
        return first
    answer = account.add(search(account.left(1.0, EASY[name])))
    if account.settled(answer):
        return answer
    whole = everything(most, 0.5) if most > few else None
    if whole is not None and whole.status == PROVEN:
        return whole
    if whole is not None and account.settled(whole):  # what the search had found is all there is
        return replace(answer, nodes=whole.nodes, seconds=whole.seconds, stopped=whole.stopped)
    return account.add(search(account.left(1.0)))


class _Account:
    """What earlier attempts have used up of the limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.nodes, self.seconds = limits, 0, 0.0

    def left(self, share: float, nodes: int | None = None) -> Limits:
        """A share of the time and of the nodes that are left, and no more nodes than these."""
        limits = self.limits
        if limits.nodes is not None:
            some = int(share * (limits.nodes - self.nodes))
            nodes = max(some if nodes is None else min(some, nodes), 1)
        seconds = None if limits.seconds is None else share * max(limits.seconds - self.seconds, SOON)
        return Limits(nodes=nodes, seconds=seconds)

    def spend(self, nodes: int, seconds: float) -> None:
        self.nodes += nodes
        self.seconds += seconds

    def add(self, attempt: Answer) -> Answer:
        """An attempt's answer with what all of them took."""
        before = self.nodes
        self.spend(attempt.nodes + attempt.extra_nodes, attempt.seconds)
        return replace(attempt, nodes=before + attempt.nodes, seconds=self.seconds)

    def settled(self, answer: Answer) -> bool:
        """Whether there is nothing more to try: it is known, nothing is left, or somebody has had enough."""
        limits = self.limits
        out_of_nodes = limits.nodes is not None and self.nodes >= limits.nodes
        out_of_time = limits.seconds is not None and self.seconds >= limits.seconds
        return answer.status == PROVEN or answer.stopped == "interrupt" or out_of_nodes or out_of_time


def completed(answer: Answer, limits: Limits, mode: str | None, listener: Listener | None) -> Answer:
    """A proven answer with all best moves and a line to the end, where its search left some of that open and all
    positions are few."""
    position = answer.position
    claimed = default_for(position.game, "whole")
    if claimed is None or answer.status != PROVEN or answer.stopped is not None or _is_whole(answer):
        return answer
    account = _Account(limits)
    answer = account.add(answer)
    method = claimed[0]
    assert method.solver is not None
    try:
        found: Answer = method.solver(
            method, position, at_least=None, limits=account.left(1.0), mode=mode, listener=listener, why="",
            memory=FEW[mode_for(position.game, mode).name],
        )  # fmt: skip
    except TooLarge:
        return answer
    if found.status != PROVEN:
        return replace(answer, stopped=found.stopped)
    if found.value != answer.value:
        raise RuleError(
            f"{position.game.name}: {answer.method} says {answer.value:g}, but all positions together say "
            f"{found.value:g}; one of its hooks, or its key, must be wrong: zermelo check may find it"
        )
    return replace(
        answer, best=found.best, complete=True, verdicts=found.verdicts, line=found.line,
        extra_nodes=answer.extra_nodes + found.nodes, seconds=answer.seconds + found.seconds,
        notes=(*answer.notes, ("moves", f"best moves and line from all positions, by {method.name}")),
    )  # fmt: skip


def _is_whole(answer: Answer) -> bool:
    """Whether it has all best moves, and a line that ends with the game."""
    return answer.complete and _end(answer).result is not None


def _end(answer: Answer) -> Position:
    """Where the line of an answer leads."""
    position = answer.position
    for move in answer.line:
        position = position.play(move)
    return position


def advised(answer: Answer) -> Answer:
    """With a word on what else could be tried, where a search that looks ahead got nowhere for play goes round; and on
    a line that could not be followed to its end."""
    game = answer.position.game
    if not game.cyclic or game.has_chance or answer.position.result is not None:
        return answer
    if answer.status == PROVEN and answer.stopped is None and answer.line and _end(answer).result is None:
        return replace(answer, notes=(*answer.notes, ("cut", UNFINISHED)))
    if answer.status == PROVEN or answer.method in ("dfpn", "fixpoint"):
        return answer
    return replace(answer, notes=(*answer.notes, ("advice", ADVICE)))
