"""The command solve-openings: every position after some plies is a job, here or on a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c
from zermelo.cli.live import LiveLine

Plies = Annotated[int, typer.Option("--plies", metavar="N", help="Solve all positions after so many plies.")]
AtLeast = Annotated[
    float | None, typer.Option("--at-least", metavar="V", help="Only whether the first player scores V or more.")
]
AtMost = Annotated[
    float | None, typer.Option("--at-most", metavar="V", help="Only whether the first player scores V or less.")
]
PoolText = Annotated[
    str, typer.Option("--pool", metavar="POOL", help="Who works: 2 (processes), ray, or ray://HOST:PORT.")
]
StoreFile = Annotated[
    Path | None, typer.Option("--store", metavar="FILE", help="Keep what is solved; go on from what is kept.")
]
Seconds = Annotated[float | None, typer.Option("--seconds", metavar="S", help="Stop each job after S seconds.")]
NodeCount = Annotated[int | None, typer.Option("--nodes", metavar="N", help="Stop each job after N positions.")]


def solve_openings(
    game: c.GameName,
    plies: Plies,
    settings: c.Settings = None,
    position: c.PositionText = "",
    at_least: AtLeast = None,
    at_most: AtMost = None,
    method: c.MethodText = None,
    more: c.With = None,
    pool: PoolText = "1",
    store: StoreFile = None,
    tables: c.Tables = None,
    seconds: Seconds = None,
    nodes: NodeCount = None,
    memory: c.Memory = None,
    mode: c.RunMode = None,
    json: c.Json = False,
) -> None:
    """Find the value of a position from all positions some plies later, solved by many workers."""
    from zermelo.cli.show import print_json, show_answer
    from zermelo.compile.watch import Limits
    from zermelo.knowledge.openings_solving import solve_openings as solve

    how = {"memory": memory, "mode": mode, **dict(c.setting(text, "--with") for text in more or ())}
    with LiveLine(not json) as line:
        answer = solve(
            game,
            plies,
            parameters=dict(map(c.setting, settings or ())),
            position=position,
            at_least=at_least,
            at_most=at_most,
            method=method,
            pool=pool,
            store=store,
            tables=tables or (),
            limits=Limits(nodes=nodes, seconds=seconds),
            say=line.say if line.on else None,
            **{name: value for name, value in how.items() if value is not None},
        )
    if json:
        print_json(answer.as_dict())
    else:
        show_answer(answer)
    if answer.stopped == "interrupt":
        raise typer.Exit(INTERRUPTED)
