"""What symmetry leaves of a position's moves and outcomes.

In the opening of dark chess a first flip has 32 squares and 14 kinds of pieces: 448 outcomes. Reflections make 8
squares of the 32, and since the flipper owns whatever colour appears, 7 kinds of the 14: 56 are left (Hsu, "Selected
advanced topics"). Searches do the same where they go (see `outcomes` and `family`); this lists it for people and tests.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.rules import CHANCE, Position, Unsuitable, wrapping


class Outcome(NamedTuple):
    """A move (empty at a chance position) and an outcome that stand for all that are equivalent to them; `weight` of
    `whole` is the probability of these outcomes once such a move is made; `moves` is how many moves there are."""

    move: str
    outcome: str
    weight: int
    whole: int
    moves: int


@wrapping
def distinct_outcomes(position: Position) -> list[Outcome]:
    """The outcomes that can follow a position, one of each class of equivalent ones."""
    game = position.game
    if game.symmetry is None:
        raise Unsuitable(f"{game.name} has no symmetry hook, so all its outcomes count as different")
    if position.turn == CHANCE:
        return _of_chance(position, "", 1)
    found: dict[int, tuple[str, Position, int]] = {}
    for move in position.codes:
        after = position.play(move)
        if after.turn == CHANCE:
            mark = int(game.symmetry(after.state))
            text, first, count = found.get(mark, (position.text_of(move), after, 0))
            found[mark] = (text, first, count + 1)
    return [outcome for text, after, count in found.values() for outcome in _of_chance(after, text, count)]


def _of_chance(position: Position, move: str, moves: int) -> list[Outcome]:
    game = position.game
    assert game.weight is not None
    assert game.symmetry is not None
    classes: dict[int, tuple[str, int]] = {}
    whole = 0
    for outcome in position.codes:
        mark, weight = int(game.symmetry(position.play(outcome).state)), int(game.weight(position.state, outcome))
        text, before = classes.get(mark, (position.text_of(outcome), 0))
        classes[mark] = (text, before + weight)
        whole += weight
    return [Outcome(move, text, weight, whole, moves) for text, weight in classes.values()]
