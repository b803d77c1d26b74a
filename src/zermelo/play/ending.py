"""How a game ended: the score, and why."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from zermelo.rules import Game, Position, Unsuitable
from zermelo.rules.structs import wrapping

PLAYERS = ("the first player", "the second player")
OPEN = "open"
"""What stands for the score of a game that was not played to its end."""
MOST_SAID = 300


class Why(Enum):
    """What ended a game; {} is who."""

    RULES = "by the rules"
    HORIZON = "no move is left"
    DECIDED = "adjudicated"
    UNTOLD = "reason not told"
    TOO_LONG = "too long"
    STOPPED = "stopped"
    LEFT = "{} left"
    RESIGNED = "{} resigned"
    TIME = "{} ran out of time"
    ILLEGAL = "{} made an illegal move"
    FAILED = "{} failed"

    @property
    def loses(self) -> bool:
        """Whether whoever it happened to loses, with the worst score of the game."""
        return self in (Why.RESIGNED, Why.TIME, Why.ILLEGAL, Why.FAILED)

    @property
    def scored(self) -> bool:
        """Whether only somebody who saw it can say the score: nothing else tells it."""
        return self in (Why.DECIDED, Why.UNTOLD)


class Ending(NamedTuple):
    """The first player's score, None if the game is open; why; whose doing it was; what else is to be said."""

    score: float | None
    why: Why
    by: int | None = None
    detail: str = ""

    @classmethod
    def of(
        cls, position: Position, why: Why, by: int | None = None, detail: str = "", score: float | None = None
    ) -> Ending:
        """The ending of a game at its last position; the score has to be told if nothing else tells it."""
        game = position.game
        if not why.scored:
            known = {Why.RULES: position.result, Why.TOO_LONG: middle(game)}
            score = lost(game, by) if why.loses else known.get(why)
        return cls(score, why, by, " ".join(detail.split())[:MOST_SAID].strip())

    @classmethod
    def read(cls, text: str, position: Position) -> Ending:
        """The ending that a text tells of a game whose last position this is. One that cannot be is refused."""
        score, _, reason = (part.strip() for part in text.partition(","))
        for why in Why:
            for by in (0, 1) if "{}" in why.value else (None,):
                phrase = _phrase(why, by)
                if reason == phrase or reason.startswith(f"{phrase}: "):
                    ending = cls.of(position, why, by, reason[len(phrase) + 2 :], _possible(score, position.game))
                    ending._check(score, position)
                    return ending
        shown = text[:MOST_SAID]
        raise Unsuitable(f"{shown!r} is no result: write the score, a comma and why, such as +1, by the rules")

    def _check(self, told: str, position: Position) -> None:
        over = position.result is not None
        if self.why is Why.RULES and not over:
            raise Unsuitable(f"the result is {told} by the rules, but the game is not over after these moves")
        if self.why is not Why.RULES and over:
            raise Unsuitable(f"the result is {self}, but after these moves the game is over by the rules")
        try:
            known = self.score is not None or self.why.scored
            same = float(told) == self.score if known else told == OPEN
        except ValueError:
            same = False
        if not same:
            raise Unsuitable(f"the result is said to be {told}, but after these moves it is {self}")

    @property
    def reason(self) -> str:
        """Why, in words."""
        return _phrase(self.why, self.by) + (f": {self.detail}" if self.detail else "")

    def __str__(self) -> str:
        return f"{OPEN if self.score is None else signed(self.score)}, {self.reason}"


def lost(game: Game, by: int | None) -> float:
    """The first player's score when a player has lost by something other than the rules."""
    low, high = game.values
    return low if by == 0 else high


@wrapping
def decided(position: Position) -> float | None:
    """The score of a position that is not over, if the rules show it: the bounds that they give have met."""
    game = position.game
    if game.bounds is None:
        return None
    low, high = game.bounds(position.state)
    return float(low) if low == high else None


def middle(game: Game) -> float:
    """The score half way between the worst and the best: neither player has won."""
    low, high = game.values
    return (low + high) // 2 if game.integral and (low + high) % 2 == 0 else (low + high) / 2


def _possible(told: str, game: Game) -> float | None:
    """A score as it is told, if it can be one of the game's."""
    try:
        score = float(told)
    except ValueError:
        return None
    return score if game.values[0] <= score <= game.values[1] else None


def signed(number: float) -> str:
    """A score or value with all its digits."""
    return f"{int(number) if float(number).is_integer() else number:+}" if number else "0"


def _phrase(why: Why, by: int | None) -> str:
    return why.value.format("" if by is None else PLAYERS[by])
