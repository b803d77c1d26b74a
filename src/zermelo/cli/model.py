"""The command that finds out who played: an opponent fitted to the moves of records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import choices as c

if TYPE_CHECKING:
    from zermelo.opponent.fitting import Decision, Fit
    from zermelo.play.record import Record

Records = typer.Argument(metavar="RECORDS", help="A file of games, as match and play keep them.")
Whose = typer.Option("--player", metavar="NAME", help="Only the moves of players whose name begins so.")
Deepest = typer.Option("--depth", metavar="N", help="The deepest that it may have looked.")
Out = typer.Option("--out", metavar="FILE", help="Keep the opponent there: om(opponent=FILE) plays against it.")


def model(
    game: c.GameName,
    records: Annotated[Path, Records],
    settings: c.Settings = None,
    player: Annotated[str | None, Whose] = None,
    depth: Annotated[int, Deepest] = 3,
    out: Annotated[Path | None, Out] = None,
    mode: Annotated[str | None, typer.Option("--mode", hidden=True)] = None,
    json: c.Json = False,
) -> None:
    """Fit an opponent to games: by what it evaluates, and how deep it looks."""
    from zermelo.cli.comparing import print_table
    from zermelo.cli.live import LiveLine
    from zermelo.cli.show import print_json
    from zermelo.opponent.fitting import fit_opponent
    from zermelo.play.record import read_records
    from zermelo.rules.errors import Unsuitable

    made = c.game_of(game, settings)
    if depth < 1:
        raise Unsuitable(f"an opponent looks at least 1 ply ahead, not {depth}")
    if out is not None and out.suffix != ".json":
        raise Unsuitable(f"a fitted opponent is kept in a file whose name ends in .json, not in {out}")
    found = read_records(records, made)
    if not found:
        raise Unsuitable(f"{records} holds no games: zermelo match --record FILE keeps some")
    with LiveLine(not json) as line:
        fitted, fits = fit_opponent(made, _decisions(found, player), depth, mode, line.say)
    if out is not None:
        fitted.save(out)
    if json:
        told = [{**fit._asdict(), "trained": fit.trained._asdict(), "held_out": fit.held_out._asdict()} for fit in fits]
        print_json({"game": made.name, "parameters": dict(made.parameters), "fits": told})
        return
    print(f"{made.summary}: {fits[0].trained.moves} moves to fit, {fits[0].held_out.moves} held out\n")
    print_table(
        ["who", "depth", "log-likelihood", "held out", "±", "moves foreseen"], [_row(fit) for fit in fits], numbers=5
    )
    assert fits[0].weights is not None
    weights = ", ".join(f"{name} {weight:+.2f}" for name, weight in fits[0].weights.items())
    print(f"\nweights: {weights}; temperature {fits[0].temperature:.3g}")
    if out is not None:
        print(f"written: {out}")


def _row(fit: Fit) -> list[Any]:
    told, held = fit.trained, fit.held_out
    depth = "" if fit.depth is None else str(fit.depth)
    figures = (f"{told.likelihood:.3f}", f"{held.likelihood:.3f}", f"{held.error:.3f}", f"{held.guessed:.0%}")
    return [fit.name, depth, *figures]


def _decisions(records: list[Record], player: str | None) -> list[Decision]:
    """The moves that a player chose; all that were chosen, if nobody says whose. In a game with times, moves without
    one are its opening."""
    from zermelo.opponent.fitting import Decision
    from zermelo.rules import CHANCE
    from zermelo.rules.errors import UnknownName, nearest

    names = {name for record in records for name in record.players if name}
    if player is not None and not any(name.startswith(player) for name in names):
        raise UnknownName(f"nobody in the records is called {player}: {nearest(player, names)}")
    found = []
    for number, record in enumerate(records):
        line = record.replay()
        timed = any(note.seconds is not None for note in record.notes)
        for before, after, note in zip(line, line[1:], record.notes, strict=False):
            chosen = before.turn != CHANCE and (note.seconds is not None or not timed)
            if chosen and record.players[before.turn].startswith(player or ""):
                assert after.last_move is not None
                found.append(Decision(before, after.last_move, number))
    return found
