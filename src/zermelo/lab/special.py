"""When a specialised search pays: nodes and time to the proof of a win, by where it is called and how far it may go.

Kaneko 2010, "Parallel depth first proof number search", and the shogi programs after it call a search for checkmates
from within another search, "carefully". Here positions of Dobutsu shogi are taken whose shortest win has a known
length, and alpha-beta deepens until it has proved that win: without help, with a search for mates by checks at every
leaf, each time with another limit of nodes, and with one at the root alone. Nodes of both searches are added up.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from statistics import median
from typing import Any

from zermelo import games
from zermelo.compile.watch import Limits
from zermelo.core.session import Session
from zermelo.lab.experiment import Experiment, Result, Say, Settings, Table
from zermelo.lab.gather import gather, is_table
from zermelo.lab.meetings import listed
from zermelo.lab.plot import Line, chart
from zermelo.methods.requests import request
from zermelo.methods.settings import name_and_settings
from zermelo.rules import Game, Position, Unsuitable

GAME, SUBGAME, MEMORY = "dobutsu", "mate", "64MB"
PLAIN = "alphabeta(quiet=off, null=off, reductions=off, extensions=off, order=hash,order)"
"""What is measured is the specialised search, so nothing else is left out, and nothing learned from one position to the
next."""
NONE = "none"
POLICIES = (
    NONE, "leaf=3", "leaf=10", "leaf=40", "leaf=200", "leaf=1000", "leaf=40, plies=3", "leaf=40, plies=5",
    "inner=40, leaf=40, plies=3", "root=100000",
)  # fmt: skip
LENGTHS = "7; 9; 11"
LONGEST = 15
"""Longer wins take too long to be found at random."""
HEAD = (
    "shortest win", "policy", "nodes", "median", "to none, %", "of them special", "seconds", "depth",
)  # fmt: skip


def run(settings: Settings, say: Say) -> Result:
    told = settings.parameters
    lengths, policies = _lengths(told["plies"]), listed(told["policies"])
    if not policies:
        raise Unsuitable(f"special compares at least one policy, such as policies={NONE}; leaf=10")
    for policy in policies:
        request(_text(told["engine"], policy), _game(), "search")
    samples = range(settings.samples)
    hunts = [[length, told["engine"], told["mode"], settings.seed, n] for length in lengths for n in samples]
    positions = gather(settings, EXPERIMENT.name, hunts, find, say, lambda task, text: isinstance(text, str))
    tasks = [
        [length, text, _text(told["engine"], policy), told["mode"]]
        for (length, *_), text in zip(hunts, positions, strict=True)
        for policy in policies
    ]
    found = gather(settings, EXPERIMENT.name, tasks, measure, say, lambda task, rows: is_table(rows, 1, 4))
    rows, lines = [], []
    for number, length in enumerate(lengths):
        share = found[number * settings.samples * len(policies) : (number + 1) * settings.samples * len(policies)]
        by_policy = [[row[0] for row in share[place :: len(policies)]] for place in range(len(policies))]
        base = sum(row[0] for row in by_policy[policies.index(NONE)]) if NONE in policies else 0
        rows += [_row(length, policy, own, base) for policy, own in zip(policies, by_policy)]
        if base:
            points = [(float(place), row[4]) for place, row in enumerate(rows[-len(policies) :])]
            lines.append(Line(f"win in {length} plies", points))
    words = [
        f"Dobutsu, {settings.samples} positions of random play for each length, seed {settings.seed}: {told['engine']} "
        "until the win is proved. Nodes are those of both searches; depth is where the proof was found, on average.",
        f"In the plot, the policies from left to right: {'; '.join(policies)}.",
    ]
    highest = max((y for line in lines for _, y in line.points), default=100.0)
    plot = chart("Nodes to the proof of a win", "policy", "% of the nodes without", lines, highest) if lines else ""
    return Result(Table(HEAD, rows), plot, words)


def _lengths(text: str) -> list[int]:
    words = listed(text)
    lengths = [int(word) if word.isdigit() else 0 for word in words]
    if not lengths or not all(3 <= length <= LONGEST and length % 2 for length in lengths):
        raise Unsuitable(f"plies are odd lengths of wins from 3 to {LONGEST}, such as {LENGTHS}, not {text!r}")
    return lengths


def _text(engine: str, policy: str) -> str:
    """The engine with a policy as part of its settings: limits that it does not name are 0."""
    if policy == NONE:
        return engine
    name, told = name_and_settings(engine)
    _, asked = name_and_settings(f"special({policy})")
    whole = {**told, "special": SUBGAME, "root": "0", "inner": "0", "pv": "0", "leaf": "0", "plies": "0", **asked}
    return f"{name}({', '.join(f'{key}={value}' for key, value in whole.items())})"


@cache
def _game() -> Game:
    return games.load(GAME, {})


@cache
def _session(text: str, mode: str) -> Session:
    session = request(text, _game(), "search", mode=mode, memory=MEMORY).open(_game())
    session.prepare("search")
    return session


def find(task: Sequence[Any]) -> str:
    """A position of random play that the player to move wins in so many plies and not faster."""
    length, engine, mode, seed, number = task
    chance = random.Random(f"{seed} {length} {number}")
    while True:
        position = _random_position(chance)
        if position is not None and _proved_at(position, engine, mode, length - 1) == length - 1:
            return position.text()


def _random_position(chance: random.Random) -> Position | None:
    position = _game().position()
    for _ in range(chance.randrange(4, 30)):
        position = position.play(chance.choice(position.codes))
        if position.result is not None:
            return None
    return Position(_game(), position.state)  # without what was played before


def _proved_at(position: Position, engine: str, mode: str, deepest: int) -> int | None:
    """The depth at which the win is proved without help: one ply less than it takes, for the last one need not be
    looked at to see that the lion can be taken."""
    answer = _answer(position, engine, mode, deepest)
    won = answer.status == "proven" and answer.value == (1 if position.turn == 0 else -1)
    return answer.depth if won else None


def _answer(position: Position, text: str, mode: str, deepest: int) -> Any:
    session = _session(text, mode)
    engine = session.engine(estimates=True)
    for memory in (engine.memory, *engine.small):
        memory.clear()
    return session.search(position, Limits(depth=deepest), value_only=True)


def measure(task: Sequence[Any]) -> list[list[float]]:
    """What it takes to prove a win: nodes, those of the specialised search among them, microseconds, and the depth."""
    length, text, engine, mode = task
    answer = _answer(_game().position(text), engine, mode, length)
    special = answer.details.get("special", {}).get("nodes", 0)
    return [[answer.nodes, min(special, answer.nodes), round(1e6 * answer.seconds), answer.depth or 0]]


def _row(length: int, policy: str, own: Sequence[Sequence[float]], base: float) -> tuple[Any, ...]:
    nodes, special, micros, depths = (list(column) for column in zip(*own, strict=True))
    share = round(100 * sum(nodes) / base, 1) if base else ""
    return (
        length, policy, int(sum(nodes)), round(median(nodes)), share, int(sum(special)),
        round(sum(micros) / 1e6, 3), round(sum(depths) / len(depths), 2),
    )  # fmt: skip


EXPERIMENT = Experiment(
    name="special",
    summary="nodes and time to a proof, with and without a specialised search at leaves and at the root",
    source="Kaneko 2010",
    samples=50,
    run=run,
    parameters={"plies": LENGTHS, "policies": "; ".join(POLICIES), "engine": PLAIN, "mode": "compiled"},
)
