"""A family of random games that is compiled once: the seed is part of the state, not of the code.

A game is a graph of numbered positions. Whose turn it is, how many moves there are, where they lead, and what the
ends are worth all come from hashing the seed with the number of the position. Without cycles, moves lead to larger
numbers, often to the same one by several ways; with cycles they lead anywhere. Some of the moves are forcing ones: the
sub-game "force" is about those alone, and so is "quick", which sees wins in one move and guesses what resists.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.rules import ONGOING, Game, Position, Subgame, i32, rule, struct, u64
from zermelo.rules.hashing import mix

WORDS = np.arange(1100, dtype=u64)
"""Small numbers as words: to look one up takes Python a tenth of the time that making it takes."""


def random_game(
    size: int = 11,
    moves: int = 4,
    span: int = 4,
    spread: int = 3,
    repetition: Any = "none",
    folds: int = 2,
    fractional: bool = False,
) -> Game:
    """Scores are whole numbers up to `spread`, or quarters of them if `fractional`."""
    State = struct(node=i32, seed=u64)
    most = moves
    cyclic = repetition != "none"
    unit = 0.25 if fractional else 1

    begin, end, shift = u64(7), u64(77), u64(20)
    small = size + span < len(WORDS)

    @rule
    def word(number):
        return WORDS[number] if small else u64(number)

    @rule
    def draw(s, question, sides):
        h = mix(mix(mix(mix(begin, s.seed), word(s.node)), word(question)), end)
        return int((h >> shift) % word(sides))

    @rule
    def moves(s, out):
        n = 1 + draw(s, 1, most)
        for i in range(n):
            out[i] = i
        return n

    @rule
    def play(s, move):
        if cyclic:
            s.node = draw(s, 10 + move, size)
        else:
            s.node = s.node + 1 + draw(s, 10 + move, span)

    @rule
    def result(s):
        if s.node >= size if not cyclic else (s.node != 0 and draw(s, 3, 4) == 0):
            return (draw(s, 2, 2 * spread + 1) - spread) * unit
        return ONGOING * unit / unit if fractional else ONGOING

    @rule
    def turn(s):
        return draw(s, 4, 2)

    @rule
    def evaluate(s):
        return (draw(s, 5, 1000) / 1000 - 0.5) * spread * unit

    @rule
    def key(s):
        return mix(mix(u64(99), s.seed), u64(s.node))

    @rule
    def attack(s, out):
        n = 0
        for i in range(1 + draw(s, 1, most)):
            if draw(s, 30 + i, 3) > 0:
                out[n] = i
                n += 1
        return n

    @rule
    def at_once(s, out, n):
        node, best = s.node, spread * unit if turn(s) == 0 else -spread * unit
        for i in range(n):
            play(s, out[i])
            score = result(s)
            s.node = node
            if score == best:
                return i
        return -1

    @rule
    def resistance(s, out, n):
        return 1 + draw(s, 6, n)

    return Game(
        name="random",
        State=State,
        start=State(seed=1),
        moves=moves,
        play=play,
        result=result,
        turn=turn,
        evaluate=evaluate,
        key=key,
        values=(-spread * unit, spread * unit),
        max_moves=most,
        max_plies=(folds - 1) * size + 1,
        repetition=repetition,
        folds=folds,
        subgames={
            "force": Subgame(attack=attack),
            "quick": Subgame(attack=attack, at_once=at_once, resistance=resistance),
        },
    )


def seeded(game: Game, seed: int) -> Position:
    """The start of the game that a seed stands for."""
    assert game.State is not None
    return Position(game, game.State(seed=seed))
