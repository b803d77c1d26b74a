"""The last word on a solved answer: what its search left open is completed where all positions are few, and where a
search got nowhere because play goes round, it is said what else could be tried."""

from __future__ import annotations

from dataclasses import replace

from zermelo.core.answer import PROVEN, Answer
from zermelo.core.question import Question
from zermelo.core.request import Request
from zermelo.positions.fixpoint import METHOD as FIXPOINT
from zermelo.positions.fixpoint import FixpointWorker, is_natural
from zermelo.positions.whole import FEW, Account
from zermelo.rules import Position, RuleError, TooLarge

ADVICE = "play goes round here: --method dfpn may decide it, or --method fixpoint if all positions fit into --memory"
UNFINISHED = "the line is not to the end: to follow it takes more nodes than may be spent behind a value"


def finish(request: Request, question: Question, answer: Answer) -> Answer:
    """What a session does with a solved answer before it is handed over."""
    wanted = question.at_least is None and not question.value_only
    return _advised(_completed(request, question, answer) if wanted else answer)


def _completed(request: Request, question: Question, answer: Answer) -> Answer:
    """A proven answer with all best moves and a line to the end, where its search left some of that open and all
    positions are few."""
    position = answer.position
    if not is_natural(position.game) or answer.status != PROVEN or answer.stopped is not None or _is_whole(answer):
        return answer
    if answer.method == FIXPOINT.name:
        return answer
    account = Account(question.limits)
    answer = account.add(answer)
    worker = FixpointWorker(position.game, replace(request, why=""), answer.mode)
    try:
        found = worker.solve_within(replace(question, limits=account.left(1.0)), FEW[answer.mode])
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
        notes=(*answer.notes, ("moves", f"best moves and line from all positions, by {FIXPOINT.name}")),
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


def _advised(answer: Answer) -> Answer:
    """With a word on what else could be tried, where a search that looks ahead got nowhere for play goes round; and on
    a line that could not be followed to its end."""
    game = answer.position.game
    if not game.cyclic or game.has_chance or answer.position.result is not None:
        return answer
    if answer.status == PROVEN and answer.stopped is None and answer.line and _end(answer).result is None:
        return replace(answer, notes=(*answer.notes, ("cut", UNFINISHED)))
    if answer.status == PROVEN or answer.method in ("dfpn", FIXPOINT.name):
        return answer
    return replace(answer, notes=(*answer.notes, ("advice", ADVICE)))
