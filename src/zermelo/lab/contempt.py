"""Contempt: what a draw is made worth, and what comes of it against weaker and stronger opponents.

On men's morris, where a position that comes back is a draw and often does, one engine plays with several contempts
against an engine that looks less deep, one that looks as deep, and one that looks deeper. A draw against a weaker
opponent is a waste, one against a stronger opponent a gain (Hsu, "Theory of Computer Games: Selected advanced topics"):
so the score should grow with contempt against the first, and with its negative against the last.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zermelo.lab.experiment import Experiment, Result, Say, Settings, Table
from zermelo.lab.meetings import CELLS, listed
from zermelo.lab.plot import whiskers
from zermelo.lab.series import Played, Series, play_series
from zermelo.rules import Unsuitable
from zermelo.rules.settings import read_value

GAME, PLIES = "morris", 4
HEAD = ("opponent", "contempt", *CELLS, "drawn, %", "gain", "gain from", "gain to")


def run(settings: Settings, say: Say) -> Result:
    told = settings.parameters
    contempts = [read_value("contempts", text, float) for text in listed(told["contempts"])]
    if 0.0 not in contempts:
        raise Unsuitable("contempts must hold 0, with which all others are compared")
    depth = told["depth"]
    opponents = {"weaker": told["weaker"], "equal": depth, "stronger": told["stronger"]}
    plan = [
        (name, contempt, _series(told["men"], depth, contempt, looks))
        for name, looks in opponents.items()
        for contempt in contempts
    ]
    found = play_series(settings, EXPERIMENT.name, [series for _, _, series in plan], told["mode"], say)
    played = {(name, contempt): result for (name, contempt, _), result in zip(plan, found)}
    rows = [_row(name, contempt, result, played[name, 0.0]) for (name, contempt), result in played.items()]
    marks = [result.outcome.whisker(f"{name}, contempt {c:+g}") for (name, c), result in played.items()]
    title = f"morris with {told['men']} men, depth {depth}, {settings.samples} games each"
    words = [f"{settings.samples} games each, seed {settings.seed}; the gain is over contempt 0, on the same openings."]
    for name in opponents:
        words.append(_verdict(name, {contempt: played[name, contempt] for contempt in contempts}))
    return Result(Table(HEAD, rows), whiskers(title, "% of the points", marks, 50, 100), words)


def _verdict(name: str, played: Mapping[float, Played]) -> str:
    """What games against one opponent say."""
    gains = {contempt: result.gain_over(played[0.0]) for contempt, result in played.items() if contempt}
    told = [f"{c:+g} brings {gain.mean:+.3f}" for c, gain in gains.items() if gain.low > 0 or gain.high < 0]
    words = ", ".join(told) if told else "no contempt makes a difference for certain"
    return f"Against the {name} opponent {words}."


def _series(men: int, depth: int, contempt: float, looks: int) -> Series:
    engine, opponent = f"alphabeta(depth={depth}, contempt={contempt})", f"alphabeta(depth={looks})"
    return Series(GAME, {"men": men}, PLIES, engine, opponent)


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
        "contempts": "-0.4; -0.2; 0; 0.2; 0.4", "men": 6, "depth": 3, "weaker": 2, "stronger": 4, "mode": "compiled"
    },
)  # fmt: skip
