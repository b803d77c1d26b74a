"""A heap from which one to three are taken, for tests that change one rule of a game: who takes the last one wins."""

from __future__ import annotations

from zermelo.rules import ONGOING, Game, i16, rule, struct, u8

State = struct(heap=i16, plies=i16, board=(u8, 3))


@rule
def moves(s, out):
    for take in range(min(3, s.heap)):
        out[take] = take + 1
    return min(3, s.heap)


@rule
def play(s, move):
    s.heap -= move
    s.plies += 1


@rule
def result(s):
    if s.heap == 0:
        return 1 if s.plies & 1 else -1
    return ONGOING


NIM = Game(
    name="nim", State=State, start=State(heap=5), moves=moves, play=play, result=result, max_moves=3, max_plies=5
)
