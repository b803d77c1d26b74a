"""The smallest game worth compiling: take one or two, who takes the last wins."""

from __future__ import annotations

from zermelo.rules import ONGOING, Game, i8, rule, struct, u64

State = struct(left=i8, plies=i8)


@rule
def smaller(a, b):
    return a if a < b else b


def tiny(left: int = 4, most: int = 2) -> Game:
    @rule
    def moves(s, out):
        n = smaller(s.left, most)
        for i in range(n):
            out[i] = i + 1
        return n

    @rule
    def play(s, move):
        s.left -= move
        s.plies += 1

    @rule
    def result(s):
        if s.left == 0:
            return 1 if s.plies & 1 else -1
        return ONGOING

    @rule
    def key(s):
        return u64(s.left) | (u64(s.plies) << u64(8))

    return Game(
        name="tiny",
        State=State,
        start=State(left=left),
        moves=moves,
        play=play,
        result=result,
        key=key,
        exact_key=True,
        max_moves=most,
        max_plies=left,
    )
