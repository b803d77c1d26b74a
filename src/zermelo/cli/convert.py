"""The command that turns records of games into another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli import choices as c

Given = typer.Argument(metavar="FROM", help="A file of games: records, or another format, such as games.pgn.")
Wanted = typer.Argument(metavar="TO", help="The file to write; the end of its name tells the format.")


def convert(
    game: c.GameName,
    given: Annotated[Path, Given],
    wanted: Annotated[Path, Wanted],
    settings: c.Settings = None,
    json: c.Json = False,
) -> None:
    """Write games in another format.

    Every move is checked by the rules on the way.
    """
    from zermelo.cli.show import print_json
    from zermelo.play.record import read_records, write_records

    made = c.game_of(game, settings)
    records = read_records(given, made)
    write_records(wanted, records)
    if json:
        plies = sum(len(record.notes) for record in records)
        print_json({"game": made.name, "parameters": dict(made.parameters), "games": len(records), "plies": plies})
    else:
        print(f"{len(records)} game{'s' * (len(records) != 1)} written to {wanted}")
