"""Do a game's hooks tell the truth? Each is compared with what the rules alone say of a part of the game.

`bounds` must hold the value; `candidates` must hold a best move; positions that share a `symmetry` or a `key` must be
worth the same, and those that share a `rest` must be worth the same from there on; so must those that share an entry of
an endgame table by `index`, up to its sign; `truth` is the value; `evaluate` stays within what was declared; `effort`
is a whole number from 1 on; loud moves are legal ones; who skips leaves the other player to move; an exact key belongs
to one position.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from zermelo.checking.endings import Part, Spot
from zermelo.compile.diagnosis import blaming
from zermelo.rules import CHANCE, ONGOING, Game, MoveBuffer, Position, wrapping
from zermelo.rules.position import named

Complaint = tuple[str, str]
"""What kind of promise is broken, and an example."""

ROUNDING = 1e-9
"""Means of chance positions are compared up to such a part of the range of scores."""


@wrapping
def lie_at(position: Position, budget: int = 5000) -> str | None:
    """One sentence about a hook that contradicts the rules in or below a position; None if none is found to. At most
    `budget` moves are played to find out."""
    with blaming(position.game):
        part = Part(position.game)
        part.grow(position, budget)
        part.settle()
        return next((f"{kind}: {example}" for kind, example in lies(part)), None)


def lies(part: Part) -> Iterator[Complaint]:
    """What hooks say of the positions of a part and the rules do not. The part must be settled."""
    game = part.game
    slack = ROUNDING * (game.values[1] - game.values[0]) if game.has_chance else 0
    low, high = game.values
    for spot in reversed(part.spots):  # the last were found last: nearer to the end, and easier to follow
        if spot.over and not low <= spot.score <= high:
            example = f"{spot.score} {where(spot.position)}, values = {game.values}"
            yield "a score lies outside the declared values", example
        if spot.explored:
            for kind, example in hook_complaints(game, spot.position, spot.moves):
                yield kind, f"{example} {where(spot.position)}"
            yield from _about(part, spot, slack)
        elif spot.over and game.result(spot.position.state) == ONGOING:  # stuck, which searches find out after bounds
            yield from _bounded(game, spot, slack)
    yield from _shared(part, slack)


def hook_complaints(game: Game, position: Position, codes: list[int]) -> Iterator[Complaint]:
    """Estimates, bounds, candidates and effort of a position against what was declared."""
    state, (low, high) = position.state, game.values
    named = {"evaluate": game.evaluate} | {f"evaluation {name}": rule for name, rule in game.evaluations.items()}
    for name, evaluate in named.items():
        if evaluate is None:
            continue
        estimate = evaluate(state)
        inside = low < estimate < high if game.strict_estimates else low <= estimate <= high
        if not inside:
            strictly = "strictly inside" if game.strict_estimates else "inside"
            yield f"{name} must lie {strictly} values", f"{estimate} for values {game.values}"
    least, most = bounds_of(game, state)
    if not low <= least <= most <= high:
        yield "bounds must be (lowest, highest) within values", f"{(least, most)}"
    if game.candidates is not None and least < most:
        some = candidates_of(game, state)
        if not some or not set(some) <= set(codes):
            yield "candidates must be some of the legal moves, at least one", f"{some} of {codes}"
    if game.effort is not None:
        effort = game.effort(state)
        if effort != int(effort) or effort < 1:
            yield "effort must be a whole number from 1 on", str(effort)
    if position.turn != CHANCE:
        yield from quiet_complaints(game, position, codes)


def quiet_complaints(game: Game, position: Position, codes: list[int]) -> Iterator[Complaint]:
    """What selective searches ask, at a position where a player is to move."""
    state = position.state
    if game.loud is not None:
        some = loud_of(game, state)
        if len(set(some)) != len(some) or not set(some) <= set(codes):
            yield "loud must write some of the legal moves, each once", f"{some} of {codes}"
    if game.checked is not None:
        checked = game.checked(state)
        if checked not in (0, 1):
            yield "checked must be True or False", repr(checked)
    if game.wins is not None:
        told, true = game.wins(state), any(wins_with(position, code) for code in codes)
        if told != true:
            yield "wins must say whether one move wins", f"{told!r} where it is {true}"
    if passes_at(position):
        after = state.copy()
        if game.skip(after) and Position(game, after).turn != 1 - position.turn:  # type: ignore[misc]
            yield "skip must leave the other player to move", f"{after} after {state}"


def wins_with(position: Position, code: int) -> bool:
    """Whether a move wins at once, whatever stood on the board before."""
    game, after = position.game, position.state.copy()
    game.play(after, code)
    score = Position(game, after).result
    return score is not None and score == game.values[position.turn == 0]


def loud_of(game: Game, state: Any) -> list[int]:
    """The loud moves of a position; none of a game without that rule."""
    if game.loud is None or not game.compilable:
        return []
    out = MoveBuffer(game.max_moves, game.name)
    return out[: game.loud(state, out)]


def passes_at(position: Position) -> bool:
    """Whether a search may pass at a position where the game goes on."""
    game, state = position.game, position.state
    if game.skip is None or not game.compilable or position.turn == CHANCE:
        return False
    return game.checked is None or not game.checked(state)


def bounds_of(game: Game, state: Any) -> tuple[Any, Any]:
    least, most = game.bounds(state) if game.bounds is not None else game.values
    return least, most


def candidates_of(game: Game, state: Any) -> list[int]:
    assert game.candidates is not None
    out = MoveBuffer(game.max_moves, game.name)
    return out[: game.candidates(state, out)]


def where(position: Position) -> str:
    begins = position.previous is None and position.state == position.game.start
    return f"in {named(position)}" if position.text() or not begins else "at the start"


def _about(part: Part, spot: Spot, slack: float) -> Iterator[Complaint]:
    """What hooks say of one position against its value."""
    game, state = part.game, spot.position.state
    yield from _bounded(game, spot, slack)
    least, most = bounds_of(game, state)
    if game.candidates is not None and least < most and spot.turn != CHANCE:
        below = dict(zip(spot.moves, spot.below))
        some = [move for move in candidates_of(game, state) if move in below]
        best: Any = max if spot.turn == 0 else min
        reached = Spot(spot.position, spot.score, spot.plies)
        reached.least = best((part.spots[below[move]].least for move in some), default=spot.least)
        reached.most = best((part.spots[below[move]].most for move in some), default=spot.most)
        if reached.most < spot.least - slack or reached.least > spot.most + slack:
            texts = " ".join(map(spot.position.text_of, some))
            yield (
                "candidates leave out all best moves",
                f"the best of {texts} {where(spot.position)} {_worth(reached)}, but the position {_worth(spot)}",
            )
    if game.truth is not None:
        truth = game.truth(state)
        if not spot.least - slack <= truth <= spot.most + slack:
            yield "truth contradicts the rules", f"it is {truth} {where(spot.position)}, which {_worth(spot)}"


def _bounded(game: Game, spot: Spot, slack: float) -> Iterator[Complaint]:
    least, most = bounds_of(game, spot.position.state)
    if game.bounds is not None and (most < spot.least - slack or least > spot.most + slack):
        yield "bounds contradict the rules", f"they are {(least, most)} {where(spot.position)}, which {_worth(spot)}"


def _shared(part: Part, slack: float) -> Iterator[Complaint]:
    """Positions that a hook takes for one must be worth the same, and be the same player's turn."""
    game = part.game
    groups: dict[tuple[str, Any], _Group] = {}
    exact: dict[int, Spot] = {}
    for spot in part.spots:
        if game.exact_key and game.key is not None:
            first = exact.setdefault(int(game.key(spot.position.state)), spot)
            if first is not spot:
                yield (
                    "two positions share a key that is declared exact",
                    f"{first.position.state} and {spot.position.state}",
                )
        for hook, key, sign, points in _keys(game, spot):
            group = groups.setdefault((hook, key), _Group())
            if not spot.over and hook not in ("rest", "index") and group.of_other_turn(spot):
                yield f"positions of equal {hook} differ in turn", _both(group.first, spot)
            if hook != "loop_key":
                group.enter(spot, sign, points)
                if group.least > group.most + slack:
                    since = " from there on" if hook == "rest" or (hook == "index" and game.rest is not None) else ""
                    yield (
                        f"positions of equal {hook} are not worth the same{since}",
                        _both(group.lowest, group.highest),
                    )


