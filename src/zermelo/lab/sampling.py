"""Searches that sample against searches that look at every outcome, at equal time for a move.

Monte-Carlo tree search in several variants, sparse sampling, Star1SS and Star2SS, Star1 and Star2 all meet Star2.5, and
the games between them make a rating table (Bradley and Terry 1952) for each game.

Lanctot, Saffidine, Veness, Archibald and Winands, "Monte Carlo *-Minimax Search" (IJCAI 2013), say in their abstract
that, in Pig, EinStein, Can't Stop and Ra, searches of samples consistently outperformed the equivalent classic ones
given the same thinking time, and in some of the games kept up with enhanced tree search. So Star1SS also meets Star1
here, and Star2SS Star2, and the experiment says for each whether the games bear that out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zermelo.lab.experiment import Experiment, Result, Say, Settings, Table
from zermelo.lab.meetings import BUDGET, CELLS, Meeting, Outcome, budget_in_words, listed, play_meetings
from zermelo.lab.plot import whiskers
from zermelo.play.elo import elo_of
from zermelo.play.ratings import Rating, ratings
from zermelo.rules import UnknownName, Unsuitable, nearest

REFERENCE = "star2.5"
ENGINES = (
    "star1",
    "star2",
    "sparse",
    "star1ss",
    "star2ss",
    "mcts(playout=light)",
    "mcts(playout=light, select=puct)",
    "mcts(playout=light, chance=all)",
    "mcts(playout=decisive)",
    "mcts(playout=light, minimax=0.4)",
    "mcts(playout=light, rave=200)",
    "mcts(playout=light, widen=outcomes)",
)
GAMES: dict[str, Mapping[str, Any]] = {
    "einstein": {},
    "dark-chess": {"rows": 4, "cols": 4, "pieces": "KGMRNCPPkgmrncpp", "quiet_plies": 40},
    "backgammon": {},
    "pig": {"goal": 50},
}
CLAIMS = (("star1ss", "star1"), ("star2ss", "star2"))
"""Who was stronger than whom, as published."""
HOLDS, FAILS, OPEN = "holds", "is contradicted", "is not decided"
HEAD = ("game", "engine", "rating", "±", "against", *CELLS, "nodes a move", "depth")


def run(settings: Settings, say: Say) -> Result:
    told = settings.parameters
    engines, chosen = listed(told["engines"]), listed(told["games"])
    if not engines or not chosen:
        raise Unsuitable("sampling needs at least one game and one engine, such as games=pig and engines=mcts")
    for name in chosen:
        if name not in GAMES:
            raise UnknownName(f"sampling has no game {name}: {nearest(name, GAMES)}")
    for text in engines:
        if [REFERENCE, *engines].count(text) > 1:
            raise Unsuitable(f"{text} is named twice: all others meet {REFERENCE} once")
    claims = [claim for claim in CLAIMS if set(claim) <= set(engines)]
    pairs = [(text, REFERENCE) for text in engines] + claims
    meetings = [Meeting(name, GAMES[name], *pair) for name in chosen for pair in pairs]
    outcomes = play_meetings(settings, EXPERIMENT.name, meetings, say)
    rows: list[tuple[Any, ...]] = []
    plots, verdicts = {}, []
    for number, name in enumerate(chosen):
        met = dict(zip(pairs, outcomes[number * len(pairs) :], strict=False))
        rows += rated_rows(name, engines, met)
        verdicts += [(name, claim, verdict(met[claim])) for claim in claims]
        marks = [met[text, REFERENCE].whisker(text) for text in engines]
        title = f"{name}, {budget_in_words(told)} a move"
        plots[f"{EXPERIMENT.name}-{name}.svg"] = whiskers(title, f"% of the points against {REFERENCE}", marks, 50, 100)
    words = [
        f"{budget_in_words(told)} a move, {settings.samples} games of any two who meet, seed {settings.seed}; Elo with "
        "its 95 % interval; ratings by Bradley and Terry, the mean of a game's engines being 0.",
        *published(verdicts, budget_in_words(told)),
    ]
    return Result(Table(HEAD, rows), "", words, plots)


def rated_rows(name: str, engines: Sequence[str], met: Mapping[tuple[str, str], Outcome]) -> list[tuple[Any, ...]]:
    """The engines of a game, the best one first, and how they did against the reference; then who else met."""
    seats = (REFERENCE, *engines)
    number = {text: seat for seat, text in enumerate(seats)}
    results = {(number[one], number[other]): (found.points, found.games) for (one, other), found in met.items()}
    rows = [
        _row(name, seats[rating.player], REFERENCE, met.get((seats[rating.player], REFERENCE)), rating)
        for rating in ratings(len(seats), results)
    ]
    return rows + [_row(name, one, other, found) for (one, other), found in met.items() if other != REFERENCE]


def _row(name: str, one: str, other: str, found: Outcome | None, rating: Rating | None = None) -> tuple[Any, ...]:
    rated = ("", "") if rating is None else (round(rating.elo, 1), round(rating.error, 1))
    if found is None:  # the reference itself
        return (name, one, *rated, *[""] * (len(HEAD) - 4))
    return (name, one, *rated, other, *found.cells, found.efforts[0].per_move, found.efforts[0].depth)


def verdict(found: Outcome) -> tuple[str, str]:
    """Whether games bear out that the first engine is the stronger one, and the figures."""
    low, high = found.interval
    word = HOLDS if low > 0 else FAILS if high < 0 else OPEN
    elo = elo_of(found.score / 100)
    return word, f"{found.score:.1f} % of {found.games} games, Elo {elo:+.0f} (95 %: {low:+.0f} to {high:+.0f})"


def published(verdicts: Sequence[tuple[str, tuple[str, str], tuple[str, str]]], budget: str) -> list[str]:
    """What the games say about the published order, claim by claim."""
    if not verdicts:
        return []
    words = [
        f"{name}: that {one} is stronger than {other} {word}: {figures}."
        for name, (one, other), (word, figures) in verdicts
    ]
    held, failed, undecided = (sum(found[0] == word for _, _, found in verdicts) for word in (HOLDS, FAILS, OPEN))
    return [
        "Published (Lanctot and others 2013): at equal time the searches of samples beat the classic ones.",
        *words,
        f"Of {len(verdicts)} comparisons, with {budget} a move, {held} bear it out, {failed} contradict it and "
        f"{undecided} do not decide.",
    ]


EXPERIMENT = Experiment(
    name="sampling",
    summary="tree search and searches of samples against Star2.5, on four games with dice",
    source="Lanctot, Saffidine, Veness, Archibald and Winands 2013",
    samples=40,
    run=run,
    parameters={**BUDGET, "games": "; ".join(GAMES), "engines": "; ".join(ENGINES)},
)
