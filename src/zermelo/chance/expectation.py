"""The method `expectation`: the exact value of a game with chance from all of its positions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from zermelo.chance.exact import Solution, solve_graph
from zermelo.chance.options import ChanceOptions
from zermelo.chance.states import OVER, StateGraph, explore, make_ready
from zermelo.compile.diagnosis import blaming
from zermelo.compile.modes import Kernel, Mode, mode_for
from zermelo.compile.watch import Limits, Listener, Watch
from zermelo.rules import CHANCE, Game, Position, Unsuitable
from zermelo.search.answer import HEURISTIC, PROVEN, UNKNOWN, Answer, plain
from zermelo.search.method import Method, Parts

NUMERIC = 1e-9
"""What a value found by iteration is good for, as a share of the range."""


def solve(
    method: Method,
    position: Position,
    *,
    limits: Limits,
    at_least: float | None,
    mode: str | None,
    listener: Listener | None,
    why: str,
    **unused: Any,
) -> Answer:
    """The value of a position and of all its moves, exact where chance does not lie on a cycle."""
    if at_least is not None:
        raise Unsuitable(f"{method.name} finds expected values, not claims; leave out at_least")
    if limits.depth is not None:
        raise Unsuitable(f"{method.name} looks at every position to the end; for a limited depth take star2.5")
    game = position.game
    chosen = mode_for(game, mode)
    started = position
    patience = 0
    with blaming(game):
        if game.timeless is not None:
            position, patience = game.timeless(position.state)
    make_ready(position.game, mode)
    watch = Watch([chosen.workspace(position.game)], limits, listener)
    watch.doing = "exploring"

    def job() -> Answer:
        graph = explore(position, watch, mode)
        if graph is None:
            return _answer(method, started, watch, chosen, why, UNKNOWN, None, game.values)
        watch.doing = "solving"
        solution = solve_graph(graph, float(position.game.loop_value or 0))
        if solution.scale is None and position.game.cyclic:
            raise Unsuitable(
                f"{game.name}: its loop rule ends the game when a position comes back, and here dice can bring one "
                "back, so that values depend on the path; star1 searches it to a depth"
            )
        return _solved(method, started, watch, chosen, why, graph, solution, patience)

    return watch.run(job)


def _solved(
    method: Method,
    position: Position,
    watch: Watch,
    mode: Mode,
    why: str,
    graph: StateGraph,
    solution: Solution,
    patience: int,
) -> Answer:
    value = solution.of(0)
    codes = position.codes
    below = graph.children[graph.offsets[0] : graph.offsets[1]]
    worth: dict[str, Any] = {position.text_of(code): solution.of(int(child)) for code, child in zip(codes, below)}
    low, high = position.game.values
    best: list[str] = []
    if worth and position.turn != CHANCE:
        target: Any = max(worth.values()) if position.turn == 0 else min(worth.values())
        margin = 0 if solution.scale else NUMERIC * (high - low)
        best = [text for text, v in worth.items() if abs(v - target) <= margin]
    bounds = (value, value)
    in_time = not patience or solution.patience < patience
    answer = _answer(method, position, watch, mode, why, PROVEN if in_time else HEURISTIC, value, bounds)
    what = "outcomes" if position.turn == CHANCE else "moves"
    details: dict[str, Any] = {
        "fraction": str(value) if isinstance(value, Fraction) else None,
        what: {text: str(v) if isinstance(v, Fraction) else v for text, v in worth.items()},
        "positions": len(graph),
        "tiers": solution.tiers,
    }
    notes = [("exact", _in_words(value))]
    chance = _winning_chance(position.game, graph, value)
    if chance is not None:
        details["winning_chance"] = str(chance) if isinstance(chance, Fraction) else chance
        notes.append(("chance", f"the first player wins with probability {_in_words(chance)}"))
    if worth:
        notes.append((what, "  ".join(f"{text} {_short(v)}" for text, v in worth.items())))
    size = f"{len(graph):,} positions in {solution.tiers:,} tiers, the largest of {solution.largest:,}"
    if solution.scale is None:
        size += "; chance lies on cycles, so values are found by iteration and are no fractions"
    notes.append(("size", size))
    if solution.patience and patience:
        notes.append(("patience", _patience_in_words(solution.patience, patience)))
    return replace(answer, best=best, line=best[:1], details=details, notes=tuple(notes))


def _patience_in_words(needed: int, limit: int) -> str:
    words = f"no forced exit from a tier takes more than {needed} plies"
    if needed < limit:
        return f"{words}, so the limit of {limit} quiet plies changes nothing"
    return f"{words}: with the limit of {limit} quiet plies some of them would be draws, which is left out of account"


def _winning_chance(game: Game, graph: StateGraph, value: Fraction | float) -> Fraction | float | None:
    """The first player's chance to win, where every game ends with one of two scores."""
    low, high = game.values
    ends = graph.scores[graph.turns == OVER]
    two_ends = len(ends) > 0 and bool(((ends == low) | (ends == high)).all())
    may_be_endless = game.cyclic or game.timeless is not None or (game.endless and isinstance(value, Fraction))
    if not two_ends or may_be_endless:
        return None
    if isinstance(value, Fraction):
        return (value - Fraction(low)) / (Fraction(high) - Fraction(low))
    return (value - low) / (high - low)


def _in_words(value: Fraction | float) -> str:
    if isinstance(value, Fraction):
        return f"{value} = {float(value):.12g}" if value.denominator > 1 else str(value)
    return f"{value:.12g}"


def _short(value: Fraction | float) -> str:
    return str(value) if isinstance(value, Fraction) else f"{value:.9g}"


def _answer(
    method: Method, position: Position, watch: Watch, mode: Mode, why: str, status: str, value: Any, bounds: Any
) -> Answer:
    return Answer(
        position=position,
        value=None if value is None else plain(value),
        status=status,
        bounds=(plain(bounds[0]), plain(bounds[1])),
        best=[],
        line=[],
        nodes=watch.nodes,
        leaves=watch.workspaces[0]["leaves"],
        extra_nodes=0,
        seconds=watch.seconds,
        method=method.name,
        depth=None,
        why=why,
        stopped=watch.reason,
        mode=mode.name,
    )


def no_kernel(mode: Mode, parts: Parts) -> Kernel:
    raise Unsuitable("expectation looks at all positions; it has no kernel that searches one")


def suits(game: Game, purpose: str) -> str:
    if purpose == "solve" and game.has_chance:
        return "chance: all positions are looked at, and values are exact fractions"
    return ""


METHOD = Method(
    name="expectation",
    summary="the exact expected value, from all positions that can be reached",
    source="Shapley 1953; Everett 1957; Ströhlein 1970",
    kernel=no_kernel,
    options=ChanceOptions(table=False),
    chance=True,
    solver=solve,
    suits=suits,
)
