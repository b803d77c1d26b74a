"""The command that runs experiments."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

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
    samples: Annotated[
        int | None, typer.Option("--samples", metavar="N", help="How many trees or positions to measure.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The first of the seeds.")] = 0,
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Where to write the table and the plot.")
    ] = Path("lab"),
    json: c.Json = False,
) -> None:
    """Run a published experiment.

    Its table (CSV and Markdown) and its plot (SVG) are written into a folder.
    """
    from zermelo.cli.show import Row, print_json, print_rows
    from zermelo.lab.experiment import Settings, columns, experiment_named, experiments, write

    if name is None:
        listed = experiments().values()
        if json:
            print_json({"experiments": [{"name": e.name, "summary": e.summary, "source": e.source} for e in listed]})
        else:
            print_rows(row for e in listed for row in (Row(e.name, e.summary), Row("", e.source, "dim")))
        return
    experiment = experiment_named(name)
    settings = Settings(experiment.samples if samples is None else samples, seed)
    started = time.perf_counter()
    with LiveLine(not json) as line:

        def say(words: str) -> None:
            if line.on:
                line.say(f"{words} ({time.perf_counter() - started:.0f} s)")
            elif not json:
                print(words, file=sys.stderr, flush=True)

        result = experiment.run(settings, say)
    files = write(result, name, out)
    if json:
        rows = [dict(zip(result.table.head, row)) for row in result.table.rows]
        print_json({"experiment": name, "seed": seed, "rows": rows, "files": [str(file) for file in files]})
        return
    print(columns(result.table.rows, result.table.head))
    for words in result.words:
        print(words)
    print(f"written: {' '.join(str(file) for file in files)}")
