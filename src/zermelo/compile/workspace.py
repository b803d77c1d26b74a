"""The workspace: everything a kernel touches, in one record that is passed as one pointer.

It holds the counters and limits that the watching thread reads and sets, the stack of positions on the
current path, and the move lists. Compiled, it is a C struct; interpreted, an object with the same names.
The move lists come last, with a guard behind them, so that a rule that writes too many moves does no harm
before it is found out.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import Any

import numpy as np

from zermelo.rules import Game, MoveBuffer

GUARD = 1 << 16

COUNTERS = (
    ("nodes", np.int64),  # positions visited, the root and table hits included
    ("leaves", np.int64),  # nodes whose value came from the rules or from the estimate
    ("horizon", np.int64),  # nodes whose value is an estimate, or came from one by way of the table
    ("node_limit", np.int64),  # no node is looked at beyond this count; 0 stops a search
    ("stop", np.int64),  # whether the limit was met: what kernels return is then of no use
    ("fault", np.int64),  # how many moves a rule wrote that had room for fewer; -1 if it wrote none; 0 if all is well
    ("first", np.int64),  # 0 if the first player is to move at even plies of the stack, where players alternate
    ("threads", np.int64),  # how many threads search together
    ("busy", np.uint64),  # the address of their list of moves being searched
    ("move", np.int64),  # the best move of the position that was finished last
    ("table", np.uint64),  # the address of the transposition table
    ("buckets", np.uint64),
    ("age", np.int64),
    ("salt", np.uint64),  # what sets the table's answers after one history apart from those after another
    ("patience", np.int64),  # how many positions may still be looked at to confirm an answer from another path
    ("benefit", np.int64),  # 1 if the first player has the benefit of the doubt where a depth limit ends a claim
    ("expanded", np.int64),  # positions whose moves a best-first search has listed
    ("full", np.int64),  # whether it ran out of memory
    ("proof", np.int64),  # and the root's numbers, as they stand
    ("disproof", np.int64),
    ("chance", np.uint64),  # where the sequence of random numbers is, for searches that sample
    ("guess", np.float64),  # where MTD(f) begins
    ("lower", np.float64),  # bounds of the root's value for its player to move, as far as tests have shown
    ("upper", np.float64),
)

CUT_WEIGHTS = 8
HISTORY = 1 << 12
PROBED = 32
"""How many moves of an outcome a probing search can keep in mind."""


def plies_of(game: Game) -> int:
    """How many positions a path can hold: the longest game, its end included, and one to spare."""
    return game.max_plies + 2


def record_type(game: Game) -> np.dtype[np.void]:
    """The struct that a compiled search of this game works in."""
    assert game.State is not None
    plies, moves = plies_of(game), game.max_moves
    return np.dtype(
        [
            *COUNTERS,
            ("stack", game.State.dtype, (plies,)),
            ("keys", np.uint64, (plies,)),
            ("marks", np.uint64, (plies,)),  # what would have to come back, where play can return to a position
            ("paths", np.uint64, (plies,)),  # a hash of the marks before this one
            ("reach", np.int64, (plies + 1,)),  # behind ply: the earliest ply that its value rests on by way of loops
            ("sides", np.int64, (plies,)),  # whose turn it is, where players do not simply alternate
            ("spots", np.int64, (plies,)),  # where the path's positions lie in a tree that is kept in memory
            ("claims", np.uint64, (plies,)),  # what this thread wrote into that list
            ("begun", np.int64, (plies,)),  # the counters nodes and horizon when the position was entered
            ("estimated", np.int64, (plies,)),
            ("killers", np.int32, (plies, 2)),  # moves plus one; 0 is none
            ("history", np.int32, (3, HISTORY)),  # a row for each player and one for the dice
            *_chance_fields(game),
            ("scores", np.int64, (plies, moves)),
            ("worths", np.float64, (moves,)),  # value and size of what each move at a ply leads to
            ("sizes", np.float64, (moves,)),
            ("cut", np.float64, (CUT_WEIGHTS,)),  # what they count for
            ("proofs", np.int64, (plies, moves)),  # proof and disproof numbers of the positions that moves lead to,
            ("disproofs", np.int64, (plies, moves)),
            ("sources", np.int64, (plies, moves)),  # and the earliest ply that they rest on, once they are decided
            ("moves", np.int32, (plies, moves)),
            ("guard", np.int32, (GUARD,)),
        ],
        align=True,
    )


def _chance_fields(game: Game) -> list[tuple[Any, ...]]:
    """What searches note about the outcomes of chance positions on the path; next to nothing without chance."""
    plies, outcomes = (plies_of(game), game.max_outcomes or game.max_moves) if game.has_chance else (1, 1)
    return [
        ("weights", np.float64, (plies, outcomes)),
        ("least", np.float64, (plies, outcomes)),  # bounds of an outcome's value
        ("most", np.float64, (plies, outcomes)),
        ("twins", np.uint64, (plies, outcomes)),  # keys that tell which outcomes are equivalent
        ("classes", np.uint64, (plies, game.max_moves if game.symmetry and game.has_chance else 1)),  # of moves
        ("probes", np.int64, (outcomes,)),  # how many moves to probe below each outcome
        ("seen", np.int64, (plies, outcomes)),  # how many were probed, and which
        ("probed", np.int32, (plies, outcomes * PROBED)),
        ("dice", np.int64, (plies,)),  # chance positions on the path so far, and the ply of the last one
        ("tossed", np.int64, (plies,)),
    ]


class PlainWorkspace:
    """The same names as plain Python objects: an ordinary class, whose attributes the interpreter reads fastest."""

    def __init__(self, game: Game) -> None:
        plies, moves = plies_of(game), game.max_moves
        for name, kind in COUNTERS:
            setattr(self, name, kind(0).item())
        self.stack: list[Any] = [None] * plies
        self.keys = [0] * plies
        self.marks = [0] * plies
        self.paths = [0] * plies
        self.reach = [0] * (plies + 1)
        self.sides = [0] * plies
        self.spots = [0] * plies
        self.claims = [0] * plies
        self.begun = [0] * plies
        self.estimated = [0] * plies
        self.killers = [[0, 0] for _ in range(plies)]
        self.worths: dict[int, float] = {}
        self.sizes: dict[int, float] = {}
        self.cut = [0.0] * CUT_WEIGHTS
        self.history = [[0] * HISTORY for _ in range(3)]
        for name, kind, shape in _chance_fields(game):
            row: Any = partial(defaultdict, type(kind(0).item()))  # few places are ever used
            setattr(self, name, [row() for _ in range(shape[0])] if len(shape) == 2 else row())
        if game.compilable:
            self.scores, self.proofs, self.disproofs, self.sources = (
                [[0] * moves for _ in range(plies)] for _ in range(4)
            )
            self.moves: list[Any] = [MoveBuffer(moves, game.name) for _ in range(plies)]
        else:  # objects list their moves themselves, and need not say how many there can be
            empty: list[Any] = [[[] for _ in range(plies)] for _ in range(4)]
            self.scores, self.proofs, self.disproofs, self.sources = empty
            self.moves = [[] for _ in range(plies)]
