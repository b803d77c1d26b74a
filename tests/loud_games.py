"""Random games with all that a selective search asks for, compiled once: the seed is part of the state.

As in `random_games`, a game is a graph of numbered positions, and all about one comes from hashing its number with the
seed. Whose turn it is is part of a position, so that a player can pass. What is loud, checked or worth passing at is as
random as the rest: a search that trusts these hooks must still call nothing proven that is not so.
"""

from __future__ import annotations

from typing import Any

from zermelo.rules import ONGOING, Game, Position, i8, i32, rule, struct, u64
from zermelo.rules.hashing import mix


def loud_game(size: int = 10, most: int = 3, span: int = 4, spread: int = 3, repetition: Any = "none") -> Game:
    """Scores are whole numbers up to `spread`. Without loops, moves lead to larger numbers."""
    State = struct(node=i32, turn=i8, seed=u64)
    cyclic = repetition != "none"
    begin, shift = u64(7), u64(20)

    @rule
    def draw(s, question, sides):
        h = mix(mix(mix(begin, s.seed), u64(2 * s.node + s.turn)), u64(question))
        return int((mix(h, begin) >> shift) % u64(sides))

    @rule
    def moves(s, out):
        n = 1 + draw(s, 1, most)
        for i in range(n):
            out[i] = i
        return n

    @rule
    def play(s, move):
        again = draw(s, 30 + move, 5) == 0
        s.node = draw(s, 10 + move, size) if cyclic else s.node + 1 + draw(s, 10 + move, span)
        if not again:
            s.turn = 1 - s.turn

    @rule
    def result(s):
        if s.node >= size if not cyclic else (s.node != 0 and draw(s, 3, 4) == 0):
            return draw(s, 2, 2 * spread + 1) - spread
        return ONGOING

    @rule
    def evaluate(s):
        return (draw(s, 5, 1000) / 1000 - 0.5) * 1.9 * spread

    @rule
    def key(s):
        return mix(mix(u64(99), s.seed), u64(2 * s.node + s.turn))

    @rule
    def loud(s, out):
        n = 0
        for i in range(1 + draw(s, 1, most)):
            if draw(s, 50 + i, 2) == 0:
                out[n] = i
                n += 1
        return n

    @rule
    def checked(s):
        return draw(s, 6, 4) == 0

    @rule
    def skip(s):
        s.turn = 1 - s.turn
        return draw(s, 7, 5) > 0

    @rule
    def exchange(s, move):
        return (draw(s, 70 + move, 7) - 2) / 4

    return Game(
        name="loud", State=State, start=State(seed=1), moves=moves, play=play, result=result, evaluate=evaluate,
        key=key, loud=loud, checked=checked, skip=skip, exchange=exchange, values=(-spread, spread), max_moves=most,
        max_plies=2 * size + 1, repetition=repetition,
    )  # fmt: skip


def seeded(game: Game, seed: int) -> Position:
    """The start of the game that a seed stands for."""
    assert game.State is not None
    return Position(game, game.State(seed=seed))
