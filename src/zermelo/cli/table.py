"""The commands about endgame tables: build one, look at it, verify it, ask it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c
from zermelo.cli.live import LiveLine

if TYPE_CHECKING:
    from zermelo.cli.show import Row
    from zermelo.knowledge.building import Progress
    from zermelo.knowledge.manifest import Manifest
    from zermelo.knowledge.table import Found
    from zermelo.rules import Game

table = typer.Typer(
    help="Endgame tables: the value of every position of a game, or of its last part.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a table.", show_default=False)]
Out = typer.Option("--out", metavar="DIR", help="The folder to build into, or to go on with.")
Which = typer.Option("--tiers", metavar="A..B", help="Keep only these tiers; 12 and ..12 are all up to 12.")
Values = typer.Option("--values", metavar="KIND", help="distance, score, wdl or chance.")
Wide = typer.Option("--wide", help="Expectations of 8 bytes instead of 4.")
Memory = typer.Option("--memory", metavar="SIZE", help="What positions at work may take; else 2GB.", show_default=False)
Distances = typer.Option("--distances", help="How many are won and lost in how many plies, too.")
Threads = typer.Option("--threads", metavar="N", help="How many threads work.", show_default=False)
OtherGame = typer.Option("--game", metavar="GAME", help="The game, if its rules are a file of yours.")
Sample = typer.Option("--sample", metavar="N", help="Check every N-th position only.", show_default=False)


@table.command()
def build(
    game: c.GameName,
    out: Annotated[Path | None, Out] = None,
    settings: c.Settings = None,
    position: c.PositionText = "",
    tiers: Annotated[str | None, Which] = None,
    values: Annotated[str | None, Values] = None,
    wide: Annotated[bool, Wide] = False,
    memory: Annotated[str, Memory] = "2GB",
    threads: Annotated[int, Threads] = 1,
    mode: c.RunMode = None,
    json: c.Json = False,
) -> None:
    """Build a table, or go on with one that was begun.

    A game that does not number its positions gets one of all that can be reached from the start, or from --position.
    """
    from zermelo.cli.show import print_json
    from zermelo.knowledge.building import build_table

    made = c.game_of(game, settings)
    lowest, highest = _between(tiers)
    folder = out or Path(f"{made.name}.table")
    began = time.perf_counter()
    try:
        with LiveLine(not json) as line:
            line.say("preparing")
            manifest = build_table(
                made, folder, position=made.position(position) if position else None, lowest=lowest, highest=highest,
                values=values, wide=wide, mode=mode, threads=threads, memory=memory,
                listener=(lambda progress: line.say(_in_short(progress))) if line.on else None,
            )  # fmt: skip
    except KeyboardInterrupt:
        if not json:
            print(f"stopped by Ctrl-C; what is done is kept in {folder}, and the same command goes on")
        raise typer.Exit(INTERRUPTED) from None
    if json:
        print_json(_as_dict(manifest))
    else:
        _show(manifest, folder)
        print(f"\n{time.perf_counter() - began:.1f} s")


@table.command()
def info(folder: Folder, distances: Annotated[bool, Distances] = False, json: c.Json = False) -> None:
    """What is in a table."""
    from zermelo.cli.show import print_json
    from zermelo.knowledge.manifest import read_manifest
    from zermelo.knowledge.table import check_files

    manifest = read_manifest(folder)
    check_files(folder, manifest)
    if json:
        print_json(_as_dict(manifest))
        return
    _show(manifest, folder)
    if distances:
        _show_distances(manifest)


@table.command()
def verify(
    folder: Folder,
    sample: Annotated[int, Sample] = 1,
    game: Annotated[str | None, OtherGame] = None,
    settings: c.Settings = None,
    memory: Annotated[str, Memory] = "2GB",
    mode: c.RunMode = None,
    json: c.Json = False,
) -> None:
    """Check the files of a table, and every position against those that its moves lead to.

    Exit code 0 if all is right, 1 if not.
    """
    from zermelo.cli.show import print_json
    from zermelo.knowledge.verifying import verify_table

    made = _subject(folder, game, settings)
    with LiveLine(not json) as line:
        line.say("preparing to verify")
        verdict = verify_table(
            folder, made, sample=sample, mode=mode, memory=memory,
            listener=lambda tier, checked: line.say(f"tier {tier.name} | {checked:,} positions | Ctrl-C stops"),
        )  # fmt: skip
    if json:
        print_json({"checked": verdict.checked, "holds": verdict.wrong is None, "wrong": verdict.wrong})
    elif verdict.wrong is None:
        print(f"{verdict.checked:,} positions agree with those that their moves lead to")
    else:
        print(f"wrong: {verdict.wrong}")
    if verdict.wrong is not None:
        raise typer.Exit(1)


@table.command()
def probe(
    folder: Folder,
    position: c.PositionText = "",
    game: Annotated[str | None, OtherGame] = None,
    settings: c.Settings = None,
    json: c.Json = False,
) -> None:
    """What a table says of a position and of each of its moves."""
    from zermelo.cli.show import Row, print_json, print_rows
    from zermelo.knowledge.table import Table

    made = _subject(folder, game, settings)
    opened, here = Table.open(folder, made), made.position(position)
    found = opened.probe(here)
    moves = [] if here.result is not None else opened.moves(here)
    if json:
        told = [{"move": move, **_told(each)} for move, each in moves]
        print_json({"game": made.name, "position": position, **_told(found), "moves": told})
        return
    print(f"{made.summary}\n\n{here}\n")
    rows = [Row("value", _in_words(made, found))]
    print_rows([*rows, *(Row(move, _in_words(made, each)) for move, each in moves)])


def _between(tiers: str | None) -> tuple[str | None, str | None]:
    """The first and the last tier that a text names: `3..12`, `..12`, `12`."""
    if tiers is None:
        return None, None
    first, dots, last = tiers.partition("..")
    return (first or None, last or None) if dots else (None, first)


def _subject(folder: Path, game: str | None, settings: list[str] | None) -> Game:
    """The game that a table is about: the listed one that it names, or the one that the person does."""
    from zermelo import games
    from zermelo.knowledge.manifest import read_manifest
    from zermelo.rules.errors import Unsuitable

    if game is not None:
        return c.game_of(game, settings)
    if settings:
        raise Unsuitable("--set goes with --game: name the game too, or leave it to the table")
    manifest = read_manifest(folder)
    if manifest.game not in games.names():
        raise Unsuitable(f"{folder} is a table of {manifest.game}, whose rules are not here: give --game FILE")
    return games.from_file(manifest.game, manifest.parameters, None)


def _told(found: Found) -> dict[str, Any]:
    return {"value": found.score, "plies": found.plies}


def _in_words(game: Game, found: Found) -> str:
    from zermelo.core.wording import score_in_words

    words = score_in_words(game, found.score)
    return words if found.plies is None else f"{words}, in {found.plies} {'ply' if found.plies == 1 else 'plies'}"


def _as_dict(manifest: Manifest) -> dict[str, Any]:
    from dataclasses import asdict

    told = asdict(manifest)
    del told["work"]
    return {**told, "bytes": manifest.bytes, "by_distance": _by_distance(manifest)}


def _by_distance(manifest: Manifest) -> list[dict[str, int]]:
    """How many positions of all tiers are won and lost in how many plies."""
    won, lost = Counter[int](), Counter[int]()
    for entry in manifest.tiers:
        for plies, wins, losses in entry.by_distance:
            won[plies] += wins
            lost[plies] += losses
    return [{"plies": plies, "won": won[plies], "lost": lost[plies]} for plies in sorted({*won, *lost})]


def _in_short(progress: Progress) -> str:
    step = progress.step
    if step.tier.size == 0:
        return f"finding all positions | {step.done:,} | {step.rate / 1e6:.2f} million/s"
    left = (step.tier.size - step.done) / step.rate
    return (
        f"tier {step.tier.name} | {step.what} {step.level} | {step.done:,} of {step.tier.size:,}, {left:.0f} s left | "
        f"{step.rate / 1e6:.2f} million/s | {progress.done:,} of {progress.size:,} done"
    )


def _show(manifest: Manifest, folder: Path) -> None:
    from zermelo.cli.show import Row, print_rows, size

    positions = sum(entry.positions for entry in manifest.tiers)
    taken = manifest.bytes
    state = "verified" if manifest.verified else "complete" if manifest.complete else "not finished"
    settings = ", ".join(f"{name}={value}" for name, value in manifest.parameters.items())
    rows = [
        Row("table", f"{manifest.game}({settings})" if settings else manifest.game),
        Row("folder", str(folder)),
        Row("values", manifest.values),
        Row("positions", f"{positions:,} in {len(manifest.tiers)} tier{'s' * (len(manifest.tiers) != 1)}"),
        Row("size", f"{size(taken)}, {8 * taken / max(positions, 1):.2f} bits a position"),
        *_about_index(manifest, max(positions, 1)),
        Row("state", state),
    ]
    print_rows(rows)
    print(f"\n{'tier':>12} {'positions':>14} {'won':>14} {'drawn':>14} {'lost':>14} {'longest':>8}")
    for entry in manifest.tiers:
        counts = (entry.positions, entry.won, entry.drawn, entry.lost)
        longest = "" if entry.longest is None else f"{entry.longest}"
        print(f"{entry.name:>12}", *(f"{count:>14,}" for count in counts), f"{longest:>8}")


def _about_index(manifest: Manifest, positions: int) -> Iterator[Row]:
    """What finds the numbers of positions that the game does not number."""
    from zermelo.cli.show import Row, size
    from zermelo.knowledge.enumerating import AUTOMATON

    entry = manifest.index
    if entry is None:
        return
    yield Row("begins at", entry.position)
    automaton = "too large" if entry.automaton is None else size(entry.automaton)
    other = f"sorted keys {size(entry.keys)}" if entry.kind == AUTOMATON else f"an automaton {automaton}"
    each = f"{8 * entry.bytes / positions:.2f} bits a position"
    yield Row("index", f"{entry.kind}, {size(entry.bytes)}, {each} ({other})")


def _show_distances(manifest: Manifest) -> None:
    rows = _by_distance(manifest)
    if not rows:
        why = "the table holds none" if manifest.values != "distance" else "they were not counted when it was built"
        print(f"\nno distances: {why}")
        return
    print(f"\n{'plies':>12} {'won':>14} {'lost':>14}")
    for row in rows:
        print(f"{row['plies']:>12} {row['won']:>14,} {row['lost']:>14,}")
