"""Positions, values and what ended a search, in words: the same on the command line, on the page and in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.core.answer import Answer, Verdict
    from zermelo.rules import Game, Position

PLAYERS = ("first player", "second player", "chance")
STOPPERS = {
    "horizon": "the game's horizon",
    "interrupt": "Ctrl-C",
    "max_plies": "the game's max_plies",
    "memory": "the limit of memory",
    "nodes": "the limit of nodes",
    "seconds": "the limit of seconds",
    "stop": "request",
}


def to_move(position: Position) -> str:
    return "nobody, the game is over" if position.result is not None else PLAYERS[position.turn]


def value_in_words(answer: Answer) -> str:
    """The value, worded so that an estimate or a bound cannot be taken for a proven value."""
    return worth_in_words(answer.position.game, answer.status, answer.value, answer.bounds)


def worth_in_words(game: Game, status: str, value: float | None, bounds: tuple[float, float]) -> str:
    """The same of anything that has a status, a value and bounds."""
    if value is None or status == "unknown":
        return "not known"
    if status == "bound":
        return _bound_in_words(game, *bounds)
    if status == "heuristic":
        return f"about {estimate_in_words(game, value)} for the first player"
    return score_in_words(game, value)


def estimate_in_words(game: Game, value: float) -> str:
    """An estimate as people count in a game: in pawns where it says what one is worth."""
    if game.unit is None or value in game.values:
        return signed(value)
    pawns = round(value / (100 * game.unit), 2)
    return f"{pawns:+g} pawns" if pawns else "0 pawns"


def score_in_words(game: Game, score: float) -> str:
    low, high = game.values
    if score == 0 and low == -high:
        return "draw"
    if (low, high) == (-1, 1) and abs(score) == 1:
        return f"{PLAYERS[0 if score > 0 else 1]} wins"
    return f"score {signed(score)} for the first player"


def _bound_in_words(game: Game, low: float, high: float) -> str:
    lowest, highest = game.values
    if (lowest, highest) == (-1, 1) and game.integral and 0 in (low, high):
        return f"at least a draw for the {PLAYERS[0 if low == 0 else 1]}"
    if high == highest:
        return f"at least {signed(low)} for the first player"
    if low == lowest:
        return f"at most {signed(high)} for the first player"
    return f"between {signed(low)} and {signed(high)} for the first player"


def verdict_in_words(game: Game, verdict: Verdict) -> str:
    """What is known of a move, in the first player's view."""
    lowest, highest = game.values
    about = "about " if verdict.status == "heuristic" else ""
    if verdict.status == "unknown":
        return "open"
    if verdict.low == verdict.high and about:
        return f"{about}{estimate_in_words(game, verdict.low)}"
    if verdict.low == verdict.high:
        plies = "" if verdict.plies is None else f" in {verdict.plies}"
        return f"{about}{signed(verdict.low)}{plies}"
    low, high = (estimate_in_words(game, bound) if about else signed(bound) for bound in (verdict.low, verdict.high))
    if verdict.high == highest:
        return f"at least {about}{low}"
    if verdict.low == lowest:
        return f"at most {about}{high}"
    return f"from {about}{low} to {high}"


def signed(number: float) -> str:
    text = f"{number:+.6g}" if number else "0"
    rounded_up = float(text).is_integer() and number != float(text)  # almost a win is none
    return f"{number:+.12g}" if rounded_up else text


def stopped_in_words(stopped: str) -> str:
    return f"stopped by {STOPPERS.get(stopped, stopped)}, best so far"
