"""The commands about opening books: build one from games, have it grow, learn and prove, look at it, merge, export."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c
from zermelo.cli.live import LiveLine

if TYPE_CHECKING:
    from zermelo.knowledge.book import Book, BookMove, Page
    from zermelo.knowledge.book_file import Entry
    from zermelo.knowledge.book_learning import Lesson, Played
    from zermelo.rules import Game

book = typer.Typer(
    help="Opening books: positions with what games, searches and proofs say of them.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

File = Annotated[Path, typer.Argument(metavar="BOOK", help="The file of the book.", show_default=False)]
Games = typer.Option("--from", metavar="FILE", help="Games: records, or a line of moves each; repeatable.")
MinGames = typer.Option("--min-games", metavar="N", help="So many games must come to a position.")
MinShare = typer.Option("--min-share", metavar="P", help="Such a share of games must make a move.")
Followed = typer.Option("--plies", metavar="N", help="How far games are followed.")
Check = typer.Option("--check", metavar="REQUEST", help="Search positions with it; none: results only.")
Margin = typer.Option("--margin", metavar="P", help="A blunder gives up more of the range of scores.")
Positions = Annotated[int | None, typer.Option("--positions", metavar="N", help="Search so many positions.")]
Seconds = Annotated[float | None, typer.Option("--seconds", metavar="S", help="Stop after S seconds.")]
Plies = Annotated[int | None, typer.Option("--plies", metavar="N", help="How far to go on from there.")]
Policy = typer.Option("--policy", metavar="NAME", help="drop-out or best-first.")
Omega = typer.Option("--omega", metavar="W", help="What an opponent's error costs: small is wide.")
Proofs = typer.Option("--from", metavar="FILE", help="A certificate to take over; repeatable.")
Strategy = typer.Option("--plies", metavar="N", help="Take N plies of a certificate's strategy.")
Out = typer.Option("--out", metavar="FILE", help="Write there instead of printing.")


@book.command()
def build(
    game: c.GameName,
    file: File,
    games: Annotated[list[Path], Games],
    settings: c.Settings = None,
    min_games: Annotated[int, MinGames] = 2,
    min_share: Annotated[float, MinShare] = 0.0,
    plies: Annotated[int, Followed] = 20,
    check: Annotated[str | None, Check] = None,
    margin: Annotated[float, Margin] = 0.05,
    positions: Positions = None,
    seconds: Seconds = None,
    json: c.Json = False,
) -> None:
    """Make a book of the positions that games come through.

    Every position is searched, so that blunders are found; they stay in the book as rejected.
    """
    made = c.game_of(game, settings)
    found = list(_games(games, made))
    with _new(file, made, margin=margin) as opened:
        _learn(
            opened, found, json, min_games=min_games, min_share=min_share, plies=plies, check=check,
            positions=positions, seconds=seconds,
        )  # fmt: skip


@book.command()
def learn(
    game: c.GameName,
    file: File,
    games: Annotated[list[Path] | None, Games] = None,
    settings: c.Settings = None,
    min_games: Annotated[int, MinGames] = 1,
    min_share: Annotated[float, MinShare] = 0.0,
    plies: Annotated[int, Followed] = 20,
    check: Annotated[str | None, Check] = None,
    positions: Positions = None,
    seconds: Seconds = None,
    json: c.Json = False,
) -> None:
    """Learn from more games, such as those of play and match.

    A game is counted once. Without games, positions that were not searched yet are.
    """
    made = c.game_of(game, settings)
    found = list(_games(games or [], made))
    with _old(file, made) as opened:
        _learn(
            opened, found, json, min_games=min_games, min_share=min_share, plies=plies, check=check,
            positions=positions, seconds=seconds,
        )  # fmt: skip


def _games(files: list[Path], game: Game) -> Iterator[Played]:
    from zermelo.play.game_files import read_games
    from zermelo.rules.errors import Unsuitable

    for file in files:
        empty = True
        for played in read_games(file, game):
            empty = False
            yield played
        if empty:
            raise Unsuitable(f"{file} holds no games: give records, or a file with a line of moves for every game")


def _old(file: Path, game: Game) -> Book:
    """A book that is there, to be changed."""
    from zermelo.knowledge.book import Book

    return Book(file, game, write=True)


@contextmanager
def _new(file: Path, game: Game, **how: Any) -> Iterator[Book]:
    """A book that is made. If nothing could be put into it, it was none."""
    from zermelo.knowledge.book import Book
    from zermelo.rules.errors import ZermeloError

    with Book.create(file, game, **how) as made:
        try:
            yield made
        except ZermeloError:
            if not len(made):
                file.unlink()
            raise


def _either(file: Path, game: Game) -> AbstractContextManager[Book]:
    """A book to be changed, a new one if there is none."""
    return _old(file, game) if file.exists() else _new(file, game)


def _learn(opened: Book, games: list[Played], json: bool, **how: Any) -> None:
    from zermelo.knowledge.book_learning import learn_games

    with LiveLine(not json) as line:
        lesson = learn_games(opened, games, listener=lambda words: line.say(f"{words} | Ctrl-C stops"), **how)
    rows = [("games", _counted(lesson)), ("positions", f"{lesson.positions} new, {len(opened)} in the book")]
    if how["check"] != "none":
        left = f", {lesson.unsearched} left" if lesson.unsearched else ""
        rows.append(("searched", f"{lesson.searched}{left}"))
    told = {
        "games": lesson.games, "known_games": lesson.known_games, "new": lesson.positions,
        "searched": lesson.searched, "unsearched": lesson.unsearched,
    }  # fmt: skip
    _end(opened, told, rows, lesson.stopped, json)


def _counted(lesson: Lesson) -> str:
    return f"{lesson.games} learned" + (f", {lesson.known_games} known before" if lesson.known_games else "")


def _end(opened: Book, told: dict[str, Any], rows: list[tuple[str, str]], stopped: str | None, json: bool) -> None:
    """Say what was done to a book, and how to go on if it was stopped."""
    from zermelo.cli.show import Row, print_json, print_rows

    game = opened.game
    if json:
        about = {"game": game.name, "parameters": dict(game.parameters), "book": str(opened.path)}
        print_json({**about, **told, "positions": len(opened), "stopped": stopped})
    else:
        print(game.summary)
        print_rows(Row(*row) for row in rows)
        if stopped == "interrupt":
            print("stopped by Ctrl-C; what was found is kept, and the same command goes on")
    if stopped == "interrupt":
        opened.close()
        raise typer.Exit(INTERRUPTED)


@book.command()
def grow(
    game: c.GameName,
    file: File,
    settings: c.Settings = None,
    position: c.PositionText = "",
    method: c.MethodText = None,
    tables: c.Tables = None,
    table_memory: c.TableMemory = None,
    positions: Positions = None,
    seconds: Seconds = None,
    policy: Annotated[str, Policy] = "drop-out",
    omega: Annotated[float, Omega] = 20.0,
    json: c.Json = False,
) -> None:
    """Search where an opponent is most likely to leave the book.

    A book that is not there is made. Whatever stops it, the same command goes on.
    """
    from zermelo.cli.show import counted
    from zermelo.knowledge.book_growing import Growth, grow_book

    start = c.position_of(game, settings, position, tables, table_memory)
    with _either(file, start.game) as opened, LiveLine(not json) as line:

        def follow(now: Growth) -> None:
            line.say(f"{now.searched} searched, {now.positions} in the book, {now.seconds:.0f} s | Ctrl-C stops")

        grown = grow_book(
            opened, method, position=start, policy=policy, omega=omega, positions=positions, seconds=seconds,
            listener=follow,
        )  # fmt: skip
        line.wipe()
        worth = "unknown" if grown.value is None else f"{_number(grown.value)}, {grown.status}"
        nodes = counted(grown.nodes, "node")
        rows = [
            ("searched", f"{counted(grown.searched, 'position')}, {nodes}, {grown.seconds:.1f} s"),
            ("positions", f"{len(opened)} in the book"),
            ("value", f"{worth}, for the first player"),
        ]
        if grown.stopped is None:
            rows.append(("left", "nothing: every way that is worth it ends in proven positions"))
        told = {
            "searched": grown.searched, "expanded": grown.expanded, "nodes": grown.nodes,
            "seconds": round(grown.seconds, 3), "value": grown.value, "status": grown.status,
        }  # fmt: skip
        _end(opened, told, rows, grown.stopped, json)


@book.command()
def prove(
    game: c.GameName,
    file: File,
    settings: c.Settings = None,
    position: c.PositionText = "",
    at_least: Annotated[float | None, typer.Option("--at-least", metavar="V", help="The claim to decide.")] = None,
    at_most: Annotated[float | None, typer.Option("--at-most", metavar="V", help="The claim to decide.")] = None,
    certificates: Annotated[list[Path] | None, Proofs] = None,
    plies: Annotated[int, Strategy] = 6,
    method: c.MethodText = None,
    tables: c.Tables = None,
    table_memory: c.TableMemory = None,
    positions: Positions = None,
    seconds: Seconds = None,
    json: c.Json = False,
) -> None:
    """Take over certificates, solve positions, or find the easiest way to a claim.

    With a claim the book grows by proof-number search. A book that is not there is made.
    """
    from zermelo.cli.show import counted
    from zermelo.knowledge.book_certificates import take_certificates
    from zermelo.knowledge.book_proving import Proving, prove_book

    start = c.position_of(game, settings, position, tables, table_memory)
    with _either(file, start.game) as opened, LiveLine(not json) as line:

        def follow(now: Proving) -> None:
            known = f"{now.proven} of {now.positions} proven"
            line.say(f"{now.tried} tried, {known}, {now.seconds:.0f} s | Ctrl-C stops")

        taken = 0
        if certificates:
            line.say("checking certificates")
            taken = take_certificates(opened, certificates, plies=plies)
            line.wipe()
        if certificates and at_least is None and at_most is None:
            words = f"{counted(taken, 'position')} of certificates"
            rows = [("taken", words), ("positions", f"{len(opened)} in the book")]
            _end(opened, {"taken": taken}, rows, None, json)
            return
        done = prove_book(
            opened, method, at_least=at_least, at_most=at_most, position=start, positions=positions, seconds=seconds,
            listener=follow,
        )  # fmt: skip
        line.wipe()
        rows = [
            ("tried", f"{counted(done.tried, 'position')}, {done.seconds:.1f} s"),
            ("proven", f"{done.newly} now, {done.proven} of {done.positions} in all"),
            ("value", f"from {_number(done.low)} to {_number(done.high)} for the first player"),
        ]
        claim = at_most if at_least is None else at_least
        if claim is not None:
            words = f"the first player scores at {'most' if at_least is None else 'least'} {claim:g}"
            open_ = "not decided: only play in circles is left" if done.stopped == "loops" else "not decided"
            verdict = open_ if done.holds is None else "yes" if done.holds else "no"
            rows.append(("claim", f"{words}: {verdict}"))
        told = {
            "tried": done.tried, "proven": done.proven, "newly": done.newly, "bounds": [done.low, done.high],
            "holds": done.holds, "seconds": round(done.seconds, 3),
        }  # fmt: skip
        _end(opened, told | ({"taken": taken} if certificates else {}), rows, done.stopped, json)


@book.command()
def merge(
    game: c.GameName,
    file: File,
    others: Annotated[list[Path], typer.Argument(metavar="OTHER", help="What is taken into it.", show_default=False)],
    settings: c.Settings = None,
    json: c.Json = False,
) -> None:
    """Take what other books know into a book; a new one if it is not there."""
    from zermelo.knowledge.book import Book
    from zermelo.knowledge.book_merging import merge_books

    made = c.game_of(game, settings)
    with ExitStack() as stack:
        read = [stack.enter_context(Book(other, made)) for other in others]
        opened = stack.enter_context(_either(file, made))
        fresh = merge_books(opened, read)
        rows = [("positions", f"{fresh} new, {len(opened)} in the book")]
        _end(opened, {"new": fresh}, rows, None, json)


@book.command()
def export(
    game: c.GameName,
    file: File,
    settings: c.Settings = None,
    position: c.PositionText = "",
    plies: Plies = None,
    out: Annotated[Path | None, Out] = None,
) -> None:
    """Write a book as text: a line for every move, its parts separated by tabs."""
    from zermelo.knowledge.book import Book
    from zermelo.knowledge.book_lines import lines
    from zermelo.rules.files import save

    start = c.position_of(game, settings, position)
    with Book(file, start.game) as opened:
        text = "".join(f"{line}\n" for line in lines(opened, start, plies))
    if out is None:
        print(text, end="")
    else:
        save(out, text)


@book.command()
def show(
    game: c.GameName,
    file: File,
    settings: c.Settings = None,
    position: c.PositionText = "",
    plies: Plies = None,
    json: c.Json = False,
) -> None:
    """What a book knows of a position and its moves, and with --plies of what follows."""
    from zermelo.cli.show import print_json
    from zermelo.knowledge.book import Book

    start = c.position_of(game, settings, position)
    with Book(file, start.game) as opened:
        page = opened.page(start)
        if json:
            print_json(_page_as_dict(opened, page) | {"position": start.text()})
        else:
            _show(opened, page, start, plies)


def _summary(opened: Book) -> dict[str, int]:
    entries = list(opened.entries())
    return {
        "positions": len(entries),
        "searched": sum(entry.searched is not None for entry in entries),
        "proven": sum(entry.proven for entry in entries),
        "bounded": sum(opened.bounded(entry) and not entry.proven for entry in entries),
        "games": len(opened.games_learned()),
    }


def _page_as_dict(opened: Book, page: Page | None) -> dict[str, Any]:
    game = opened.game
    told: dict[str, Any] = {"game": game.name, "parameters": dict(game.parameters), "book": str(opened.path)}
    told |= {"margin": opened.margin, **_summary(opened), "known": page is not None}
    if page is not None:
        entry = page.entry
        told |= {
            "turn": page.position.turn, "value": entry.value, "bounds": [entry.low, entry.high],
            "status": opened.status(entry), "source": entry.source,
            "results": [entry.first, entry.drawn, entry.second],
            "moves": [move.as_dict() for move in page.moves if move.known],
        }  # fmt: skip
    return told


def _show(opened: Book, page: Page | None, start: Any, plies: int | None) -> None:
    from zermelo.cli.comparing import print_table
    from zermelo.cli.show import Row, counted, print_rows
    from zermelo.core.wording import to_move

    print(f"{opened.game.summary}\n\n{start}\n")
    known = _summary(opened)
    counts = f"{counted(known['positions'], 'position')}, {known['searched']} searched, {known['proven']} proven"
    counts += f", {known['bounded']} with proven bounds" if known["bounded"] else ""
    rows = [Row("book", f"{opened}: {counts}, {counted(known['games'], 'game')}"), Row("to move", to_move(start))]
    if page is None:
        print_rows([*rows, Row("position", "not in the book")])
        return
    entry, status = page.entry, opened.status(page.entry)
    known_value, bounds = _number(entry.value), _bounds(opened, entry)
    worth = known_value or bounds or "unknown"
    words = f"{worth} for the first player, {status}" if known_value or bounds else worth
    words += f"; proven: {bounds}" if known_value and bounds else ""
    print_rows([*rows, Row("value", words)])
    lines = [_row(opened, page, move) for move in page.moves if move.known]
    if lines:
        print()
        print_table(["move", "value", "status", "games", "won-drawn-lost", "source"], lines, numbers=0)
    if plies is not None:
        print()
        _show_tree(opened, page, plies, 0, set())


def _row(opened: Book, page: Page, move: BookMove) -> list[str]:
    from zermelo.knowledge.book_lines import refutation

    told = move.as_dict()
    value, bounds = _number(told["value"]), "" if move.entry is None else _bounds(opened, move.entry)
    status = f"{move.status}, {bounds}" if value and bounds else move.status
    if move.rejected:
        reply = refutation(opened, page.position, move)
        status = "rejected" + ("" if reply is None else f": {reply}")
    results = "-".join(map(str, told["results"])) if any(told["results"]) else ""
    return [move.text, value or bounds, status, str(told["games"] or ""), results, told["source"]]


def _show_tree(opened: Book, page: Page, plies: int, depth: int, seen: set[int]) -> None:
    """The moves that a book would play or has to answer, those that follow below them."""
    for move in page.moves:
        if not move.known or move.rejected:
            continue
        again = move.entry is not None and move.entry.word in seen
        worth = _number(move.value) or ("" if move.entry is None else _bounds(opened, move.entry))
        print(f"{'  ' * depth}{move.text} {worth}{' …' if again else ''}")
        if move.entry is not None and not again:
            seen.add(move.entry.word)
            after = opened.page(page.position.play(move.step.code)) if depth + 1 < plies else None
            if after is not None:
                _show_tree(opened, after, plies, depth + 1, seen)


def _bounds(opened: Book, entry: Entry) -> str:
    """What is proven of a position whose value is not, in the first player's view."""
    from zermelo.core.answer import BOUND, Verdict
    from zermelo.core.wording import verdict_in_words

    known = opened.bounded(entry) and not entry.proven
    return verdict_in_words(opened.game, Verdict("", BOUND, entry.low, entry.high)) if known else ""


def _number(value: float | None) -> str:
    from zermelo.core.wording import signed

    return "" if value is None else signed(value)
