"""Do the numbers that a game gives its positions fit together, and what is said if they do not?

Kernels notice on their way that a number and its position do not belong together, or where a move leads to a number
that is not there, and stop. Here it is said in words, from the rules. What no kernel comes by, numbers that games give
to positions from which no other number leads there, is looked for in a few random games.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from zermelo.rules import ONGOING, Game, Position, RuleError, Tier, wrapping
from zermelo.rules.position import legal_moves, named
from zermelo.rules.tiers import tiers_of

OUTSIDE, UNKEPT, CROWDED, PARTED, HOLLOW = 1, 2, 3, 4, 5
"""What can be wrong with a numbering: a move leads to a number that is not there, or to nothing that is kept; there are
more ways back than declared; a number's position has another number; a move leads to a number that is not used."""
DEEPEST = 8
"""So many plies may lie between two positions that a table keeps."""
MOST_LEFT = 1000
"""Of those, so many are gone on from."""
GAMES, PLIES = 4, 200
"""So many games are played at random, for so many plies at the most."""


@wrapping
def check_numbers(game: Game) -> None:
    """Play a few games at random: every number must lie in a tier that is listed."""
    sizes, chance = {tier.tier: tier.size for tier in tiers_of(game)}, random.Random(1)
    for _ in range(GAMES):
        state = game.start.copy()
        for _ in range(PLIES):
            if game.verdict(state) != ONGOING:
                break
            wrong = outside(game, sizes, state)
            if wrong is not None:
                raise RuleError(f"{game.name}: {wrong}")
            moves = legal_moves(game, state)
            if not moves:
                break
            state = state.copy()
            game.play(state, chance.choice(moves))


def outside(game: Game, sizes: dict[int, int], state: Any) -> str | None:
    """In words, that the number of a position lies outside the tiers; None if it does not. sizes: of the tiers."""
    assert game.index is not None
    tier, number = (int(word) for word in game.index(state)[:2])
    if tier < 0 or 0 <= number < sizes.get(tier, 0):
        return None
    there = f"but that has {sizes[tier]:,} numbers" if tier in sizes else "which tiers does not list"
    return f"index gives {named(Position(game, state))} number {number:,} of tier {tier}, {there}"


@wrapping
def in_words(game: Game, at_hand: Iterable[Tier], tier: Tier, number: int, broken: int) -> str:
    """What is wrong at a number of a tier, where a kernel says what kind of thing. at_hand: the tiers that there were,
    this one the last."""
    assert game.index is not None
    state = _made(game, tier, number)
    if broken == PARTED:
        other, place, sign = (int(word) for word in game.index(state))
        turned = f" with the sign {sign}" * (sign != 1)
        return (
            f"{game.name}: unindex makes {named(Position(game, state))} of number {number:,} of tier {tier.tier}, but "
            f"index says that it is number {place:,} of tier {other}{turned}"
        )
    where = f"{game.name}: at {named(Position(game, state))}, number {number:,} of tier {tier.name}, "
    if broken in (OUTSIDE, HOLLOW):
        return f"{where}{leading_out(game, at_hand, tier, number) or 'a move leads to a number that is not there'}"
    if broken == CROWDED:
        return f"{where}unmoves wrote more than the declared max_unmoves = {game.max_unmoves}"
    return f"{where}a move leads to positions that index leaves out, and on to nothing that it keeps"


def _made(game: Game, tier: Tier, number: int) -> Any:
    assert game.unindex is not None
    state = game.start.copy()
    game.unindex(state, tier.tier, number)
    return state


@wrapping
def leading_out(game: Game, at_hand: Iterable[Tier], tier: Tier, number: int) -> str | None:
    """In words, a move that leads from the position of a number to none of the tiers at hand; None if there is none."""
    listed, there = tiers_of(game), {each.tier for each in at_hand}
    sizes, names = {tier.tier: tier.size for tier in listed}, {tier.tier: tier.name for tier in listed}
    assert game.index is not None
    assert game.unindex is not None
    left = [_made(game, tier, number)]
    while left:  # positions that no table keeps are gone on from
        here = left.pop()
        for move in legal_moves(game, here):
            after = here.copy()
            game.play(after, move)
            if game.verdict(after) != ONGOING:
                continue
            told = f"after the move {Position(game, here).text_of(move)}, "
            wrong = outside(game, sizes, after)
            if wrong is not None:
                return told + wrong
            reached = int(game.index(after)[0])
            if reached >= 0 and reached not in there:
                return f"{told}{named(Position(game, after))} lies in tier {names[reached]}, which tiers lists later"
            if reached >= 0 and not game.unindex(after.copy(), *game.index(after)[:2]):
                return f"{told}{named(Position(game, after))} has a number, and unindex calls it unused"
            if reached < 0 and len(left) < MOST_LEFT:
                left.append(after)
    return None
