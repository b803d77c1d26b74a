"""An answer is looked at once more before it is given: does its own line lead to the value that it calls proven?

The rules alone decide where a line ends. A value that they contradict came from something that a game says of itself
beside its rules: `bounds`, `candidates`, `symmetry`, `rest`, a key. Then there is no answer, but an error that names
the hook, if a short ending shows which one lied.
"""

from __future__ import annotations

from zermelo.rules import Position, RuleError
from zermelo.search.answer import PROVEN, Answer


def checked(answer: Answer) -> Answer:
    """The answer, if its line does not contradict it."""
    if answer.status == PROVEN:
        _play_out(answer)
    return answer


def _play_out(answer: Answer) -> None:
    position = answer.position
    for move in answer.line:
        position = position.play(move)
    end = position.result
    if end is None or end == answer.value or position.game.has_chance:
        return
    game = position.game
    raise RuleError(
        f"{game.name}: the value is said to be {answer.value:g}, but best play by {' '.join(answer.line)} ends with "
        f"{end:g}; {_liar(position) or 'one of its hooks, or its key, must be wrong: zermelo check may find it'}"
    )


def _liar(end: Position) -> str | None:
    """The hook that is wrong, looked for in ever longer endings of a line."""
    from zermelo.compile.promises import lie_at

    position = end.previous
    while position is not None:
        lie = lie_at(position)
        if lie is not None:
            return lie
        position = position.previous
    return None
