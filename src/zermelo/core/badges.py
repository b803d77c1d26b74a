"""What a move is worth, short enough to stand on its spot: a letter or a number, and how sure that is.

Letters are the mover's: W wins, D draws, L loses. Where there are other scores a number stands there, the mover's too;
where dice decide between winning and losing, the share of games that are won, a draw counting half. What is not proven
looks so: bounds have ≥ or ≤, estimates a ~, and what is not known is a question mark, which is no draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.core.wording import verdict_in_words
from zermelo.rules.overlay import Badge

if TYPE_CHECKING:
    from zermelo.core.answer import Answer, Verdict
    from zermelo.rules import Game


def badges(answer: Answer) -> dict[str, Badge]:
    """The badge of every move of which an answer says anything, by its text; `position.svg(values=…)` shows them."""
    return {v.move: badge(answer.position.game, answer.position.turn, v) for v in answer.verdicts}


def badge(game: Game, turn: int, verdict: Verdict) -> Badge:
    """What stands for a verdict on a move that the player `turn` (2: chance, as the first player sees it) makes."""
    low, high, status = verdict.low, verdict.high, verdict.status
    if status == "unknown":
        return Badge("?", "open", status, f"{verdict.move}: not known")
    if turn == 1 and _mirrored(game):
        low, high = -high, -low
    text = _text(game, low, high, status)
    plies = "" if verdict.plies is None else f" {verdict.plies}"
    return Badge(text + plies, kind(game, low, high), status, _words(game, verdict, text))


def _words(game: Game, verdict: Verdict, text: str) -> str:
    """The same in words: b1 loses in 2 plies, proven."""
    soon = "" if verdict.plies is None else f" in {verdict.plies} {'ply' if verdict.plies == 1 else 'plies'}"
    if text in _DOES:
        return f"{verdict.move} {_DOES[text]}{soon}, {verdict.status}"
    return f"{verdict.move}: {verdict_in_words(game, verdict._replace(plies=None))}{soon}, {verdict.status}"


_DOES = {"W": "wins", "D": "draws", "L": "loses"}


def goodness(game: Game, turn: int, verdict: Verdict) -> float | None:
    """How good a move is for who makes it, from 0 to 1; None if nothing is known of it."""
    if verdict.status == "unknown":
        return None
    lowest, highest = game.values
    share = ((verdict.low + verdict.high) / 2 - lowest) / (highest - lowest)
    return float(1 - share if turn == 1 else share)


def kind(game: Game, low: float, high: float) -> str:
    """What a range of scores means to the mover: win, draw, loss, score where it is something between, or open."""
    lowest, highest = game.values
    if not _mirrored(game) or (game.has_chance and lowest < low <= high < highest):
        return "score"
    if low > 0 or high < 0:
        return "win" if low > 0 else "loss"
    return "draw" if low == high else "score" if low > lowest and high < highest else "open"


def _mirrored(game: Game) -> bool:
    """Whether what one player wins the other loses, around zero."""
    return bool(game.values[0] == -game.values[1])


def _text(game: Game, low: float, high: float, status: str) -> str:
    lowest, highest = game.values
    if low == high:
        return ("~" if status == "heuristic" else "") + _score(game, low, status == "heuristic")
    if high == highest:
        return f"≥{_score(game, low)}"
    return f"≤{_score(game, high)}" if low == lowest else f"{_score(game, low)}…{_score(game, high)}"


def _score(game: Game, score: Any, estimated: bool = False) -> str:
    low, high = game.values
    if estimated and game.unit is not None and score not in (low, high):
        return f"{score / (100 * game.unit):+.1f}"
    if (low, high) == (-1, 1) and score in (-1, 0, 1) and not estimated and (score or not game.has_chance):
        return {-1: "L", 0: "D", 1: "W"}[int(score)]
    if (low, high) == (-1, 1) and game.has_chance:
        return f"{50 * (score + 1):.0f}%"
    signed = f"{score:+.2g}" if abs(score) < 1 else f"{score:+.0f}" if float(score).is_integer() else f"{score:+.1f}"
    return signed if score and _mirrored(game) else f"{score:.3g}" if score else "0"
