"""Searching against who is really there: what a model of the opponent brings, and what it costs when it is wrong.

Four games, and in each an opponent that looks a few plies ahead by a weak evaluation. Against it play, all with the
same evaluation and the same depth: minimax; OM search that knows it; PrOM search that half knows it (it or another);
adaptive search that has to find out; OM search with a wrong model, without and with the guard. What counts is the gain
over minimax, pair by pair, with its 95 % interval.

Hsu ("Theory of Computer Games: Selected advanced topics") remarks: it is a misconception that an opponent with a worse
strategy than the one in your model may profit; if f1 can beat f2 it can surely beat a worse f3. So OM search also meets
a worse opponent than it believes, who looks one ply less deep (or moves at random), and the experiment says where the
remark fails: OM search may bring fewer points there than it does against the opponent of its model, or fewer
than minimax brings.

Carmel and Markovitch 1996; Iida, Uiterwijk, van den Herik and Herschberg 1994 for the risk.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from zermelo.lab.experiment import Experiment, Result, Say, Settings, Table
from zermelo.lab.meetings import CELLS, listed
from zermelo.lab.plot import Whisker, whiskers
from zermelo.lab.series import Played, Series, play_series
from zermelo.rules import UnknownName, nearest

RISK = 0.05
"""The guard's limit, as a share of the range of scores."""


class Setup(NamedTuple):
    """A game, and who sits opposite: by an evaluation `weak`, `looks` plies deep; `other` is somebody else. `plain` is
    minimax for this game, `depth` how deep everybody searches, `span` the range of scores."""

    parameters: Mapping[str, Any]
    plies: int
    plain: str
    depth: int
    weak: str
    other: str
    looks: int
    span: float


SMALL_DARK_CHESS = {"rows": 4, "cols": 4, "pieces": "KGMRNCPPkgmrncpp", "quiet_plies": 40}
SETUPS = {
    "einstein": Setup({}, 0, "star1", 3, "stones", "runner", 2, 2),
    "dark-chess": Setup(SMALL_DARK_CHESS, 0, "star1", 2, "threats", "pieces", 1, 2),
    "othello": Setup({"rows": 6, "cols": 6}, 4, "alphabeta", 3, "discs", "squares", 2, 72),
    "breakthrough": Setup({"width": 6, "height": 6}, 4, "alphabeta", 3, "safety", "pawns", 2, 2),
}
MINIMAX, KNOWN, HALF, LEARNS, WRONG, GUARDED = (
    "minimax", "OM, known", "PrOM, half known", "adaptive, unknown", "OM, wrong", "OM, wrong, guarded"
)  # fmt: skip
WORSE_MINIMAX, WORSE_KNOWN = "minimax, worse opponent", "OM, worse opponent"
HEAD = ("game", "opponent", "player", *CELLS, "gain", "gain from", "gain to")


def players(setup: Setup) -> dict[str, str]:
    """Who plays against the opponent, by the engines' texts."""
    weak, other, deep = f"{setup.weak}:{setup.looks}", f"{setup.other}:{setup.looks}", f"depth={setup.depth}"
    guard = f"risk={RISK * setup.span:g}"
    return {
        MINIMAX: f"{setup.plain}({deep})",
        KNOWN: f"om(opponent={weak}, {deep})",
        HALF: f"prom(opponents={weak},{other}, {deep})",
        LEARNS: f"adaptive(opponents={other},own:{setup.looks},{weak}, {deep})",
        WRONG: f"om(opponent={other}, {deep})",
        GUARDED: f"om(opponent={other}, {deep}, {guard})",
    }


