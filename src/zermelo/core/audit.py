"""An answer is looked at once more before it is given: does its own line lead to the value that it calls proven?

The rules alone decide where a line ends. A value that they contradict came from something that a game says of itself
beside its rules: `bounds`, `candidates`, `symmetry`, `rest`, a key. Then there is no answer, but an error that names
the hook, if a short ending shows which one lied.

A game that rests on tables is not accused by a line that comes back to a position: a table knows what a position is
worth, but not which way was taken to it. Such a line is cut before it goes round.
"""

from __future__ import annotations

from dataclasses import replace

from zermelo.core.answer import PROVEN, Answer
from zermelo.rules import Position, RuleError


def checked(answer: Answer, line: bool = True) -> Answer:
    """The answer, if it is possible at all and its line does not contradict it. `line`: one was asked for, so that it
    must lead to the end if nothing stopped it and every way does."""
    if answer.status != PROVEN or answer.value is None:
        return answer
    game, position = answer.position.game, answer.position
    low, high = game.values
    if not low <= answer.value <= high:
        raise RuleError(f"{game.name}: the value is {answer.value:g}, outside the declared values = {game.values}")
    if game.has_chance:
        return answer
    for move in answer.line:
        position = position.play(move)
    end, moves = position.result, " ".join(answer.line)
    if end is None and line and answer.stopped is None and not game.cyclic:
        why = f"no move keeps that{f' after {moves}' if moves else ''}"
    elif end is None or end == answer.value:
        return answer
    elif game.rests_on is not None and position.cycle is not None:
        return replace(answer, line=answer.line[:-1])
    else:
        why = f"best play by {moves} ends with {end:g}"
    raise RuleError(
        f"{game.name}: the value is said to be {answer.value:g}, but {why}; "
        f"{_liar(position) or 'one of its hooks, or its key, must be wrong: zermelo check may find it'}"
    )


def _liar(end: Position) -> str | None:
    """The hook that is wrong, looked for in ever longer endings of a line."""
    from zermelo.checking.promises import lie_at

    position: Position | None = end
    while position is not None:
        lie = lie_at(position)
        if lie is not None:
            return lie
        position = position.previous
    return None
