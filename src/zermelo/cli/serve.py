"""The command that shows games in the browser."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli import choices as c

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def serve(
    game: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Games to show; the listed ones are there anyway."),
    ] = None,
    settings: c.Settings = None,
    position: c.PositionText = "",
    certificate: Annotated[
        list[Path] | None, typer.Option("--certificate", metavar="FILE", help="A proof to walk through; repeatable.")
    ] = None,
    tables: Annotated[
        list[Path] | None, typer.Option("--table", metavar="DIR", help="An endgame table of the game; repeatable.")
    ] = None,
    book: Annotated[Path | None, typer.Option("--book", metavar="FILE", help="An opening book of the game.")] = None,
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help="Results of experiments to show.")] = Path("lab"),
    port: Annotated[int, typer.Option("--port", metavar="N", help="Where to listen; 0 is any free port.")] = 0,
    host: Annotated[str, typer.Option("--host", metavar="NAME", help="On which name of this machine.")] = "127.0.0.1",
    open_to_others: Annotated[
        bool, typer.Option("--open-to-others", help="Listen where other machines can ask; they need the token.")
    ] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address and open nothing.")] = False,
    memory: Annotated[str, typer.Option("--memory", metavar="SIZE", help="Room for each table.")] = "64MB",
    mode: c.RunMode = None,
    engine: Annotated[
        list[str] | None,
        typer.Option("--player", metavar="TEXT", help="An engine that may sit at the board, as in play; repeatable."),
    ] = None,
) -> None:
    """Show boards, values and proofs in the browser."""
    from zermelo import games
    from zermelo.rules.errors import Unsuitable

    missing = next((name for name in ("starlette", "uvicorn") if importlib.util.find_spec(name) is None), None)
    if missing is not None:
        raise Unsuitable(f"the page needs {missing}, which is not installed: pip install 'zermelo[web]'")
    if host not in LOOPBACK and not open_to_others:
        raise Unsuitable(
            f"--host {host} would let other machines ask, in clear text: add --open-to-others if that is meant"
        )
    from zermelo.web.catalogue import Catalogue
    from zermelo.web.proofs import named_proof
    from zermelo.web.serving import own_games
    from zermelo.web.serving import serve as run
    from zermelo.web.shelf import Shelf

    specs, parameters = list(game or []), dict(map(c.setting, settings or ()))
    if parameters and not specs:
        raise Unsuitable("--set is about a game: name it too, as in zermelo serve connect-four --set width=5")
    listed = games.names()
    if (tables or book) and not specs:
        raise Unsuitable("--table and --book are about a game: name it too, as in zermelo serve awari --table DIR")
    known = bool(tables or book)  # such a game keeps its parameters, as one of somebody's own does
    named = [spec for spec in specs if spec not in listed or _needs_file(spec) or known]
    own = own_games(named, parameters, tables or (), book)
    if own and known:
        shelf = Shelf(games.load(specs[0], parameters), [str(folder) for folder in tables or ()], str(book or ""))
        shelf.close()
    proofs = {file.name: named_proof(file, specs[0] if specs else None, parameters) for file in certificate or ()}
    first: dict[str, str] = {"game": specs[0] if specs else "tic-tac-toe"}
    if parameters and first["game"] not in own:
        first["set"] = json.dumps(parameters)
    if position:
        first["position"] = position
    if specs:  # what is wrong with it is said now, and not by the page
        c.position_of(specs[0], settings, position)
    if proofs:
        first = {"proof": next(iter(proofs))}
    run(
        Catalogue(listed, own, proofs), first, page="/proof" if proofs else "/", host=host, port=port,
        browse=not no_browser, lab=lab, settings={"memory": memory, "mode": mode, "engines": engine or []},
        say=lambda words: print(words, flush=True),
    )  # fmt: skip


def _needs_file(spec: str) -> bool:
    from zermelo.web.catalogue import NEEDS_A_FILE

    return spec in NEEDS_A_FILE or Path(spec).suffix in (".py", ".json")
