"""Many positions of a file, solved by one session: `solve GAME --positions FILE`."""

from __future__ import annotations

import json as encoding
from typing import TYPE_CHECKING, Any

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli.live import LiveLine, speed

if TYPE_CHECKING:
    from zermelo.core.batch import Batch
    from zermelo.core.request import Request
    from zermelo.rules import Game, Position


def check_alone(**others: Any) -> None:
    """Refuse what makes no sense beside a file of positions."""
    from zermelo.rules.errors import Unsuitable

    for name, value in others.items():
        if value is not None and value is not False and value != "":
            flag = f"--{name.replace('_', '-')}"
            raise Unsuitable(f"{flag} is about one position: leave it out, or leave out --positions")


def solve_file(game: Game, file: str, made: Request, *, best_moves: bool, json: bool) -> None:
    """Solve every position of a file and print a line for each: as it stands there, its value and its best moves."""
    from zermelo.cli.show import counted

    positions = read_positions(game, file)
    with LiveLine(not json) as line, made.open(game) as session:
        done = session.solve_many(positions, best_moves=best_moves, listener=line.listener)
    for number, position in enumerate(positions):
        print(_as_json(done, number, position) if json else _as_text(done, number, position))
    if not json:
        effort = f"{counted(done.nodes, 'node')}, {done.seconds:.2f} s, {speed(done.nodes, done.seconds)}"
        print(f"{counted(len(done), 'position')}, {effort}, {done.method}, {done.mode}")
    if done.stopped == "interrupt":
        raise typer.Exit(INTERRUPTED)


def read_positions(game: Game, file: str) -> list[Position]:
    """The positions of a file, one a line: in the game's notation, or as the moves played so far. Empty lines and what
    follows # do not count, nor does a number that stands behind the moves of a test suite."""
    from zermelo.rules.errors import Unsuitable, ZermeloError
    from zermelo.rules.files import read_text

    found = []
    for number, line in enumerate(read_text(file).splitlines(), 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            found.append(_position(game, text))
        except ZermeloError as wrong:
            raise Unsuitable(f"{file}, line {number}: {wrong}") from None
    if not found:
        raise Unsuitable(f"{file} holds no position: write one a line")
    return found


def _position(game: Game, text: str) -> Position:
    from zermelo.rules.errors import ZermeloError

    try:
        return game.position(text)
    except ZermeloError:
        head, _, last = text.rpartition(" ")
        if not head or not last.lstrip("+-").isdigit():
            raise
        return game.position(head)  # the score that a test suite expects stands behind it


def _as_text(done: Batch, number: int, position: Position) -> str:
    value = done.values[number]
    told = "not known" if value is None else f"{value:+g}" if value else "0"
    best = "" if done.best is None else f"  best {' '.join(done.best[number]) or '-'}"
    return f"{position.text() or 'start'}  value {told}{best}"


def _as_json(done: Batch, number: int, position: Position) -> str:
    value = done.values[number]
    told = {
        "position": position.text(),
        "turn": position.turn,
        "value": value,
        "status": "unknown" if value is None else "proven",
    }
    return encoding.dumps(told if done.best is None else {**told, "best": done.best[number]})
