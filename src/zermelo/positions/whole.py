"""Solving games in which play can go round: all positions at once where they fit, a search where they do not.

A search that only looks ahead never comes to an end in such a game if nobody can force anything: every depth leaves
positions open. All positions at once know no such trouble, but there may be too many of them. Which it is turns out as
it goes:

1. all positions, if they are few;
2. a search, for as long as it takes to find what a search finds easily;
3. all positions, as far as memory reaches, unless it can be told that they do not fit;
4. the search again, with what its table has kept.
"""

from __future__ import annotations

import time
from dataclasses import replace

from zermelo.compile.watch import STOP, Limits
from zermelo.core.answer import PROVEN, Answer
from zermelo.core.memory import DEFAULT, machine_bytes, parse_size
from zermelo.core.method import Method, Options
from zermelo.core.question import Question, Worker
from zermelo.core.request import Request
from zermelo.core.window_worker import WindowWorker
from zermelo.minimax.negascout import METHOD as NEGASCOUT
from zermelo.pn.dfpn import METHOD as DFPN
from zermelo.positions.fixpoint import WANTED, FixpointWorker, is_natural
from zermelo.positions.forecast import WALKING, forecast
from zermelo.rules import Game, TooLarge

FEW = {"compiled": 64 << 20, "interpreted": 32 << 20}
"""The bytes that a few positions take: about a million compiled, thirty thousand of Python's objects."""
EASY = {"compiled": 20_000_000, "interpreted": 50_000}
"""The nodes of a search that finds what is easily found."""
HASTE = 30.0
"""With fewer seconds than these nothing is found out before."""
INTERPRETED_MOST = 1 << 30
SOON = 0.01
"""The seconds that an attempt gets at least."""


class WholeWorker(Worker):
    """All positions and df-pn in turn; each answer says which of them found it."""

    def __init__(self, game: Game, request: Request, mode: str) -> None:
        super().__init__(game, request, mode)
        self.all = FixpointWorker(game, replace(request, why=FITS), mode)
        search = DFPN if game.integral else NEGASCOUT  # claims pin down whole numbers only
        searching = replace(request, method=search, options=search.options, why=CLAIMS if game.integral else AHEAD)
        self.some = WindowWorker(game, searching, mode)

    def prepare(self, purpose: str, limits: Limits) -> None:
        self.all.prepare(purpose, limits)

    def solve(self, question: Question) -> Answer:
        if question.at_least is not None or question.limits.depth is not None or question.position.result is not None:
            return self.some.solve(question)
        most = room_for(self.request, self.mode)
        few = min(FEW[self.mode], most)
        account = Account(question.limits)
        first = self._everything(question, account, few)
        if first is not None and account.settled(first):
            return first
        answer = account.add(self.some.solve(replace(question, limits=account.left(1.0, EASY[self.mode]))))
        if account.settled(answer):
            return answer
        fits = most > few and self._may_fit(question, account, few, most)
        whole = self._everything(question, account, most) if fits else None
        if whole is not None and whole.status == PROVEN:
            return whole
        if whole is not None and account.settled(whole):  # what the search had found is all there is
            return replace(answer, nodes=whole.nodes, seconds=whole.seconds, stopped=whole.stopped)
        return account.add(self.some.solve(replace(question, limits=account.left(1.0))))

    def _may_fit(self, question: Question, account: Account, few: int, most: int) -> bool:
        """Whether all positions may fit into so many bytes, or nobody has the time to find out."""
        limits = account.left(1.0)
        if limits.nodes is not None or (limits.seconds is not None and limits.seconds < HASTE):
            return True
        began = time.perf_counter()
        ahead = forecast(question.position, WANTED, self.mode, few, WALKING, question.listener, question.brake)
        account.spend(0, time.perf_counter() - began)
        return ahead.bytes <= most

    def _everything(self, question: Question, account: Account, budget: int) -> Answer | None:
        """All positions, if they fit into so many bytes and half of the time that is left."""
        try:
            answer = self.all.solve_within(replace(question, limits=account.left(0.5)), budget)
        except TooLarge as large:
            account.spend(large.nodes, large.seconds)
            return None
        if answer.status != PROVEN:
            answer = replace(answer, why="play can go round: all positions at once")
        return account.add(answer)


def room_for(request: Request, mode: str) -> int:
    """The bytes that all positions may take: what was asked for, else half of the machine's."""
    if request.memory != DEFAULT:
        return min(parse_size(request.memory), machine_bytes())
    return machine_bytes() // 2 if mode == "compiled" else INTERPRETED_MOST


FITS = "play can go round: all positions at once, for they fit"
CLAIMS = "play can go round: claims, as many as pin down the value"
AHEAD = "play can go round: a search, deeper and deeper"


class Account:
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
        by_hand = answer.stopped in ("interrupt", STOP)
        return answer.status == PROVEN or by_hand or out_of_nodes or out_of_time


def suits(game: Game, purpose: str) -> str:
    return FITS if purpose == "whole" and is_natural(game) else ""


METHOD = Method(
    name="whole",
    summary="where play can go round: all positions at once if they fit, else df-pn",
    source="fixpoint and dfpn in turn",
    kernel=None,
    options=Options(table=False),
    worker=WholeWorker,
    suits=suits,
)
