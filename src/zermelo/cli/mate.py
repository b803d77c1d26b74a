"""The command that searches a sub-game by itself: mate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c
from zermelo.cli.live import LiveLine, speed

if TYPE_CHECKING:
    from zermelo.cli.show import Row
    from zermelo.knowledge.mate import Mate


def mate(
    game: c.GameName,
    settings: c.Settings = None,
    position: c.PositionText = "",
    subgame: Annotated[
        str | None, typer.Option("--subgame", metavar="NAME", help="Which sub-game, if there are several.")
    ] = None,
    certificate: Annotated[
        str | None, typer.Option("--certificate", metavar="FILE", help="Write a proof that anyone can check.")
    ] = None,
    seconds: c.Seconds = None,
    nodes: c.NodeCount = None,
    memory: c.Memory = None,
    mode: c.RunMode = None,
    json: c.Json = False,
) -> None:
    """Find a win by forcing moves alone, and the shortest.

    What is not won that way is unknown, not lost. Exit code 1 if a certificate was asked for and could not be written.
    """
    from zermelo.cli.show import print_json, print_rows
    from zermelo.compile.watch import Limits
    from zermelo.core.memory import DEFAULT
    from zermelo.knowledge.mate import mate as find
    from zermelo.rules.subgame import subgame_named, winning_subgame

    limits = Limits(nodes=nodes, seconds=seconds)
    start = c.position_of(game, settings, position)
    name = subgame_named(start.game, subgame)
    if certificate is not None:
        winning_subgame(start.game, name)
    how: dict[str, Any] = {"limits": limits, "memory": memory or DEFAULT, "mode": mode}
    with LiveLine(not json) as line:
        found = find(start, name, listener=line.listener, **how)
        written = _write(found, certificate, line, game, how) if certificate is not None else {}
    if json:
        print_json(found.as_dict() | written)
    else:
        print(start.game.summary)
        print()
        print(start)
        print()
        print_rows(_rows(found, written))
    if "interrupt" in (found.stopped, written.get("stopped_by")):
        raise typer.Exit(INTERRUPTED)
    if "unwritten" in written:
        raise typer.Exit(1)


def _write(found: Mate, file: str, line: LiveLine, spec: str, how: dict[str, Any]) -> dict[str, Any]:
    """Prove a win and write the proof; what there is to know about it, or why there is none."""
    from zermelo.certificates.proving import Unproved
    from zermelo.core.wording import STOPPERS
    from zermelo.knowledge.mate import prove_mate

    if not found.won:
        return {"certificate": None, "unwritten": "no win was found that could be proved"}
    try:
        proved = prove_mate(found.position, found.subgame, listener=line.listener, spec=spec, **how)
    except Unproved as stopped:
        by = "" if stopped.stopped is None else f", by {STOPPERS.get(stopped.stopped, stopped.stopped)}"
        return {"certificate": None, "unwritten": f"{stopped}{by}", "stopped_by": stopped.stopped}
    return {"certificate": file, "bytes": proved.save(file), "positions": proved.positions}


def _rows(found: Mate, written: dict[str, Any]) -> list[Row]:
    from zermelo.cli.show import Row, counted, size
    from zermelo.core.wording import PLAYERS, stopped_in_words

    rows = [Row("to move", PLAYERS[found.position.turn]), Row("sub-game", found.subgame)]
    if found.won:
        plies = "ply" if found.plies == 1 else "plies"
        length = "" if found.plies is None else f" in {found.plies} {plies}, which is the shortest way"
        rows.append(Row("status", f"won{length}", "green"))
    else:
        tried = f"all of {found.subgame} was looked at, and a win may need other moves"
        why = stopped_in_words(found.stopped) if found.stopped else tried
        rows.append(Row("status", f"unknown: {why}", "yellow"))
    if found.won and found.plies is None:
        rows.append(Row("length", f"not known: {stopped_in_words(found.stopped or '')}"))
    if found.best:
        rows.append(Row("best", " ".join(found.best), "cyan"))
    if found.line:
        rows.append(Row("line", " ".join(found.line)))
    if "unwritten" in written:
        rows.append(Row("file", f"none: {written['unwritten']}"))
    elif written:
        words = f"{written['certificate']}, {size(written['bytes'])}, {counted(written['positions'], 'position')}"
        rows.append(Row("file", words))
    extra = f" + {found.extra_nodes:,} for the shortest" if found.extra_nodes else ""
    rate = speed(found.nodes + found.extra_nodes, found.seconds)
    rows.append(Row("effort", f"{counted(found.nodes, 'node')}{extra}, {found.seconds:.2f} s, {rate}"))
    return [*rows, Row("run", found.mode)]
