"""Risk: what lies behind an expected value, and how a move is chosen when two are nearly equal.

A profile tells how the game may end if both sides keep playing for the best expected value: with which probability the
first player wins, draws, loses, or the outcome is still open because the search ended there; with which probability the
value where it ended, score or estimate, is above or below the middle of the range; and how far values spread around
their mean (the standard deviation). A win is a score above the middle, a draw just the middle.

Attitudes choose among the moves whose expected value is within a tolerance of the best:

    expected   the best expected value, nothing else
    hope       when behind, the move most likely to end above the middle: a chance of winning is worth a slightly
               lower mean
    safe       when ahead, the move least likely to end below it
    random     any of them, so that an opponent cannot rely on the very best being played

Behind and ahead mean at or below, at or above the middle of the range; otherwise hope and safe play for the mean.
Hsu, "Selected advanced topics", comments on comparing an exact with an expected value.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from zermelo.chance.engine import ChanceEngine
from zermelo.rules import CHANCE, Position, wrapping

TOLERANCE = 0.05
"""How far below the best expected value an attitude may go if nobody says, as a share of the range."""

MOST_FOLLOWED = 2000


class Profile(NamedTuple):
    """How the game may end, for the first player. The probabilities add up to 1."""

    win: float
    draw: float
    loss: float
    open: float
    ahead: float
    behind: float
    mean: float
    spread: float


class Choice(NamedTuple):
    """The moves that an attitude chooses, and what it chose among."""

    best: list[int]
    details: dict[str, Any]
    notes: tuple[tuple[str, str], ...]


class _Sums(NamedTuple):
    win: float
    draw: float
    loss: float
    open: float
    ahead: float
    behind: float
    mean: float
    square: float

    def profile(self) -> Profile:
        return Profile(*self[:7], max(0.0, self.square - self.mean**2) ** 0.5)


class _TooMany(Exception):
    """The ways that the dice may fall have become too many to follow."""


@wrapping
def profile(engine: ChanceEngine, position: Position, depth: int) -> Profile | None:
    """How the game may end from a position on, as far as a search of this depth sees, or of the largest depth at which
    the ways that the dice may fall can be followed; None if the search was stopped."""
    while True:
        try:
            sums = _follow(engine, position, depth, [MOST_FOLLOWED])
        except _TooMany:
            depth -= 1
        else:
            return None if sums is None else sums.profile()


def _follow(engine: ChanceEngine, position: Position, depth: int, left: list[int]) -> _Sums | None:
    left[0] -= 1
    if left[0] < 0:
        raise _TooMany
    game = position.game
    result = position.result
    low, high = game.values
    middle = (low + high) / 2
    if result is not None:
        won, lost = float(result > middle), float(result < middle)
        return _Sums(won, 1.0 - won - lost, lost, 0.0, won, lost, float(result), float(result) ** 2)
    if engine.stopped:
        return None
    if depth <= 0:
        value = float(engine.search(position, 0, *engine.window(position)))
        value = -value if position.turn == 1 else value
        return _Sums(0.0, 0.0, 0.0, 1.0, float(value > middle), float(value < middle), value, value * value)
    if position.turn == CHANCE:
        assert game.weight is not None
        codes = position.codes
        weights = [int(game.weight(position.state, code)) for code in codes]
        total = [0.0] * len(_Sums._fields)
        for code, weight in zip(codes, weights):
            part = _follow(engine, position.play(code), depth, left)
            if part is None:
                return None
            total = [t + weight * p for t, p in zip(total, part)]
        return _Sums(*(t / sum(weights) for t in total))
    best = best_by_mean(engine, position, depth)
    return None if best is None else _follow(engine, position.play(best), depth - 1, left)


def best_by_mean(engine: ChanceEngine, position: Position, depth: int) -> int | None:
    """The first of the moves with the best expected value; None if the search was stopped."""
    bar, ceiling = engine.open_window(position)
    best = position.codes[0]
    for move in position.codes:
        value = engine.value_of_move(position, move, depth, bar, ceiling)
        if engine.stopped:
            return None
        if value > bar + engine.rounding:
            best, bar = move, value
    return best


def choose(
    engine: ChanceEngine, position: Position, value: float, depth: int, dice: random.Random
) -> Choice | None:
    """What the engine's attitude plays, `value` being the best expected value for the player to move; None if the
    search was stopped before that was clear."""
    asked = engine.asked
    low, high = engine.window(position)
    tolerance = TOLERANCE * (high - low) if asked.tolerance is None else asked.tolerance
    reach = max(tolerance, engine.rounding)
    means: dict[int, float] = {}
    for move in position.codes:
        bar = value - reach
        mean = engine.value_of_move(position, move, depth, engine.below(bar), engine.open_window(position)[1])
        if engine.stopped:
            return None
        if mean >= bar:
            means[move] = mean
    profiles: dict[int, Profile] = {}
    for move in means:
        found = profile(engine, position.play(move), depth - 1)
        if found is None:
            return None
        profiles[move] = found if position.turn == 0 else _turned(found)
    middle = (low + high) / 2
    chosen, how = list(means), asked.attitude
    if how == "hope" and value <= middle + engine.rounding:
        top = max(profiles[m].ahead for m in means)
        chosen = [m for m in means if profiles[m].ahead >= top - engine.rounding]
    elif how == "safe" and value >= middle - engine.rounding:
        least = min(profiles[m].behind for m in means)
        chosen = [m for m in means if profiles[m].behind <= least + engine.rounding]
    elif how in ("hope", "safe"):
        chosen = [m for m in means if means[m] >= value - engine.rounding]
        how = f"{how}, but the player to move is {'ahead' if how == 'hope' else 'behind'}: the best mean"
    if asked.attitude == "random":
        best = [dice.choice(chosen)]
    else:  # among what the attitude holds to be equal, the best mean
        best_mean = max(means[m] for m in chosen)
        best = [m for m in chosen if means[m] >= best_mean - engine.rounding]
    texts = {position.text_of(move): (means[move], profiles[move]) for move in means}
    details = {
        "attitude": asked.attitude,
        "tolerance": tolerance,
        "risk": {text: {"mean": mean, **p._asdict()} for text, (mean, p) in texts.items()},
    }
    notes = [("attitude", f"{how}; all numbers for the player to move, within {tolerance:g} of the best mean")]
    notes += [("", f"{text}: {_in_words(mean, p)}") for text, (mean, p) in texts.items()]
    return Choice(best, details, tuple(notes))


def _turned(p: Profile) -> Profile:
    return Profile(p.loss, p.draw, p.win, p.open, p.behind, p.ahead, -p.mean, p.spread)


def _in_words(mean: float, p: Profile) -> str:
    parts = [f"win {p.win:.1%}", f"draw {p.draw:.1%}", f"loss {p.loss:.1%}"]
    if p.open:
        parts.append(f"open {p.open:.1%} (in all {p.ahead:.1%} above the middle, {p.behind:.1%} below)")
    return f"mean {mean:+.4g}, spread {p.spread:.3g}, {', '.join(parts)}"
