"""The command that plays: any two at a board, kept in a file if wanted, and taken up again from there."""

from __future__ import annotations

import contextlib
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c

if TYPE_CHECKING:
    from zermelo.play.player import Player
    from zermelo.play.record import Record
    from zermelo.rules import Position

PERSON = "person"


def _player(flag: str) -> Any:
    words = f"Who plays {flag[2:]}: person, or an engine such as mtdf."
    return typer.Option(flag, metavar="PLAYER", help=words, autocompletion=c.methods)


Side = typer.Option("--side", metavar="SIDE", help="Where you sit: first (as usual) or second.")
Opposite = typer.Option(
    "--method", metavar="REQUEST", help="The engine opposite: star2.5(seconds=0.2).", autocompletion=c.methods
)
Seconds = typer.Option("--seconds", metavar="S", help="Engines think S seconds a move; else 1, or by clock.")
Depth = typer.Option("--depth", metavar="N", hidden=True)  # as their texts may say, too: the help is to fit on a screen
Nodes = typer.Option("--nodes", metavar="N", hidden=True)
Timed = typer.Option("--clock", metavar="TEXT", help="For both: 60+1 (seconds a game, a move), 60 or 1/move.")
Ponder = typer.Option("--ponder", help="Engines think while it is not their turn.")
Resume = typer.Option("--resume", metavar="FILE", help="Go on with the game in FILE, and keep it there.")
Keep = typer.Option("--record", metavar="FILE", help="Add the game to those in FILE.")


def play(
    game: c.GameName,
    settings: c.Settings = None,
    position: c.PositionText = "",
    first: Annotated[str | None, _player("--first")] = None,
    second: Annotated[str | None, _player("--second")] = None,
    side: Annotated[c.Side | None, Side] = None,
    method: Annotated[str | None, Opposite] = None,
    more: c.With = None,
    seconds: Annotated[float | None, Seconds] = None,
    depth: Annotated[int | None, Depth] = None,
    nodes: Annotated[int | None, Nodes] = None,
    clock: Annotated[str | None, Timed] = None,
    ponder: Annotated[bool, Ponder] = False,
    seed: c.Seed = None,
    book: c.BookName = None,
    variety: c.Variety = None,
    resume: Annotated[Path | None, Resume] = None,
    keep: Annotated[Path | None, Keep] = None,
    tables: c.Tables = None,
    table_memory: c.TableMemory = None,
    memory: Annotated[str | None, typer.Option("--memory", hidden=True)] = None,  # --with memory=…
    mode: Annotated[str | None, typer.Option("--mode", hidden=True)] = None,
) -> None:
    """Play against an engine, watch two, or sit down with somebody else."""
    from zermelo.cli.dialogue import Dialogue
    from zermelo.compile.watch import Limits
    from zermelo.play.clock import Clock
    from zermelo.play.ending import Why
    from zermelo.play.player import engine
    from zermelo.play.programs import is_program

    limits, timed = Limits(nodes=nodes, seconds=seconds, depth=depth), None if clock is None else Clock.read(clock)
    seats = _seats(first, second, side, method)
    start = c.position_of(game, settings, position, tables, table_memory)
    record = _taken_up(start, position, resume)
    record = record if seed is None else replace(record, seed=seed)
    by = c.book_of(start.game, book, variety)
    if keep is not None:
        _check_folder(keep)

    def opened(text: str | None, number: int = 0) -> Player:
        named = is_program(text)
        deep = depth or (None if timed is None else timed.depth)
        how: dict[str, Any] = {"memory": memory, "mode": mode, "depth": deep, "book": by}
        made = text if named else c.request_of(start.game, "play", text, more, **how)
        return engine(made, start.game, limits=limits, seed=None if seed is None else seed + number)

    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  lets the person edit what is typed
    with contextlib.ExitStack() as stack:
        engines = [
            None if who == PERSON else stack.enter_context(opened(who, number)) for number, who in enumerate(seats)
        ]
        dialogue = Dialogue(record, engines, lambda: stack.enter_context(opened(method)), timed, ponder)
        chosen = [word for text in settings or () for word in ("--set", text)]
        named = {"--first": first, "--second": second, "--side": side if side is c.Side.second else None}
        seated = [word for flag, value in named.items() if value is not None for word in (flag, str(value))]
        again = ["zermelo", "play", game, *chosen, *seated, "--resume"]
        try:
            dialogue.run()
        except KeyboardInterrupt:
            print()
            raise typer.Exit(INTERRUPTED) from None
        finally:  # whatever ended it, nothing that was played is lost
            _keep(record, dialogue.record, resume, keep, again)
    if dialogue.sitting.error is not None:
        raise dialogue.sitting.error
    if dialogue.record.ending is not None and dialogue.record.ending.why is Why.STOPPED:
        raise typer.Exit(INTERRUPTED)


def _seats(first: str | None, second: str | None, side: c.Side | None, method: str | None) -> list[str | None]:
    """Who plays first and who second: a person, an engine by its text, or None for the engine that suits the game."""
    from zermelo.rules.errors import Unsuitable

    if side is not None and (first or second):
        raise Unsuitable("--side says where you sit against an engine: leave it out beside --first and --second")
    if not first and not second:
        return [method, PERSON] if side is c.Side.second else [PERSON, method]
    if (first and second) or PERSON not in (first, second):
        if method is not None:
            raise Unsuitable("--method is the engine opposite a person: leave it out beside --first and --second")
        return [first or PERSON, second or PERSON]
    return [first or method, second or method]


def _taken_up(start: Position, typed: str, file: Path | None) -> Record:
    """The game that the person wants to play: the one in the file, if it holds one."""
    from zermelo.play.ending import Why
    from zermelo.play.record import Record, read_records
    from zermelo.rules.errors import Unsuitable

    if file is None:
        return Record.begin(start, typed)
    _check_folder(file)
    games = read_records(file, start.game) if file.exists() else []
    if not games:
        return Record.begin(start, typed)
    if len(games) > 1:
        raise Unsuitable(f"{file} holds {len(games)} games: --resume takes up the only one of a file")
    found = games[0]
    if typed and start not in found.replay():
        raise Unsuitable(f"{file} holds a game that does not come through --position: leave one of them out")
    if found.ending is not None and (found.ending.why.loses or found.ending.why is Why.UNTOLD):
        raise Unsuitable(f"{file} holds a game that is over: {found.ending}")
    return found


def _check_folder(file: Path) -> None:
    from zermelo.rules.errors import Unsuitable

    if not file.parent.is_dir():
        raise Unsuitable(f"{file} cannot be written: there is no folder {file.parent}")


def _keep(before: Record, after: Record, file: Path | None, many: Path | None, again: list[str]) -> None:
    """Write the game into its file and add it to others, and if somebody left it, say how to take it up again."""
    from zermelo.play.record import append_record, write_records

    moves = after.position.history()
    left = after.ending is not None and after.ending.score is None and bool(after.position.codes)
    if left and moves:
        print(f"moves so far: {' '.join(moves)}")
    decided = after.ending is not None and after.ending.why.loses
    new = after.position is not before.position or decided
    if file is not None and new:
        write_records(file, [after])
    if many is not None and new:
        append_record(many, after)
    if not left or not moves:
        return
    if file is None:
        print(f"to go on, write these lines into a file: {shlex.join(again)} FILE")
        print(after.text(), end="")
    else:
        print(f"to go on: {shlex.join([*again, str(file)])}")
