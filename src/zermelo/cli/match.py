"""The command that lets engines meet: a match of two, a round robin or a gauntlet, kept in a file and resumed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c

if TYPE_CHECKING:
    from zermelo.play.record import Record
    from zermelo.play.standing import Standing
    from zermelo.rules import Game

PAIRS = ("0", "½", "1", "1½", "2")

Engines = typer.Argument(metavar="ENGINE", help="Two or more, such as alphabeta(depth=3).", autocompletion=c.methods)
Games = typer.Option("--games", metavar="N", help="Between any two, an even number; else 100.")
Test = typer.Option("--sprt", metavar="ELO0 ELO1", help="Stop when one Elo difference is accepted.")
Openings = typer.Option("--openings", metavar="FILE", help="Where games begin: a line of moves each.")
Plies = typer.Option("--random-plies", metavar="N", help="Random moves to begin with; else 2, dice 0.")
Seconds = typer.Option("--seconds", metavar="S", help="Engines think S seconds a move.")
Timed = typer.Option("--clock", metavar="TEXT", help="60+1 (seconds a game, a move), 0.1/move.")
Seed = typer.Option("--seed", metavar="N", help="Another seed is another match.", show_default=False)
Keep = typer.Option("--record", metavar="FILE", help="Keep the games in FILE.")
Resume = typer.Option("--resume", help="Go on with the match in FILE.")
Gauntlet = typer.Option("--gauntlet", help="The first engine meets the others.")
Workers = typer.Option("--workers", metavar="N", help="Games at a time, in processes.", show_default=False)
Adjudicate = typer.Option("--adjudicate/--no-adjudicate", help="End games that are proven; or play all out.")
Longest = typer.Option("--max-plies", metavar="N", help="Longer games are draws.")
BookFor = typer.Option("--book-for", metavar="N", help="Only engine N plays by the book.")
Patience = typer.Option("--patience", metavar="S", help="How long an engine may hang.")


ShowModel = typer.Option("--show-model", help="Print who engines think they play, move by move.")


def match(
    game: c.GameName,
    engines: Annotated[list[str] | None, Engines] = None,
    settings: c.Settings = None,
    games: Annotated[int | None, Games] = None,
    sprt: Annotated[tuple[float, float] | None, Test] = None,
    openings: Annotated[Path | None, Openings] = None,
    random_plies: Annotated[int | None, Plies] = None,
    seconds: Annotated[float | None, Seconds] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", metavar="N", help="They visit N positions a move.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", metavar="N", help="They look N plies ahead.")] = None,
    clock: Annotated[str | None, Timed] = None,
    seed: Annotated[int, Seed] = 0,
    record: Annotated[Path | None, Keep] = None,
    resume: Annotated[bool, Resume] = False,
    gauntlet: Annotated[bool, Gauntlet] = False,
    workers: Annotated[int, Workers] = 1,
    adjudicate: Annotated[bool | None, Adjudicate] = None,
    max_plies: Annotated[int | None, Longest] = None,
    patience: Annotated[float | None, Patience] = None,
    book: c.BookName = None,
    book_for: Annotated[int | None, BookFor] = None,
    variety: c.Variety = None,
    tables: c.Tables = None,
    table_memory: c.TableMemory = None,
    show_model: Annotated[bool, ShowModel] = False,
    json: c.Json = False,
) -> None:
    """Let engines play against each other, and tell who is stronger."""
    from zermelo.cli.live import LiveLine
    from zermelo.cli.show import print_json
    from zermelo.play.match import match as play_match
    from zermelo.rules.errors import Unsuitable

    made = c.game_of(game, settings, tables, table_memory)
    with LiveLine(not json) as line:
        line.say("making the engines ready")

        def show(number: int, record: Record) -> None:
            line.wipe()
            for words in _models(number, record):
                print(words, flush=True)

        standing = play_match(
            made, engines or [], games=games, sprt=sprt, openings=openings, random_plies=random_plies, clock=clock,
            seconds=seconds, nodes=nodes, depth=depth, seed=seed, gauntlet=gauntlet, adjudicate=adjudicate,
            max_plies=max_plies, patience=patience, book=c.book_of(made, book, variety), book_for=book_for,
            workers=workers, record=record, resume=resume, listener=lambda now: line.say(_in_short(now)),
            spectator=show if show_model and not json else None,
        )  # fmt: skip
    if json:
        print_json({"game": made.name, "parameters": dict(made.parameters), **standing.as_dict()})
    else:
        _show(made, standing)
    if standing.stopped == "interrupt":
        if record is not None and not json:
            print("stopped by Ctrl-C; to go on, give the same command with --resume")
        raise typer.Exit(INTERRUPTED)
    if standing.stopped is not None:
        raise Unsuitable(standing.stopped)


def _models(number: int, record: Record) -> list[str]:
    """Whom the players of a game took each other for, move by move."""
    line = record.replay()
    return [
        f"game {number}, ply {ply}, {record.players[before.turn]}: {note.model}"
        for ply, (before, note) in enumerate(zip(line, record.notes, strict=False), 1)
        if note.model is not None
    ]


def _in_short(now: Standing) -> str:
    """The standing while the match goes on."""
    of = "" if now.planned is None else f" of {now.planned}"
    if len(now.engines) > 2:
        return f"{now.games}{of} games | {now.engines[now.ratings[0].player]} leads | Ctrl-C stops"
    parts = [f"{now.games}{of} games", f"+{now.wins} ={now.draws} -{now.losses}", _elo(now)]
    if now.sprt is not None:
        parts.append(_test(now))
    return " | ".join([*parts, "Ctrl-C stops"])


def _show(game: Game, standing: Standing) -> None:
    from zermelo.cli.show import Row, counted, print_rows

    print(game.summary)
    games = counted(standing.games, 'game') + ("" if standing.stopped is None else ", not all that were to be played")
    if len(standing.engines) > 2:
        print(f"{games}\n")
        _show_ratings(standing)
        rows = []
    else:
        print(f"{standing.engines[0]} against {standing.engines[1]}: {games}\n")
        rows = [Row(*row) for row in _rows(standing)]
    for forfeit in standing.forfeits:
        rows.append(Row("forfeit", f"game {forfeit.game}, {forfeit.engine}: {forfeit.reason}", "red"))
    if rows:
        print_rows(rows)


def _rows(standing: Standing) -> list[tuple[str, str]]:
    """What a match of two shows about the first engine."""
    played = standing.wins + standing.draws + standing.losses
    if standing.score is None or standing.mean_score is None:
        return [("score", "no game was finished")]
    score = f"{standing.score * played:g} of {played} ({standing.score:.1%})"
    rows = [
        ("score", f"{score}: {standing.wins} won, {standing.draws} drawn, {standing.losses} lost"),
        ("mean", f"{standing.mean_score:+.3g} a game, as the game counts"),
        ("Elo", _elo(standing)),
        ("pairs", ", ".join(f"{count} with {points}" for count, points in zip(standing.pentanomial, PAIRS))),
    ]
    return rows if standing.sprt is None else [*rows, ("test", _test(standing))]


def _elo(standing: Standing) -> str:
    if standing.elo is None or standing.interval is None or standing.los is None:
        return "Elo unknown"
    low, high = standing.interval
    return f"{standing.elo:+.1f} (95 %: {low:+.1f} to {high:+.1f}), the stronger one with {standing.los:.1%}"


def _test(standing: Standing) -> str:
    assert standing.sprt is not None
    low, high = standing.sprt.bounds
    accepted = "undecided" if standing.accepted is None else f"Elo {standing.accepted:+g} is accepted"
    asked = f"Elo {standing.sprt.elo0:+g} or {standing.sprt.elo1:+g}"
    return f"{asked}: {accepted} (LLR {standing.llr:.2f}, from {low:.2f} to {high:.2f})"


def _show_ratings(standing: Standing) -> None:
    from zermelo.cli.comparing import print_table

    rows = [
        [place, standing.engines[who], f"{elo:+.1f}", f"{error:.1f}", f"{points:g}", games]
        for place, (who, elo, error, points, games) in enumerate(standing.ratings, 1)
    ]
    print_table(["place", "engine", "Elo", "±", "points", "games"], rows, numbers=4)
    print("\nElo by Bradley and Terry, the mean being 0, with one drawn game on top between any two who met")
