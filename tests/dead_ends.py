"""Random games in which play may run out of moves, twice: `result` says so, or the rule `stuck` does.

Both are made of any of the random families, whose states have a number and a seed. Whatever a search does in one of
them, it must do in the other, node for node.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from zermelo.rules import ONGOING, Game, rule, u64
from zermelo.rules.hashing import mix


class Twins(NamedTuple):
    """The same game with its dead ends told in two ways."""

    by_result: Game
    by_stuck: Game


def dead_ends(game: Game, often: int = 4) -> Twins:
    """One of `often` positions, but never the first one, has no moves."""
    moves, result = game.moves, game.result
    low, scores = game.values[0], u64(int(game.values[1] - game.values[0]) + 1)
    salt, shift, one_of, unit = u64(4711), u64(20), u64(often), 1 if game.integral else 1.0

    @rule
    def dead(s):
        return s.node != 0 and (mix(mix(salt, s.seed), u64(s.node)) >> shift) % one_of == 0

    @rule
    def score(s):
        return low + unit * int((mix(mix(mix(salt, s.seed), salt), u64(s.node)) >> shift) % scores)

    @rule
    def full_result(s):
        told = result(s)
        return score(s) if told == ONGOING and dead(s) else told

    @rule
    def some_moves(s, out):
        return 0 if dead(s) else moves(s, out)

    return Twins(replace(game, result=full_result), replace(game, moves=some_moves, stuck=score))
