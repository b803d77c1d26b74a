"""The command that runs experiments."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c
from zermelo.cli.live import LiveLine


def _experiments(incomplete: str) -> list[str]:
    from zermelo.lab.experiment import experiments

    return [name for name in experiments() if name.startswith(incomplete)]


def lab(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="Which experiment; without it they are listed.", autocompletion=_experiments
        ),
    ] = None,
    what: Annotated[
        str, typer.Argument(metavar="WHAT", help="The game or the file that it is about.", show_default=False)
    ] = "",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the experiment or game; may be repeated."),
    ] = None,
    samples: Annotated[
        int | None, typer.Option("--samples", metavar="N", help="How many trees, positions or games to measure.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The first of the seeds.")] = 0,
    cores: Annotated[
        int | None, typer.Option("--cores", metavar="N", help="How many processes measure; all cores if nobody says.")
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Where to write the table and the plot.")
    ] = Path("lab"),
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew instead of going on where a run was interrupted.")
    ] = False,
    json: c.Json = False,
) -> None:
    """Run a published experiment.

    Its table (CSV and Markdown) and its plot (SVG) are written into a folder. If it is interrupted, the same command
    goes on where it stopped.
    """
    from zermelo.cli.show import Row, print_json, print_rows
    from zermelo.lab.experiment import Settings, columns, experiment_named, experiments, write
    from zermelo.lab.gather import Interrupted, forget

    if name is None:
        listed = experiments().values()
        if json:
            print_json({"experiments": [{"name": e.name, "summary": e.summary, "source": e.source} for e in listed]})
        else:
            print_rows(row for e in listed for row in (Row(e.name, e.summary), Row("", e.source, "dim")))
        return
    experiment = experiment_named(name)
    number = experiment.samples if samples is None else samples
    parameters = dict(map(c.setting, settings or ()))
    processes = (os.cpu_count() or 1) if cores is None else cores
    chosen = experiment.check(Settings(number, seed, what, parameters, processes, out, fresh))
    started = time.perf_counter()
    with LiveLine(not json) as line:

        def say(words: str) -> None:
            if line.on:
                line.say(f"{words} ({time.perf_counter() - started:.0f} s)")
            elif not json:
                print(words, file=sys.stderr, flush=True)

        try:
            result = experiment.run(chosen, say)
        except Interrupted as stopped:
            line.wipe()
            print(f"zermelo: {stopped}", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
    files = write(result, name, out)
    forget(chosen, name)
    if json:
        rows = [dict(zip(result.table.head, row)) for row in result.table.rows]
        told = {"experiment": name, "seed": seed, "rows": rows, "words": result.words}
        print_json({**told, "files": [str(file) for file in files]})
        return
    print(columns(result.table.rows, result.table.head))
    for words in result.words:
        print(words)
    print(f"written: {' '.join(str(file) for file in files)}")
