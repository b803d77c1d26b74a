"""The table of commands."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from zermelo.cli import Interrupted, comparing, listing, proving, searching, serving, upkeep
from zermelo.cli.book import book
from zermelo.cli.convert import convert
from zermelo.cli.lab import lab
from zermelo.cli.match import match
from zermelo.cli.mate import mate
from zermelo.cli.model import model
from zermelo.cli.play import play
from zermelo.cli.proof_graph import proof_graph
from zermelo.cli.serve import serve
from zermelo.cli.size import size
from zermelo.cli.solve_openings import solve_openings
from zermelo.cli.table import table
from zermelo.cli.tune import tune


class Commands(TyperGroup):
    """A group of commands that lets Ctrl-C through, which typer would turn into a mute exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None


app = typer.Typer(
    cls=Commands,
    help="Zermelo solves and plays games: rules written once, in Python, searched at native speed.",
    epilog="GAME is a listed name, a file or module of your own (nim.py, nim.py:factory, module:factory), a graph file "
    "(.json), or openspiel:NAME.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def zermelo(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        from zermelo.version import __version__

        print(f"zermelo {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


for function in (
    listing.games,
    listing.methods,
    searching.solve,
    searching.search,
    size,
    comparing.compare,
    mate,
    proving.prove,
    proving.verify,
    proving.explain,
    proof_graph,
    solve_openings,
    play,
    serve,
    match,
    model,
    convert,
    tune,
    searching.perft,
    lab,
    serving.uci,
    serving.usi,
    serving.ucci,
    serving.gtp,
    serving.nboard,
    upkeep.check,
    upkeep.warmup,
    upkeep.cache,
    upkeep.bench,
):
    app.command()(function)
app.add_typer(table, name="table")
app.add_typer(book, name="book")


def command() -> Any:
    """The commands, ready to be run."""
    return typer.main.get_command(app)
