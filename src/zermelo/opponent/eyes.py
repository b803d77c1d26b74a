"""The eyes of one player: what a search is made from that sees a game by one evaluation, among others in one kernel.

Each pair of eyes has a table of its own in the memory that they share: what one of them keeps is found by a key that no
other one asks for. An entry answers only for the depth that it was found with, so that what an opponent is believed to
do depends on nothing that was searched before. **When a table may be used**: where play cannot return to a position,
for the values of all players there depend on the path; and where positions have keys. Equivalent positions do not
share an entry: an evaluation need not know a game's symmetry, nor need the first of several equal moves be the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zermelo.chance.options import ChanceOptions
from zermelo.chance.star1 import star1
from zermelo.compile.modes import Kernel, Mode
from zermelo.core.fastest_cut import CutFirst
from zermelo.core.method import Options, Parts, can_remember
from zermelo.core.node import nodes
from zermelo.core.ordering import ordering
from zermelo.core.table import no_table, table
from zermelo.minimax.alphabeta import alphabeta
from zermelo.rules import Game, rule, u64
from zermelo.rules.hooks import HOOKS

SPREAD = 0x9E3779B97F4A7C15
"""Keys of different eyes differ by multiples of this (the golden ratio)."""


def remembers(game: Game, options: Options) -> bool:
    """Whether a table may be used."""
    return options.table and can_remember(game) and not game.cyclic


def eyes(game: Game, mode: Mode, options: Options, evaluation: Any, number: int) -> Parts:
    """What a search is made from that sees the game by an evaluation; `number` tells the eyes of a kernel apart."""
    keeps = remembers(game, options)
    view = replace(game, evaluate=evaluation, **(_keyed(game, number) if keeps else {}))
    assert options.order is not None
    order = tuple(source for source in options.order if source != "hash" or keeps)
    built = ChanceOptions(table=keeps, order=order, knowledge=options.knowledge, merge=False, cut=options.cut)
    seen = nodes(view, mode, float, built.knowledge)
    kept = table(view, mode, seen, symmetric=False, same_depth=True) if keeps else no_table(mode, seen)
    ordered = ordering(view, mode, seen, kept, order, built.cut or CutFirst(), built.knowledge)
    return Parts(seen, kept, ordered, built, view)


def minimax_of(mode: Mode, parts: Parts) -> Kernel:
    """Minimax with these eyes: `(ws, ply, depth, alpha, beta)` -> the value for the player to move."""
    return star1(mode, parts) if parts.game.has_chance else alphabeta(mode, parts)


def _keyed(game: Game, number: int) -> dict[str, Any]:
    """The key of a game as one pair of eyes asks for it."""
    plain: Any = HOOKS["key"].of(game)
    salt = u64(SPREAD * (number + 1) % 2**64)

    @rule
    def key(s):
        return u64(plain(s)) ^ salt

    return {"key": key, "symmetry": None, "rest": None}
