"""Solving: the value of a position, certain, with every best move and a line of best play."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from zermelo.compile.diagnosis import blaming
from zermelo.compile.watch import Limits, Listener
from zermelo.core.answer import BOUND, HEURISTIC, PROVEN, UNKNOWN, Answer, Tally, report
from zermelo.core.audit import checked
from zermelo.core.claims import DIRECT_PLIES, pin_down
from zermelo.core.deepening import Round, deepen
from zermelo.core.engine import Engine
from zermelo.core.memory import DEFAULT
from zermelo.core.method import Options, can_remember, default_for, default_order, method_named, suitable
from zermelo.core.root import tell
from zermelo.methods.whole import advised, completed, solve_whole
from zermelo.rules import Game, Position, Unsuitable


@dataclass(frozen=True)
class Choice:
    """A method, how to build it, and why."""

    method: str
    options: Options
    why: str


def choose(game: Game, at_least: float | None = None) -> Choice:
    """The search that suits a game's traits, for its value or for one claim."""
    claimed = default_for(game, "solve")
    if claimed is not None:
        method, why = claimed
        return Choice(method.name, method.options, why)
    if not can_remember(game):
        return Choice("alphabeta", Options(), "positions have no key, so no table is used")
    if game.loop_value is not None and game.integral:
        why = "claims, as many as pin down the value" if at_least is None else f"one claim, at least {at_least:g}"
        return Choice("dfpn", method_named("dfpn").options, f"play can go round: {why}")
    if at_least is not None:
        return Choice("boolean", Options(), f"one claim to decide: at least {at_least:g}")
    return choose_minimax(game)


def choose_minimax(game: Game) -> Choice:
    """Of the minimax family, the search that suits a game with a table."""
    order = default_order(game, None)[0]
    own = "fastest cut first" if "cut" in order else "the game's own order" if game.order else "killers and history"
    if has_few_values(game):
        return Choice("mtdf", Options(), f"few values: tests for a win first, then for a draw; ordered by {own}")
    return Choice("negascout", Options(), f"many values: a first line, then tests around it; ordered by {own}")


def has_few_values(game: Game) -> bool:
    """Win, loss and at most one value in between."""
    low, high = game.values
    return game.integral and high - low <= 2


def solve(
    what: Game | Position,
    *,
    method: str | None = None,
    options: Options | None = None,
    at_least: float | None = None,
    limits: Limits | None = None,
    memory: str | int = DEFAULT,
    threads: int = 1,
    mode: str | None = None,
    listener: Listener | None = None,
    value_only: bool = False,
) -> Answer:
    """The value of a game or position, by the named method or the one that suits it best.

    `at_least` asks only whether the first player reaches that score, `value_only` for the value without all best moves
    and a line. Limits may cut the search short: the answer then says what is known. `threads` share one table.
    """
    position = what if isinstance(what, Position) else Position(what)
    game, limits = position.game, limits or Limits()
    _check_claim(game, at_least)
    choice = choose(game, at_least)
    if method is not None:
        choice = Choice(method, suitable(method_named(method), game).options, "asked for")
    if options is not None:
        choice = replace(choice, options=options)
    driven = suitable(method_named(choice.method), game)
    if driven.solver is not None:
        answer: Answer = driven.solver(
            driven, position, options=choice.options, at_least=at_least, limits=limits, memory=memory,
            threads=threads, mode=mode, listener=listener, why=choice.why, value_only=value_only,
        )  # fmt: skip
        return checked(answer, line=False)

    @cache
    def engine() -> Engine:
        return engine_for(game, choice, limits.depth, mode=mode, memory=memory, threads=threads)

    def search(limits: Limits) -> Answer:
        return solve_with(
            engine(), position, limits=limits, at_least=at_least, why=choice.why, listener=listener,
            value_only=value_only,
        )  # fmt: skip

    if method is None and options is None and at_least is None:
        found = solve_whole(position, search, limits=limits, memory=memory, mode=mode, listener=listener)
        if found is not None:
            return advised(checked(found))
    answer = checked(search(limits), line=not value_only)
    if limits.depth is not None:
        return answer
    if at_least is None and not value_only:
        answer = completed(answer, limits, mode, listener)
    return advised(answer)


def engine_for(
    game: Game,
    choice: Choice,
    depth: int | None = None,
    *,
    mode: str | None = None,
    memory: str | int = DEFAULT,
    threads: int = 1,
) -> Engine:
    """A choice made ready to solve positions of a game, to the end or to a depth."""
    method = suitable(method_named(choice.method), game)
    may_estimate = depth is not None or game.cyclic or game.horizon is not None
    return Engine(
        game, method, choice.options,
        estimates=may_estimate and not method.answers_claims, mode=mode, memory=memory, threads=threads,
    )  # fmt: skip


