"""Random games in which play goes round for a while, then takes a step that cannot be undone.

Positions come in rooms, one behind the other. Most moves lead anywhere in the room, some to the next one; behind the
last the game ends. The state counts the plies since a room was entered, which is what the hook `reversible` tells.
"""

from __future__ import annotations

from typing import Any

from zermelo.rules import ONGOING, Game, Position, i16, i32, rule, struct, u64
from zermelo.rules.hashing import mix


def ratchet(
    repetition: Any = "draw", rooms: int = 3, size: int = 5, moves: int = 2, folds: int = 2, told: bool = True
) -> Game:
    """`told`: whether the game has the hook."""
    State = struct(node=i32, seed=u64, since=i16)
    most, shift = moves, u64(20)

    @rule
    def draw(s, question, sides):
        return int((mix(mix(mix(u64(5), s.seed), u64(s.node)), u64(question)) >> shift) % u64(sides))

    @rule
    def moves(s, out):
        for i in range(most):
            out[i] = i
        return most

    @rule
    def play(s, move):
        room, place = s.node // size, draw(s, 10 + move, size)
        if draw(s, 20 + move, 4) == 0:
            room += 1
            s.since = 0
        else:
            s.since = s.since + 1
        s.node = room * size + place

    @rule
    def result(s):
        return draw(s, 2, 7) - 3 if s.node >= rooms * size else ONGOING

    @rule
    def turn(s):
        return draw(s, 4, 2)

    @rule
    def mark(s):
        return mix(mix(u64(3), s.seed), u64(s.node))

    @rule
    def reversible(s):
        return s.since

    return Game(
        name="ratchet", State=State, start=State(seed=1), moves=moves, play=play, result=result, turn=turn, key=mark,
        loop_key=mark, reversible=reversible if told else None, values=(-3, 3), max_moves=most,
        max_plies=rooms * ((folds - 1) * size + 1) + 2, repetition=repetition, folds=folds,
    )  # fmt: skip


def seeded(game: Game, seed: int) -> Position:
    assert game.State is not None
    return Position(game, game.State(seed=seed))
