"""The method that suits a game, when nobody asks for another, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from zermelo.core.claims import DIRECT_PLIES
from zermelo.core.method import Method, can_remember, default_order
from zermelo.core.question import Worker
from zermelo.core.solving import has_few_values
from zermelo.methods.engine_file import engine_for
from zermelo.methods.registry import default_for, method_named
from zermelo.positions.second_thoughts import SecondThoughts, may_give_way
from zermelo.rules import Game

PURPOSES = ("solve", "search", "prove", "play")


class Choice(NamedTuple):
    """A method, why it was chosen, and the settings that go with it, as texts; and who works by it, if not the usual
    one."""

    method: Method
    why: str
    settings: Mapping[str, str] = {}
    worker: type[Worker] | None = None


def choose(game: Game, purpose: str = "solve", claim: float | None = None, deepening: bool = False) -> Choice:
    """The method that suits a game's traits: to solve it, to prove something of it, to search within limits or to play;
    for its value or for one claim. What searches and plays is first of all the engine that was measured to be the best
    one for this game, where there is one. `deepening`: a depth will be asked for."""
    if purpose in ("search", "play"):
        measured = engine_for(game)
        if measured is not None and (method_named(measured.method).deepens or not deepening):
            why = f"the best one for {game.name}" + (f": {measured.why}" if measured.why else "")
            return Choice(method_named(measured.method), why, measured.settings)
        claimed = default_for(game, "search", deepening)
        return Choice(*claimed) if claimed else Choice(
            method_named("alphabeta"), "iterative deepening suits any game"
        )  # fmt: skip
    if claim is None and purpose == "solve":
        claimed = default_for(game, "whole")
        if claimed is not None:
            return Choice(*claimed)
    claimed = default_for(game, "solve")
    if claimed is not None:
        return Choice(*claimed)
    if not can_remember(game):
        return Choice(method_named("alphabeta"), "positions have no key, so no table is used")
    if game.path_free and game.integral:
        why = "claims, as many as pin down the value" if claim is None else f"one claim, at least {claim:g}"
        return Choice(method_named("dfpn"), f"play can go round: {why}")
    if claim is not None and game.cyclic and not game.forbids and game.integral and game.max_plies > DIRECT_PLIES:
        return Choice(method_named("dfpn"), f"play can go round for long: one claim, at least {claim:g}")
    if claim is not None:
        return Choice(method_named("boolean"), f"one claim to decide: at least {claim:g}")
    chosen = choose_minimax(game)
    return chosen._replace(worker=SecondThoughts) if purpose == "solve" and may_give_way(game) else chosen


def choose_minimax(game: Game) -> Choice:
    """Of the minimax family, the search that suits a game with a table."""
    order = default_order(game, None)[0]
    own = "fastest cut first" if "cut" in order else "the game's own order" if game.order else "killers and history"
    if has_few_values(game):
        why = f"few values: tests for a win first, then for a draw; ordered by {own}"
        return Choice(method_named("mtdf"), why)
    return Choice(method_named("negascout"), f"many values: a first line, then tests around it; ordered by {own}")