def solve_with(
    engine: Engine,
    position: Position,
    *,
    limits: Limits | None = None,
    at_least: float | None = None,
    why: str = "asked for",
    listener: Listener | None = None,
    value_only: bool = False,
) -> Answer:
    """Solve with an engine at hand: its table serves one position after another."""
    game, limits = position.game, limits or Limits()
    _check_claim(game, at_least)
    watch = engine.watched(limits, listener)
    with blaming(game):
        watch.turn = position.turn
        watch.low, watch.high = engine.window(position)
        if position.result is not None:
            return report(engine, position, PROVEN, position.result, why="the game is over")
    if engine.deepest(position) < 1:
        watch.met = "max_plies"
        return report(engine, position, UNKNOWN, None, why=why)
    depth = min(limits.depth or engine.deepest(position), engine.deepest(position))
    if engine.method.answers_claims or at_least is not None:
        return watch.run(lambda: pin_down(engine, position, depth, at_least, why, value_only=value_only))
    return watch.run(lambda: _evaluate(engine, position, depth, why, value_only))


def _check_claim(game: Game, at_least: float | None) -> None:
    low, high = game.values
    if at_least is not None and not low <= at_least <= high:
        raise Unsuitable(f"{game.name}: scores lie between {low:g} and {high:g}, not at {at_least:g}")


def _evaluate(engine: Engine, position: Position, depth: int, why: str, value_only: bool) -> Answer:
    """The value, then the best moves and the line."""
    game, watch = position.game, engine.watch
    to_the_end = watch.limits.depth is None
    low, high = engine.window(position)
    deepest = depth
    if game.cyclic and to_the_end and depth > DIRECT_PLIES:
        found = deepen(engine, position, depth, None)
        if found is not None and not found.certain and found.depth == depth and not engine.stopped:
            found = _afresh(engine, position, depth) or found
        if found is None or not found.certain:
            if not engine.stopped and watch.met is None:
                engine.give_up()
            return _cut_short(engine, position, why, found.value if found else None, found.move if found else -1)
        value, depth = found.value, found.depth
        certain = True
    else:
        guess = high if has_few_values(game) else (low + high) // 2
        alpha, beta = (low, high) if engine.options.knowledge else (engine.below(low), engine.above(high))
        value = engine.search(position, depth, alpha, beta, guess=float(guess))
        if engine.stopped:
            return _cut_short(engine, position, why)
        certain = engine.estimated == 0 or (engine.strict and value in (low, high))
        if not certain and to_the_end:
            engine.check_length()
            engine.give_up()
    tally = Tally.of(engine)
    watch.low = watch.high = value
    told = tell(
        engine, position, value, depth, deepest if to_the_end else depth,
        sure=certain, known=engine.move, wanted=not value_only,
    )  # fmt: skip
    for_first = value if position.turn == 0 else -value
    status = PROVEN if certain else HEURISTIC
    return report(engine, position, status, for_first, why=why, tally=tally, **told._asdict())


def _afresh(engine: Engine, position: Position, depth: int) -> Round | None:
    """One search of full depth with an empty table, if that makes the value certain: estimates of earlier rounds can
    keep each other alive in a table, where a position is met at several depths."""
    engine.memory.clear()
    low, high = engine.window(position)
    before = engine.estimated
    value = engine.search(position, depth, low, high, guess=float(high))
    certain = engine.estimated == before or (engine.strict and value in (low, high))
    return Round(value, engine.move, depth, certain) if certain and not engine.stopped else None


def _cut_short(engine: Engine, position: Position, why: str, value: Any = None, move: int = -1) -> Answer:
    """What is known when a limit ended the search before the value was certain."""
    best = [move] if move in position.codes else []
    if value is not None:
        for_first = value if position.turn == 0 else -value
        return report(engine, position, HEURISTIC, for_first, why=why, best=best)
    bounds = low, high = position.game.values if engine.estimated else engine.watch.bounds()
    lowest, highest = position.game.values
    mine = low if position.turn == 0 else -high
    if mine > engine.window(position)[0]:  # shown by a test that held, and so by a move
        best = [code for code in position.codes if code == engine.move]
    if low == high:
        return report(engine, position, PROVEN, low, why=why, best=best)
    if (low, high) == (lowest, highest):
        return report(engine, position, UNKNOWN, None, why=why)
    return report(engine, position, BOUND, low if low > lowest else high, why=why, bounds=bounds, best=best)