class _Group:
    """Positions that a hook takes for one, and the interval in which the value that they share would lie."""

    def __init__(self) -> None:
        self.first: Spot | None = None
        self.least, self.most = -math.inf, math.inf
        self.lowest: Spot | None = None
        self.highest: Spot | None = None

    def of_other_turn(self, spot: Spot) -> bool:
        self.first = self.first or spot
        return self.first.turn != spot.turn

    def enter(self, spot: Spot, sign: int, points: float) -> None:
        """`sign` and `points`: whose view the hook's users keep values in, and what was scored before."""
        least, most = sorted((sign * (spot.least - points), sign * (spot.most - points)))
        if least > self.least:
            self.least, self.highest = least, spot
        if most < self.most:
            self.most, self.lowest = most, spot


def _keys(game: Game, spot: Spot) -> Iterator[tuple[str, Any, int, float]]:
    """The keys under which tables keep a position, with the view in which they keep its value and the points that they
    leave out. Searches keep values of the player to move; the solver of games with dice keeps the first player's."""
    state = spot.position.state
    if not (spot.explored or spot.over):
        return
    if game.symmetry is not None:
        yield "symmetry", int(game.symmetry(state)), 1, 0
    if game.key is not None and game.has_chance:
        yield "key", int(game.key(state)), 1, 0
    if game.index is not None:
        tier, number, sign = game.index(state)
        if tier >= 0:
            yield "index", (int(tier), int(number)), int(sign), float(game.rest(state)[1]) if game.rest else 0
    if spot.over:
        return
    view = -1 if spot.turn == 1 else 1
    if game.key is not None and not game.has_chance:
        yield "key", int(game.key(state)), view, 0
    if game.rest is not None:
        key, points = game.rest(state)
        yield "rest", int(key), view, float(points)
    if game.loop_key is not None and not game.forbids:  # superko may compare boards whoever is to move
        yield "loop_key", int(game.loop_key(state)), 1, 0


def _both(one: Spot | None, other: Spot | None) -> str:
    assert one is not None
    assert other is not None
    return " and ".join(f"{named(spot.position)}, which {_worth(spot)}" for spot in (one, other))


def _worth(spot: Spot) -> str:
    if spot.least == spot.most:
        return f"is worth {spot.least:g}"
    return f"is worth from {spot.least:g} to {spot.most:g}"
