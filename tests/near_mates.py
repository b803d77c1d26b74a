"""Positions of shogi and minishogi in which a mate is near."""

from __future__ import annotations

import random

from zermelo.rules import Game, Position, PositionError

PIECES = {5: "PSGBR", 9: "PLNSGBR"}


def near_mates(rng: random.Random, game: Game) -> Position:
    """Two kings or one, some pieces near the one to be mated, the rest in hand or nowhere; there is a check."""
    size = game.position().text().split()[0].count("/") + 1
    kinds = PIECES[size]
    pieces = [*kinds, *(f"+{kind}" for kind in "PB"), *kinds.lower()]
    while True:
        corner = rng.choices([0, size - 5], k=2)
        squares = [(corner[0] + file, corner[1] + rank) for file in range(5) for rank in range(5)]
        placed = ["k", *rng.choices(pieces, k=rng.randint(size - 2, size)), *rng.choices(["K", "1"], k=1)]
        board = dict(zip(rng.sample(squares, len(placed)), placed))
        rows = ["".join(board.get((file, rank), "1") for file in range(size)) for rank in range(size)]
        hand = "".join(rng.choices(kinds + kinds.lower(), k=rng.randint(1, 5)))
        try:
            position = game.position(f"{'/'.join(rows)} b {hand} 1")
        except PositionError:
            continue
        if position.result is None and checks(position):
            return position


def checks(position: Position) -> list[str]:
    """The moves that give check, found by making all."""
    return [move for move in position.moves() if position.game.checked(position.play(move).state)]
