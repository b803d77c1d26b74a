"""A game as a search is told to see it: with another evaluation, or with draws that count more or less.

Both are changes of the game, not of any search: whatever searches, samples or plays the game that is seen does as it
always does, and every part of it agrees.

**Contempt.** A draw against a weaker opponent is a waste, one against a stronger opponent a gain (Hsu, "Theory of
Computer Games: Selected advanced topics"; the term is that of chess programs). To whoever searches, a draw is worth
`contempt` less than it is, whether it comes from the rules, from what they show before the end, or from repetition.
Scores keep their order, for a draw stays between a win and a loss; so without dice the value of the game that is seen
stands for one of the real game, and what is proven there is proven. Expectations do not carry over: with dice an answer
that rests on draws is an estimate.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from zermelo.core.answer import BOUND, HEURISTIC, PROVEN, Answer, Verdict, plain
from zermelo.rules import CHANCE, Game, Position, Unsuitable, rule

if TYPE_CHECKING:
    from zermelo.core.method import Options


def contempt_of(game: Game, options: Options) -> float:
    """How much less a draw is worth to whoever searches. From a rating difference: as much as is to be expected of
    play, by the logistic curve of Elo; a draw is then worth what the opponent's strength makes of it."""
    if options.contempt and options.rating is not None:
        raise Unsuitable("contempt is set, or follows from a rating difference: leave out contempt or rating")
    unit = 1.0 if game.integral else (game.values[1] - game.values[0]) / 2
    if options.rating is not None:
        expected = 1 / (1 + 10 ** (-options.rating / 400))
        return unit * (2 * expected - 1)
    if not abs(options.contempt) < unit:
        raise Unsuitable(
            f"{game.name}: contempt must lie between {-unit:g} and {unit:g}, not at {options.contempt:g}, for a draw "
            "is better than a loss and not as good as a win"
        )
    return options.contempt


def draw_for(game: Game, options: Options, us: int) -> float | None:
    """What a draw scores for the first player as the player `us` sees it; None if that is what it is."""
    contempt = contempt_of(game, options)
    even = sum(game.values) / 2
    return even + (contempt if us == 1 else -contempt) if contempt and us != CHANCE else None


def seen(game: Game, options: Options, us: int) -> Game:
    """The game as the options say, to the player `us`; the game itself where they say nothing."""
    return _seen(game, options.evaluation, draw_for(game, options, us))


@lru_cache(maxsize=64)
def _seen(game: Game, evaluation: str | None, drawn: float | None) -> Game:
    """One object for one view, for what is compiled belongs to it."""
    view = game if evaluation is None else replace(game, evaluate=game.evaluation(evaluation))
    return view if drawn is None else _with_draws(view, drawn)


def _with_draws(game: Game, drawn: float) -> Game:
    """The game in which the first player scores `drawn` where it is drawn."""
    low, high = game.values
    even = (low + high) / 2
    result, own_rule, rest = game.result, game.repetition, game.rest

    @rule
    def worth(score):
        return drawn if score == even else float(score)

    @rule
    def result_seen(s):
        return worth(result(s))

    changes: dict[str, Any] = {"result": result_seen, "values": (float(low), float(high)), "rest": None, "truth": None}
    if game.stuck is not None:
        stuck = game.stuck

        @rule
        def stuck_seen(s):
            return worth(stuck(s))

        changes["stuck"] = stuck_seen
    if game.bounds is not None:
        bounds = game.bounds

        @rule
        def bounds_seen(s):
            least, most = bounds(s)
            return worth(least), worth(most)

        changes["bounds"] = bounds_seen
    if own_rule == "draw" and even == game.drawn:
        changes["drawn"] = drawn
    elif own_rule == "points":

        @rule
        def points_seen(path, earliest, latest, end):
            return worth(rest(path[end])[1])  # type: ignore[misc]

        changes["repetition"] = points_seen
    elif callable(own_rule):

        @rule
        def repetition_seen(path, earliest, latest, end):
            return worth(own_rule(path, earliest, latest, end))

        changes["repetition"] = repetition_seen
    return replace(game, **changes)


def placed(position: Position, game: Game) -> Position:
    """The same position of a game as it is seen, with the path that led to it."""
    if game is position.game:
        return position
    there: Position | None = None
    for here in position.line():
        there = Position(game, here.state, there, here.last_move)
    assert there is not None
    return there


def restored(answer: Answer, position: Position, drawn: float | None) -> Answer:
    """An answer about a position as it was seen as one about the position itself. `drawn`: what draws scored there; in
    what is certain they are draws again."""
    answer = replace(answer, position=position)
    if drawn is None:
        return answer
    low, high = position.game.values
    even = (low + high) / 2
    dice = position.game.has_chance

    def real(score: float) -> float:
        return plain(even if score == drawn else score)

    def verdict(told: Verdict) -> Verdict:
        certain = told.status in (PROVEN, BOUND)
        mixed = certain and dice and not {told.low, told.high} <= {low, high}
        ends = (real(told.low), real(told.high)) if certain and not mixed else (told.low, told.high)
        return told._replace(status=HEURISTIC if mixed else told.status, low=ends[0], high=ends[1])

    certain = answer.status in (PROVEN, BOUND)
    mixed = certain and dice and answer.value not in (low, high)
    change: dict[str, Any] = {"bounds": (low, high), "status": HEURISTIC} if mixed else {}
    if certain and not mixed and answer.value is not None:
        change = {"value": real(answer.value), "bounds": tuple(map(real, answer.bounds))}
    return replace(
        answer, **change, complete=answer.complete and not mixed, verdicts=tuple(map(verdict, answer.verdicts)),
        notes=(*answer.notes, ("contempt", f"a draw counts as {drawn - even:+.3g} for the first player")),
    )  # fmt: skip
