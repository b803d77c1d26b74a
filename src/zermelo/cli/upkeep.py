"""The commands around games: check rules, compile ahead, look after the cache, run the benchmarks."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli import choices as c
from zermelo.cli.live import LiveLine


def check(
    game: c.GameName,
    settings: c.Settings = None,
    games: Annotated[int, typer.Option("--games", metavar="N", min=1, help="How many games to play.")] = 50,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Which random games to play.")] = 0,
) -> None:
    """Look for mistakes in the rules of a game.

    Random games are played in both modes, side by side. Exit code 1 if a problem is found.
    """
    from zermelo.checking.conformance import check as examine

    subject = c.game_of(game, settings)
    with LiveLine() as line:
        line.say(f"playing {games} random games of {subject.name}")
        report = examine(subject, games=games, seed=seed)
    print(report.text())
    if report.problems:
        raise typer.Exit(1)


def warmup(game: c.GameName, settings: c.Settings = None) -> None:
    """Compile ahead what solve and search need, and what tells chess programs how far away a mate is."""
    from zermelo.compile import cache as kept
    from zermelo.methods.requests import request
    from zermelo.protocols.mates import Mates

    subject = c.game_of(game, settings)
    if not (subject.compilable and subject.prefer_compiled):
        print(f"{subject.name} runs interpreted: there is nothing to compile")
        return
    started = time.perf_counter()
    names = []
    with LiveLine() as line:
        for purpose in ("solve", "search"):
            made = request(None, subject, purpose, mode="compiled", memory="1MB")
            line.say(f"compiling {subject.name} for {purpose} ({made.method.name})")
            with made.open(subject) as session:
                session.prepare(purpose)
            names.append(f"{purpose} ({made.method.name})")
        Mates(subject, "compiled").prepare()
    seconds, usage = time.perf_counter() - started, kept.usage()
    print(f"{subject.summary}: {' and '.join(names)} ready in {seconds:.1f} s")
    print(f"{usage.kernels} kernels are kept in {usage.folder}")


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete everything that is kept.")] = False,
) -> None:
    """Show or clear what is kept compiled."""
    from zermelo.cli.show import Row, print_rows, size
    from zermelo.compile import cache as kept

    if clear:
        print(f"{kept.clear()} kernels deleted from {kept.folder()}")
        return
    usage = kept.usage()
    refused = kept.refusal()
    rows = [("folder", str(usage.folder)), ("kernels", f"{usage.kernels:,}"), ("size", size(usage.bytes))]
    rows += [("refused", refused)] if refused else []
    print_rows(Row(*row) for row in rows)


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Which benchmarks to run; default all.")
    ] = None,
) -> None:
    """Run the benchmarks of the source tree."""
    from zermelo.rules.errors import UnknownName, Unsuitable, nearest

    files = {file.stem.removeprefix("bench_"): file for file in sorted(Path("benchmarks").glob("bench_*.py"))}
    if not files:
        raise Unsuitable("no folder benchmarks with bench_*.py is here: benchmarks come with the source tree")
    for name in names or ():
        if name not in files:
            raise UnknownName(f"no benchmark is called {name}: {nearest(name, files)}")
    failed = [name for name in names or files if _fails(files[name])]
    if failed:
        print(f"zermelo: failed: {', '.join(failed)}", file=sys.stderr)
        raise typer.Exit(1)


def _fails(file: Path) -> bool:
    print(f"== {file.stem}", flush=True)
    return subprocess.run([sys.executable, str(file)], check=False).returncode != 0
