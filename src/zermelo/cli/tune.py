"""The command that tunes the settings of an engine by matches, and keeps what proved to be better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c

if TYPE_CHECKING:
    from zermelo.play.tuning import Tuning
    from zermelo.rules import Game

SHOWN = 8
"""So many candidates are listed."""

EngineText = typer.Argument(metavar="ENGINE", help="What is tuned: mcts, mcts(playouts=500).", autocompletion=c.methods)
Spans = typer.Option("--with", metavar="NAME=VALUES", help="c=0.5:3, playout=light|decisive; repeatable.")
Games = typer.Option("--games", metavar="N", help="In all; a third for the last match.")
Candidates = typer.Option("--candidates", metavar="N", help="How many are tried; else up to 16.")
Seconds = typer.Option("--seconds", metavar="S", help="Both sides think S seconds a move.")
Seed = typer.Option("--seed", metavar="N", help="Another seed is another tuning.", show_default=False)
Workers = typer.Option("--workers", metavar="N", help="Games at a time, in processes.", show_default=False)
Out = typer.Option("--out", metavar="FILE", help="Keep the settings there, not beside the rules.")
State = typer.Option("--state", metavar="FILE", help="Where games are kept until the end.")
Resume = typer.Option("--resume", help="Go on where a tuning was left.")


def tune(
    game: c.GameName,
    engine: Annotated[str, EngineText],
    spans: Annotated[list[str] | None, Spans] = None,
    settings: c.Settings = None,
    games: Annotated[int, Games] = 200,
    candidates: Annotated[int | None, Candidates] = None,
    seconds: Annotated[float | None, Seconds] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", metavar="N", help="They visit N positions a move.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", metavar="N", help="They look N plies ahead.")] = None,
    seed: Annotated[int, Seed] = 0,
    workers: Annotated[int, Workers] = 1,
    out: Annotated[Path | None, Out] = None,
    state: Annotated[Path | None, State] = None,
    resume: Annotated[bool, Resume] = False,
    json: c.Json = False,
) -> None:
    """Tune the settings of an engine by matches, and keep them with the game if they are better."""
    from zermelo.cli.live import LiveLine
    from zermelo.cli.show import print_json
    from zermelo.play.tuning import tune as tune_engine

    made = c.game_of(game, settings)
    given = {name: made.parameters[name] for name, _ in map(c.setting, settings or ()) if name in made.parameters}
    file = state or Path(f"{made.name.replace(':', '-').replace('/', '-')}.tuning")
    with LiveLine(not json) as line:
        line.say("making the engines ready")
        found = tune_engine(
            made, engine, spans or [], games=games, number=candidates, seconds=seconds, nodes=nodes, depth=depth,
            seed=seed, workers=workers, parameters=given, out=out, state=file, resume=resume,
            listener=lambda now: line.say(_in_short(now)),
        )  # fmt: skip
    if json:
        print_json({"game": made.name, "parameters": dict(made.parameters), **found.as_dict()})
    else:
        _show(made, found, file, used=out is None)
    if found.stopped is not None:
        raise typer.Exit(INTERRUPTED)


def _in_short(now: Tuning) -> str:
    """How far it is while games are played."""
    if now.final:
        return f"{now.games} of {now.planned} games | last match of {now.best} | {now.measured()} | Ctrl-C stops"
    playing = sum(one.rounds == now.best.rounds for one in now.tried)
    leads = f"{now.best} leads with {now.best.score:.0%}"
    return f"{now.games} of {now.planned} games | {playing} candidates left | {leads} | Ctrl-C stops"


def _show(game: Game, found: Tuning, file: Path, used: bool) -> None:
    from zermelo.cli.comparing import print_table
    from zermelo.cli.show import Row, print_rows

    print(game.summary)
    tried = f"{len(found.tried)} candidate{'s' if len(found.tried) > 1 else ''}"
    print(f"{found.engine}: {tried}, {found.games} of {found.planned} games\n")
    if found.best.games:
        lines = [[str(one), f"{one.points:g}", one.games, f"{one.score:.0%}"] for one in found.tried[:SHOWN]]
        print_table(["candidate", "points", "games", "score"], lines, numbers=3)
        print()
    rows = [Row("best", str(found.best) + ("" if found.stopped is None else ", so far"))] if found.games else []
    if found.final:
        rows.append(Row("match", f"{found.measured()} against the engine as it was"))
    if found.forfeits:
        rows.append(Row("forfeits", f"{len(found.forfeits)} games, the first one by {found.forfeits[0]}", "red"))
    if found.stopped is not None:
        rows.append(Row("kept", f"nothing yet; to go on from {file}, give the same command with --resume"))
    elif found.kept is not None:
        rows.append(Row("kept", f"in {found.kept}" + (", and used from now on" if used else "")))
    else:
        rows.append(Row("kept", "nothing: it is not better, and the engine stays as it was"))
    print_rows(rows)
