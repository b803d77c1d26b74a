"""Games of somebody's own for the page: one that behaves, and some that do not. Named as FILE:factory."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from zermelo.play.player import Player, Turn
from zermelo.rules import ONGOING, Game, Grid, i8, rule, struct


class Last(Player):
    """Plays the last move that there is."""

    def move(self, turn: Turn) -> str:
        return turn.position.moves()[-1]


def _counting(**more: Any) -> Game:
    """Add 1 or 2 to a number; who reaches 5 wins."""
    State = struct(number=i8, plies=i8)

    @rule
    def moves(s, out):
        out[0], out[1] = 1, 2
        return 2

    @rule
    def play(s, move):
        s.number += move
        s.plies += 1

    @rule
    def result(s):
        return ONGOING if s.number < 5 else 1 if s.plies & 1 else -1

    made = Game(name="counting", State=State, start=State(), moves=moves, play=play, result=result, max_moves=2,
                max_plies=5)  # fmt: skip
    return replace(made, **more)


def counting() -> Game:
    """No drawing and no texts: buttons."""
    return _counting()


def markup() -> Game:
    """Texts that would run if they were taken for a page."""
    evil = "<img src=x onerror=alert(1)>"
    return _counting(
        move_text=lambda s, move: f"{evil}{move}",
        draw=lambda s: Grid([[evil, str(s.number)]], columns=[evil, "</svg>"], caption=f"{evil} & more"),
    )


def raises() -> Game:
    """A drawing that raises once two moves were made."""

    def draw(s: Any) -> Grid:
        if s.plies == 2:
            raise ZeroDivisionError("no picture for two plies")
        return Grid([[str(s.number)]])

    return _counting(draw=draw)


def endless() -> Game:
    """A text that is never done once a move was made."""

    def move_text(s: Any, move: int) -> str:
        while s.plies:
            continue
        return str(move)

    return _counting(move_text=move_text)


def dies() -> Game:
    """Takes its process along once a move was made."""

    def move_text(s: Any, move: int) -> str:
        if s.plies:
            os._exit(3)
        return str(move)

    return _counting(move_text=move_text)


def chatty() -> Game:
    """Prints whenever it can."""

    def move_text(s: Any, move: int) -> str:
        print("here I am:", move)
        return str(move)

    return _counting(move_text=move_text)


def alike() -> Game:
    """Two moves on the same spot, told apart by a menu; and a path of three taps."""

    def move_text(s: Any, move: int) -> str:
        return ["", "a1b1=Q", "a1b1=N"][move] if s.plies == 0 else ["", "a1b1c1", "a1b1"][move]

    return _counting(move_text=move_text, draw=lambda s: Grid(["XO."], columns="abc", rows="1"))
