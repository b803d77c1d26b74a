"""The order of moves that suits a game best: fastest-cut-first tuned by measurement, and kept with the game.

Positions come from random games: of each, the earliest that the usual order solves within a budget of nodes, so that
they are as hard as can be afforded. On half of them weights are chosen, one after the other, by the nodes that they
cost; the other half, which no choice has seen, says what they are worth, in nodes and in time. If the tuned order is
the faster one it is written beside the game's rules and used from then on; if not, the usual order stays.

Games with cycles are deepened to a depth instead of being solved. P is learned first where the game has an estimate:
for the moves of sampled positions it is known by search whether they would have cut off, and a logistic curve is laid
through that (Furtak and Buro 2009, section 8, who found three per cent in it).
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.core.engine import Engine
from zermelo.core.fastest_cut import CutFirst
from zermelo.core.tuned import Tuned, forget, keep
from zermelo.lab.experiment import Experiment, Result, Say, Settings, Table
from zermelo.lab.logistic import fit
from zermelo.methods.choice import choose_minimax
from zermelo.methods.requests import request
from zermelo.rules import Game, Position, Unsuitable, wrapping

BUDGET = 200_000
"""The nodes within which the usual order must solve a position."""
EASY = 500
"""Positions that cost fewer nodes tell nothing."""
MEMORY = "64MB"
FACTORS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
DEPTHS = (2, 4, 6, 8, 10, 12, 14)
ROUNDS = 5
SEED_PARAMETERS = ("seed", "deal")
"""A game with one of these has many starts; each sample takes another."""


@dataclass
class Bench:
    """One engine, and how it does on positions. The table is emptied before each."""

    engine: Engine
    depth: int | None

    def nodes(self, position: Position, limit: int | None = None) -> int | None:
        """What a position costs; None if more than the limit."""
        engine = self.engine
        engine.memory.clear()
        watch = engine.watched(Limits(nodes=limit))
        deepest = engine.deepest(position)
        for depth in [deepest] if self.depth is None else range(1, min(self.depth, deepest) + 1):
            low, high = engine.window(position)
            engine.search(position, depth, low, high, guess=float(high if high - low <= 2 else (low + high) // 2))
            if engine.stopped:
                return None
        return int(watch.nodes)

    def total(self, positions: Sequence[Position]) -> int:
        return sum(self.nodes(position) or 0 for position in positions)


def starts(spec: str, game: Game, parameters: dict[str, Any], seed: int) -> Iterator[Position]:
    """The start of a game again and again, or another one each time if it has many."""
    factory = games.factory(spec) if spec in games.names() else None
    names = inspect.signature(factory).parameters if factory is not None else {}
    varied = next((name for name in SEED_PARAMETERS if name in names and name not in parameters), None)
    while True:
        if varied is None:
            yield Position(game)
        else:
            yield Position(game, games.load(spec, {**parameters, varied: seed}).start)
            seed += 1


def hard_positions(bench: Bench, from_where: Iterator[Position], count: int, seed: int, say: Say) -> list[Position]:
    """Positions of random games that are as hard as the budget allows."""
    found: list[Position] = []
    dice, tries = random.Random(seed), 0
    while len(found) < count:
        tries += 1
        if tries > 20 * count + 20:
            raise Unsuitable(
                f"{bench.engine.game.name}: no random game has positions that cost {EASY} to {BUDGET:,} nodes; "
                "set other parameters"
            )
        path = [next(from_where)]
        while path[-1].result is None and len(path) < 400:
            path.append(path[-1].play(dice.choice(path[-1].codes)))
        hardest = None
        for position in reversed(path[:-1]) if bench.depth is None else [dice.choice(path[:-1] or path)]:
            cost = None if position.result is not None else bench.nodes(position, BUDGET)
            if cost is None:
                break
            hardest = position if cost >= EASY else hardest
        if hardest is not None:
            found.append(hardest)
            say(f"{len(found)} of {count} positions")
    return found


@wrapping
def learn_chance(bench: Bench, positions: Sequence[Position]) -> tuple[float, float]:
    """(middle, spread) of the curve that says how likely a move is to cut off, from what its estimate is worth."""
    game = bench.engine.game
    assert game.evaluate is not None
    excess: list[float] = []
    cuts: list[bool] = []
    for position in positions:
        sign = 1 if position.turn == 0 else -1
        after = [position.play(move) for move in position.codes]
        values = [_value(bench.engine, one) for one in after]
        if any(value is None for value in values):
            continue
        worth = [sign * value for value in values if value is not None]
        for one, value in zip(after, worth):
            guess = sign * float(one.result if one.result is not None else game.evaluate(one.state))
            excess.append(guess - max(worth))
            cuts.append(value >= max(worth))
    return fit(excess, cuts)


def _value(engine: Engine, position: Position) -> float | None:
    """The first player's score, None where it takes too long."""
    if position.result is not None:
        return float(position.result)
    engine.watched(Limits(nodes=10 * BUDGET))
    low, high = engine.window(position)
    value = engine.search(position, engine.deepest(position), low, high, guess=float((low + high) // 2))
    return None if engine.stopped else float(value if position.turn == 0 else -value)


def improve(bench: Bench, start: CutFirst, names: Sequence[str], positions: Sequence[Position], say: Say
            ) -> tuple[CutFirst, int]:  # fmt: skip
    """One weight after the other is varied, and what costs the fewest nodes is kept."""

    def cost(cut: CutFirst) -> int:
        bench.engine.weigh_cuts(cut)
        return bench.total(positions)

    best, least = start, cost(start)
    for step in (1.0, 0.5):
        for name in names:
            base = getattr(best, name) or 1.0
            for factor in (0.0, *FACTORS) if step == 1.0 else (0.5, 0.7, 1.4, 2.0):
                changed: dict[str, Any] = {name: base * factor}
                trial = replace(best, **changed)
                found = cost(trial)
                say(f"{trial.form} by {trial.sizes}: {name} = {base * factor:g}: {found:,} nodes")
                if found < least:
                    best, least = trial, found
    return best, least


def run(settings: Settings, say: Say) -> Result:
    game = games.load(settings.what, settings.parameters)
    if game.has_chance:
        raise Unsuitable(f"{game.name} has chance nodes; tune-order serves alpha-beta, which cannot search them")
    method = choose_minimax(game).method.name
    usual_order = ("hash", "order") if game.order else ("hash", "killers", "history")
    depth = 6 if game.cyclic else None

    def bench(order: tuple[str, ...], cut: CutFirst | None) -> Bench:
        made = request(method, game, order=order, cut=cut, memory=MEMORY)
        return Bench(made.open(game).engine(estimates=depth is not None), depth)

    usual = bench(usual_order, None)
    from_where = starts(settings.what, game, dict(settings.parameters), settings.seed)
    positions = hard_positions(usual, from_where, 2 * settings.samples, settings.seed, say)
    training, unseen = positions[::2], positions[1::2]
    middle, spread = learn_chance(usual, training[:10]) if game.evaluate is not None and depth is None else (0.0, 0.0)
    usual_cost = usual.total(training)
    rows: list[tuple[Any, ...]] = [(method, ", ".join(usual_order), "", usual_cost, 1.0)]
    chosen: tuple[int, CutFirst, Bench] | None = None
    for start, names in _candidates(game, middle, spread):
        one = bench(("hash", "cut"), start)
        cut, cost = improve(one, start, names, training, say)
        rows.append((method, f"{cut.form} by {cut.sizes}", _weights(cut), cost, cost / usual_cost))
        if chosen is None or cost < chosen[0]:
            chosen = (cost, cut, one)
    assert chosen is not None
    _, cut, tuned = chosen
    if game.effort is not None:
        cut = replace(cut, depth=_best_depth(tuned, cut, training, say))
    tuned.engine.weigh_cuts(cut)
    before, after = _time(usual, unseen), _time(tuned, unseen)
    nodes = usual.total(unseen), tuned.total(unseen)
    rows.append((f"{method}, unseen", ", ".join(usual_order), "", nodes[0], 1.0))
    rows.append((f"{method}, unseen", f"{cut.form} by {cut.sizes}", _weights(cut), nodes[1], nodes[1] / nodes[0]))
    words = [
        f"{game.summary}: {len(unseen)} positions that no choice has seen: {nodes[0]:,} nodes in {before:.2f} s by the "
        f"usual order, {nodes[1]:,} in {after:.2f} s by the tuned one.",
        _verdict(settings, game, cut, after / before, nodes[1] / nodes[0]),
    ]
    head = ("method", "order", "weights", "nodes", "share of the usual")
    return Result(Table(head, [(*row[:4], round(row[4], 3)) for row in rows]), "", words)


def _candidates(game: Game, middle: float, spread: float) -> list[tuple[CutFirst, tuple[str, ...]]]:
    """Where tuning starts in each form, and the weights that it varies there."""
    by_value = game.evaluate is not None
    shared: dict[str, Any] = {"middle": middle, "spread": spread}
    varied = ("size", "ratio", *(("value",) if by_value else ()))
    weighted = CutFirst(value=0.0, order=1.0 if game.order else 0.0, **shared)
    forms: list[tuple[CutFirst, tuple[str, ...]]] = [(weighted, varied), (replace(weighted, sizes="table"), varied)]
    if game.effort is not None:
        forms.append((replace(weighted, sizes="effort"), varied))
    if by_value:
        forms += [(CutFirst(form="share", **shared), ("size",)), (CutFirst(form="threshold", **shared), ("size",))]
        forms.append((CutFirst(form="ratio", **shared), ()))  # S/P has no weight
    return forms


def _best_depth(bench: Bench, cut: CutFirst, positions: Sequence[Position], say: Say) -> int:
    """Looking behind every move costs time: from how much effort on it pays."""
    times: dict[int, float] = {}
    for depth in DEPTHS:
        bench.engine.weigh_cuts(replace(cut, depth=depth))
        times[depth] = _time(bench, positions)
        say(f"used from an effort of {depth} on: {times[depth]:.3f} s")
    return min(times, key=lambda depth: times[depth])


def _time(bench: Bench, positions: Sequence[Position]) -> float:
    """The seconds that positions take, the best of a few rounds of each; clearing the table is not counted."""
    total = 0.0
    for position in positions:
        taken = []
        for _ in range(ROUNDS):
            bench.nodes(position)
            taken.append(bench.engine.watch.seconds)
        total += min(taken)
    return total


def _verdict(settings: Settings, game: Game, cut: CutFirst, time_share: float, node_share: float) -> str:
    """Keep what won, and say so."""
    if time_share >= 1:
        gone = forget(game, settings.parameters)
        return (
            f"The usual order is the faster one and stays (tuned: {100 * time_share:.0f} % of its time)."
            + (f" What {gone} held for it was removed." if gone else "")
        )
    given = {name: game.parameters.get(name, value) for name, value in settings.parameters.items()}
    measured = f"{100 * node_share:.0f} % of the nodes and {100 * time_share:.0f} % of the time of the usual order"
    path = keep(Tuned(game.name, tuple(given.items()), ("hash", "cut"), _rounded(cut), measured), game)
    return f"The tuned order takes {measured}; it is kept in {path} and is what searches use from now on."


def _rounded(cut: CutFirst) -> CutFirst:
    """Three digits are all that was measured."""
    fields: dict[str, Any] = asdict(cut)
    for name, value in fields.items():
        if isinstance(value, float):
            fields[name] = float(f"{value:.3g}")
    return CutFirst(**fields)


def _weights(cut: CutFirst) -> str:
    names = ("value", "order", "size", "ratio", "middle", "spread", "depth")
    return " ".join(f"{name}={getattr(cut, name):.3g}" for name in names if getattr(cut, name))


EXPERIMENT = Experiment(
    name="tune-order",
    summary="weights of fastest-cut-first for a game, measured and kept with it",
    source="Furtak and Buro 2009",
    samples=12,
    run=run,
    takes="GAME",
)
