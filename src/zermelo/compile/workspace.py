"""The workspace: everything a kernel touches, in one record that is passed as one pointer.

Every part of a search asks for the fields that its kernels use, beside these kernels and for both modes at once. They
are declared as those of a state are: a type, or a type and its sizes, which are numbers or depend on the game.

    mode.needs(killers=(i32, PLIES, 2))     # ws.killers[ply][0]
    mode.counts(expanded=i64)               # ws.expanded, which is 0 when a search begins

What all kernels share is there without asking: the counters and limits that the watching thread reads and sets, the
stack of positions on the current path, and the move lists. Compiled, a workspace is a C struct; interpreted, an object
with the same names, whose rows are made when they are first touched. The move lists come last, with a guard behind
them, so that a rule that writes too many moves does no harm before it is found out.

Rows are laid out for the longest path that the game declares, and for as many moves as a position can have, which may
be megabytes: 593 moves in shogi, on paths of a thousand plies. But only the rows that a search reaches are memory:
compiled, the system hands out pages as they are touched (see `pages`), and the history before the root touches no move
lists; interpreted, rows are made one by one.

A search that calls another one in the middle of its own has the workspace of that one within: `ws.special[0]`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from zermelo.rules import Game, MoveBuffer, f64, i32, i64

GUARD = 1 << 16
LONG_ROW = 1 << 12
"""Interpreted, rows with more places than this keep only those that are used."""

Size = int | Callable[[Game], int]


def plies_of(game: Game) -> int:
    """How many positions a path can hold: the longest game, its end included, and one to spare."""
    return game.max_plies + 2


def moves_of(game: Game) -> int:
    """How many moves a position can have."""
    return game.max_moves


def outcomes_of(game: Game) -> int:
    """How many outcomes a chance position can have."""
    return game.max_outcomes or game.max_moves


PLIES, MOVES, OUTCOMES = plies_of, moves_of, outcomes_of


class Scratch:
    """What the parts of one search ask for, collected while it is put together."""

    def __init__(self) -> None:
        self.fields: dict[str, tuple[Any, ...]] = {}
        self.counters: set[str] = set()
        self.within: dict[str, Scratch] = {}
        self.counts(
            nodes=i64,  # positions visited, the root and table hits included
            leaves=i64,  # nodes whose value came from the rules or from the estimate
            horizon=i64,  # nodes whose value is an estimate, or came from one by way of the table
            stop=i64,  # whether the limit was met: what kernels return is then of no use
            fault=i64,  # how many moves a rule wrote that had room for fewer; -1 if it wrote none; 0 if all is well
        )
        self.needs(
            node_limit=i64,  # no node is looked at beyond this count; 0 stops a search
            lower=f64,  # bounds of the root's value for its player to move, as far as tests have shown
            upper=f64,
        )

    def needs(self, **fields: Any) -> None:
        """Fields that kernels of this search use: a type (`i64`), or a type and sizes (`(i32, PLIES, 2)`). Several
        parts may ask for the same field, if they ask for the same."""
        for name, field in fields.items():
            asked = field if isinstance(field, tuple) else (field,)
            if self.fields.setdefault(name, asked) != asked:
                raise TypeError(f"two parts of a search ask for different fields of the name {name}")

    def counts(self, **fields: Any) -> None:
        """The same for numbers that are 0 when a search begins."""
        self.needs(**fields)
        self.counters.update(fields)

    def holds(self, name: str, other: Scratch) -> None:
        """Another search works in a workspace of its own, which kernels of this one hand to it as ws.NAME[0]."""
        self.within[name] = other

    def fields_for(self, game: Game) -> dict[str, tuple[Any, ...]]:
        """All fields: what was asked for and, where play may run out of moves, how many moves the position at each ply
        has, if they are listed."""
        return self.fields if game.stuck is None else {**self.fields, "listed": (i64, PLIES)}

    def record_type(self, game: Game) -> np.dtype[np.void]:
        """The struct that the search works in when it is compiled for a game: the same for the same fields, in
        whichever order they were asked for."""
        assert game.State is not None
        asked = [(name, kind, _sizes(game, shape)) for name, (kind, *shape) in sorted(self.fields_for(game).items())]
        return np.dtype(
            [
                *(field for field in asked if not field[2]),
                ("stack", game.State.dtype, (plies_of(game),)),
                *sorted((field for field in asked if field[2]), key=lambda field: len(field[2])),
                *((name, other.record_type(game), (1,)) for name, other in sorted(self.within.items())),
                ("moves", i32, (plies_of(game), game.max_moves)),
                ("guard", i32, (GUARD,)),
            ],
            align=True,
        )


def _sizes(game: Game, shape: list[Size]) -> tuple[int, ...]:
    return tuple(size if isinstance(size, int) else size(game) for size in shape)


class PlainWorkspace:
    """The same names as plain Python objects: an ordinary class, whose attributes the interpreter reads fastest."""

    def __init__(self, game: Game, scratch: Scratch) -> None:
        for name, (kind, *shape) in scratch.fields_for(game).items():
            setattr(self, name, _plain(game, kind(0).item(), shape))
        for name, other in scratch.within.items():
            setattr(self, name, [PlainWorkspace(game, other)])
        self.stack: list[Any] = [None] * plies_of(game)
        room = partial(MoveBuffer, game.max_moves, game.name) if game.compilable else list
        self.moves: defaultdict[int, Any] = defaultdict(room)


def _plain(game: Game, zero: Any, shape: list[Size]) -> Any:
    """A number, a row of numbers, or rows of rows."""
    if not shape:
        return zero
    if len(shape) > 1:
        return defaultdict(partial(_plain, game, zero, shape[1:]))
    length = _sizes(game, shape)[0]
    if length > LONG_ROW or (shape[0] is MOVES and not game.compilable):  # objects need not say how many there can be
        return defaultdict(type(zero))
    return [zero] * length
