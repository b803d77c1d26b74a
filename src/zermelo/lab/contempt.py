"""Contempt: what a draw is made worth, and what comes of it against weaker and stronger opponents.

On a game in which good play is often drawn, one engine plays with several contempts against an engine that looks less
deep, one that looks as deep, and one that looks deeper. A draw against a weaker opponent is a waste, one against a
stronger opponent a gain (Hsu, "Theory of Computer Games: Selected advanced topics"): so the score should grow with
contempt against the first, and with its negative against the last.
"""

from __future__ import annotations

from typing import Any

from zermelo.lab.experiment import Experiment, Result, Say, Settings, Table
from zermelo.lab.meetings import CELLS, listed
from zermelo.lab.plot import whiskers
from zermelo.lab.series import Played, Series, play_series
from zermelo.rules import Unsuitable
from zermelo.rules.settings import read_value

GAME, PARAMETERS, PLIES = "connect-four", {"width": 5, "height": 5}, 2
HEAD = ("opponent", "contempt", *CELLS, "drawn, %", "gain", "gain from", "gain to")


def run(settings: Settings, say: Say) -> Result:
    told = settings.parameters
    contempts = [read_value("contempts", text, float) for text in listed(told["contempts"])]
    if 0.0 not in contempts:
        raise Unsuitable("contempts must hold 0, with which all others are compared")
    depth, evaluation = told["depth"], told["evaluation"]
    opponents = {"weaker": told["weaker"], "equal": depth, "stronger": told["stronger"]}
    plan = [
        (name, contempt, Series(GAME, PARAMETERS, PLIES, f"alphabeta(depth={depth}, evaluation={evaluation}, "
                                f"contempt={contempt})", f"alphabeta(depth={looks}, evaluation={evaluation})"))
        for name, looks in opponents.items()
        for contempt in contempts
    ]  # fmt: skip
    found = play_series(settings, EXPERIMENT.name, [series for _, _, series in plan], told["mode"], say)
    played = {(name, contempt): result for (name, contempt, _), result in zip(plan, found)}
    rows = [_row(name, contempt, result, played[name, 0.0]) for (name, contempt), result in played.items()]
    marks = [result.outcome.whisker(f"{name}, contempt {c:+g}") for (name, c), result in played.items()]
    title = f"{GAME} {PARAMETERS['width']}×{PARAMETERS['height']}, depth {depth}, {settings.samples} games each"
    words = [f"{settings.samples} games each, seed {settings.seed}; the gain is over contempt 0, on the same openings."]
    for name in opponents:
        best = max(contempts, key=lambda contempt: played[name, contempt].outcome.score)
        words.append(f"Against the {name} opponent the most points came with contempt {best:+g}.")
    return Result(Table(HEAD, rows), whiskers(title, "% of the points", marks, 50, 100), words)


def _row(name: str, contempt: float, result: Played, plain: Played) -> tuple[Any, ...]:
    gain = result.gain_over(plain)
    drawn = 100 * sum(1 for points in result.games if points == 0.5) / len(result.games)
    shown = tuple(round(x, 3) for x in (gain.mean, gain.low, gain.high)) if contempt else ("", "", "")
    return (name, contempt, *result.outcome.cells, round(drawn, 1), *shown)


EXPERIMENT = Experiment(
    name="contempt",
    summary="the score against weaker and stronger opponents, by contempt, on a drawish game",
    source="Hsu 2022",
    samples=100,
    run=run,
    parameters={
        "contempts": "-0.4; -0.2; 0; 0.2; 0.4", "depth": 4, "weaker": 2, "stronger": 6, "evaluation": "threats",
        "mode": "compiled",
    },
)  # fmt: skip