def run(settings: Settings, say: Say) -> Result:
    told = settings.parameters
    chosen = listed(told["games"])
    for name in chosen:
        if name not in SETUPS:
            raise UnknownName(f"opponent has no game {name}: {nearest(name, SETUPS)}")
    plan: list[tuple[str, str, Series]] = []
    for name in chosen:
        setup = SETUPS[name]
        for player, text in players(setup).items():
            plan.append((name, player, _series(name, setup, text, setup.looks)))
        for player, like in ((WORSE_MINIMAX, MINIMAX), (WORSE_KNOWN, KNOWN)):
            plan.append((name, player, _series(name, setup, players(setup)[like], setup.looks - 1)))
    found = play_series(settings, EXPERIMENT.name, [series for _, _, series in plan], told["mode"], say)
    rows: list[tuple[Any, ...]] = []
    words, plots = [], {}
    for name in chosen:
        played = {player: result for (game, player, _), result in zip(plan, found) if game == name}
        rows += [_row(name, SETUPS[name], player, played) for player in played]
        words += verdicts(name, SETUPS[name], played)
        marks = [_mark(player, played) for player in played if player not in (MINIMAX, WORSE_MINIMAX)]
        title = f"{name}: gain over minimax, {settings.samples} games each"
        plots[f"{EXPERIMENT.name}-{name}.svg"] = whiskers(title, "points a game, in % (50: no gain)", marks, 50, 100)
    about = (
        f"{settings.samples} games each, seed {settings.seed}; the gain is in points a game over minimax, on the same "
        "openings and dice, with its 95 % interval."
    )
    return Result(Table(HEAD, rows), "", [about, *words], plots)


def _series(name: str, setup: Setup, text: str, looks: int) -> Series:
    opponent = f"{setup.plain}(depth={looks}, evaluation={setup.weak})" if looks else "random"
    return Series(name, setup.parameters, setup.plies, text, opponent)


def _base(player: str) -> str:
    """Whom a player's gain is measured against."""
    return WORSE_MINIMAX if player in (WORSE_MINIMAX, WORSE_KNOWN) else MINIMAX


def _row(name: str, setup: Setup, player: str, played: Mapping[str, Played]) -> tuple[Any, ...]:
    looks = setup.looks - (player in (WORSE_MINIMAX, WORSE_KNOWN))
    gain = played[player].gain_over(played[_base(player)])
    shown = ("", "", "") if player == _base(player) else tuple(round(x, 3) for x in (gain.mean, gain.low, gain.high))
    return (name, f"{setup.weak}:{looks}" if looks else "random", player, *played[player].outcome.cells, *shown)


def _mark(player: str, played: Mapping[str, Played]) -> Whisker:
    gain = played[player].gain_over(played[_base(player)])
    low, middle, high = (min(max(50 + 50 * x, 0), 100) for x in (gain.low, gain.mean, gain.high))
    return Whisker(player, low, middle, high)


def verdicts(name: str, setup: Setup, played: Mapping[str, Played]) -> list[str]:
    """What the games of one game say, in words."""
    known, learned = (played[player].gain_over(played[MINIMAX]) for player in (KNOWN, LEARNS))
    wrong, guarded = (played[player].gain_over(played[MINIMAX]) for player in (WRONG, GUARDED))
    word = "gains" if known.low > 0 else "loses" if known.high < 0 else "neither gains nor loses for certain"
    words = [f"{name}: OM search that knows {setup.weak}:{setup.looks} {word}: {known.mean:+.3f} points a game."]
    if known.low > 0:
        share = learned.mean / known.mean
        words.append(f"{name}: adaptive search recovers {share:.0%} of that in series of 50 games, not knowing it.")
    words.append(f"{name}: a wrong model costs {-wrong.mean:+.3f} points a game, with the guard {-guarded.mean:+.3f}.")
    worse = played[WORSE_KNOWN]
    against, own = worse.outcome.score, played[KNOWN].outcome.score
    over, more = worse.gain_over(played[WORSE_MINIMAX]), worse.gain_over(played[KNOWN])
    holds = "fails" if more.high < 0 or over.high < 0 else "holds" if more.low >= 0 else "is not decided"
    why = f"{against:.1f} % against the worse opponent, {own:.1f} % against the one of the model"
    words.append(
        f"{name}: that a worse opponent cannot profit {holds}: {why}; there OM brings {over.mean:+.3f} points a game "
        "over minimax."
    )
    return words


EXPERIMENT = Experiment(
    name="opponent",
    summary="OM, PrOM and adaptive search against known, half-known and wrong opponents, on four games",
    source="Carmel and Markovitch 1996; Iida, Uiterwijk, van den Herik and Herschberg 1994; Hsu 2022",
    samples=100,
    run=run,
    parameters={"games": "; ".join(SETUPS), "mode": "compiled"},
)
